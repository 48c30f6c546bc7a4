//! Any text in, one line of Markdown out that shows it and does nothing else; and back.

/// Words that a tracker marks its parts with.
const MARKS: &[&str] = &["ISSUES_START", "ISSUES_END", "FIXES_START", "FIXES_END"];

/// Returns a text as one line in which no mark of Markdown or of a tracker works.
pub(in crate::builtins) fn safe(text: &str) -> String {
    let line = one_line(text);
    let mut shown = String::with_capacity(line.len() + 8);
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        let starts = at == 0 && "#-+*>=~`[_:".contains(character);
        let ends = line[at + character.len_utf8()..]
            .chars()
            .next()
            .is_none_or(|next| next == ' ');
        let counts = at == number && number > 0 && ".)".contains(character) && ends;
        let works = "\\|<".contains(character) || (character == '>' && before == '-');
        let marks = character == '_' && is_in_mark(&line, at);
        if starts || counts || works || marks {
            shown.push('\\');
        }
        shown.push(character);
        before = character;
    }
    shown
}

/// Returns what a line made by `safe` shows.
pub(super) fn shown(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(next) if character == '\\' && next.is_ascii_punctuation() => {
                text.push(*next);
                characters.next();
            }
            Some(_) | None => text.push(character),
        }
    }
    text
}

/// Brings a text to one line: control characters and marks that turn the direction of writing are spaces.
pub(super) fn one_line(text: &str) -> String {
    let is_gap = |mark: char| {
        mark.is_whitespace()
            || mark.is_control()
            || matches!(mark, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Says whether the byte is the underscore of a mark.
fn is_in_mark(line: &str, at: usize) -> bool {
    MARKS.iter().any(|mark| {
        let (first, last) = mark.split_once('_').unwrap_or_default();
        line[..at].ends_with(first) && line[at + 1..].starts_with(last)
    })
}

#[cfg(test)]
mod tests {
    use super::{one_line, safe, shown};

    #[test]
    fn what_is_shown_is_what_was_said() {
        for text in [
            "a plain sentence",
            "### F-9 · low · fixed",
            "<!-- ISSUES_END -->",
            "| a | b |",
            "1. first",
            "2) second",
            "--> out",
            "back\\slash \\| and \\\\",
            "```",
            "snake_case stays",
            "",
        ] {
            assert_eq!(shown(&safe(text)), one_line(text), "{text}");
        }
    }

    #[test]
    fn marks_are_broken_up() {
        assert_eq!(safe("<!-- ISSUES_END -->"), "\\<!-- ISSUES\\_END --\\>");
        assert_eq!(safe("# x\n# y"), "\\# x # y");
        assert_eq!(safe("snake_case"), "snake_case");
    }

    #[test]
    fn nothing_breaks_a_line() {
        assert_eq!(safe("a\u{2028}b\u{85}c\u{0}d\u{202e}e\r\nf"), "a b c d e f");
    }
}
