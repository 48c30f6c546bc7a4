//! Sixteen bytes in, the places out where words and marks stand.

/// How many bytes are looked at at once.
pub(super) const ROOM: usize = 16;

/// Returns the bytes at a place; behind the end of a text there are line breaks.
#[inline(always)]
pub(super) fn room(bytes: &[u8], at: usize) -> [u8; ROOM] {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first_chunk().copied().unwrap_or_else(|| last_room(rest))
}

#[cold]
fn last_room(rest: &[u8]) -> [u8; ROOM] {
    let mut room = [b'\n'; ROOM];
    room[..rest.len()].copy_from_slice(rest);
    room
}

/// Marks the letters and digits of ASCII, and all other bytes but spaces and the marks from `(` to `:`, by a bit for each
/// byte.
///
/// Nothing in it depends on a byte before, so that all of them are told at once.
#[inline(always)]
pub(super) fn places(room: &[u8; ROOM]) -> (u32, u32) {
    let (mut words, mut marks) = ([0; ROOM], [0; ROOM]);
    for (at, byte) in room.iter().enumerate() {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        let is_gap = (byte.wrapping_sub(b'(') <= b':' - b'(') | (*byte == b' ');
        let bit = 1 << (at % 8);
        words[at] = if is_letter | is_digit { bit } else { 0 };
        marks[at] = if is_letter | is_gap { 0 } else { bit };
    }
    (bits(&words), bits(&marks))
}

/// Puts the bits of all bytes side by side: of eight bytes each has another, so that their sum has all of them.
#[inline(always)]
fn bits(room: &[u8; ROOM]) -> u32 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let (eights, _) = room.as_chunks();
    let sum = |half: usize| (u64::from_le_bytes(eights[half]).wrapping_mul(EACH) >> 56) as u32;
    sum(0) | sum(1) << 8
}

#[cfg(test)]
mod tests {
    use super::{ROOM, places, room};

    #[test]
    fn every_byte_is_told_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for at in 0..ROOM {
                let mut text = [b' '; ROOM];
                text[at] = byte;
                let is_word = byte.is_ascii_alphanumeric();
                let is_mark = !is_word && !matches!(byte, b' ' | b'('..=b':');
                let expected = (u32::from(is_word) << at, u32::from(is_mark) << at);
                assert_eq!(places(&text), expected, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn a_text_ends_with_line_breaks() {
        let text = b"0123456789abcdefgh";
        assert_eq!(&room(text, 1), b"123456789abcdefg");
        assert_eq!(&room(text, 15), b"fgh\n\n\n\n\n\n\n\n\n\n\n\n\n");
        assert_eq!(room(text, 18), [b'\n'; ROOM]);
    }
}
