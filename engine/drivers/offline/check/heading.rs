//! Headings without text, out of order, or said twice.

use super::task::is_ahead;
use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::{Head, Page};
use crate::syntax::{Child, LineKind};
use std::collections::HashMap;
use std::ops::Range;

/// Headings with nothing below them.
pub(super) const EMPTY: Check = Check {
    name: "empty-section",
    claims: &[IS_EMPTY],
    needs: "somebody who knows the subject writes the section, or the author takes its heading out",
    about: About::Content,
    find: empty,
};

/// Headings that leave out a level.
pub(super) const JUMP: Check = Check {
    name: "heading-jump",
    claims: &[JUMPS],
    needs: "the author says which level is meant: changing it moves what stands below",
    about: About::Form,
    find: jumps,
};

/// Headings that say the same at the same place of the outline.
pub(super) const DUPLICATE: Check = Check {
    name: "duplicate-heading",
    claims: &[TWICE],
    needs: "the author renames one of the two, or brings them together",
    about: About::Form,
    find: duplicates,
};

/// A level that is left out so often, and more often than not, is left out on purpose.
const STYLE: usize = 3;
/// Words in the heading of what is written down while work is done.
const RECORDS: &[&str] = &["record", "records", "log", "history"];
const IS_EMPTY: &str = "the section \"{}\" is empty";
const JUMPS: &str = "the heading \"{}\" is of level {} and stands below one of level {}";
const TWICE: &str = "the heading \"{}\" stands twice in the same section";

fn empty(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let is_form = is_form(page);
    let is_ahead = is_ahead(page);
    for (number, heading, next) in leaves(page) {
        let may_be_empty = is_link(&heading.text)
            || is_of_release(page, number)
            || (is_form && has_comment(page, heading, next))
            || (is_ahead && is_of_record(page, number));
        if !may_be_empty && !has_text(page, heading, next) {
            found.push(Finding {
                check: EMPTY.name,
                severity: Severity::Medium,
                range: heading.range.clone(),
                message: say(IS_EMPTY, [&heading.text]),
                evidence: next.map_or_else(
                    || "nothing follows it to the end of the document".to_owned(),
                    |next| format!("the next thing is the heading \"{}\"", next.text),
                ),
                suggestion: "write the section, or take its heading out".to_owned(),
                repair: Vec::new(),
            });
        }
    }
    found
}

/// Returns the headings that have no other below them, each with its number and the one that follows.
fn leaves(page: &Page) -> impl Iterator<Item = (usize, &Head, Option<&Head>)> {
    let all = page.headings.iter().enumerate();
    all.map(|(number, heading)| (number, heading, page.headings.get(number + 1)))
        .filter(|(_, heading, next)| next.is_none_or(|next| next.level <= heading.level))
}

/// Says whether a document is a form, a log or a memory that somebody fills in over time: in at least half of its
/// sections a comment says what belongs there, and nothing else does.
fn is_form(page: &Page) -> bool {
    let (mut all, mut open) = (0_usize, 0_usize);
    for (_, heading, next) in leaves(page) {
        all += 1;
        open += usize::from(!has_text(page, heading, next) && has_comment(page, heading, next));
    }
    open * 2 >= all
}

fn has_comment(page: &Page, heading: &Head, next: Option<&Head>) -> bool {
    let end = next.map_or(page.text().len(), |next| next.range.start);
    let comments = &page.parsed.comments;
    let first = comments.partition_point(|comment| comment.range().start < heading.range.end);
    comments.get(first).is_some_and(|comment| comment.range().start < end)
}

/// Says whether a heading is a link: what it is about stands where it leads.
fn is_link(title: &str) -> bool {
    let title = title.trim().trim_matches('*');
    title.starts_with('[') && title.ends_with(')') && title.matches("](").count() == 1
}

/// Says whether a heading is that of a release, or stands below one: a release may have nothing to tell of some kind.
fn is_of_release(page: &Page, number: usize) -> bool {
    is_below(page, number, is_release)
}

/// Says whether a heading is that of a record of work, or stands below one: `Dev Agent Record`, `Change Log`.
fn is_of_record(page: &Page, number: usize) -> bool {
    is_below(page, number, |title| {
        let mut words = title.split_whitespace();
        words.any(|word| RECORDS.iter().any(|record| word.eq_ignore_ascii_case(record)))
    })
}

/// Says whether a heading, or one that it stands below, has such a title.
fn is_below(page: &Page, number: usize, has: impl Fn(&str) -> bool) -> bool {
    let above = std::iter::successors(Some(number), |number| page.parent(*number));
    above
        .filter_map(|number| page.headings.get(number))
        .any(|heading| has(&heading.text))
}

/// Says whether a heading is that of a release, or of what was not released yet.
fn is_release(title: &str) -> bool {
    let lower = title.to_lowercase();
    let plain = ["version ", "release "]
        .iter()
        .find_map(|word| lower.strip_prefix(word));
    let mut words = plain.unwrap_or(&lower).split_whitespace();
    let first = words.next().unwrap_or("");
    let named = first.rsplit_once('-').is_some_and(|(_, last)| is_version(last));
    // `2.1 Goals` is a chapter.
    let has_words = words.any(|word| word.chars().all(char::is_alphabetic));
    ((is_version(first) || named) && !has_words) || lower.contains("unreleased")
}

/// Says whether a word begins as a version does: `1.2`, `v1.2.3`, `[1.2.3]`.
fn is_version(word: &str) -> bool {
    let plain = word.trim_start_matches(['[', 'v']);
    let rest = plain.trim_start_matches(|each: char| each.is_ascii_digit());
    let minor = rest.strip_prefix('.').unwrap_or("");
    rest.len() < plain.len() && minor.starts_with(|each: char| each.is_ascii_digit())
}

fn has_text(page: &Page, heading: &Head, next: Option<&Head>) -> bool {
    let lines = &page.parsed.markdown.lines;
    let end = next.map_or(lines.len(), |next| next.line);
    let between = lines.get(heading.line + 1..end).unwrap_or_default();
    between.iter().any(|line| match line.kind {
        LineKind::Blank | LineKind::Frontmatter => false,
        // A fence is shown, so it is something; its bytes are blanked in the prose.
        LineKind::FenceMark | LineKind::Code => true,
        LineKind::Heading(_) | LineKind::Item | LineKind::Quote | LineKind::Table | LineKind::Text => {
            let seen = page.visible.get(line.range()).unwrap_or("").trim();
            !seen.is_empty() && !is_rule(seen)
        }
    })
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && ["-", "*", "_"]
            .iter()
            .any(|mark| line.replace(mark, "").trim().is_empty())
}

fn jumps(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let pairs = page.headings.windows(2);
    let mut counts: HashMap<(u8, u8), usize> = HashMap::new();
    for pair in pairs.clone() {
        *counts.entry((pair[0].level, pair[1].level)).or_default() += 1;
    }
    let count = |from: u8, to: u8| counts.get(&(from, to)).copied().unwrap_or(0);
    pairs
        .filter(|pair| pair[1].level > pair[0].level + 1)
        .filter(|pair| {
            let (from, to) = (pair[0].level, pair[1].level);
            count(from, to) < STYLE || count(from, to) <= count(from, from + 1)
        })
        // What a tag such as `<ask>` holds is said elsewhere, and has an outline of its own.
        .filter(|pair| holder(page, &pair[0]) == holder(page, &pair[1]))
        // Tools that write logs of changes put a small release at a lower level than a large one.
        .filter(|pair| !is_release(&pair[1].text))
        .map(|pair| Finding {
            check: JUMP.name,
            severity: Severity::Low,
            range: pair[1].range.clone(),
            message: say(
                JUMPS,
                [&pair[1].text, &pair[1].level.to_string(), &pair[0].level.to_string()],
            ),
            evidence: format!("the heading before it is \"{}\"", pair[0].text),
            suggestion: format!("make it level {}", pair[0].level + 1),
            repair: Vec::new(),
        })
        .collect()
}

/// Returns the place of the innermost tag that holds a heading.
fn holder(page: &Page, heading: &Head) -> Option<Range<usize>> {
    let mut found = None;
    let mut children = page.parsed.tree.as_slice();
    loop {
        let at = heading.range.start;
        let after = children.partition_point(|child| child.span().range().start <= at);
        match after.checked_sub(1).and_then(|number| children.get(number)) {
            Some(Child::Element(element)) if element.span.range().contains(&at) => {
                found = Some(element.span.range());
                children = &element.children;
            }
            Some(_) | None => return found,
        }
    }
}

/// What headings of a level say, and in which line.
type Said = HashMap<(u8, String), u32>;

fn duplicates(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    // The headings that are open at each level, and what was said below each of them.
    let mut open: Vec<(u8, Said)> = vec![(0, Said::new())];
    for heading in &page.headings {
        while open.len() > 1 && open.last().is_some_and(|(level, _)| *level >= heading.level) {
            open.pop();
        }
        let name = (heading.level, heading.text.trim().to_lowercase());
        let line = page.line(heading.range.start);
        // A release begins anew, also where it stands at the level of its parts.
        if let Some((_, said)) = open.last_mut().filter(|_| is_release(&heading.text)) {
            said.retain(|(_, name), _| is_release(name));
        }
        if let Some((_, said)) = open.last_mut()
            && !name.1.is_empty()
            && let Some(first) = said.insert(name, line)
        {
            found.push(Finding {
                check: DUPLICATE.name,
                severity: Severity::Low,
                range: heading.range.clone(),
                message: say(TWICE, [&heading.text]),
                evidence: format!("it stands on line {first} and on line {line}"),
                suggestion: "rename one of the two, or bring what they say together".to_owned(),
                repair: Vec::new(),
            });
        }
        open.push((heading.level, HashMap::new()));
    }
    found
}
