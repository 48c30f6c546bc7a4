//! Bytes of a terminal in, keys out.

use std::mem::take;

const ESCAPE: u8 = 0x1b;
const PASTE_ENDS: &[u8] = b"\x1b[201~";
/// The longest sequence that is waited for; more is noise.
const MAX_SEQUENCE: usize = 32;

/// One thing that a person did at the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// A character.
    Char(char),
    /// Text that was pasted; a line end in it sends nothing.
    Paste(String),
    /// Control with a letter, in lower case.
    Ctrl(char),
    /// Alt with a character.
    Alt(char),
    Enter,
    /// A new line inside the answer.
    NewLine,
    Backspace,
    Delete,
    Left,
    Right,
    WordLeft,
    WordRight,
    Up,
    Down,
    Home,
    End,
    Escape,
}

/// Turns bytes into keys; what is not complete waits for more.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    bytes: Vec<u8>,
    pasting: bool,
}

/// What the first bytes are: how many, and which key; none for noise.
enum Step {
    Took(usize, Option<Key>),
    Paste,
    More,
}

impl Decoder {
    /// Takes bytes and returns the keys they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.bytes.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while !self.bytes.is_empty() {
            if self.pasting {
                match self.paste() {
                    Some(key) => keys.push(key),
                    None => break,
                }
                continue;
            }
            match step(&self.bytes) {
                Step::Took(length, key) => {
                    self.bytes.drain(..length);
                    keys.extend(key);
                }
                Step::Paste => {
                    self.bytes.drain(..PASTE_ENDS.len());
                    self.pasting = true;
                }
                Step::More => break,
            }
        }
        keys
    }

    /// Says that nothing more came for a while: a lone escape is the key of that name.
    pub(super) fn settle(&mut self) -> Option<Key> {
        if self.pasting {
            return None;
        }
        let waiting = take(&mut self.bytes);
        (waiting == [ESCAPE]).then_some(Key::Escape)
    }

    fn paste(&mut self) -> Option<Key> {
        let end = memchr::memmem::find(&self.bytes, PASTE_ENDS)?;
        let text = String::from_utf8_lossy(&self.bytes[..end]);
        let key = Key::Paste(text.replace("\r\n", "\n").replace('\r', "\n"));
        self.bytes.drain(..end + PASTE_ENDS.len());
        self.pasting = false;
        Some(key)
    }
}

fn step(bytes: &[u8]) -> Step {
    match bytes {
        [] => Step::More,
        [ESCAPE] => Step::More,
        [ESCAPE, b'[', rest @ ..] => sequence(rest, 2),
        [ESCAPE, b'O', rest @ ..] => sequence(rest, 2),
        [ESCAPE, b'\r' | b'\n', ..] => Step::Took(2, Some(Key::NewLine)),
        [ESCAPE, 0x7f | 0x08, ..] => Step::Took(2, Some(Key::Ctrl('w'))),
        [ESCAPE, ESCAPE, ..] => Step::Took(1, Some(Key::Escape)),
        [ESCAPE, rest @ ..] => match character(rest) {
            Step::Took(length, Some(Key::Char('b'))) => Step::Took(length + 1, Some(Key::WordLeft)),
            Step::Took(length, Some(Key::Char('f'))) => Step::Took(length + 1, Some(Key::WordRight)),
            Step::Took(length, Some(Key::Char(letter))) => Step::Took(length + 1, Some(Key::Alt(letter))),
            Step::Took(length, _) => Step::Took(length + 1, None),
            Step::Paste | Step::More => Step::More,
        },
        [b'\r' | b'\n', ..] => Step::Took(1, Some(Key::Enter)),
        [b'\t', ..] => Step::Took(1, Some(Key::Char('\t'))),
        [0x7f | 0x08, ..] => Step::Took(1, Some(Key::Backspace)),
        [control @ 1..=26, ..] => Step::Took(1, Some(Key::Ctrl(char::from(control + b'a' - 1)))),
        [0..=31, ..] => Step::Took(1, None),
        [..] => character(bytes),
    }
}

fn character(bytes: &[u8]) -> Step {
    let length = match bytes.first() {
        None => return Step::More,
        Some(0..=0x7f) => 1,
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        Some(0x80..=0xc1 | 0xf5..=0xff) => return Step::Took(1, None),
    };
    let whole = &bytes[..length.min(bytes.len())];
    match std::str::from_utf8(whole) {
        Ok(text) => Step::Took(length, text.chars().next().map(Key::Char)),
        Err(error) if error.error_len().is_none() && bytes.len() < length => Step::More,
        Err(_) => Step::Took(1, None),
    }
}

/// Reads what follows `ESC [`: numbers and one final character.
fn sequence(rest: &[u8], before: usize) -> Step {
    let Some(end) = rest.iter().position(|at| (0x40..=0x7e).contains(at)) else {
        return if rest.len() > MAX_SEQUENCE {
            Step::Took(before + rest.len(), None)
        } else {
            Step::More
        };
    };
    let numbers = std::str::from_utf8(&rest[..end]).unwrap_or("");
    let key = match (rest[end], numbers) {
        (b'~', "200") => return Step::Paste,
        (b'A', _) => Some(Key::Up),
        (b'B', _) => Some(Key::Down),
        (b'C', "") => Some(Key::Right),
        (b'D', "") => Some(Key::Left),
        (b'C', _) => Some(Key::WordRight),
        (b'D', _) => Some(Key::WordLeft),
        (b'H', _) | (b'~', "1" | "7") => Some(Key::Home),
        (b'F', _) | (b'~', "4" | "8") => Some(Key::End),
        (b'~', "3") => Some(Key::Delete),
        _ => None,
    };
    Step::Took(before + end + 1, key)
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Key};

    fn keys(bytes: &[u8]) -> Vec<Key> {
        Decoder::default().feed(bytes)
    }

    #[test]
    fn letters_of_any_script_are_keys() {
        let expected = ["a", "é", "漢", "🎈"].map(|text| Key::Char(text.chars().next().unwrap()));
        assert_eq!(keys("aé漢🎈".as_bytes()), expected);
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let mut decoder = Decoder::default();
        let keys: Vec<Key> = "漢".bytes().flat_map(|byte| decoder.feed(&[byte])).collect();
        assert_eq!(keys, [Key::Char('漢')]);
    }

    #[test]
    fn arrows_come_in_both_forms() {
        assert_eq!(
            keys(b"\x1b[A\x1bOB\x1b[C\x1b[D"),
            [Key::Up, Key::Down, Key::Right, Key::Left]
        );
    }

    #[test]
    fn words_are_jumped_with_control_or_alt() {
        assert_eq!(
            keys(b"\x1b[1;5C\x1b[1;3D\x1bb\x1bf"),
            [Key::WordRight, Key::WordLeft, Key::WordLeft, Key::WordRight]
        );
    }

    #[test]
    fn keys_that_edit_a_line_are_known() {
        assert_eq!(
            keys(b"\x7f\x08\x1b[3~\x1b[H\x1b[4~\x01\x05\x15\x17\r\x1b\r"),
            [
                Key::Backspace,
                Key::Backspace,
                Key::Delete,
                Key::Home,
                Key::End,
                Key::Ctrl('a'),
                Key::Ctrl('e'),
                Key::Ctrl('u'),
                Key::Ctrl('w'),
                Key::Enter,
                Key::NewLine,
            ]
        );
    }

    #[test]
    fn a_lone_escape_is_a_key_once_nothing_follows() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(b"\x1b"), []);
        assert_eq!(decoder.settle(), Some(Key::Escape));
        assert_eq!(decoder.feed(b"[A"), [Key::Char('['), Key::Char('A')]);
    }

    #[test]
    fn a_paste_is_one_key_and_sends_nothing() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.feed(b"\x1b[200~one\r\ntw"), []);
        assert_eq!(decoder.settle(), None);
        assert_eq!(
            decoder.feed(b"o\rthree\x1b[201~\r"),
            [Key::Paste("one\ntwo\nthree".to_owned()), Key::Enter]
        );
    }

    #[test]
    fn noise_is_dropped_and_what_follows_is_read() {
        assert_eq!(keys(b"\xff\xc0\x00\x1b[99za"), [Key::Char('a')]);
        assert_eq!(keys(b"\xe6a"), [Key::Char('a')]);
    }
}
