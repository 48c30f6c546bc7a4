//! The words of a line that may matter in, whether something on the line does out.

use super::measure::plain_start;
use super::sentence::OPENERS;
use super::verbs::{Need, is_otherwise, is_verb, leads_to_step, need};
use crate::source::{ByteSet, near_any, near_byte, near_either};
use crate::syntax::Phrases;

/// The bytes that a word begins, or goes on, with.
pub(super) static LETTERS: ByteSet = ByteSet::of(b"").and_alphanumeric();

/// What an exit leaves.
static LEFT: Phrases = Phrases::new(&["workflow"]);

/// What is invoked or run.
static INVOKED: Phrases = Phrases::new(&["skill", "workflow", "task"]);

/// What is returned to, other than the menu of somebody, whose name has an apostrophe.
static CALLERS: Phrases = Phrases::new(&["caller", "calling", "parent", "invoking"]);

/// What was seen of a line so far that is needed to tell whether something on it matters.
pub(super) struct Seen {
    /// Where its prose begins.
    from: usize,
    /// It opens a paragraph or an item.
    opens: bool,
    /// It opens one, and its first word is still to come.
    is_first_to_come: bool,
    /// Sentences with verbs are counted.
    counts: bool,
    /// Where the last token in marks ends, or the line begins.
    behind: usize,
    /// The last stretch of prose before that token that has a word.
    before: (usize, usize),
    /// What verbs on it need, a bit for each.
    needs: u16,
    /// Whether a question on it is to be looked for.
    may_ask: bool,
}

impl Seen {
    /// Begins with a line whose prose begins at `from`.
    pub(super) fn new(from: usize, opens: bool, counts: bool) -> Self {
        Self {
            from,
            opens,
            is_first_to_come: opens,
            counts,
            behind: from,
            before: (from, from),
            needs: 0,
            may_ask: false,
        }
    }

    /// Notes the word at a place, which is one of few; nothing where it matters.
    #[inline(never)]
    pub(super) fn word(&mut self, bytes: &[u8], place: usize) -> Option<()> {
        let (length, key) = plain_start(&bytes[place..]);
        let (word, rest) = bytes[place..].split_at(length);
        // Where this word is not the first, none behind it is.
        let is_first = || self.behind == self.from && last_letter(&bytes[self.from..place]).is_none();
        if std::mem::take(&mut self.is_first_to_come) && OPENERS.may_have(word) && is_first() {
            if self.counts || OPENERS.has_bytes(word) {
                return None;
            }
            self.may_ask = true;
        }
        if !is_verb(key) || goes_on_with(rest) {
            return Some(());
        }
        let before = || {
            let (start, end) = self.before;
            let here = last_word(&bytes[self.behind..place]);
            here.or_else(|| last_word(&bytes[start..end])).unwrap_or_default()
        };
        let found = need(key);
        match found {
            Need::Lead => return (!leads_to_step(before())).then_some(()),
            Need::Otherwise => return (!is_otherwise(before())).then_some(()),
            Need::Nothing => return None,
            Need::Target => {}
            Need::Exit if word == b"EXIT" => return None,
            Need::Caller if !matches!(rest, [b' ', next, ..] if LETTERS.has(*next)) => return None,
            Need::Name | Need::Left | Need::Exit | Need::Invoked | Need::Caller => {
                if self.counts {
                    return None;
                }
                self.may_ask |= self.opens;
            }
        }
        self.needs |= found.bit();
        Some(())
    }

    /// Notes a token in marks.
    pub(super) fn enclose(&mut self, bytes: &[u8], place: usize, length: usize) {
        if last_letter(&bytes[self.behind..place]).is_some() {
            self.before = (self.behind, place);
        }
        self.behind = place + length;
    }

    /// Returns where the last token of the line ends; nothing where it has none.
    #[inline(always)]
    pub(super) fn token_end(&self, bytes: &[u8], end: usize) -> Option<usize> {
        let last = last_letter(&bytes[self.behind..end]);
        let enclosed = Some(self.behind).filter(|behind| *behind > self.from);
        last.map(|last| self.behind + last + 1).or(enclosed)
    }

    /// Says whether nothing of what the verbs need may be on the line.
    pub(super) fn is_quiet(&self, line: &[u8]) -> bool {
        if self.needs == 0 && !self.may_ask {
            return true;
        }
        let needs = |needs: &[Need]| needs.iter().any(|need| self.needs & need.bit() != 0);
        let has = |phrases: &Phrases| phrases.find_from(line, 0).is_some();
        let has_target = || needs(&[Need::Target, Need::Exit, Need::Caller]) && may_hold_target(line);
        let has_name = || needs(&[Need::Name]) && may_hold_name(line);
        let is_left = || needs(&[Need::Left, Need::Exit]) && has(&LEFT);
        let is_invoked = || needs(&[Need::Invoked]) && has(&INVOKED);
        let is_returned_to = || needs(&[Need::Caller]) && (may_hold_owner(line) || has(&CALLERS));
        let is_answered = || self.may_ask && may_be_answered(line);
        !(has_target() || has_name() || is_left() || is_invoked() || is_returned_to() || is_answered())
    }
}

/// Returns the place of the last letter or digit among some bytes.
fn last_letter(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| LETTERS.has(*byte))
}

/// Returns the key of the last word among some bytes.
fn last_word(bytes: &[u8]) -> Option<u64> {
    let last = last_letter(bytes)?;
    let gap = bytes[..last].iter().rposition(|byte| !LETTERS.has(*byte));
    let start = gap.map_or(0, |gap| gap + 1);
    Some(plain_start(&bytes[start..]).1)
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

/// Says whether a line may name a variable that gets a value.
fn may_hold_name(line: &[u8]) -> bool {
    near_any(b'{', b'`', b'_', line).is_some() || near_byte(b'=', line).is_some()
}

/// Says whether a line may say whose something is, with one apostrophe or the other.
fn may_hold_owner(line: &[u8]) -> bool {
    near_either(b'\'', 0xe2, line).is_some()
}

/// Says whether a line may ask something and lead on from the answer: all of its paragraph may depend on that.
fn may_be_answered(line: &[u8]) -> bool {
    near_either(b'?', 0xef, line).is_some() && near_either(b'>', 0xe2, line).is_some()
}
