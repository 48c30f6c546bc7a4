//! A name and a text in, the places out where the name is a word of its own.

use memchr::memmem::{Finder, find_iter};

/// Returns where a name stands in a text as a word of its own.
pub(crate) fn places_of<'a>(name: &'a str, text: &'a str) -> impl Iterator<Item = usize> {
    let is_alone = is_alone(name, text);
    find_iter(text.as_bytes(), name.as_bytes()).filter(move |at| is_alone(*at))
}

/// A name that is looked for in many texts.
pub(super) struct Sought<'n> {
    name: &'n str,
    finder: Finder<'n>,
}

impl<'n> Sought<'n> {
    /// Makes ready to look for a name.
    pub(super) fn new(name: &'n str) -> Self {
        let finder = Finder::new(name.as_bytes());
        Self { name, finder }
    }

    /// Returns where it stands in a text as a word of its own.
    pub(super) fn places_in(&self, text: &str) -> impl Iterator<Item = usize> {
        let is_alone = is_alone(self.name, text);
        self.finder.find_iter(text.as_bytes()).filter(move |at| is_alone(*at))
    }
}

/// Returns what says of a place of a name in a text whether it is a word of its own there.
fn is_alone(name: &str, text: &str) -> impl Fn(usize) -> bool {
    let (bytes, length) = (text.as_bytes(), name.len());
    let goes_on = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    move |at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !goes_on(before) && !goes_on(bytes.get(at + length))
    }
}

#[cfg(test)]
mod tests {
    use super::{Sought, places_of};

    #[test]
    fn a_part_of_a_longer_word_is_no_place() {
        let text = "name, {name} names my_name name1 é name";
        let places: Vec<usize> = places_of("name", text).collect();
        assert_eq!(places, [0, 7, 36]);
        assert!(Sought::new("name").places_in(text).eq(places));
    }
}
