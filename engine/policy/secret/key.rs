//! Private keys: the first line of a block in, how far the block goes out.

use super::shape::{Open, Verdict};
use memchr::memmem;

/// What a block begins with.
pub(super) const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";
const TITLE: &[u8] = b"PRIVATE KEY";
/// The longest title.
const LONGEST: usize = 48;
/// Where the end of a block is looked for: the largest keys in use have less.
const BLOCK: usize = 8 * 1024;

/// Judges a text that begins with `BEGIN`. Without an end, a block goes as far as its letters do.
pub(super) fn judge(text: &[u8], last: bool) -> Verdict {
    let title = &text[BEGIN.len()..];
    let close = memmem::find(&title[..title.len().min(LONGEST)], DASHES);
    let Some(close) = close else {
        let undecided = title.len() < LONGEST && !last;
        return if undecided { Verdict::More } else { Verdict::Nothing };
    };
    if memmem::find(&title[..close], TITLE).is_none() {
        return Verdict::Nothing;
    }
    let inside = BEGIN.len() + close + DASHES.len();
    let body = &text[inside..];
    if let Some(end) = memmem::find(&body[..body.len().min(BLOCK + END.len())], END) {
        let after = end + END.len();
        let line = &body[after..];
        if let Some(close) = memmem::find(&line[..line.len().min(LONGEST)], DASHES) {
            return block(inside + after + close + DASHES.len());
        }
        if line.len() < LONGEST && !last {
            return Verdict::More;
        }
        return block(inside + after);
    }
    if body.len() < BLOCK + END.len() && !last {
        return Verdict::More;
    }
    let length = letters(body);
    let open = (length >= BLOCK).then_some(Open::Block);
    Verdict::Secret {
        skip: 0,
        length: inside + length,
        open,
    }
}

/// Follows a block that is longer than any key: how many bytes are part of it, and whether it may go on.
pub(super) fn rest(text: &[u8], last: bool) -> (usize, bool) {
    let length = letters(text);
    let undecided = matches!(text[length..], [] | [b'\\']);
    (length, undecided && !last)
}

const fn block(length: usize) -> Verdict {
    Verdict::Secret {
        skip: 0,
        length,
        open: None,
    }
}

/// Counts what a block is written with: letters of base64, white space, and escapes of it.
fn letters(body: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        at += match byte {
            b'+' | b'/' | b'=' | b' ' | b'\t' | b'\r' | b'\n' => 1,
            byte if byte.is_ascii_alphanumeric() => 1,
            b'\\' if matches!(body.get(at + 1), Some(b'n' | b'r' | b't' | b'/')) => 2,
            _ => break,
        };
    }
    at
}
