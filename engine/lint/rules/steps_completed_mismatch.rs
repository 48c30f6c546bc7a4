//! Step files that record other steps as done than themselves.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, step_label};
use crate::source::{Source, Span};
use crate::syntax::{Line, LineKind, WordList, trim};
use memchr::memmem::Finder;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) const RULE: Rule = Rule {
    code: Code("steps-completed-mismatch"),
    severity: Severity::Warning,
    summary: "a step file records a list of finished steps that does not end with itself",
    page: include_str!("../../../spec/rules/steps-completed-mismatch.md"),
    check: Check::File(check),
};

/// How the name of such a list ends.
const KEY: &str = "tepsCompleted";
/// The key that names the last of them.
const LAST: &str = "lastStep";
/// Both: one may stand in the other's end.
static KEYS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| [KEY, LAST].map(Finder::new));
/// The most lists that one line writes.
const MAX_LISTS: usize = 8;
/// Beginnings of words before a list that is written.
const WRITES: &[&str] = &[
    "updat", "set", "add", "append", "writ", "record", "sav", "mark", "put", "chang", "creat", "initial", "ensur",
];
/// The same, told from most words by their first two letters.
static WRITING: WordList = WordList::new(WRITES);
/// Words before a list that is only looked at.
static READS: WordList = WordList::new(&[
    "if",
    "when",
    "whenever",
    "where",
    "once",
    "after",
    "verify",
    "check",
    "has",
    "have",
    "contains",
    "containing",
    "shows",
    "example",
    "e.g",
    "eg",
    "like",
    "such",
    "from",
    "found",
    "expect",
    "expected",
    "read",
    "reads",
    "resume",
    "resuming",
    "previous",
    "until",
    "not",
    "never",
    "instead",
]);

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    let stem = document.source.path().stem();
    if document.role != Role::StepFile || is_resume(stem) {
        return;
    }
    let records = records(&document.source, &document.parsed.markdown.lines);
    if records.is_empty() {
        return;
    }
    let data = document
        .parsed
        .frontmatter
        .as_ref()
        .and_then(|matter| matter.data.as_ref());
    let name = data
        .and_then(|data| data.get("name"))
        .and_then(|node| node.text())
        .unwrap_or(stem);
    let label = step_label(stem);
    for record in records {
        if record.is_own(&label) || record.last.trim_end_matches(".md") == name || record.skips(&label) {
            continue;
        }
        let own = if record.is_numeric() { &label } else { stem };
        findings
            .add(
                record.span,
                format!(
                    "this step is `{own}`, but records `{}` as the last one done",
                    record.last
                ),
            )
            .help = Some(format!(
            "end the list with `{own}`; a run that resumes from it repeats or skips steps"
        ));
    }
}

/// Says whether a step file only finds out where to go on.
fn is_resume(stem: &str) -> bool {
    ["continue", "resume"].iter().any(|word| stem.contains(word))
}

/// A list of finished steps that is written.
struct Record<'a> {
    span: Span,
    line: &'a str,
    last: &'a str,
}

impl Record<'_> {
    fn is_numeric(&self) -> bool {
        self.last.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Says whether the list ends with the step that has this label; a step `2b` counts as `2`.
    fn is_own(&self, label: &str) -> bool {
        if !self.is_numeric() {
            return step_label(self.last.trim_end_matches(".md")) == label;
        }
        match (self.last.parse::<u32>(), number(label)) {
            (Ok(last), Some(own)) => last == own,
            (Ok(_) | Err(_), _) => true,
        }
    }

    /// Says whether the list goes further because steps are skipped.
    fn skips(&self, label: &str) -> bool {
        let further = self
            .last
            .parse::<u32>()
            .ok()
            .zip(number(label))
            .is_some_and(|(last, own)| last > own);
        further && self.speaks_of_skipping()
    }

    fn speaks_of_skipping(&self) -> bool {
        self.line.to_ascii_lowercase().contains("skip")
    }
}

/// Reads `2b` as 2.
fn number(label: &str) -> Option<u32> {
    label
        .trim_end_matches(|letter: char| letter.is_ascii_lowercase())
        .parse()
        .ok()
}

/// A line that names a list or the last step, and what stands below it.
struct Spot<'a> {
    source: &'a Source,
    span: Span,
    text: &'a str,
    below: &'a [Line],
}

impl<'a> Spot<'a> {
    /// Reads what the line writes at a key; answers the words before that, too.
    fn record(&self, key: usize) -> Option<(Record<'a>, &'a str)> {
        let before = self.text.get(..key)?.trim_end_matches(char::is_alphanumeric);
        if let Some(rest) = self.text.get(key..)?.strip_prefix(LAST) {
            // An item with more below it is a case: what to do where that was the last step.
            if self.below.first().is_some_and(|line| line.indent > 0) {
                return None;
            }
            let (length, last) = last_step(rest, before)?;
            return Some((self.said(key..key + LAST.len() + length, last), before));
        }
        let end = key + KEY.len();
        if let Some((from, last)) = added(before) {
            let record = self.said(from..end, last);
            return (!record.speaks_of_skipping()).then_some((record, &before[..from]));
        }
        let rest = self.text.get(end..)?;
        if rest.trim() == ":" {
            return Some((items(self.source, self.below)?, before));
        }
        let (length, last) = list(rest, before)?;
        Some((self.said(before.len()..end + length, last), before))
    }

    fn said(&self, place: Range<usize>, last: &'a str) -> Record<'a> {
        Record {
            span: self.span.inner(place.start, place.end),
            line: self.text,
            last,
        }
    }
}

/// Finds every list that the text writes.
fn records<'a>(source: &'a Source, lines: &'a [Line]) -> Vec<Record<'a>> {
    let mut found = Vec::new();
    let text = source.text().as_bytes();
    let mut keys: Vec<usize> = KEYS.iter().flat_map(|key| key.find_iter(text)).collect();
    keys.sort_unstable();
    let line_of = |key: usize| lines.partition_point(|line| line.start as usize <= key);
    for keys in keys.chunk_by(|one, next| line_of(*one) == line_of(*next)) {
        let at = line_of(keys[0]).saturating_sub(1);
        let Some(line) = lines.get(at) else { continue };
        if matches!(
            line.kind,
            LineKind::Frontmatter | LineKind::Table | LineKind::Blank | LineKind::FenceMark
        ) {
            continue;
        }
        let (span, text) = trim(source, line.span(source));
        let around = || match line.kind {
            LineKind::Code => lead(source, lines.get(..at).unwrap_or(&[])),
            LineKind::Frontmatter
            | LineKind::Table
            | LineKind::Blank
            | LineKind::FenceMark
            | LineKind::Heading(_)
            | LineKind::Item
            | LineKind::Quote
            | LineKind::Text => "",
        };
        let from = span.start as usize;
        let spot = Spot {
            source,
            span,
            text,
            below: lines.get(at + 1..).unwrap_or(&[]),
        };
        let inside = keys.iter().filter(|key| (from..from + text.len()).contains(*key));
        for key in inside.map(|key| key - from).take(MAX_LISTS) {
            // Most names of such a list stand before none, so that the words around them need not be read.
            let written = spot
                .record(key)
                .filter(|(_, before)| !(is_read(before) || before.trim().is_empty() && is_read(around())));
            found.extend(written.map(|(record, _)| record));
        }
    }
    found
}

/// Reads ``Add `'step-02-b'` to `` before the name of a list; answers where the step stands, and the step.
fn added(before: &str) -> Option<(usize, &str)> {
    let rest = before.trim_end_matches(['`', '*', '"', '\'', ' ']);
    let rest = rest.strip_suffix(" the").unwrap_or(rest).trim_end();
    let rest = rest.strip_suffix(" to")?.trim_end();
    let from = rest.rfind(' ')? + 1;
    let last = step(rest.get(from..)?.trim_matches('*'))?;
    let said = rest.get(..from)?.trim_end();
    let said = said.strip_suffix(" step").unwrap_or(said);
    let verb = said.rsplit(|letter: char| !letter.is_alphanumeric()).next()?;
    let adds = ["add", "append"].iter().any(|word| verb.eq_ignore_ascii_case(word));
    // Told of another step, or of a mistake, it is no order.
    let before = said[..said.len() - verb.len()].trim_end_matches([' ', '*', '_', '`', '-', '"']);
    let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next()?;
    let begins = word.is_empty() || ["and", "then"].iter().any(|joins| word.eq_ignore_ascii_case(joins));
    (adds && begins).then_some((from, last))
}

/// Reads `: 'step-02-b'` behind the key; answers where it ends, and the step. A number may as well be the next one.
fn last_step<'a>(rest: &'a str, before: &str) -> Option<(usize, &'a str)> {
    let written = rest.trim_start_matches('`').strip_prefix(':')?.trim_start();
    let quote = written.chars().next().filter(|mark| matches!(mark, '\'' | '"'));
    let inside = written.get(usize::from(quote.is_some())..)?;
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | '`' | ',' | '}');
    let last = step(inside.split(ends).next()?).filter(|last| last.starts_with("step-"))?;
    let is_alone = before.trim_matches(['-', '*', '`', ' ']).is_empty();
    let end = rest.len() - inside.len() + last.len() + usize::from(quote.is_some());
    let after = rest.get(end..)?.trim_start_matches(['`', '*', ' ']);
    (!is_alone || after.is_empty()).then_some((end.min(rest.len()), last))
}

/// Returns the last line of prose: before a fence it says what the fence is for.
fn lead<'a>(source: &'a Source, before: &[Line]) -> &'a str {
    let said = |line: &&Line| match line.kind {
        LineKind::Heading(_) | LineKind::Item | LineKind::Quote | LineKind::Text => true,
        LineKind::Frontmatter | LineKind::Table | LineKind::Blank | LineKind::FenceMark | LineKind::Code => false,
    };
    let last = before.iter().rev().find(said);
    last.map_or("", |line| trim(source, line.span(source)).1)
}

/// Reads `: [1, 2, 3]` or a list of step names; answers where it ends and its last item.
fn list<'a>(rest: &'a str, before: &str) -> Option<(usize, &'a str)> {
    let open = rest.find('[')?;
    if rest.get(..open)?.chars().any(char::is_alphanumeric) {
        return None;
    }
    let close = open + rest.get(open..)?.find(']')?;
    let last = step(rest.get(open + 1..close)?.split(',').next_back()?)?;
    let after = rest.get(close + 1..)?.trim_start_matches(['`', '*', '"', ' ', ':']);
    let leads = before.trim_matches(['-', '*', '`', ' ']).is_empty()
        && ["load", "resume", "go ", "continue", "jump", "start"]
            .iter()
            .any(|verb| starts_with(after, verb));
    (!leads && !["→", "->", "=>"].iter().any(|arrow| after.starts_with(arrow))).then_some((close + 1, last))
}

/// Reads the list below a key; its last item is the record.
fn items<'a>(source: &'a Source, lines: &[Line]) -> Option<Record<'a>> {
    let written = lines
        .iter()
        .map(|line| trim(source, line.span(source)))
        .map_while(|(span, text)| {
            let item = text.strip_prefix("- ")?;
            Some((span, text, item))
        });
    let (span, line, item) = written.last()?;
    Some(Record {
        span,
        line,
        last: step(item)?,
    })
}

/// Reads one item: a number or the name of a step.
fn step(item: &str) -> Option<&str> {
    let item = item.trim().trim_matches(['\'', '"', '`']);
    let numeric = !item.is_empty() && item.len() < 5 && item.bytes().all(|byte| byte.is_ascii_digit());
    let named = item.starts_with("step-")
        && item
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (numeric || named).then_some(item)
}

/// Says whether the words before a list look at it rather than write it: the nearest verb decides.
fn is_read(before: &str) -> bool {
    let before = &*without_asides(before);
    let mut words = before
        .rsplit(|letter: char| !letter.is_alphanumeric() && letter != '.')
        .map(|word| word.trim_matches('.'));
    let reads = |word: &str| READS.has(word);
    let verb = words.find(|word| reads(word) || writes(word));
    verb.is_some_and(reads)
        || words
            .take(2)
            .any(|word| ["not", "never", "t"].iter().any(|no| no.eq_ignore_ascii_case(word)))
}

/// Says whether a word begins as those before a list that is written do.
fn writes(word: &str) -> bool {
    WRITING.may_begin(word.as_bytes()) && WRITES.iter().any(|known| starts_with(word, known))
}

/// Leaves out what says in brackets that something may not be there: "the template (if available)".
fn without_asides(text: &str) -> Cow<'_, str> {
    let is_aside = |said: &str| {
        let mut words = said.split_whitespace();
        let first = words.next().unwrap_or_default();
        let depends = ["if", "when", "where"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(first));
        depends && words.all(|word| !READS.has(word) || ["not", "found"].contains(&word))
    };
    let (mut kept, mut last, mut from) = (String::new(), 0, 0);
    while let Some(open) = text[from..].find('(').map(|open| from + open)
        && let Some(close) = text[open..].find(')').map(|length| open + length)
    {
        if is_aside(&text[open + 1..close]) {
            kept.push_str(&text[last..open]);
            last = close + 1;
        }
        from = close;
    }
    if last == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[last..]);
    Cow::Owned(kept)
}

fn starts_with(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

#[cfg(test)]
mod tests {
    use super::{WRITES, starts_with, writes};

    #[test]
    fn a_word_that_is_passed_over_begins_as_none_of_them() {
        let words = [
            "", "u", "Updates", "SETS", "adds", "added", "ad", "sentence", "é", "Écrit", "creates", "ensure",
        ];
        for word in words.iter().chain(WRITES) {
            let begins = WRITES.iter().any(|known| starts_with(word, known));
            assert_eq!(writes(word), begins, "{word}");
        }
    }
}
