//! Pieces in, the hash of all of them out.

use super::{Digests, Fingerprint};
use crate::source::{ContentHashing, ContentSumming, Hashing};

/// A hash of what comes in pieces.
pub(super) enum Hasher {
    Sha256(Hashing),
    Blake3(Box<ContentHashing>),
    Xxh3(Box<ContentSumming>),
}

impl Hasher {
    pub(super) fn new(digests: Digests) -> Self {
        match digests {
            Digests::Sha256 => Self::Sha256(Hashing::default()),
            Digests::Blake3 => Self::Blake3(Box::default()),
            Digests::Xxh3 | Digests::Placeless => Self::Xxh3(Box::default()),
        }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hasher) => hasher.update(bytes),
            Self::Blake3(hasher) => hasher.update(bytes),
            Self::Xxh3(hasher) => hasher.update(bytes),
        }
    }

    pub(super) fn finish(self) -> Fingerprint {
        match self {
            Self::Sha256(hasher) => first_half(hasher.finish()),
            Self::Blake3(hasher) => first_half(hasher.finish()),
            Self::Xxh3(hasher) => hasher.finish(),
        }
    }
}

/// Returns as much of a hash as a digest has.
pub(super) fn first_half(hash: [u8; 32]) -> Fingerprint {
    let mut half = [0; 16];
    half.copy_from_slice(&hash[..16]);
    half
}
