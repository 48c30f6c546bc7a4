//! An agent that can be asked, the model it is asked for, and what that costs.

use crate::host::{Driver, Price, Spent};
use crate::runner::route::{escalated, is_tier};
use std::sync::Arc;

/// An agent that can be asked.
pub struct Member {
    /// How it is named in a setting or on the command line.
    pub spec: String,
    /// The agent.
    pub driver: Arc<dyn Driver>,
    /// The model it uses by itself, where that is set.
    pub model: Option<String>,
    /// Names of models that it has a name of its own for, each with that.
    pub models: Vec<(String, String)>,
    /// Whether it takes the names of tiers as they are.
    pub knows_tiers: bool,
}

impl Member {
    /// Returns the model as the agent is asked for it: a stronger one after failures. Answers what to tell where it has
    /// none of that name.
    pub(super) fn model(&self, named: Option<&str>, failures: u32) -> Result<Option<String>, String> {
        let has = |tier: &str| self.models.iter().any(|(name, _)| name == tier);
        let own = || self.model.as_deref().filter(|own| is_tier(own));
        let Some(base) = named.or_else(own) else {
            return Ok(None);
        };
        let model = escalated(base, failures, has);
        if !is_tier(model) || has(model) || self.knows_tiers {
            return Ok(Some(model.to_owned()));
        }
        let name = self.driver.name();
        Err(format!(
            "{name} has no model named `{model}` and uses its own; `models.{name}.{model}` in `bmad.toml` names one"
        ))
    }
}

/// Returns the price of a model that an agent was asked for, under that name or the agent's own for it.
pub(super) fn price<'a>(prices: &'a [(String, Price)], member: &Member, model: &str) -> Option<&'a Price> {
    let own = member.models.iter().find(|(name, _)| name == model);
    let mut names = std::iter::once(model).chain(own.map(|(_, own)| own.as_str()));
    names.find_map(|name| Some(&prices.iter().find(|(known, _)| known == name)?.1))
}

/// Returns what tokens cost; nothing where a kind of them has no price.
pub(super) fn cost(price: &Price, spent: Spent) -> Option<f64> {
    let tokens = spent.tokens?;
    let parts = [
        (tokens.input, price.input),
        (tokens.cached, price.cached),
        (tokens.stored, price.stored),
        (tokens.output, price.output),
    ];
    parts.into_iter().try_fold(0.0, |sum, (count, price)| match count {
        0 => Some(sum),
        count => Some(sum + count as f64 / 1e6 * price?),
    })
}
