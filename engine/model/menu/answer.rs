//! A line in, the answers it speaks of out: `IF A:`, `#### If 'C' (Continue):`, `If the user chooses **Edit**, …`.

use super::bracket::is_key;
use super::key::{Named, Writing, is_one_of, keys, parenthesis, range, selected_words, word};
use crate::source::near_byte;
use crate::syntax::WordList;

/// The head of a sentence that says what an answer does.
pub(super) struct Clause<'a> {
    /// The answers it names.
    pub(super) keys: Vec<&'a str>,
    /// Whether it speaks of every other answer.
    pub(super) any_other: bool,
    /// Whether it is written as a branch, with a colon or as a heading, not in passing.
    pub(super) branches: bool,
    /// Where what it does starts.
    pub(super) end: usize,
}

/// What stands between the `if` and the key.
struct Subject<'a> {
    rest: &'a str,
    /// Whether somebody selects, chooses or says the key.
    chosen: bool,
}

/// How far from its start the head of a clause is looked for.
const MAX_HEAD: usize = 240;
/// How far from `any other` its colon may stand.
const MAX_OTHER: usize = 60;
/// What a clause, and what goes on with those above it, starts with: this and the lists below.
static FIRST: WordList = WordList::new(&[
    "if",
    "when",
    "after",
    "once",
    "only",
    "any",
    "all",
    "something",
    "anything",
    "other",
    "otherwise",
    "else",
    "on",
]);
/// What speaks of every other answer starts with.
static OTHERS: WordList = WordList::new(&["any", "all", "something", "anything", "other", "otherwise"]);
static OPENERS: WordList = WordList::new(&["if", "when", "after", "once"]);
static PEOPLE: WordList = WordList::new(&["the", "user", "human", "they", "he", "she", "person"]);
static CHOOSING: WordList = WordList::new(&[
    "selects",
    "select",
    "selected",
    "chooses",
    "choose",
    "chose",
    "picks",
    "pick",
    "enters",
    "responds",
    "answers",
    "says",
    "types",
    "wants",
    "want",
    "replies",
    "explicitly",
]);
static FILLERS: WordList = WordList::new(&["option", "to", "with", "menu"]);

/// Says whether a text may begin with a word that an answer begins with, or with `If yes:`.
#[inline]
pub(super) fn may_begin(text: &[u8]) -> bool {
    FIRST.may_begin(text)
}

/// Reads a clause that starts at the beginning of `text`; `strict` wants a verb of choosing.
#[inline]
pub(super) fn clause(text: &str, strict: bool) -> Option<Clause<'_>> {
    // Most lines start with none of the words a clause can start with.
    if may_begin(text.as_bytes()) {
        read(text, strict)
    } else {
        None
    }
}

fn read(text: &str, strict: bool) -> Option<Clause<'_>> {
    let first = text.bytes().position(|byte| !byte.is_ascii_alphanumeric());
    let first = text.get(..first.unwrap_or(text.len())).unwrap_or("");
    let text = text.get(..text.floor_char_boundary(MAX_HEAD)).unwrap_or(text);
    if OTHERS.has(first) {
        let end = if strict { None } else { everything_else(text) };
        return end.filter(|_| is_any_reply(text)).map(|end| otherwise(text, end));
    }
    let (word, rest) = (first, text.get(first.len()..)?);
    let passing = word.eq_ignore_ascii_case("only");
    let (word, rest) = if passing { self::word(rest)? } else { (word, rest) };
    if !OPENERS.has(word) {
        return None;
    }
    let subject = subject(rest);
    let strong = word.eq_ignore_ascii_case("if") || word.eq_ignore_ascii_case("when");
    if !subject.chosen && (strict || !strong) {
        return None;
    }
    // Most go on with what is the case; a key without marks, or a label, begins with a capital or a digit.
    if subject.rest.starts_with(|at: char| at.is_ascii_lowercase()) && !OTHERS.may_begin(subject.rest.as_bytes()) {
        return None;
    }
    if let Some(end) = everything_else(subject.rest) {
        return Some(otherwise(text, text.len() - subject.rest.len() + end));
    }
    let (keys, last) = keys(subject.rest, subject.chosen).or_else(|| selected_words(subject.rest))?;
    let end = text.len() - last.rest.len() + terminator(&last, subject.chosen)?;
    let head = text.get(..end).unwrap_or(text);
    Some(Clause {
        keys,
        any_other: false,
        branches: !passing && (head.ends_with([':', '→', '>']) || end == text.len()),
        end: end + marks(text.get(end..).unwrap_or("")),
    })
}

/// Reads `[K]:`, `**K**:`, `**Label**:`, `**[K] Label:**`, `` `[K]` → `` at the start of a line.
pub(super) fn labelled(text: &str) -> Option<Clause<'_>> {
    let end = first_terminator(text.as_bytes())?;
    let head = text
        .get(..end.0)?
        .trim_matches(|at: char| matches!(at, '*' | '_' | '`' | '"' | '\'') || at.is_whitespace());
    let key = match head.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => head.split("**").next()?.trim(),
    };
    // `IF mode == create:` compares, and names no answer.
    if key.is_empty() || key.len() > 48 || key.contains('=') {
        return None;
    }
    let end = end.0 + end.1;
    Some(Clause {
        keys: key.split('/').map(str::trim).collect(),
        any_other: false,
        branches: true,
        end: end + marks(text.get(end..).unwrap_or("")),
    })
}

/// Finds the first colon or arrow of a text: where it stands and how long it is.
fn first_terminator(text: &[u8]) -> Option<(usize, usize)> {
    memchr::memchr3_iter(b':', b'>', 0xe2, text).find_map(|at| match text[at] {
        b':' => Some((at, 1)),
        b'>' => matches!(text[..at].last(), Some(b'-' | b'=')).then(|| (at - 1, 2)),
        _ => text[at..].starts_with("→".as_bytes()).then_some((at, "→".len())),
    })
}

/// Reads `If S, save it` and `On **S**: save it`: a key and a mark, which mean an answer only where the key was offered.
pub(super) fn before_mark(text: &str) -> Option<Clause<'_>> {
    let (opener, rest) = word(text).filter(|(opener, _)| is_one_of(opener, &["if", "when", "on"]))?;
    let marks_end: &[char] = if opener.eq_ignore_ascii_case("on") {
        &[',', ':']
    } else {
        &[',']
    };
    let (keys, last) = keys(rest, false)?;
    let tail = last.rest.trim_start_matches(['*', '_', '`', ' ']);
    let tail = parenthesis(tail).map_or(tail, |(_, after)| after.trim_start_matches(['*', '_', '`', ' ']));
    let after = tail.strip_prefix(marks_end)?;
    Some(Clause {
        keys,
        any_other: false,
        branches: true,
        end: text.len() - after.len() + marks(after),
    })
}

/// Reads `IF 1-3: …`: each of the numbers is an answer, where all of them were offered.
pub(super) fn ranged(text: &str) -> Option<Clause<'_>> {
    let (_, rest) = word(text).filter(|(opener, _)| is_one_of(opener, &["if", "when", "on"]))?;
    let (keys, rest) = range(rest)?;
    let after = rest.trim_start_matches(['*', '_', '`', ' ']);
    let after = ["→", "->", ":"].iter().find_map(|mark| after.strip_prefix(mark))?;
    Some(Clause {
        keys,
        any_other: false,
        branches: true,
        end: text.len() - after.len() + marks(after),
    })
}

/// Reads `Otherwise: …`, `Else, …`, which go on with the branches above; returns where what they do starts.
pub(super) fn rest_of_answers(text: &str) -> Option<usize> {
    if !matches!(text.as_bytes(), [b'o' | b'O' | b'e' | b'E', ..]) {
        return None;
    }
    let (_, rest) = word(text).filter(|(opener, _)| is_one_of(opener, &["otherwise", "else"]))?;
    let after = rest.trim_start_matches(['*', '_', ' ']).strip_prefix([':', ','])?;
    Some(text.len() - after.len() + marks(after))
}

/// Reads `If yes:` and `If no:`.
pub(super) fn yes_or_no(text: &str) -> Option<Clause<'_>> {
    let (opener, rest) = word(text)?;
    if !opener.eq_ignore_ascii_case("if") {
        return None;
    }
    let (answer, rest) = word(rest)?;
    let after = rest.trim_start_matches(['*', '_', ' ']).strip_prefix([':', ','])?;
    if !is_one_of(answer, &["yes", "no", "y", "n"]) {
        return None;
    }
    Some(Clause {
        keys: vec![answer],
        any_other: false,
        branches: true,
        end: text.len() - after.len() + marks(after),
    })
}

/// Reads `Option 1: …` and `Option [A] — …` at the start of a heading.
pub(super) fn numbered(text: &str) -> Option<Clause<'_>> {
    let (_, rest) = word(text).filter(|(opener, _)| opener.eq_ignore_ascii_case("option"))?;
    let (key, after) = match in_brackets(rest.trim_start()) {
        Some(found) => found,
        None => word(rest).filter(|(key, _)| is_key(key))?,
    };
    let after = after.trim_start_matches(['*', '_', ' ']);
    let is_closed = after.is_empty() || after.starts_with([':', '-', '–', '—']);
    is_closed.then(|| whole(key, text))
}

/// Reads `[A] Approve` as a whole heading; returns the label, too.
pub(super) fn bracketed(text: &str) -> Option<(Clause<'_>, &str)> {
    let (key, label) = in_brackets(text)?;
    let label = label.trim_matches(|at: char| !at.is_alphanumeric());
    (!label.is_empty() && !label.contains('[')).then(|| (whole(key, text), label))
}

/// Reads a key in brackets at the start of a text, and returns what stands behind it.
fn in_brackets(text: &str) -> Option<(&str, &str)> {
    let (key, after) = text.strip_prefix('[')?.split_once(']')?;
    let is_free = after.starts_with([' ', '*', ':']) || after.is_empty();
    (is_key(key) && is_free).then_some((key, after))
}

/// Returns a clause for a key that all of a heading is about.
fn whole<'a>(key: &'a str, text: &str) -> Clause<'a> {
    Clause {
        keys: vec![key],
        any_other: false,
        branches: true,
        end: text.len(),
    }
}

fn subject(mut rest: &str) -> Subject<'_> {
    let mut chosen = false;
    while let Some((next, after)) = word(rest) {
        if chosen && !rest.trim_start().starts_with(next) {
            break;
        }
        if CHOOSING.has(next) {
            chosen = true;
        } else if !(PEOPLE.has(next) || chosen && FILLERS.has(next)) {
            break;
        }
        rest = after;
    }
    Subject {
        rest: rest.trim_start(),
        chosen,
    }
}

/// Reads `any other …:` and `anything else:`; returns where the colon ends.
fn everything_else(text: &str) -> Option<usize> {
    let (first, rest) = word(text).filter(|(first, _)| OTHERS.has(first))?;
    let second = word(rest).map_or("", |(second, _)| second);
    let any = is_one_of(first, &["any", "all", "something", "anything"]) && is_one_of(second, &["other", "else"]);
    let alone = is_one_of(first, &["other", "otherwise"]) && rest.starts_with([':', '*']);
    let colon = near_byte(b':', text.as_bytes()).filter(|at| *at < MAX_OTHER)?;
    (any || alone).then_some(colon + 1)
}

/// Says whether text that starts with `any other` goes on with something a person says.
fn is_any_reply(text: &str) -> bool {
    let third = word(text)
        .and_then(|(_, rest)| word(rest))
        .and_then(|(_, rest)| word(rest));
    third.is_some_and(|(third, _)| {
        let replies = [
            "reply", "comment", "comments", "input", "answer", "response", "message", "query",
        ];
        is_one_of(third, &replies)
    })
}

fn otherwise(text: &str, end: usize) -> Clause<'_> {
    Clause {
        keys: Vec::new(),
        any_other: true,
        branches: true,
        end: end + marks(text.get(end..).unwrap_or("")),
    }
}

/// Finds where the head of the clause ends: behind a colon or an arrow, or right away where somebody chooses.
fn terminator(last: &Named<'_>, chosen: bool) -> Option<usize> {
    let tail = last.rest;
    let mut rest = tail.trim_start_matches(|at: char| matches!(at, '*' | '_' | '`') || at.is_whitespace());
    let explained = parenthesis(rest);
    if let Some((_, after)) = explained {
        rest = after.trim_start_matches(|at: char| matches!(at, '*' | '_' | '`') || at.is_whitespace());
    }
    for words in ["is selected", "selected", "is chosen", "chosen", "is entered"] {
        if let Some(after) = rest.strip_prefix(words) {
            return Some(tail.len() - after.len() + usize::from(after.starts_with([':', ','])));
        }
    }
    // ``If `Y`/Enter:`` names a key of the keyboard next to the answer.
    if let Some(colon) = rest
        .strip_prefix('/')
        .and_then(|rest| near_byte(b':', rest.as_bytes()))
        .filter(|at| *at < 20)
    {
        return Some(tail.len() - rest.len() + colon + 2);
    }
    for mark in [":", "→", "->", "=>"] {
        if let Some(after) = rest.strip_prefix(mark) {
            return Some(tail.len() - after.len());
        }
    }
    if rest.is_empty() {
        return Some(tail.len());
    }
    let colon = near_byte(b':', rest.as_bytes());
    if chosen {
        let end = colon
            .filter(|at| *at < 40)
            .or(near_byte(b',', rest.as_bytes()).filter(|at| *at < 40));
        return Some(tail.len() - rest.len() + end.map_or(0, |at| at + 1));
    }
    // `If [C] Continue:` and `IF S (Skip) or nothing was found:` put words before the colon.
    let bracketed = last.writing == Writing::Bracketed;
    let colon = colon?;
    let close = rest
        .get(colon..)?
        .trim_matches(|at: char| matches!(at, ':' | '*' | '_') || at.is_whitespace());
    (close.is_empty() && (explained.is_some() || bracketed)).then(|| tail.len() - rest.len() + colon + 1)
}

/// Counts the closing marks after a head.
fn marks(text: &str) -> usize {
    text.len()
        - text
            .trim_start_matches(|at: char| matches!(at, '*' | '_' | '`') || at.is_whitespace())
            .len()
}

#[cfg(test)]
mod tests {
    use super::{clause, everything_else, keys, rest_of_answers, selected_words, subject};

    #[test]
    fn what_begins_with_a_small_letter_names_an_answer_only_where_it_is_any_other() {
        for text in [
            "if the file exists: take it",
            "if user selects the draft: take it",
            "If user chooses é: take it",
            "if onward selected: take it",
            "If any other answer: take it",
            "If a: take it",
            "if the user picks anything else: take it",
            "If user selects other: take it",
        ] {
            let rest = subject(&text["if".len()..]).rest;
            let names = everything_else(rest).is_some() || keys(rest, true).is_some() || selected_words(rest).is_some();
            assert_eq!(clause(text, false).is_some(), names, "{text}");
        }
        assert!(clause("If user selects C: take it", false).is_some());
        assert!(rest_of_answers("otherwise: go on").is_some());
        assert!(rest_of_answers("**Otherwise: go on").is_none());
    }
}
