//! Orders of a text in; out whether one is for a case of several, or for whoever comes to the end of the text.

use crate::model::{Library, Lift, indent, item};
use crate::source::Span;

/// Words of a heading that make what stands below it one of several things.
const CASES: &[&str] = &[
    "if", "when", "unless", "for", "on", "case", "mode", "option", "rules", "failure",
];

/// Beginnings of words of a heading that is for trouble, and of a stop because of it.
const TROUBLE: &[&str] = &[
    "error", "fail", "problem", "trouble", "recover", "abort", "escalat", "edge", "block",
];

/// Words that a paragraph for a case begins with.
const OPENERS: &[&str] = &["if", "when", "should", "in case", "unless"];

/// Words above a list that say that all of it is done.
const ALL: &[&str] = &[
    "in order",
    "in this order",
    "in sequence",
    "one after",
    "on activation",
    "do the following",
    "the following steps",
];

/// How many lines of a list are looked at: whoever writes cases down writes few.
const MOST_LINES: usize = 200;
/// How many bytes such a list has at most.
const MOST_BYTES: u32 = 20_000;

/// Says whether words stand in an item with a label, of a list in which two such items go elsewhere. Nobody can do both, so
/// each is for its own case. What is called comes back, and so goes nowhere: `goes` says which orders leave for good.
pub(crate) fn is_one_case<'a>(
    library: &Library,
    words: Span,
    all: impl IntoIterator<Item = &'a Lift>,
    text: Span,
    mut goes: impl FnMut(&Lift) -> bool,
) -> bool {
    let Some(own) = Labelled::around(library, words, text) else {
        return false;
    };
    let start = text.start + own.list as u32;
    let is_near = |lift: &&Lift| lift.span.start >= start && lift.span.start - start < MOST_BYTES;
    let is_other = |lift: &&Lift| {
        let found = Labelled::around(library, lift.span, text);
        found.is_some_and(|found| found.list == own.list && found.item != own.item)
    };
    let may_lead = |lift: &&Lift| lift.condition.is_none() && (lift.kind.leaves() || lift.kind.followed().is_some());
    let mut near = all.into_iter().filter(is_near).filter(may_lead).take(MOST_LINES);
    near.any(|lift| is_other(&lift) && goes(lift)) && !is_in_order(&library.slice(text)[..own.list])
}

/// Says whether the words above a list say that all of it is done.
fn is_in_order(above: &str) -> bool {
    let line = above.trim_end().rsplit('\n').next().unwrap_or_default();
    let line = line.to_ascii_lowercase();
    ALL.iter().any(|order| line.contains(order))
}

/// Where an item with a label in bold begins, and the list of such items that it is part of, in bytes of a text.
struct Labelled {
    item: usize,
    list: usize,
}

impl Labelled {
    /// Finds the item that some words stand in, on its own line or further in below it.
    fn around(library: &Library, words: Span, text: Span) -> Option<Self> {
        let until = Span {
            end: words.start.max(text.start),
            ..text
        };
        let mut rest = library.slice(until);
        let mut found: Option<(usize, Self)> = None;
        let mut depth = usize::MAX;
        let mut lines = 0;
        while !rest.is_empty() {
            lines += 1;
            if lines > MOST_LINES {
                return None;
            }
            let start = rest.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
            let line = &rest[start..];
            rest = &rest[..start];
            if line.trim().is_empty() {
                continue;
            }
            let inner = indent(line);
            match &mut found {
                Some((own, at)) if inner == *own && is_labelled(line) => at.list = start,
                Some((own, _)) if inner > *own => {}
                Some(_) => break,
                None if inner >= depth => {}
                None if is_labelled(line) => {
                    found = Some((
                        inner,
                        Self {
                            item: start,
                            list: start,
                        },
                    ))
                }
                // The words of an item stand further in than its mark.
                None if depth == usize::MAX || item(line).is_some() => depth = inner,
                None => return None,
            }
            if depth == 0 && found.is_none() {
                // Nothing stands further out.
                return None;
            }
        }
        found.map(|(_, at)| at)
    }
}

/// Says whether a line is an item that begins with words in bold. A number says that all of the list is done in order.
fn is_labelled(line: &str) -> bool {
    let said = item(line).filter(|_| line.trim_start().starts_with(['-', '*', '+']));
    let label = said.and_then(|said| said.strip_prefix("**"));
    label.is_some_and(|label| label.contains("**"))
}

/// Says whether words are the last paragraph of a file, and nothing above them says that they are for a case.
pub(super) fn is_last_word(library: &Library, text: Span, words: Span) -> bool {
    let whole = library.source(words.source).text();
    let after = whole.get(words.end as usize..).unwrap_or_default();
    if after.contains(char::is_alphanumeric) {
        return false;
    }
    let before = library.slice(Span {
        end: words.start.max(text.start),
        ..text
    });
    let (above, own) = before.rsplit_once('\n').unwrap_or(("", before));
    let is_alone = own.trim_matches(['*', '_', ' ']).is_empty() && above.ends_with('\n');
    let above = above.trim_end();
    let leads = above.trim_end_matches(['*', '_']).ends_with(':');
    is_alone && !leads && !opens_case(above) && !is_trouble(library.slice(words)) && {
        let mut lines = above.lines().rev();
        let heading = lines.find(|line| line.starts_with('#')).unwrap_or_default();
        let mut said = heading.split(|at: char| !at.is_alphanumeric());
        let is_case = said.any(|word| CASES.iter().any(|case| word.eq_ignore_ascii_case(case)));
        !is_case && !is_trouble(heading)
    }
}

/// Says whether words speak of trouble.
fn is_trouble(said: &str) -> bool {
    said.split(|at: char| !at.is_alphanumeric()).any(is_of_trouble)
}

/// Says whether a word is one of trouble: `Errors`, `troubleshooting`.
fn is_of_trouble(word: &str) -> bool {
    let begins = |trouble: &&str| {
        word.get(..trouble.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(trouble))
    };
    TROUBLE.iter().any(begins)
}

/// Says whether the last paragraph of a text begins as one for a case does: `Should the build break, …`.
fn opens_case(above: &str) -> bool {
    let last = above.rsplit("\n\n").next().unwrap_or_default();
    let last = last.trim_start_matches(|at: char| !at.is_alphanumeric());
    OPENERS.iter().any(|opener| {
        let start = last.get(..opener.len());
        let after = last.get(opener.len()..).unwrap_or_default();
        start.is_some_and(|start| start.eq_ignore_ascii_case(opener)) && !after.starts_with(char::is_alphanumeric)
    })
}
