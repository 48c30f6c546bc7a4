//! A text in, the places of its line breaks out: most lines are too short for a search that is made for long ones.

/// The line breaks of a text, in order.
pub(crate) struct Breaks<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Breaks<'t> {
    /// Finds the line breaks at or after a place.
    #[inline]
    pub(crate) fn new(text: &'t str, from: usize) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: from,
        }
    }
}

impl Iterator for Breaks<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let mut rest = self.bytes.get(self.at..)?;
        while let Some((many, after)) = rest.split_first_chunk()
            && !hold_break(many)
        {
            rest = after;
        }
        while let Some((eight, after)) = rest.split_first_chunk() {
            let found = first_break(u64::from_le_bytes(*eight));
            if found < eight.len() {
                return Some(self.found(rest, found));
            }
            rest = after;
        }
        let found = rest.iter().position(|byte| *byte == b'\n')?;
        Some(self.found(rest, found))
    }
}

impl Breaks<'_> {
    /// Takes the line break at a place of what is left of the text.
    #[inline]
    fn found(&mut self, rest: &[u8], place: usize) -> usize {
        let found = self.bytes.len() - rest.len() + place;
        self.at = found + 1;
        found
    }
}

/// Says whether a line break is among some bytes, all of which are looked at side by side.
#[inline]
fn hold_break(bytes: &[u8; 32]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (*byte == b'\n'))
}

/// Returns the place of the first line break among eight bytes; eight for none.
///
/// Taking one from each byte leaves the highest bit of the first that was zero; bytes behind it may lend theirs.
#[inline]
fn first_break(eight: u64) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let others = eight ^ u64::from_le_bytes([b'\n'; 8]);
    let zeros = others.wrapping_sub(EACH) & !others & (EACH * 0x80);
    zeros.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::Breaks;

    #[test]
    fn every_line_break_is_found_and_nothing_else() {
        let every: String = (0..512).filter_map(char::from_u32).collect();
        let many = ["\n", "a\n", "\n\n\u{8a}\u{b}\t", &every, "0123456\n", "01234567\n"];
        for text in many.iter().flat_map(|text| [(*text).to_owned(), text.repeat(7)]) {
            for from in 0..text.len() + 1 {
                let rest = text.as_bytes().get(from..).unwrap_or(&[]);
                let places = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                let expected: Vec<usize> = places.map(|(at, _)| from + at).collect();
                assert_eq!(Breaks::new(&text, from).collect::<Vec<_>>(), expected, "{text:?}");
            }
        }
    }
}
