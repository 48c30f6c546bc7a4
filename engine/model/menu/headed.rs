//! Headings that bear the key of an option: `#### Option [X] — Abort`, `#### [X] Abort`.
//!
//! Such a section is what is done for its answer, unless another place says what that is.

use super::words::has_word;
use super::{Handled, MenuOption};
use crate::source::Source;

/// Says whether a key means an option, and a label, where there is one, has a word of what that is called.
pub(super) fn is_of(option: &MenuOption, key: &str, label: Option<&str>) -> bool {
    let is_called = |label: &str| {
        let mut words = label.split(|at: char| !at.is_alphanumeric());
        words.any(|word| word.len() > 1 && has_word(&option.label, word))
    };
    option.is_meant_by(key) && label.is_none_or(is_called)
}

/// Leaves out the headings whose key another handler deals with for the same menu, by its number: `- IF R: …` points to the
/// section then. What stands inside of another such section is about a menu there.
pub(super) fn once(
    mut handlers: Vec<Handled>,
    source: &Source,
    menu: impl Fn(&Handled, &str) -> Option<usize>,
) -> Vec<Handled> {
    let (headed, others): (Vec<&Handled>, Vec<&Handled>) =
        handlers.iter().partition(|handled| bears_key(handled, source));
    if headed.is_empty() {
        return handlers;
    }
    let is_inside = |other: &Handled| headed.iter().any(|section| section.body.contains(other.span));
    let others = others.into_iter().filter(|other| !is_inside(other));
    let named = others.flat_map(|other| other.keys.iter().map(|key| (key.clone(), menu(other, key))));
    let named: Vec<(String, Option<usize>)> = named.collect();
    let is_named = |handled: &Handled, key: &String| {
        let own = menu(handled, key);
        let mut same = named.iter().filter(|(_, menu)| *menu == own);
        same.any(|(other, _)| other.eq_ignore_ascii_case(key))
    };
    handlers.retain(|handled| !bears_key(handled, source) || !handled.keys.iter().any(|key| is_named(handled, key)));
    handlers
}

/// Says whether a handler is a section under a heading with its key in brackets.
fn bears_key(handled: &Handled, source: &Source) -> bool {
    let before = source.text()[..handled.span.start as usize].trim_end_matches([' ', '*', '_']);
    let said = source.slice(handled.span);
    let is_option = |said: &str| said.get(..8).is_some_and(|said| said.eq_ignore_ascii_case("option ["));
    before.ends_with('#') && (said.starts_with('[') || is_option(said))
}
