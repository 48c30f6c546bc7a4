//! The JSON of a line in, the same with its number, the hash of the line before, its own hash and a sum out; and back.
//!
//! `{"line":…,"seq":7,"prev":"<hash of line 6>","blake3":"<hash of all before it>","sum":"<sum of all before it>"}`
//!
//! The hash is for whoever wants proof; in an older journal it is a SHA-256, and the field is called `hash`. The sum finds
//! the same damage sooner; it is what a resume looks at, and what a line of the oldest journals lacks.

use crate::source::{content_hash, digits};

/// A hash: the first half of a BLAKE3 or SHA-256, in hexadecimal.
pub(super) type Hash = [u8; 32];

/// What a line is hashed by. A journal stays with what it began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Blake3,
    Sha256,
}

impl Proof {
    /// Returns what stands before the hash.
    fn field(self) -> &'static [u8] {
        match self {
            Proof::Blake3 => b",\"blake3\":\"",
            Proof::Sha256 => b",\"hash\":\"",
        }
    }

    /// Returns the first half of the hash, in hexadecimal.
    fn hash(self, bytes: &[u8]) -> Hash {
        written(&match self {
            Proof::Blake3 => content_hash(bytes),
            Proof::Sha256 => crate::source::hash(bytes),
        })
    }
}

/// What the first line names as the hash of the line before.
pub(super) const NONE_BEFORE: Hash = [b'0'; 32];

const SEQ: &[u8] = b",\"seq\":";
const PREV: &[u8] = b",\"prev\":\"";
const SUM: &[u8] = b",\"sum\":\"";

/// What of a line is compared with its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Its sum, or its hash where it has no sum: it may be damaged.
    Sum,
    /// Its sum and its hash: somebody may have changed it.
    Nothing,
}

/// A line that is what it was when it was written.
#[derive(Debug)]
pub(super) struct Opened<'a> {
    pub(super) seq: u64,
    pub(super) prev: Hash,
    pub(super) hash: Hash,
    pub(super) proof: Proof,
    /// The JSON as it was before it was sealed.
    pub(super) body: &'a mut [u8],
}

/// Seals the JSON object that `buffer` holds from `start` on, and ends the line. Returns its hash.
pub(super) fn seal(buffer: &mut Vec<u8>, start: usize, seq: u64, prev: &Hash, proof: Proof) -> Hash {
    debug_assert_eq!(buffer.last(), Some(&b'}'), "an object ends with a brace");
    buffer.pop();
    buffer.extend_from_slice(SEQ);
    buffer.extend_from_slice(seq.to_string().as_bytes());
    buffer.extend_from_slice(PREV);
    buffer.extend_from_slice(prev);
    buffer.push(b'"');
    let hash = proof.hash(&buffer[start..]);
    buffer.extend_from_slice(proof.field());
    buffer.extend_from_slice(&hash);
    buffer.push(b'"');
    let sum = sum(&buffer[start..]);
    buffer.extend_from_slice(SUM);
    buffer.extend_from_slice(&sum);
    buffer.extend_from_slice(b"\"}\n");
    hash
}

/// Opens a line, given without its end, or says what is wrong with it.
pub(super) fn open(line: &mut [u8], trust: Trust) -> Result<Opened<'_>, String> {
    let (hashed, is_summed) = match split_text(line, SUM, b"\"}") {
        Some((summed, found)) if sum(summed) == found => (summed, true),
        Some(_) => return Err("its sum is not the sum of its bytes".to_owned()),
        None => (line.strip_suffix(b"}").unwrap_or_default(), false),
    };
    let split = |proof: Proof| Some((proof, split_text(hashed, proof.field(), b"\"")?));
    let proved = split(Proof::Blake3).or_else(|| split(Proof::Sha256));
    let (proof, (sealed, found)) = proved.ok_or_else(|| malformed(line))?;
    let is_trusted = is_summed && trust == Trust::Sum;
    if !is_trusted && proof.hash(sealed) != found {
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
        proof,
        body: &mut line[..=end],
    })
}

/// Splits what ends in a named text of the length of a hash or a sum.
fn split_text<'a, const N: usize>(line: &'a [u8], name: &[u8], close: &[u8]) -> Option<(&'a [u8], [u8; N])> {
    let (before, text) = line.strip_suffix(close)?.split_last_chunk::<N>()?;
    Some((before.strip_suffix(name)?, *text))
}

fn malformed(line: &[u8]) -> String {
    match line {
        [] => "it is empty".to_owned(),
        _ if line.contains(&0) => "it holds zero bytes".to_owned(),
        _ => "it does not end with a hash".to_owned(),
    }
}

/// Returns the XXH3 of 64 bits, in hexadecimal.
fn sum(bytes: &[u8]) -> [u8; 16] {
    written(&crate::source::sum(bytes))
}

/// Writes as many bytes as there is room for.
fn written<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut text = [b'0'; N];
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair.copy_from_slice(&digits(*byte));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{NONE_BEFORE, Proof, SUM, Trust, open, seal, sum};

    #[test]
    fn a_sealed_line_opens_to_what_it_was() {
        for proof in [Proof::Blake3, Proof::Sha256] {
            let mut line = b"{\"a\":\"seq\"}".to_vec();
            let hash = seal(&mut line, 0, 18_446_744_073_709_551_615, &NONE_BEFORE, proof);
            line.pop();
            let opened = open(&mut line, Trust::Nothing).unwrap();
            assert_eq!(opened.seq, u64::MAX);
            assert_eq!((opened.prev, opened.hash, opened.proof), (NONE_BEFORE, hash, proof));
            assert_eq!(opened.body, b"{\"a\":\"seq\"}");
        }
    }

    #[test]
    fn a_sealed_line_is_json() {
        for (proof, field) in [(Proof::Blake3, "blake3"), (Proof::Sha256, "hash")] {
            let mut line = b"{\"a\":1}".to_vec();
            seal(&mut line, 0, 3, &NONE_BEFORE, proof);
            let read: serde_json::Value = serde_json::from_slice(&line).unwrap();
            assert_eq!(read["seq"], 3);
            assert_eq!(read[field].as_str().unwrap().len(), 32);
        }
    }

    fn sealed() -> Vec<u8> {
        let mut line = b"{\"a\":\"one\"}".to_vec();
        seal(&mut line, 0, 3, &NONE_BEFORE, Proof::Blake3);
        line.pop();
        line
    }

    #[test]
    fn a_line_without_a_sum_is_compared_with_its_hash_whoever_reads_it() {
        for trust in [Trust::Sum, Trust::Nothing] {
            let mut line = sealed();
            let end = memchr::memmem::find(&line, SUM).unwrap();
            line.truncate(end);
            line.push(b'}');
            assert_eq!(open(&mut line.clone(), trust).unwrap().body, b"{\"a\":\"one\"}");
            line[7] = b'O';
            let why = open(&mut line, trust).unwrap_err();
            assert_eq!(why, "its hash is not the hash of its bytes");
        }
    }

    #[test]
    fn a_damaged_line_does_not_fit_its_sum_and_a_forged_one_its_hash() {
        let mut line = sealed();
        line[7] = b'O';
        for trust in [Trust::Sum, Trust::Nothing] {
            let why = open(&mut line.clone(), trust).unwrap_err();
            assert_eq!(why, "its sum is not the sum of its bytes");
        }
        let end = memchr::memmem::find(&line, SUM).unwrap();
        let forged = sum(&line[..end]);
        line[end + SUM.len()..][..16].copy_from_slice(&forged);
        assert!(open(&mut line.clone(), Trust::Sum).is_ok());
        let why = open(&mut line, Trust::Nothing).unwrap_err();
        assert_eq!(why, "its hash is not the hash of its bytes");
    }

    #[test]
    fn the_sum_and_the_hashes_are_those_that_others_make() {
        // As `printf a | xxhsum -H3`, `b3sum` and `sha256sum` say.
        assert_eq!(&sum(b"a"), b"e6c632b61e964e1f");
        assert_eq!(&Proof::Blake3.hash(b"a"), b"17762fddd969a453925d65717ac3eea2");
        assert_eq!(&Proof::Sha256.hash(b"a"), b"ca978112ca1bbdcafac231b39a23dc4d");
    }

    #[test]
    fn what_is_no_sealed_line_is_said() {
        for (line, why) in [
            ("", "it is empty"),
            ("{}", "it does not end with a hash"),
            ("{\0}", "it holds zero bytes"),
        ] {
            let mut line = line.as_bytes().to_vec();
            assert_eq!(open(&mut line, Trust::Nothing).unwrap_err(), why);
        }
    }
}
