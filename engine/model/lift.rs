//! Prose in, the control flow it speaks of out: jumps, stops, assignments, files to follow, questions.
//!
//! Only what is said as an order is lifted, never what is denied, quoted, asked or shown as code. The words around a lift
//! are kept as its condition where they make it depend on something.

mod assign;
mod case;
mod follow;
mod jump;
mod kind;
mod lexer;
mod line;
mod measure;
mod modes;
mod places;
mod quiet;
mod report;
mod seen;
mod sentence;
mod status;
mod stop;
mod told;
mod verbs;

#[cfg(test)]
mod tests;

pub use assign::says_nothing;
pub(super) use jump::{SECTION, is_of_another, label_length, noun as noun_of};
pub use kind::{LiftKind, Verb};
pub(super) use report::report;

use super::role::is_numbered;
use crate::source::{Source, Span};
use crate::syntax::Heading;
use sentence::Sentence;
use told::Told;

/// Control flow found in prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// The exact words that were lifted.
    pub span: Span,
    /// What they say.
    pub kind: LiftKind,
    /// The words it depends on, where the same sentence has them: `If empty, HALT`, `skip to step 4 when done`.
    pub condition: Option<Span>,
}

impl Lift {
    /// Says whether its words follow a file that was left before: `return to the selection in step-01-init.md`. The file
    /// that a variable names may be any.
    pub(crate) fn goes_back(&self, words: &str) -> bool {
        let returns = words.get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case("return"));
        matches!(&self.kind, LiftKind::Follow { target, .. } if returns && !target.starts_with('{'))
    }
}

impl Lift {
    /// Says whether the words stop whatever is the case: before a question they mean to wait for its answer.
    pub fn is_plain_halt(&self) -> bool {
        matches!(self.kind, LiftKind::Halt { .. }) && self.condition.is_none()
    }
}

/// Finds the control flow in `text`, which stands at `span`, in the order of the words.
pub fn lifts(text: &str, span: Span) -> Vec<Lift> {
    lifts_to(text, span, |_, _| false)
}

/// Adds lifts to those before them; where there are none, no new room is taken.
pub(super) fn add(lifts: &mut Vec<Lift>, mut more: Vec<Lift>) {
    match lifts.is_empty() {
        true => *lifts = more,
        false => lifts.append(&mut more),
    }
}

/// Finds the control flow in a part of a file, as its headings let it be read.
pub(super) fn lifts_under(source: &Source, part: Span, headings: &[Heading]) -> Vec<Lift> {
    let mut lifts = lifts_to(source.slice(part), part, |noun, label| {
        is_numbered(headings.iter().map(|heading| source.slice(heading.text)), noun, label)
    });
    modes::part(&mut lifts, headings, source);
    lifts
}

/// Finds the control flow in `text`, where a step may also be called a stage or a phase: `is_stage` says of which noun and
/// label there is one.
fn lifts_to(text: &str, span: Span, is_stage: impl Fn(&str, &str) -> bool) -> Vec<Lift> {
    let (offset, text) = unquoted(text);
    let place = span.inner(offset, offset + text.len());
    let mut lifts = Vec::new();
    scan(text, place, &mut lifts, |sentence, lifts| {
        for token in sentence.quotes("follow") {
            let inside = sentence.between(token.start + 1, token.end - 1);
            let place = sentence.span(token.start + 1, token.end - 1);
            // What is quoted is shown, except that a file to follow next is often written that way.
            let mut quoted = Vec::new();
            scan(inside, place, &mut quoted, |_, _| {});
            quoted.retain(|lift| matches!(lift.kind, LiftKind::Follow { .. }));
            lifts.append(&mut quoted);
        }
    });
    let base = place.start as usize;
    lifts.retain(|lift| match &lift.kind {
        LiftKind::Goto { label, label_span, .. } => {
            let end = label_span.start;
            let noun = jump::noun(words(text, Span { end, ..lift.span }, base));
            noun.eq_ignore_ascii_case("step") || is_stage(noun, label)
        }
        _ => true,
    });
    settle(&mut lifts, text, base);
    lifts
}

/// Reads `text` sentence by sentence, adds what each of them says to the lifts, and hands on both.
fn scan<'a>(text: &'a str, place: Span, lifts: &mut Vec<Lift>, mut look: impl FnMut(&Sentence<'a>, &mut Vec<Lift>)) {
    let mut sentence = Sentence::new(text, place);
    let mut lexer = lexer::Lexer::new(text);
    let mut told = Told::default();
    while lexer.next(&mut sentence) {
        if lexer.has_passed() {
            told = Told::default();
        }
        if sentence.opens {
            told = Told::opening(&sentence);
        } else {
            told.go_on(&sentence);
        }
        let before = lifts.len();
        for at in &sentence.verbs {
            read(&sentence, *at, lifts);
            if lifts.len() - before > MOST_LIFTS {
                break;
            }
        }
        for lift in &mut lifts[before..] {
            let around = || told.condition(&sentence, &lift.kind);
            lift.condition = lift
                .condition
                .or_else(|| around().map(|(start, end)| sentence.span(start, end)));
        }
        told.note(&sentence);
        look(&sentence, lifts);
    }
}

/// Takes the quotes off a text that is one quote.
fn unquoted(text: &str) -> (usize, &str) {
    let trimmed = text.trim();
    let inside = trimmed
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|inside| !inside.contains('"'));
    match inside {
        Some(inside) => (text.len() - text.trim_start().len() + 1, inside),
        None => (0, text),
    }
}

/// A lift while its sentence is read.
struct Found {
    first: usize,
    end: usize,
    condition: Option<(usize, usize)>,
    kind: LiftKind,
}

impl Found {
    /// Makes a lift of the tokens from `first` to `last`.
    fn new(sentence: &Sentence, first: usize, last: usize, kind: LiftKind) -> Option<Self> {
        Some(Self {
            first: sentence.get(first)?.start,
            end: sentence.get(last)?.end,
            condition: sentence.condition(first, last),
            kind,
        })
    }

    fn lift(self, sentence: &Sentence) -> Lift {
        Lift {
            span: sentence.span(self.first, self.end),
            kind: self.kind,
            condition: self.condition.map(|(start, end)| sentence.span(start, end)),
        }
    }
}

/// The longest word that control flow hangs on.
const LONGEST_VERB: usize = 9;

/// A sentence that says more than this is no sentence, and the rest of it is left alone.
const MOST_LIFTS: usize = 16;

/// Reads the control flow that hangs on the word at `at`.
fn read(sentence: &Sentence, at: usize, lifts: &mut Vec<Lift>) {
    let Some(word) = sentence.word(at) else {
        return;
    };
    let mut letters = [0u8; LONGEST_VERB];
    let Some(lower) = letters.get_mut(..word.len()) else {
        return;
    };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    // What stands behind `>` is handed to somebody else, or shown: a prompt for a subagent, which follows files itself.
    let is_handed_on = |kind: &LiftKind| sentence.block_quote && kind.calls();
    let mut keep = |found: Option<Found>| {
        let found = found.filter(|found| !is_handed_on(&found.kind));
        lifts.extend(found.map(|found| found.lift(sentence)));
    };
    match &*lower {
        b"step" | b"stage" | b"phase" | b"section" => keep(jump::goto(sentence, at)),
        b"done" | b"complete" | b"completed" => keep(jump::done(sentence, at)),
        b"halt" => keep(stop::halt(sentence, at)),
        b"stop" => keep(stop::halt(sentence, at).or_else(|| stop::exit(sentence, at))),
        b"exit" => keep(follow::early_exit(sentence, at).or_else(|| stop::exit(sentence, at))),
        b"end" | b"terminate" => keep(stop::exit(sentence, at)),
        b"return" => keep(
            jump::give_back(sentence, at)
                .or_else(|| follow::moved(sentence, at))
                .or_else(|| follow::returned(sentence, at)),
        ),
        b"proceed" | b"continue" | b"jump" | b"move" | b"go" => keep(follow::moved(sentence, at)),
        b"route" => keep(follow::moved(sentence, at).filter(|_| sentence.orders(at))),
        b"set" => assign::set(sentence, at)
            .into_iter()
            .for_each(|found| keep(Some(found))),
        b"store" | b"save" | b"record" | b"capture" | b"remember" => {
            assign::store(sentence, at)
                .into_iter()
                .for_each(|found| keep(Some(found)));
        }
        b"follow" | b"following" | b"execute" => keep(follow::follow(sentence, at)),
        b"load" | b"read" => keep(follow::load(sentence, at)),
        b"invoke" | b"run" | b"call" => keep(follow::skill(sentence, at).or_else(|| follow::invoke(sentence, at))),
        b"ask" | b"prompt" => keep(stop::ask(sentence, at)),
        b"wait" | b"await" | b"waiting" | b"pause" => keep(stop::wait(sentence, at)),
        _ => {}
    }
}

/// Returns the words at a place.
fn words(text: &str, span: Span, base: usize) -> &str {
    let at = |byte: u32| (byte as usize).saturating_sub(base);
    text.get(at(span.start)..at(span.end)).unwrap_or_default()
}

/// Says whether an exit ends the workflow: `Otherwise, done` does where the words before it go on elsewhere in a case.
fn ends_rest(before: &Lift, exit: &Lift, text: &str, base: usize) -> bool {
    let goes_on = matches!(before.kind, LiftKind::Goto { .. } | LiftKind::Follow { .. }) && before.condition.is_some();
    let is_beside = || !words(text, before.span.to(exit.span), base).contains('\n');
    !jump::is_done(words(text, exit.span, base)) || goes_on && is_beside()
}

/// Settles neighbours: one file is followed once, and a halt just before a question or a wait is that wait.
fn settle(lifts: &mut Vec<Lift>, text: &str, base: usize) {
    lifts.sort_by_key(|lift| lift.span.start);
    let is_left_out = |lift: &&Lift| jump::is_done(words(text, lift.span, base));
    let first = lifts.iter().take_while(is_left_out).count();
    lifts.drain(..first);
    lifts.dedup_by(|lift, last| is_settled(lift, last, text, base));
}

/// Settles a lift with the last one before it; says whether that one says all of it now.
fn is_settled(lift: &mut Lift, last: &mut Lift, text: &str, base: usize) -> bool {
    if let (LiftKind::Follow { target_span, .. }, LiftKind::Follow { target_span: again, .. }) =
        (&last.kind, &lift.kind)
        && target_span == again
    {
        last.span = last.span.to(lift.span);
        return true;
    }
    if last.kind == LiftKind::Ask && lift.kind == LiftKind::Ask && last.span.contains(lift.span) {
        return true;
    }
    if lift.kind == LiftKind::Exit && !ends_rest(last, lift, text, base) {
        return true;
    }
    let is_silent = matches!(&last.kind, LiftKind::Halt { reason } if reason.is_empty());
    if !is_silent || !matches!(lift.kind, LiftKind::Ask | LiftKind::Wait) {
        return false;
    }
    let between = (last.span.end as usize)
        .checked_sub(base)
        .zip((lift.span.start as usize).checked_sub(base));
    let gap = between.and_then(|(start, end)| text.get(start..end));
    let joined = gap.is_some_and(|gap| !gap.contains(|letter: char| letter.is_alphanumeric() || letter == '\n'));
    if joined && lift.kind == LiftKind::Ask {
        last.kind = LiftKind::Wait;
    } else if joined {
        std::mem::swap(last, lift);
        return true;
    }
    false
}
