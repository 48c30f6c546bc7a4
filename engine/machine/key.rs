//! Effects to keys: content, not position, says whether something was done before.

mod content;
mod hasher;
mod inline;

pub use inline::Inline;

use super::effect::Effect;
use content::Content;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What finds an effect in the journal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The lane: `0` is the main line, `0.2.1` the first branch of its second fork.
    pub lane: Inline,
    /// What the effect is, by content.
    pub digest: Inline,
    /// How many of the same digest came before it in that lane.
    pub n: u32,
}

impl Key {
    /// Returns a name for what is kept about the effect.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}", self.lane, self.digest, self.n)
    }
}

/// The hash that effects are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Digests {
    /// In journals of forms 1 and 2.
    Sha256,
    /// In journals of forms 3 and 4.
    Blake3,
    /// In journals of form 5. Effects are compared with those of their own run alone: nobody gains from two that are alike.
    Xxh3,
    /// Since form 6: the same, whatever the lines that things stand on. A comment above them changes nothing.
    #[default]
    Placeless,
}

impl Digests {
    /// Returns the digests of a journal, by the version of its form.
    pub fn of(form: u32) -> Self {
        match form {
            0..3 => Self::Sha256,
            3..5 => Self::Blake3,
            5 => Self::Xxh3,
            _ => Self::Placeless,
        }
    }
}

/// A digest before it is written down.
pub(super) type Fingerprint = [u8; 16];

/// How often each digest came up.
pub(super) type Counts = HashMap<Fingerprint, u32, BuildHasherDefault<First>>;

/// Takes the first bytes of a digest for its hash: they are as good as any.
#[derive(Debug, Default)]
pub(super) struct First(u64);

impl Hasher for First {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn write_usize(&mut self, _: usize) {
        // The length, which all digests share.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns the digest of an effect: every field that could change its outcome.
pub fn digest(effect: &Effect, digests: Digests) -> Inline {
    written(&fingerprint(effect, digests, &mut Vec::new()))
}

/// Returns a digest as it is written down.
pub(super) fn written(fingerprint: &Fingerprint) -> Inline {
    Inline::of_digits(fingerprint)
}

/// Returns the digest as it is counted; the buffer is only room to work in.
pub(super) fn fingerprint(effect: &Effect, digests: Digests, room: &mut Vec<u8>) -> Fingerprint {
    let mut content = Content::new(digests, room);
    // A test keeps that every kind of effect has content.
    match effect.serialize(&mut content) {
        Ok(()) | Err(_) => content.finish(),
    }
}
