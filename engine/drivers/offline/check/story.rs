//! Stories without acceptance criteria.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::{Head, Page};

/// Stories without acceptance criteria, in documents whose other stories have them.
pub(super) const CHECK: Check = Check {
    name: "missing-criteria",
    claims: &[MISSING, NOTHING],
    needs: "the product owner says when the story is done",
    about: About::Content,
    find,
};

const MISSING: &str = "the story \"{}\" has no acceptance criteria";
const NOTHING: &str = "the acceptance criteria of the story \"{}\" are not written";

/// How the other parts of a story begin.
const PARTS: &[&str] = &[
    "prerequisite",
    "technical note",
    "dev note",
    "implementation note",
    "notes",
    "depend",
    "estimate",
    "story point",
    "points",
    "priority",
    "tasks",
    "out of scope",
    "definition of done",
    "effort",
    "frs",
    "requirements",
];

/// What the criteria of a story look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Criteria {
    Written,
    Announced,
    Absent,
}

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let stories = stories(page);
    let judged: Vec<(&Head, Criteria)> = stories
        .iter()
        .map(|(heading, text)| (*heading, criteria(text)))
        .collect();
    let has_some = judged.iter().any(|(_, criteria)| *criteria == Criteria::Written);
    // A single story is a document of its own: its tasks say that somebody is to work from it.
    let is_file = judged.len() == 1 && has_tasks(page);
    let mut found = Vec::new();
    for (heading, criteria) in judged {
        let form = match criteria {
            Criteria::Written => continue,
            Criteria::Announced if has_some || is_file => NOTHING,
            Criteria::Absent if has_some || is_file => MISSING,
            Criteria::Announced | Criteria::Absent => continue,
        };
        found.push(Finding {
            check: CHECK.name,
            severity: Severity::High,
            range: heading.range.clone(),
            message: say(form, [&heading.text]),
            evidence: "nothing below it is headed as acceptance criteria or says given, when, then".to_owned(),
            suggestion: "write down what has to hold when the story is done".to_owned(),
            repair: Vec::new(),
        });
    }
    found
}

/// Returns every story with the text below its heading.
fn stories(page: &Page) -> Vec<(&Head, &str)> {
    let mut found = Vec::new();
    for (number, heading) in page.headings.iter().enumerate() {
        if !is_story(&heading.text) {
            continue;
        }
        let end = page.section_end(number);
        let text = page.visible.get(heading.range.end..end).unwrap_or("");
        // A heading without a word below it is an entry of an outline.
        if text.split_whitespace().count() > 5 {
            found.push((heading, text));
        }
    }
    // Where stories stand below stories, the inner ones are parts.
    let levels: Vec<u8> = found.iter().map(|(heading, _)| heading.level).collect();
    let top = levels.iter().copied().min().unwrap_or(0);
    found.retain(|(heading, _)| heading.level == top);
    found
}

/// Says whether a heading names a story: `Story 1.2: Sign in`, `User Story 3`.
fn is_story(title: &str) -> bool {
    let plain = title
        .trim_start_matches(|each: char| !each.is_alphanumeric())
        .to_lowercase();
    let rest = plain.strip_prefix("user ").unwrap_or(&plain);
    let Some(rest) = rest.strip_prefix("story") else {
        return false;
    };
    let number = rest.trim_start_matches([' ', '-', '#', ':']);
    number.starts_with(|each: char| each.is_ascii_digit()) && !rest.starts_with('s')
}

fn has_tasks(page: &Page) -> bool {
    page.headings
        .iter()
        .any(|heading| heading.text.to_lowercase().starts_with("tasks"))
}

/// Looks for criteria: their title with something below it, or sentences that give a case.
fn criteria(text: &str) -> Criteria {
    let lower = text.to_lowercase();
    let bare = lower.replace(['*', '_', '`'], "");
    let has_case = bare.contains("given ") && bare.contains("when ") && bare.contains("then ");
    if has_case || has_marks(text) {
        return Criteria::Written;
    }
    let Some(at) = lower.find("acceptance") else {
        return Criteria::Absent;
    };
    let after = &lower[at..];
    let rest_of_line = after.split('\n').next().unwrap_or("");
    let says = rest_of_line
        .split_once(':')
        .map_or("", |(_, says)| says)
        .trim_matches(['*', ' ', '_']);
    let below = after.lines().skip(1).map(str::trim).find(|line| !line.is_empty());
    let is_next = below.is_none_or(|line| line.starts_with('#') || line.starts_with("---") || is_label(line));
    if says.is_empty() && is_next {
        Criteria::Announced
    } else {
        Criteria::Written
    }
}

/// Says whether a line, in small letters, begins another part of a story: `**notes:** none`.
fn is_label(line: &str) -> bool {
    let words = line.trim_start_matches(['-', ' ', '*', '_']);
    PARTS.iter().any(|part| words.starts_with(part))
}

/// Says whether criteria are named one by one: `AC1`, `AC-2`, `AC #3`.
fn has_marks(text: &str) -> bool {
    text.match_indices("AC").any(|(at, _)| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let after = text[at + 2..].trim_start_matches(['-', ' ', '#', ':']);
        !before.is_alphanumeric() && after.starts_with(|each: char| each.is_ascii_digit())
    })
}
