//! Sentences in, the conditions out that the next one of the same paragraph depends on without saying so.

use super::lexer::Lexer;
use super::sentence::{Kind, Sentence};
use super::{LiftKind, case};

/// The bytes of a condition.
type Bytes = (usize, usize);

/// How many lines above `THEN:` are looked at.
const FAR: usize = 40;

/// What sentences before this one in the same paragraph or item told.
#[derive(Default)]
pub(super) struct Told {
    /// The condition that opens it, up to a colon: all of it depends on that.
    heading: Option<Bytes>,
    /// The condition that opens it, up to a comma: a stop after it depends on that, too.
    opening: Option<Bytes>,
    /// The case that a label at its start is for: a question in it depends on that.
    case: Option<Bytes>,
    /// What the sentence right before asks, where it opens the paragraph or the item.
    asked: Option<Bytes>,
    /// The last condition that opened a sentence, and where that sentence ends.
    last: Option<(Bytes, usize)>,
    /// The condition that opens this sentence, up to a comma.
    condition: Option<Bytes>,
    /// Where the sentence before this one ends, and whether it began with a stop, or ended with one on a condition.
    before: (usize, bool),
}

impl Told {
    /// Begins a paragraph or an item with its first sentence.
    pub(super) fn opening(sentence: &Sentence) -> Self {
        let (opening, heading) = conditions(sentence);
        Self {
            heading: heading.or_else(|| above_then(sentence)),
            opening,
            condition: opening,
            case: case::opening(sentence),
            asked: whole(sentence).filter(|_| sentence.question),
            ..Self::default()
        }
    }

    /// Goes on with a sentence that an arrow leads to from a question: `Any drafts? → List them.` All that follows depends
    /// on the answer.
    pub(super) fn go_on(&mut self, sentence: &Sentence) {
        let answers = |(_, end): &Bytes| sentence.kind(0) == Some(Kind::Arrow) && is_beside(sentence, *end);
        self.heading = self.heading.or(self.asked.filter(answers));
        self.asked = None;
        self.condition = conditions(sentence).0;
    }

    /// Keeps what a sentence told for those after it.
    pub(super) fn note(&mut self, sentence: &Sentence) {
        let end = sentence.end();
        let condition = self.condition;
        self.last = condition.map(|condition| (condition, end)).or(self.last);
        let ends_in_stop = condition.is_some() && is_stop(sentence, sentence.tokens.len().saturating_sub(1));
        self.before = (end, stops(sentence) || ends_in_stop);
    }

    /// Returns what a lift depends on that says nothing of it itself: `If C, tell the user. HALT.`
    pub(super) fn condition(&self, sentence: &Sentence, kind: &LiftKind) -> Option<Bytes> {
        if self.heading.is_some() || sentence.opens {
            return self.heading;
        }
        let (end, stopped) = self.before;
        let follows = stopped && is_beside(sentence, end);
        let last = self.last.filter(|(_, end)| is_beside(sentence, *end));
        // A label is looked for on the same line only: lines that say nothing are passed over, with their labels.
        let case = || self.case.filter(|(_, end)| is_beside(sentence, *end));
        match kind {
            LiftKind::Ask | LiftKind::Wait if follows || stops(sentence) => {
                last.map(|(condition, _)| condition).or(self.opening).or_else(case)
            }
            LiftKind::Ask => case(),
            LiftKind::Halt { .. } | LiftKind::Exit if stops(sentence) => {
                let last = last.filter(|(_, told)| *told == end);
                last.map(|(condition, _)| condition).or(self.opening)
            }
            _ => None,
        }
    }
}

/// Returns the condition that a paragraph depends on which `THEN:` opens: that of the line above it under the same heading
/// that leads to what is done then, `**If there is none**, display:`.
fn above_then(sentence: &Sentence) -> Option<Bytes> {
    if sentence.kind(1) != Some(Kind::Colon) {
        return None;
    }
    let first = sentence.get(0).filter(|_| sentence.is(0, &["then"]))?;
    let before = &sentence.text[..first.start];
    let mut marks = 0;
    for line in before.split('\n').rev().skip(1).take(FAR) {
        if line.starts_with(['#', '-']) {
            return None;
        }
        // What is shown between quotes leads to nothing.
        let is_shown = marks % 2 == 1;
        marks += line.matches('"').count();
        if is_shown {
            continue;
        }
        let bare = line.trim_start_matches(['*', '_']);
        if !bare.trim_end().trim_end_matches(['*', '_']).ends_with(':') {
            continue;
        }
        let start = bare.as_ptr() as usize - before.as_ptr() as usize;
        let mut lead = Sentence::new(bare, sentence.place);
        Lexer::new(bare).next(&mut lead);
        let opening = lead.opening_condition();
        let is_label = !bare.trim_end().contains(' ');
        if opening.is_some() || !is_label {
            return opening.map(|((from, to), _)| (start + from, start + to));
        }
    }
    None
}

/// Returns the condition that opens a sentence, where a comma ends it, and where a colon does.
fn conditions(sentence: &Sentence) -> (Option<Bytes>, Option<Bytes>) {
    let opening = sentence.opening_condition();
    let up_to = |mark: Kind| {
        opening
            .filter(|(_, closes)| *closes == mark)
            .map(|(condition, _)| condition)
    };
    (up_to(Kind::Comma), up_to(Kind::Colon))
}

/// Returns the bytes of all the words of a sentence.
fn whole(sentence: &Sentence) -> Option<Bytes> {
    sentence.get(0).map(|first| (first.start, sentence.end()))
}

/// Says whether a sentence begins with a stop, maybe behind `then`.
fn stops(sentence: &Sentence) -> bool {
    let first = sentence.verbs.first();
    first.is_some_and(|first| is_stop(sentence, *first) && sentence.skip(0, &["then"]) == *first)
}

/// Says whether a stop stands at `at`.
fn is_stop(sentence: &Sentence, at: usize) -> bool {
    sentence.is(at, &["halt", "stop"])
}

/// Says whether a sentence stands on the line on which another one ends.
fn is_beside(sentence: &Sentence, end: usize) -> bool {
    let start = sentence.get(0).map_or(end, |token| token.start);
    !sentence.between(end, start).contains('\n')
}
