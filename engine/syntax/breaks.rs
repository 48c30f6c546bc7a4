//! A text in, where its lines end out.

/// How many bytes are looked at together before it is asked which of them is the one.
const STRIDE: usize = 32;
/// A byte of a line break in every place.
const BREAKS: u64 = u64::from_le_bytes([b'\n'; 8]);
/// The lowest bit of every byte.
const LOWEST: u64 = u64::from_le_bytes([1; 8]);
/// The highest bit of every byte.
const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);

/// Returns where the first line break at or after a place stands, or the end of the text. Lines are short: asking a searcher
/// of long texts for every one of them costs more than the search itself.
#[inline]
pub(super) fn line_break(bytes: &[u8], from: usize) -> usize {
    let (strides, rest) = bytes.get(from..).unwrap_or_default().as_chunks::<STRIDE>();
    for (number, stride) in strides.iter().enumerate() {
        if stride.iter().fold(false, |holds, byte| holds | (*byte == b'\n')) {
            return from + number * STRIDE + place(stride);
        }
    }
    let end = from + strides.len() * STRIDE;
    end + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

/// Returns where in a stride that holds a line break the first one stands.
#[inline]
fn place(stride: &[u8; STRIDE]) -> usize {
    let (words, _) = stride.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ BREAKS;
        // The lowest byte that is marked is a line break, whatever is marked above it.
        let marks = other.wrapping_sub(LOWEST) & !other & HIGHEST;
        if marks != 0 {
            return number * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    STRIDE
}

#[cfg(test)]
mod tests {
    use super::line_break;
    use crate::source::Dice;

    #[test]
    fn a_line_ends_at_the_next_line_break_or_with_the_text() {
        let mut dice = Dice(5);
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..dice.roll(40) {
                text.push_str(dice.pick(&["\n", "a", "\u{b}", "\t", "\u{8a}", "é", "a longer piece of a line"]));
            }
            for from in 0..=text.len() {
                let rest = &text.as_bytes()[from..];
                let expected = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                assert_eq!(
                    line_break(text.as_bytes(), from),
                    from + expected,
                    "{text:?} from {from}"
                );
            }
        }
    }
}
