//! Sixteen bytes in, the places out where words and marks stand.

/// How many bytes are looked at at once.
pub(super) const ROOM: usize = 16;

/// How many bytes are seen at once: behind the last of those that are looked at, a word may begin that goes on.
pub(super) const SIGHT: usize = ROOM + 4;

/// Returns the last bytes of a text, with line breaks behind.
#[cold]
pub(super) fn last_sight(rest: &[u8]) -> [u8; SIGHT] {
    let mut sight = [b'\n'; SIGHT];
    sight[..rest.len()].copy_from_slice(rest);
    sight
}

/// Returns the four bytes from one of those on that are looked at.
#[inline(always)]
pub(super) fn four(sight: &[u8; SIGHT], at: usize) -> u32 {
    let at = at % ROOM;
    u32::from_le_bytes([sight[at], sight[at + 1], sight[at + 2], sight[at + 3]])
}

/// Marks the letters and digits of ASCII, and all other bytes but spaces and the marks from `(` to `:`, by a bit for each
/// byte.
///
/// Nothing in it depends on a byte before, so that all of them are told at once.
#[inline(always)]
pub(super) fn places(sight: &[u8; SIGHT]) -> (u32, u32) {
    let (mut words, mut marks) = ([0; ROOM], [0; ROOM]);
    let room: [u8; ROOM] = sight.first_chunk().copied().unwrap_or_default();
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
    use super::{ROOM, SIGHT, four, last_sight, places};

    #[test]
    fn every_byte_is_told_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for at in 0..SIGHT {
                let mut text = [b' '; SIGHT];
                text[at] = byte;
                let is_word = byte.is_ascii_alphanumeric();
                let is_mark = !is_word && !matches!(byte, b' ' | b'('..=b':');
                let is_looked_at = |is: bool| u32::from(is && at < ROOM) << at;
                assert_eq!(
                    places(&text),
                    (is_looked_at(is_word), is_looked_at(is_mark)),
                    "{byte} at {at}"
                );
            }
        }
    }

    #[test]
    fn a_text_ends_with_line_breaks() {
        assert_eq!(&last_sight(b"fgh"), b"fgh\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
        assert_eq!(last_sight(b""), [b'\n'; SIGHT]);
        let text = b"0123456789abcdefghij";
        for at in 0..ROOM {
            assert_eq!(&four(text, at).to_le_bytes(), &text[at..at + 4]);
        }
    }
}
