//! A line or paragraph of Markdown in, the places of its inline code out.

use crate::source::{near_byte, near_last, near_last_either};
use std::ops::Range;

/// Runs longer than this never pair; real text has runs of one to three.
const LONGEST_RUN: usize = 32;

/// Finds the code spans of `text`, one line or one paragraph: each range covers the backticks too.
///
/// A run of backticks pairs with the next run of the same length; a run without a partner is text.
pub fn inline_code(text: &str) -> impl Iterator<Item = Range<usize>> {
    InlineCode {
        bytes: text.as_bytes(),
        at: 0,
        last: None,
    }
}

/// Answers whether an offset is inside inline code; code pairs on one line.
pub(super) struct CodeSpans<'t> {
    text: &'t str,
    /// The line that was read last; questions come in order, so one is enough.
    line: Range<usize>,
    spans: Vec<Range<usize>>,
    /// No code begins before this offset on its line, so that nothing is searched again.
    clear: usize,
}

impl<'t> CodeSpans<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            line: 0..0,
            spans: Vec::new(),
            clear: 0,
        }
    }

    /// Returns the end of the code span that `offset` is in.
    pub(super) fn end_of(&mut self, offset: usize) -> Option<usize> {
        if !self.line.contains(&offset) {
            // Code begins before what is in it, and before most tags stands nothing.
            let from = if self.clear <= offset { self.clear } else { 0 };
            let before = self.text.as_bytes().get(from..=offset)?;
            match near_last_either(b'\n', b'`', before) {
                Some(mark) if before[mark] == b'`' => self.read_line(offset),
                Some(_) | None => {
                    self.clear = offset;
                    return None;
                }
            }
        }
        let before = self.spans.partition_point(|span| span.start <= offset);
        let span = self.spans.get(before.checked_sub(1)?)?;
        span.contains(&offset).then_some(span.end)
    }

    fn read_line(&mut self, offset: usize) {
        let bytes = self.text.as_bytes();
        let start = near_last(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
        let end = near_byte(b'\n', &bytes[offset..]).map_or(bytes.len(), |at| offset + at + 1);
        self.line = start..end;
        self.spans.clear();
        let line = self.text.get(start..end).unwrap_or("");
        let spans = inline_code(line).map(|span| start + span.start..start + span.end);
        self.spans.extend(spans);
    }
}

struct InlineCode<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Where the last run of each length starts; filled by the first search that fails, so that
    /// no later search walks to the end in vain.
    last: Option<[usize; LONGEST_RUN + 1]>,
}

impl Iterator for InlineCode<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while let Some(run) = next_run(self.bytes, self.at) {
            let run = unescaped(self.bytes, run);
            self.at = run.end;
            if let Some(end) = self.partner(&run) {
                self.at = end;
                return Some(run.start..end);
            }
        }
        self.at = self.bytes.len();
        None
    }
}

impl InlineCode<'_> {
    /// Returns the end of the run that closes `run`.
    fn partner(&mut self, run: &Range<usize>) -> Option<usize> {
        if run.is_empty() || run.len() > LONGEST_RUN {
            return None;
        }
        if let Some(last) = &self.last
            && last.get(run.len()).is_none_or(|at| *at < run.end)
        {
            return None;
        }
        let mut seen = [0; LONGEST_RUN + 1];
        let mut at = run.end;
        while let Some(other) = next_run(self.bytes, at) {
            if other.len() == run.len() {
                return Some(other.end);
            }
            if let Some(place) = seen.get_mut(other.len()) {
                *place = other.start;
            }
            at = other.end;
        }
        self.last = Some(seen);
        None
    }
}

fn next_run(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + near_byte(b'`', bytes.get(at..)?)?;
    let marks = bytes.iter().skip(start).take_while(|byte| **byte == b'`');
    Some(start..start + marks.count())
}

/// A backslash makes the first backtick of an opening run text.
fn unescaped(bytes: &[u8], run: Range<usize>) -> Range<usize> {
    let before = bytes.get(..run.start).unwrap_or_default();
    let slashes = before.iter().rev().take_while(|byte| **byte == b'\\');
    run.start + slashes.count() % 2..run.end
}

#[cfg(test)]
mod tests {
    use super::{CodeSpans, inline_code};
    use crate::source::Dice;

    fn found(text: &str) -> Vec<&str> {
        inline_code(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn runs_pair_with_the_next_run_of_the_same_length() {
        assert_eq!(found("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
    }

    #[test]
    fn a_run_without_a_partner_is_text() {
        assert_eq!(found("it's ` alone, then `` and `x`"), ["` alone, then `` and `"]);
        assert_eq!(found("one ` only"), Vec::<&str>::new());
        assert_eq!(found("``` a ` b ` c"), ["` b `"]);
    }

    #[test]
    fn an_escaped_backtick_opens_nothing() {
        assert_eq!(found(r"\`a` b `c`"), ["` b `"]);
        assert_eq!(found(r"\\`a`"), ["`a`"]);
    }

    #[test]
    fn runs_of_every_length_are_searched_once() {
        let mut text = String::new();
        for length in (1..=2000).rev() {
            text.push_str(&"`".repeat(length));
            text.push(' ');
        }
        assert_eq!(inline_code(&text).count(), 0);
    }

    #[test]
    fn code_is_found_from_any_place_in_it_and_from_none_outside() {
        let pieces = ["`", "``", "\n", "\n", "a", "é ", "\\", " x "];
        let mut dice = Dice(9);
        for _ in 0..4_000 {
            let mut text = String::new();
            for _ in 0..dice.roll(30) {
                text.push_str(dice.pick(&pieces));
            }
            let mut expected = vec![None; text.len()];
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                for span in inline_code(line) {
                    expected[start + span.start..start + span.end].fill(Some(start + span.end));
                }
                start += line.len();
            }
            let mut code = CodeSpans::new(&text);
            let mut at = dice.roll(4);
            while at < text.len() {
                assert_eq!(code.end_of(at), expected[at], "{text:?} at {at}");
                at += 1 + dice.roll(6);
            }
        }
    }
}
