//! The limits of a run in, those that somebody raised since out.

use super::Limits;
use std::collections::BTreeMap;

/// Limits as they are written down: each by its key below `limits`, as a number.
pub type Noted = BTreeMap<String, String>;

/// What is written where a call of unknown cost counts for nothing known.
const UNSET: &str = "unset";
/// The key of what a call of unknown cost counts for.
const ESTIMATE: &str = "estimate";

/// A limit that holds back less than it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// Its key in `bmad.toml`.
    pub key: String,
    /// What it was.
    pub was: String,
    /// What it is.
    pub is: String,
}

impl Limits {
    /// Writes down the limits that are set.
    pub fn noted(&self) -> Noted {
        let mut noted = Noted::new();
        let mut has_money = false;
        self.clone().each(|key, amount| {
            has_money |= amount.is_some() && key.ends_with(".money");
            noted.extend(amount.map(|amount| (key.to_owned(), amount.to_string())));
        });
        if has_money {
            let estimate = self.estimate.map_or(UNSET.to_owned(), |amount| amount.to_string());
            noted.insert(ESTIMATE.to_owned(), estimate);
        }
        noted
    }

    /// Sets the limits that were raised since to what they were, and answers which they are.
    pub fn lower_to(&mut self, before: &Noted) -> Vec<Raised> {
        let mut raised = Vec::new();
        self.each(|key, amount| {
            let Some(was) = before.get(key).and_then(|was| was.parse().ok()) else {
                return;
            };
            if amount.is_none_or(|is| is > was) {
                raised.push(told(key, Some(was), *amount));
                *amount = Some(was);
            }
        });
        if let Some(was) = before.get(ESTIMATE) {
            // The less such a call counts for, the more of them are made.
            let was: Option<f64> = was.parse().ok();
            if self.estimate.is_some_and(|is| was.is_none_or(|was| is < was)) {
                raised.push(told(ESTIMATE, was, self.estimate));
                self.estimate = was;
            }
        }
        raised
    }

    /// Does something with every ceiling.
    fn each(&mut self, mut with: impl FnMut(&str, &mut Option<f64>)) {
        let ceilings = [
            ("run", &mut self.run),
            ("workflow", &mut self.workflow),
            ("step", &mut self.step),
        ];
        for (name, ceiling) in ceilings {
            with(&format!("{name}.money"), &mut ceiling.money);
            let counts = [
                ("tokens", &mut ceiling.tokens),
                ("calls", &mut ceiling.calls),
                ("calls-per-hour", &mut ceiling.hourly),
                ("time", &mut ceiling.time),
            ];
            for (key, count) in counts {
                let mut amount = count.map(|count| count as f64);
                with(&format!("{name}.{key}"), &mut amount);
                *count = amount.map(|amount| amount as u64);
            }
        }
    }
}

fn told(key: &str, was: Option<f64>, is: Option<f64>) -> Raised {
    let words = |amount: Option<f64>| amount.map_or("not set".to_owned(), |amount| amount.to_string());
    Raised {
        key: format!("limits.{key}"),
        was: words(was),
        is: words(is),
    }
}

#[cfg(test)]
mod tests {
    use crate::host::{Ceiling, Limits};

    fn limits(calls: Option<u64>, money: Option<f64>, estimate: Option<f64>) -> Limits {
        let run = Ceiling {
            calls,
            money,
            ..Ceiling::default()
        };
        Limits {
            run,
            estimate,
            ..Limits::default()
        }
    }

    #[test]
    fn limits_that_were_raised_are_told_and_lowered_again() {
        let before = limits(Some(3), Some(0.5), None);
        let mut now = limits(Some(100), None, Some(0.01));
        let raised = now.lower_to(&before.noted());
        let rows: Vec<String> = raised
            .iter()
            .map(|it| format!("{} {} {}", it.key, it.was, it.is))
            .collect();
        let expected = [
            "limits.run.money 0.5 not set",
            "limits.run.calls 3 100",
            "limits.estimate not set 0.01",
        ];
        assert_eq!(rows, expected);
        assert_eq!(now, before);
    }

    #[test]
    fn limits_that_are_lower_or_new_are_not_raised() {
        let mut now = limits(Some(2), Some(1.0), Some(0.5));
        let as_set = now.clone();
        assert_eq!(now.lower_to(&limits(Some(3), None, None).noted()), []);
        assert_eq!(now.lower_to(&limits(Some(2), Some(1.0), Some(0.2)).noted()), []);
        assert_eq!(now.lower_to(&Limits::default().noted()), []);
        assert_eq!(now, as_set);
    }
}
