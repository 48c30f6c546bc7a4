//! Bytes of a process in, as they come; whole texts or lines out.

use super::reply::MAX_REPLY;

/// The longest line that is read; of a longer one nothing is kept.
pub(super) const MAX_LINE: usize = 16 * 1024 * 1024;
/// The most bytes that a process may write in lines.
const MAX_ALL: usize = 512 * 1024 * 1024;

/// Whoever listens to what a process writes.
pub(super) trait Ear: Send {
    /// Takes bytes in the order they were written.
    fn hear(&mut self, bytes: &[u8]) -> Next;

    /// Takes bytes that were written for people.
    fn note(&mut self, _bytes: &[u8]) -> Next {
        Next::More
    }
}

/// What comes after some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// More is expected.
    More,
    /// The result was told: the process has no reason to stay.
    Over,
    /// It is more than is kept.
    Flood,
}

/// Keeps everything, up to a cap.
#[derive(Debug, Default)]
pub(super) struct Whole(pub(super) Vec<u8>);

impl Ear for Whole {
    fn hear(&mut self, bytes: &[u8]) -> Next {
        self.0.extend_from_slice(bytes);
        match self.0.len() > MAX_REPLY {
            true => Next::Flood,
            false => Next::More,
        }
    }
}

/// Hands over one line at a time.
pub(super) struct Lines<F> {
    each: F,
    begun: Vec<u8>,
    /// Whether the line that is begun is longer than what is read.
    is_over: bool,
    heard: usize,
    next: Next,
}

impl<F: FnMut(&[u8]) -> Next + Send> Lines<F> {
    pub(super) fn new(each: F) -> Self {
        Self {
            each,
            begun: Vec::new(),
            is_over: false,
            heard: 0,
            next: Next::More,
        }
    }

    /// Hands over the last line, where it does not end.
    pub(super) fn end(&mut self) {
        self.line();
    }

    fn line(&mut self) {
        let line = std::mem::take(&mut self.begun);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if !self.is_over && !line.is_empty() {
            self.next = (self.each)(line);
        }
        self.is_over = false;
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.is_over |= self.begun.len() + bytes.len() > MAX_LINE;
        match self.is_over {
            true => self.begun = Vec::new(),
            false => self.begun.extend_from_slice(bytes),
        }
    }
}

impl<F: FnMut(&[u8]) -> Next + Send> Ear for Lines<F> {
    fn hear(&mut self, bytes: &[u8]) -> Next {
        self.heard += bytes.len();
        if self.heard > MAX_ALL {
            return Next::Flood;
        }
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.keep(&rest[..at]);
            self.line();
            rest = &rest[at + 1..];
        }
        self.keep(rest);
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::{Ear, Lines, MAX_LINE, Next, Whole};

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut heard = Vec::new();
        let mut ear = Lines::new(|line: &[u8]| {
            heard.push(String::from_utf8_lossy(line).into_owned());
            Next::More
        });
        for chunk in chunks {
            ear.hear(chunk);
        }
        ear.end();
        heard
    }

    #[test]
    fn lines_come_whole_however_they_are_cut() {
        let whole = lines(&[b"one\ntwo\r\n\nthree"]);
        assert_eq!(whole, ["one", "two", "three"]);
        assert_eq!(lines(&[b"o", b"ne\ntw", b"o\r", b"\n\nthr", b"ee"]), whole);
    }

    #[test]
    fn of_a_line_that_is_too_long_nothing_is_kept_and_the_next_one_is() {
        let long = vec![b'x'; MAX_LINE + 1];
        assert_eq!(lines(&[b"a\n", &long, b"xx\nb\n"]), ["a", "b"]);
    }

    #[test]
    fn the_last_line_says_whether_the_result_was_told() {
        let mut ear = Lines::new(|line: &[u8]| match line {
            b"begin" => Next::More,
            _ => Next::Over,
        });
        assert_eq!(ear.hear(b"begin\nen"), Next::More);
        assert_eq!(ear.hear(b"d\nand mo"), Next::Over);
        assert_eq!(ear.hear(b"re"), Next::Over);
        assert_eq!(ear.hear(b"\nbegin\n"), Next::More);
    }

    #[test]
    fn a_text_over_the_cap_is_a_flood() {
        let mut ear = Whole::default();
        assert_eq!(ear.hear(&vec![b'x'; super::MAX_REPLY]), Next::More);
        assert_eq!(ear.hear(b"x"), Next::Flood);
    }
}
