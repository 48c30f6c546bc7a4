//! The JSON of a line in, the same with its number, the hash of the line before and its own hash out; and back.
//!
//! `{"line":…,"seq":7,"prev":"<hash of line 6>","hash":"<hash of all before this field>"}`

use crate::machine::Hashing;

/// A hash: the first half of a SHA-256, in hexadecimal.
pub(super) type Hash = [u8; 32];

/// What the first line names as the hash of the line before.
pub(super) const NONE_BEFORE: Hash = [b'0'; 32];

const SEQ: &[u8] = b",\"seq\":";
const PREV: &[u8] = b",\"prev\":\"";
const HASH: &[u8] = b",\"hash\":\"";

/// A line whose hash is right.
#[derive(Debug)]
pub(super) struct Opened<'a> {
    pub(super) seq: u64,
    pub(super) prev: Hash,
    pub(super) hash: Hash,
    /// The JSON as it was before it was sealed.
    pub(super) body: &'a mut [u8],
}

/// Seals the JSON object that `buffer` holds from `start` on, and ends the line. Returns its hash.
pub(super) fn seal(buffer: &mut Vec<u8>, start: usize, seq: u64, prev: &Hash) -> Hash {
    debug_assert_eq!(buffer.last(), Some(&b'}'), "an object ends with a brace");
    buffer.pop();
    buffer.extend_from_slice(SEQ);
    buffer.extend_from_slice(seq.to_string().as_bytes());
    buffer.extend_from_slice(PREV);
    buffer.extend_from_slice(prev);
    buffer.push(b'"');
    let hash = hash(&buffer[start..]);
    buffer.extend_from_slice(HASH);
    buffer.extend_from_slice(&hash);
    buffer.extend_from_slice(b"\"}\n");
    hash
}

/// Opens a line, given without its end, or says what is wrong with it.
pub(super) fn open(line: &mut [u8]) -> Result<Opened<'_>, String> {
    let (sealed, found) = split_text(line, HASH, b"\"}").ok_or_else(|| malformed(line))?;
    if hash(sealed) != found {
        return Err("its hash is not the hash of its bytes".to_owned());
    }
    let (numbered, prev) = split_text(sealed, PREV, b"\"").ok_or("it names no line before it")?;
    let digits = numbered.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (marked, number) = numbered.split_at(numbered.len() - digits);
    let end = marked.strip_suffix(SEQ).ok_or("it has no number")?.len();
    let seq = str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    let seq = seq.ok_or("its number is none")?;
    line[end] = b'}';
    Ok(Opened {
        seq,
        prev,
        hash: found,
        body: &mut line[..=end],
    })
}

/// Splits what ends in a named text of the length of a hash.
fn split_text<'a>(line: &'a [u8], name: &[u8], close: &[u8]) -> Option<(&'a [u8], Hash)> {
    let (before, text) = line.strip_suffix(close)?.split_last_chunk::<32>()?;
    Some((before.strip_suffix(name)?, *text))
}

fn malformed(line: &[u8]) -> String {
    match line {
        [] => "it is empty".to_owned(),
        _ if line.contains(&0) => "it holds zero bytes".to_owned(),
        _ => "it does not end with a hash".to_owned(),
    }
}

fn hash(bytes: &[u8]) -> Hash {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut hashing = Hashing::default();
    hashing.update(bytes);
    let full = hashing.finish();
    let mut text = NONE_BEFORE;
    for (pair, byte) in text.chunks_exact_mut(2).zip(full) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{NONE_BEFORE, open, seal};

    #[test]
    fn a_sealed_line_opens_to_what_it_was() {
        let mut line = b"{\"a\":\"seq\"}".to_vec();
        let hash = seal(&mut line, 0, 18_446_744_073_709_551_615, &NONE_BEFORE);
        line.pop();
        let opened = open(&mut line).unwrap();
        assert_eq!(opened.seq, u64::MAX);
        assert_eq!((opened.prev, opened.hash), (NONE_BEFORE, hash));
        assert_eq!(opened.body, b"{\"a\":\"seq\"}");
    }

    #[test]
    fn a_sealed_line_is_json() {
        let mut line = b"{\"a\":1}".to_vec();
        seal(&mut line, 0, 3, &NONE_BEFORE);
        let read: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(read["seq"], 3);
        assert_eq!(read["hash"].as_str().unwrap().len(), 32);
    }

    #[test]
    fn what_is_no_sealed_line_is_said() {
        for (line, why) in [
            ("", "it is empty"),
            ("{}", "it does not end with a hash"),
            ("{\0}", "it holds zero bytes"),
        ] {
            let mut line = line.as_bytes().to_vec();
            assert_eq!(open(&mut line).unwrap_err(), why);
        }
    }
}
