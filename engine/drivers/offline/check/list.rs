//! Numbered lists whose numbers do not count.

use super::{About, Change, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::{Page, PageLine};
use crate::syntax::LineKind;

/// Numbered lists whose numbers are not the ones that readers see.
pub(super) const CHECK: Check = Check {
    name: "misnumbered-list",
    claims: &[WRONG],
    needs: "the author says whether an item is missing or only its number is wrong",
    about: About::Form,
    find,
};

const WRONG: &str = "item {} of this list is shown as number {}: {}";
/// The most letters of an item that are repeated.
const LONGEST: usize = 40;

/// An item of a numbered list.
#[derive(Clone, Copy)]
struct Item {
    number: u32,
    /// Where its number stands.
    start: usize,
    length: usize,
    /// The dot or the bracket after it.
    close: u8,
}

/// A list that is being read.
struct Open {
    indent: u16,
    /// The column that its text starts at, where it is a numbered one.
    content: u16,
    items: Vec<Item>,
}

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    lists(page).iter().filter_map(|items| finding(page, items)).collect()
}

fn finding(page: &Page, items: &[Item]) -> Option<Finding> {
    let first = items.first()?;
    let expected = |at: usize| first.number.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let all_same = items.iter().all(|item| item.number == first.number);
    if all_same {
        return None;
    }
    let (at, wrong) = items
        .iter()
        .enumerate()
        .find(|(at, item)| item.number != expected(*at))?;
    let shown = expected(at).to_string();
    let text = page.line_at(wrong.start);
    let words: String = text
        .chars()
        .skip_while(|each| *each != '.' && *each != ')')
        .skip(2)
        .take(LONGEST)
        .collect();
    let changes = items
        .iter()
        .enumerate()
        .filter(|(at, item)| item.number != expected(*at));
    let repair: Vec<Change> = changes
        .map(|(at, item)| Change {
            start: item.start,
            end: item.start + item.length,
            new: expected(at).to_string(),
        })
        .collect();
    // A longer number would move what stands below the item.
    let is_safe = repair
        .iter()
        .all(|change| change.new.len() == change.end - change.start);
    Some(Finding {
        check: CHECK.name,
        severity: Severity::Low,
        range: wrong.start..page.line_range(wrong.start).1,
        message: say(WRONG, [&wrong.number.to_string(), &shown, words.trim()]),
        evidence: format!(
            "the list begins with {} on line {} and counts on",
            first.number,
            page.line(first.start)
        ),
        suggestion: format!("write {shown}, and count on from there"),
        repair: if is_safe { repair } else { Vec::new() },
    })
}

/// Returns the items of every numbered list; a list inside another is one of its own.
fn lists(page: &Page) -> Vec<Vec<Item>> {
    let mut open: Vec<Open> = Vec::new();
    let mut done = Vec::new();
    let mut after_blank = false;
    for line in page.lines() {
        let ends = match line.kind {
            LineKind::Blank => {
                after_blank = true;
                continue;
            }
            LineKind::Item => {
                item(&line, &mut open, &mut done);
                after_blank = false;
                continue;
            }
            LineKind::Heading(_) | LineKind::Frontmatter => true,
            // A line that goes on with a paragraph belongs to its item wherever it begins.
            LineKind::Text => after_blank,
            LineKind::FenceMark | LineKind::Code | LineKind::Quote | LineKind::Table => true,
        };
        while ends && open.last().is_some_and(|list| line.indent < list.content.max(1)) {
            done.extend(open.pop().map(|list| list.items));
        }
        after_blank = false;
    }
    done.extend(open.into_iter().map(|list| list.items));
    done.retain(|items| items.len() > 1);
    done.sort_by_key(|items| items[0].start);
    done
}

/// Puts an item where it belongs: into an open list, or into a new one.
fn item(line: &PageLine<'_>, open: &mut Vec<Open>, done: &mut Vec<Vec<Item>>) {
    while open.last().is_some_and(|list| line.indent < list.indent) {
        done.extend(open.pop().map(|list| list.items));
    }
    let read = numbered(line);
    let goes_on = open.last().is_some_and(|list| {
        let same_close = match (list.items.last(), &read) {
            (Some(last), Some(item)) => last.close == item.close,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        list.indent == line.indent && same_close
    });
    if !goes_on {
        if open.last().is_some_and(|list| list.indent == line.indent) {
            done.extend(open.pop().map(|list| list.items));
        }
        let mark = read.map_or(2, |item| item.length + 2);
        open.push(Open {
            indent: line.indent,
            content: line.indent.saturating_add(u16::try_from(mark).unwrap_or(u16::MAX)),
            items: Vec::new(),
        });
    }
    if let (Some(list), Some(item)) = (open.last_mut(), read) {
        list.items.push(item);
    }
}

/// Reads the number of an item; none where it has a bullet.
fn numbered(line: &PageLine<'_>) -> Option<Item> {
    let text = line.visible.trim_start();
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let close = *text.as_bytes().get(length)?;
    Some(Item {
        number: text.get(..length)?.parse().ok()?,
        start: line.start + line.visible.len() - text.len(),
        length,
        close,
    })
}
