//! Effects to keys: content, not position, says whether something was done before.

mod content;

use super::effect::Effect;
use content::Content;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::io;

/// What finds an effect in the journal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The lane: `0` is the main line, `0.2.1` the first branch of its second fork.
    pub lane: String,
    /// What the effect is, by content.
    pub digest: String,
    /// How many of the same digest came before it in that lane.
    pub n: u32,
}

impl Key {
    /// Returns a name for what is kept about the effect.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}", self.lane, self.digest, self.n)
    }
}

/// A digest before it is written down.
pub(super) type Fingerprint = [u8; 16];

/// Returns the digest of an effect: every field that could change its outcome.
pub fn digest(effect: &Effect) -> String {
    hex(&fingerprint(effect, &mut Vec::new()))
}

/// Returns the digest as it is counted; the buffer is only room to work in.
pub(super) fn fingerprint(effect: &Effect, room: &mut Vec<u8>) -> Fingerprint {
    let mut content = Content::new(room);
    // A test keeps that every kind of effect has content.
    match effect.serialize(&mut content) {
        Ok(()) | Err(_) => {
            let mut short = [0; 16];
            short.copy_from_slice(&content.finish()[..16]);
            short
        }
    }
}

/// Returns the SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// The SHA-256 of bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct Hashing(Sha256);

impl Hashing {
    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of everything that was taken.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
