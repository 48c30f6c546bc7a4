//! The limits of a run in, those that somebody raised since out. Below a ceiling of money prices are limits, too: the
//! less a token costs, the more of them are used.

use super::{Limits, Price, Staff};
use std::collections::BTreeMap;

/// Limits as they are written down: each by its key below `limits`, as a number; below a ceiling of money prices, too,
/// each by its key with `prices` in front.
pub type Noted = BTreeMap<String, String>;

/// What is written where a call of unknown cost counts for nothing known.
const UNSET: &str = "unset";
/// The key of what a call of unknown cost counts for.
const ESTIMATE: &str = "estimate";
/// What the key of a price begins with; alone it says how many prices are written down, so that none differs from a
/// note of an earlier version, which had no prices.
const PRICES: &str = "prices";

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

impl Staff {
    /// Writes down the limits that are set, and the prices where a ceiling of money depends on them.
    pub fn noted(&self) -> Noted {
        let mut noted = self.limits.noted();
        if noted.contains_key(ESTIMATE) {
            let entries = |(model, price): &(String, Price)| {
                let mut price = *price;
                kinds(&mut price).map(|(kind, amount)| (price_key(model, kind), *amount))
            };
            let set = self.prices.iter().flat_map(entries);
            let set: Noted = set
                .filter_map(|(key, amount)| Some((key, amount?.to_string())))
                .collect();
            noted.insert(PRICES.to_owned(), set.len().to_string());
            noted.extend(set);
        }
        noted
    }

    /// Sets the limits that were raised since to what they were, and the prices that were lowered, and answers which
    /// they are.
    pub fn lower_to(&mut self, before: &Noted) -> Vec<Raised> {
        let mut raised = self.limits.lower_to(before);
        if before.contains_key(PRICES) {
            raised.extend(self.raise_prices(before));
        }
        raised
    }

    /// Sets prices to what they were where less is paid now, or where what was unknown became known. A price that was
    /// taken away makes the cost unknown, which holds back more, unless something is set that such a call counts for.
    fn raise_prices(&mut self, before: &Noted) -> Vec<Raised> {
        for (key, _) in before.range(format!("{PRICES}.")..) {
            let model = key.strip_prefix(PRICES).and_then(|rest| rest.strip_prefix('.'));
            let Some((model, _)) = model.and_then(|rest| rest.rsplit_once('.')) else {
                continue;
            };
            if !self.prices.iter().any(|(known, _)| known == model) {
                self.prices.push((model.to_owned(), Price::default()));
            }
        }
        let mut raised = Vec::new();
        let has_estimate = self.limits.estimate.is_some();
        for (model, price) in &mut self.prices {
            for (kind, amount) in kinds(price) {
                let was: Option<f64> = before.get(&price_key(model, kind)).and_then(|was| was.parse().ok());
                let is_less = match (was, *amount) {
                    (Some(was), Some(is)) => is < was,
                    (Some(_), None) => has_estimate,
                    (None, is) => is.is_some(),
                };
                if is_less {
                    let model = toml_key(model);
                    raised.push(told(format!("{PRICES}.{model}.{kind}"), was, *amount));
                    *amount = was;
                }
            }
        }
        self.prices.retain(|(_, price)| *price != Price::default());
        raised
    }
}

/// Returns the kinds of tokens that have a price, each with it.
fn kinds(price: &mut Price) -> [(&'static str, &mut Option<f64>); 4] {
    [
        ("input", &mut price.input),
        ("cached", &mut price.cached),
        ("stored", &mut price.stored),
        ("output", &mut price.output),
    ]
}

fn price_key(model: &str, kind: &str) -> String {
    format!("{PRICES}.{model}.{kind}")
}

/// Writes the name of a model as it stands in a key.
fn toml_key(model: &str) -> String {
    let is_bare = model
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    match is_bare {
        true => model.to_owned(),
        false => format!("\"{model}\""),
    }
}

impl Limits {
    /// Writes down the limits that are set.
    fn noted(&self) -> Noted {
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
    fn lower_to(&mut self, before: &Noted) -> Vec<Raised> {
        let mut raised = Vec::new();
        self.each(|key, amount| {
            let Some(was) = before.get(key).and_then(|was| was.parse().ok()) else {
                return;
            };
            if amount.is_none_or(|is| is > was) {
                raised.push(told(format!("limits.{key}"), Some(was), *amount));
                *amount = Some(was);
            }
        });
        if let Some(was) = before.get(ESTIMATE) {
            // The less such a call counts for, the more of them are made.
            let was: Option<f64> = was.parse().ok();
            if self.estimate.is_some_and(|is| was.is_none_or(|was| is < was)) {
                raised.push(told(format!("limits.{ESTIMATE}"), was, self.estimate));
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

fn told(key: String, was: Option<f64>, is: Option<f64>) -> Raised {
    let words = |amount: Option<f64>| amount.map_or("not set".to_owned(), |amount| amount.to_string());
    Raised {
        key,
        was: words(was),
        is: words(is),
    }
}

#[cfg(test)]
mod tests {
    use crate::host::{Ceiling, Limits, Noted, Price, Raised, Staff};

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
        let expected = [
            "limits.run.money 0.5 not set",
            "limits.run.calls 3 100",
            "limits.estimate not set 0.01",
        ];
        assert_eq!(rows(&raised), expected);
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
    fn rows(raised: &[Raised]) -> Vec<String> {
        let row = |it: &Raised| format!("{} {} {}", it.key, it.was, it.is);
        raised.iter().map(row).collect()
    }

    /// A ceiling of a dollar, with prices of input and output.
    fn staff(prices: &[(&str, Option<f64>, Option<f64>)], estimate: Option<f64>) -> Staff {
        let price = |(model, input, output): &(&str, Option<f64>, Option<f64>)| {
            let price = Price {
                input: *input,
                output: *output,
                ..Price::default()
            };
            ((*model).to_owned(), price)
        };
        Staff {
            prices: prices.iter().map(price).collect(),
            limits: limits(None, Some(1.0), estimate),
            ..Staff::default()
        }
    }

    #[test]
    fn prices_that_are_lower_or_new_below_a_ceiling_of_money_are_told_and_raised_again() {
        let before = staff(&[("opus", Some(15.0), Some(75.0))], None);
        let mut now = staff(&[("opus", Some(15.0), Some(0.1)), ("gpt-4.1", Some(0.0), None)], None);
        let raised = now.lower_to(&before.noted());
        let expected = ["prices.opus.output 75 0.1", "prices.\"gpt-4.1\".input not set 0"];
        assert_eq!(rows(&raised), expected);
        assert_eq!(now, before);
        assert_eq!(now.lower_to(&before.noted()), []);
    }

    #[test]
    fn a_price_that_is_gone_holds_back_less_only_where_unknown_cost_counts_for_something() {
        let before = staff(&[("gpt-4.1", Some(2.0), None)], Some(0.1));
        let mut now = staff(&[], Some(0.1));
        assert_eq!(
            rows(&now.lower_to(&before.noted())),
            ["prices.\"gpt-4.1\".input 2 not set"]
        );
        assert_eq!(now, before);
        let mut now = staff(&[], None);
        let before = staff(&[("gpt-4.1", Some(2.0), None)], None);
        assert_eq!(now.lower_to(&before.noted()), []);
        assert_eq!(now, staff(&[], None));
    }

    #[test]
    fn prices_are_nobodys_limit_without_a_ceiling_of_money_or_in_a_note_without_them() {
        let mut now = staff(&[("opus", Some(1.0), None)], None);
        let as_set = now.clone();
        let free = Staff {
            limits: limits(Some(3), None, None),
            ..staff(&[("opus", Some(9.0), None)], None)
        };
        assert_eq!(rows(&now.lower_to(&free.noted())), ["limits.run.calls 3 not set"]);
        now = as_set.clone();
        let earlier: Noted = [("run.money", "1"), ("estimate", "unset")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
        assert_eq!(now.lower_to(&earlier), []);
        assert_eq!(now.lower_to(&staff(&[("opus", Some(0.5), None)], None).noted()), []);
        assert_eq!(now, as_set);
    }
}
