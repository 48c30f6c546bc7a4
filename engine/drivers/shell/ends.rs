//! Everything a command writes in, its beginning and its end out: what went wrong stands first or last, seldom between.

use super::super::ear::{Ear, Next};
use crate::policy::secret::{Masker, Secrets};
use std::sync::Arc;

/// The most bytes that are kept of the beginning.
pub(super) const FIRST: usize = 8 * 1024;
/// The most bytes that are kept of the end.
pub(super) const LAST: usize = 24 * 1024;

/// Takes what a command writes, messages included, in the order it comes.
#[derive(Debug)]
pub(super) struct Ends {
    /// What is masked in its output and in its messages: each is a text of its own.
    out: Masker,
    err: Masker,
    first: Vec<u8>,
    last: Vec<u8>,
    /// How many bytes between them are left out.
    between: u64,
    /// How many bytes were written.
    pub(super) size: u64,
}

impl Ends {
    pub(super) fn new(secrets: &Arc<Secrets>) -> Self {
        Self {
            out: Masker::new(Arc::clone(secrets)),
            err: Masker::new(Arc::clone(secrets)),
            first: Vec::new(),
            last: Vec::new(),
            between: 0,
            size: 0,
        }
    }

    /// Returns what is kept; a line says how much is left out.
    pub(super) fn text(mut self) -> String {
        let rest = [self.out.finish(), self.err.finish()].concat();
        self.keep(&rest);
        if self.between == 0 {
            self.first.append(&mut self.last);
            return String::from_utf8_lossy(&self.first).into_owned();
        }
        // Half a line, and half a character, tell nothing.
        let first = self
            .first
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let last = self.last.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (first, cut) = match first {
            0 => (self.first.len(), 0),
            first => (first, self.first.len() - first),
        };
        let left_out = self.between + (cut + last) as u64;
        let mut text = String::from_utf8_lossy(&self.first[..first]).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[… {left_out} bytes are left out …]\n"));
        text.push_str(&String::from_utf8_lossy(&self.last[last..]));
        text
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = FIRST.saturating_sub(self.first.len()).min(bytes.len());
        self.first.extend_from_slice(&bytes[..room]);
        self.last.extend_from_slice(&bytes[room..]);
        let over = self.last.len().saturating_sub(LAST);
        self.last.drain(..over);
        self.between += over as u64;
    }
}

impl Ear for Ends {
    fn hear(&mut self, bytes: &[u8]) -> Next {
        self.size += bytes.len() as u64;
        let bytes = self.out.push(bytes);
        self.keep(&bytes);
        Next::More
    }

    fn note(&mut self, bytes: &[u8]) -> Next {
        self.size += bytes.len() as u64;
        let bytes = self.err.push(bytes);
        self.keep(&bytes);
        Next::More
    }
}

#[cfg(test)]
mod tests {
    use super::{Ear as _, Ends, FIRST, LAST};
    use crate::policy::secret::Secrets;

    fn kept(pieces: &[&str]) -> String {
        let mut ends = Ends::new(&Secrets::common());
        for piece in pieces {
            ends.hear(piece.as_bytes());
        }
        ends.text()
    }

    #[test]
    fn what_fits_is_kept_as_it_is() {
        let text = "x".repeat(FIRST + LAST);
        assert_eq!(kept(&[&text]), text);
        assert_eq!(kept(&["a\n", "b"]), "a\nb");
    }

    #[test]
    fn of_more_the_middle_is_left_out_and_the_last_line_is_there() {
        let lines: Vec<String> = (0..20_000).map(|n| format!("line {n}\n")).collect();
        let text = lines.concat();
        let kept = kept(&[&text]);
        assert!(kept.starts_with("line 0\nline 1\n") && kept.ends_with("line 19998\nline 19999\n"));
        assert!(kept.len() < FIRST + LAST + 100);
        let (before, rest) = kept.split_once("[… ").unwrap();
        let (count, after) = rest.split_once(" bytes are left out …]\n").unwrap();
        let count: usize = count.parse().unwrap();
        assert_eq!(before.len() + count + after.len(), text.len());
        assert!(
            before
                .lines()
                .chain(after.lines())
                .all(|line| lines.contains(&format!("{line}\n")))
        );
    }

    #[test]
    fn one_endless_line_is_cut_at_both_ends() {
        let kept = kept(&[&"é".repeat(FIRST + LAST)]);
        assert!(kept.contains("bytes are left out") && kept.len() <= FIRST + LAST + 100);
    }

    #[test]
    fn a_secret_is_masked_however_it_arrives_and_whatever_comes_between() {
        let token = ["ghp", "_", &"A1B2C3D4E5".repeat(4)].concat();
        let mut ends = Ends::new(&Secrets::common());
        ends.hear(b"token ");
        ends.hear(&token.as_bytes()[..11]);
        ends.note(b"warning\n");
        ends.hear(&token.as_bytes()[11..]);
        ends.hear(b" done\n");
        let text = ends.text();
        assert!(
            !text.contains("A1B2") && text.contains("[masked: GitHub token]"),
            "{text}"
        );
        let long = format!("{}{token}{}", "x ".repeat(FIRST / 2 - 10), "y ".repeat(LAST));
        assert!(!kept(&[&long]).contains("A1B2"));
    }
}
