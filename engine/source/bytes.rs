//! Some bytes in, whether any byte is among them out, in one look; a text in, the nearest place of a byte out.

#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::{One, Three, Two};

/// A set of bytes.
#[derive(Debug)]
pub(crate) struct ByteSet([bool; 256]);

impl ByteSet {
    /// Makes a set of some bytes.
    pub(crate) const fn of(bytes: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            set[bytes[at] as usize] = true;
            at += 1;
        }
        Self(set)
    }

    /// Adds the letters and digits of ASCII.
    pub(crate) const fn and_alphanumeric(mut self) -> Self {
        let mut at = 0;
        while at < 128 {
            self.0[at] |= (at as u8).is_ascii_alphanumeric();
            at += 1;
        }
        self
    }

    /// Adds the bytes of all characters that are not ASCII.
    pub(crate) const fn and_wide(mut self) -> Self {
        let mut at = 128;
        while at < 256 {
            self.0[at] = true;
            at += 1;
        }
        self
    }

    /// Says whether a byte is in the set.
    #[inline]
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }
}

/// Returns where a byte stands first, which is most likely near: asking a searcher of long texts for every line or name costs
/// more than the search itself, as it chooses anew each time how to go about it.
#[inline]
pub(crate) fn near_byte(byte: u8, bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = One::new(byte) {
        return one.find(bytes);
    }
    memchr::memchr(byte, bytes)
}

/// Returns where the first of two bytes stands, which is most likely near.
#[inline]
pub(crate) fn near_either(one: u8, other: u8, bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(two) = Two::new(one, other) {
        return two.find(bytes);
    }
    memchr::memchr2(one, other, bytes)
}

/// Returns where the first of three bytes stands, which is most likely near.
#[inline]
pub(crate) fn near_any(one: u8, other: u8, third: u8, bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(three) = Three::new(one, other, third) {
        return three.find(bytes);
    }
    memchr::memchr3(one, other, third, bytes)
}

/// Returns all places of a byte, which most likely are near each other.
#[inline]
pub(crate) fn near_places(byte: u8, bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = from + near_byte(byte, &bytes[from..])?;
        from = found + 1;
        Some(found)
    })
}

/// Returns where a byte stands last, which is most likely near the end.
#[inline]
pub(crate) fn near_last(byte: u8, bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = One::new(byte) {
        return one.rfind(bytes);
    }
    memchr::memrchr(byte, bytes)
}

/// Returns where the last of two bytes stands, which is most likely near the end.
#[inline]
pub(crate) fn near_last_either(one: u8, other: u8, bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if let Some(two) = Two::new(one, other) {
        return two.rfind(bytes);
    }
    memchr::memrchr2(one, other, bytes)
}

#[cfg(test)]
mod tests {
    use super::{ByteSet, near_any, near_byte, near_either, near_last, near_last_either, near_places};
    use crate::source::Dice;

    #[test]
    fn a_byte_is_found_where_it_stands_first_and_last() {
        let mut dice = Dice(6);
        for _ in 0..4_000 {
            let length = dice.roll(200);
            let text: Vec<u8> = (0..length).map(|_| dice.roll(40) as u8).collect();
            for byte in [0, 7, 39, 40] {
                let expected = text.iter().position(|other| *other == byte);
                assert_eq!(near_byte(byte, &text), expected, "{byte} in {text:?}");
                let last = text.iter().rposition(|other| *other == byte);
                assert_eq!(near_last(byte, &text), last, "{byte} in {text:?}");
                let either = text.iter().position(|other| [byte, 20].contains(other));
                assert_eq!(near_either(byte, 20, &text), either, "{byte} in {text:?}");
                let either = text.iter().rposition(|other| [byte, 20].contains(other));
                assert_eq!(near_last_either(byte, 20, &text), either, "{byte} in {text:?}");
                let any = text.iter().position(|other| [byte, 20, 30].contains(other));
                assert_eq!(near_any(byte, 20, 30, &text), any, "{byte} in {text:?}");
                let all = (0..text.len()).filter(|at| text[*at] == byte);
                assert!(near_places(byte, &text).eq(all), "{byte} in {text:?}");
            }
        }
    }

    #[test]
    fn a_set_has_what_it_was_made_of_and_nothing_else() {
        let set = ByteSet::of(b"_\xe2").and_alphanumeric();
        for byte in 0..=u8::MAX {
            let expected = byte.is_ascii_alphanumeric() || byte == b'_' || byte == 0xe2;
            assert_eq!(set.has(byte), expected, "{byte}");
        }
        assert!(!ByteSet::of(b"_").has(b'a'));
        let wide = ByteSet::of(b"a").and_wide();
        assert!((0..=u8::MAX).all(|byte| wide.has(byte) == (byte == b'a' || !byte.is_ascii())));
    }
}
