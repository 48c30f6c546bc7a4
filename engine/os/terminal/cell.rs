//! Text in, what it takes on a screen out: characters as people see them, their width, lines that fit.

use unicode_width::UnicodeWidthStr;

/// The most parts of one character; what piles up more is cut.
const MAX_PARTS: usize = 32;
/// Joins emoji into one.
const JOINER: char = '\u{200d}';

/// Returns the characters of a text as people see them: a letter with its accents, a flag, a family.
pub(super) fn characters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = length(rest)?;
        let (first, after) = rest.split_at(length);
        rest = after;
        Some(first)
    })
}

/// Returns how many bytes the first character of a text has.
fn length(text: &str) -> Option<usize> {
    let mut all = text.char_indices();
    let (_, first) = all.next()?;
    let mut last = first;
    let mut flag = is_flag_half(first);
    for (part, (at, next)) in all.enumerate() {
        if next.is_ascii() || part == MAX_PARTS {
            return Some(at);
        }
        let pair = flag && is_flag_half(next);
        let joined = last == JOINER;
        // An accent, a joiner or a colour of skin takes no room of its own.
        let added = !next.is_control() && width(&text[..at + next.len_utf8()]) <= width(&text[..at]);
        if first.is_control() || !(pair || joined || added) {
            return Some(at);
        }
        flag = false;
        last = next;
    }
    Some(text.len())
}

fn is_flag_half(character: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&character)
}

/// Returns how many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Removes what could move the cursor, change colours or turn the text around.
pub(super) fn visible(text: &str) -> String {
    let hidden = |at: char| {
        (at.is_control() && at != '\n')
            || matches!(at, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace("\r\n", "\n")
        .replace('\t', "    ")
        .chars()
        .filter(|at| !hidden(*at))
        .collect()
}

/// Breaks a text into lines of so many columns, between words where it can.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let indent: String = paragraph
            .chars()
            .take_while(|at| *at == ' ')
            .take(columns / 2)
            .collect();
        let mut line = indent.clone();
        for word in paragraph.split_whitespace() {
            let gap = usize::from(line.len() > indent.len());
            if gap == 1 && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::replace(&mut line, indent.clone()));
            } else if gap == 1 {
                line.push(' ');
            }
            add_word(&mut line, word, columns, &mut lines);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Adds a word to a line; one that fits no line is broken.
fn add_word(line: &mut String, word: &str, columns: usize, lines: &mut Vec<String>) {
    for character in characters(word) {
        if width(line) + width(character) > columns {
            lines.push(std::mem::take(line));
        }
        line.push_str(character);
    }
}

#[cfg(test)]
mod tests {
    use super::{characters, visible, width, wrap};

    #[test]
    fn characters_are_what_people_see() {
        let seen = |text| characters(text).collect::<Vec<_>>();
        assert_eq!(seen("ae\u{301}b"), ["a", "e\u{301}", "b"]);
        assert_eq!(seen("漢字"), ["漢", "字"]);
        assert_eq!(seen("👩‍👩‍👧x"), ["👩‍👩‍👧", "x"]);
        assert_eq!(seen("🇩🇪🇫🇷"), ["🇩🇪", "🇫🇷"]);
        assert_eq!(seen("👍🏽!"), ["👍🏽", "!"]);
        assert_eq!(seen("a\nb"), ["a", "\n", "b"]);
        assert_eq!(seen(""), [""; 0]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!([width("漢"), width("e\u{301}"), width("ab")], [2, 1, 2]);
    }

    #[test]
    fn text_breaks_between_words() {
        assert_eq!(wrap("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrap("  one two three", 9), ["  one two", "  three"]);
    }

    #[test]
    fn a_word_that_fits_no_line_is_broken_between_characters() {
        assert_eq!(wrap("漢字漢字漢字", 9), ["漢字漢字", "漢字"]);
    }

    #[test]
    fn lines_of_the_text_stay_lines() {
        assert_eq!(wrap("one\n\ntwo", 20), ["one", "", "two"]);
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_shown() {
        assert_eq!(visible("a\u{1b}[31mb\r\nc\u{7}\u{202e}d\u{9b}2Je"), "a[31mb\ncd2Je");
    }
}
