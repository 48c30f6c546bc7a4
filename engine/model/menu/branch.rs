//! A line in, what it and the lines below it say about answers out.

use super::page::{Marks, Row, depth};
use super::{Handled, MenuOption, answer, chosen, words};
use crate::source::Source;
use crate::syntax::{LineKind, trim};

/// How much of a handler is searched for words that show the menu again.
const MAX_SEARCHED: usize = 4096;
/// The most sentences of one line that are read.
const MAX_SENTENCES: usize = 256;
/// The most lines below a head with nothing behind it that are taken for its text.
const MAX_BELOW: usize = 40;

/// Finds the last row of a menu that has a key, where that is called by a word of a label, if there is one.
pub(super) type Offers<'a> = dyn Fn(&str, Option<&str>) -> Option<usize> + 'a;

/// Reads the handlers that start in a row; `offers` finds the last row of a menu before it that has a key, if there are any.
pub(super) fn read(
    rows: &[Row<'_>],
    index: usize,
    offers: Option<&Offers<'_>>,
    source: &Source,
) -> Option<Vec<Handled>> {
    let row = rows.get(index)?;
    let (at, inner) = row.inner();
    let first = match (answer::clause(inner, false), offers) {
        (None, Some(offers)) => {
            let asked = |key: &&str| offers(key, None).is_some_and(|menu| !asks_itself(rows, menu, index, key));
            let headed = || under_heading(rows, index, inner, offers);
            let said = answer_to_offer(row, at, inner).filter(|clause| clause.keys.iter().any(asked));
            let ranged = || answer::ranged(inner).filter(|clause| clause.keys.iter().all(asked));
            said.or_else(headed).or_else(ranged)
        }
        (first, _) => first,
    };
    // Most rows speak of no answer, and most have no second sentence.
    if first.is_none() && !row.marks.hold(Marks::STOP) {
        return None;
    }
    let strict = |start| Some((start, answer::clause(row.text.get(start..)?, true)?));
    let later = sentences(row.text, at).take(MAX_SENTENCES).filter_map(strict);
    let mut said = first.map(|first| (at, first)).into_iter().chain(later).peekable();
    said.peek()?;
    let found: Vec<_> = said.collect();
    let starts: Vec<usize> = found.iter().map(|(start, _)| *start).collect();
    let mut handled = Vec::with_capacity(found.len());
    for (order, (start, clause)) in found.into_iter().enumerate() {
        let body = row.start + start + clause.end;
        let end = match starts.get(order + 1) {
            Some(next) => row.start + next,
            None => body_end(rows, index, body, source),
        };
        handled.push(one(row.start + start, body..end, clause, source));
    }
    Some(handled)
}

/// Reads the forms that mean an answer only where it was offered: `If yes:`, `If S, …`, `On S: …`, `- S: …`, `**A**:`, `## OPTION 1: …`.
fn answer_to_offer<'a>(row: &Row<'a>, at: usize, inner: &'a str) -> Option<answer::Clause<'a>> {
    let first = inner.as_bytes().first()?;
    if row.is_heading() {
        return if first.eq_ignore_ascii_case(&b'o') {
            answer::numbered(inner)
        } else {
            None
        };
    }
    let conditional = || answer::yes_or_no(inner).or_else(|| answer::before_mark(inner));
    if matches!(first.to_ascii_lowercase(), b'i' | b'o' | b'w')
        && let Some(clause) = conditional()
    {
        return Some(clause);
    }
    let marks = row.text.as_bytes().get(..at).unwrap_or(&[]);
    let marked = *first == b'[' || marks.iter().any(|mark| matches!(mark, b'*' | b'`'));
    let item = row.kind == LineKind::Item && inner.as_bytes().get(1) == Some(&b':');
    if marked || item { answer::labelled(inner) } else { None }
}

/// Reads a heading that bears the key of an option, and a word of what that is called: `#### [X] Abort it`.
fn under_heading<'a>(
    rows: &[Row<'a>],
    index: usize,
    inner: &'a str,
    offers: &Offers<'_>,
) -> Option<answer::Clause<'a>> {
    let (clause, label) = rows[index].is_heading().then(|| answer::bracketed(inner))??;
    let is_offered = |key: &&str| offers(key, Some(label)).is_some_and(|menu| deals_with(rows, menu, index));
    clause.keys.iter().any(is_offered).then_some(clause)
}

/// Says whether the sections that one belongs to are what is done for the answers to a menu: they stand below it, or below
/// a heading that says nothing else before them.
fn deals_with(rows: &[Row<'_>], menu: usize, index: usize) -> bool {
    let level = |row: &Row<'_>| match row.kind {
        LineKind::Heading(level) => Some(level),
        _ => None,
    };
    let own = level(&rows[index]);
    let around = (0..index)
        .rev()
        .find(|at| level(&rows[*at]).is_some_and(|level| Some(level) < own));
    let Some(around) = around.filter(|around| *around > menu) else {
        return true;
    };
    let said = rows[around + 1..index].iter().take_while(|row| !row.is_heading());
    said.filter(|row| !row.is_blank())
        .all(|row| chosen::speaks_of_answer(row.text))
}

/// Says whether `If yes:` answers another question than the menu above: that of the item around it, or the one right above it
/// under a heading of its own.
fn asks_itself(rows: &[Row<'_>], menu: usize, index: usize, key: &str) -> bool {
    if !["yes", "no", "y", "n"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(key))
    {
        return false;
    }
    let own = depth(rows[index].text);
    let mut above = (menu + 1..index).rev().filter(|at| !rows[*at].is_blank());
    let parent = above.clone().find(|at| depth(rows[*at].text) < own);
    if parent.is_some_and(|parent| words::asks(rows[parent].text)) {
        return true;
    }
    let is_lead = |at: &usize| answer::yes_or_no(rows[*at].inner().1).is_none();
    let lead = above.find(is_lead).filter(|lead| words::asks(rows[*lead].text));
    lead.is_some_and(|lead| rows[menu + 1..lead].iter().any(Row::is_heading))
}

/// Reads `Otherwise: …` right below the branches of a menu: it is for all its options that none of them names.
pub(super) fn remaining(
    rows: &[Row<'_>],
    index: usize,
    above: &[Handled],
    options: &[MenuOption],
    source: &Source,
) -> Option<Handled> {
    let row = rows.get(index)?;
    let (at, inner) = row.inner();
    let end = answer::rest_of_answers(inner)?;
    let last = above.last().filter(|last| last.branches)?;
    let between = source.span(last.span.end as usize, row.start.max(last.span.end as usize));
    if !source.slice(between).trim().is_empty() {
        return None;
    }
    let is_named = |option: &&MenuOption| above.iter().any(|handled| super::handles(handled, option));
    let left = options.iter().filter(|option| !is_named(option));
    let clause = answer::Clause {
        keys: left.map(|option| option.key.as_str()).collect(),
        any_other: true,
        branches: true,
        end,
    };
    let body = row.start + at + end;
    let body = body..body_end(rows, index, body, source);
    Some(one(row.start + at, body, clause, source))
}

fn one(start: usize, body: std::ops::Range<usize>, clause: answer::Clause<'_>, source: &Source) -> Handled {
    let (body, text) = trim(source, source.span(body.start.min(body.end), body.end));
    let head = text.get(..text.floor_char_boundary(MAX_SEARCHED)).unwrap_or(text);
    Handled {
        keys: clause.keys.iter().map(|&key| key.to_owned()).collect(),
        span: source.span(start, body.end as usize),
        body,
        redisplays: words::shows_again(head),
        goes_on: words::goes_on(head),
        any_other: clause.any_other,
        branches: clause.branches,
    }
}

/// Finds where the text of a handler ends: its section, its deeper lines, or the lines right below it.
fn body_end(rows: &[Row<'_>], index: usize, body: usize, source: &Source) -> usize {
    let Some(row) = rows.get(index) else {
        return body;
    };
    let own = row.start + row.text.len();
    let rest = rows.get(index + 1..).unwrap_or(&[]);
    let last = match row.kind {
        LineKind::Heading(level) => rest
            .iter()
            .take_while(|row| !matches!(row.kind, LineKind::Heading(other) if other <= level))
            .last(),
        LineKind::Frontmatter
        | LineKind::Blank
        | LineKind::FenceMark
        | LineKind::Code
        | LineKind::Item
        | LineKind::Quote
        | LineKind::Table
        | LineKind::Text => rest
            .iter()
            .take_while(|below| below.is_blank() || depth(below.text) > depth(row.text))
            .filter(|below| !below.is_blank())
            .last(),
    };
    let said = !source.slice(source.span(body, own.max(body))).trim().is_empty();
    let last = if said || row.is_heading() {
        last
    } else {
        last.or_else(|| right_below(rest))
    };
    last.map_or(own, |last| last.start + last.text.len()).max(body)
}

/// Finds the last of the lines right below a head that has nothing behind it.
fn right_below<'r, 'a>(rest: &'r [Row<'a>]) -> Option<&'r Row<'a>> {
    let rest = match rest {
        [blank, rest @ ..] if blank.is_blank() => rest,
        rest => rest,
    };
    let taken = rest.iter().take(MAX_BELOW).take_while(|row| {
        let other = row.text.trim_start().starts_with("**") || answer::clause(row.inner().1, false).is_some();
        !row.is_blank() && !row.is_heading() && !other
    });
    taken.last()
}

/// Finds the starts of the sentences after the first one of a line.
fn sentences(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let inside = text.as_bytes().split_last().map_or(&[][..], |(_, inside)| inside);
    memchr::memchr_iter(b'.', inside)
        .filter(move |at| *at >= from)
        .filter(|at| text.as_bytes().get(at + 1) == Some(&b' '))
        .map(|at| at + 2)
}
