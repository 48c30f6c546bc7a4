//! Signals, tier and bonus in, a score with its reasons out. Whole numbers throughout: a fraction is cut off, so that a
//! score never says more than was observed.

use super::signal::{Consensus, Match, Observed, Said};
use crate::builtins::Value;
use crate::builtins::verdict::Signal;

/// The score where nobody said anything.
const NO_SIGNALS: f64 = 25.0;

/// The score where it cannot be computed.
const FAILED: f64 = 30.0;

/// The most where a validation passes and reviewers disagree.
const DISAGREED: f64 = 70.0;

/// The score where a validation fails and memory knows the fix.
const FIX_IS_KNOWN: f64 = 50.0;

/// The most where a discussion ended without consensus.
const NO_CONSENSUS: f64 = 49.0;

/// What each tier takes.
const TIERS: [f64; 5] = [0.0, 0.0, 5.0, 10.0, 15.0];

/// What was unusual, first things first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Failed,
    NoSignals,
    Malformed,
    Conflict,
    Single,
}

impl Case {
    pub(super) fn name(self) -> &'static str {
        match self {
            Case::Failed => "calc_error",
            Case::NoSignals => "no_signals",
            Case::Malformed => "malformed_signal",
            Case::Conflict => "conflict",
            Case::Single => "single_source",
        }
    }
}

/// A score and how it came about.
#[derive(Debug)]
pub(super) struct Score {
    pub(super) points: f64,
    pub(super) tier_adjustment: f64,
    pub(super) case: Option<Case>,
    pub(super) capped: bool,
    pub(super) signals: Vec<Value>,
    pub(super) reasons: Vec<String>,
}

impl Score {
    /// Computes a score.
    pub(super) fn of(observed: &[Observed], tier: usize, bonus: f64) -> Self {
        let mut score = Self {
            points: 0.0,
            tier_adjustment: 0.0,
            case: None,
            capped: false,
            signals: observed.iter().map(told).collect(),
            reasons: Vec::new(),
        };
        score.gather(observed);
        if score.case != Some(Case::NoSignals) {
            score.tier_adjustment = -TIERS[tier];
            score.adjust(tier);
            score.settle(observed);
        }
        score.reward(observed, bonus);
        score
    }

    /// Makes the score of a computation that failed.
    pub(super) fn failed(fault: &str) -> Self {
        Self {
            points: FAILED,
            tier_adjustment: 0.0,
            case: Some(Case::Failed),
            capped: false,
            signals: Vec::new(),
            reasons: vec![format!("the score could not be computed: {fault}")],
        }
    }

    /// Adds up what was said, over what could have been said.
    fn gather(&mut self, observed: &[Observed]) {
        let there = observed.iter().filter(|it| it.said != Said::Nothing);
        self.reasons.extend(there.clone().map(reason));
        let malformed = there.clone().any(|it| it.said == Said::Malformed);
        let readable: Vec<&Observed> = there.clone().filter(|it| it.is_readable()).collect();
        if readable.is_empty() && !malformed {
            self.points = NO_SIGNALS;
            self.case = Some(Case::NoSignals);
            self.reasons.push("no signal is there to judge by".to_owned());
            return;
        }
        let points: u32 = there.clone().map(Observed::points).sum();
        let most: u32 = there.map(|it| it.kind.most()).sum();
        let mut whole = points * 100 / most;
        if let [only] = readable.as_slice() {
            let alone = only.points() * only.kind.alone() / only.kind.most();
            self.capped |= alone < whole;
            whole = whole.min(alone);
            self.mark(Case::Single, "nobody else confirms it".to_owned());
        }
        if malformed {
            self.case = Some(Case::Malformed);
        }
        self.points = f64::from(whole);
    }

    fn adjust(&mut self, tier: usize) {
        if TIERS[tier] > 0.0 {
            self.points -= TIERS[tier];
            self.reasons.push(format!("tier {tier} takes {}", TIERS[tier]));
        }
        self.bound();
    }

    /// Weighs signals that contradict each other.
    fn settle(&mut self, observed: &[Observed]) {
        let verdict = observed.iter().find_map(Observed::verdict);
        if verdict == Some(Signal::Pass) && observed.iter().any(Observed::is_split) {
            self.cap(DISAGREED);
            let why = format!("validation passes and reviewers disagree: {DISAGREED} at most");
            self.mark(Case::Conflict, why);
        }
        if verdict == Some(Signal::Fail) && said(observed, &Said::Memory(Match::Exact)) {
            self.capped |= self.points != FIX_IS_KNOWN;
            self.points = FIX_IS_KNOWN;
            let why = format!("validation fails and memory knows the exact fix: {FIX_IS_KNOWN}");
            self.mark(Case::Conflict, why);
        }
        if said(observed, &Said::Party(Consensus::None)) {
            self.mark(Case::Conflict, "without consensus confidence is low".to_owned());
        }
    }

    /// Adds the bonus. Nothing lifts a score over what a discussion without consensus allows.
    fn reward(&mut self, observed: &[Observed], bonus: f64) {
        if bonus != 0.0 {
            self.points = (self.points + bonus).floor();
            self.reasons.push(format!("a bonus of {bonus}"));
            self.bound();
        }
        if said(observed, &Said::Party(Consensus::None)) {
            self.cap(NO_CONSENSUS);
        }
    }

    fn cap(&mut self, most: f64) {
        self.capped |= self.points > most;
        self.points = self.points.min(most);
    }

    fn bound(&mut self) {
        let inside = self.points.clamp(0.0, 100.0);
        self.capped |= inside != self.points;
        self.points = inside;
    }

    /// Notes a case; one that says less does not hide one that says more.
    fn mark(&mut self, case: Case, why: String) {
        self.reasons.push(why);
        match self.case {
            None | Some(Case::Single) => self.case = Some(case),
            Some(Case::Failed | Case::NoSignals | Case::Malformed | Case::Conflict) => {}
        }
    }
}

fn said(observed: &[Observed], wanted: &Said) -> bool {
    observed.iter().any(|it| it.said == *wanted)
}

fn reason(observed: &Observed) -> String {
    let kind = observed.kind;
    format!(
        "{}: {} ({} of {})",
        kind.name(),
        observed.words(),
        observed.points(),
        kind.most()
    )
}

fn told(observed: &Observed) -> Value {
    let of = match observed.said {
        Said::Nothing => 0,
        Said::Silent
        | Said::Malformed
        | Said::Validation(_)
        | Said::Memory(_)
        | Said::Reviewers { .. }
        | Said::Party(_) => observed.kind.most(),
    };
    Value::of([
        ("source", Value::from(observed.kind.name())),
        ("points", Value::Number(f64::from(observed.points()))),
        ("of", Value::Number(f64::from(of))),
        ("said", Value::Text(observed.words())),
    ])
}
