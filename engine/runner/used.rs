//! Calls in, what they used together out, as numbers and in words.

use crate::host::Called;
use serde::Serialize;

/// What calls used together. What is not known is counted as not known, never as nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Used {
    /// How many calls.
    pub calls: u64,
    /// Tokens, as far as they are told.
    pub tokens: u64,
    /// Calls that told no tokens.
    pub untold: u64,
    /// Dollars, as far as they are known.
    pub cost: f64,
    /// Calls whose cost is not known.
    pub unknown: u64,
    /// Milliseconds that agents were at work.
    pub took: u64,
    /// Calls that were cut off, and told nothing of what they used.
    #[serde(skip_serializing_if = "is_none")]
    pub cut: u64,
}

/// Says whether a count has nothing to tell.
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Says whether a call can have cost so much; one that claims to have brought money in says nothing about its cost.
pub(super) fn is_cost(dollars: &f64) -> bool {
    *dollars >= 0.0
}

impl Used {
    /// Adds a call.
    pub fn add(&mut self, called: &Called) {
        self.calls += 1;
        self.took += called.took;
        self.cut += u64::from(called.cut);
        match called.spent.tokens {
            Some(tokens) => self.tokens += tokens.sum(),
            None => self.untold += 1,
        }
        match called.spent.cost.filter(is_cost) {
            Some(cost) => self.cost += cost,
            None => self.unknown += 1,
        }
    }

    /// Says in words what is known; nothing where nothing is.
    pub fn words(&self) -> Option<String> {
        let (tells, costs) = (self.calls > self.untold, self.calls > self.unknown);
        if !tells && !costs && self.cut == 0 {
            return None;
        }
        let mut parts = vec![counted(self.calls, "call")];
        if tells {
            parts.push(counted(self.tokens, "token"));
        }
        if costs {
            parts.push(dollars(self.cost));
        }
        if self.unknown > 0 {
            parts.push(format!("cost unknown for {}", counted(self.unknown, "call")));
        }
        if tells && self.untold > 0 {
            parts.push(format!("tokens unknown for {}", counted(self.untold, "call")));
        }
        if self.cut > 0 {
            parts.push(format!("{} cut off", self.cut));
        }
        Some(parts.join(", "))
    }
}

/// Writes money: cents where it is much, more digits where it is little.
pub(super) fn dollars(amount: f64) -> String {
    match amount {
        amount if amount == 0.0 || amount >= 0.1 => format!("${amount:.2}"),
        amount => format!("${amount:.4}"),
    }
}

/// Writes a number in groups of three digits, with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let s = if count == 1 { "" } else { "s" };
    format!("{grouped} {noun}{s}")
}

#[cfg(test)]
mod tests {
    use super::{Used, counted, dollars};

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(counted(1, "call"), "1 call");
        assert_eq!(counted(1_234_567, "token"), "1,234,567 tokens");
        assert_eq!(counted(123, "token"), "123 tokens");
        assert_eq!(
            [dollars(0.0), dollars(0.0042), dollars(12.345)],
            ["$0.00", "$0.0042", "$12.35"]
        );
    }

    #[test]
    fn what_is_not_known_is_said_and_never_nothing() {
        let used = Used {
            calls: 4,
            tokens: 1_000,
            untold: 1,
            cost: 0.5,
            unknown: 3,
            took: 0,
            cut: 0,
        };
        let words = used.words();
        assert_eq!(
            words.as_deref(),
            Some("4 calls, 1,000 tokens, $0.50, cost unknown for 3 calls, tokens unknown for 1 call")
        );
    }

    #[test]
    fn calls_that_were_cut_off_are_told_though_nothing_is_known_of_them() {
        let used = Used {
            calls: 2,
            untold: 2,
            unknown: 2,
            cut: 1,
            ..Used::default()
        };
        let words = used.words();
        assert_eq!(words.as_deref(), Some("2 calls, cost unknown for 2 calls, 1 cut off"));
    }

    #[test]
    fn where_nothing_is_known_nothing_is_said() {
        let used = Used {
            calls: 2,
            untold: 2,
            unknown: 2,
            ..Used::default()
        };
        assert_eq!(used.words(), None);
    }
}
