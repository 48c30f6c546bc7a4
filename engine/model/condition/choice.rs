//! Tokens in, the answers they name out: `choice == 1`, `user selects 2 or 3`, `option 1`, `[c]`, `n`.

use super::token::{Joint, Kind, Token};
use super::{Test, atom, grammar};
use crate::syntax::WordList;

/// Words that mean the last answer.
static ANSWER: WordList = WordList::new(&[
    "choice",
    "response",
    "selection",
    "answer",
    "reply",
    "user_choice",
    "user_response",
    "user_selection",
    "user_answer",
    "user_reply",
    "user_input",
    "menu_choice",
    "selected_option",
]);

/// Words that are an answer when they are all a condition says.
static BARE: WordList = WordList::new(&[
    "yes", "no", "continue", "exit", "skip", "cancel", "quit", "back", "done", "edit", "revise", "refine", "approve",
    "reject", "accept", "decline", "retry", "abort", "stop", "next", "finish", "proceed", "confirm", "restart",
    "resume", "help", "save", "enter",
]);

/// Verbs that take an option, whatever it is called.
static CHOOSING: WordList = WordList::new(&[
    "chooses", "chose", "choose", "selects", "selected", "select", "picks", "picked", "presses", "pressed", "opts",
]);

/// Verbs that take an answer only where it is quoted, a key, or plainly an answer.
static SAYING: WordList = WordList::new(&[
    "says",
    "said",
    "answers",
    "answered",
    "replies",
    "replied",
    "responds",
    "responded",
    "enters",
    "entered",
    "types",
    "typed",
    "confirms",
    "inputs",
]);

/// Says whether a name means the last answer where nothing else gave it a value.
pub(crate) fn is_answer(name: &str) -> bool {
    ANSWER.has_as_written(name)
}

/// Returns what a text says is chosen, in whatever words: `View Full` of `user selects View Full`.
pub(super) fn chosen_words(text: &str) -> Option<&str> {
    let text = text.trim();
    let text = text.strip_prefix("the ").unwrap_or(text);
    let (verb, words) = text.strip_prefix("user ")?.split_once(' ')?;
    CHOOSING
        .has_as_written(verb)
        .then(|| words.trim_matches(['"', '\'', ' ']))
}

/// Reads a condition that names an answer.
pub(super) fn read(text: &str, tokens: &[Token]) -> Option<Test> {
    named(text, tokens)
        .or_else(|| spoken(text, tokens).map(Test::Chosen))
        .or_else(|| optioned(text, tokens))
}

/// Reads a condition that is nothing but answers: `y or yes`, `[C] Continue`, `3`.
pub(super) fn bare(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    let answers = answers(text, tokens)?;
    let plain = answers.iter().all(|answer| answer.word != Word::Loose);
    plain.then(|| keys(answers))
}

/// Adds answers that are not there yet.
pub(super) fn add<'a>(answers: &mut Vec<String>, more: impl IntoIterator<Item = &'a str>) {
    for answer in more {
        if !answers.iter().any(|known| known == answer) {
            answers.push(answer.to_owned());
        }
    }
}

/// Reads `choice == 1`, `selection is 2 or 3`, `choice in [a, b]` and their opposites.
fn named(text: &str, tokens: &[Token]) -> Option<Test> {
    let rest = match tokens {
        [user, name, rest @ ..]
            if user.is_any(&["user", "user's", "menu", "selected"]) && (name.is_in(&ANSWER) || name.is("option")) =>
        {
            rest
        }
        [name, rest @ ..] if name.kind == Kind::Hole && ANSWER.has_as_written(name.text) => rest,
        [name, rest @ ..] if name.is_in(&ANSWER) => rest,
        _ => return None,
    };
    let (negated, list) = match rest {
        [not, within, list @ ..] if not.is("not") && within.is("in") => (true, unlisted(list)?),
        [within, list @ ..] if within.is("in") => (false, unlisted(list)?),
        rest => {
            let (operator, list, _) = atom::operator(rest)?;
            (atom::equality(operator)?, list)
        }
    };
    let chosen = Test::Chosen(keys(answers(text, list)?));
    Some(if negated { Test::Not(Box::new(chosen)) } else { chosen })
}

fn unlisted<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    match tokens {
        [open, inner @ .., close] if open.kind == Kind::ListOpen && close.kind == Kind::ListClose => Some(inner),
        _ => grammar::group(tokens),
    }
}

/// Reads `user selects 1`, `the user chooses 'x' or 'y'`, `user requests more (options 2-3)`.
fn spoken(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    let mut rest = tokens;
    if let [the, after @ ..] = rest
        && the.is("the")
    {
        rest = after;
    }
    let mut subject = false;
    if let [who, after @ ..] = rest
        && (who.is_any(&["user", "users", "human", "they"]) || (who.kind == Kind::Hole && who.text == "user_name"))
    {
        subject = true;
        rest = after;
    }
    let [verb, after @ ..] = rest else {
        return None;
    };
    if verb.is_in(&CHOOSING) {
        return chosen(text, after);
    }
    if verb.is_in(&SAYING) {
        let answers = answers(text, after)?;
        let plain = answers.iter().all(|answer| answer.word != Word::Loose);
        return plain.then(|| keys(answers));
    }
    let note = after.iter().position(|token| token.kind == Kind::Open)?;
    let inside = grammar::group(after.get(note..)?)?;
    (subject && inside.first()?.is_in(&OPTION)).then(|| answers(text, inside).map(keys))?
}

static OPTION: WordList = WordList::new(&["option", "options"]);

fn chosen(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    match tokens {
        [to, answer] if to.is_any(&["to", "for"]) && answer.is_in(&BARE) => Some(vec![lower(answer.text)]),
        [the, rest @ ..] if the.is("the") => answers(text, rest).map(keys),
        _ => answers(text, tokens).map(keys),
    }
}

/// Reads `option 1 or 2`, `options 2-3`, `option 3 selected`, `no option 3`, `option 1 or no option 3`.
fn optioned(text: &str, tokens: &[Token]) -> Option<Test> {
    let refused = tokens
        .windows(2)
        .position(|pair| matches!(pair, [no, option] if option.is_in(&OPTION) && no.is("no")));
    let Some(at) = refused else {
        return options(text, tokens).map(Test::Chosen);
    };
    let refused = Test::Not(Box::new(Test::Chosen(options(text, tokens.get(at + 1..)?)?)));
    match tokens.get(..at)? {
        [] => Some(refused),
        [wanted @ .., or] if matches!(or.kind, Kind::Join(Joint::Or, _)) => {
            Some(Test::Any(vec![Test::Chosen(options(text, wanted)?), refused]))
        }
        _ => None,
    }
}

fn options(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    if !tokens.first()?.is_in(&OPTION) {
        return None;
    }
    let list = match tokens {
        [list @ .., last] if last.is_any(&["selected", "chosen", "picked"]) => list,
        list => list,
    };
    let answers = answers(text, list)?;
    let plain = answers.iter().all(|answer| answer.word == Word::Key);
    plain.then(|| keys(answers))
}

/// One answer and the label or the keys that stand for the same option.
struct Answer {
    word: Word,
    keys: Vec<String>,
}

/// How sure it is that a word is an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A digit, a letter, something in brackets.
    Key,
    /// Something in quotes.
    Quoted,
    /// A word of the closed list.
    Known,
    /// Any other word.
    Loose,
}

fn keys(answers: Vec<Answer>) -> Vec<String> {
    let mut keys = Vec::new();
    for answer in &answers {
        add(&mut keys, answer.keys.iter().map(String::as_str));
    }
    keys
}

/// Reads answers between commas, slashes and `or`; a loose word only among its like.
fn answers(text: &str, tokens: &[Token]) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == Kind::Open {
            depth += 1;
        } else if token.kind == Kind::Close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 && (matches!(token.kind, Kind::Comma | Kind::Join(Joint::Or, _)) || token.text == "/") {
            let item = tokens.get(start..index)?;
            // A comma before `or` leaves nothing between them.
            if !item.is_empty() {
                answers.push(answer(text, item)?);
            }
            start = index + 1;
        }
    }
    answers.push(answer(text, tokens.get(start..)?)?);
    let loose = answers.iter().filter(|answer| answer.word == Word::Loose).count();
    (loose == 0 || loose == answers.len()).then_some(answers)
}

/// Reads one answer: `1`, `option 2`, `[c] Continue`, `'x'`, `b (Completed)`, `finalize (option 4 or 5)`.
fn answer(text: &str, tokens: &[Token]) -> Option<Answer> {
    let tokens = match tokens {
        [option, rest @ ..] if option.is_in(&OPTION) => rest,
        tokens => tokens,
    };
    let (mut answer, rest) = match tokens {
        [open, key, close, label @ ..]
            if open.kind == Kind::ListOpen && close.kind == Kind::ListClose && key.kind == Kind::Word =>
        {
            let mut keys = vec![lower(key.text)];
            add(&mut keys, label_of(text, label).as_deref());
            let rest = if label.first().is_some_and(|first| first.kind == Kind::Open) {
                label
            } else {
                &[]
            };
            (Answer { word: Word::Key, keys }, rest)
        }
        // Most words that begin otherwise are no answer at all.
        [_, rest @ ..] if !rest.is_empty() && grammar::group(rest).is_none() => return None,
        [key, rest @ ..] => (single(key)?, rest),
        [] => return None,
    };
    if !rest.is_empty() {
        let inside = grammar::group(rest)?;
        let same = if inside.first().is_some_and(|first| first.is_in(&OPTION)) {
            keys(answers(text, inside)?)
        } else {
            vec![lower(text.get(inside.first()?.start..inside.last()?.end)?)]
        };
        add(&mut answer.keys, same.iter().map(String::as_str));
    }
    Some(answer)
}

fn label_of(text: &str, tokens: &[Token]) -> Option<String> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let words = tokens.iter().all(|token| token.kind == Kind::Word);
    words.then(|| lower(text.get(first.start..last.end).unwrap_or_default()))
}

/// Reads one token as an answer.
fn single(token: &Token) -> Option<Answer> {
    static NOT_ANSWERS: WordList = WordList::new(&[
        "similar",
        "other",
        "something",
        "anything",
        "nothing",
        "it",
        "one",
        "this",
        "that",
        "them",
        "any",
        "a",
        "an",
        "the",
        "user",
    ]);
    let word = if token.kind == Kind::Quoted {
        Word::Quoted
    } else if token.kind != Kind::Word {
        return None;
    } else if is_key(token.text) {
        Word::Key
    } else if token.is_in(&BARE) {
        Word::Known
    } else if token.is_in(&NOT_ANSWERS) || !is_plain(token.text) {
        return range(token);
    } else {
        Word::Loose
    };
    Some(Answer {
        word,
        keys: vec![lower(token.text)],
    })
}

/// Reads `2-3` as the answers 2 and 3.
fn range(token: &Token) -> Option<Answer> {
    let (first, last) = token.text.split_once(['-', '–'])?;
    let (first, last): (u8, u8) = (first.parse().ok()?, last.parse().ok()?);
    let keys: Vec<String> = (first..=last).take(100).map(|key| key.to_string()).collect();
    (!keys.is_empty()).then_some(Answer { word: Word::Key, keys })
}

/// Says whether `text` is the key of an option: a letter, a number, both, or two capitals.
fn is_key(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = bytes
        .iter()
        .skip(digits)
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let capitals = digits == 0 && letters == 2 && bytes.iter().all(u8::is_ascii_uppercase);
    digits + letters == bytes.len() && digits <= 3 && (letters <= 1 || capitals) && !bytes.is_empty()
}

/// Says whether `text` can be the name of an option and not the name of a value.
fn is_plain(text: &str) -> bool {
    text.chars().all(|next| next.is_alphabetic() || next == '-')
}

fn lower(text: &str) -> String {
    text.trim().to_lowercase()
}
