//! A value that is secret in, every form it may be written in out.

/// The fewest characters of a value that is masked: shorter ones are words of any text.
pub(super) const SHORTEST: usize = 8;
/// The longest piece that is looked for at once, so that little of a text is held back.
const PIECE: usize = 1024;
/// What the names of secret variables end with.
const ENDINGS: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];
const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_ADDRESSES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Says whether a variable of this name holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the forms of a value: as it is, in JSON, in an address, in base64. Long ones and those of several lines come
/// in pieces.
pub(super) fn forms(value: &str) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    let lines = value.lines().map(str::trim).filter(|line| line.len() >= SHORTEST);
    for piece in lines.flat_map(|line| line.as_bytes().chunks(PIECE)) {
        if piece.len() < SHORTEST {
            continue;
        }
        forms.push(piece.to_vec());
        forms.push(in_json(piece));
        forms.push(in_address(piece, b"0123456789ABCDEF"));
        forms.push(in_address(piece, b"0123456789abcdef"));
    }
    // The three places that a value may have among the groups of three bytes around it.
    for bytes in value
        .trim()
        .as_bytes()
        .chunks(PIECE)
        .filter(|bytes| bytes.len() >= SHORTEST)
    {
        for before in 0..3 {
            forms.push(in_base64(bytes, before, STANDARD));
            forms.push(in_base64(bytes, before, FOR_ADDRESSES));
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

fn in_json(bytes: &[u8]) -> Vec<u8> {
    let mut form = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if matches!(byte, b'"' | b'\\') {
            form.push(b'\\');
        }
        form.push(*byte);
    }
    form
}

fn in_address(bytes: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let mut form = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(byte) {
            form.push(*byte);
        } else {
            form.extend([b'%', digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
        }
    }
    form
}

/// Returns the letters that stand for these bytes alone, where so many others come before them.
fn in_base64(bytes: &[u8], before: usize, letters: &[u8; 64]) -> Vec<u8> {
    let first = (before * 8).div_ceil(6);
    let last = (before + bytes.len()) * 8 / 6;
    let bit = |at: usize| {
        let at = at - before * 8;
        bytes[at / 8] >> (7 - at % 8) & 1
    };
    let letter = |group: usize| (0..6).fold(0, |value, at| value << 1 | bit(group * 6 + at));
    (first..last).map(|group| letters[usize::from(letter(group))]).collect()
}
