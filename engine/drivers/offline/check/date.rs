//! Dates that no calendar has.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use std::ops::Range;

/// Dates that no calendar has.
pub(super) const CHECK: Check = Check {
    name: "impossible-date",
    claims: &[IMPOSSIBLE],
    needs: "the author says which day is meant",
    about: About::Form,
    find,
};

const IMPOSSIBLE: &str = "there is no such date as {}";
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Words of a line that speaks about dates that cannot be.
const ABOUT: &[&str] = &[
    "invalid",
    "impossible",
    "reject",
    "malformed",
    "not a date",
    "no such date",
];

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let prose = page.prose.as_str();
    let mut found = numbers(prose);
    found.extend(names(prose));
    found.sort_by_key(|(range, _)| range.start);
    let is_told = |range: &Range<usize>| {
        let (start, end) = page.near(range.start);
        let line = page.text()[start..end].to_lowercase();
        !ABOUT.iter().any(|words| line.contains(words))
    };
    found.retain(|(range, _)| is_told(range));
    let finding = |(range, evidence): (Range<usize>, String)| Finding {
        check: CHECK.name,
        severity: Severity::Medium,
        message: say(IMPOSSIBLE, [&prose[range.clone()]]),
        range,
        evidence,
        suggestion: "write the day that is meant".to_owned(),
        repair: Vec::new(),
    };
    found.into_iter().map(finding).collect()
}

/// Finds dates such as 2026-02-31.
fn numbers(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('-') {
        let Some(start) = at.checked_sub(4) else { continue };
        let Some(written) = text.get(start..start + 10) else {
            continue;
        };
        let bytes = written.as_bytes();
        let is_shaped = bytes.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        if !is_shaped || !stands_alone(text, start, start + 10) {
            continue;
        }
        let part = |range: Range<usize>| written[range].parse::<u32>().unwrap_or(0);
        let (year, month, day) = (part(0..4), part(5..7), part(8..10));
        if let Some(why) = wrong(year, month, day) {
            found.push((start..start + 10, why));
        }
    }
    found
}

/// Finds dates such as 31 February 2026 and February 31, 2026.
fn names(text: &str) -> Vec<(Range<usize>, String)> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (number, month) in (1u32..).zip(MONTHS) {
        let short = &month[..3];
        for (at, _) in lower.match_indices(short) {
            let rest = &lower[at..];
            let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
            let is_month = word == *month || word == short;
            let is_name = text[at..].starts_with(char::is_uppercase);
            if is_month
                && is_name
                && let Some(range) = named(text, at, at + word.len(), number)
            {
                found.push(range);
            }
        }
    }
    found
}

/// Reads the day before or after the name of a month, and the year that follows.
fn named(text: &str, start: usize, end: usize, month: u32) -> Option<(Range<usize>, String)> {
    let before = text[..start].trim_end_matches([' ', '.']);
    let from = before.len() - before.chars().rev().take_while(char::is_ascii_digit).count();
    let after = &text[end..];
    let (begin, day, rest) = if from < before.len() && start - before.len() > 0 {
        (from, &before[from..], end)
    } else {
        let blanks = after.len() - after.trim_start_matches([' ', '.']).len();
        let digits = after[blanks..].chars().take_while(char::is_ascii_digit).count();
        let day = &after[blanks..blanks + digits];
        (start, (blanks > 0).then_some(day)?, end + blanks + digits)
    };
    let tail = text.get(rest..)?;
    let gap = tail.len() - tail.trim_start_matches([' ', ',']).len();
    let year: String = tail[gap..].chars().take_while(char::is_ascii_digit).collect();
    let close = rest + gap + year.len();
    if gap == 0 || year.len() != 4 || day.is_empty() || day.len() > 2 || !stands_alone(text, begin, close) {
        return None;
    }
    let why = wrong(year.parse().ok()?, month, day.parse().ok()?)?;
    Some((begin..close, why))
}

/// Says what is wrong with a date of our time.
fn wrong(year: u32, month: u32, day: u32) -> Option<String> {
    if !(1900..2100).contains(&year) {
        return None;
    }
    if !(1..=12).contains(&month) {
        return Some(format!("there are twelve months, and this is month {month}"));
    }
    let last = match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (!(1..=last).contains(&day)).then(|| format!("month {month} of {year} has {last} days"))
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Tells a date from part of a name, a path or a longer number.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back().unwrap_or(' ');
    let mut after = text[end..].chars();
    let (next, then) = (after.next().unwrap_or(' '), after.next().unwrap_or(' '));
    let is_part = |each: char| each.is_alphanumeric() || "-/_\\+=".contains(each);
    let has_time = next == 'T' && then.is_ascii_digit();
    let goes_on = matches!(next, '.' | ':') && then.is_ascii_digit();
    !is_part(before) && before != '.' && (!is_part(next) || has_time) && !goes_on
}
