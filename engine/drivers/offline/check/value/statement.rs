//! Lines and sentences in, what each says of a quantity out.

use super::super::measure::{Bound, Measure, measure};
use crate::drivers::offline::grid::grids;
use crate::drivers::offline::page::{Page, PageLine};
use crate::syntax::LineKind;
use std::ops::Range;

/// The most words of a name.
const MOST_WORDS: usize = 5;
/// Headers of columns that hold the value of what the row names.
const VALUES: &[&str] = &[
    "value",
    "target",
    "limit",
    "default",
    "threshold",
    "setting",
    "goal",
    "budget",
    "requirement",
];
/// Words between a name and its value.
const VERBS: &[(&str, Option<Bound>)] = &[
    (" must be ", None),
    (" shall be ", None),
    (" should be ", None),
    (" is set to ", None),
    (" is fixed at ", None),
    (" is limited to ", Some(Bound::AtMost)),
    (" is capped at ", Some(Bound::AtMost)),
    (" must not exceed ", Some(Bound::AtMost)),
    (" may not exceed ", Some(Bound::AtMost)),
    (" does not exceed ", Some(Bound::AtMost)),
    (" cannot exceed ", Some(Bound::AtMost)),
    (" never exceeds ", Some(Bound::AtMost)),
    (" defaults to ", None),
    (" is ", None),
    (" of ", None),
];
/// Words that no name begins with.
const ARTICLES: &[&str] = &["the", "a", "an", "our", "this", "its", "their", "default"];
/// Words that end the search for the beginning of a name.
const STOPS: &[&str] = &[
    "with", "for", "and", "or", "but", "that", "if", "when", "while", "to", "in", "on", "at", "by", "from", "than",
    "as", "has", "have", "uses", "use", "so", "then", "which", "where", "because", "until", "after", "before", "per",
    "of", "is", "are", "be", "each", "every", "all", "any", "one", "only", "set", "sets",
];
/// Words after a value, or before its name, that say when or for whom it holds.
const LIMITS: &[&str] = &[
    "for", "per", "in", "on", "when", "if", "during", "while", "at", "with", "under", "after", "before", "until",
    "unless", "except", "by", "as", "from", "to", "instead", "once", "where", "between", "plus", "or", "and",
];
/// Words of a line that tells of another time or another case.
const OTHER: &[&str] = &[
    "previously",
    "formerly",
    "was ",
    "were ",
    "used to",
    "example",
    "e.g.",
    "increase",
    "reduc",
    "rais",
    "lower",
    "chang",
    "instead of",
    "currently",
    "today",
    "legacy",
    "old ",
    "alternative",
    "rejected",
    "if ",
    "stretch",
    "phase",
];

/// How something is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// `Name: value`, or a row of a table.
    Pair,
    /// A sentence.
    Sentence,
}

/// What a line says of a quantity.
#[derive(Debug)]
pub(super) struct Statement {
    /// What it is about, in small letters.
    pub(super) subject: String,
    pub(super) measure: Measure,
    pub(super) source: Source,
    /// When or for whom it holds, where the sentence says so.
    pub(super) limit: String,
    /// The number of the heading it stands under.
    pub(super) section: Option<usize>,
    /// Where the item it belongs to begins.
    pub(super) parent: Option<usize>,
    /// Where the table begins whose other columns say what the value belongs to.
    pub(super) table: Option<usize>,
    pub(super) range: Range<usize>,
}

impl Statement {
    /// Returns the value in a form that can be compared.
    pub(super) fn value(&self) -> String {
        format!("{:?} {}", self.measure.bound, self.measure.amount)
    }
}

/// Returns what a page says of quantities.
pub(super) fn statements(page: &Page) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut above: Vec<(u16, usize)> = Vec::new();
    for line in page.lines() {
        match line.kind {
            LineKind::Item => {
                above.retain(|(indent, _)| *indent < line.indent);
                let parent = above.last().map(|(_, start)| *start);
                above.push((line.indent, line.start));
                said(page, &line, parent, &mut found);
            }
            LineKind::Text | LineKind::Quote => {
                let parent = above.last().map(|(_, start)| *start).filter(|_| line.indent > 0);
                said(page, &line, parent, &mut found);
            }
            LineKind::Heading(_) => above.clear(),
            LineKind::Blank | LineKind::Table | LineKind::Code | LineKind::FenceMark | LineKind::Frontmatter => {}
        }
    }
    tables(page, &mut found);
    found.sort_by_key(|statement| statement.range.start);
    found
}

fn said(page: &Page, line: &PageLine<'_>, parent: Option<usize>, found: &mut Vec<Statement>) {
    let section = page.section_number(line.start);
    let mut push = |(subject, measure, limit): Read, source: Source| {
        let range = line.start..line.start + line.prose.trim_end().len();
        found.push(Statement {
            subject,
            measure,
            source,
            limit,
            section,
            parent,
            table: None,
            range,
        });
    };
    if let Some(read) = pair(line.prose).filter(|_| is_now(line.prose)) {
        push(read, Source::Pair);
        return;
    }
    for read in sentences(line.prose) {
        push(read, Source::Sentence);
    }
}

/// Says whether words speak of what holds now, and without a guess.
fn is_now(words: &str) -> bool {
    let lower = words.to_ascii_lowercase();
    !OTHER.iter().any(|other| lower.contains(other)) && !words.contains(['~', '±'])
}

/// A subject, its value, and when it holds.
type Read = (String, Measure, String);

/// Reads `- **Name:** value`.
fn pair(line: &str) -> Option<Read> {
    let plain = line.replace("**", "  ");
    let begins = plain.trim_start_matches(|each: char| !each.is_alphanumeric());
    let (name, rest) = begins.split_once(':')?;
    let subject = subject(name, true)?;
    let value = rest.trim_start();
    let read = measure(value)?;
    let limit = limit(&value[read.length..])?;
    Some((subject, read, limit))
}

/// Reads `the name is value` and `a name of value`.
fn sentences(line: &str) -> Vec<Read> {
    let plain = line.replace("**", "  ");
    let mut found = Vec::new();
    for (verb, bound) in VERBS {
        for (at, _) in plain.match_indices(verb) {
            let value = &plain[at + verb.len()..];
            let Some(mut read) = measure(value) else { continue };
            if let Some(bound) = bound {
                read.bound = *bound;
            }
            let before = &plain[..at];
            let clause = before.rsplit(['.', ';', '(', '!', '?']).next().unwrap_or("");
            let end = [". ", "; ", "! ", "? "]
                .iter()
                .filter_map(|mark| value.find(mark))
                .min();
            if !is_now(clause) || !is_now(&value[..end.unwrap_or(value.len())]) {
                continue;
            }
            let Some((subject, lead)) = last_name(clause) else {
                continue;
            };
            // `Redis has a timeout of 5 s` speaks of Redis.
            let is_free = *verb != " of " || lead.to_lowercase().ends_with("the ") || lead.trim().is_empty();
            let Some(limit) = limit(&value[read.length..]).filter(|_| is_free && stands_first(lead)) else {
                continue;
            };
            found.push((subject, read, limit));
        }
    }
    found
}

/// Returns the name at the end of a clause, and what stands before it.
fn last_name(clause: &str) -> Option<(String, &str)> {
    let mut start = clause.len();
    for word in clause.split(' ').rev() {
        let lower = word.to_lowercase();
        let is_word = !word.is_empty() && word.chars().all(|each| each.is_alphabetic() || each == '-');
        if !is_word || STOPS.contains(&lower.as_str()) || ARTICLES.contains(&lower.as_str()) {
            break;
        }
        start = start.saturating_sub(word.len() + usize::from(start < clause.len()));
    }
    let name = clause.get(start..)?;
    Some((subject(name, false)?, clause.get(..start)?))
}

/// Says whether a name begins its sentence: only an article stands before it.
fn stands_first(lead: &str) -> bool {
    let words: Vec<String> = lead
        .split(|each: char| !each.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    match words.as_slice() {
        [] => true,
        [only] => ARTICLES.contains(&only.as_str()),
        [.., last] => last == "the" && words.len() <= MOST_WORDS && !LIMITS.contains(&words[0].as_str()),
    }
}

/// Returns a name in the form that is compared; none where it is no name.
fn subject(name: &str, is_key: bool) -> Option<String> {
    let words: Vec<String> = name
        .split(|each: char| each.is_whitespace())
        .map(|word| word.trim_matches(|each: char| !each.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let kept: Vec<&String> = words
        .iter()
        .skip_while(|word| ARTICLES.contains(&word.as_str()))
        .collect();
    let is_plain = kept
        .iter()
        .all(|word| word.chars().all(|each| each.is_alphabetic() || each == '-'));
    // A key with a verb in it is a sentence before a colon.
    let is_name = !kept.iter().any(|word| STOPS.contains(&word.as_str()) && is_key);
    let fits = (1..=MOST_WORDS).contains(&kept.len()) && kept.iter().any(|word| word.len() > 3);
    (is_plain && is_name && fits).then(|| kept.into_iter().cloned().collect::<Vec<_>>().join(" "))
}

/// Returns what limits a value; none where the value goes on as something else.
fn limit(after: &str) -> Option<String> {
    let rest = after.trim_start_matches(['*', ' ']);
    if after.starts_with(|each: char| each.is_alphanumeric() || matches!(each, '-' | '–' | '/' | '+' | '~')) {
        return None;
    }
    let first: String = rest.chars().take_while(|each| each.is_alphabetic()).collect();
    let is_range = matches!(rest.chars().next(), Some('–' | '-' | '/' | '+' | '~'));
    if is_range {
        return None;
    }
    if LIMITS.contains(&first.to_lowercase().as_str()) || rest.starts_with('(') {
        let end = rest.find(['.', ';']).unwrap_or(rest.len());
        return Some(rest[..end].trim().to_lowercase());
    }
    Some(String::new())
}

/// Reads tables whose first column names something and whose other columns hold values.
fn tables(page: &Page, found: &mut Vec<Statement>) {
    for grid in grids(page) {
        for row in &grid.rows {
            let Some(name) = subject(row.cell(page, 0), true) else {
                continue;
            };
            for column in 1..row.cells.len() {
                let cell = row.cell(page, column);
                let Some(read) = measure(cell).filter(|read| read.length == cell.len()) else {
                    continue;
                };
                let header = grid.header.cell(page, column).to_lowercase();
                let is_value = VALUES.contains(&header.as_str()) && grid.header.cells.len() <= 3;
                found.push(Statement {
                    subject: if is_value {
                        name.clone()
                    } else {
                        format!("{name} ({header})")
                    },
                    measure: read,
                    source: Source::Pair,
                    limit: String::new(),
                    section: page.section_number(row.range.start),
                    parent: None,
                    table: (row.cells.len() > 2).then_some(grid.header.range.start),
                    range: row.range.clone(),
                });
            }
        }
    }
}
