//! The characters of a token in, how far they go out; a token that is folded over lines is followed.

use super::shape::{Body, WINDOW, fits};
use memchr::memmem;

const DASHES: &[u8] = b"-----";
/// The most spaces that a line of a folded token begins with.
const INDENT: usize = 16;
/// How many characters of the next line are looked at.
const SAMPLE: usize = 64;

/// How far the characters of a token go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// How many bytes, with the breaks inside.
    pub(super) length: usize,
    /// How many characters of the token.
    pub(super) count: usize,
    /// Whether the text ends before it is known that the token does.
    pub(super) open: bool,
    digit: bool,
    dot: bool,
}

impl Measured {
    /// Says whether it looks made by a machine and not by a person.
    pub(super) fn is_made(&self, body: Body) -> bool {
        match body {
            Body::Capital | Body::Hex | Body::HexOnly | Body::Parts => true,
            Body::Plain | Body::Dashed | Body::Base64 | Body::Path | Body::Named => self.digit,
            Body::Dotted => self.digit && self.dot,
        }
    }
}

/// What comes after the characters of a line.
enum Fold {
    /// Something else.
    Not,
    /// It cannot be told yet.
    More,
    /// A break of so many bytes, and the token goes on.
    Over(usize),
}

/// Follows the characters of a token that has to have at least so many.
pub(super) fn measure(text: &[u8], body: Body, least: usize, last: bool) -> Measured {
    measure_from(0, text, body, least, last)
}

/// Follows the rest of a token that is known to be one, however little of it is left.
pub(super) fn measure_rest(text: &[u8], body: Body, last: bool) -> Measured {
    measure_from(WINDOW, text, body, 0, last)
}

fn measure_from(count: usize, text: &[u8], body: Body, least: usize, last: bool) -> Measured {
    let mut found = Measured {
        length: 0,
        count,
        open: false,
        digit: false,
        dot: false,
    };
    loop {
        let rest = &text[found.length..];
        let fitting = rest.iter().take_while(|byte| fits(**byte, body)).count();
        // A private key may begin there, and must be seen.
        let dashes = memmem::find(&rest[..fitting], DASHES);
        let tail = rest[..fitting].iter().rev().take_while(|byte| **byte == b'-').count();
        let run = match dashes {
            Some(at) => at,
            None if fitting == rest.len() && !last => fitting - tail,
            None => fitting,
        };
        // Only the first characters decide, however the text is cut.
        let decisive = &rest[..run.min(WINDOW.saturating_sub(found.count))];
        found.digit |= decisive.iter().any(u8::is_ascii_digit);
        found.dot |= decisive.contains(&b'.');
        found.length += run;
        found.count += run;
        if dashes.is_some() {
            return found;
        }
        if fitting == rest.len() {
            found.open = !last;
            return found;
        }
        match fold(&text[found.length..], body, found.count, least, last) {
            Fold::Not => return found,
            Fold::More => {
                found.open = true;
                return found;
            }
            Fold::Over(length) => found.length += length,
        }
    }
}

/// Looks whether a token goes on in the next line, as it does where a program breaks long lines.
fn fold(rest: &[u8], body: Body, count: usize, least: usize, last: bool) -> Fold {
    if count < 8 || matches!(body, Body::HexOnly | Body::Path) {
        return Fold::Not;
    }
    let Some(line) = line_break(rest, last) else {
        return Fold::Not;
    };
    let after = match line {
        Some(length) => length,
        None => return Fold::More,
    };
    let indent = rest[after..]
        .iter()
        .take(INDENT)
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    let begin = after + indent.count();
    let sample = rest[begin..].iter().take(SAMPLE).take_while(|byte| fits(**byte, body));
    let sample = &rest[begin..begin + sample.count()];
    if begin + sample.len() == rest.len() && sample.len() < SAMPLE && !last {
        return Fold::More;
    }
    let has = |test: fn(&u8) -> bool| sample.iter().any(test);
    let goes_on = match count < least {
        true => sample.len() >= 8 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic),
        false => {
            let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
            sample.len() >= 16 && has(u8::is_ascii_digit) && mixed
        }
    };
    if goes_on { Fold::Over(begin) } else { Fold::Not }
}

/// Returns the length of a line break, real or escaped; without a length it cannot be told yet.
fn line_break(rest: &[u8], last: bool) -> Option<Option<usize>> {
    const BREAKS: [&[u8]; 6] = [b"\n", b"\r\n", b"\\r\\n", b"\\n", b"\\\\n", b"\\\n"];
    if let Some(found) = BREAKS.iter().find(|each| rest.starts_with(each)) {
        return Some(Some(found.len()));
    }
    let partly = !last && BREAKS.iter().any(|each| each.starts_with(rest));
    partly.then_some(None)
}
