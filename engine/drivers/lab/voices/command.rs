//! Any program: it writes its reply and exits.

use super::super::scenario::Expected;
use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use crate::machine::FailureKind;

pub(in crate::drivers) struct Command;

impl Voice for Command {
    fn begin(&self, _session: &str) -> Vec<String> {
        Vec::new()
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        vec![end.reply.to_owned()]
    }

    fn failed(&self, _fault: Fault, _session: &str) -> Option<Failed> {
        None
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Said(words) => Some(vec![words.to_owned()]),
            Notice::Retry | Notice::LimitNear | Notice::Denied(_) => None,
        }
    }

    fn has_end(&self) -> bool {
        false
    }

    /// All it writes is its reply.
    fn expects(&self, scenario: &str) -> Option<Expected> {
        match scenario {
            "a line of 50 MB" => Some(Expected::Fails(FailureKind::Malformed)),
            "an empty reply" => Some(Expected::Fails(FailureKind::Crashed)),
            _ => None,
        }
    }
}
