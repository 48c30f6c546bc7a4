//! A form and words in, a sentence out, and back: a sentence in, whether it is of that form.
//!
//! A claim travels through trackers and other agents as a sentence. When it comes back to be judged again, its form
//! says which check made it.

/// Stands for words of the document.
const BLANK: &str = "{}";

/// Fills the blanks of a form.
pub(super) fn say<const N: usize>(form: &str, words: [&str; N]) -> String {
    let mut said = String::new();
    let mut words = words.into_iter();
    let mut parts = form.split(BLANK);
    said.push_str(parts.next().unwrap_or(""));
    for part in parts {
        said.push_str(words.next().unwrap_or(BLANK));
        said.push_str(part);
    }
    said
}

/// Says whether a sentence is a form with its blanks filled.
pub(super) fn is_said(form: &str, sentence: &str) -> bool {
    let mut parts = form.split(BLANK);
    let Some(mut rest) = sentence.trim().strip_prefix(parts.next().unwrap_or("")) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{is_said, say};

    #[test]
    fn what_is_said_is_known_again() {
        let form = "the {} is given as {} and as {}";
        let said = say(form, ["timeout", "30 s", "60 s"]);
        assert_eq!(said, "the timeout is given as 30 s and as 60 s");
        assert!(is_said(form, &said));
        assert!(is_said("nothing is here", "nothing is here "));
        assert!(is_said("ends with {}", "ends with a word"));
    }

    #[test]
    fn what_somebody_else_said_is_not() {
        let form = "the {} is given as {} and as {}";
        assert!(!is_said(form, "the timeout is given as 30 s"));
        assert!(!is_said(form, "The timeout is unclear"));
        assert!(!is_said("nothing is here", "nothing is here either"));
    }
}
