//! A turn in, which work with a document it asks for out.

use super::ground::Ground;
use super::token::sentences;
use crate::builtins::Value;
use crate::machine::Task;
use crate::source::ProjectPath;
use std::collections::HashSet;

/// Parameters that name the documents of a review, the one that says so most clearly first.
const NAMES: &[&str] = &["documents", "document", "content_path", "path", "file"];
/// Words in the name of an agent that looks at documents.
const REVIEWERS: &[&str] = &["reviewer", "checker", "validator", "proofreader"];
/// Words in the name of an agent that puts right what others found.
const FIXERS: &[&str] = &["fixer"];
/// Words in the name of an agent that talks or asks: nothing of its work can be done without understanding.
const TALKERS: &[&str] = &["party", "facilitator", "elicitation"];
/// Words of a prompt that asks for a look at a document.
const REVIEWING: &str = "review check validate inspect proofread lint";

/// Work with documents: every one of them.
pub(super) enum Errand {
    /// Look for what is wrong with them.
    Review(Vec<ProjectPath>),
    /// Say of statements whether they are true of them now.
    Judge(Vec<ProjectPath>, Vec<Value>),
    /// Put right what was found.
    Fix(Vec<ProjectPath>, Vec<Value>),
    /// Talk about them, or ask them questions.
    Talk,
}

impl Errand {
    /// Returns what a turn asks for; none where it asks for something else, and why not where a document is missing.
    pub(super) fn of(task: &Task, ground: &Ground<'_>) -> Result<Option<Self>, String> {
        if task.prompt.is_empty() && task.agent.is_none() {
            return Ok(None);
        }
        let agent = task.agent.as_deref().unwrap_or("").to_lowercase();
        let is_any = |words: &[&str]| words.iter().any(|word| agent.contains(word));
        if let Some(statements) = list(task, "statements") {
            let documents = documents(task, ground)?;
            return Ok(documents.map(|documents| Errand::Judge(documents, statements)));
        }
        if is_any(FIXERS) {
            let Some(findings) = list(task, "findings") else {
                return Ok(None);
            };
            let documents = documents(task, ground)?;
            return Ok(documents.map(|documents| Errand::Fix(documents, findings)));
        }
        let fields = &task.wanted.fields;
        let wants_other = !fields.is_empty() && !fields.iter().any(|field| field == "findings");
        let said = sentences(&task.prompt);
        let asks = said.iter().flatten().any(|token| token.is_any(REVIEWING));
        if wants_other || !(is_any(REVIEWERS) || asks) {
            return Ok(None);
        }
        if is_any(TALKERS) {
            return Ok(Some(Errand::Talk));
        }
        Ok(documents(task, ground)?.map(Errand::Review))
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

/// Returns the documents of a turn: those handed over by name, otherwise those that its words name.
///
/// A list is taken as it is: each of its entries is a path, whatever stands in it, and has to be there.
fn documents(task: &Task, ground: &Ground<'_>) -> Result<Option<Vec<ProjectPath>>, String> {
    for name in NAMES {
        let given = task.params.iter().find(|(param, _)| param == name);
        match given.map(|(_, value)| value) {
            Some(Value::List(paths)) if !paths.is_empty() => {
                let known = paths.iter().map(|path| {
                    let path = path.to_string();
                    let found = ground.place(&path).map(|_| ground.file(&path))?;
                    found.ok_or_else(|| format!("there is no file `{path}`"))
                });
                return known.collect::<Result<Vec<_>, _>>().map(|all| Some(unique(all)));
            }
            Some(value) => {
                if let Some(found) = lines(&value.to_string(), ground) {
                    return Ok(Some(found));
                }
            }
            None => {}
        }
    }
    let known = NAMES.iter().find_map(|name| {
        let mut known = task.variables.iter().filter(|(variable, _)| variable == name);
        known.find_map(|(_, value)| lines(value, ground))
    });
    if known.is_some() {
        return Ok(known);
    }
    let said = sentences(&task.prompt);
    let said = said.iter().flatten().filter(|token| token.is_path());
    let said: Vec<ProjectPath> = said.filter_map(|token| ground.file(token.text())).collect();
    let found = if said.is_empty() {
        task.files.iter().filter_map(|path| ground.file(path)).collect()
    } else {
        said
    };
    Ok(Some(unique(found)).filter(|found| !found.is_empty()))
}

/// Reads a text that names one file, or one a line; none where no file is there.
fn lines(text: &str, ground: &Ground<'_>) -> Option<Vec<ProjectPath>> {
    if let Some(whole) = ground.file(text) {
        return Some(vec![whole]);
    }
    let each = text.lines().filter_map(|line| ground.file(line));
    Some(unique(each.collect())).filter(|found| !found.is_empty())
}

/// Keeps the first of paths that are the same.
fn unique(paths: Vec<ProjectPath>) -> Vec<ProjectPath> {
    let mut seen = HashSet::new();
    let is_new = |path: &ProjectPath| seen.insert(path.as_str().to_owned());
    let mut paths = paths;
    paths.retain(is_new);
    paths
}
