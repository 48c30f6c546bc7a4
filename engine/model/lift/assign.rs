//! Sentences in, assignments out: `Set x = y`, `Store … as {{x}}`.

use super::sentence::{Kind, Sentence};
use super::{Found, LiftKind};
use crate::source::near_any;

/// Verbs that begin the next order after a value.
const NEXT: &[&str] = &[
    "then",
    "verify",
    "load",
    "read",
    "run",
    "use",
    "update",
    "skip",
    "proceed",
    "continue",
    "write",
    "save",
    "append",
    "clear",
    "go",
    "goto",
    "jump",
    "return",
    "halt",
    "stop",
    "early",
    "display",
    "present",
    "ask",
    "follow",
    "execute",
    "invoke",
    "set",
    "store",
    "check",
    "exit",
    "end",
    "report",
    "increment",
    "leave",
    "process",
];

/// Says whether these are words that an author writes for a value that is nothing.
pub fn says_nothing(words: &str) -> bool {
    ["empty", "null", "nothing", "empty string", "an empty string"]
        .iter()
        .any(|nothing| words.eq_ignore_ascii_case(nothing))
}

/// A variable named in a sentence.
struct Name<'a> {
    text: &'a str,
    /// Written so that it can only be a variable: in braces, as code, with an underscore.
    sure: bool,
    /// Where a value stands that shares its backticks: `x = 1`.
    value: Option<(usize, usize)>,
}

/// Reads the variable at `at`.
fn name<'a>(sentence: &Sentence<'a>, at: usize) -> Option<Name<'a>> {
    let token = sentence.get(at)?;
    let text = sentence.slice(token);
    match token.kind {
        Kind::Hole => bare(text).map(|text| Name {
            text,
            sure: true,
            value: None,
        }),
        Kind::Code => {
            let inside = text.trim_matches('`');
            let offset = token.start + (text.len() - text.trim_start_matches('`').len());
            if let Some(text) = bare(inside) {
                return Some(Name {
                    text,
                    sure: true,
                    value: None,
                });
            }
            let (left, right) = inside.split_once('=')?;
            let start = offset + left.len() + 1 + (right.len() - right.trim_start().len());
            let right = right.trim();
            let quoted = right.len() > 1
                && (right.starts_with('"') && right.ends_with('"') || right.starts_with('\'') && right.ends_with('\''));
            let marks = usize::from(quoted);
            let value = (start + marks, start + right.len() - marks);
            bare(left.trim()).map(|text| Name {
                text,
                sure: true,
                value: Some(value),
            })
        }
        Kind::Word => bare(text).map(|text| Name {
            text,
            sure: text.contains('_') && !text.contains('.'),
            value: None,
        }),
        Kind::Quote
        | Kind::Snapshot
        | Kind::Link
        | Kind::Bracket
        | Kind::Comma
        | Kind::Semicolon
        | Kind::Colon
        | Kind::Open
        | Kind::Close
        | Kind::Equals
        | Kind::Dash
        | Kind::Arrow
        | Kind::Other => None,
    }
}

/// Takes the braces off a name; nothing where it is none.
fn bare(text: &str) -> Option<&str> {
    let name = text.trim_start_matches('{').trim_end_matches('}').trim();
    let starts = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let rest = name
        .chars()
        .all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'));
    (starts && rest).then_some(name)
}

/// Reads `Set x = y`, ``set `x` to `y` ``, `Set {{a}}, {{b}} from input`, `Set a = 1, b = 2`.
pub(super) fn set(sentence: &Sentence, at: usize) -> Vec<Found> {
    let mut found = Vec::new();
    // `--set` is an option of a command.
    let option = sentence
        .get(at)
        .is_some_and(|token| sentence.between(0, token.start).ends_with('-'));
    if !sentence.orders(at) || sentence.negated(at) || option {
        return found;
    }
    let mut first = at;
    let mut from = sentence.skip(at + 1, &["the", "variable"]);
    while let Some((lift, last)) = assignment(sentence, first, from) {
        found.push(lift);
        // `Set a = 1, b = 2` and `Set a_b to 1 and c_d to 2` go on; anything else ends here.
        let is_joined = sentence.kind(last + 1) == Some(Kind::Comma) || sentence.is(last + 1, &["and"]);
        let next = sentence.skip(last + 2, &["and"]);
        let more = is_joined && is_set(sentence, next);
        if !more {
            return found;
        }
        (first, from) = (next, next);
    }
    if found.is_empty() {
        found = unvalued(sentence, at, from);
    }
    found
}

/// Says whether a variable at `at` is given a value: `x = …`, ``  `x` to … ``.
fn is_set(sentence: &Sentence, at: usize) -> bool {
    let speaks_of_it = || sentence.is(at + 2, &["it", "them", "this", "that"]);
    let becomes =
        |name: &Name<'_>| name.sure && name.value.is_none() && sentence.is(at + 1, &["to"]) && !speaks_of_it();
    name(sentence, at).is_some_and(|name| sentence.kind(at + 1) == Some(Kind::Equals) || becomes(&name))
}

/// Reads one `x = y`; returns the lift and the last token of the value.
fn assignment(sentence: &Sentence, first: usize, from: usize) -> Option<(Found, usize)> {
    let name = name(sentence, from)?;
    let (last, start, end) = match name.value {
        Some((start, end)) => (from, start, end),
        None => {
            let equals = sentence.kind(from + 1) == Some(Kind::Equals);
            let becomes = name.sure && sentence.is(from + 1, &["to"]);
            if !equals && !becomes {
                return None;
            }
            value(sentence, from + 2)?
        }
    };
    let document = (last + 1..last + 6).any(|index| sentence.is(index, &["frontmatter", "frontmatter's"]));
    if document || start >= end {
        return None;
    }
    let written = sentence.between(start, end);
    let before = sentence.between(0, start);
    let is_quoted = before.ends_with(['"', '\'', '`']);
    let value = if !is_quoted && says_nothing(written) {
        ""
    } else {
        written
    };
    // More than one word is told, not written: `its path`, `x + 1`, `a if it is there, otherwise b`.
    let is_long = match name.value {
        Some(_) => !is_quoted && has_words(written),
        None => last > from + 2,
    };
    let stands_in = !before.ends_with(['"', '\'']) && is_placeholder(written);
    let is_told = (is_long || stands_in) && !says_nothing(written);
    let name = name.text.to_owned();
    let kind = match is_told {
        true => LiftKind::Store { name },
        false => LiftKind::Set {
            name,
            value: value.to_owned(),
            value_span: sentence.span(start, end),
        },
    };
    Found::new(sentence, first, last, kind).map(|found| (found, last))
}

/// Says whether a value that stands for itself has more than one word; a list or a map has items.
fn has_words(value: &str) -> bool {
    let is_items = value.starts_with('[') || value.starts_with('{') && value.ends_with('}');
    value.contains(char::is_whitespace) && !is_items
}

/// Says whether a value only says what is to stand in its place: `[the topic they chose]`, `<version>`. The items of a list
/// are parted by commas, and each is one word or quoted.
fn is_placeholder(value: &str) -> bool {
    let inside = |open, close| value.strip_prefix(open).and_then(|rest: &str| rest.strip_suffix(close));
    if inside('<', '>').or_else(|| inside('‹', '›')).is_some() {
        return true;
    }
    let is_item = |item: &str| item.starts_with(['"', '\'', '{', '[']) || !item.contains(char::is_whitespace);
    inside('[', ']').is_some_and(|items| !items.split(',').all(|item| is_item(item.trim())))
}

/// Finds where a value ends: returns its last token and its bytes, without quotes around all of it.
fn value(sentence: &Sentence, at: usize) -> Option<(usize, usize, usize)> {
    let first = sentence.get(at)?;
    let atom = matches!(first.kind, Kind::Quote | Kind::Code | Kind::Hole | Kind::Snapshot);
    let mut last = at;
    let mut depth = 0usize;
    for index in at + 1..sentence.tokens.len() {
        let kind = sentence.kind(index);
        if kind == Some(Kind::Open) {
            depth += 1;
        } else if kind == Some(Kind::Close) {
            let Some(outer) = depth.checked_sub(1) else {
                break;
            };
            depth = outer;
        }
        if depth == 0 && ends_value(sentence, index, atom && last == at) {
            break;
        }
        if atom && last == at && sentence.kind(index) == Some(Kind::Open) {
            break;
        }
        last = index;
    }
    let token = sentence.get(last)?;
    let quoted = last == at && matches!(first.kind, Kind::Quote | Kind::Code);
    let marks = if quoted { mark_width(sentence.slice(first)) } else { 0 };
    Some((last, first.start + marks, token.end.checked_sub(marks)?))
}

fn mark_width(quoted: &str) -> usize {
    match quoted.chars().next() {
        Some('`') => quoted.bytes().take_while(|byte| *byte == b'`').count(),
        Some(quote) => quote.len_utf8(),
        None => 0,
    }
}

/// Says whether a value ends before the token at `at`; `whole` says that what came before can be all of it.
fn ends_value(sentence: &Sentence, at: usize, whole: bool) -> bool {
    let order = |index: usize| sentence.is(index, NEXT) || is_set(sentence, index);
    let kind = sentence.kind(at);
    if matches!(kind, Some(Kind::Comma | Kind::Semicolon | Kind::Dash)) {
        return whole || order(sentence.skip(at + 1, &["and"]));
    }
    kind == Some(Kind::Arrow)
        || sentence.is(at, &["then"])
        || (sentence.is(at, &["and"]) && (whole || order(at + 1)))
        || (whole && sentence.is(at, &["in", "for", "as"]))
}

/// Reads names that get a value nobody writes down: `Set {{a}}, {{b}} from user input`, ``set `x`.``
fn unvalued(sentence: &Sentence, at: usize, from: usize) -> Vec<Found> {
    let (names, next) = names(sentence, from);
    let marked = sentence.kind(from) == Some(Kind::Hole) || sentence.kind(from) == Some(Kind::Code);
    let closed = matches!(
        sentence.kind(next),
        None | Some(Kind::Comma | Kind::Semicolon | Kind::Close | Kind::Open | Kind::Dash)
    ) || sentence.is(next, &["from", "and", "then", "accordingly", "based", "using"]);
    if !marked || !closed {
        return Vec::new();
    }
    stores(sentence, at, &names)
}

/// Reads names between commas and `and`; returns their places and the place after them.
fn names(sentence: &Sentence, from: usize) -> (Vec<usize>, usize) {
    let mut names = Vec::new();
    let mut at = from;
    while name(sentence, at).is_some_and(|name| name.sure && name.value.is_none()) {
        names.push(at);
        let comma = sentence.kind(at + 1) == Some(Kind::Comma);
        let next = sentence.skip(if comma { at + 2 } else { at + 1 }, &["and"]);
        if next == at + 1 || !name(sentence, next).is_some_and(|name| name.sure && name.value.is_none()) {
            return (names, at + 1);
        }
        at = next;
    }
    (names, at)
}

fn stores(sentence: &Sentence, first: usize, names: &[usize]) -> Vec<Found> {
    let mut found = Vec::new();
    for (index, at) in names.iter().enumerate() {
        let Some(name) = name(sentence, *at) else {
            continue;
        };
        let kind = LiftKind::Store {
            name: name.text.to_owned(),
        };
        let start = if index == 0 { first } else { *at };
        found.extend(Found::new(sentence, start, *at, kind));
    }
    found
}

/// Reads `Store … as {{x}}`, `Store in variable: {x}`, `Store {{x}} for later use`, `Save … as {{x}}`.
pub(super) fn store(sentence: &Sentence, at: usize) -> Vec<Found> {
    // A name that can only be a variable has one of these.
    let marked = sentence.get(at).is_some_and(|verb| {
        let after = sentence.between(verb.end, sentence.end());
        near_any(b'{', b'`', b'_', after.as_bytes()).is_some()
    });
    if !marked || !sentence.orders(at) || sentence.negated(at) {
        return Vec::new();
    }
    let stores_only = sentence.is(at, &["store", "remember"]);
    let from = placed(sentence, at, &["as"])
        .or_else(|| placed(sentence, at, &["in", "into"]).filter(|_| stores_only))
        .or_else(|| direct(sentence, at).filter(|_| stores_only));
    let Some(from) = from else {
        return Vec::new();
    };
    let (mut names, _) = names(sentence, from);
    names.retain(|at| stores_only || !is_document(sentence, *at));
    stores(sentence, at, &names)
}

/// Finds the names after `as`, `in variable:` or `in a variable named`.
fn placed(sentence: &Sentence, at: usize, words: &[&str]) -> Option<usize> {
    let mut places = (at + 1..sentence.tokens.len())
        .take_while(|index| {
            !matches!(sentence.kind(*index), Some(Kind::Semicolon | Kind::Dash)) && !sentence.is(*index, &["then"])
        })
        .filter(|index| sentence.is(*index, words));
    places.find_map(|index| {
        let mut from = sentence.skip(index + 1, &["a", "the", "variable", "variables", "named", "called"]);
        if sentence.kind(from) == Some(Kind::Colon) {
            from += 1;
        }
        name(sentence, from)
            .filter(|name| name.sure && name.value.is_none())
            .map(|_| from)
    })
}

/// Finds the name in `Store {{x}} for later use`, `Store the found story_key`.
fn direct(sentence: &Sentence, at: usize) -> Option<usize> {
    let from = sentence.skip(
        at + 1,
        &["the", "found", "all", "a", "extracted", "selected", "resulting"],
    );
    name(sentence, from)
        .filter(|name| name.sure && name.value.is_none())
        .map(|_| from)
}

/// Says whether a name is that of a file: `save the report as {output_file}` writes it.
fn is_document(sentence: &Sentence, at: usize) -> bool {
    name(sentence, at).is_some_and(|name| {
        let lower = name.text.to_ascii_lowercase();
        ["file", "path", "output", "document"]
            .iter()
            .any(|word| lower.contains(word))
            || name.text.contains('.')
    })
}
