//! What is not worked on, and why.

use super::report::{CLAIM, severity};
use super::{Severity, votes};
use crate::builtins::Value;
use crate::builtins::given::{is_blank, items, plain, words};

/// Something that is listed and not worked on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SetAside {
    /// What it says.
    pub(crate) claim: String,
    /// Why it is not worked on.
    pub(crate) why: String,
    /// Who reported it.
    pub(crate) reviewer: String,
    /// What was written.
    pub(crate) report: Value,
}

impl SetAside {
    pub(crate) fn new(report: Value, why: impl Into<String>) -> Self {
        let said = words(&report, CLAIM);
        let claim = if said.is_empty() { plain(&report) } else { said };
        Self {
            claim,
            why: why.into(),
            reviewer: words(&report, &["reviewer", "agent"]),
            report,
        }
    }

    /// Says whether it is a report of one of these severities, or of one that cannot be read.
    pub(crate) fn is_of(&self, severities: &[Severity]) -> bool {
        let votes = votes::read(self.report.get("votes"));
        let is_meant = severity(&self.report, &votes).map_or(true, |own| severities.contains(&own));
        is_meant && !is_blank(&self.report)
    }

    /// Reads what was set aside before; what cannot be read is set aside for that.
    pub(crate) fn read(value: &Value) -> Vec<Self> {
        let read = |item: Value| {
            let why = words(&item, &["why", "reason"]);
            let report = item.get("report").cloned();
            if why.is_empty() {
                return Self::new(item, "nobody says why");
            }
            Self {
                claim: words(&item, CLAIM),
                why,
                reviewer: words(&item, &["reviewer", "agent"]),
                report: report.unwrap_or(item),
            }
        };
        items(value).into_iter().map(read).collect()
    }

    /// Returns it as a map.
    pub(crate) fn value(&self) -> Value {
        Value::of([
            ("claim", Value::Text(self.claim.clone())),
            ("why", Value::Text(self.why.clone())),
            ("reviewer", Value::Text(self.reviewer.clone())),
            ("report", self.report.clone()),
        ])
    }

    /// Returns a list of them.
    pub(crate) fn list(all: &[Self]) -> Value {
        Value::List(all.iter().map(Self::value).collect())
    }
}
