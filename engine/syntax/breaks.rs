//! A text in, where its lines end out.

use crate::source::near_byte;

/// Returns where the first line break at or after a place stands, or the end of the text.
#[inline]
pub(super) fn line_break(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + near_byte(b'\n', rest).unwrap_or(rest.len())
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
