//! A path and the text around it in, whether the text lets the file be absent out.

use crate::lint::sentence::{Break, Word, around, words};
use std::ops::Range;

/// How far behind a path its own verb may stand, in words.
const NEAR: usize = 6;
/// How many words before a path may say what is done with it.
const LEAD: usize = 4;

/// Words that make what follows depend on something.
const CONDITIONS: &[&str] = &[
    "if", "when", "where", "whether", "unless", "once", "until", "check", "checks", "verify", "see",
];
/// Words that a sentence puts between `if` and what it says of the file it named.
const STANDINS: &[&str] = &[
    "it", "they", "one", "this", "that", "the", "these", "those", "file", "files", "either", "both", "any", "such",
    "there", "is", "are", "was", "already", "has", "have", "been", "do", "does", "not", "doesn't", "isn't", "yet",
];
/// Words that say a file is there.
const THERE: &[&str] = &["exist", "exists", "present", "available", "found", "any", "one"];
/// Words that say it is not.
const GONE: &[&str] = &["missing", "absent", "unavailable", "not", "doesn't", "isn't", "no"];
/// Words that end the work where a file is not there: then it must be.
const STOPS: &[&str] = &["halt", "stop", "abort", "fail", "error", "exit", "error:", "cannot"];
/// Words that go on without a file.
const GOES_ON: &[&str] = &[
    "skip", "ignore", "continue", "proceed", "create", "generate", "write", "without", "default", "defaults", "fall",
];

/// Says whether the sentence around a path says that the file may be absent.
pub(super) fn may_be_absent(text: &str, path: Range<usize>) -> bool {
    let sentence = around(text, 0, path.start);
    let before = words(text, sentence.start..path.start);
    let after = words(text, path.end..sentence.end.max(path.end));
    is_asked_about(&before, &after)
        || is_looked_for(&before)
        || is_optional(&before, &after)
        || is_on_condition(&after)
        || is_done_without(text, sentence.end)
}

/// Recognizes ``if `x` exists`` and ``check whether `x` is present``.
fn is_asked_about(before: &[Word<'_>], after: &[Word<'_>]) -> bool {
    let clause = before.iter().rposition(|word| word.after == Break::Comma);
    let clause = &before[clause.map_or(0, |comma| comma + 1)..];
    let depends = clause.iter().any(|word| word.is_in(CONDITIONS));
    let own = after
        .iter()
        .take_while(|word| !word.is_in(CONDITIONS))
        .take(NEAR)
        .count();
    let end = after[..own].iter().position(|word| word.after == Break::Comma);
    let near = &after[..end.map_or(own, |comma| comma + 1)];
    let at = near.iter().position(|word| match depends {
        true => word.is_in(&[
            "exist",
            "exists",
            "existed",
            "present",
            "available",
            "found",
            "missing",
            "absent",
        ]),
        false => word.is_in(&["exist", "exists"]),
    });
    at.is_some_and(|at| !is_required(&near[..=at], after))
}

/// Recognizes ``look for `x` `` and ``see whether `x` …``.
fn is_looked_for(before: &[Word<'_>]) -> bool {
    let lead = &before[before.len().saturating_sub(LEAD)..];
    let looks = |pair: &[Word<'_>]| {
        pair[0].is_in(&["check", "checks", "checking", "look", "looks", "looking", "search"]) && pair[1].is("for")
    };
    lead.windows(2).any(looks) || lead.iter().any(|word| word.is("whether"))
}

/// Recognizes ``optionally read `x` ``, ``the optional file `x` `` and `` `x` (optional)``.
fn is_optional(before: &[Word<'_>], after: &[Word<'_>]) -> bool {
    let near = &before[before.len().saturating_sub(2)..];
    before.iter().any(|word| word.is("optionally")) || near.iter().chain(after.first()).any(|word| word.is("optional"))
}

/// Recognizes `` `x` if it exists``, `` `x` (if present)`` and ``skip `x` if it is missing``.
fn is_on_condition(after: &[Word<'_>]) -> bool {
    after.iter().enumerate().any(|(at, word)| {
        let rest = &after[at + 1..];
        let said = rest.iter().take_while(|word| word.is_in(STANDINS)).count();
        let told = &rest[..rest.len().min(said + 1)];
        let is_told = told
            .iter()
            .any(|word| word.is_in(THERE) || word.is_in(&["missing", "absent"]));
        word.is_in(&["if", "when", "where", "unless"]) && is_told && !is_required(told, rest)
    })
}

/// Recognizes a next sentence that goes on without the file: "If it is missing, skip this."
fn is_done_without(text: &str, end: usize) -> bool {
    let start = end + 1;
    if text.get(end..start).is_none_or(|mark| mark == "\n") {
        return false;
    }
    let from = text[start..]
        .find(|letter: char| !letter.is_whitespace())
        .map_or(start, |gap| start + gap);
    let next = words(text, start..around(text, start, from).end);
    let Some((first, rest)) = next.split_first() else {
        return false;
    };
    let said = rest.iter().take_while(|word| word.is_in(STANDINS)).count();
    let told = &rest[..rest.len().min(said + 1)];
    let is_gone = told.iter().any(|word| word.is_in(GONE));
    let goes_on = rest[told.len()..].iter().any(|word| word.is_in(GOES_ON));
    first.is("if") && is_gone && goes_on && !is_required(told, rest)
}

/// Says whether a sentence that speaks of an absent file stops there.
fn is_required(told: &[Word<'_>], sentence: &[Word<'_>]) -> bool {
    told.iter().any(|word| word.is_in(GONE)) && sentence.iter().any(|word| word.is_in(STOPS))
}

#[cfg(test)]
mod tests {
    use super::may_be_absent;

    fn absent(text: &str) -> bool {
        let start = text.find("./x.md").unwrap();
        may_be_absent(text, start..start + "./x.md".len())
    }

    #[test]
    fn a_file_that_is_asked_about_may_be_absent() {
        for text in [
            "If `./x.md` exists, read it.",
            "- Check whether `./x.md` exists.\n- Go on.",
            "Check if `./x.md` exists; if so load it.",
            "If `./x.md` or `./y.md` is present, read it.",
            "When `./x.md` is not found, make one.",
            "Look for `./x.md`.",
            "Verify that `./x.md` already exists.",
        ] {
            assert!(absent(text), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_read_only_where_it_is_there_may_be_absent() {
        for text in [
            "Read `./x.md` if it exists.",
            "Load `./x.md` (if present).",
            "Read `./x.md`, if there is one, and go on.",
            "Optionally read `./x.md`.",
            "Read the optional file `./x.md`.",
            "- `./x.md` (optional)\n",
            "Load `./x.md`. If it does not exist, skip this.",
            "Load `./x.md`; if missing, continue without it.",
            "- Load `./x.md`.\n- If it is missing, continue.",
        ] {
            assert!(absent(text), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_needed_may_not() {
        for text in [
            "Load `./x.md`.",
            "If the person exists, read `./x.md`.",
            "Read `./x.md` if the list of guests exists.",
            "Load `./x.md`. If it is missing, halt.",
            "Load `./x.md`; if it does not exist, stop with an error.",
            "Run the optional checks of the day in `./x.md`.",
            "Load `./x.md`. If the guest is missing, skip this.",
        ] {
            assert!(!absent(text), "{text}");
        }
    }
}
