//! Any text in, one that a terminal only shows out: somebody else wrote it.

/// Returns a character that can be printed without moving a cursor, changing a colour or turning text around.
pub(crate) fn printable(character: char) -> char {
    match character {
        '\t' => '\t',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        other if other.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

/// Returns a text in which nothing but line ends does anything.
pub(crate) fn clean(text: &str) -> String {
    // Nearly all of what is told is such text.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return text.to_owned();
    }
    let keep = |each: char| if each == '\n' { each } else { printable(each) };
    // Nearly all texts stay as they are.
    if is_plain(text) || text.chars().all(|each| keep(each) == each) {
        return text.to_owned();
    }
    text.replace("\r\n", "\n").chars().map(keep).collect()
}

/// Says whether a text surely does nothing, by its bytes: marks that do something and have more than one byte begin with
/// one of two.
fn is_plain(text: &str) -> bool {
    let may_do = |byte: u8| {
        let is_control = (byte < b' ') & (byte != b'\n') & (byte != b'\t');
        is_control | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xe2)
    };
    !text.bytes().fold(false, |found, byte| found | may_do(byte))
}

#[cfg(test)]
mod tests {
    use super::{clean, is_plain, printable};

    #[test]
    fn a_plain_text_holds_no_character_that_does_something() {
        let characters = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        for character in characters.filter(|each| printable(*each) != *each && *each != '\n') {
            assert!(!is_plain(&format!("a{character}")), "{character:?}");
        }
        assert!(is_plain("a\n\tb é 日本"));
    }

    #[test]
    fn what_would_do_something_to_a_terminal_is_shown_as_a_mark() {
        assert_eq!(
            clean("a\r\n\tb\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\rc"),
            "a\n\tb\u{fffd}]0;x\u{fffd}\u{fffd}2J\u{fffd}\u{fffd}c"
        );
        assert_eq!(clean("~ a\n\tb"), "~ a\n\tb");
        assert_eq!(clean("a\u{7f}\rb"), "a\u{fffd}\u{fffd}b");
    }
}
