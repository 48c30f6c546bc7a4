//! Text in, its marks out: holes, and the opening, middle and closing marks of blocks, paired.

use crate::syntax::{HoleKind, each_hole};
use std::collections::HashMap;
use std::ops::Range;

/// The deepest nesting of blocks that is rendered.
pub const MAX_DEPTH: usize = 32;

/// Something between braces.
#[derive(Debug)]
pub(super) struct Mark<'t> {
    /// The first byte.
    pub(super) start: usize,
    /// The byte after the last one.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: Kind<'t>,
}

/// What stands between braces.
#[derive(Debug)]
pub(super) enum Kind<'t> {
    /// `{x}`.
    Single(&'t str),
    /// `{{x}}`, and inside a block also `{{this}}` and `{{@index}}`.
    Double(&'t str),
    /// `{{.x}}`: a key of the configuration.
    Configured(&'t str),
    /// `{{#if x}}` and its like.
    Open(Block<'t>),
    /// `{{else}}`, with its condition where it has one.
    Else(Option<&'t str>),
    /// `{{/if}}`, with its word.
    Close(&'t str),
    /// A call of something the engine does not have.
    Foreign,
    /// Left as it is: a comment.
    Left,
}

impl<'t> Kind<'t> {
    /// Returns the name that a value is put in for.
    pub(super) fn name(&self) -> Option<&'t str> {
        match self {
            Kind::Single(name) | Kind::Double(name) | Kind::Configured(name) => Some(name),
            Kind::Open(_) | Kind::Else(_) | Kind::Close(_) | Kind::Foreign | Kind::Left => None,
        }
    }
}

/// The beginning of a block.
#[derive(Debug)]
pub(super) struct Block<'t> {
    /// What it does.
    pub(super) act: Act,
    /// What it does it with.
    pub(super) argument: &'t str,
    /// The word that closes it.
    word: &'t str,
    /// The mark that closes it; none where it is written as it stands.
    pub(super) close: Option<usize>,
    /// Its `{{else}}` marks.
    pub(super) branches: Vec<usize>,
    /// Whether it is nested too deep to be rendered.
    deep: bool,
}

/// What a block does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Shows its text if something holds.
    If,
    /// Shows its text if something does not hold.
    Unless,
    /// Shows its text for every item.
    Each,
    /// Shows its text with the fields of a value as names.
    With,
    /// `{{#x}}`: each item of a list, the fields of a map, or the text where there is anything.
    Section,
    /// `{{^x}}`: the text where there is nothing.
    Inverted,
    /// Nothing the engine knows.
    Unknown,
}

/// Something about the blocks of a text that keeps one from being rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The mark as it is written.
    pub mark: String,
    /// The first byte of the mark.
    pub at: usize,
    /// Its line, from 1.
    pub line: usize,
}

/// What is wrong with a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// It is never closed.
    Unclosed,
    /// It closes or divides nothing.
    Stray,
    /// The engine has no such block.
    Unknown,
    /// It is nested too deep.
    TooDeep,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Problem { mark, line, .. } = self;
        match self.kind {
            ProblemKind::Unclosed => write!(formatter, "line {line}: `{mark}` is never closed; it stays as written"),
            ProblemKind::Stray => write!(
                formatter,
                "line {line}: `{mark}` belongs to no block; it stays as written"
            ),
            ProblemKind::Unknown => write!(
                formatter,
                "line {line}: `{mark}` is no block the engine has; it stays as written"
            ),
            ProblemKind::TooDeep => write!(
                formatter,
                "line {line}: `{mark}` is nested deeper than {MAX_DEPTH} blocks; it stays as written"
            ),
        }
    }
}

/// Finds the marks of a text and pairs those of its blocks.
pub(super) fn marks(text: &str) -> Vec<Mark<'_>> {
    let mut marks: Vec<Mark<'_>> = each_hole(text).map(read).collect();
    // Most texts have no blocks.
    if marks.iter().any(|mark| matches!(mark.kind, Kind::Open(_))) {
        pair(&mut marks);
        nest(&mut marks);
    }
    marks
}

/// Lists what keeps blocks of a text from being rendered.
pub(super) fn problems(text: &str) -> Vec<Problem> {
    let marks = marks(text);
    let mut used = vec![false; marks.len()];
    for mark in &marks {
        if let Kind::Open(block) = &mark.kind {
            for at in block.branches.iter().chain(&block.close) {
                used[*at] = true;
            }
        }
    }
    let mut line = 1;
    let mut counted = 0;
    let mut found = Vec::new();
    for (mark, used) in marks.iter().zip(used) {
        let kind = match &mark.kind {
            Kind::Open(block) if block.deep => ProblemKind::TooDeep,
            Kind::Open(block) if block.close.is_none() => ProblemKind::Unclosed,
            Kind::Open(block) if block.act == Act::Unknown => ProblemKind::Unknown,
            Kind::Foreign => ProblemKind::Unknown,
            Kind::Else(_) | Kind::Close(_) if !used => ProblemKind::Stray,
            Kind::Open(_) | Kind::Else(_) | Kind::Close(_) => continue,
            Kind::Single(_) | Kind::Double(_) | Kind::Configured(_) | Kind::Left => continue,
        };
        let before = text.as_bytes().get(counted..mark.start).unwrap_or(&[]);
        line += memchr::memchr_iter(b'\n', before).count();
        counted = mark.start;
        found.push(Problem {
            kind,
            mark: text.get(mark.start..mark.end).unwrap_or("").to_owned(),
            at: mark.start,
            line,
        });
    }
    found
}

fn read((kind, name, place): (HoleKind, &str, Range<usize>)) -> Mark<'_> {
    let kind = match kind {
        HoleKind::Single => Kind::Single(name),
        HoleKind::Double => Kind::Double(name),
        HoleKind::Rendered => Kind::Configured(name),
        HoleKind::Block => block(name.trim_matches('~').trim()),
    };
    Mark {
        start: place.start,
        end: place.end,
        kind,
    }
}

fn block(inside: &str) -> Kind<'_> {
    if let Some(word) = inside.strip_prefix('/') {
        return Kind::Close(word.trim());
    }
    if inside == "else" || inside == "^" {
        return Kind::Else(None);
    }
    if let Some(rest) = inside.strip_prefix("else ") {
        return match rest.trim().strip_prefix("if ") {
            Some(condition) => Kind::Else(Some(condition.trim())),
            None => Kind::Foreign,
        };
    }
    if inside.starts_with("this") || inside.starts_with('@') {
        return Kind::Double(inside);
    }
    match inside.as_bytes().first() {
        Some(b'!') => Kind::Left,
        Some(b'>') => Kind::Foreign,
        Some(b'^') => open(Act::Inverted, inside.get(1..).unwrap_or("").trim()),
        Some(b'#') => opened(inside.get(1..).unwrap_or("").trim()),
        // `{{if x}}` without its sign.
        _ => opened(inside),
    }
}

fn opened(inside: &str) -> Kind<'_> {
    let (word, argument) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let act = match word {
        "if" => Act::If,
        "unless" => Act::Unless,
        "each" => Act::Each,
        "with" => Act::With,
        _ if argument.is_empty() => return open(Act::Section, word),
        _ => Act::Unknown,
    };
    Kind::Open(Block {
        act: if argument.trim().is_empty() { Act::Unknown } else { act },
        argument: argument.trim(),
        word,
        close: None,
        branches: Vec::new(),
        deep: false,
    })
}

fn open(act: Act, name: &str) -> Kind<'_> {
    let act = if name.is_empty() || name.contains(char::is_whitespace) {
        Act::Unknown
    } else {
        act
    };
    Kind::Open(Block {
        act,
        argument: name,
        word: name,
        close: None,
        branches: Vec::new(),
        deep: false,
    })
}

/// Finds the end of every block. What is open inside a block that ends was never closed.
fn pair(marks: &mut [Mark<'_>]) {
    let mut open: Vec<usize> = Vec::new();
    // How many blocks of a word are open: a mark that closes none of them costs nothing.
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for at in 0..marks.len() {
        let closed = match &marks[at].kind {
            Kind::Open(block) => {
                *counts.entry(block.word).or_default() += 1;
                open.push(at);
                continue;
            }
            Kind::Close(word) if counts.get(word).is_some_and(|count| *count > 0) => *word,
            Kind::Single(_) | Kind::Double(_) | Kind::Configured(_) => continue,
            Kind::Close(_) | Kind::Else(_) | Kind::Foreign | Kind::Left => continue,
        };
        while let Some(inner) = open.pop() {
            let Kind::Open(block) = &mut marks[inner].kind else {
                continue;
            };
            if let Some(count) = counts.get_mut(block.word) {
                *count -= 1;
            }
            if block.word == closed {
                block.close = Some(at);
                break;
            }
        }
    }
}

/// Gives every `{{else}}` to the block it stands in, and unties blocks that are nested too deep.
fn nest(marks: &mut [Mark<'_>]) {
    // Where each block around ends, and which it is; none for one that is nested too deep.
    let mut around: Vec<(usize, Option<usize>)> = Vec::new();
    for at in 0..marks.len() {
        while around.last().is_some_and(|(close, _)| *close <= at) {
            around.pop();
        }
        let depth = around.len();
        match &mut marks[at].kind {
            Kind::Open(block) => {
                let Some(close) = block.close else { continue };
                let deep = depth >= MAX_DEPTH;
                if deep {
                    block.deep = true;
                    block.close = None;
                }
                around.push((close, (!deep).then_some(at)));
            }
            Kind::Else(_) => {
                if let Some((_, Some(owner))) = around.last().copied()
                    && let Kind::Open(block) = &mut marks[owner].kind
                {
                    block.branches.push(at);
                }
            }
            Kind::Single(_) | Kind::Double(_) | Kind::Configured(_) => {}
            Kind::Close(_) | Kind::Foreign | Kind::Left => {}
        }
    }
}
