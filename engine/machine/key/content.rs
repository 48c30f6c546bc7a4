//! A value in, the hash of its content out: every part with its kind and its length, so that no two values look alike.
//!
//! Long texts are hashed where they are: a file is neither escaped nor copied to find out whether it was sent before.

use super::hasher::{Hasher, first_half};
use super::{Digests, Fingerprint};
use crate::source::{content_hash, content_sum, hash};
use serde::ser::{self, Serialize};
use std::fmt;

/// Texts from this length on are not copied: what is hashed in one piece takes half the time.
const LONG: usize = 16 * 1024;

/// The field of a question and of an instruction that says on which line it stands.
const PLACE: &str = "place";

/// Takes the parts of a value.
pub(super) struct Content<'a> {
    digests: Digests,
    /// What was hashed so far, once there was a long text.
    long: Option<Hasher>,
    /// Parts that are not hashed yet.
    room: &'a mut Vec<u8>,
}

/// Why a value has no content: none of ours is so.
#[derive(Debug)]
pub(super) struct NoContent;

impl fmt::Display for NoContent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of this kind cannot be hashed")
    }
}

impl std::error::Error for NoContent {}

impl ser::Error for NoContent {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'a> Content<'a> {
    /// Starts with nothing; `room` is only room to work in.
    pub(super) fn new(digests: Digests, room: &'a mut Vec<u8>) -> Self {
        room.clear();
        Self {
            digests,
            long: None,
            room,
        }
    }

    /// Returns the hash of everything that was taken.
    pub(super) fn finish(self) -> Fingerprint {
        match (self.long, self.digests) {
            (Some(mut hasher), _) => {
                hasher.update(self.room);
                hasher.finish()
            }
            (None, Digests::Sha256) => first_half(hash(self.room)),
            (None, Digests::Blake3) => first_half(content_hash(self.room)),
            (None, Digests::Xxh3 | Digests::Placeless) => content_sum(self.room),
        }
    }

    /// Adds eight bytes behind their kind, in one piece.
    fn fixed(&mut self, kind: u8, bytes: [u8; 8]) {
        let mut part = [kind; 9];
        part[1..].copy_from_slice(&bytes);
        self.room.extend_from_slice(&part);
    }

    fn bytes(&mut self, kind: u8, bytes: &[u8]) {
        self.fixed(kind, (bytes.len() as u64).to_le_bytes());
        if bytes.len() < LONG {
            self.room.extend_from_slice(bytes);
            return;
        }
        let hasher = self.long.get_or_insert_with(|| Hasher::new(self.digests));
        hasher.update(self.room);
        hasher.update(bytes);
        self.room.clear();
    }

    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), NoContent> {
        if name == PLACE && self.digests == Digests::Placeless {
            return Ok(());
        }
        self.bytes(b's', name.as_bytes());
        value.serialize(self)
    }

    fn end(&mut self) -> Result<(), NoContent> {
        self.room.push(b'.');
        Ok(())
    }
}

macro_rules! numbers {
    ($($method:ident $of:ty as $wide:ty, $kind:literal;)*) => {$(
        fn $method(self, value: $of) -> Result<(), NoContent> {
            self.fixed($kind, <$wide>::from(value).to_le_bytes());
            Ok(())
        }
    )*};
}

impl ser::Serializer for &mut Content<'_> {
    type Ok = ();
    type Error = NoContent;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_i8 i8 as i64, b'i';
        serialize_i16 i16 as i64, b'i';
        serialize_i32 i32 as i64, b'i';
        serialize_i64 i64 as i64, b'i';
        serialize_u8 u8 as u64, b'u';
        serialize_u16 u16 as u64, b'u';
        serialize_u32 u32 as u64, b'u';
        serialize_u64 u64 as u64, b'u';
        serialize_f32 f32 as f64, b'f';
        serialize_f64 f64 as f64, b'f';
    }

    fn serialize_bool(self, value: bool) -> Result<(), NoContent> {
        self.room.push(if value { b'+' } else { b'-' });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), NoContent> {
        self.room.push(b'c');
        self.room.extend_from_slice(&u32::from(value).to_le_bytes());
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), NoContent> {
        self.bytes(b's', text.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), NoContent> {
        self.bytes(b'b', bytes);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), NoContent> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NoContent> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NoContent> {
        self.room.push(b'0');
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), NoContent> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), NoContent> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), NoContent> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NoContent> {
        self.bytes(b'v', variant.as_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, NoContent> {
        self.room.push(b'[');
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, NoContent> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, NoContent> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, NoContent> {
        self.bytes(b'v', variant.as_bytes());
        self.room.push(b'[');
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, NoContent> {
        self.room.push(b'{');
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NoContent> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, NoContent> {
        self.bytes(b'v', variant.as_bytes());
        self.room.push(b'{');
        Ok(self)
    }
}

macro_rules! lists {
    ($($list:ident $method:ident;)*) => {$(
        impl ser::$list for &mut Content<'_> {
            type Ok = ();
            type Error = NoContent;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoContent> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), NoContent> {
                Content::end(self)
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

impl ser::SerializeMap for &mut Content<'_> {
    type Ok = ();
    type Error = NoContent;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoContent> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoContent> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), NoContent> {
        Content::end(self)
    }
}

macro_rules! structs {
    ($($kind:ident;)*) => {$(
        impl ser::$kind for &mut Content<'_> {
            type Ok = ();
            type Error = NoContent;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), NoContent> {
                self.named(name, value)
            }

            fn end(self) -> Result<(), NoContent> {
                Content::end(self)
            }
        }
    )*};
}

structs! {
    SerializeStruct;
    SerializeStructVariant;
}

#[cfg(test)]
mod tests;
