//! A name and a text in, the places out where the name is a word of its own.

/// Returns where a name stands in a text as a word of its own.
pub(crate) fn places_of<'a>(name: &'a str, text: &'a str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let goes_on = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(bytes, name.as_bytes()).filter(move |at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !goes_on(before) && !goes_on(bytes.get(at + name.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::places_of;

    #[test]
    fn a_part_of_a_longer_word_is_no_place() {
        let places: Vec<usize> = places_of("name", "name, {name} names my_name name1 é name").collect();
        assert_eq!(places, [0, 7, 36]);
    }
}
