//! An answer that says to load the next step in, the file that is out: what the frontmatter calls next, else the one file that
//! the text calls so.

use super::names;
use crate::model::instruction::{Act, Instruction};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind};
use crate::model::menu::Handled;
use crate::syntax::{Phrases, WordList};

/// Orders to load what is next, without saying where it is.
static LOAD_NEXT: Phrases = Phrases::new(&["load next step", "load the next step"]);

/// Words of a sentence that make it no order, or one for a case.
static DENYING: WordList = WordList::new(&[
    "if", "when", "unless", "once", "until", "after", "before", "not", "never", "only", "don't", "can", "cannot",
    "may", "could",
]);

/// Words behind an order that put it off.
static LATER: WordList = WordList::new(&["later", "if", "when", "once", "after", "only", "unless", "yet", "until"]);

/// Returns the order of an answer to load the next step, with the file that it means.
pub(super) fn next_step(document: &Document, handler: &Handled) -> Option<Lift> {
    let said = document.source.slice(handler.body);
    let at = LOAD_NEXT.find_from(said.as_bytes(), 0)?;
    let start = said[..at].rfind(['.', ';', '\n']).map_or(0, |end| end + 1);
    let mut words = said[start..at].split(|at: char| !at.is_alphanumeric() && at != '\'');
    let end = at + said[at..].to_ascii_lowercase().find("step")? + "step".len();
    let next = said[end..]
        .split(|at: char| !at.is_alphanumeric())
        .find(|word| !word.is_empty());
    if words.any(|word| DENYING.has(word)) || next.is_some_and(|next| LATER.has(next)) || !is_order(&said[start..at]) {
        return None;
    }
    Some(Lift {
        span: handler.body.inner(at, end),
        kind: named(document)?,
        condition: None,
    })
}

/// Says whether a clause begins behind these words of a sentence.
fn is_order(before: &str) -> bool {
    let before = before.trim_end();
    let last = before
        .rsplit(|at: char| !at.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let joins = ["and", "then"].iter().any(|word| last.eq_ignore_ascii_case(word));
    last.is_empty() && !before.ends_with(['"', '`', '\'']) || joins
}

/// Adds an order to what an answer leads to, where nothing else in that leads on.
pub(super) fn lead(body: &mut [Instruction], next: Lift) {
    let leads = |one: &Instruction| match &one.act {
        Act::Do { lifts, .. } => lifts
            .iter()
            .any(|lift| lift.kind.leaves() || lift.kind.followed().is_some()),
        _ => true,
    };
    if body.iter().any(leads) {
        return;
    }
    let told = body.iter_mut().rev().find_map(|one| match &mut one.act {
        Act::Do { text, lifts, .. } if text.contains(next.span) => Some(lifts),
        _ => None,
    });
    if let Some(lifts) = told {
        lifts.push(next);
        lifts.sort_by_key(|lift| lift.span.start);
    }
}

/// Returns the file that is next: the only one that the frontmatter calls so, else the only one that the text does.
fn named(document: &Document) -> Option<LiftKind> {
    if let Some((target, target_span)) = names::next(document) {
        return names::has_one_next(document).then_some(LiftKind::Follow { target, target_span });
    }
    let is_next = |lift: &Lift| {
        let words = document.source.slice(lift.span);
        lift.kind.followed().is_some() && words.to_ascii_lowercase().contains("next step")
    };
    let found = document.lifts_in(document.body(), is_next);
    let first = found.first()?;
    let target = |lift: &Lift| lift.kind.followed().map(|(target, _)| target.to_owned());
    let is_one = found.iter().all(|lift| target(lift) == target(first));
    is_one.then(|| first.kind.clone())
}
