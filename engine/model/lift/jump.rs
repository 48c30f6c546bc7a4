//! Sentences in, jumps out: `go to step 3`, `return to caller`.

use super::sentence::{Kind, Sentence};
use super::{Found, LiftKind, Verb};

/// What a part of a file is called.
pub(in crate::model) const SECTION: &str = "section";

/// Returns what the words of a jump call the step whose label follows them.
pub(in crate::model) fn noun(words: &str) -> &str {
    words.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// Reads `Otherwise, done` and `Otherwise, the workflow is complete` at the last word.
pub(super) fn done(sentence: &Sentence, at: usize) -> Option<Found> {
    let is_last = sentence.get(at + 1).is_none() && !sentence.question;
    if !is_last || !sentence.is(0, &["otherwise", "else"]) {
        return None;
    }
    let first = 1 + usize::from(sentence.kind(1) == Some(Kind::Comma));
    let subject = sentence.skip(first, &["the", "this"]);
    let is_named = sentence.is(subject, &["workflow"]) && at == sentence.skip(subject + 1, &["is"]);
    let is_all = at == first && sentence.is(at, &["done"]);
    (is_all || is_named).then(|| Found::new(sentence, at, at, LiftKind::Exit))?
}

/// Says whether lifted words are the last of `Otherwise, done` and its like.
pub(super) fn is_done(words: &str) -> bool {
    ["done", "complete", "completed"]
        .iter()
        .any(|done| words.eq_ignore_ascii_case(done))
}

/// Reads `go to step 3` around the word `step`, `stage`, `phase` or `section` at `at`.
pub(super) fn goto(sentence: &Sentence, at: usize) -> Option<Found> {
    let (first, verb) = verb_before(sentence, at)?;
    let label = sentence.word(at + 1)?;
    let jumps = sentence.is(first, &["goto"]);
    let is_letter = || sentence.is(at, &[SECTION]) && matches!(label.as_bytes(), [b'A'..=b'Z']);
    let is_named = is_label(label) || (jumps && is_word_label(label)) || is_letter();
    if !is_named || counts(sentence, at + 2) || elsewhere(sentence, at + 2) {
        return None;
    }
    let refused = sentence.question || sentence.negated(first) || wished(sentence, first) || is_option(sentence, first);
    let is_noun = sentence.is(first, &["route"]) && !sentence.orders(first);
    if refused || is_noun {
        return None;
    }
    let token = sentence.get(at + 1)?;
    let kind = LiftKind::Goto {
        label: label.to_owned(),
        label_span: sentence.span(token.start, token.end),
        verb,
    };
    Found::new(sentence, first, at + 1, kind)
}

/// Reads `Return to caller`, `return to the calling workflow`, `Return to Mary's main menu`, and `Return` alone.
pub(super) fn give_back(sentence: &Sentence, at: usize) -> Option<Found> {
    if !sentence.orders(at) || sentence.negated(at) {
        return None;
    }
    if sentence.tokens.len() == 1 {
        return Found::new(sentence, at, at, LiftKind::Return);
    }
    let to = sentence.skip(at + 1, &["control", "immediately", "directly", "now", "back"]);
    if !sentence.is(to, &["to"]) {
        return None;
    }
    let whom = sentence.skip(to + 1, &["the"]);
    let last = if sentence.is(whom, &["caller"]) {
        whom
    } else if sentence.is(whom, &["calling", "parent", "invoking"])
        && sentence.is(whom + 1, &["workflow", "task", "skill", "step"])
    {
        whom + 1
    } else {
        menu_of_another(sentence, whom)?
    };
    Found::new(sentence, at, last, LiftKind::Return)
}

/// Reads the menu of an agent, which is not the one of this workflow: `Mary's main menu`, `the agent's menu`.
fn menu_of_another(sentence: &Sentence, whose: usize) -> Option<usize> {
    let name = sentence.word(whose).filter(|name| is_of_another(name))?;
    let menu = sentence.skip(whose + 1, &["main", "own"]);
    // Only somebody with a name has a main menu besides the one of this workflow.
    let is_agent = name.get(..5).is_some_and(|name| name.eq_ignore_ascii_case("agent"));
    let is_named = menu > whose + 1 && !sentence.is(whose.checked_sub(1)?, &["the"]);
    if !is_agent && !is_named {
        return None;
    }
    sentence.is(menu, &["menu"]).then_some(menu)
}

/// Says whether a word says whose a menu is: that of somebody with a name, or of the agent.
pub(in crate::model) fn is_of_another(word: &str) -> bool {
    let Some(name) = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")) else {
        return false;
    };
    let is_person = ["user", "human", "person", "operator"]
        .iter()
        .any(|person| name.eq_ignore_ascii_case(person));
    let is_place = [
        "section", "step", "phase", "stage", "part", "workflow", "skill", "page", "file", "editor", "task",
    ]
    .iter()
    .any(|place| name.eq_ignore_ascii_case(place));
    name.eq_ignore_ascii_case("agent") || name.starts_with(char::is_uppercase) && !is_person && !is_place
}

/// Finds the verb that leads to the word at `at`: `go to`, `loop back to the beginning of`, `continue with`.
pub(super) fn verb_before(sentence: &Sentence, at: usize) -> Option<(usize, Verb)> {
    let mut index = at.checked_sub(1)?;
    if sentence.is(index, &["goto"]) {
        return Some((index, Verb::Jump));
    }
    while sentence.is(index, &["the", "beginning", "start", "top", "of", "main"]) {
        index = index.checked_sub(1)?;
    }
    let with = sentence.is(index, &["with", "at"]);
    if !with && !sentence.is(index, &["to"]) {
        return None;
    }
    let preposition = index;
    index = index.checked_sub(1)?;
    while sentence.is(index, ADVERBS) {
        match index.checked_sub(1) {
            Some(before) if verb(sentence, before).is_some() || sentence.is(before, ADVERBS) => index = before,
            _ => break,
        }
    }
    if let Some(found) = verb(sentence, index) {
        let allowed = !with || matches!(found, Verb::Continue | Verb::Proceed);
        return allowed.then_some((index, found));
    }
    let back = sentence.is(index, &["back"]) && preposition == index + 1;
    back.then_some((index, Verb::Return))
}

const ADVERBS: &[&str] = &[
    "back",
    "directly",
    "immediately",
    "straight",
    "ahead",
    "on",
    "forward",
    "automatically",
    "now",
];

fn verb(sentence: &Sentence, at: usize) -> Option<Verb> {
    const VERBS: [(&str, Verb); 10] = [
        ("go", Verb::Jump),
        ("jump", Verb::Jump),
        ("continue", Verb::Continue),
        ("return", Verb::Return),
        ("loop", Verb::Loop),
        ("skip", Verb::Skip),
        ("proceed", Verb::Proceed),
        ("move", Verb::Proceed),
        ("advance", Verb::Proceed),
        ("route", Verb::Proceed),
    ];
    let word = sentence.word(at)?;
    VERBS
        .iter()
        .find(|(verb, _)| word.eq_ignore_ascii_case(verb))
        .map(|(_, verb)| *verb)
}

/// Says whether `text` is a label: `3`, `2a`, `2B`, `1-B`, `0.5`, `-1`.
fn is_label(text: &str) -> bool {
    let label = text.strip_prefix('-').unwrap_or(text);
    let digits = label.bytes().take_while(u8::is_ascii_digit).count();
    digits <= 4 && label_length(label).is_some_and(|length| length == label.len())
}

/// Measures the label that a text begins with: digits, then parts behind dots or one letter, maybe behind a hyphen.
pub(in crate::model) fn label_length(text: &str) -> Option<usize> {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let digits = count(text);
    let mut end = digits;
    while let Some(part) = text[end..].strip_prefix('.').map(count).filter(|part| *part > 0) {
        end += 1 + part;
    }
    let rest = &text[end..];
    let tail = rest.strip_prefix('-').unwrap_or(rest);
    let letters = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if end == digits && letters == 1 && tail.starts_with(|at: char| at.is_ascii_alphabetic()) {
        end = text.len() - tail.len() + 1;
    }
    (digits > 0).then_some(end)
}

fn is_word_label(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Says whether the label is only counted: `step 3 of 13`.
fn counts(sentence: &Sentence, at: usize) -> bool {
    sentence.is(at, &["of"]) && sentence.word(at + 1).is_some_and(is_label)
}

/// Says whether the step is one of another file: `step 3 of the onboarding workflow`, `step 2 in `plan.md``.
fn elsewhere(sentence: &Sentence, at: usize) -> bool {
    const PLACES: &[&str] = &[
        "workflow",
        "task",
        "skill",
        "file",
        "instructions",
        "protocol",
        "process",
        "guide",
        "manual",
        "tutorial",
        "readme",
    ];
    if !sentence.is(at, &["of", "in", "from"]) {
        return false;
    }
    let first = sentence.skip(at + 1, &["the"]);
    let is_own =
        sentence.is(first, &["this", "current", "same", "main"]) || first > at + 1 && sentence.is(first, PLACES);
    let is_file = matches!(sentence.kind(first), Some(Kind::Code | Kind::Link));
    is_file || !is_own && (first..first + 3).any(|index| sentence.is(index, PLACES))
}

/// Says whether the verb is only wished, possible or spoken of: `ready to proceed`, `ask whether to return`.
fn wished(sentence: &Sentence, at: usize) -> bool {
    const WISHES: &[&str] = &[
        "ready", "able", "unable", "want", "wants", "like", "wish", "option", "safe", "free", "possible", "whether",
        "how", "when", "where", "chance", "they", "users", "user", "person",
    ];
    sentence.after(at, &["to", "can", "could", "would"])
        && (sentence.after(at, &["could", "would"]) || sentence.after(at - 1, WISHES))
}

/// Says whether the words are the label of a menu option: `[C] Continue to …`.
pub(super) fn is_option(sentence: &Sentence, at: usize) -> bool {
    let short = |index: &usize| {
        sentence
            .get(*index)
            .is_some_and(|token| token.kind == Kind::Bracket && token.end - token.start <= 4)
    };
    let key = (0..at).rev().find(short);
    key.is_some_and(|key| !(key..at).any(|index| matches!(sentence.kind(index), Some(Kind::Colon | Kind::Arrow))))
}
