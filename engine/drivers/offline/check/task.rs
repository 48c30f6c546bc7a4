//! Work that is said to be done while part of it is not.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::{Page, PageLine};
use crate::syntax::{LineKind, Node};
use std::ops::Range;

/// Boxes that contradict what the document says of itself, or each other.
pub(super) const CHECK: Check = Check {
    name: "unfinished-task",
    claims: &[OPEN_TASK, OPEN_PART],
    needs: "whoever did the work says whether it is done",
    about: About::Content,
    find,
};

const OPEN_TASK: &str = "the status is \"{}\" and the task is not checked: {}";
const OPEN_PART: &str = "the task is checked and its part is not: {}";
/// What says that everything is done.
const DONE: &[&str] = &[
    "done",
    "complete",
    "completed",
    "closed",
    "finished",
    "shipped",
    "released",
];
/// How a status begins that says that work is still to be done.
const AHEAD: &[&str] = &[
    "draft",
    "backlog",
    "planned",
    "ready",
    "approved",
    "in-progress",
    "in progress",
];
/// Words of a heading whose tasks are for later.
const LATER: &[&str] = &[
    "follow",
    "future",
    "later",
    "optional",
    "deferred",
    "backlog",
    "next",
    "out of scope",
    "nice to have",
    "stretch",
    "post",
    "open question",
    "review",
    "checklist",
    "definition of done",
];
/// The most letters of a task that are repeated.
const LONGEST: usize = 60;

/// A box with what stands beside it.
struct Task {
    start: usize,
    indent: u16,
    is_done: bool,
    words: String,
}

/// What a part of the document says of itself.
struct Status {
    word: String,
    line: u32,
    /// What it speaks of.
    scope: Range<usize>,
}

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let tasks = tasks(page);
    let mut statuses = statuses(page);
    statuses.retain(|status| DONE.contains(&status.word.as_str()));
    let mut found = Vec::new();
    let mut above: Vec<&Task> = Vec::new();
    let mut section = None;
    for task in &tasks {
        let own = page.section_number(task.start);
        if own != section {
            above.clear();
            section = own;
        }
        while above.last().is_some_and(|other| other.indent >= task.indent) {
            above.pop();
        }
        if !task.is_done {
            let status = statuses.iter().find(|status| status.scope.contains(&task.start));
            if let Some(parent) = above.last().filter(|parent| parent.is_done) {
                let evidence = format!("the task above it on line {} is checked", page.line(parent.start));
                found.push(finding(task, say(OPEN_PART, [&task.words]), evidence));
            } else if let Some(status) = status.filter(|_| is_work(page, own)) {
                let evidence = format!("line {} says {}", status.line, status.word);
                found.push(finding(task, say(OPEN_TASK, [&status.word, &task.words]), evidence));
            }
        }
        above.push(task);
    }
    found
}

fn finding(task: &Task, message: String, evidence: String) -> Finding {
    Finding {
        check: CHECK.name,
        severity: Severity::Medium,
        range: task.start..task.start + "- [ ]".len(),
        message,
        evidence,
        suggestion: "check the task if it is done; otherwise say that the work is not".to_owned(),
        repair: Vec::new(),
    }
}

/// Says whether a section holds the work itself and not what may come later.
fn is_work(page: &Page, section: Option<usize>) -> bool {
    let mut at = section;
    while let Some(number) = at {
        let title = page.headings[number].text.to_lowercase();
        if LATER.iter().any(|word| title.contains(word)) {
            return false;
        }
        at = page.parent(number);
    }
    section.is_some_and(|number| {
        let title = page.headings[number].text.to_lowercase();
        title.contains("task") || title.contains("implementation") || title.contains("steps")
    })
}

fn tasks(page: &Page) -> Vec<Task> {
    let items = page.lines().filter(|line| line.kind == LineKind::Item);
    items.filter_map(|line| task(&line)).collect()
}

fn task(line: &PageLine<'_>) -> Option<Task> {
    let text = line.visible.trim_start();
    let (_, rest) = text.split_once(' ')?;
    let inside = rest.trim_start().strip_prefix('[')?;
    let state = inside.chars().next()?;
    let words = inside[state.len_utf8()..].strip_prefix(']')?;
    let is_done = match state {
        'x' | 'X' => true,
        ' ' => false,
        _ => return None,
    };
    let plain = words.replace(['*', '`'], "");
    Some(Task {
        start: line.start + line.visible.len() - text.len(),
        indent: line.indent,
        is_done,
        words: plain.trim().chars().take(LONGEST).collect(),
    })
}

/// Says whether a document is written for work that is still to be done: its first status says so.
pub(super) fn is_ahead(page: &Page) -> bool {
    statuses(page).first().is_some_and(|status| {
        let is_ahead = AHEAD.iter().any(|word| status.word.starts_with(word));
        is_ahead && !status.word.contains("review")
    })
}

/// Returns what says how far things are: the frontmatter, a line, or a section called status.
fn statuses(page: &Page) -> Vec<Status> {
    let whole = 0..page.text().len();
    let mut found = Vec::new();
    let data = page.parsed.frontmatter.as_ref().and_then(|matter| matter.data.as_ref());
    let pairs = data.map(Node::pairs).unwrap_or_default();
    for pair in pairs.iter().filter(|pair| pair.key.eq_ignore_ascii_case("status")) {
        let range = pair.node.span.range();
        let word = page.text().get(range.clone()).unwrap_or("");
        found.push(status(page, word, range.start, whole.clone()));
    }
    for line in page.lines() {
        let is_text = matches!(line.kind, LineKind::Text | LineKind::Item | LineKind::Quote);
        if let Some(word) = said(line.prose).filter(|_| is_text) {
            found.push(status(page, word, line.start, scope(page, line.start)));
        }
    }
    for (number, heading) in page.headings.iter().enumerate() {
        if heading.text.trim().eq_ignore_ascii_case("status") {
            let below = page
                .visible
                .get(heading.range.end..page.section_end(number))
                .unwrap_or("");
            let word = below.trim().lines().next().unwrap_or("");
            let scope = page.parent(number).map_or(whole.clone(), |parent| {
                page.headings[parent].range.start..page.section_end(parent)
            });
            found.push(status(page, word, heading.range.start, scope));
        }
    }
    found
}

fn status(page: &Page, word: &str, at: usize, scope: Range<usize>) -> Status {
    Status {
        word: word.trim_matches(|each: char| !each.is_alphanumeric()).to_lowercase(),
        line: page.line(at),
        scope,
    }
}

/// Reads `Status: done`, with or without marks around it.
fn said(line: &str) -> Option<&str> {
    let plain = line.trim_start_matches(|each: char| !each.is_alphanumeric());
    let rest = plain.strip_prefix("Status").or_else(|| plain.strip_prefix("status"))?;
    let value = rest.trim_start_matches(['*', '_']).strip_prefix(':')?;
    Some(value.trim_matches(['*', '_', ' ', '`']))
}

/// Returns what a line speaks of: the section it stands in.
fn scope(page: &Page, at: usize) -> Range<usize> {
    match page.section_number(at) {
        Some(number) => page.headings[number].range.start..page.section_end(number),
        None => 0..page.text().len(),
    }
}
