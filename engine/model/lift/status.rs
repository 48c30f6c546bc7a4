//! The reason of a stop in, whether all went well out.

use super::LiftKind;

/// Statuses of work that went well.
const WELL: &[&str] = &[
    "done",
    "complete",
    "completed",
    "finished",
    "success",
    "succeeded",
    "passed",
    "approved",
    "ready",
    "ready-for-dev",
    "ready-for-review",
];

impl LiftKind {
    /// Says whether it is a stop that says that all went well: the workflow came to its end, `HALT with status `done``.
    pub fn ends_well(&self) -> bool {
        let LiftKind::Halt { reason } = self else {
            return false;
        };
        status(reason).is_some_and(|status| WELL.iter().any(|well| status.eq_ignore_ascii_case(well)))
    }
}

/// Returns the status that a reason begins with, where it says nothing else of it: ``with the final status `done`, and …``.
fn status(reason: &str) -> Option<&str> {
    let mut rest = reason.trim_start().strip_prefix("with ")?;
    for word in ["a ", "the ", "final "] {
        rest = rest.trim_start().strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.trim_start().strip_prefix("status")?;
    let rest = rest.trim_start_matches([':', '=', ' ']);
    let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '"' | '\''));
    let (status, behind) = match mark {
        Some(mark) => rest[1..].split_once(mark)?,
        None => rest.split_at(rest.find([' ', ',', ';', '.']).unwrap_or(rest.len())),
    };
    let behind = behind.trim_start();
    (behind.is_empty() || behind.starts_with([',', ';', '.']) || behind.starts_with("and ")).then_some(status)
}
