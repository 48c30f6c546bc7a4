//! A text and a word in, whether the text says it out.

/// Says whether a text has a word, or a name, by itself: `epic` is not in `epics`, `epic_id` or `sub-epic`.
pub fn says(text: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    let is_inside = |at: char| at.is_alphanumeric() || matches!(at, '_' | '-');
    memchr::memmem::find_iter(text.as_bytes(), word.as_bytes()).any(|at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        ![before, after].into_iter().flatten().any(is_inside)
    })
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_name_is_a_word_of_its_own() {
        assert!(says("out/{{epic}}", "epic"));
        assert!(!says("epics and epic_id, sub-epic", "epic"));
        assert!(says("{epics} {epic}", "epic"));
        assert!(says("{{story.title}}", "story.title"));
        assert!(!says("über", "ber"));
        assert!(!says("ü", ""));
    }
}
