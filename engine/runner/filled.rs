//! What is done again to fill a gap: nothing is left behind for it.

use super::ahead::follow;
use crate::machine::{Effect, Inline, Issued, Key};
use crate::source::QuickMap;

/// Outcomes that are not used because they left gaps, by key, with their lines.
#[derive(Debug, Default)]
pub(super) struct Filled(QuickMap<Key, u64>);

impl Filled {
    /// Notes an outcome that is not used.
    pub(super) fn note(&mut self, key: Key, line: u64) {
        self.0.insert(key, line);
    }

    /// Says, once, whether an effect fills a gap: a turn does, and the question what becomes of it.
    pub(super) fn take(&mut self, issued: &Issued) -> bool {
        let fills = issued.effect.is_turn() || matches!(issued.effect, Effect::Ask(_));
        fills && self.0.remove(&issued.key).is_some()
    }

    /// Leaves behind what was not asked for yet in a lane and after it, and returns the lines of that: its place is
    /// another one now.
    pub(super) fn leave(&mut self, lane: &Inline) -> Vec<u64> {
        let left = self.0.extract_if(|key, _| follow(lane, &key.lane));
        left.map(|(_, line)| line).collect()
    }
}
