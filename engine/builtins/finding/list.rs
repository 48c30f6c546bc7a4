//! A list of findings in any shape in, findings in the order of their identifiers out.

use super::{Finding, Id, SetAside, Severity, State};
use crate::builtins::Value;
use crate::builtins::given::{items, words};
use std::cmp::Reverse;
use std::collections::HashSet;

/// All findings of a review, each with an identifier of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Findings {
    pub(crate) all: Vec<Finding>,
    /// Entries that are no findings; they stay in the list as they are.
    pub(crate) unreadable: Vec<SetAside>,
}

impl Findings {
    /// Reads a list. Who has no identifier, or one that is taken, gets the next free one.
    pub(crate) fn read(value: &Value) -> Self {
        let items = items(value);
        let named = |item: &Value| Id::read(&words(item, &["id"]));
        let mut next = items.iter().filter_map(named).map(|id| id.0).max().unwrap_or(0);
        let mut taken = HashSet::new();
        let mut findings = Self::default();
        for item in items {
            let own = named(&item).filter(|id| !taken.contains(id));
            let id = own.unwrap_or(Id(next.saturating_add(1)));
            match Finding::read(&item, id) {
                Ok(finding) => {
                    taken.insert(id);
                    next = next.max(id.0);
                    findings.all.push(Finding { id, ..finding });
                }
                Err(why) => findings.unreadable.push(SetAside::new(item, why)),
            }
        }
        findings
    }

    /// Returns the list, with what could not be read at its end.
    pub(crate) fn value(&self) -> Value {
        let read = self.all.iter().map(Finding::value);
        let unread = self.unreadable.iter().map(|item| item.report.clone());
        Value::List(read.chain(unread).collect())
    }

    /// Returns the identifier that the next new finding gets.
    pub(crate) fn next(&self) -> Id {
        let last = self.all.iter().map(|finding| finding.id.0).max();
        Id(last.unwrap_or(0)).after()
    }

    /// Returns the finding with this identifier.
    pub(crate) fn get(&self, id: Id) -> Option<&Finding> {
        self.all.iter().find(|finding| finding.id == id)
    }

    /// Returns how many are in this state.
    pub(crate) fn count(&self, state: State) -> usize {
        self.all.iter().filter(|finding| finding.state == state).count()
    }

    /// Returns how many are of this severity.
    pub(crate) fn weighing(&self, severity: Severity) -> usize {
        self.all.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Returns those that a condition holds for, most severe first.
    pub(crate) fn sorted(&self, wanted: impl Fn(&Finding) -> bool) -> Vec<&Finding> {
        let mut found: Vec<&Finding> = self.all.iter().filter(|finding| wanted(finding)).collect();
        found.sort_by_key(|finding| (Reverse(finding.severity), finding.id));
        found
    }
}
