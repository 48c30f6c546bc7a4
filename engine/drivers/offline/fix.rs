//! Findings in, edits out, where there is only one change that can be meant; a reason for every other.

mod edit;

use super::check::{Change, author};
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
pub(super) fn fix(path: &ProjectPath, ground: &Ground<'_>, findings: &[Value]) -> Result<Fixed, String> {
    let before = examine(path, ground)?;
    let mut bench = Bench {
        path,
        ground,
        before: &before,
        changes: Vec::new(),
    };
    let mut fixes = Vec::new();
    let mut count = 0;
    for statement in findings.iter().map(Statement::of) {
        let entry = match bench.take(&statement) {
            Ok(done) => {
                count += 1;
                fixed(&statement, done)
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
    let edits = edits(&before.page, path.as_str(), &bench.changes);
    Ok(Fixed {
        text: format!(
            "{count} of {} findings were put right by rule; the others say what they need",
            findings.len()
        ),
        fixes: Value::List(fixes),
        edits: Value::List(edits),
    })
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
    before: &'b Examined,
    /// What was changed so far.
    changes: Vec<Change>,
}

impl Bench<'_> {
    /// Puts one finding right; answers what shows it, or why it cannot be done.
    fn take(&mut self, statement: &Statement) -> Result<Done, Blocked> {
        let Some(check) = author(&statement.claim) else {
            return Err(Blocked {
                why: "no check made this claim: it takes somebody who understands the text".to_owned(),
                needs: "an agent with a model, or a person".to_owned(),
            });
        };
        let blocked = |why: &str| Blocked {
            why: why.to_owned(),
            needs: check.needs.to_owned(),
        };
        if statement.document(self.path, self.ground) != *self.path {
            return Err(blocked(
                "it is about another document than the one that was handed over",
            ));
        }
        let again = statement.again(check, self.before);
        if again.is_empty() {
            return Err(Blocked {
                why: format!("the check {} does not find it any more", check.name),
                needs: "somebody dismisses it".to_owned(),
            });
        }
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
        if !statement.again(check, &after).is_empty() || brings(self.before, &after) {
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
