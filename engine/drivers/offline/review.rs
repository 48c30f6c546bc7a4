//! A turn in, the document it wants looked at and what is wrong with it out.

use super::check::{CHECKS, Finding, document, plain};
use super::ground::Ground;
use super::page::Page;
use super::token::sentences;
use crate::builtins::Value;
use crate::machine::Task;
use crate::source::ProjectPath;
use crate::syntax::Format;

/// Parameters that name the document of a review.
const NAMES: &[&str] = &["document", "content_path", "path", "file"];
/// Words in the name of an agent that looks at documents.
const AGENTS: &[&str] = &["reviewer", "checker", "validator", "proofreader"];
/// Words of a prompt that asks for a look at a document.
const WORDS: &str = "review check validate inspect proofread lint";

/// What a review found in one document.
pub(super) struct Reviewed {
    pub(super) path: ProjectPath,
    pub(super) findings: Vec<Value>,
    /// How many findings each check has.
    pub(super) counts: Vec<(String, Value)>,
}

/// Returns the document that a prompt wants looked at; none where it asks for something else.
pub(super) fn target(task: &Task, ground: &Ground<'_>) -> Option<ProjectPath> {
    if task.prompt.is_empty() && task.agent.is_none() {
        return None;
    }
    let fields = &task.wanted.fields;
    let wants_other = !fields.is_empty() && !fields.iter().any(|field| field == "findings");
    let agent = task.agent.as_deref().unwrap_or("").to_lowercase();
    let is_reviewer = AGENTS.iter().any(|word| agent.contains(word));
    let asks = sentences(&task.prompt)
        .iter()
        .flatten()
        .any(|token| token.is_any(WORDS));
    if wants_other || !(is_reviewer || asks) {
        return None;
    }
    named(task).into_iter().find_map(|path| ground.file(&path))
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

/// Returns the checks that a turn wants: those it names in the parameter `checks`, or every one.
pub(super) fn wanted(task: &Task) -> Result<Vec<&'static str>, String> {
    let all = CHECKS.iter().map(|(name, _)| *name);
    let Some((_, named)) = task.params.iter().find(|(name, _)| name == "checks") else {
        return Ok(all.collect());
    };
    let named = named.to_string();
    let words = named.split([',', ' ', '\n']).filter(|word| !word.is_empty());
    let known = words.map(|word| {
        let found = all.clone().find(|name| *name == word);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.clone().collect();
            format!("there is no check `{word}`; there are {}", names.join(", "))
        })
    });
    known.collect()
}

/// Looks at a document.
pub(super) fn review(path: &ProjectPath, ground: &Ground<'_>, checks: &[&'static str]) -> Result<Reviewed, String> {
    let bytes = ground.read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let page = Page::new(&text);
    let folder = path.folder();
    let exists = |target: &str| ground.leads_somewhere(&folder, target);
    let mut found = if is_markdown(path) {
        document(&page, &exists)
    } else {
        plain(&page)
    };
    found.retain(|finding| checks.contains(&finding.check));
    let count = |name: &str| found.iter().filter(|finding| finding.check == name).count();
    let counts = checks.iter().map(|name| {
        let number = u32::try_from(count(name)).unwrap_or(u32::MAX);
        ((*name).to_owned(), Value::Number(f64::from(number)))
    });
    let value = |finding: &Finding| finding.value(&page, path.as_str());
    Ok(Reviewed {
        path: path.clone(),
        counts: counts.collect(),
        findings: found.iter().map(value).collect(),
    })
}

fn is_markdown(path: &ProjectPath) -> bool {
    Format::of(path.name()) == Some(Format::Markdown) || matches!(path.extension(), "" | "txt")
}

impl Reviewed {
    /// Says what was looked at, so that silence is not taken for praise.
    pub(super) fn summary(&self) -> String {
        let names: Vec<&str> = self.counts.iter().map(|(name, _)| name.as_str()).collect();
        let findings = match self.findings.len() {
            0 => "nothing found".to_owned(),
            1 => "1 finding".to_owned(),
            count => format!("{count} findings"),
        };
        let checks = names.join(", ");
        format!("{findings} in {} by checks without a model: {checks}", self.path)
    }
}
