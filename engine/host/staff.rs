//! Who does which work and what it may cost, as a person set it: plain values.

use super::AgentSettings;

/// Everything that is set about agents and what they may use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Staff {
    /// Who does the work where nothing else is said.
    pub default: Option<String>,
    /// Who takes over, in this order.
    pub fallback: Vec<String>,
    /// What is set about work of a kind, of an agent by name, of a workflow or of a step.
    pub tasks: Vec<(String, TaskSettings)>,
    /// How agents are called, by name.
    pub agents: Vec<(String, AgentSettings)>,
    /// The model for work of a level.
    pub tiers: Vec<(u32, String)>,
    /// What models cost, by the name under which they answer.
    pub prices: Vec<(String, Price)>,
    /// What may be used.
    pub limits: Limits,
}

/// What is set about some work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskSettings {
    /// Who does it.
    pub agent: Option<Chosen>,
    /// Who takes over; an empty list is nobody.
    pub fallback: Option<Vec<String>>,
    /// The model.
    pub model: Option<String>,
}

/// Who does some work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// This agent.
    Agent(String),
    /// Nobody: it is not done.
    Nobody,
}

/// What a model costs, in dollars for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Price {
    /// Tokens that are read.
    pub input: Option<f64>,
    /// Tokens that are read from a cache.
    pub cached: Option<f64>,
    /// Tokens that are put into a cache.
    pub stored: Option<f64>,
    /// Tokens that are written.
    pub output: Option<f64>,
}

/// What may be used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// By a whole run.
    pub run: Ceiling,
    /// By one workflow of it.
    pub workflow: Ceiling,
    /// By one step of a workflow.
    pub step: Ceiling,
    /// The dollars that a call of unknown cost counts for; without it such a call is refused below a ceiling of money.
    pub estimate: Option<f64>,
}

/// The most that may be used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ceiling {
    /// Dollars.
    pub money: Option<f64>,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Calls.
    pub calls: Option<u64>,
    /// Calls in any hour.
    pub hourly: Option<u64>,
    /// Seconds that agents are at work.
    pub time: Option<u64>,
}
