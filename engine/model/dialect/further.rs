//! What deals with an answer in, where it leads out, where another place says that: `- **y:** Go ahead` and, further down,
//! `- **y:** Read fully and follow ./step-03.md`.

use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind};
use crate::model::menu::{self, Handled, Menu, MenuOption};
use crate::model::role::is_counted;
use crate::syntax::Heading;

/// Finds what says where an answer leads, where what deals with it says nothing of that: it stands behind that, for the same
/// option.
pub(super) fn leading<'d>(
    document: &Document,
    (menu, option): (&Menu, &MenuOption),
    handler: &Handled,
    pool: &[&'d Handled],
) -> Option<&'d Handled> {
    if handler.any_other || leads(document, handler) || leaves(document, option, handler) {
        return None;
    }
    let is_further = |other: &&&Handled| {
        let is_behind = other.span.start >= handler.span.end && other.branches && !other.any_other;
        is_behind && menu::deals_with(other, option, menu)
    };
    let mut further = pool.iter().copied().filter(|other| is_further(&other));
    further
        .find(|other| leads(document, other))
        .filter(|other| !asks_between(document, handler, other))
}

/// Says whether something is asked, or a counted section begins, between two that deal with an answer: then the second is for
/// another question.
fn asks_between(document: &Document, one: &Handled, other: &Handled) -> bool {
    let (from, to) = (one.span.end, other.span.start);
    let text = document
        .source
        .text()
        .get(from as usize..to as usize)
        .unwrap_or_default();
    let mut words = text.split(|at: char| !at.is_alphanumeric());
    let is_asked = text.contains('?') || words.any(|word| word.eq_ignore_ascii_case("ask"));
    let mut headings = document.parsed.markdown.headings.iter();
    let is_new =
        |heading: &Heading| (from..to).contains(&heading.span.start) && is_counted(document.source.slice(heading.text));
    is_asked || headings.any(is_new)
}

/// Says whether what deals with an answer says where it leads, or asks for more.
fn leads(document: &Document, handler: &Handled) -> bool {
    let leads_on = |lift: &Lift| lift.kind.leaves() || matches!(lift.kind, LiftKind::Follow { .. });
    let has_menu = || {
        let menus = &document.menus().menus;
        menus.iter().any(|menu| handler.body.contains(menu.span))
    };
    handler.redisplays || handler.goes_on || has_menu() || !document.lifts_in(handler.body, leads_on).is_empty()
}

/// Says whether an answer leads out of the workflow without an order that says so in full.
fn leaves(document: &Document, option: &MenuOption, handler: &Handled) -> bool {
    let said = document.source.slice(handler.body);
    menu::exits(&option.label, said) || menu::cancels(&option.label, said)
}
