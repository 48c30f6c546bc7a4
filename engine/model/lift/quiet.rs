//! Lines that can say nothing: no word on them is one that control flow hangs on. Most lines are such.

use super::lexer::Lexer;
use super::line::{Line, blanks, goes_on, line};
use super::measure::{braces, bracket, code};
use super::places::{ROOM, four, last_sight, places};
use super::seen::Seen;
use super::verbs::may_matter;
use crate::source::{ByteSet, near_byte};
use crate::syntax::Phrases;

/// The bytes with which something may begin that is one token, whatever it holds; a curly quote begins with the last.
static MARKS: ByteSet = ByteSet::of(b"`\"'[{<\xe2");

impl Lexer<'_> {
    /// Returns the end of the line whose prose begins at `from`, with its line break, where nothing on it can matter: no verb
    /// stands on it, no sentence and no token reaches over its end, and, where it opens a paragraph, not with a condition.
    ///
    /// It goes from token to token as reading does, and where it cannot be sure, the line is read.
    pub(super) fn quiet_line(&mut self, from: usize, opens: bool) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut seen = Seen::new(from, opens, self.counts);
        let (mut at, mut before) = (from, 0);
        let end = 'line: loop {
            let last;
            let rest = bytes.get(at..).unwrap_or_default();
            let sight = match rest.first_chunk() {
                Some(sight) => sight,
                None => {
                    last = last_sight(rest);
                    &last
                }
            };
            let (words, mut marks) = places(sight);
            let mut starts = words & !(words << 1 | before);
            before = words >> (ROOM - 1);
            loop {
                // Words before the next mark come first; most rooms have no mark.
                let is_before = marks.wrapping_sub(1) & !marks;
                let mut here = starts & is_before;
                while here != 0 {
                    let place = here.trailing_zeros() as usize;
                    here &= here - 1;
                    if may_matter(four(sight, place)) {
                        seen.word(bytes, at + place)?;
                    }
                }
                if marks == 0 {
                    break;
                }
                let place = marks.trailing_zeros() as usize;
                starts &= !is_before;
                marks &= marks - 1;
                let byte = sight[place % ROOM];
                if byte == b'\n' {
                    break 'line bytes.len().min(at + place);
                }
                if MARKS.has(byte) {
                    let length = self.enclosed(at + place)?;
                    if length > 1 {
                        seen.enclose(bytes, at + place, length);
                        (at, before) = (at + place + length, 0);
                        continue 'line;
                    }
                }
            }
            at += ROOM;
        };
        let token_end = seen.token_end(bytes, end)?;
        if !seen.is_quiet(&bytes[from..end]) {
            return None;
        }
        let next = bytes.len().min(end + 1);
        let marks = &bytes[token_end..end];
        let is_over = !asks_on(marks) && !self.continues_at(next, marks.iter().any(is_comma));
        is_over.then_some(next)
    }

    /// Measures what is one token from an opening mark on, or the mark; nothing where it may matter.
    fn enclosed(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let bytes = rest.as_bytes();
        let length = match bytes[0] {
            b'`' => code(rest),
            b'[' => bracket(rest).map(|(_, length)| length),
            b'{' => braces(rest),
            b'<' => {
                let may_be_tag = |next: &u8| next.is_ascii_lowercase() || matches!(next, b'/' | b'!');
                return (!bytes.get(1).is_some_and(may_be_tag)).then_some(1);
            }
            b'"' => self.quote(at, '"'),
            b'\'' => self.quote(at, '\''),
            _ if rest.starts_with("“") => self.quote(at, '“'),
            _ => None,
        };
        let Some(length) = length else {
            return Some(1);
        };
        let inside = rest.get(..length)?;
        let reaches_over = near_byte(b'\n', inside.as_bytes()).is_some();
        let is_read = || bytes[0] == b'"' && FOLLOW.is_in(inside);
        (!reaches_over && !is_read()).then_some(length)
    }

    /// Says whether the line at `start` may go on with a sentence before it.
    #[inline(always)]
    fn continues_at(&self, start: usize, after_comma: bool) -> bool {
        // Nearly every other line is empty.
        if self.text.as_bytes().get(start) == Some(&b'\n') {
            return false;
        }
        let at = start + blanks(&self.text.as_bytes()[start..]);
        (after_comma || goes_on(self.text, at)) && matches!(line(&self.text.as_bytes()[at..]), Line::Plain)
    }
}

/// Says whether a byte is, or may begin, a mark that a sentence goes on behind: the commas of other scripts begin with the
/// last two.
fn is_comma(byte: &u8) -> bool {
    matches!(byte, b',' | 0xe3 | 0xef)
}

/// Says whether marks behind the last word of a line may end with a question that none of its sentences asks: a second mark
/// that the next sentence gets.
#[inline]
fn asks_on(marks: &[u8]) -> bool {
    // Nearly always there is one mark at most.
    if marks.len() < 2 {
        return false;
    }
    let mut ends = marks
        .iter()
        .filter(|byte| matches!(byte, b'.' | b'!' | b'?') || !byte.is_ascii());
    ends.next().is_some() && ends.any(|byte| matches!(byte, b'?' | 0xef))
}

/// What is read even in quotes.
static FOLLOW: Phrases = Phrases::new(&["follow"]);

#[cfg(test)]
thread_local! {
    /// Whether no line is passed over, so that a test can compare.
    pub(super) static READS_ALL: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(test)]
mod tests {
    use super::super::lexer::Lexer;

    /// Says how far the first line is passed over.
    fn passed(text: &str, opens: bool) -> Option<usize> {
        Lexer::new(text).quiet_line(0, opens)
    }

    #[test]
    fn a_line_without_a_verb_is_passed_over() {
        for text in [
            "Nothing is said here.\n",
            "the `halt` command, \"stop\" and 'go' [exit] {set}\n",
            "**Bold:** don't worry, it's — fine “HALT”\n",
            "a list,\n\n",
            "ends here\n- an item\n",
            "ends here\nAnother one\n",
            "if in the middle\n",
            "load it, then read all of it. Continue\n",
            "Step 1: this step and step-02\n",
            "a set-up, a read-only run_time\n",
            "save it, then set it up and record it\n",
            "at the end run it and return to this list, or exit\n",
        ] {
            let end = text.find('\n').map(|end| end + 1);
            assert_eq!(passed(text, false), end, "{text}");
        }
        assert_eq!(passed("no line break", true), Some(13));
    }

    #[test]
    fn a_line_that_may_matter_is_read() {
        for text in [
            "then HALT\n",
            "go to step 3\n",
            "load `x.md`\n",
            "read {x}\n",
            "a `code\nspan` over lines\n",
            "a \"quote\nover\" lines\n",
            "says \"read fully and follow: x.md\" now\n",
            "a <tag>\n",
            "goes on\nhere\n",
            "goes on,\nHere\n",
            "goes on\nHALT\n",
            "what??\n",
            "save it as `x`\n",
            "set x = 1\n",
            "end the Workflow\n",
            "EXIT it\n",
            "run the task\n",
            "return to Mary's menu\n",
            "then return\n",
            "**\n",
            "\n",
        ] {
            assert_eq!(passed(text, false), None, "{text}");
        }
        for text in ["If it is empty:\n", "**When", "Run it? -> now\n", "What? → now\n"] {
            assert_eq!(passed(text, true), None, "{text}");
        }
        assert_eq!(passed("What now? Run it.\n", true), Some(18));
        // Where sentences are counted, those with verbs are.
        for text in ["What now?\n", "Save it.\n"] {
            assert_eq!(Lexer::counting(text).quiet_line(0, true), None, "{text}");
        }
    }
}
