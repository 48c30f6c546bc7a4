//! A name and a text in, the places out where the name is a word of its own.

use crate::source::QuickMap;
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

/// Where the words of a text stand, for one that many names are looked for in.
pub(super) struct Words<'t> {
    text: &'t str,
    places: QuickMap<&'t str, Vec<usize>>,
}

impl<'t> Words<'t> {
    /// Reads a text.
    pub(super) fn of(text: &'t str) -> Self {
        let mut places: QuickMap<&str, Vec<usize>> = QuickMap::default();
        let mut at = 0;
        while at < text.len() {
            let length = run(&text[at..]).len();
            if length > 0 {
                places.entry(&text[at..at + length]).or_default().push(at);
            }
            at = text.ceil_char_boundary(at + length + 1);
        }
        Self { text, places }
    }

    /// Returns where a name stands as a word of its own; nothing of a name that does not begin as a word does.
    pub(super) fn places_of(&self, name: &str) -> Option<impl Iterator<Item = usize>> {
        let first = Some(run(name)).filter(|first| !first.is_empty())?;
        let is_alone = is_alone(name, self.text);
        let found = self.places.get(first).into_iter().flatten().copied();
        Some(found.filter(move |at| self.text[*at..].starts_with(name) && is_alone(*at)))
    }
}

/// Returns the letters and digits that a text begins with.
fn run(text: &str) -> &str {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    &text[..end.unwrap_or(text.len())]
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
    use super::{Sought, Words, places_of};

    #[test]
    fn a_part_of_a_longer_word_is_no_place() {
        let text = "name, {name} names my_name name1 é name";
        let places: Vec<usize> = places_of("name", text).collect();
        assert_eq!(places, [0, 7, 36]);
        assert!(Sought::new("name").places_in(text).eq(places));
    }
    #[test]
    fn many_names_are_found_as_one_is() {
        let text = "é a-b a, a_b ab.a {a}a a-bc\na-b é_a 1a a1";
        let words = Words::of(text);
        for name in [
            "a", "b", "a-b", "a_b", "ab.a", "a-bc", "1a", "a1", "bc", "a-b é", "_a", "x", "a,",
        ] {
            let found: Vec<usize> = words.places_of(name).unwrap().collect();
            assert_eq!(found, places_of(name, text).collect::<Vec<_>>(), "{name}");
        }
        assert!(words.places_of("é").is_none() && words.places_of("").is_none());
    }
}
