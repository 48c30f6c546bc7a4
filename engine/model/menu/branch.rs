//! A line in, what it and the lines below it say about answers out.

use super::page::{Page, Row, Said, depth};
use super::{Handled, MenuOption, again, answer, chosen, words};
use crate::source::{Source, near_places};
use crate::syntax::{Line, LineKind, trim};

/// How much of a handler is searched for words that show the menu again.
const MAX_SEARCHED: usize = 4096;
/// The most sentences of one line that are read.
const MAX_SENTENCES: usize = 256;
/// The most lines below a head with nothing behind it that are taken for its text.
const MAX_BELOW: usize = 40;

/// Finds the last row of a menu that has a key, where that is called by a word of a label, if there is one.
pub(super) type Offers<'a> = dyn Fn(&str, Option<&str>) -> Option<usize> + 'a;

/// Reads the answer that a row begins with; `offers` finds the last row of a menu before it that has a key, where the row
/// may begin with what means an answer only then.
pub(super) fn first<'a>(page: Page<'_>, said: &Said<'a>, offers: Option<&Offers<'_>>) -> Option<answer::Clause<'a>> {
    let clause = answer::clause(said.inner, false);
    if clause.is_some() {
        return clause;
    }
    let offers = offers?;
    let asked = |key: &&str| offers(key, None).is_some_and(|menu| !asks_itself(page, menu, said.index, key));
    let answered = answer_to_offer(said).filter(|clause| clause.keys.iter().any(asked));
    let headed = || under_heading(page, said, offers);
    let ranged = || answer::ranged(said.inner).filter(|clause| clause.keys.iter().all(asked));
    answered.or_else(headed).or_else(ranged)
}

/// Reads the handlers that start in a row: in the answer that it begins with, and, where it has more, in its other sentences.
/// Says whether there are any.
pub(super) fn read<'a>(
    page: Page<'a>,
    said: &Said<'a>,
    first: Option<answer::Clause<'a>>,
    has_more: bool,
    handlers: &mut Vec<Handled>,
) -> bool {
    let row = said.row;
    let strict = |start| Some((start, answer::clause(row.text.get(start..)?, true)?));
    let later = has_more.then(|| sentences(row.text, said.at).take(MAX_SENTENCES).filter_map(strict));
    let mut later = later.into_iter().flatten();
    let mut next = first.map(|first| (said.at, first)).or_else(|| later.next());
    let is_any = next.is_some();
    while let Some((start, clause)) = next {
        next = later.next();
        let body = row.start + start + clause.end;
        let end = match &next {
            Some((next, _)) => row.start + next,
            None => body_end(page, said.index, body),
        };
        handlers.push(one(row.start + start, body..end, clause, page.source));
    }
    is_any
}

/// Reads the forms that mean an answer only where it was offered: `If yes:`, `If S, …`, `On S: …`, `- S: …`, `**A**:`, `## OPTION 1: …`.
fn answer_to_offer<'a>(said: &Said<'a>) -> Option<answer::Clause<'a>> {
    let inner = said.inner;
    let first = inner.as_bytes().first()?;
    if said.row.is_heading() {
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
    let item = said.row.kind == LineKind::Item && inner.as_bytes().get(1) == Some(&b':');
    if *first == b'[' || item || said.is_marked() {
        answer::labelled(inner)
    } else {
        None
    }
}

/// Reads a heading that bears the key of an option, and a word of what that is called: `#### [X] Abort it`.
fn under_heading<'a>(page: Page<'_>, said: &Said<'a>, offers: &Offers<'_>) -> Option<answer::Clause<'a>> {
    let (clause, label) = said.row.is_heading().then(|| answer::bracketed(said.inner))??;
    let is_offered = |key: &&str| offers(key, Some(label)).is_some_and(|menu| deals_with(page, menu, said.index));
    clause.keys.iter().any(is_offered).then_some(clause)
}

/// Says whether the sections that one belongs to are what is done for the answers to a menu: they stand below it, or below
/// a heading that says nothing else before them.
fn deals_with(page: Page<'_>, menu: usize, index: usize) -> bool {
    let level = |at: usize| match page.lines[at].kind {
        LineKind::Heading(level) => Some(level),
        _ => None,
    };
    let own = level(index);
    let around = (0..index)
        .rev()
        .find(|at| level(*at).is_some_and(|level| Some(level) < own));
    let Some(around) = around.filter(|around| *around > menu) else {
        return true;
    };
    let said = page.rows(around + 1..index).take_while(|row| !row.is_heading());
    said.filter(|row| !row.is_blank())
        .all(|row| chosen::speaks_of_answer(row.text))
}

/// Says whether `If yes:` answers another question than the menu above: that of the item around it, or the one right above it
/// under a heading of its own.
fn asks_itself(page: Page<'_>, menu: usize, index: usize, key: &str) -> bool {
    if !["yes", "no", "y", "n"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(key))
    {
        return false;
    }
    let own = depth(page.row(index).text);
    let mut above = page.rows(menu + 1..index).rev().filter(|row| !row.is_blank());
    let parent = above.clone().find(|row| depth(row.text) < own);
    if parent.is_some_and(|parent| words::asks(parent.text)) {
        return true;
    }
    let is_lead = |row: &Row<'_>| answer::yes_or_no(row.inner().1).is_none();
    let lead = above.find(is_lead).filter(|lead| words::asks(lead.text));
    lead.is_some_and(|lead| {
        page.rows(menu + 1..index)
            .take_while(|row| row.start < lead.start)
            .any(|row| row.is_heading())
    })
}

/// Reads `Otherwise: …` right below the branches of a menu: it is for all its options that none of them names.
pub(super) fn remaining(page: Page<'_>, said: &Said<'_>, above: &[Handled], options: &[MenuOption]) -> Option<Handled> {
    let end = answer::rest_of_answers(said.inner)?;
    let last = above.last().filter(|last| last.branches)?;
    let (source, start) = (page.source, said.row.start);
    let between = source.span(last.span.end as usize, start.max(last.span.end as usize));
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
    let body = start + said.at + end;
    let body = body..body_end(page, said.index, body);
    Some(one(start + said.at, body, clause, source))
}

fn one(start: usize, body: std::ops::Range<usize>, clause: answer::Clause<'_>, source: &Source) -> Handled {
    let (body, text) = trim(source, source.span(body.start.min(body.end), body.end));
    let head = text.get(..text.floor_char_boundary(MAX_SEARCHED)).unwrap_or(text);
    Handled {
        keys: clause.keys.iter().map(|&key| key.to_owned()).collect(),
        span: source.span(start, body.end as usize),
        body,
        redisplays: again::shows_again(head),
        goes_on: words::goes_on(head),
        any_other: clause.any_other,
        branches: clause.branches,
    }
}

/// Finds where the text of a handler ends: its section, its deeper lines, or the lines right below it.
fn body_end(page: Page<'_>, index: usize, body: usize) -> usize {
    let row = page.row(index);
    let own = row.start + row.text.len();
    let (below, count) = (index + 1, page.lines.len());
    let last = match row.kind {
        LineKind::Heading(level) => {
            let ends = |line: &Line| matches!(line.kind, LineKind::Heading(other) if other <= level);
            let lines = page.lines[below..].iter().take_while(|line| !ends(line)).count();
            (lines > 0).then(|| page.row(index + lines))
        }
        LineKind::Frontmatter
        | LineKind::Blank
        | LineKind::FenceMark
        | LineKind::Code
        | LineKind::Item
        | LineKind::Quote
        | LineKind::Table
        | LineKind::Text => {
            let own = depth(row.text);
            page.rows(below..count)
                .filter(|below| !below.is_blank())
                .take_while(|below| depth(below.text) > own)
                .last()
        }
    };
    let is_said = || {
        !page
            .source
            .slice(page.source.span(body, own.max(body)))
            .trim()
            .is_empty()
    };
    let last = if last.is_some() || row.is_heading() || is_said() {
        last
    } else {
        right_below(page, below)
    };
    last.map_or(own, |last| last.start + last.text.len()).max(body)
}

/// Finds the last of the lines right below a head that has nothing behind it.
fn right_below(page: Page<'_>, below: usize) -> Option<Row<'_>> {
    let first = below + usize::from(page.get(below).is_some_and(|row| row.is_blank()));
    let taken = page.rows(first..first + MAX_BELOW).take_while(|row| {
        let other = row.text.trim_start().starts_with("**") || answer::clause(row.inner().1, false).is_some();
        !row.is_blank() && !row.is_heading() && !other
    });
    taken.last()
}

/// Finds the starts of the sentences after the first one of a line.
fn sentences(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let inside = text.as_bytes().split_last().map_or(&[][..], |(_, inside)| inside);
    near_places(b'.', inside)
        .filter(move |at| *at >= from)
        .filter(|at| text.as_bytes().get(at + 1) == Some(&b' '))
        .map(|at| at + 2)
}
