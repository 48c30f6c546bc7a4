//! Lines that can say nothing: no word on them is one that control flow hangs on. Most lines are such.

use super::lexer::Lexer;
use super::line::{Line, blanks, goes_on, line};
use super::measure::{braces, bracket, code, plain_start};
use super::sentence::OPENERS;
use super::verbs::{Need, is_otherwise, is_verb, leads_to_step, need};
use crate::source::ByteSet;
use crate::syntax::Phrases;

/// The bytes that a word begins, or goes on, with.
static LETTERS: ByteSet = ByteSet::of(b"").and_alphanumeric();

/// The bytes with which something may begin that is one token, whatever it holds; a curly quote begins with the last.
static MARKS: ByteSet = ByteSet::of(b"`\"'[{<\xe2");

impl Lexer<'_> {
    /// Returns the end of the line whose prose begins at `from`, with its line break, where nothing on it can matter: no verb
    /// stands on it, no sentence and no token reaches over its end, and, where it opens a paragraph, not with a condition.
    ///
    /// It goes from token to token as reading does, and where it cannot be sure, the line is read.
    pub(super) fn quiet_line(&mut self, from: usize, opens: bool) -> Option<usize> {
        let bytes = self.text.as_bytes();
        // Nothing ends at the start of a text, so that none is told by it.
        let (mut at, mut token_end) = (from, 0);
        let (mut before, mut wants_target) = (0, false);
        while let Some(byte) = bytes.get(at) {
            if LETTERS.has(*byte) {
                let (length, key) = plain_start(&bytes[at..]);
                if token_end == 0 && opens && OPENERS.may_have(&bytes[at..at + length]) {
                    return None;
                }
                at += length;
                if is_verb(key) && !goes_on_with(&bytes[at..]) {
                    match need(key) {
                        Need::Lead if !leads_to_step(before) => {}
                        Need::Otherwise if !is_otherwise(before) => {}
                        Need::Target => wants_target = true,
                        Need::Lead | Need::Otherwise | Need::Nothing => return None,
                    }
                }
                before = key;
                token_end = at;
                // Nearly always one space follows.
                at += usize::from(bytes.get(at) == Some(&b' '));
            } else if MARKS.has(*byte) {
                let length = self.enclosed(at)?;
                at += length;
                if length > 1 {
                    token_end = at;
                }
            } else if *byte == b'\n' {
                break;
            } else {
                at += 1;
            }
        }
        if token_end == 0 || (wants_target && may_hold_target(&bytes[from..at])) {
            return None;
        }
        let next = bytes.len().min(at + 1);
        let marks = &bytes[token_end..at];
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
        let reaches_over = memchr::memchr(b'\n', inside.as_bytes()).is_some();
        let is_read = bytes[0] == b'"' && FOLLOW.is_in(inside);
        (!reaches_over && !is_read).then_some(length)
    }

    /// Says whether the line at `start` may go on with a sentence before it.
    fn continues_at(&self, start: usize, after_comma: bool) -> bool {
        let rest = self.text.get(start + blanks(&self.text.as_bytes()[start..])..);
        let rest = rest.unwrap_or_default();
        (after_comma || goes_on(rest)) && !rest.starts_with("```") && matches!(line(rest), Line::Plain)
    }
}

/// Says whether a byte is, or may begin, a mark that a sentence goes on behind: the commas of other scripts begin with the
/// last two.
fn is_comma(byte: &u8) -> bool {
    matches!(byte, b',' | 0xe3 | 0xef)
}

/// Says whether a word surely goes on with what stands behind its letters: `step-02`, `read_only`, `run/all`.
fn goes_on_with(rest: &[u8]) -> bool {
    match rest {
        [b'_' | b'/', ..] => true,
        [b'-' | b'.', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Says whether a line may name a file of instructions or a variable.
fn may_hold_target(line: &[u8]) -> bool {
    let is_ending = |at: usize| matches!(line.get(at + 1), Some(b'm' | b'x' | b'y'));
    memchr::memchr2_iter(b'.', b'{', line).any(|at| line[at] == b'{' || is_ending(at))
}

/// Says whether marks behind the last word of a line may end with a question that none of its sentences asks: a second mark
/// that the next sentence gets.
fn asks_on(marks: &[u8]) -> bool {
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
            "**\n",
            "\n",
        ] {
            assert_eq!(passed(text, false), None, "{text}");
        }
        assert_eq!(passed("If it is empty:\n", true), None);
    }
}
