//! A turn in, which work with a document it asks for out.

use super::ground::Ground;
use super::token::sentences;
use crate::builtins::Value;
use crate::machine::Task;
use crate::source::ProjectPath;

/// Parameters that name the document of a review.
const NAMES: &[&str] = &["document", "content_path", "path", "file"];
/// Words in the name of an agent that looks at documents.
const REVIEWERS: &[&str] = &["reviewer", "checker", "validator", "proofreader"];
/// Words in the name of an agent that puts right what others found.
const FIXERS: &[&str] = &["fixer"];
/// Words in the name of an agent that talks or asks: nothing of its work can be done without understanding.
const TALKERS: &[&str] = &["party", "facilitator", "elicitation"];
/// Words of a prompt that asks for a look at a document.
const REVIEWING: &str = "review check validate inspect proofread lint";

/// Work with a document.
pub(super) enum Errand {
    /// Look for what is wrong with it.
    Review(ProjectPath),
    /// Say of statements whether they are true of it now.
    Judge(ProjectPath, Vec<Value>),
    /// Put right what was found.
    Fix(ProjectPath, Vec<Value>),
    /// Talk about it, or ask it questions.
    Talk,
}

impl Errand {
    /// Returns what a turn asks for; none where it asks for something else.
    pub(super) fn of(task: &Task, ground: &Ground<'_>) -> Option<Self> {
        if task.prompt.is_empty() && task.agent.is_none() {
            return None;
        }
        let document = || named(task).into_iter().find_map(|path| ground.file(&path));
        let agent = task.agent.as_deref().unwrap_or("").to_lowercase();
        let is_any = |words: &[&str]| words.iter().any(|word| agent.contains(word));
        if let Some(statements) = list(task, "statements") {
            return Some(Errand::Judge(document()?, statements));
        }
        if is_any(FIXERS) {
            let findings = list(task, "findings")?;
            return Some(Errand::Fix(document()?, findings));
        }
        let fields = &task.wanted.fields;
        let wants_other = !fields.is_empty() && !fields.iter().any(|field| field == "findings");
        let said = sentences(&task.prompt);
        let asks = said.iter().flatten().any(|token| token.is_any(REVIEWING));
        if wants_other || !(is_any(REVIEWERS) || asks) {
            return None;
        }
        if is_any(TALKERS) {
            return Some(Errand::Talk);
        }
        document().map(Errand::Review)
    }
}

/// Returns the entries of a list that a turn hands along.
fn list(task: &Task, name: &str) -> Option<Vec<Value>> {
    let (_, value) = task.params.iter().find(|(param, _)| param == name)?;
    match value {
        Value::List(items) => Some(items.clone()),
        Value::Map(_) => Some(vec![value.clone()]),
        // Nothing to judge is an errand that is soon done; a text has no statements that could be told apart.
        Value::Nothing => Some(Vec::new()),
        Value::Text(text) => text.is_empty().then(Vec::new),
        Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Returns the paths that a turn names, those handed over by name first.
fn named(task: &Task) -> Vec<String> {
    let mut paths = Vec::new();
    for name in NAMES {
        let given = task.params.iter().filter(|(param, _)| param == name);
        paths.extend(given.map(|(_, value)| value.to_string()));
        let known = task.variables.iter().filter(|(variable, _)| variable == name);
        paths.extend(known.map(|(_, value)| value.clone()));
    }
    let said = sentences(&task.prompt);
    let said = said.iter().flatten().filter(|token| token.is_path());
    paths.extend(said.map(|token| token.text().to_owned()));
    paths.extend(task.files.iter().cloned());
    paths
}
