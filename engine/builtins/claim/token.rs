//! A sentence in, its words, names and numbers out.

use crate::builtins::document::squeezed;
use std::fmt;

/// One part of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A word in lower case; `is_named` where it stands in quotation marks or looks like a name in code.
    Word {
        text: String,
        is_named: bool,
    },
    Number(Number),
    /// An identifier with a number in it, such as `fr-12`.
    Code(String),
    /// The end of a sentence or a clause.
    Stop,
}

impl Token {
    /// Makes a plain word.
    pub(super) fn word(text: &str) -> Self {
        Self::Word {
            text: text.to_owned(),
            is_named: false,
        }
    }
}

/// A number, with its unit where one follows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    value: String,
    unit: Option<&'static str>,
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.value)
    }
}

impl Number {
    fn is_same(&self, other: &Self) -> bool {
        self.value == other.value && (self.unit == other.unit || self.unit.is_none() || other.unit.is_none())
    }

    /// Says whether two claims name different numbers. A claim that names fewer may still be the same.
    pub(super) fn differ(left: &[Self], right: &[Self]) -> bool {
        let within = |part: &[Self], whole: &[Self]| part.iter().all(|it| whole.iter().any(|other| it.is_same(other)));
        !left.is_empty() && !right.is_empty() && !within(left, right) && !within(right, left)
    }
}

const UNITS: &[(&str, &[&str])] = &[
    ("ms", &["ms", "millisecond", "milliseconds"]),
    ("s", &["s", "sec", "secs", "second", "seconds"]),
    ("min", &["min", "mins", "minute", "minutes"]),
    ("h", &["h", "hr", "hrs", "hour", "hours"]),
    ("d", &["d", "day", "days"]),
    ("w", &["week", "weeks"]),
    ("month", &["month", "months"]),
    ("y", &["year", "years"]),
    ("kb", &["kb", "kib"]),
    ("mb", &["mb", "mib"]),
    ("gb", &["gb", "gib"]),
    ("tb", &["tb", "tib"]),
    ("%", &["%", "percent", "pct"]),
];

const WORDS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("twelve", "12"),
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("sixty", "60"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
];

/// Splits a sentence.
pub(super) fn split(text: &str) -> Vec<Token> {
    let text = squeezed(text);
    let mut tokens = Vec::new();
    let mut marks = Marks::default();
    for piece in text.split(' ') {
        let opened = marks.open(piece);
        read(piece, opened, &mut tokens);
        marks.close(piece);
        if piece.ends_with(['.', ';', '?', '!', ':']) {
            tokens.push(Token::Stop);
        }
    }
    with_units(tokens)
}

/// Whether a word stands in quotation marks alone: a name. Several words in them are only a quote.
#[derive(Debug, Default)]
struct Marks {
    open: Option<char>,
}

impl Marks {
    fn open(&mut self, piece: &str) -> bool {
        let inner = piece.trim_start_matches(['(', '[', '{']);
        let Some(mark) = inner.chars().next().filter(|mark| "\"'`".contains(*mark)) else {
            return false;
        };
        let rest = inner
            .trim_start_matches(mark)
            .trim_end_matches(|end: char| end.is_ascii_punctuation() && end != mark);
        if rest.ends_with(mark) {
            return self.open.is_none();
        }
        self.open.get_or_insert(mark);
        mark == '`'
    }

    fn close(&mut self, piece: &str) {
        let Some(mark) = self.open else { return };
        let body = piece.trim_start_matches(['(', '[', '{']).trim_start_matches(mark);
        if body.contains(mark) {
            self.open = None;
        }
    }
}

fn read(piece: &str, is_quoted: bool, tokens: &mut Vec<Token>) {
    let trimmed = piece.trim_matches(|mark: char| !mark.is_alphanumeric() && mark != '%');
    if trimmed.is_empty() {
        return;
    }
    if let Some(number) = number(trimmed) {
        tokens.push(number);
        return;
    }
    if is_code(trimmed) {
        tokens.push(Token::Code(trimmed.to_lowercase()));
        return;
    }
    let lower = trimmed.to_lowercase();
    if is_file(trimmed) {
        tokens.push(Token::Word {
            text: lower,
            is_named: true,
        });
        return;
    }
    if is_identifier(trimmed) {
        tokens.extend(parts(trimmed).map(|text| Token::Word { text, is_named: true }));
        return;
    }
    for word in expand(&lower).split(['-', '/', '_', ' ', ',', '—', '–', '.', '(', ')', ':', '"']) {
        let word = word.trim_matches(|mark: char| !mark.is_alphanumeric());
        match WORDS.iter().find(|(spelt, _)| *spelt == word) {
            _ if word.is_empty() => {}
            Some((_, value)) => tokens.push(Token::Number(Number {
                value: (*value).to_owned(),
                unit: None,
            })),
            None => match number(word) {
                Some(number) => tokens.push(number),
                None => tokens.push(Token::Word {
                    text: word.to_owned(),
                    is_named: is_quoted,
                }),
            },
        }
    }
}

/// Writes a not that is part of a verb as a word of its own.
fn expand(word: &str) -> String {
    match word {
        "cannot" => "can not".to_owned(),
        "can't" => "can not".to_owned(),
        "won't" => "will not".to_owned(),
        _ => match word.strip_suffix("n't") {
            Some(verb) => format!("{verb} not"),
            None => word.to_owned(),
        },
    }
}

/// Reads a number with its sign, separators and a unit written right behind it.
fn number(word: &str) -> Option<Token> {
    let word = word.trim_start_matches(['$', '€', '£', '~', '<', '>', '=', '≥', '≤']);
    let end = word
        .find(|mark: char| !(mark.is_ascii_digit() || mark == '.' || mark == ','))
        .unwrap_or(word.len());
    let (digits, rest) = word.split_at(end);
    if !digits.starts_with(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    let rest = rest.trim_start_matches('-').trim_end_matches('+').to_lowercase();
    let unit = unit(&rest);
    let is_scale = matches!(rest.as_str(), "k" | "m");
    if !rest.is_empty() && unit.is_none() && !is_scale {
        return None;
    }
    let mut value = digits.trim_end_matches(['.', ',']).replace(',', "");
    match rest.as_str() {
        "k" => value.push_str("000"),
        "m" => value.push_str("000000"),
        _ => {}
    }
    Some(Token::Number(Number { value, unit }))
}

fn unit(word: &str) -> Option<&'static str> {
    UNITS
        .iter()
        .find(|(_, names)| names.contains(&word))
        .map(|(unit, _)| *unit)
}

/// Takes the unit that follows a number to it.
fn with_units(tokens: Vec<Token>) -> Vec<Token> {
    let mut read: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let (Some(Token::Number(number)), Token::Word { text, .. }) = (read.last_mut(), &token)
            && number.unit.is_none()
            && let Some(unit) = unit(text)
        {
            number.unit = Some(unit);
            continue;
        }
        read.push(token);
    }
    read
}

/// Says whether a word is an identifier with a number: `FR-12`, `NFR3`, `US-1.2`.
fn is_code(word: &str) -> bool {
    let letters = word.chars().take_while(char::is_ascii_uppercase).count();
    let rest = word.get(letters..).unwrap_or("");
    let rest = rest.strip_prefix(['-', '_']).unwrap_or(rest);
    (1..=6).contains(&letters)
        && rest.starts_with(|digit: char| digit.is_ascii_digit())
        && rest.chars().all(|mark| mark.is_ascii_digit() || ".-".contains(mark))
}

/// Says whether a word is the name of a file: `docs/a.md`, `x.rs`.
fn is_file(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(before, after)| {
        before.len() > 1 && (1..=5).contains(&after.len()) && after.chars().all(|mark| mark.is_ascii_alphanumeric())
    }) && !word.contains("::")
        && word.chars().all(|mark| mark.is_alphanumeric() || "/._-".contains(mark))
}

/// Says whether a word is a name in code: `user_id`, `parse()`, `a::b`, `fooBar`.
fn is_identifier(word: &str) -> bool {
    let has_hump = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    word.contains('_') || word.contains("::") || word.ends_with("()") || has_hump
}

/// Returns the words that a name in code is made of.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for character in name.chars() {
        if before.is_lowercase() && character.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if character.is_alphanumeric() { character } else { ' ' });
        before = character;
    }
    let words: Vec<String> = spaced.split_whitespace().map(str::to_lowercase).collect();
    words.into_iter()
}
