//! Statements in, verdicts out: a statement that a check made is decided by making the check again.

use super::check::{Check, Finding, author};
use super::finding::map;
use super::ground::Ground;
use super::review::{Examined, examine};
use crate::builtins::Value;
use crate::source::ProjectPath;
use std::collections::HashMap;

/// What is known of a statement or a finding that came from outside.
pub(super) struct Statement {
    /// What it is called.
    pub(super) id: String,
    pub(super) claim: String,
    file: String,
    section: String,
}

impl Statement {
    /// Reads an entry of a list.
    pub(super) fn of(value: &Value) -> Self {
        let text = |value: Option<&Value>| value.map(ToString::to_string).unwrap_or_default();
        let place = value.get("place");
        let part = |name: &str| text(place.and_then(|place| place.get(name)).or_else(|| value.get(name)));
        let id = ["finding", "id"].iter().find_map(|name| value.get(name));
        Self {
            id: text(id),
            claim: text(value.get("claim")),
            file: part("file"),
            section: part("section"),
        }
    }

    /// Returns the documents it can speak of: the one it names, where that is there, otherwise every one.
    pub(super) fn documents(&self, given: &[ProjectPath], ground: &Ground<'_>) -> Vec<ProjectPath> {
        ground
            .file(&self.file)
            .map_or_else(|| given.to_vec(), |named| vec![named])
    }

    /// Returns what a check finds now that says the same of the same section.
    pub(super) fn again<'e>(&self, check: &Check, examined: &'e Examined) -> Vec<&'e Finding> {
        let page = &examined.page;
        // A section that was renamed cannot tell its findings from those of others.
        let is_there = page.headings.iter().any(|heading| heading.text == self.section);
        let is_same = |finding: &&Finding| {
            let is_here = !is_there || finding.section(page) == self.section;
            finding.check == check.name && finding.message == self.claim.trim() && is_here
        };
        examined.found.iter().filter(is_same).collect()
    }
}

/// What was judged.
pub(super) struct Judged {
    pub(super) verdicts: Value,
    /// What was done, in a sentence.
    pub(super) text: String,
}

/// Makes the checks again that made the statements.
pub(super) fn judge(given: &[ProjectPath], ground: &Ground<'_>, statements: &[Value]) -> Result<Judged, String> {
    let mut seen: HashMap<String, Examined> = HashMap::new();
    let mut verdicts = Vec::new();
    let mut open = Vec::new();
    for statement in statements.iter().map(Statement::of) {
        let Some(check) = author(&statement.claim) else {
            open.push(statement.id);
            continue;
        };
        let paths = statement.documents(given, ground);
        for path in &paths {
            if !seen.contains_key(path.as_str()) {
                seen.insert(path.as_str().to_owned(), examine(path, ground)?);
            }
        }
        let examined: Vec<&Examined> = paths.iter().filter_map(|path| seen.get(path.as_str())).collect();
        verdicts.push(verdict(&statement, check, &examined));
    }
    let mut text = format!(
        "{} of {} statements were judged by making the checks again",
        verdicts.len(),
        statements.len()
    );
    if !open.is_empty() {
        text.push_str(&format!("; these need a model: {}", open.join(", ")));
    }
    Ok(Judged {
        verdicts: Value::List(verdicts),
        text,
    })
}

fn verdict(statement: &Statement, check: &Check, documents: &[&Examined]) -> Value {
    let again = documents.iter().find_map(|examined| {
        let found = statement.again(check, examined);
        found.first().map(|finding| (&examined.page, *finding))
    });
    let because = match again {
        Some((page, finding)) => {
            let line = page.line(finding.range.start);
            let quote = finding.quote(page);
            format!("the check {} finds it on line {line}: \"{quote}\"", check.name)
        }
        None => format!("the check {} was made again and does not find it", check.name),
    };
    map([
        ("finding", Value::from(statement.id.as_str())),
        ("holds", Value::Bool(again.is_some())),
        ("because", Value::Text(because)),
    ])
}
