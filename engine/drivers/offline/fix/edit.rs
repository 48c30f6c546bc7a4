//! Changes in, edits out: whole lines, as many as it takes to stand only once in the document.

use crate::builtins::Value;
use crate::drivers::offline::finding::{Change, map};
use crate::drivers::offline::page::Page;
use std::ops::Range;

/// Returns a text with changes made; they are sorted and `offset` is where the text begins.
pub(super) fn applied(text: &str, offset: usize, changes: &[Change]) -> String {
    let mut made = String::new();
    let mut at = 0;
    for change in changes {
        let (start, end) = (change.start - offset, change.end - offset);
        made.push_str(text.get(at..start).unwrap_or(""));
        made.push_str(&change.new);
        at = end;
    }
    made.push_str(text.get(at..).unwrap_or(""));
    made
}

/// Puts sorted changes into edits; no two edits share a line.
pub(super) fn edits(page: &Page, file: &str, changes: &[Change]) -> Vec<Value> {
    let mut blocks: Vec<(Range<usize>, Vec<Change>)> = Vec::new();
    for change in changes {
        let range = unique(page, lines(page, change.start, change.end));
        match blocks.last_mut() {
            Some((last, own)) if range.start <= last.end => {
                last.end = last.end.max(range.end);
                last.start = last.start.min(range.start);
                own.push(change.clone());
            }
            _ => blocks.push((range, vec![change.clone()])),
        }
    }
    let text = page.text();
    let edit = |(range, own): (Range<usize>, Vec<Change>)| {
        let old = &text[range.clone()];
        let section = page.section(range.start).map_or("", |heading| heading.text.as_str());
        map([
            ("file", Value::from(file)),
            ("section", Value::from(section)),
            ("old", Value::from(old)),
            ("new", Value::Text(applied(old, range.start, &own))),
        ])
    };
    blocks.into_iter().map(edit).collect()
}

/// Returns the whole lines around a place, without the last line break.
fn lines(page: &Page, start: usize, end: usize) -> Range<usize> {
    page.line_range(start).0..page.line_range(end).1
}

/// Adds lines above and below until the text stands only once in the document.
fn unique(page: &Page, range: Range<usize>) -> Range<usize> {
    let text = page.text();
    let mut range = range;
    while text[range.clone()].trim().is_empty() || is_repeated(text, &text[range.clone()]) {
        let (before, after) = (range.start, range.end);
        if range.start > 0 {
            range.start = page.line_range(range.start - 1).0;
        }
        if range.end < text.len() {
            range.end = page.line_range(range.end + 1).1;
        }
        if range == (before..after) {
            break;
        }
    }
    range
}

fn is_repeated(text: &str, part: &str) -> bool {
    text.find(part)
        .is_some_and(|at| text[at + 1..].contains(part) || text.rfind(part) != Some(at))
}
