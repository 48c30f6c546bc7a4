//! `stop and report …` in small letters in, whether that stops the run out.

use super::lexer::Lexer;
use super::sentence::{Kind, Sentence};
use super::{Lift, LiftKind, jump};
use crate::source::Span;

/// Verbs after `stop and` that leave no doubt of it in small letters: `stop and report the error`.
const REPORTING: &[&str] = &["tell", "report", "notify", "inform", "escalate", "explain", "surface"];

/// Words behind them with which the work goes on, or which say that it is done many times.
const GOING_ON: &[&str] = &[
    "then",
    "before",
    "after",
    "afterwards",
    "each",
    "every",
    "as",
    "whenever",
    "while",
    "until",
    "once",
    "along",
    "rather",
];

/// Words behind a mark or `and` that say more of what is reported, and order nothing.
const MORE: &[&str] = &[
    "the",
    "a",
    "an",
    "its",
    "their",
    "what",
    "which",
    "why",
    "how",
    "that",
    "including",
    "with",
    "because",
    "since",
    "not",
    "never",
    "don't",
];

/// Says whether `stop and report …` is an order that stands right behind the condition of its sentence. Without one it is
/// said of how to work.
pub(super) fn is_report(sentence: &Sentence, at: usize) -> bool {
    let parts =
        |index: usize| matches!(sentence.kind(index), Some(Kind::Comma | Kind::Colon)) || sentence.is(index, &["then"]);
    let last = || {
        (0..at)
            .rev()
            .find(|index| !parts(*index))
            .and_then(|last| sentence.get(last))
    };
    let ends = |(_, end): (usize, usize)| last().is_some_and(|last| last.end == end);
    let is_behind = || at > 0 && parts(at - 1) && sentence.condition_before(at).is_some_and(ends);
    reports(sentence, at) && is_behind() && !jump::is_option(sentence, at)
}

/// Reads a text that says nothing but `Stop and report …`: who does only that in a case stops there.
pub(in crate::model) fn report(text: &str, place: Span) -> Option<Lift> {
    let mut found = None;
    let mut sentences = 0;
    let mut sentence = Sentence::new(text, place);
    let mut lexer = Lexer::counting(text);
    while lexer.next(&mut sentence) {
        sentences += 1;
        found = sentence
            .get(0)
            .filter(|_| reports(&sentence, 0))
            .map(|stop| sentence.span(stop.start, stop.end));
    }
    let span = found.filter(|_| sentences == 1)?;
    let reason = String::new();
    Some(Lift {
        span,
        kind: LiftKind::Halt { reason },
        condition: None,
    })
}

/// Says whether a sentence says to stop and to report something at `at`, and nothing else behind it.
fn reports(sentence: &Sentence, at: usize) -> bool {
    let says = sentence.is(at, &["stop", "halt"])
        && sentence.is(at + 1, &["and"])
        && sentence.is(at + 2, REPORTING)
        && !sentence.question
        && !sentence.block_quote;
    says && !(at + 3..sentence.tokens.len()).any(|index| goes_on(sentence, index))
}

/// Says whether something else is said from `at` on than what is reported.
fn goes_on(sentence: &Sentence, at: usize) -> bool {
    let parts = matches!(
        sentence.kind(at),
        Some(Kind::Comma | Kind::Semicolon | Kind::Dash | Kind::Arrow)
    );
    let next = at + 1 + usize::from(sentence.is(at + 1, &["do"]) && sentence.is(at + 2, &["not"]));
    let says_more = || sentence.is(next, MORE) || !matches!(sentence.kind(next), Some(Kind::Word));
    sentence.is(at, GOING_ON) || (parts || sentence.is(at, &["and"])) && !says_more()
}
