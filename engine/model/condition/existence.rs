//! Tokens in, the thing whose existence they test out: `{x} is provided`, `index.md exists`, `{x} file does NOT exist`.

use super::atom::is_compound_name;
use super::token::{Joint, Kind, Token};
use super::{Existing, Test, grammar};
use crate::syntax::WordList;

/// Words between a name and what is said of it.
static NOUNS: WordList = WordList::new(&[
    "file",
    "files",
    "document",
    "folder",
    "directory",
    "path",
    "variable",
    "value",
    "parameter",
    "input",
    "argument",
    "field",
]);

/// Words that hold when the thing is there.
static THERE: WordList = WordList::new(&[
    "exist",
    "exists",
    "existing",
    "provided",
    "set",
    "present",
    "defined",
    "given",
    "available",
    "found",
    "specified",
    "supplied",
    "passed",
    "loaded",
    "determined",
    "known",
    "populated",
    "non-empty",
    "nonempty",
]);

/// Words that hold when it is not.
static AWAY: WordList = WordList::new(&[
    "missing",
    "empty",
    "blank",
    "absent",
    "unset",
    "undefined",
    "unavailable",
    "unknown",
    "null",
    "none",
]);

/// Words of both kinds that say something of a value, and nothing of the file that it may name.
static OF_VALUES: WordList = WordList::new(&[
    "provided",
    "set",
    "defined",
    "given",
    "specified",
    "supplied",
    "passed",
    "determined",
    "known",
    "populated",
    "non-empty",
    "nonempty",
    "empty",
    "blank",
    "unset",
    "undefined",
    "unknown",
    "null",
    "none",
]);

/// Reads a condition about the existence of a variable, a file or a named input.
pub(super) fn read(text: &str, tokens: &[Token]) -> Option<Test> {
    let (absent, tokens) = match tokens {
        [no, rest @ ..] if no.is("no") => (true, rest),
        [the, rest @ ..] if the.is_any(&["the", "a", "an"]) => (false, rest),
        rest => (false, rest),
    };
    let (lead, tokens) = match tokens {
        [noun, rest @ ..] if noun.is_in(&NOUNS) && rest.len() > 1 => (Some(noun), rest),
        rest => (None, rest),
    };
    let (subject, mut rest) = tokens.split_first()?;
    let mut noun = lead;
    if let [next, after @ ..] = rest
        && next.is_in(&NOUNS)
    {
        noun = Some(next);
        rest = after;
    }
    // Of few things it is said, which is seen sooner than what they are.
    let present = predicate(rest)?;
    let (what, target) = thing(text, subject, noun)?;
    let is_of_value = target == Existing::Variable && rest.iter().any(|word| word.is_in(&OF_VALUES));
    Some(Test::Exists {
        what,
        target: if is_of_value { Existing::Named } else { target },
        present: present != absent,
    })
}

/// Names the thing: a file by its path, a variable by its name, an input by a name that can be nothing else.
fn thing(text: &str, subject: &Token, noun: Option<&Token>) -> Option<(String, Existing)> {
    static FILES: WordList = WordList::new(&["file", "files", "document", "folder", "directory"]);
    let filed = noun.is_some_and(|noun| noun.is_in(&FILES));
    if subject.kind == Kind::Hole {
        return Some(if filed {
            (text.get(subject.start..subject.end)?.to_owned(), Existing::File)
        } else {
            (subject.text.to_owned(), Existing::Variable)
        });
    }
    if !matches!(subject.kind, Kind::Word | Kind::Quoted) {
        return None;
    }
    if is_file(subject.text) {
        return Some((subject.text.to_owned(), Existing::File));
    }
    let named = subject.kind == Kind::Word && is_compound_name(subject.text);
    named.then(|| (subject.text.to_owned(), Existing::Named))
}

/// Says whether `text` is the name or the path of a file.
fn is_file(text: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md",
        "json",
        "jsonl",
        "yaml",
        "yml",
        "xml",
        "toml",
        "csv",
        "txt",
        "html",
        "css",
        "js",
        "ts",
        "tsx",
        "jsx",
        "py",
        "rs",
        "go",
        "sh",
        "lock",
        "pdf",
        "log",
        "sql",
        "env",
        "ini",
        "cfg",
        "java",
        "rb",
        "php",
        "svg",
        "png",
        "excalidraw",
    ];
    if text.contains(char::is_whitespace) {
        return false;
    }
    let path = text.contains('/')
        && (text.starts_with(['.', '{', '/', '~']) || text.ends_with('/') || text.matches('/').count() > 1);
    let name = text.rsplit('/').next().unwrap_or(text);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return path;
    };
    // `Node.js` is a thing, `installer.js` is a file.
    let product = ending == "js" && stem.starts_with(char::is_uppercase);
    path || (ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) && !product)
}

/// Reads `exists`, `is provided`, `does NOT exist`, `is missing or empty`, `not yet set`: whether it is there.
pub(super) fn predicate(tokens: &[Token]) -> Option<bool> {
    static AUXILIARY: WordList = WordList::new(&[
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "has",
        "have",
        "does",
        "do",
        "did",
        "still",
        "yet",
        "already",
        "currently",
    ]);
    let mut negated = false;
    let mut state = None;
    let mut rest = tokens;
    while let Some((word, after)) = rest.split_first() {
        if word.kind != Kind::Word {
            break;
        }
        if word.is_any(&["not", "never"]) || word.text.ends_with("n't") || word.text.ends_with("n’t") {
            negated = !negated;
        } else if !word.is_in(&AUXILIARY) {
            state = Some(polarity(word)?);
            rest = after;
            break;
        }
        rest = after;
    }
    let state = state?;
    ends(rest, state).then_some(state != negated)
}

fn polarity(word: &Token) -> Option<bool> {
    if word.is_in(&THERE) {
        return Some(true);
    }
    word.is_in(&AWAY).then_some(false)
}

/// Says whether nothing more is said: at most a second word of the same sense, by whom, or a note.
fn ends(tokens: &[Token], state: bool) -> bool {
    match tokens {
        [] => true,
        [join, word, rest @ ..] if matches!(join.kind, Kind::Join(Joint::Or | Joint::And, _)) => {
            polarity(word) == Some(state) && ends_after(rest)
        }
        rest => ends_after(rest),
    }
}

fn ends_after(tokens: &[Token]) -> bool {
    match tokens {
        [] => true,
        [by, who] => by.is("by") && who.is_any(&["user", "caller"]),
        [by, the, who] if by.is("by") => the.is("the") && who.is_any(&["user", "caller"]),
        rest => grammar::group(rest).is_some(),
    }
}
