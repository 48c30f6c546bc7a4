//! What a validation answered in, what it means out: the families of verdicts, error counts and phases.

use crate::builtins::Value;

/// What a verdict of any family means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Signal {
    Pass,
    Concerns,
    Fail,
}

impl Signal {
    pub(in crate::builtins) fn named(name: &str) -> Option<Signal> {
        let all = [Signal::Pass, Signal::Concerns, Signal::Fail];
        all.into_iter().find(|signal| signal.name() == name)
    }

    pub(in crate::builtins) fn name(self) -> &'static str {
        match self {
            Signal::Pass => "PASS",
            Signal::Concerns => "CONCERNS",
            Signal::Fail => "FAIL",
        }
    }
}

/// What the workflow does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Next {
    /// It is done.
    Done,
    /// It fixes what was found and validates again.
    Fix,
    /// A person decides.
    Person,
}

impl Next {
    pub(in crate::builtins) fn named(name: &str) -> Option<Next> {
        let all = [Next::Done, Next::Fix, Next::Person];
        all.into_iter().find(|next| next.name() == name)
    }

    pub(in crate::builtins) fn name(self) -> &'static str {
        match self {
            Next::Done => "done",
            Next::Fix => "fix",
            Next::Person => "person",
        }
    }
}

/// How ready an implementation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Readiness {
    Ready,
    NeedsWork,
    NotReady,
}

/// What a quality gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Gate {
    Pass,
    Concerns,
    Fail,
    /// It does not pass, and somebody said why that is accepted.
    Waived,
}

/// How a code review ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Review {
    Approve,
    Changes,
    Blocked,
}

/// A validation in phases; each has its number of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Phased {
    /// Syntax, references, compliance of a module.
    Module,
    /// The six validation steps of an agent.
    Agent,
    /// The compliance check of a workflow.
    Compliance,
}

impl Phased {
    const ALL: [Phased; 3] = [Phased::Module, Phased::Agent, Phased::Compliance];

    pub(in crate::builtins) fn count(self) -> u32 {
        match self {
            Phased::Module => 3,
            Phased::Agent => 6,
            Phased::Compliance => 8,
        }
    }

    fn of(count: u32) -> Option<Phased> {
        Phased::ALL.into_iter().find(|phased| phased.count() == count)
    }
}

/// What a validation answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::builtins) enum Verdict {
    Readiness(Readiness),
    Gate(Gate),
    Review(Review),
    /// How many errors block.
    Errors(u32),
    /// How many of the phases passed.
    Phases(Phased, u32),
}

/// Every word of a verdict, as people write it; several words may mean the same.
const WORDS: &[(&str, Verdict)] = &[
    ("READY", Verdict::Readiness(Readiness::Ready)),
    ("NEEDS WORK", Verdict::Readiness(Readiness::NeedsWork)),
    ("NOT READY", Verdict::Readiness(Readiness::NotReady)),
    ("PASS", Verdict::Gate(Gate::Pass)),
    ("PASSED", Verdict::Gate(Gate::Pass)),
    ("CONCERNS", Verdict::Gate(Gate::Concerns)),
    ("FAIL", Verdict::Gate(Gate::Fail)),
    ("FAILED", Verdict::Gate(Gate::Fail)),
    ("WAIVED", Verdict::Gate(Gate::Waived)),
    ("APPROVE", Verdict::Review(Review::Approve)),
    ("APPROVED", Verdict::Review(Review::Approve)),
    ("CHANGES", Verdict::Review(Review::Changes)),
    ("CHANGES REQUESTED", Verdict::Review(Review::Changes)),
    ("BLOCKED", Verdict::Review(Review::Blocked)),
];

impl Verdict {
    /// Reads a word of any family, a number of errors, phases as `6/8`, or a map that holds one of them.
    pub(in crate::builtins) fn read(value: &Value) -> Option<Verdict> {
        match value {
            Value::Number(number) => count(*number).map(Verdict::Errors),
            Value::Text(text) => Verdict::worded(text),
            Value::Map(_) => Verdict::of_map(value),
            Value::List(items) => match items.as_slice() {
                [only] => Verdict::read(only),
                _ => None,
            },
            Value::Nothing | Value::Bool(_) => None,
        }
    }

    fn worded(text: &str) -> Option<Verdict> {
        let spaced = text.to_uppercase().replace(['_', '-'], " ");
        let plain = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((_, verdict)) = WORDS.iter().find(|(word, _)| *word == plain) {
            return Some(*verdict);
        }
        match text.split_once('/') {
            Some((passed, all)) => phases(passed.trim().parse().ok()?, all.trim().parse().ok()?),
            None => text.trim().parse().ok().map(Verdict::Errors),
        }
    }

    /// Reads a map: `verdict`, or `passed` of `phases`, or `errors`, or `error_counts` by kind, of which those named
    /// `blocking` count, and all where no kind has that name.
    fn of_map(map: &Value) -> Option<Verdict> {
        let number = |value: &Value| value.number().and_then(count);
        if let Some(verdict) = map.get("verdict").filter(|verdict| !verdict.is_empty()) {
            return Verdict::read(verdict);
        }
        if let Some(all) = map.get("phases") {
            return phases(number(map.get("passed")?)?, number(all)?);
        }
        if let Some(errors) = map.get("errors") {
            return number(errors).map(Verdict::Errors);
        }
        match map.get("error_counts")? {
            Value::Map(kinds) => match kinds.iter().find(|(kind, _)| kind == "blocking") {
                Some((_, blocking)) => number(blocking).map(Verdict::Errors),
                None => {
                    let all: Option<u32> = kinds.iter().map(|(_, errors)| number(errors)).sum();
                    all.map(Verdict::Errors)
                }
            },
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
        }
    }

    pub(in crate::builtins) fn family(self) -> &'static str {
        match self {
            Verdict::Readiness(_) => "readiness",
            Verdict::Gate(_) => "gate",
            Verdict::Review(_) => "review",
            Verdict::Errors(_) => "errors",
            Verdict::Phases(..) => "phases",
        }
    }

    /// Returns the verdict in the words of its family.
    pub(in crate::builtins) fn words(self) -> String {
        match self {
            Verdict::Readiness(Readiness::Ready) => "READY".to_owned(),
            Verdict::Readiness(Readiness::NeedsWork) => "NEEDS WORK".to_owned(),
            Verdict::Readiness(Readiness::NotReady) => "NOT READY".to_owned(),
            Verdict::Gate(Gate::Pass) => "PASS".to_owned(),
            Verdict::Gate(Gate::Concerns) => "CONCERNS".to_owned(),
            Verdict::Gate(Gate::Fail) => "FAIL".to_owned(),
            Verdict::Gate(Gate::Waived) => "WAIVED".to_owned(),
            Verdict::Review(Review::Approve) => "Approve".to_owned(),
            Verdict::Review(Review::Changes) => "Changes Requested".to_owned(),
            Verdict::Review(Review::Blocked) => "Blocked".to_owned(),
            Verdict::Errors(1) => "1 error".to_owned(),
            Verdict::Errors(count) => format!("{count} errors"),
            Verdict::Phases(phased, passed) => format!("{passed} of {} phases passed", phased.count()),
        }
    }

    pub(in crate::builtins) fn signal(self) -> Signal {
        match self {
            Verdict::Readiness(Readiness::Ready)
            | Verdict::Gate(Gate::Pass | Gate::Waived)
            | Verdict::Review(Review::Approve)
            | Verdict::Errors(0) => Signal::Pass,
            Verdict::Readiness(Readiness::NeedsWork)
            | Verdict::Gate(Gate::Concerns)
            | Verdict::Review(Review::Changes)
            | Verdict::Errors(1 | 2) => Signal::Concerns,
            Verdict::Readiness(Readiness::NotReady)
            | Verdict::Gate(Gate::Fail)
            | Verdict::Review(Review::Blocked)
            | Verdict::Errors(3..) => Signal::Fail,
            Verdict::Phases(phased, passed) => match passed == phased.count() {
                true => Signal::Pass,
                false => Signal::Fail,
            },
        }
    }

    /// Returns how much it adds to confidence. Errors have a scale of their own: a count says more than a word.
    pub(in crate::builtins) fn points(self) -> u32 {
        match (self, self.signal()) {
            (Verdict::Errors(_), Signal::Concerns) => 20,
            (Verdict::Errors(_), Signal::Fail) => 5,
            (_, Signal::Pass) => 35,
            (_, Signal::Concerns) => 15,
            (_, Signal::Fail) => 0,
        }
    }

    /// Returns what comes after it.
    pub(in crate::builtins) fn next(self) -> Next {
        match self {
            Verdict::Readiness(Readiness::NeedsWork)
            | Verdict::Gate(Gate::Concerns)
            | Verdict::Review(Review::Blocked) => Next::Person,
            Verdict::Readiness(Readiness::NotReady)
            | Verdict::Gate(Gate::Fail)
            | Verdict::Review(Review::Changes)
            | Verdict::Errors(1..) => Next::Fix,
            Verdict::Readiness(Readiness::Ready)
            | Verdict::Gate(Gate::Pass | Gate::Waived)
            | Verdict::Review(Review::Approve)
            | Verdict::Errors(0) => Next::Done,
            Verdict::Phases(..) => match self.signal() {
                Signal::Pass => Next::Done,
                Signal::Concerns | Signal::Fail => Next::Fix,
            },
        }
    }
}

fn phases(passed: u32, all: u32) -> Option<Verdict> {
    let phased = Phased::of(all)?;
    (passed <= all).then_some(Verdict::Phases(phased, passed))
}

/// Returns a number as a count, where it is one.
pub(in crate::builtins) fn count(number: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range, as is just tested"
    )]
    (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u32)
}

#[cfg(test)]
mod tests {
    use super::{Next, Phased, Signal, Verdict};
    use crate::builtins::Value;

    fn read(text: &str) -> Verdict {
        Verdict::read(&Value::from(text)).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn every_word_of_every_family_has_its_signal_and_what_comes_next() {
        use Next::{Done, Fix, Person};
        use Signal::{Concerns, Fail, Pass};
        for (words, family, signal, points, next) in [
            ("READY", "readiness", Pass, 35, Done),
            ("NEEDS WORK", "readiness", Concerns, 15, Person),
            ("NOT READY", "readiness", Fail, 0, Fix),
            ("PASS", "gate", Pass, 35, Done),
            ("CONCERNS", "gate", Concerns, 15, Person),
            ("FAIL", "gate", Fail, 0, Fix),
            ("WAIVED", "gate", Pass, 35, Done),
            ("Approve", "review", Pass, 35, Done),
            ("Changes Requested", "review", Concerns, 15, Fix),
            ("Blocked", "review", Fail, 0, Person),
            ("0 errors", "errors", Pass, 35, Done),
            ("1 error", "errors", Concerns, 20, Fix),
            ("2 errors", "errors", Concerns, 20, Fix),
            ("3 errors", "errors", Fail, 5, Fix),
            ("900 errors", "errors", Fail, 5, Fix),
            ("8 of 8 phases passed", "phases", Pass, 35, Done),
            ("7 of 8 phases passed", "phases", Fail, 0, Fix),
            ("6 of 6 phases passed", "phases", Pass, 35, Done),
            ("0 of 3 phases passed", "phases", Fail, 0, Fix),
        ] {
            let short = words
                .trim_end_matches(" errors")
                .trim_end_matches(" error")
                .trim_end_matches(" phases passed")
                .replace(" of ", "/");
            let verdict = read(&short);
            assert_eq!(verdict.words(), words);
            assert_eq!(verdict.family(), family, "{words}");
            assert_eq!(verdict.signal(), signal, "{words}");
            assert_eq!(verdict.points(), points, "{words}");
            assert_eq!(verdict.next(), next, "{words}");
        }
    }

    #[test]
    fn a_word_is_known_however_it_is_written() {
        for (written, words) in [
            (" needs_work ", "NEEDS WORK"),
            ("not-ready", "NOT READY"),
            ("passed", "PASS"),
            ("approved", "Approve"),
            ("Changes", "Changes Requested"),
            ("changes  requested", "Changes Requested"),
        ] {
            assert_eq!(read(written).words(), words);
        }
    }

    #[test]
    fn a_map_gives_its_verdict_its_phases_or_its_errors() {
        let read = |map: Value| Verdict::read(&map).map(Verdict::words);
        let number = |number: f64| Value::Number(number);
        let counts = Value::of([("blocking", number(0.0)), ("minor", number(4.0))]);
        let map = Value::of([("verdict", Value::from("FAIL")), ("error_counts", counts.clone())]);
        assert_eq!(read(map).as_deref(), Some("FAIL"));
        assert_eq!(read(Value::of([("error_counts", counts)])).as_deref(), Some("0 errors"));
        let kinds = Value::of([("syntax", number(1.0)), ("references", number(1.0))]);
        assert_eq!(read(Value::of([("error_counts", kinds)])).as_deref(), Some("2 errors"));
        assert_eq!(read(Value::of([("errors", number(1.0))])).as_deref(), Some("1 error"));
        let phases = Value::of([("phases", number(8.0)), ("passed", number(5.0))]);
        assert_eq!(read(phases).as_deref(), Some("5 of 8 phases passed"));
    }

    #[test]
    fn what_no_family_knows_is_no_verdict() {
        for text in ["", "maybe", "PASSING", "READY?", "-1", "1.5", "9/8", "4/5", "x/8", "8/"] {
            assert_eq!(Verdict::read(&Value::from(text)), None, "{text}");
        }
        for value in [
            Value::Nothing,
            Value::Bool(true),
            Value::from(-1.0),
            Value::from(0.5),
            Value::from(f64::NAN),
            Value::List(vec![Value::from("PASS"), Value::from("FAIL")]),
            Value::of([("errors", Value::from("few"))]),
            Value::of([("phases", Value::from(8.0))]),
            Value::of([("other", Value::from(8.0))]),
        ] {
            assert_eq!(Verdict::read(&value), None, "{value:?}");
        }
    }

    #[test]
    fn there_are_three_six_or_eight_phases() {
        let counts = Phased::ALL.map(Phased::count);
        assert_eq!(counts, [3, 6, 8]);
        for count in 0..12 {
            assert_eq!(Phased::of(count).is_some(), counts.contains(&count), "{count}");
        }
    }
}
