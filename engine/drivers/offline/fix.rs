//! Findings in, edits out, where there is only one change that can be meant; a reason for every other.

mod edit;

use super::check::{Change, Check, author};
use super::finding::map;
use super::ground::Ground;
use super::judge::Statement;
use super::review::{Examined, examine, examine_text};
use crate::builtins::Value;
use crate::source::ProjectPath;
use edit::{applied, edits};
use std::collections::HashSet;

/// What was put right.
pub(super) struct Fixed {
    /// What became of each finding.
    pub(super) fixes: Value,
    /// The changes of the document.
    pub(super) edits: Value,
    /// What was done, in a sentence.
    pub(super) text: String,
}

/// What was done about a finding, and what shows it.
struct Done {
    what: String,
    verification: String,
}

/// Why a finding is not put right, and who could help.
struct Blocked {
    why: String,
    needs: String,
}

/// Puts right what can be put right by rule.
pub(super) fn fix(given: &[ProjectPath], ground: &Ground<'_>, findings: &[Value]) -> Result<Fixed, String> {
    let statements: Vec<Statement> = findings.iter().map(Statement::of).collect();
    let about: Vec<Vec<ProjectPath>> = statements.iter().map(|each| each.documents(given, ground)).collect();
    let mut benches = Vec::new();
    for path in given
        .iter()
        .filter(|path| about.iter().flatten().any(|each| each == *path))
    {
        benches.push(Bench {
            path,
            ground,
            before: examine(path, ground)?,
            changes: Vec::new(),
        });
    }
    let mut fixes = Vec::new();
    let mut count = 0;
    for (statement, about) in statements.iter().zip(&about) {
        let entry = match take(&mut benches, statement, about) {
            Ok(done) => {
                count += 1;
                fixed(statement, done)
            }
            Err(blocked) => map([
                ("finding", Value::from(statement.id.as_str())),
                ("status", Value::from("BLOCKED")),
                ("description", Value::Text(blocked.why)),
                ("needs", Value::Text(blocked.needs)),
            ]),
        };
        fixes.push(entry);
    }
    let edits = benches
        .iter()
        .flat_map(|bench| edits(&bench.before.page, bench.path.as_str(), &bench.changes));
    Ok(Fixed {
        text: format!(
            "{count} of {} findings were put right by rule; the others say what they need",
            findings.len()
        ),
        fixes: Value::List(fixes),
        edits: Value::List(edits.collect()),
    })
}

/// Puts one finding right in the document it is about; answers what shows it, or why it cannot be done.
fn take(benches: &mut [Bench<'_>], statement: &Statement, about: &[ProjectPath]) -> Result<Done, Blocked> {
    let Some(check) = author(&statement.claim) else {
        return Err(Blocked {
            why: "no check made this claim: it takes somebody who understands the text".to_owned(),
            needs: "an agent with a model, or a person".to_owned(),
        });
    };
    let mut benches = benches.iter_mut().filter(|bench| about.contains(bench.path)).peekable();
    if benches.peek().is_none() {
        return Err(Blocked {
            why: "it is about a document that was not handed over".to_owned(),
            needs: check.needs.to_owned(),
        });
    }
    match benches.find(|bench| !statement.again(check, &bench.before).is_empty()) {
        Some(bench) => bench.take(statement, check),
        None => Err(Blocked {
            why: format!("the check {} does not find it any more", check.name),
            needs: "somebody dismisses it".to_owned(),
        }),
    }
}

fn fixed(statement: &Statement, done: Done) -> Value {
    map([
        ("finding", Value::from(statement.id.as_str())),
        ("status", Value::from("FIXED")),
        ("description", Value::Text(done.what)),
        ("files_modified", Value::List(Vec::new())),
        ("verification", Value::Text(done.verification)),
        ("memory_saved", Value::Bool(false)),
    ])
}

/// A document that is being put right.
struct Bench<'b> {
    path: &'b ProjectPath,
    ground: &'b Ground<'b>,
    before: Examined,
    /// What was changed so far.
    changes: Vec<Change>,
}

impl Bench<'_> {
    /// Puts one finding right that the check finds in this document.
    fn take(&mut self, statement: &Statement, check: &Check) -> Result<Done, Blocked> {
        let blocked = |why: &str| Blocked {
            why: why.to_owned(),
            needs: check.needs.to_owned(),
        };
        let again = statement.again(check, &self.before);
        if again.iter().any(|finding| finding.repair.is_empty()) {
            return Err(blocked("more than one change could be meant"));
        }
        let mut changes = self.changes.clone();
        changes.extend(again.iter().flat_map(|finding| finding.repair.iter().cloned()));
        changes.sort();
        changes.dedup();
        if changes.windows(2).any(|pair| pair[1].start < pair[0].end) {
            return Err(blocked("another finding changes the same words"));
        }
        let text = applied(self.before.page.text(), 0, &changes);
        let after = examine_text(self.path, self.ground, &text);
        if !statement.again(check, &after).is_empty() || brings(&self.before, &after) {
            return Err(blocked("the change that suggests itself brings other mistakes"));
        }
        self.changes = changes;
        Ok(Done {
            what: again
                .first()
                .map_or_else(String::new, |finding| finding.suggestion.clone()),
            verification: format!(
                "the check {} was made again on the changed text and does not find it",
                check.name
            ),
        })
    }
}

/// Says whether a change brings mistakes that were not there.
fn brings(before: &Examined, after: &Examined) -> bool {
    let names = |examined: &Examined| -> HashSet<(&'static str, String)> {
        let all = examined.found.iter();
        all.map(|finding| (finding.check, finding.message.clone())).collect()
    };
    !names(after).is_subset(&names(before))
}
