//! Condition text in, tokens out. Quoting is free: names as `x`, `{x}`, `{{x}}`, values bare or quoted.

use super::Operator;
use crate::source::near_either;
use crate::syntax::WordList;

/// The longest `{…}` that is looked at.
const LONGEST_HOLE: usize = 200;

/// The length of a text up to which there is room for its words from the first.
const LONGEST_USUAL: usize = 512;

/// How many letters a word has at least, with the blank behind it, so that few texts have more of them.
const LETTERS: usize = 5;

/// The longest quoted text that is looked at.
const LONGEST_QUOTE: usize = 300;

/// One word or mark of a condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'a> {
    /// What it is.
    pub(super) kind: Kind,
    /// The name of a hole, the inside of quotes, otherwise as written.
    pub(super) text: &'a str,
    /// The first byte, with braces and quotes.
    pub(super) start: usize,
    /// The byte after the last one.
    pub(super) end: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{x}` or `{{x}}`.
    Hole,
    /// Text in quotes.
    Quoted,
    /// Anything else between white space.
    Word,
    /// `AND`, `or`, `&&`, …
    Join(Joint, Weight),
    /// `!`
    Bang,
    /// `==`, `<`, …
    Compare(Operator),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    ListOpen,
    /// `]`
    ListClose,
    /// `,`
    Comma,
}

/// How two conditions are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// Both.
    And,
    /// Either.
    Or,
}

/// How sure it is that a joint joins conditions and not nouns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// `&&`, `AND`: written on purpose.
    Strong,
    /// `and`: may be part of a sentence.
    Weak,
}

impl Token<'_> {
    /// Says whether this is the word `word`, in any case, with or without a colon after it.
    #[inline]
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.bare().eq_ignore_ascii_case(word)
    }

    /// Says the same of some words.
    #[inline]
    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// Says the same of the words of a list.
    #[inline]
    pub(super) fn is_in(&self, words: &WordList) -> bool {
        self.kind == Kind::Word && words.has(self.bare())
    }

    /// Returns its text without colons after it.
    #[inline]
    fn bare(&self) -> &str {
        match self.text.as_bytes().last() {
            Some(b':') => self.text.trim_end_matches(':'),
            Some(_) | None => self.text,
        }
    }
}

/// Splits a condition into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(text.len().min(LONGEST_USUAL) / LETTERS + 1);
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, inside, length) = next(rest, first);
        tokens.push(Token {
            kind,
            text: inside,
            start: at,
            end: at + length,
        });
        at += length;
    }
    tokens
}

fn next(rest: &str, first: char) -> (Kind, &str, usize) {
    if let Some((kind, length)) = mark(rest) {
        return (kind, &rest[..length], length);
    }
    if let Some((inside, length)) = quoted(rest, first) {
        let kind = if first == '`' && !inside.contains(char::is_whitespace) {
            Kind::Word
        } else {
            Kind::Quoted
        };
        return (kind, inside, length);
    }
    let length = word_length(rest);
    if let Some((name, hole)) = hole(rest)
        && hole == length
    {
        return (Kind::Hole, name, length);
    }
    let word = &rest[..length];
    let kind = match word {
        "AND" => Kind::Join(Joint::And, Weight::Strong),
        "OR" => Kind::Join(Joint::Or, Weight::Strong),
        "and" | "And" => Kind::Join(Joint::And, Weight::Weak),
        "or" | "Or" => Kind::Join(Joint::Or, Weight::Weak),
        _ => Kind::Word,
    };
    (kind, word, length)
}

/// Reads the mark at the start of a text; the first byte tells nearly all text from one.
fn mark(rest: &str) -> Option<(Kind, usize)> {
    let bytes = rest.as_bytes();
    let (second, third) = (bytes.get(1).copied(), bytes.get(2).copied());
    let mark = match (bytes.first()?, second) {
        (b'(', _) => (Kind::Open, 1),
        (b')', _) => (Kind::Close, 1),
        (b'[', _) => (Kind::ListOpen, 1),
        (b']', _) => (Kind::ListClose, 1),
        (b',', _) => (Kind::Comma, 1),
        (b'&', Some(b'&')) => (Kind::Join(Joint::And, Weight::Strong), 2),
        (b'|', Some(b'|')) => (Kind::Join(Joint::Or, Weight::Strong), 2),
        (b'=', Some(b'=')) => (Kind::Compare(Operator::Equal), 2 + usize::from(third == Some(b'='))),
        (b'=', _) => (Kind::Compare(Operator::Equal), 1),
        (b'!', Some(b'=')) => (Kind::Compare(Operator::NotEqual), 2 + usize::from(third == Some(b'='))),
        (b'!', _) => (Kind::Bang, 1),
        (b'<', Some(b'>')) => (Kind::Compare(Operator::NotEqual), 2),
        (b'<', Some(b'=')) => (Kind::Compare(Operator::LessOrEqual), 2),
        (b'<', _) => (Kind::Compare(Operator::Less), 1),
        (b'>', Some(b'=')) => (Kind::Compare(Operator::GreaterOrEqual), 2),
        (b'>', _) => (Kind::Compare(Operator::Greater), 1),
        (first, _) if !first.is_ascii() => return wide_mark(rest),
        _ => return None,
    };
    Some(mark)
}

/// Reads a mark that is no ASCII.
fn wide_mark(rest: &str) -> Option<(Kind, usize)> {
    let first = rest.chars().next()?;
    let kind = match first {
        '≥' => Kind::Compare(Operator::GreaterOrEqual),
        '≤' => Kind::Compare(Operator::LessOrEqual),
        '≠' => Kind::Compare(Operator::NotEqual),
        '，' => Kind::Comma,
        _ => return None,
    };
    Some((kind, first.len_utf8()))
}

/// Reads quoted text; a quote closes only before something that is not a letter, so `user's` stays a word.
fn quoted(rest: &str, first: char) -> Option<(&str, usize)> {
    let close = match first {
        '\'' | '"' | '`' => first,
        '‘' => '’',
        '“' => '”',
        _ => return None,
    };
    let open = first.len_utf8();
    let mut end = rest.len().min(LONGEST_QUOTE);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let inside = rest.get(open..end)?;
    inside
        .match_indices(close)
        .find(|(at, _)| {
            let after = inside.get(at + close.len_utf8()..).and_then(|tail| tail.chars().next());
            !after.is_some_and(char::is_alphanumeric)
        })
        .and_then(|(at, _)| Some((inside.get(..at)?, open + at + close.len_utf8())))
}

/// Measures a word: up to white space or a mark, with holes taken whole.
fn word_length(rest: &str) -> usize {
    let mut at = 0;
    while let Some(tail) = rest.get(at..) {
        let Some(next) = tail.chars().next() else {
            break;
        };
        if next == '{'
            && let Some(length) = braces(tail)
        {
            at += length;
            continue;
        }
        let plain = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if plain > 0 {
            at += plain;
            continue;
        }
        let ends = next.is_whitespace() || mark(tail).is_some();
        if ends && at > 0 {
            break;
        }
        at += next.len_utf8();
    }
    at
}

/// Measures `{…}` or `{{…}}`, whatever is inside; a hole longer than a line is none.
fn braces(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let window = bytes.get(..bytes.len().min(LONGEST_HOLE))?;
    let open = if window.starts_with(b"{{") { 2 } else { 1 };
    let inside = window.get(open..)?;
    let end = near_either(b'{', b'}', inside)?;
    let close = inside.get(end..end + open)?;
    close.iter().all(|byte| *byte == b'}').then_some(open + end + open)
}

/// Reads a hole at the start of `text`: its name and its length.
fn hole(text: &str) -> Option<(&str, usize)> {
    if !text.starts_with('{') {
        return None;
    }
    let length = braces(text)?;
    let name = text.get(..length)?.trim_matches(['{', '}']).trim();
    is_name(name).then_some((name, length))
}

/// Says whether `text` can name a variable.
pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'))
        && !text.ends_with(['.', '-'])
}

/// Returns the names in the holes of `text`.
pub(super) fn hole_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')) {
        at += open;
        match text.get(at..).and_then(hole) {
            Some((name, length)) => {
                names.push(name);
                at += length;
            }
            None => at += 1,
        }
    }
    names
}
