//! A text in, one line of it out: the first that says something, cut where it is long. Somebody else wrote it: it does
//! nothing to a terminal.

use crate::source::clean;

/// The longest line that is told of what somebody else said.
const LONGEST: usize = 200;

/// Returns the first line of a text that says something, cut where it is long.
pub fn line(text: &str) -> String {
    line_of(text, LONGEST)
}

/// The same with at most so many characters.
pub fn line_of(text: &str, longest: usize) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", clean(line[..end].trim_end())),
        None => clean(line),
    }
}

#[cfg(test)]
mod tests {
    use super::{line, line_of};

    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(line_of("\n  one\ntwo", 3), "one");
        assert_eq!(line_of("ééé", 2), "éé…");
        assert_eq!(line_of("éé", 2), "éé");
        assert_eq!(line("\u{1b}[2Jno"), "\u{fffd}[2Jno");
        assert_eq!(line(&"x".repeat(201)), format!("{}…", "x".repeat(200)));
    }
}
