//! Acceptance criteria that tasks name by number and that the story does not have.

use super::{Finding, Severity, UNDEFINED};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::syntax::LineKind;
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) const NO_CRITERION: &str = "acceptance criterion {} is mentioned and the story has {}";
/// The fewest criteria of a story whose tasks name them.
const FEWEST: usize = 2;

/// Finds mentions in a document that is one story: it has one section of acceptance criteria.
pub(super) fn find(page: &Page) -> Vec<Finding> {
    let is_criteria = |title: &str| title.to_lowercase().starts_with("acceptance criteria");
    let mut sections = page
        .headings
        .iter()
        .enumerate()
        .filter(|(_, heading)| is_criteria(&heading.text));
    let (Some((number, heading)), None) = (sections.next(), sections.next()) else {
        return Vec::new();
    };
    let inside = heading.range.end..page.section_end(number);
    let known = known(page, &inside);
    if known.len() < FEWEST {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (mentioned, range) in mentions(&page.prose) {
        if known.contains(&mentioned) || inside.contains(&range.start) {
            continue;
        }
        found.push(Finding {
            check: UNDEFINED.name,
            severity: Severity::High,
            message: say(NO_CRITERION, [&mentioned.to_string(), &known.len().to_string()]),
            evidence: format!(
                "line {} names it; the criteria begin on line {}",
                page.line(range.start),
                page.line(heading.range.start)
            ),
            suggestion: "write the criterion, or the number of the one that is meant".to_owned(),
            repair: Vec::new(),
            range,
        });
    }
    found
}

/// Returns the numbers of the criteria: of the items, and of names such as `AC3`.
fn known(page: &Page, inside: &Range<usize>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let lines = page.lines().filter(|line| inside.contains(&line.start));
    let mut count = 0;
    for line in lines {
        let text = line.visible.trim_start();
        let number = text
            .split(['.', ')'])
            .next()
            .and_then(|digits| digits.parse::<u32>().ok());
        if line.kind == LineKind::Item && line.indent == 0 {
            count += 1;
            // Whatever numbers are written, readers see them counted.
            found.extend(number.map(|_| count));
            found.extend(number);
        }
        found.extend(mentions(text).into_iter().map(|(number, _)| number));
    }
    found
}

/// Reads `AC3`, `AC-3`, `AC #3`, `(AC: 1, 2)` and `ACs 1-3`.
fn mentions(text: &str) -> Vec<(u32, Range<usize>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("AC") {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || "_-/.".contains(before) {
            continue;
        }
        let rest = &text[at + 2..];
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let mut from = text.len() - rest.len();
        from += rest.len() - rest.trim_start_matches([':', ' ', '#', '-']).len();
        if text[at + 2..from].contains("  ") || from - at > 7 {
            continue;
        }
        numbers(text, from, &mut found);
    }
    found
}

/// Reads numbers with commas between them.
fn numbers(text: &str, from: usize, found: &mut Vec<(u32, Range<usize>)>) {
    let mut at = from;
    loop {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        let after = text[at + digits..].chars().next().unwrap_or(' ');
        let decimal = after == '.' && text[at + digits + 1..].starts_with(|each: char| each.is_ascii_digit());
        if digits == 0 || digits > 3 || decimal || after.is_alphabetic() || after == '%' {
            return;
        }
        if let Ok(number) = text[at..at + digits].parse() {
            found.push((number, at..at + digits));
        }
        let rest = &text[at + digits..];
        let next = rest.trim_start_matches([',', ' ', '#', '&', '-', '–']);
        let next = next.strip_prefix("and ").unwrap_or(next).trim_start_matches('#');
        let gap = &rest[..rest.len() - next.len()];
        // `AC 1 2` is no list, and a number in the next sentence is another number.
        if !gap.contains([',', '&', '-', '–']) && !gap.contains("and") || gap.contains('\n') {
            return;
        }
        at += digits + gap.len();
    }
}
