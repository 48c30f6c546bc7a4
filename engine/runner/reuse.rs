//! What of an earlier process was used again.

/// What was used again and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Effects that were not performed again.
    pub reused: u64,
    /// Turns of agents among them.
    pub turns: u64,
    /// What was recorded under a key that nobody asked for: the workflow was edited.
    pub changed: Vec<String>,
}
