//! Any bytes in, bytes out with which a terminal does nothing but show text: others wrote much of what is told.

use std::borrow::Cow;

/// What stands for what a terminal would obey.
const MARK: &[u8] = "\u{fffd}".as_bytes();
/// The longest sequence that sets a colour.
const LONGEST: usize = 24;
/// How many bytes text may have that is set apart because it runs the other way.
const APART: usize = 2000;

/// Takes out what would move a cursor, name a window, turn text around or hide it.
#[derive(Debug, Default)]
pub(super) struct Plain {
    kind: Kind,
    /// What may be the beginning of something.
    held: Vec<u8>,
    /// How many texts that are set apart have begun and not ended.
    apart: usize,
}

/// What is printed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Text,
    Coloured,
    /// What a terminal would obey is spelt out.
    Json,
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
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// Takes the next bytes, and returns what can be shown by now.
    pub(super) fn push<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if self.held.is_empty() && harmless(bytes) == bytes.len() {
            return Cow::Borrowed(bytes);
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut shown = Vec::with_capacity(all.len());
        let mut rest = &all[..];
        loop {
            let (plain, behind) = rest.split_at(harmless(rest));
            shown.extend_from_slice(plain);
            rest = behind;
            if rest.is_empty() {
                break;
            }
            match self.begins(rest) {
                Begins::Shown(count) => {
                    shown.extend_from_slice(&rest[..count]);
                    rest = &rest[count..];
                }
                Begins::Obeyed(count) => {
                    let (obeyed, behind) = rest.split_at(count);
                    shown.extend_from_slice(&self.instead(obeyed));
                    rest = behind;
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
        let mut shown = Vec::new();
        loop {
            let held = std::mem::take(&mut self.held);
            match held.as_slice() {
                [0x1b | b'\r', rest @ ..] => return [&shown, MARK, rest].concat(),
                [0xe2, 0x81, 0xa6..=0xa8, rest @ ..] => {
                    shown.extend_from_slice(MARK);
                    shown.extend_from_slice(&self.push(rest));
                }
                rest => return [&shown, rest].concat(),
            }
        }
    }

    /// Returns what is written instead of what a terminal would obey.
    fn instead(&self, obeyed: &[u8]) -> Vec<u8> {
        if self.kind != Kind::Json {
            return MARK.to_vec();
        }
        let spelt = String::from_utf8_lossy(obeyed);
        let spelt = spelt.chars().map(|each| format!("\\u{:04x}", u32::from(each)));
        spelt.collect::<String>().into_bytes()
    }

    fn begins(&mut self, bytes: &[u8]) -> Begins {
        match bytes {
            [0xc2] | [0xe2] | [0xe2, 0x80 | 0x81] => Begins::Open,
            [0xc2, 0x80..=0x9f, ..] => Begins::Obeyed(2),
            [0xe2, 0x80, 0xaa..=0xae, ..] => Begins::Obeyed(3),
            [0x7f, ..] => Begins::Obeyed(1),
            [0xe2, 0x81, 0xa6..=0xa9, ..] if self.kind == Kind::Json => Begins::Obeyed(3),
            _ if self.kind == Kind::Json => Begins::Shown(1),
            [0xe2, 0x81, mark @ 0xa6..=0xa9, rest @ ..] => self.sets_apart(*mark, rest),
            [b'\r', b'\n', ..] => Begins::Shown(2),
            [b'\r'] => Begins::Open,
            [0x1b, rest @ ..] if self.kind == Kind::Coloured => colour(rest),
            [b'\n' | b'\t', ..] => Begins::Shown(1),
            [0..b' ', ..] => Begins::Obeyed(1),
            _ => Begins::Shown(1),
        }
    }

    /// Reads what stands behind a mark that sets text apart, or ends that: it is shown where both are on one line.
    fn sets_apart(&mut self, mark: u8, rest: &[u8]) -> Begins {
        if mark == 0xa9 {
            let is_apart = self.apart > 0;
            self.apart = self.apart.saturating_sub(1);
            return if is_apart { Begins::Shown(3) } else { Begins::Obeyed(3) };
        }
        let mut depth = 1_usize;
        for at in 0..rest.len().min(APART) {
            match &rest[at..] {
                [b'\n', ..] => return Begins::Obeyed(3),
                [0xe2, 0x81, 0xa6..=0xa8, ..] => depth += 1,
                [0xe2, 0x81, 0xa9, ..] => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.apart += 1;
                return Begins::Shown(3);
            }
        }
        match rest.len() < APART {
            true => Begins::Open,
            false => Begins::Obeyed(3),
        }
    }
}

/// How many bytes are looked at together.
const WINDOW: usize = 32;

/// Says whether a byte is shown as it is only where what stands around it lets it be.
fn is_odd(byte: u8) -> bool {
    let is_control = byte < b' ' && byte != b'\n' && byte != b'\t';
    is_control | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xe2)
}

/// Counts the bytes that are shown as they are before the first that may not be.
fn harmless(bytes: &[u8]) -> usize {
    let (windows, _) = bytes.as_chunks::<WINDOW>();
    // Without a way out of a window the processor looks at all of it at once.
    let holds_odd = |window: &[u8; WINDOW]| window.iter().fold(false, |odd, byte| odd | is_odd(*byte));
    let calm = windows.iter().take_while(|window| !holds_odd(window)).count() * WINDOW;
    let odd = bytes[calm..].iter().position(|byte| is_odd(*byte));
    odd.map_or(bytes.len(), |odd| calm + odd)
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
    use super::{APART, Kind, Plain, WINDOW, harmless, is_odd};

    fn shown(color: bool, parts: &[&str]) -> String {
        shown_as(if color { Kind::Coloured } else { Kind::Text }, parts)
    }

    fn shown_as(kind: Kind, parts: &[&str]) -> String {
        let mut plain = Plain::new(kind);
        let mut all: Vec<u8> = Vec::new();
        for part in parts {
            all.extend_from_slice(&plain.push(part.as_bytes()));
        }
        all.extend(plain.finish());
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn the_first_byte_that_may_not_be_shown_is_found_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for before in 0..WINDOW + 3 {
                let text = [&vec![b'a'; before][..], &[byte], &[b'a'; WINDOW]].concat();
                let shown = if is_odd(byte) { before } else { text.len() };
                assert_eq!(harmless(&text), shown, "{byte} behind {before}");
            }
        }
        let odd: Vec<u8> = (0..=u8::MAX).filter(|byte| is_odd(*byte)).collect();
        let controls = (0..b' ').filter(|byte| !matches!(byte, b'\n' | b'\t'));
        assert_eq!(odd, controls.chain([0x7f, 0xc2, 0xe2]).collect::<Vec<u8>>());
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
    fn text_that_runs_the_other_way_is_shown_where_its_end_is_on_the_line() {
        let honest = "a \u{2067}שלום \u{2066}b\u{2069}\u{2069}, \u{2068}c\u{2069}\n";
        assert_eq!(shown(false, &[honest]), honest);
        let letters: Vec<String> = honest.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(shown(true, &letters), honest);
        for (text, told) in [
            ("a\u{2067}b\nc\u{2069}", "a\u{fffd}b\nc\u{fffd}"),
            ("a\u{2069}b\u{2067}", "a\u{fffd}b\u{fffd}"),
            (
                "\u{2067}a\u{2066}b\u{2069}\u{1b}\u{2068}",
                "\u{fffd}a\u{2066}b\u{2069}\u{fffd}\u{fffd}",
            ),
            ("\u{2067}a\u{202e}\u{2069}", "\u{2067}a\u{fffd}\u{2069}"),
        ] {
            assert_eq!(shown(false, &[text]), told, "{text:?}");
        }
        let long = "x".repeat(APART);
        let far = format!("\u{2067}{long}\u{2069}");
        assert_eq!(shown(false, &[&far]), format!("\u{fffd}{long}\u{fffd}"));
    }

    #[test]
    fn json_spells_out_what_a_terminal_would_obey() {
        let text = "[\"ä\u{9b}1m → \u{202e}\u{2067}\u{2069}\u{7f} \\\\\u{85}\"]\n";
        let spelt = "[\"ä\\u009b1m → \\u202e\\u2067\\u2069\\u007f \\\\\\u0085\"]\n";
        assert_eq!(shown_as(Kind::Json, &[text]), spelt);
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(read(spelt), read(text));
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
        let mut plain = Plain::new(Kind::Coloured);
        let mut all: Vec<u8> = Vec::new();
        for byte in whole.as_bytes() {
            all.extend_from_slice(&plain.push(&[*byte]));
        }
        all.extend(plain.finish());
        assert_eq!(String::from_utf8(all).unwrap(), shown(true, &[whole]));
        assert_eq!(shown(true, &[whole]), "a\u{1b}[1mb\u{fffd}c\u{fffd}d\u{fffd}[2J\r\ne");
    }
}
