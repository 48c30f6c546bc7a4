//! Menus that were none in, what the next one like it costs out.

use crate::machine::question::Choice;
use crate::source::sha256;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What one false alarm costs the next menu that looks the same.
const COST: u32 = 5;
/// After so many menus that were right, each in another place, an alarm counts one less.
const FORGIVING: usize = 10;

/// What was taken for a menu and was none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FalseAlarms {
    /// How often, by signature.
    alarms: BTreeMap<String, u32>,
    /// The signatures of menus that were right since alarms were last forgiven.
    right: BTreeSet<String>,
}

impl FalseAlarms {
    /// Remembers that something detected was no menu.
    pub fn alarm(&mut self, signature: &str) {
        *self.alarms.entry(signature.to_owned()).or_default() += 1;
        self.right.remove(signature);
    }

    /// Remembers that something detected was a menu.
    pub fn confirm(&mut self, signature: &str) {
        if self.alarms.contains_key(signature) {
            return;
        }
        self.right.insert(signature.to_owned());
        if self.right.len() >= FORGIVING {
            self.right.clear();
            self.alarms.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }

    /// Returns the points that a menu of this signature loses.
    pub fn cost(&self, signature: &str) -> u32 {
        COST * self.alarms.get(signature).copied().unwrap_or(0)
    }
}

/// Returns the same text for menus that differ only in case, numbers and spacing.
pub(super) fn signature(question: &str, options: &[Choice]) -> String {
    let mut text = String::new();
    let parts = options
        .iter()
        .flat_map(|option| [option.key.as_str(), option.label.as_str()]);
    for part in [question].into_iter().chain(parts) {
        for word in part.split_whitespace() {
            let kept = word
                .chars()
                .filter(|at| at.is_alphabetic())
                .flat_map(char::to_lowercase);
            text.extend(kept);
            text.push(' ');
        }
        text.push('\n');
    }
    sha256(text.as_bytes())[..16].to_owned()
}
