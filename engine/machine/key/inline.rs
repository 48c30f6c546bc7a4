//! A text in, the same text out: kept in place where it is short, so that it is made, copied and dropped for nothing.
//!
//! A journal has several such texts in every line, and they are handed from thread to thread.

use crate::source::digits;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// How many bytes are kept in place: a digest, and the name of every lane that is not nested very deep.
const ROOM: usize = 32;

/// A text that is seldom longer than a digest.
#[derive(Clone, PartialEq, Eq)]
pub struct Inline(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// In place; what is not used is zero, so that equal texts are equal bytes.
    Here { length: u8, bytes: [u8; ROOM] },
    /// Longer than there is room.
    Apart(Box<str>),
}

impl Inline {
    /// Writes bytes as two digits each.
    pub(super) fn of_digits(fingerprint: &[u8; ROOM / 2]) -> Self {
        let mut bytes = [0; ROOM];
        for (pair, byte) in bytes.as_chunks_mut().0.iter_mut().zip(fingerprint) {
            *pair = digits(*byte);
        }
        let length = ROOM as u8;
        Self(Kept::Here { length, bytes })
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // Only a text is ever put there.
            Kept::Here { .. } => str::from_utf8(self.bytes()).unwrap_or_default(),
            Kept::Apart(text) => text,
        }
    }

    fn bytes(&self) -> &[u8] {
        match &self.0 {
            Kept::Here { length, bytes } => &bytes[..usize::from(*length)],
            Kept::Apart(text) => text.as_bytes(),
        }
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        let mut bytes = [0; ROOM];
        Self(match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Kept::Here { length, bytes }
            }
            (_, _) => Kept::Apart(text.into()),
        })
    }
}

impl Default for Inline {
    fn default() -> Self {
        Self::from("")
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(formatter)
    }
}

impl fmt::Debug for Inline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl PartialOrd for Inline {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Inline {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes().cmp(other.bytes())
    }
}

impl Hash for Inline {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

impl Serialize for Inline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Inline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Reading)
    }
}

struct Reading;

impl Visitor<'_> for Reading {
    type Value = Inline;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<Inline, E> {
        Ok(Inline::from(text))
    }
}

#[cfg(test)]
mod tests {
    use super::{Inline, ROOM};

    #[test]
    fn a_text_of_any_length_comes_out_as_it_went_in() {
        for length in [0, 1, ROOM - 1, ROOM, ROOM + 1, 300] {
            let text = "é".repeat(length / 2) + &"a".repeat(length % 2);
            assert_eq!(Inline::from(text.as_str()).as_str(), text);
        }
    }

    #[test]
    fn texts_are_ordered_as_texts_wherever_they_are_kept() {
        let long = "0.1".repeat(ROOM);
        let mut sorted = ["0.2", "0", long.as_str(), "", "0.10"].map(Inline::from);
        sorted.sort();
        let sorted = sorted.each_ref().map(Inline::as_str);
        let mut texts = ["0.2", "0", long.as_str(), "", "0.10"];
        texts.sort_unstable();
        assert_eq!(sorted, texts);
    }

    #[test]
    fn it_is_written_as_any_other_text() {
        for text in ["0.1 \"é\"", &"0.1".repeat(ROOM)] {
            let written = serde_json::to_string(&Inline::from(text)).unwrap();
            assert_eq!(written, serde_json::to_string(text).unwrap());
            assert_eq!(serde_json::from_str::<Inline>(&written).unwrap(), Inline::from(text));
        }
    }
}
