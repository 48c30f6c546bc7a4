//! Sixteen bytes in, the places out where words and marks stand.

/// How many bytes are looked at at once.
pub(super) const ROOM: usize = 16;

/// The highest bits of those bytes that were looked for, eight bytes in each.
pub(super) type Places = [u64; ROOM / 8];

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

/// Tells the letters and digits of ASCII, and all other bytes but spaces and the marks from `(` to `:`.
///
/// Nothing in it depends on a byte before, so that all of them are told at once.
#[inline(always)]
pub(super) fn places(room: &[u8; ROOM]) -> (Places, Places) {
    let (mut words, mut marks) = ([0; ROOM], [0; ROOM]);
    for (at, byte) in room.iter().enumerate() {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_digit = byte.wrapping_sub(b'0') < 10;
        let is_gap = (byte.wrapping_sub(b'(') <= b':' - b'(') | (*byte == b' ');
        words[at] = u8::from(is_letter | is_digit) << 7;
        marks[at] = u8::from(!(is_letter | is_gap)) << 7;
    }
    (halves(&words), halves(&marks))
}

#[inline(always)]
fn halves(room: &[u8; ROOM]) -> Places {
    let (eights, _) = room.as_chunks();
    std::array::from_fn(|half| u64::from_le_bytes(eights[half]))
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
                let (words, marks) = places(&text);
                let only = |is: bool, half: usize| if is && half == at / 8 { 0x80 << (at % 8 * 8) } else { 0 };
                let is_word = byte.is_ascii_alphanumeric();
                let is_mark = !is_word && !matches!(byte, b' ' | b'('..=b':');
                for half in 0..ROOM / 8 {
                    assert_eq!(words[half], only(is_word, half), "{byte} at {at}");
                    assert_eq!(marks[half], only(is_mark, half), "{byte} at {at}");
                }
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
