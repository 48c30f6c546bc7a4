//! Bytes in, their hash out: XXH3 where nobody gains from two that are alike, BLAKE3 where somebody might, SHA-256 where a
//! hash is handed to others or kept in files of old.

use sha2::{Digest as _, Sha256};
use std::io;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

/// Returns the SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&hash(bytes))
}

/// Returns the SHA-256 of bytes.
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Returns the BLAKE3 of bytes, which takes a tenth of the time where the processor knows no SHA-256 by itself.
pub fn content_hash(bytes: &[u8]) -> [u8; 32] {
    blake3::hash(bytes).into()
}

/// The BLAKE3 of bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct ContentHashing(blake3::Hasher);

impl ContentHashing {
    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of everything that was taken.
    pub fn finish(&self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// Returns the XXH3 of bytes, 64 bits of it: it tells damage, not forgery.
pub(crate) fn sum(bytes: &[u8]) -> [u8; 8] {
    xxh3_64(bytes).to_be_bytes()
}

/// Returns the XXH3 of bytes, 128 bits of it: it tells one content from another, in a sixth of the time of a BLAKE3.
pub(crate) fn content_sum(bytes: &[u8]) -> [u8; 16] {
    xxh3_128(bytes).to_be_bytes()
}

/// The same of bytes that come in pieces.
#[derive(Clone, Default)]
pub(crate) struct ContentSumming(Xxh3);

impl ContentSumming {
    /// Takes the next piece.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the sum of everything that was taken.
    pub(crate) fn finish(&self) -> [u8; 16] {
        self.0.digest128().to_be_bytes()
    }
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| digits(*byte).map(char::from)).collect()
}

/// Returns the two digits of a byte.
pub(crate) fn digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
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
