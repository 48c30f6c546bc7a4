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

    /// Nothing that it writes says that it is done: only its end does.
    fn plays(&self, scenario: &str) -> bool {
        scenario != "the result, then it talks for ever"
    }

    /// All it writes is its reply.
    fn expects(&self, scenario: &str) -> Option<Expected> {
        match scenario {
            "a line of 200 MB" => Some(Expected::Fails(FailureKind::Malformed)),
            "an empty reply" => Some(Expected::Fails(FailureKind::Crashed)),
            _ => None,
        }
    }
}
