//! One line in the history of a finding.

use super::state::State;
use crate::builtins::Value;
use crate::builtins::given::words;

/// A change of state, or an attempt that changed none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// The round, where it is known.
    pub(crate) round: Option<f64>,
    /// The state afterwards.
    pub(crate) state: State,
    /// Why.
    pub(crate) because: String,
    /// What a fixer did, where this was a fix.
    pub(crate) fix: Option<Fix>,
}

/// What a fixer reported and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fix {
    /// FIXED, BLOCKED, REFUSED or UNANSWERED.
    pub(crate) status: String,
    /// What the fixer says it did.
    pub(crate) description: String,
    /// What shows that it helped.
    pub(crate) verification: String,
}

impl Change {
    pub(crate) fn new(round: Option<f64>, state: State, because: impl Into<String>) -> Self {
        Self {
            round,
            state,
            because: because.into(),
            fix: None,
        }
    }

    /// Reads an entry; none where it names no state.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let status = words(value, &["status"]);
        let fix = (!status.is_empty()).then(|| Fix {
            status,
            description: words(value, &["description"]),
            verification: words(value, &["verification"]),
        });
        Some(Self {
            round: value.get("round").and_then(Value::number),
            state: State::read(&words(value, &["state"]))?,
            because: words(value, &["reason", "because"]),
            fix,
        })
    }

    pub(super) fn value(&self) -> Value {
        let text = |text: &str| Value::from(text);
        let base = Value::of([
            ("round", self.round.map_or(Value::Nothing, Value::Number)),
            ("state", text(self.state.name())),
            ("reason", text(&self.because)),
        ]);
        match (base, &self.fix) {
            (Value::Map(mut entries), Some(fix)) => {
                entries.push(("status".to_owned(), text(&fix.status)));
                entries.push(("description".to_owned(), text(&fix.description)));
                entries.push(("verification".to_owned(), text(&fix.verification)));
                Value::Map(entries)
            }
            (base, _) => base,
        }
    }
}
