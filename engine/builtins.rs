//! Values in, a value out: the named pure functions that `<call builtin="…">` calls.
//!
//! None of them dispatches, asks, writes or loops: those are the language's. One file each, one line in the list.

mod apply_edits;
mod assign_fixers;
mod calibration;
mod certificate;
mod check_attempts;
mod check_fixes;
mod check_limits;
mod claim;
mod confidence;
mod context_layers;
mod detect_loop;
mod dismissals;
mod document;
mod finding;
mod given;
mod merge_findings;
mod outcome;
mod record_decision;
mod record_fixes;
mod record_metrics;
mod review_level;
mod select_open;
mod similarity;
mod slug;
mod tracker;
mod value;
mod verdict;
mod wait;

pub use certificate::{Facts, Hashed, Stated, Why, check as check_certificate};
pub use finding::{Id, Severity, State};
pub use outcome::Outcome;
pub use similarity::{alike, alike_from};
pub use tracker::{Listed, Tracker, Unread, read as read_tracker};
pub use value::Value;
pub use wait::{LONGEST_WAIT, backoff};

use crate::diagnostic::nearest;
use std::fmt;

/// Every built-in, in the order of the spec.
pub const BUILTINS: &[&Builtin] = &[
    &slug::SLUG,
    &verdict::VERDICT,
    &confidence::CONFIDENCE,
    &review_level::REVIEW_LEVEL,
    &context_layers::CONTEXT_LAYERS,
    &merge_findings::MERGE_FINDINGS,
    &select_open::SELECT_OPEN,
    &detect_loop::DETECT_LOOP,
    &check_limits::CHECK_LIMITS,
    &check_attempts::CHECK_ATTEMPTS,
    &assign_fixers::ASSIGN_FIXERS,
    &apply_edits::APPLY_EDITS,
    &check_fixes::CHECK_FIXES,
    &record_fixes::RECORD_FIXES,
    &record_decision::RECORD_DECISION,
    &dismissals::DISMISSALS,
    &record_metrics::RECORD_METRICS,
    &tracker::TRACKER,
    &certificate::CERTIFICATE,
];

/// One built-in: its signature, its page and, where this version has one, its body.
#[derive(Debug)]
pub struct Builtin {
    /// Its name, as `<call builtin="…">` writes it.
    pub name: &'static str,
    /// What it takes, in the order of its page.
    pub parameters: &'static [Parameter],
    /// What it answers, in one line.
    pub returns: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its page of the spec.
    pub page: &'static str,
    body: Option<Body>,
}

/// One parameter of a built-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether a call without it is an error.
    pub required: bool,
    /// What it is, in one line.
    pub summary: &'static str,
}

type Body = fn(&Arguments<'_>) -> Result<Value, BuiltinError>;

impl Builtin {
    /// Says whether this version can run it.
    pub fn is_runnable(&self) -> bool {
        self.body.is_some()
    }

    /// Compares the names of a call's parameters with the signature and returns everything that is wrong.
    pub fn check<'a>(&self, given: impl Iterator<Item = &'a str> + Clone) -> Vec<BuiltinError> {
        let unknown = given
            .clone()
            .filter(|name| self.parameters.iter().all(|parameter| parameter.name != *name))
            .map(|name| BuiltinError::UnknownParameter {
                builtin: self.name,
                parameter: name.to_owned(),
                nearest: nearest(name, self.parameters.iter().map(|parameter| parameter.name)),
            });
        let missing = self
            .parameters
            .iter()
            .filter(|parameter| parameter.required && given.clone().all(|name| name != parameter.name))
            .map(|parameter| BuiltinError::MissingParameter {
                builtin: self.name,
                parameter: parameter.name,
            });
        unknown.chain(missing).collect()
    }
}

/// Why a built-in did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuiltinError {
    /// No built-in has this name.
    Unknown {
        /// The name that was called.
        name: String,
        /// A name that looks like it.
        nearest: Option<&'static str>,
    },
    /// The built-in is declared and this version has no body for it.
    NotRunnable {
        /// Its name.
        name: &'static str,
    },
    /// A call without a parameter that is needed.
    MissingParameter {
        /// The built-in.
        builtin: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A call with a parameter that the built-in does not take.
    UnknownParameter {
        /// The built-in.
        builtin: &'static str,
        /// The parameter.
        parameter: String,
        /// A parameter that looks like it.
        nearest: Option<&'static str>,
    },
    /// A parameter whose value is not what the built-in takes.
    BadValue {
        /// The built-in.
        builtin: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it takes.
        expected: &'static str,
    },
    /// A call that the built-in does not carry out, whatever kind its values are.
    Refused {
        /// The built-in.
        builtin: &'static str,
        /// Why.
        why: String,
    },
}

impl fmt::Display for BuiltinError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuiltinError::Unknown { name, nearest } => {
                write!(formatter, "no built-in is named `{name}`{}", guess(*nearest))
            }
            BuiltinError::NotRunnable { name } => write!(
                formatter,
                "built-in `{name}` is declared but this version cannot run it yet"
            ),
            BuiltinError::MissingParameter { builtin, parameter } => {
                write!(formatter, "built-in `{builtin}` needs `{parameter}`")
            }
            BuiltinError::UnknownParameter {
                builtin,
                parameter,
                nearest,
            } => write!(
                formatter,
                "built-in `{builtin}` takes no `{parameter}`{}",
                guess(*nearest)
            ),
            BuiltinError::BadValue {
                builtin,
                parameter,
                expected,
            } => write!(formatter, "`{parameter}` of built-in `{builtin}` must be {expected}"),
            BuiltinError::Refused { builtin, why } => write!(formatter, "built-in `{builtin}` refuses: {why}"),
        }
    }
}

impl std::error::Error for BuiltinError {}

/// Finds a built-in by its exact name.
pub fn named(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().copied().find(|builtin| builtin.name == name)
}

/// Calls a built-in with named values.
pub fn run(name: &str, given: &[(&str, Value)]) -> Result<Value, BuiltinError> {
    let Some(builtin) = named(name) else {
        return Err(BuiltinError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, BUILTINS.iter().map(|builtin| builtin.name)),
        });
    };
    let faults = builtin.check(given.iter().map(|(name, _)| *name));
    if let Some(first) = faults.into_iter().next() {
        return Err(first);
    }
    match builtin.body {
        Some(body) => body(&Arguments { builtin, given }),
        None => Err(BuiltinError::NotRunnable { name: builtin.name }),
    }
}

/// The values of one call, checked against the signature.
struct Arguments<'a> {
    builtin: &'static Builtin,
    given: &'a [(&'a str, Value)],
}

impl Arguments<'_> {
    fn get(&self, name: &str) -> &Value {
        const NOTHING: &Value = &Value::Nothing;
        self.given
            .iter()
            .find(|(given, _)| *given == name)
            .map_or(NOTHING, |(_, value)| value)
    }

    fn number(&self, name: &'static str) -> Result<f64, BuiltinError> {
        self.get(name).number().ok_or_else(|| self.bad(name, "a number"))
    }

    /// Returns a number, or another one where the parameter is empty.
    fn number_or(&self, name: &'static str, otherwise: f64) -> Result<f64, BuiltinError> {
        match self.get(name).is_empty() {
            true => Ok(otherwise),
            false => self.number(name),
        }
    }

    /// Returns a whole number that is not below 0; an empty parameter is 0.
    fn count(&self, name: &'static str) -> Result<f64, BuiltinError> {
        let count = self.number_or(name, 0.0)?;
        match count >= 0.0 && count.fract() == 0.0 {
            true => Ok(count),
            false => Err(self.bad(name, "a whole number, 0 or more")),
        }
    }

    /// Returns a whole number that is not below 0, as a size; an empty parameter is another one.
    fn size_or(&self, name: &'static str, otherwise: usize) -> Result<usize, BuiltinError> {
        if self.get(name).is_empty() {
            return Ok(otherwise);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and not below 0; what is larger than any size is the largest one"
        )]
        self.count(name).map(|count| count as usize)
    }

    fn refused(&self, why: impl Into<String>) -> BuiltinError {
        BuiltinError::Refused {
            builtin: self.builtin.name,
            why: why.into(),
        }
    }

    fn bad(&self, parameter: &'static str, expected: &'static str) -> BuiltinError {
        BuiltinError::BadValue {
            builtin: self.builtin.name,
            parameter,
            expected,
        }
    }
}

const fn required(name: &'static str, summary: &'static str) -> Parameter {
    Parameter {
        name,
        required: true,
        summary,
    }
}

const fn optional(name: &'static str, summary: &'static str) -> Parameter {
    Parameter {
        name,
        required: false,
        summary,
    }
}

fn guess(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests;
