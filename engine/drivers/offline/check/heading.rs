//! Headings without text, out of order, or said twice.

use super::{Exists, Finding, Severity};
use crate::drivers::offline::page::{Head, Page};
use crate::syntax::LineKind;
use std::collections::HashSet;

/// Finds headings with nothing below them.
pub(super) fn empty(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, heading) in page.headings.iter().enumerate() {
        let next = page.headings.get(at + 1);
        let is_parent = next.is_some_and(|next| next.level > heading.level);
        if !is_parent && !has_text(page, heading, next) {
            found.push(Finding {
                check: "empty-section",
                severity: Severity::Medium,
                range: heading.range.clone(),
                message: format!("the section \"{}\" is empty", heading.text),
            });
        }
    }
    found
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
            let seen = page.visible.get(line.span.range()).unwrap_or("").trim();
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

/// Finds headings that leave out a level.
pub(super) fn jumps(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let pairs = page.headings.windows(2);
    pairs
        .filter(|pair| pair[1].level > pair[0].level + 1)
        .map(|pair| Finding {
            check: "heading-jump",
            severity: Severity::Low,
            range: pair[1].range.clone(),
            message: format!(
                "the heading \"{}\" is of level {} and stands below one of level {}",
                pair[1].text, pair[1].level, pair[0].level
            ),
        })
        .collect()
}

/// Finds headings that say the same at the same place of the outline.
pub(super) fn duplicates(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    // The headings that are open at each level, and what was said below each of them.
    let mut open: Vec<(u8, HashSet<(u8, String)>)> = vec![(0, HashSet::new())];
    for heading in &page.headings {
        while open.len() > 1 && open.last().is_some_and(|(level, _)| *level >= heading.level) {
            open.pop();
        }
        let name = (heading.level, heading.text.trim().to_lowercase());
        if let Some((_, said)) = open.last_mut()
            && !name.1.is_empty()
            && !said.insert(name)
        {
            found.push(Finding {
                check: "duplicate-heading",
                severity: Severity::Low,
                range: heading.range.clone(),
                message: format!("the heading \"{}\" stands twice in the same section", heading.text),
            });
        }
        open.push((heading.level, HashSet::new()));
    }
    found
}
