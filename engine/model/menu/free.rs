//! A key in brackets in, out whether it stands where an option can, or inside of a sentence.

use super::bracket::Bracket;
use super::words;

/// Says whether a key inside a line stands where an option can start, not inside a sentence.
pub(super) fn stands_free(text: &str, first: &Bracket<'_>) -> bool {
    let before = text.get(..first.start).unwrap_or("");
    let before =
        before.trim_end_matches(|at: char| matches!(at, '"' | '\'' | '`' | '*' | '_' | '“') || at.is_whitespace());
    if words::has(before, "display") {
        return !is_spoken_of(text, before, first);
    }
    if before.ends_with(" or") || before.ends_with("(or") {
        return first.joined || words::has(before, "ask");
    }
    before.ends_with([':', '?', '!', '.', '|', '(', '/', '→', '—', '–']) && names_label(text, first)
        || (before.ends_with('(') && words::has(before, "ask"))
}

/// Says whether a key is one answer to a sentence that asks, and that goes on without it: ``Ask for a name (or `[N]` for
/// none)``.
pub(super) fn answers_sentence(text: &str, only: &Bracket<'_>) -> bool {
    let before = text.get(..only.start).unwrap_or("");
    let before = before.trim_end_matches(|at: char| matches!(at, '`' | '*' | '_') || at.is_whitespace());
    let is_inside = before.ends_with('(') || before.ends_with(" or") || before.ends_with("(or");
    is_inside && !only.joined && words::has(before, "ask")
}

/// Says whether a sentence that is shown speaks of a key of another place: `Use **[E] Edit** to change it`.
fn is_spoken_of(text: &str, before: &str, first: &Bracket<'_>) -> bool {
    let used = before.rsplit(|at: char| !at.is_alphanumeric()).next();
    let used = used.is_some_and(|word| {
        ["use", "using", "run", "try"]
            .iter()
            .any(|verb| word.eq_ignore_ascii_case(verb))
    });
    let (bold, label) = (text.get(..first.start), text.get(first.end..));
    let closed = bold.filter(|before| before.ends_with("**")).and(label);
    let behind = closed.and_then(|label| label.split_once("**"));
    used || behind.is_some_and(|(_, behind)| behind.starts_with(" to "))
}

/// Says whether what follows a key looks like a label.
pub(super) fn names_label(text: &str, bracket: &Bracket<'_>) -> bool {
    let after = text.get(bracket.end..).unwrap_or("");
    let after =
        after.trim_start_matches(|at: char| matches!(at, '"' | '\'' | '`' | '*' | '_' | '“') || at.is_whitespace());
    bracket.joined || after.starts_with(|at: char| at.is_uppercase() || !at.is_ascii())
}
