//! Intents and finished effects in the order in which they are written, read without looking at their effects.
//!
//! Every journal is written by this engine, so that the fields of a line come in one order and without spaces. What
//! looks different is left to the reader of any JSON.

use super::super::blob::{Blobs, has_name};
use super::{ReplayKind, text};
use crate::machine::{Envelope, Key, Outcome};
use serde::Deserialize;

/// Reads a line; answers nothing where it is another kind of line or is written in another way.
pub(super) fn read(body: &mut [u8], blobs: &Blobs) -> Result<Option<(i64, ReplayKind)>, String> {
    let mut cursor = Cursor { bytes: body, at: 0 };
    if let Some((at, key)) = cursor.start(b"{\"line\":\"done\",\"at\":") {
        let found = cursor.outcome().filter(|_| body.ends_with(b"}}"));
        let last = body.len() - 1;
        let Some(json) = found.and_then(|from| body.get_mut(from..last)) else {
            return Ok(None);
        };
        let outcome = outcome(json, blobs)?;
        return Ok(Some((at, ReplayKind::Done { key, outcome })));
    }
    cursor.at = 0;
    Ok(intent(&mut cursor))
}

fn intent(cursor: &mut Cursor<'_>) -> Option<(i64, ReplayKind)> {
    let (at, key) = cursor.start(b"{\"line\":\"intent\",\"at\":")?;
    cursor.skip(b",\"driver\":")?;
    cursor.text()?;
    cursor.skip(b",\"effect\":{\"do\":")?;
    // The effect is an object, so that two braces end a line without a snapshot, and a quote one with it.
    let snapshot = if cursor.bytes.ends_with(b"}}") {
        None
    } else {
        let rest = cursor.bytes.strip_suffix(b"\"}")?;
        let quote = memchr::memrchr(b'"', rest)?;
        let named = rest[..quote].ends_with(b",\"snapshot\":");
        Some(str::from_utf8(&rest[quote + 1..]).ok().filter(|_| named)?.to_owned())
    };
    Some((at, ReplayKind::Intent { key, snapshot }))
}

#[derive(Deserialize)]
struct Contents {
    sha256: Option<String>,
    text: Option<String>,
}

/// Reads an outcome. The word for what it is comes first; those that may be long are read in one pass behind it.
fn outcome(json: &mut [u8], blobs: &Blobs) -> Result<Outcome, String> {
    const DONE: &[u8] = b"{\"is\":\"done\"}";
    const REPLIED: &[u8] = b"{\"is\":\"replied\",";
    const CONTENTS: &[u8] = b"{\"is\":\"contents\",";
    if json == DONE {
        Ok(Outcome::Done)
    } else if has_name(json) {
        parse(&blobs.unpack(json)?)
    } else if json.starts_with(REPLIED) {
        Ok(Outcome::Replied(envelope(without(json, REPLIED))?))
    } else if json.starts_with(CONTENTS) {
        let object = without(json, CONTENTS);
        let (text, sha256) = match text::last(object) {
            Some((0, text)) => (Some(text), None),
            Some(_) | None => {
                let Contents { sha256, text } = parse(object)?;
                (text, sha256)
            }
        };
        Ok(Outcome::Contents { sha256, text })
    } else {
        parse(json)
    }
}

/// Reads a reply: its text by itself, and what stands before it.
fn envelope(object: &mut [u8]) -> Result<Box<Envelope>, String> {
    let Some((mark, text)) = text::last(object) else {
        return parse(object);
    };
    if mark == 0 {
        let before = Envelope::default();
        return Ok(Box::new(Envelope { text, ..before }));
    }
    let comma = std::mem::replace(&mut object[mark], b'}');
    let before: Envelope = parse(&object[..=mark])?;
    if before.text.is_empty() {
        return Ok(Box::new(Envelope { text, ..before }));
    }
    // A field that is there twice is said to be.
    object[mark] = comma;
    parse(object)
}

/// Returns the object without its first field, whose comma becomes the brace.
fn without<'a>(json: &'a mut [u8], first: &[u8]) -> &'a mut [u8] {
    let comma = first.len() - 1;
    json[comma] = b'{';
    &mut json[comma..]
}

fn parse<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

/// A place in a line.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads the fields that intents and finished effects start with.
    fn start(&mut self, literal: &[u8]) -> Option<(i64, Key)> {
        self.skip(literal)?;
        let at = self.number()?;
        self.skip(b",\"key\":{\"lane\":")?;
        let lane = self.text()?.into();
        self.skip(b",\"digest\":")?;
        let digest = self.text()?.into();
        self.skip(b",\"n\":")?;
        let n = self.number()?;
        self.skip(b"},\"step\":")?;
        self.text()?;
        Some((at, Key { lane, digest, n }))
    }

    /// Returns where the outcome starts, behind the effect if there is one.
    fn outcome(&mut self) -> Option<usize> {
        if self.skip(b",\"effect\":").is_some() {
            self.object()?;
        }
        self.skip(b",\"outcome\":")?;
        Some(self.at)
    }

    fn skip(&mut self, literal: &[u8]) -> Option<()> {
        self.bytes
            .get(self.at..)?
            .starts_with(literal)
            .then(|| self.at += literal.len())
    }

    fn number<T: TryFrom<i64>>(&mut self) -> Option<T> {
        let rest = self.bytes.get(self.at..)?;
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit());
        let (mut number, mut length) = (0i64, 0);
        for digit in digits {
            number = number.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
            length += 1;
        }
        self.at += sign + length;
        let number = if sign == 0 { number } else { -number };
        T::try_from(number).ok().filter(|_| length > 0)
    }

    /// Reads a text in which nothing is escaped.
    fn text(&mut self) -> Option<&'a str> {
        self.skip(b"\"")?;
        let rest = &self.bytes[self.at..];
        let end = memchr::memchr2(b'"', b'\\', rest)?;
        let text = str::from_utf8(&rest[..end]).ok()?;
        self.at += end;
        self.skip(b"\"")?;
        Some(text)
    }

    /// Passes over an object.
    fn object(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            self.at += memchr::memchr3(b'"', b'{', b'}', self.bytes.get(self.at..)?)? + 1;
            match self.bytes[self.at - 1] {
                b'{' => depth += 1,
                b'}' => depth = depth.checked_sub(1)?,
                _ => self.rest_of_text()?,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn rest_of_text(&mut self) -> Option<()> {
        loop {
            self.at += memchr::memchr2(b'"', b'\\', self.bytes.get(self.at..)?)? + 1;
            if self.bytes[self.at - 1] == b'"' {
                return Some(());
            }
            self.at += 1;
        }
    }
}
