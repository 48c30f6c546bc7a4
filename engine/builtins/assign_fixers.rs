//! Findings in, who fixes what and in which order out.

mod share;

use super::finding::{Change, Findings, SetAside, State};
use super::given::number;
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use share::Wave;
use std::collections::{HashMap, HashSet};

pub(super) const ASSIGN_FIXERS: Builtin = Builtin {
    name: "assign-fixers",
    parameters: &[
        required("findings", "all findings; the open ones are shared out"),
        optional("per_fixer", "the most findings one fixer gets; 5"),
        optional("at_once", "the most fixers that work at the same time; 3"),
    ],
    returns: "a map: `waves`, `findings`, `fixers`, `unreadable`",
    summary: "shares open findings out to fixers, in waves",
    page: include_str!("../../spec/builtins/assign-fixers.md"),
    body: Some(assign),
};

/// The most findings one fixer gets, where nobody says otherwise.
const PER_FIXER: usize = 5;
/// The most fixers at the same time, where nobody says otherwise.
const AT_ONCE: usize = 3;
/// How many findings ask for one more fixer.
const WORTH_A_FIXER: usize = 3;

fn assign(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let per_fixer = arguments.size_or("per_fixer", PER_FIXER)?.max(1);
    let at_once = arguments.size_or("at_once", AT_ONCE)?.max(1);
    let mut findings = Findings::read(arguments.get("findings"));
    let open = findings.sorted(|finding| finding.state.is_open());
    let fixers = at_once.min(open.len().div_ceil(WORTH_A_FIXER));
    let shared: HashSet<_> = open.iter().map(|finding| finding.id).collect();
    let waves = share::waves(&open, fixers, per_fixer);
    let waves: Vec<Vec<Vec<_>>> = waves.into_iter().map(Wave::ids).collect();
    for finding in findings.all.iter_mut().filter(|finding| shared.contains(&finding.id)) {
        if finding.state != State::InProgress {
            finding.turn(Change::new(None, State::InProgress, "given to a fixer"));
        }
    }
    let by_id: HashMap<_, _> = findings.all.iter().map(|finding| (finding.id, finding)).collect();
    let share = |(at, ids): (usize, &Vec<_>)| {
        let handed = ids.iter().filter_map(|id| by_id.get(id)).map(|finding| finding.value());
        let share = Value::of([("fixer", number(at + 1)), ("findings", Value::List(handed.collect()))]);
        (!ids.is_empty()).then_some(share)
    };
    let wave = |shares: &Vec<Vec<_>>| {
        Value::of([(
            "shares",
            Value::List(shares.iter().enumerate().filter_map(share).collect()),
        )])
    };
    Ok(Value::of([
        ("waves", Value::List(waves.iter().map(wave).collect())),
        ("findings", findings.value()),
        ("fixers", number(fixers)),
        ("unreadable", SetAside::list(&findings.unreadable)),
    ]))
}

#[cfg(test)]
mod tests;
