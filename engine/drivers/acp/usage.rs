//! What an agent tells of tokens, money and models in, what the turn used out. Each agent counts in its own way.

use super::super::heard::{at, number, text};
use crate::host::{Spent, Tokens};
use serde_json::Value as Json;

/// How an agent counts, known by the name it gives itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// For each prompt.
    Prompt,
    /// For the last request to its model alone.
    LastRequest,
    /// For each process, which here is the same; but it tells errors as if they were replies.
    Copilot,
}

impl Habit {
    pub(super) fn of(agent: &str) -> Self {
        match agent {
            "Copilot" => Habit::Copilot,
            "OpenCode" => Habit::LastRequest,
            _ => Habit::Prompt,
        }
    }

    pub(super) fn is_copilot(self) -> bool {
        self == Habit::Copilot
    }

    /// Says what a turn used. Money is told for the whole conversation, by one that was not cut off before.
    pub(super) fn spent(self, result: &Json, cost: Option<f64>, tools: usize, counted: Spent) -> Spent {
        let before = counted.cost.unwrap_or_default();
        let tokens = match self {
            Habit::Prompt | Habit::Copilot => tokens(result),
            // Whoever used a tool made more than one request.
            Habit::LastRequest => tokens(result).filter(|_| tools == 0),
        };
        Spent {
            tokens,
            cost: cost.map(|cost| if cost < before { cost } else { cost - before }),
        }
    }
}

/// Reads the tokens of an answer to a prompt.
fn tokens(result: &Json) -> Option<Tokens> {
    let Some(usage) = at(result, &["usage"]).filter(|usage| usage.is_object()) else {
        let count = at(result, &["_meta", "quota", "token_count"])?;
        return Some(Tokens {
            input: number(count, &["input_tokens"])?,
            output: number(count, &["output_tokens"])?,
            ..Tokens::default()
        });
    };
    let count = |name: &str| number(usage, &[name]).unwrap_or_default();
    let (input, output, thoughts) = (count("inputTokens"), count("outputTokens"), count("thoughtTokens"));
    let (cached, stored) = (count("cachedReadTokens"), count("cachedWriteTokens"));
    // Some count what came from a cache, and what was only thought, among the others. The sum tells.
    let is_inside = number(usage, &["totalTokens"]) == Some(input + output);
    Some(match is_inside {
        true => Tokens {
            input: input.saturating_sub(cached + stored),
            cached,
            stored,
            output,
        },
        false => Tokens {
            input,
            cached,
            stored,
            output: output + thoughts,
        },
    })
}

/// Reads what a conversation has cost so far, in dollars.
pub(super) fn dollars(update: &Json) -> Option<f64> {
    let cost = at(update, &["cost"])?;
    at(cost, &["amount"])?
        .as_f64()
        .filter(|_| text(cost, &["currency"]) == Some("USD"))
}

/// Finds the model that answered, where it is told and there is only one.
pub(super) fn model(told: &Json) -> Option<&str> {
    let used = at(told, &["_meta", "quota", "model_usage"]).and_then(Json::as_array);
    match used.map(Vec::as_slice) {
        Some([only]) => text(only, &["model"]),
        Some(_) => None,
        None => text(told, &["_meta", "_claude/model"]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Habit, dollars, model};
    use crate::host::{Spent, Tokens};
    use serde_json::json;

    fn tokens(input: u64, cached: u64, stored: u64, output: u64) -> Option<Tokens> {
        Some(Tokens {
            input,
            cached,
            stored,
            output,
        })
    }

    #[test]
    fn no_token_is_counted_twice() {
        let apart = json!({"usage": {"inputTokens": 1134, "outputTokens": 49, "totalTokens": 1290, "thoughtTokens": 7, "cachedReadTokens": 100}});
        let inside = json!({"usage": {"inputTokens": 1234, "outputTokens": 56, "totalTokens": 1290, "thoughtTokens": 7, "cachedReadTokens": 100}});
        let spent = |result| Habit::Prompt.spent(result, None, 1, Spent::default()).tokens;
        assert_eq!(spent(&apart), tokens(1134, 100, 0, 56));
        assert_eq!(spent(&inside), tokens(1134, 100, 0, 56));
        let quota = json!({"_meta": {"quota": {"token_count": {"input_tokens": 5, "output_tokens": 6}}}});
        assert_eq!(spent(&quota), tokens(5, 0, 0, 6));
        assert_eq!(spent(&json!({"stopReason": "end_turn"})), None);
    }

    #[test]
    fn money_that_was_counted_before_is_taken_off_and_tokens_are_not() {
        let result = json!({"usage": {"inputTokens": 30, "outputTokens": 3, "totalTokens": 33}});
        let counted = Spent {
            tokens: tokens(10, 0, 0, 1),
            cost: Some(0.25),
        };
        let of = |cost| Habit::Prompt.spent(&result, Some(cost), 0, counted);
        assert_eq!(of(1.0).tokens, tokens(30, 0, 0, 3));
        assert_eq!(of(1.0).cost, Some(0.75));
    }

    #[test]
    fn an_agent_that_forgot_what_it_counted_began_anew() {
        let counted = Spent {
            cost: Some(0.25),
            ..Spent::default()
        };
        assert_eq!(
            Habit::Prompt.spent(&json!({}), Some(0.125), 0, counted).cost,
            Some(0.125)
        );
    }

    #[test]
    fn the_last_request_says_nothing_of_those_before() {
        let result = json!({"usage": {"inputTokens": 30, "outputTokens": 3, "totalTokens": 33}});
        let of = |tools| Habit::LastRequest.spent(&result, None, tools, Spent::default()).tokens;
        assert_eq!(of(0), tokens(30, 0, 0, 3));
        assert_eq!(of(1), None);
    }

    #[test]
    fn only_dollars_are_dollars() {
        assert_eq!(dollars(&json!({"cost": {"amount": 0.5, "currency": "USD"}})), Some(0.5));
        assert_eq!(dollars(&json!({"cost": {"amount": 0.5, "currency": "EUR"}})), None);
        assert_eq!(dollars(&json!({"used": 5})), None);
    }

    #[test]
    fn two_models_are_not_one() {
        let used = |names: &[&str]| {
            let list: Vec<_> = names.iter().map(|name| json!({"model": name})).collect();
            json!({"_meta": {"quota": {"model_usage": list}}})
        };
        assert_eq!(model(&used(&["a"])), Some("a"));
        assert_eq!(model(&used(&["a", "b"])), None);
    }
}
