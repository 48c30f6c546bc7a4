//! Any bytes in, bytes out with which a terminal does nothing but show text: others wrote much of what is told.

use std::borrow::Cow;

/// What stands for what a terminal would obey.
const MARK: &[u8] = "\u{fffd}".as_bytes();
/// The longest sequence that sets a colour.
const LONGEST: usize = 24;

/// Takes out what would move a cursor, name a window, turn text around or hide it.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// Whether colours may be set.
    color: bool,
    /// What may be the beginning of something.
    held: Vec<u8>,
}

/// What bytes begin with.
enum Begins {
    /// So many bytes that are shown as they are.
    Shown(usize),
    /// So many bytes that a terminal would obey.
    Obeyed(usize),
    /// Something that is not here to its end.
    Open,
}

impl Plain {
    pub(super) fn new(color: bool) -> Self {
        let held = Vec::new();
        Self { color, held }
    }

    /// Takes the next bytes, and returns what can be shown by now.
    pub(super) fn push<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let is_harmless =
            |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~' | 0x80..) && !matches!(byte, 0xc2 | 0xe2);
        if self.held.is_empty() && bytes.iter().all(is_harmless) {
            return Cow::Borrowed(bytes);
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut shown = Vec::with_capacity(all.len());
        let mut rest = &all[..];
        while !rest.is_empty() {
            match self.begins(rest) {
                Begins::Shown(count) => {
                    shown.extend_from_slice(&rest[..count]);
                    rest = &rest[count..];
                }
                Begins::Obeyed(count) => {
                    shown.extend_from_slice(MARK);
                    rest = &rest[count..];
                }
                Begins::Open => {
                    self.held = rest.to_vec();
                    break;
                }
            }
        }
        Cow::Owned(shown)
    }

    /// Returns what was held back.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let held = std::mem::take(&mut self.held);
        match held.first() {
            Some(0x1b | b'\r') => [MARK, &held[1..]].concat(),
            Some(_) | None => held,
        }
    }

    fn begins(&self, bytes: &[u8]) -> Begins {
        match bytes {
            [b'\r', b'\n', ..] => Begins::Shown(2),
            [b'\r'] | [0xc2] | [0xe2] | [0xe2, 0x80 | 0x81] => Begins::Open,
            [0x1b, rest @ ..] if self.color => colour(rest),
            [b'\n' | b'\t', ..] => Begins::Shown(1),
            [0xc2, 0x80..=0x9f, ..] => Begins::Obeyed(2),
            [0xe2, 0x80, 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa6..=0xa9, ..] => Begins::Obeyed(3),
            [0..b' ' | 0x7f, ..] => Begins::Obeyed(1),
            _ => Begins::Shown(1),
        }
    }
}

/// Reads what stands behind an escape: only a colour or a weight is let through, and nothing that hides text.
fn colour(bytes: &[u8]) -> Begins {
    let Some((b'[', codes)) = bytes.split_first() else {
        return if bytes.is_empty() {
            Begins::Open
        } else {
            Begins::Obeyed(1)
        };
    };
    let count = codes
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
        .count();
    let hides = codes[..count].split(|byte| *byte == b';').any(|code| code == b"8");
    match codes.get(count) {
        Some(b'm') if !hides && count < LONGEST => Begins::Shown(count + 3),
        None if count < LONGEST => Begins::Open,
        Some(_) | None => Begins::Obeyed(1),
    }
}

#[cfg(test)]
mod tests {
    use super::Plain;

    fn shown(color: bool, parts: &[&str]) -> String {
        let mut plain = Plain::new(color);
        let mut all: Vec<u8> = Vec::new();
        for part in parts {
            all.extend_from_slice(&plain.push(part.as_bytes()));
        }
        all.extend(plain.finish());
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn text_stays_as_it_is() {
        let text = "größe → “x”\t1\r\n… é ⁂ 日本\n";
        assert_eq!(shown(false, &[text]), text);
        let bytes: Vec<&str> = text.split_inclusive(|_| true).collect();
        assert_eq!(shown(true, &bytes), text);
    }

    #[test]
    fn what_a_terminal_would_obey_is_marked() {
        for color in [false, true] {
            assert_eq!(shown(color, &["a\u{1b}]0;x\u{7}b"]), "a\u{fffd}]0;x\u{fffd}b");
            assert_eq!(shown(color, &["a\u{1b}[2Jb\rc"]), "a\u{fffd}[2Jb\u{fffd}c");
            assert_eq!(
                shown(color, &["a\u{9b}31mb\u{202e}c\u{2066}d\u{7f}"]),
                "a\u{fffd}31mb\u{fffd}c\u{fffd}d\u{fffd}"
            );
            assert_eq!(shown(color, &["a\u{1b}[0;8mb"]), "a\u{fffd}[0;8mb");
            assert_eq!(shown(color, &["a\u{1b}"]), "a\u{fffd}");
        }
    }

    #[test]
    fn colours_stay_where_there_are_colours() {
        assert_eq!(
            shown(true, &["\u{1b}[1m\u{1b}[38;5;9ma\u{1b}[0m"]),
            "\u{1b}[1m\u{1b}[38;5;9ma\u{1b}[0m"
        );
        assert_eq!(shown(false, &["\u{1b}[1ma"]), "\u{fffd}[1ma");
    }

    #[test]
    fn what_comes_in_pieces_is_the_same() {
        let whole = "a\u{1b}[1mb\u{9b}c\u{202e}d\u{1b}[2J\r\ne";
        let mut plain = Plain::new(true);
        let mut all: Vec<u8> = Vec::new();
        for byte in whole.as_bytes() {
            all.extend_from_slice(&plain.push(&[*byte]));
        }
        all.extend(plain.finish());
        assert_eq!(String::from_utf8(all).unwrap(), shown(true, &[whole]));
        assert_eq!(shown(true, &[whole]), "a\u{1b}[1mb\u{fffd}c\u{fffd}d\u{fffd}[2J\r\ne");
    }
}
