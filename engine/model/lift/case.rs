//! Sentences in, the case out that a label at their start is for: `Empty list: ask …`, `On a collision, ask …`.

use super::sentence::{Kind, Sentence};
use crate::syntax::WordList;

/// The most tokens of a label.
const LONGEST_LABEL: usize = 12;

/// Words that begin a label which only names, numbers or stresses what stands behind it, or says when it comes.
static NAMING: WordList = WordList::new(&[
    "step",
    "phase",
    "stage",
    "part",
    "task",
    "action",
    "goal",
    "instructions",
    "first",
    "second",
    "third",
    "then",
    "next",
    "now",
    "finally",
    "last",
    "before",
    "after",
    "start",
    "begin",
    "important",
    "mandatory",
    "critical",
    "required",
    "note",
    "always",
    "must",
    "remember",
    "rules",
    "do",
    "ask",
    "question",
    "questions",
    "prompt",
    "user",
    "human",
    "input",
    "inputs",
    "output",
    "display",
    "show",
    "say",
    "present",
    "offer",
    "welcome",
    "gather",
    "collect",
    "get",
    "set",
    "check",
    "halt",
    "stop",
    "wait",
    "confirm",
    "clarify",
    "choose",
    "select",
    "identify",
    "determine",
    "discover",
    "understand",
    "review",
    "request",
]);

/// Moments that every run has.
static MOMENTS: WordList = WordList::new(&["activation", "entry", "start", "startup"]);

/// Returns the bytes of the case that the words at `at` are for.
pub(super) fn before(sentence: &Sentence, at: usize) -> Option<(usize, usize)> {
    label(sentence, at).or_else(|| occasion(sentence, at))
}

/// Returns the bytes of the case that a paragraph or an item is for whose first sentence this is: all of it is where the
/// label stands out.
pub(super) fn opening(sentence: &Sentence) -> Option<(usize, usize)> {
    // Few do, and that is seen at once.
    let before = sentence.text.as_bytes().get(..sentence.get(0)?.start)?;
    if !before.ends_with(b"**") {
        return None;
    }
    let (start, end) = label(sentence, sentence.tokens.len())?;
    let behind = sentence.between(end, sentence.text.len());
    (behind.starts_with(":**") || behind.starts_with("**:")).then_some((start, end))
}

/// Reads `Empty list: …`. The label of a numbered item names a step.
fn label(sentence: &Sentence, at: usize) -> Option<(usize, usize)> {
    if sentence.numbered {
        return None;
    }
    let colon = (0..at.min(LONGEST_LABEL + 1)).find(|index| sentence.kind(*index) == Some(Kind::Colon))?;
    let last = sentence.get(colon.checked_sub(1)?)?;
    let first = sentence.get(0)?;
    let words = || (0..colon).filter_map(|index| sentence.word(index));
    let is_numbered = words().any(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    let names = sentence.is_in(0, &NAMING) || words().next().is_none();
    (!names && !is_numbered).then_some((first.start, last.end))
}

/// Reads `On a collision, …`.
fn occasion(sentence: &Sentence, at: usize) -> Option<(usize, usize)> {
    let comma = (0..at).find(|index| sentence.kind(*index) == Some(Kind::Comma))?;
    let is_case = sentence.is(0, &["on"]) && !sentence.is_in(1, &MOMENTS);
    let (first, last) = (sentence.get(1)?, sentence.get(comma.checked_sub(1)?)?);
    (is_case && last.end > first.start).then_some((first.start, last.end))
}
