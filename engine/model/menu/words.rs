//! Text in, yes or no out: the words that tell a choice from any other list.

use crate::source::ByteSet;
use crate::syntax::Phrases;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Words near a choice that is offered.
static CUES: Phrases = Phrases::new(&[
    "select",
    "choose",
    "choice",
    "option",
    "menu",
    "display",
    "would you like",
    "what would",
    "which",
    "pick",
    "ready to",
    "proceed",
    "confirm",
    "ask ",
    "ask:",
    "halt",
    "prompt",
    "decision",
]);

/// Words of a line that hands a choice to a person, where it ends in a colon or a question mark.
static INTRODUCTIONS: Phrases = Phrases::new(&[
    "a choice",
    "these options",
    "would you like",
    "do you want",
    "choose",
    "pick an",
    "select ",
]);

/// Words that say the person is waited for, wherever they stand in a file; the last two may only begin to say it.
static WAITS: Phrases = Phrases::new(&[
    "halt",
    "forbidden",
    "until user",
    "until the user",
    "until they",
    "do not proceed",
    "only proceed",
    "await",
    "wait",
    "stop",
]);

/// The one of them that nearly every file has that waits for a person, as it is written there.
static USUAL_WAIT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("FORBIDDEN"));

/// Words of somebody choosing.
static CHOOSES: Phrases = Phrases::new(&["select", "choos", "chose", "pick"]);

/// Words of a question that leaves a choice to a person.
static QUESTIONS: Phrases = Phrases::new(&["you", "what's", "how should", "which"]);

/// Words one of which a line holds that introduces something, if it asks no question: those above and below.
static MAY_INTRODUCE: Phrases = Phrases::new(&[
    "a choice",
    "these options",
    "would you like",
    "do you want",
    "choose",
    "pick an",
    "select ",
    "option",
]);

/// What a line that presents options speaks of.
static OPTION: Phrases = Phrases::new(&["option"]);

/// Says whether `text` holds `word`, which is lower case, in any case.
pub(super) fn has(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some((&first, rest)) = word.split_first() else {
        return true;
    };
    memchr::memchr2_iter(first, first.to_ascii_uppercase(), text).any(|at| {
        text.get(at + 1..at + word.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(rest))
    })
}

/// Says whether `text` holds `word`, which is lower case, as a word of its own, in any case.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|at: char| !at.is_alphanumeric());
    words.any(|each| each.eq_ignore_ascii_case(word))
}

pub(super) fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| has(text, word))
}

/// Says whether the text speaks of a choice.
pub(super) fn is_cue(text: &str) -> bool {
    CUES.is_in(text)
}

/// Words that lead to what stands below, where a number or a name follows.
static ONWARD: Phrases = Phrases::new(&[
    "proceed to step",
    "proceed to section",
    "proceed with step",
    "proceed with section",
    "proceed below",
    "continue to step",
    "continue to section",
    "continue with step",
    "continue with section",
    "continue below",
    "go on with step",
    "go on with section",
    "go on to section",
    "move on to step",
    "move on to section",
    "move to step",
    "move to section",
    "skip to section",
    "go to section",
]);

/// Says whether the text leads to what stands below it.
pub(super) fn goes_on(text: &str) -> bool {
    ONWARD.is_in(text)
}

/// Says whether an option ends the workflow: it is called so, or the last sentence of what it leads to ends with that.
pub(super) fn exits(label: &str, body: &str) -> bool {
    let first = label.split_whitespace().next().unwrap_or_default();
    if ["exit", "quit"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
        return true;
    }
    let body = body.trim_end_matches(|at: char| !at.is_alphanumeric());
    let start = body.rfind(['\n', '.', '!', '?', ';']).map_or(0, |end| end + 1);
    let last = &body[start..];
    let mut words = last
        .split_whitespace()
        .rev()
        .map(|word| word.trim_matches(|at: char| !at.is_alphanumeric()));
    let (word, before) = (words.next(), words.next());
    let is = |word: Option<&str>, other: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(other));
    // `Discard it and end`.
    let ends_so = is(word, "end") && (is(before, "and") || is(before, "then"));
    let ends = is(word, "exit") || is(before, "exit") || ends_so;
    ends && !has_any(last, &["if ", "when ", "unless ", "exit the loop"])
}

/// Words that may stand behind `Cancel` where nothing but the workflow is called off.
const CALLED_OFF: &[&str] = &[
    "the",
    "this",
    "workflow",
    "session",
    "run",
    "and",
    "exit",
    "quit",
    "everything",
];

/// What begins a line that only tells the person something.
const TELLS: &[&str] = &["display", "show", "say", "output", "print", "tell", "inform", "report"];

/// Words that lead somewhere, or make it depend on something.
const LEADS: &[&str] = &[
    "return", "back", "go", "continue", "proceed", "load", "restart", "again", "next", "ask", "if", "when", "unless",
];

/// Says whether an option calls the workflow off: `[X] Cancel`, where all that is done for it is to say so.
pub(super) fn cancels(label: &str, body: &str) -> bool {
    let is = |word: &str, list: &[&str]| list.iter().any(|each| word.eq_ignore_ascii_case(each));
    let mut words = label
        .split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_called_off =
        words.next().is_some_and(|word| is(word, &["cancel", "abort"])) && words.all(|word| is(word, CALLED_OFF));
    if !is_called_off {
        return false;
    }
    let tells = |line: &str| {
        let said = line.trim_start_matches(|at: char| matches!(at, '-' | '*' | '_' | '>') || at.is_whitespace());
        let mut words = said
            .split(|at: char| !at.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let ends = is(first, &["end", "exit", "stop", "quit", "leave"]) && has_word(said, "workflow");
        let spoken = said.starts_with(['"', '“']) || is(first, TELLS);
        let parts = said.split(['"', '“', '”']).step_by(2);
        let leads = parts
            .flat_map(|part| part.split(|at: char| !at.is_alphanumeric()))
            .any(|word| is(word, LEADS));
        (spoken || ends) && !leads
    };
    let outside = body.split("```").step_by(2);
    let mut lines = outside
        .flat_map(str::lines)
        .filter(|line| line.contains(char::is_alphanumeric));
    body.contains(char::is_alphanumeric) && lines.all(tells)
}

/// Says whether the text waits for the person.
pub(super) fn waits(text: &str) -> bool {
    // One word is found at once, where many are looked for letter by letter.
    let is_usual = USUAL_WAIT.find(text.as_bytes()).is_some();
    is_usual
        || WAITS.any_in(text, |said| {
            let goes_on = |with: &[u8]| {
                let after = said.get(4..4 + with.len());
                after.is_some_and(|after| after.eq_ignore_ascii_case(with))
            };
            match said.first_chunk() {
                Some(b"WAIT" | b"STOP") => true,
                Some(word) if word.eq_ignore_ascii_case(b"wait") => goes_on(b" for") || goes_on(b" until"),
                Some(word) if word.eq_ignore_ascii_case(b"stop") => goes_on(b" and"),
                Some(b"awai") => !is_code(&text.as_bytes()[..text.len() - said.len()], said),
                Some(_) | None => true,
            }
        })
}

/// Says whether a text that begins with `await` is code: `await page.goto('/')`, `async/await`.
fn is_code(before: &[u8], said: &[u8]) -> bool {
    let rest = said.strip_prefix(b"await ").unwrap_or_default();
    let rest = rest.strip_prefix(b"new ").unwrap_or(rest);
    let word = rest.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    // What somebody writes of several people is none: `await the user(s)`.
    let calls = word.iter().position(|byte| *byte == b'(');
    let is_call = calls.is_some_and(|at| at > 0 && !word[at..].starts_with(b"(s)"));
    is_call || before.ends_with(b"async/")
}

/// Says whether the text speaks of somebody choosing.
pub(super) fn chooses(text: &str) -> bool {
    CHOOSES.is_in(text)
}

/// Says whether a line ends with a question.
pub(super) fn asks(line: &str) -> bool {
    line.trim_end_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'' | '`' | '”') || at.is_whitespace())
        .ends_with('?')
}

/// Says whether a line asks for one of the items above it.
pub(super) fn asks_for_one(line: &str) -> bool {
    let line =
        line.trim_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'' | '`' | '”' | '>') || at.is_whitespace());
    let asks = line.ends_with('?') && has_any(line, &["which", "choose", "select", "prefer", "pick"]);
    asks || ASKED_FOR.is_in(line)
}

/// Words that ask for an item.
static ASKED_FOR: Phrases = Phrases::new(&[
    "your choice",
    "choice:",
    "numbered choice",
    "enter 1",
    "enter a number",
    "select option",
]);

/// Says whether a line shows a menu that another file holds.
pub(super) fn shows_another(line: &str) -> bool {
    line.contains(" from `")
        && has_any(line, &["prompt", "menu", "options"])
        && has_any(line, &["display", "present", "show"])
}

/// Says whether a line introduces a list of choices: it ends in a colon or a question mark and speaks to a person.
pub(super) fn introduces(line: &str) -> bool {
    if !may_introduce(line) {
        return false;
    }
    let line = line.trim_end_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'' | '`' | '”') || at.is_whitespace());
    let (colon, question) = (line.ends_with(':'), line.ends_with('?'));
    if !colon && !question {
        return false;
    }
    (MAY_INTRODUCE.is_in(line) && (INTRODUCTIONS.is_in(line) || ends_in_options(line)))
        || (question && QUESTIONS.is_in(line))
}

/// Says whether a line may introduce a list: most end in a word or a full stop.
#[inline]
pub(super) fn may_introduce(line: &str) -> bool {
    let last = line.as_bytes().last();
    last.is_some_and(|last| matches!(last, b':' | b'?') || !last.is_ascii() || CLOSERS.has(*last))
}

/// What may stand behind the colon or the question mark of a line, of one byte.
pub(super) static CLOSERS: ByteSet = ByteSet::of(b"*_\"'` \t\n\x0b\x0c\r");

/// Says whether a line is `Options:`, or presents options to somebody.
fn ends_in_options(line: &str) -> bool {
    if !OPTION.is_in(line) {
        return false;
    }
    let head = line.trim_matches(|at: char| !at.is_alphanumeric());
    let options = ["options", "option"].iter().any(|word| head.eq_ignore_ascii_case(word));
    options || (has(line, "options") && has_any(line, &["present ", "following options", "the user", "human"]))
}

/// Says whether a line hands a choice to the person in so many words.
pub(super) fn gives_choice(line: &str) -> bool {
    has(line, "a choice") || has(line, "these options")
}

#[cfg(test)]
mod tests {
    use super::{INTRODUCTIONS, MAY_INTRODUCE, OPTION, waits};
    use crate::source::Dice;

    #[test]
    fn one_pass_finds_what_one_search_after_the_other_finds() {
        const SHOUTS: &[&str] = &["WAIT", "STOP", "HALT"];
        const SAID: &[&str] = &[
            "halt",
            "wait for",
            "forbidden",
            "until user",
            "until the user",
            "until they",
            "do not proceed",
            "only proceed",
            "stop and",
            "wait until",
            "await",
        ];
        let pieces = "Wait WAIT wait for until UNTIL user the they do not Do proceed only Only stop Stop STOP and halt a \
            Halt forbidden FORBIDDEN forbid awai t await Await hal";
        let pieces: Vec<&str> = pieces.split_whitespace().collect();
        let (mut dice, mut found) = (Dice(5), 0);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..6 {
                text.push_str(dice.pick(&pieces));
                text.push_str(if dice.roll(2) > 0 { " " } else { "" });
            }
            let lower = text.to_lowercase();
            let says = SHOUTS.iter().any(|shout| text.contains(shout)) || SAID.iter().any(|said| lower.contains(said));
            assert_eq!(waits(&text), says, "{text}");
            found += usize::from(says);
        }
        assert!((1_000..19_000).contains(&found), "{found}");
    }

    #[test]
    fn code_waits_for_nobody() {
        for code in [
            "await page.goto('/');",
            "return await new Promise(done => done());",
            "const a = await fetch(url)",
            "the async/await style",
        ] {
            assert!(!waits(code), "{code}");
            assert!(waits(&format!("{code}\nThen await the answer.")), "{code}");
        }
        for words in [
            "await",
            "await the person (or the team)",
            "await user(s)",
            "Await (in any case) a choice",
            "await\nrun()",
        ] {
            assert!(waits(words), "{words}");
        }
    }

    #[test]
    fn what_is_looked_for_first_is_in_what_introduces_something() {
        let pieces = "a choice these options would you like do want choose pick an select option";
        let pieces: Vec<&str> = pieces.split_whitespace().collect();
        let (mut dice, mut found) = (Dice(7), 0);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..5 {
                text.push_str(dice.pick(&pieces));
                text.push_str(if dice.roll(4) > 0 { " " } else { "" });
            }
            let introduces = INTRODUCTIONS.is_in(&text) || OPTION.is_in(&text);
            assert_eq!(MAY_INTRODUCE.is_in(&text), introduces, "{text}");
            found += usize::from(introduces);
        }
        assert!(found > 200, "{found}");
    }
}
