//! Pieces in, the hash of all of them out.

use super::Digests;
use crate::source::{ContentHashing, Hashing};

/// A hash of what comes in pieces.
pub(super) enum Hasher {
    Sha256(Hashing),
    Blake3(Box<ContentHashing>),
}

impl Hasher {
    pub(super) fn new(digests: Digests) -> Self {
        match digests {
            Digests::Sha256 => Self::Sha256(Hashing::default()),
            Digests::Blake3 => Self::Blake3(Box::default()),
        }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hasher) => hasher.update(bytes),
            Self::Blake3(hasher) => hasher.update(bytes),
        }
    }

    pub(super) fn finish(self) -> [u8; 32] {
        match self {
            Self::Sha256(hasher) => hasher.finish(),
            Self::Blake3(hasher) => hasher.finish(),
        }
    }
}
