//! Sentences in, stops, exits, questions and waits out.

use super::report::is_report;
use super::sentence::{Kind, Sentence};
use super::{Found, LiftKind, case, jump};
use crate::model::{indent, item};

/// Words that name a person.
const PERSON: &[&str] = &[
    "user", "users", "human", "them", "user's", "human's", "person", "operator",
];

/// Verbs after `STOP and` or `HALT and` that end the run.
const TELLING: &[&str] = &[
    "tell", "report", "notify", "inform", "display", "escalate", "output", "explain", "surface", "do", "return", "exit",
];

/// Verbs after `STOP and` or `HALT and` that hand the question to a person.
const ASKING: &[&str] = &[
    "ask", "request", "give", "present", "re-ask", "prompt", "offer", "confirm",
];

/// Reads `HALT`, `HALT: "reason"`, `STOP and report`; `HALT and ask` and `HALT: ask the user` are waits.
pub(super) fn halt(sentence: &Sentence, at: usize) -> Option<Found> {
    let word = sentence.word(at)?;
    let stop = word == "STOP" || word != "HALT" && is_report(sentence, at);
    // In small letters it is one where it is all that a clause says, and the last.
    let small = sentence.is(at, &["halt"]) && sentence.opens_clause(at) && sentence.get(at + 1).is_none();
    if !(stop || word == "HALT" || small) || is_noun(sentence, at) || sentence.negated(at) {
        return None;
    }
    if stop && !sentence.orders(at) || ends_chain(sentence, at) {
        return None;
    }
    let next = sentence.skip(at + 1, &["here", "immediately", "now", "workflow", "execution"]);
    if waits(sentence, next) {
        return None;
    }
    let asks = sentence.is(next, &["and"])
        && (sentence.is(next + 1, ASKING) || sentence.is(next + 1, &["wait", "await"]))
        || sentence.is(next, &["for"]) && sentence.is(sentence.skip(next + 1, &["the", "a"]), PERSON)
        || puts_to_person(sentence, next);
    if asks || until_person(sentence, next) {
        let mut found = Found::new(sentence, at, at, LiftKind::Wait)?;
        found.condition = cases(sentence, next).or(found.condition);
        return Some(found);
    }
    let stands = sentence.is(next, &["and", "if", "when", "unless", "with", "until"]) || sentence.word(next).is_none();
    if stop && !stands {
        return None;
    }
    let goes_on = sentence.is(next, &["and"]) && !sentence.is(next + 1, TELLING);
    if goes_on && stop {
        return None;
    }
    let (reason, last) = reason(sentence, next);
    let mut found = Found::new(sentence, at, at, LiftKind::Halt { reason })?;
    found.end = last.unwrap_or(found.end);
    found.condition = cases(sentence, next).or(found.condition);
    // `ASK the user to clarify or HALT`: what the person says decides.
    if is_choice_of_person(sentence, at) {
        found.condition.get_or_insert((found.first, found.end));
    }
    // A case that is nowhere to be read is none that somebody could judge.
    let says = |(start, end)| sentence.between(start, end).contains(char::is_alphanumeric);
    found.condition.is_none_or(says).then_some(found)
}

/// Returns the bytes of the cases that a list below a sentence names: `HALT if:`, `HALT when any of these holds:`.
fn cases(sentence: &Sentence, from: usize) -> Option<(usize, usize)> {
    let colon = sentence.tokens.len().checked_sub(1)?;
    let opener = (from..colon).find(|index| sentence.is(*index, &["if", "when"]))?;
    if sentence.kind(colon) != Some(Kind::Colon) {
        return None;
    }
    let (first, last) = list_below(sentence.text, sentence.end())?;
    let said = sentence.get(opener + 1).filter(|_| opener + 1 < colon);
    Some((said.map_or(first, |word| word.start), last))
}

/// Returns where the list stands that follows a line whose words end at `from`.
fn list_below(text: &str, from: usize) -> Option<(usize, usize)> {
    let (tail, below) = text.get(from..)?.split_once('\n')?;
    if tail.contains(char::is_alphanumeric) {
        return None;
    }
    let blank = below.len() - below.trim_start_matches(['\n', '\r']).len();
    let start = from + tail.len() + 1 + blank;
    let depth = below[blank..].lines().next().map(indent)?;
    let belongs = |line: &&str| !line.trim().is_empty() && (item(line).is_some() || indent(line) > depth);
    let lines = below[blank..].split_inclusive('\n').take_while(belongs);
    let length: usize = lines.map(str::len).sum();
    let list = below[blank..blank + length].trim_end();
    (!list.is_empty()).then_some((start, start + list.len()))
}

/// Says whether `HALT` is spoken of, not spoken: `a HALT condition`, `write HALT into the log`.
fn is_noun(sentence: &Sentence, at: usize) -> bool {
    const BEFORE: &[&str] = &[
        "a", "an", "the", "any", "no", "explicit", "specific", "each", "every", "this", "some", "clear", "write",
        "print", "say", "reply", "type", "log", "record", "word", "status",
    ];
    const AFTER: &[&str] = &[
        "condition",
        "conditions",
        "protocol",
        "instruction",
        "instructions",
        "branch",
        "branches",
        "point",
        "points",
        "reason",
        "reasons",
        "signal",
        "state",
    ];
    let infinitive = sentence.after(at, &["to"]) && !(at >= 2 && sentence.is(at - 2, &["proceed", "go", "jump"]));
    let general = (at..sentence.tokens.len()).any(|index| sentence.is(index, &["halt-condition", "halt-conditions"]));
    sentence.after(at, BEFORE) || sentence.is(at + 1, AFTER) || infinitive || general
}

/// Says whether a stop is what a person may choose who is asked: `ask the user or HALT`, `confirm it with the operator, or HALT`.
fn is_choice_of_person(sentence: &Sentence, at: usize) -> bool {
    let Some(or) = at.checked_sub(1).filter(|or| sentence.is(*or, &["or"])) else {
        return false;
    };
    let last = or.saturating_sub(usize::from(sentence.opens_clause(or)));
    let is_put = |from: usize| is_person(sentence, sentence.skip(from, &["the", "a", "your", "directly"]));
    let asks = |verb: usize| {
        sentence.is(verb, &["ask", "re-ask", "prompt", "request", "offer", "confirm"])
            && sentence.orders(verb)
            && (is_put(verb + 1) || (verb + 1..last).any(|by| sentence.is(by, &["from", "with"]) && is_put(by + 1)))
    };
    (sentence.clause(last)..last).any(asks)
}

/// Says whether a person is named at `at`.
fn is_person(sentence: &Sentence, at: usize) -> bool {
    let is_name = |token| sentence.slice(token).contains("user_name");
    let hole = sentence.get(at).filter(|token| token.kind == Kind::Hole);
    sentence.is(at, PERSON) || hole.is_some_and(is_name)
}

/// Says whether a stop is only the last of several things that follow from each other: `one round → checkpoint → STOP`.
fn ends_chain(sentence: &Sentence, at: usize) -> bool {
    let arrows = (0..at)
        .filter(|index| sentence.kind(*index) == Some(Kind::Arrow))
        .count();
    arrows > 1 && !sentence.is(0, &["if", "when", "unless", "on"])
}

/// Says whether a wait for a person follows in the same sentence; that wait is lifted by itself.
fn waits(sentence: &Sentence, from: usize) -> bool {
    (from..from + 8).any(|index| wait(sentence, index).is_some())
}

/// Reads `: ask the user which one`, `— ask {user_name}`: what stands behind the mark is no reason.
fn puts_to_person(sentence: &Sentence, at: usize) -> bool {
    matches!(sentence.kind(at), Some(Kind::Colon | Kind::Dash))
        && sentence.is(at + 1, ASKING)
        && is_person(sentence, sentence.skip(at + 2, &["the", "your"]))
}

/// Reads `— do not proceed until the user answers`, `— do not go on unless the user says so`.
fn until_person(sentence: &Sentence, from: usize) -> bool {
    (from..from + 8).any(|index| {
        sentence.is(index, &["until", "unless"]) && sentence.is(sentence.skip(index + 1, &["the", "a"]), PERSON)
    })
}

/// Reads why: the quote, or the words up to the end of the sentence, unless they are its condition.
fn reason(sentence: &Sentence, from: usize) -> (String, Option<usize>) {
    let mut at = from;
    while matches!(sentence.kind(at), Some(Kind::Colon | Kind::Dash | Kind::Open)) {
        at += 1;
    }
    if sentence.is(at, &["if", "when", "unless", "only", "on"]) {
        return (String::new(), None);
    }
    let spoken = sentence.skip(at, &["with", "a", "an", "error", "message", "clear"]);
    let spoken = if sentence.kind(spoken) == Some(Kind::Colon) {
        spoken + 1
    } else {
        spoken
    };
    if let Some(token) = sentence.get(spoken)
        && token.kind == Kind::Quote
    {
        let quoted = sentence.slice(token);
        let inside = quoted.trim_matches(['"', '“', '”']);
        return (inside.to_owned(), Some(token.end));
    }
    // What else is to be done is no reason: `HALT and report it`, `HALT, then save`.
    let goes_on = at == from
        && (sentence.is(at, &["and", "then", "after", "before", "once"]) || sentence.kind(at) == Some(Kind::Comma));
    if spoken == sentence.tokens.len() || goes_on {
        return (String::new(), None);
    }
    at = sentence.skip(at, &["and"]);
    let Some(first) = sentence
        .get(at)
        .filter(|token| !matches!(token.kind, Kind::Close | Kind::Semicolon))
    else {
        return (String::new(), None);
    };
    let depth = |index: &usize| matches!(sentence.kind(*index), Some(Kind::Semicolon | Kind::Close));
    let closed = (at..sentence.tokens.len()).find(depth).unwrap_or(sentence.tokens.len());
    let opened = (at..closed).any(|index| sentence.kind(index) == Some(Kind::Open));
    let end = if opened {
        sentence.end()
    } else {
        sentence
            .get(closed.saturating_sub(1))
            .map_or(first.end, |token| token.end)
    };
    (sentence.between(first.start, end).trim().to_owned(), Some(end))
}

/// Reads `Exit workflow`, `end the workflow`, `stop execution`, `EXIT Quick Dev`.
pub(super) fn exit(sentence: &Sentence, at: usize) -> Option<Found> {
    let word = sentence.word(at)?;
    let shown =
        sentence.block_quote || jump::is_option(sentence, at) || (sentence.numbered && sentence.tokens.len() <= 3);
    if !sentence.orders(at) || sentence.negated(at) || sentence.question || shown {
        return None;
    }
    let object = sentence.skip(at + 1, &["the", "this"]);
    let leaves = match word.to_ascii_lowercase().as_str() {
        "stop" => sentence.is(object, &["execution", "workflow"]),
        _ => sentence.is(object, &["workflow"]),
    };
    let named = word == "EXIT" && sentence.word(at + 1).is_some_and(is_program);
    let last = if leaves { object } else { last_word(sentence, at + 1) };
    let session = leaves
        && sentence.is(
            object + 1,
            &["status", "step", "steps", "execution", "state", "file", "mode"],
        );
    ((leaves && !session) || named).then(|| Found::new(sentence, at, last, LiftKind::Exit))?
}

/// Returns the last of the words that stand together from `at` on.
fn last_word(sentence: &Sentence, at: usize) -> usize {
    let words = (at..sentence.tokens.len()).take_while(|index| sentence.word(*index).is_some());
    words.last().unwrap_or(at)
}

/// Says whether the word after `EXIT` names what is left.
fn is_program(word: &str) -> bool {
    const NOUNS: &[&str] = &[
        "loop",
        "code",
        "codes",
        "conditions",
        "condition",
        "sequence",
        "protocols",
        "protocol",
        "criteria",
        "to",
        "if",
        "when",
    ];
    !NOUNS.iter().any(|noun| word.eq_ignore_ascii_case(noun))
}

/// Reads `ask the user …`, `Ask: …`, `prompt the user`.
pub(super) fn ask(sentence: &Sentence, at: usize) -> Option<Found> {
    const TOPICS: &[&str] = &[
        "for", "if", "whether", "which", "what", "how", "who", "where", "about", "why",
    ];
    let leads = sentence.orders(at);
    if !leads || sentence.negated(at) {
        return None;
    }
    let whom = sentence.skip(at + 1, &["the", "your", "directly"]);
    let person = is_person(sentence, whom);
    let opens = sentence.opens_clause(at)
        && !at
            .checked_sub(1)
            .is_some_and(|before| sentence.kind(before) == Some(Kind::Open));
    let spoken = matches!(sentence.kind(at + 1), Some(Kind::Colon | Kind::Quote)) || sentence.is(at + 1, TOPICS);
    let asks = sentence.is(at, &["ask"]) && opens && spoken;
    if !person && !asks {
        return None;
    }
    let mut found = Found::new(sentence, at, at, LiftKind::Ask)?;
    found.end = sentence.end();
    // `ask if …` is what is asked, not when.
    let topic = if person { whom + 1 } else { at + 1 };
    let behind = || sentence.condition_behind(topic).or_else(|| lacking(sentence, topic));
    let unless = || sentence.exception(at + 1);
    let before = sentence.condition_before(at);
    // Behind a stop the list is when to ask, not what.
    let stops = at >= 2 && sentence.is(at - 1, &["and"]) && matches!(sentence.word(at - 2), Some("HALT" | "STOP"));
    let listed = || cases(sentence, at).filter(|_| stops);
    found.condition = before
        .or_else(listed)
        .or_else(behind)
        .or_else(unless)
        .or_else(|| case::before(sentence, at));
    // One of two things, or what is asked again and again: an agent knows when.
    let each = sentence.is(0, &["for"]) && sentence.is(1, &["each", "every"]);
    if each || sentence.after(at, &["or"]) {
        found.condition.get_or_insert((found.first, found.end));
    }
    Some(found)
}

/// Returns the bytes of a condition without a subject that the words to ask end in, which says that something is not there
/// or not clear: `ask the user if not provided`.
fn lacking(sentence: &Sentence, at: usize) -> Option<(usize, usize)> {
    const LACKING: &[&str] = &[
        "missing",
        "absent",
        "empty",
        "needed",
        "necessary",
        "required",
        "unclear",
        "unknown",
        "unsure",
        "uncertain",
        "ambiguous",
        "unavailable",
    ];
    let is_not = sentence.is(at + 1, &["not"]) && sentence.kind(at + 2) == Some(Kind::Word);
    let says = sentence.is(at + 1, LACKING) || is_not;
    let last = at + 1 + usize::from(is_not);
    let ends = sentence.get(last + 1).is_none() || sentence.opens_clause(last + 2);
    let (first, last) = (sentence.get(at + 1)?, sentence.get(last)?);
    (sentence.is(at, &["if", "when"]) && says && ends).then_some((first.start, last.end))
}

/// Reads `wait for user input`, `await the user's answer`, `waiting for your choice`.
pub(super) fn wait(sentence: &Sentence, at: usize) -> Option<Found> {
    const AWAITED: &[&str] = &[
        "input",
        "response",
        "selection",
        "confirmation",
        "answer",
        "answers",
        "reply",
        "approval",
        "choice",
        "their",
        "your",
        "decision",
        "feedback",
        "instructions",
        "direction",
    ];
    if !sentence.is(at, &["wait", "await", "waiting", "pause"]) || sentence.negated(at) {
        return None;
    }
    let direct = sentence.is(at, &["await"]);
    let to = at + 1;
    if !direct && !sentence.is(to, &["for", "until"]) {
        return None;
    }
    let from = if direct { to } else { to + 1 };
    let whom = sentence.skip(from, &["the", "a", "an", "explicit", "any", "numbered"]);
    let name = sentence
        .get(whom)
        .is_some_and(|token| token.kind == Kind::Hole && sentence.slice(token).contains("user_name"));
    // `wait for them` is said of agents as well.
    let person = name || (sentence.is(whom, PERSON) && !sentence.is(whom, &["them"])) || sentence.is(whom, AWAITED);
    let last = sentence
        .skip(sentence.skip(whom + 1, &["numbered", "explicit"]), AWAITED)
        .saturating_sub(1)
        .max(whom);
    person.then(|| Found::new(sentence, at, last, LiftKind::Wait))?
}
