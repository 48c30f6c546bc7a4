//! An instruction in, the acts it asks for out, or nothing where any word of it needs somebody who understands.
//!
//! Only whole sentences are understood: "read a.md" is an act, "read a.md and say what is missing" is none.

use super::token::{Token, sentences};

/// Something that can be done without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Read files; keep what they say under a name.
    Read { paths: Vec<String>, into: Option<String> },
    /// List the paths that match; keep them under a name.
    List { pattern: String, into: Option<String> },
    /// Give a variable a value.
    Set { name: String, value: String },
    /// Write a text that is given word by word.
    Write { path: String, text: String },
    /// Run a command line.
    Run { line: String },
    /// Look at a document.
    Review { path: String, depth: Depth },
}

/// How much of a review was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Only what can be counted and looked up.
    Mechanical,
    /// Reading and understanding too.
    Full,
}

const READING: &str = "load read open re-read";
const LISTING: &str = "list";
/// Finding is listing where a pattern says what; otherwise it is searching.
const FINDING: &str = "find";
const WRITING: &str = "write create save put";
const RUNNING: &str = "run execute";
const REVIEWING: &str = "review check validate inspect lint proofread verify";
const KEEPING: &str = "store save keep remember";

/// Words that add nothing to what is to be read or listed.
const FILLER: &str = "\
    the a an complete entire full whole file files folder folders directory config configuration document \
    documents template content contents text of from fully completely entirely in at inside under below and both \
    all every each current existing into memory context now first again matching that match with pattern names \
    paths new named called following exactly literal containing contains as to command shell it";

/// Words that add nothing to what is to be written; a source such as `the content of a.md` is more than that.
const PLAIN: &str = "\
    the a an file document text line in into to with content contents new named called following exactly literal \
    containing that contains at";

/// Words of a review that only looks up and counts.
const MECHANICAL: &str = "\
    for dead broken link links anchor anchors image images unresolved placeholder placeholders heading headings \
    empty section sections fence fences unbalanced unclosed duplicate jump jumps marks markdown structure or no \
    is are has there";

/// Returns what an instruction asks for, in its order.
pub(super) fn acts(text: &str) -> Option<Vec<Act>> {
    let sentences = sentences(text);
    let read: Option<Vec<Act>> = sentences.iter().map(|sentence| act(sentence)).collect();
    read.filter(|acts| !acts.is_empty())
}

fn act(sentence: &[Token<'_>]) -> Option<Act> {
    let (verb, rest) = sentence.split_first()?;
    if verb.is_any(READING) {
        reading(rest)
    } else if verb.is_any(LISTING) {
        listing(rest)
    } else if verb.is_any(FINDING) {
        listing(rest).filter(|act| matches!(act, Act::List { pattern, .. } if pattern.contains('*')))
    } else if verb.is_any("set") {
        setting(rest)
    } else if verb.is_any(WRITING) {
        writing(rest)
    } else if verb.is_any(RUNNING) {
        running(rest)
    } else if verb.is_any(REVIEWING) {
        reviewing(rest)
    } else {
        None
    }
}

fn reading(rest: &[Token<'_>]) -> Option<Act> {
    let (rest, into) = kept(rest);
    let paths = only_paths(rest, FILLER)?;
    Some(Act::Read { paths, into })
}

fn listing(rest: &[Token<'_>]) -> Option<Act> {
    let (rest, into) = kept(rest);
    let mut paths = only_paths(rest, FILLER)?;
    let pattern = paths.pop().filter(|_| paths.is_empty())?;
    Some(Act::List { pattern, into })
}

/// Reads `x to y`, `x = y`: one name and one word or quote.
fn setting(rest: &[Token<'_>]) -> Option<Act> {
    let [name, link, value] = rest else { return None };
    let name = variable(name.text())?;
    let is_value = !matches!(value, Token::Block(_)) && !value.text().contains(['{', '}']);
    (link.is_any("to = :=") && is_value).then(|| Act::Set {
        name,
        value: value.text().to_owned(),
    })
}

/// Reads `"text" to path` and `path with "text"`.
fn writing(rest: &[Token<'_>]) -> Option<Act> {
    let mut path: Option<&Token<'_>> = None;
    let mut text: Option<&Token<'_>> = None;
    for token in rest {
        let is_text = matches!(token, Token::Quoted(_) | Token::Block(_));
        let is_written = is_text && text.is_none() && (!token.is_path() || comes_to(rest, token) || path.is_some());
        if is_written {
            text = Some(token);
        } else if token.is_path() && path.is_none() {
            path = Some(token);
        } else if !token.is_any(PLAIN) {
            return None;
        }
    }
    Some(Act::Write {
        path: path?.text().to_owned(),
        text: text?.text().to_owned(),
    })
}

/// Says whether `to` or `into` follows a quote: then it is what is written, also where it looks like a path.
fn comes_to(rest: &[Token<'_>], token: &Token<'_>) -> bool {
    let after = rest.iter().skip_while(|other| *other != token).nth(1);
    after.is_some_and(|next| next.is_any("to into"))
}

fn running(rest: &[Token<'_>]) -> Option<Act> {
    let (last, before) = rest.split_last()?;
    let line = match last {
        Token::Quoted(line) | Token::Code(line) => line.trim(),
        Token::Block(lines) => lines.trim(),
        Token::Word(_) => return None,
    };
    let plain = before.iter().all(|token| token.is_any(FILLER));
    (plain && !line.is_empty() && !line.contains('\n')).then(|| Act::Run { line: line.to_owned() })
}

fn reviewing(rest: &[Token<'_>]) -> Option<Act> {
    let path = rest.iter().find(|token| token.is_path())?;
    if rest.iter().any(|token| token.is_any("exist exists")) {
        return None;
    }
    let mechanical = |token: &Token<'_>| token == path || token.is_any(FILLER) || token.is_any(MECHANICAL);
    let named = rest
        .iter()
        .any(|token| token.is_any(MECHANICAL) && !token.is_any(FILLER));
    Some(Act::Review {
        path: path.text().to_owned(),
        depth: if named && rest.iter().all(mechanical) {
            Depth::Mechanical
        } else {
            Depth::Full
        },
    })
}

/// Cuts off `and store it as x`.
fn kept<'s, 't>(rest: &'s [Token<'t>]) -> (&'s [Token<'t>], Option<String>) {
    let Some(at) = rest.iter().position(|token| token.is_any(KEEPING)) else {
        return (rest, None);
    };
    let after = &rest[at + 1..];
    let words = "it its them this that the result list content contents text paths";
    match after {
        [middle @ .., link, name] if link.is_any("as in under") && middle.iter().all(|token| token.is_any(words)) => {
            match variable(name.text()) {
                Some(name) => (&rest[..at], Some(name)),
                None => (rest, None),
            }
        }
        _ => (rest, None),
    }
}

/// Returns the paths of a sentence that holds nothing else.
fn only_paths(rest: &[Token<'_>], filler: &str) -> Option<Vec<String>> {
    let mut paths = Vec::new();
    for token in rest {
        if token.is_path() {
            paths.push(token.text().to_owned());
        } else if !token.is_any(filler) {
            return None;
        }
    }
    (!paths.is_empty()).then_some(paths)
}

/// Returns the name of a variable, with or without its braces.
fn variable(text: &str) -> Option<String> {
    let name = text.trim_matches(['{', '}']);
    let mut letters = name.chars();
    let starts = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    let goes_on = letters.all(|each| each.is_alphanumeric() || matches!(each, '_' | '-' | '.'));
    (starts && goes_on).then(|| name.to_owned())
}

#[cfg(test)]
mod tests;
