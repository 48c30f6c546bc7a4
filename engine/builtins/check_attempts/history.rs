//! The validations of a loop so far, from a value and back to one.

use crate::builtins::Value;
use crate::builtins::verdict::{Judged, Signal};
use crate::source::sha256;

/// Digits of a hash that are kept.
const DIGITS: usize = 16;

/// Stands for a validation without anything to fix.
const PASSED: &str = "passed";

/// What is known of the validations so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct History {
    /// What each validation found, by hash, or that it passed.
    results: Vec<String>,
    /// How often something was tried since the last time it passed.
    attempts: f64,
    /// Issues about which a discussion came to nothing.
    in_vain: Vec<String>,
    /// Whether a discussion was asked for last time.
    discussing: bool,
}

/// The validation that has just ended, in the light of those before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) validations: f64,
    pub(super) attempts: f64,
    /// How often the same issues came in a row, with this time.
    pub(super) same_error: f64,
    pub(super) oscillations: f64,
    pub(super) hash: String,
    pub(super) discussed_in_vain: bool,
}

impl History {
    pub(super) fn read(answered: &Value) -> Self {
        let value = answered.get("history").unwrap_or(answered);
        let texts = |name: &str| -> Vec<String> {
            let items = value.get(name).map(Value::items).unwrap_or_default();
            items.iter().map(Value::to_string).collect()
        };
        Self {
            results: texts("results"),
            attempts: value.get("attempts").and_then(Value::number).unwrap_or_default(),
            in_vain: texts("in_vain"),
            discussing: value.get("discussing") == Some(&Value::Bool(true)),
        }
    }

    pub(super) fn value(&self) -> Value {
        let list = |texts: &[String]| Value::List(texts.iter().cloned().map(Value::Text).collect());
        Value::of([
            ("results", list(&self.results)),
            ("attempts", Value::Number(self.attempts)),
            ("in_vain", list(&self.in_vain)),
            ("discussing", Value::Bool(self.discussing)),
        ])
    }

    /// Takes the result of one more validation.
    pub(super) fn take(&mut self, judged: Option<&Judged>, issues: &Value, consensus: &str) -> Run {
        let passed = judged.is_some_and(|judged| judged.signal == Signal::Pass);
        let hash = match passed {
            true => PASSED.to_owned(),
            false => hash(judged, issues),
        };
        if self.discussing {
            self.judge(consensus, &hash);
        }
        self.results.push(hash.clone());
        if passed {
            self.attempts = 0.0;
        }
        let same = self.results.iter().rev().take_while(|result| **result == hash).count();
        Run {
            validations: self.results.len() as f64,
            attempts: self.attempts,
            same_error: if passed { 0.0 } else { same as f64 },
            oscillations: self.oscillations() as f64,
            discussed_in_vain: self.in_vain.contains(&hash),
            hash,
        }
    }

    /// Notes whether there will be another attempt, and whether it begins with a discussion.
    pub(super) fn decided(&mut self, again: bool, discussing: bool) {
        self.attempts += f64::from(u8::from(again));
        self.discussing = discussing;
    }

    /// A discussion came to nothing where nobody agreed, and where the same issues are there after it.
    fn judge(&mut self, consensus: &str, now: &str) {
        let Some(before) = self.results.last() else { return };
        let in_vain = before == now || consensus.trim().eq_ignore_ascii_case("none");
        if in_vain && !self.in_vain.contains(before) {
            self.in_vain.push(before.clone());
        }
    }

    /// Counts how often something came back: issues after a validation that passed, or after other issues.
    fn oscillations(&self) -> usize {
        let pairs = self.results.windows(2).enumerate();
        pairs
            .filter(|(at, pair)| {
                let changed = pair[0] != pair[1] && pair[1] != PASSED;
                changed && (pair[0] == PASSED || self.results[..*at].contains(&pair[1]))
            })
            .count()
    }
}

/// Hashes a set of issues: the order in which they were found does not matter. Where there are none, the verdict is all
/// there is to compare.
fn hash(judged: Option<&Judged>, issues: &Value) -> String {
    let mut texts: Vec<String> = issues.items().iter().map(Value::to_string).collect();
    if texts.is_empty() {
        texts.extend(judged.map(|judged| judged.words.clone()));
    }
    texts.sort_unstable();
    texts.dedup();
    let mut hash = sha256(texts.join("\n").as_bytes());
    hash.truncate(DIGITS);
    hash
}
