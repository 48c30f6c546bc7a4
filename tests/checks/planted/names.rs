//! Requirements, stories, values, tasks and dates that contradict the rest of their document.

use super::seed::{Seed, Title, is_code, prose, replaced, titles};

/// Returns where the number after each word stands, in text that is no code.
fn numbers(text: &str, word: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for place in prose(text) {
        for (at, _) in place
            .line
            .match_indices(word)
            .filter(|(at, _)| !is_code(place.line, *at))
        {
            let start = at + word.len();
            let length = place.line[start..]
                .find(|each: char| !each.is_ascii_digit() && each != '.')
                .unwrap_or(place.line.len() - start);
            let digits = place.line[start..start + length].trim_end_matches('.');
            if !digits.is_empty() {
                found.push((place.start + start, place.start + start + digits.len()));
            }
        }
    }
    found
}

/// Says whether a name stands where requirements are defined.
fn is_definition(text: &str, start: usize) -> bool {
    let line = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
    let section = text[..start]
        .rfind("\n## ")
        .map_or("", |at| text[at + 1..].lines().next().unwrap());
    let opens = ["- **FR", "| NFR", "### AD-", "### Story ", "## Epic "].contains(&line);
    opens && !section.contains("Coverage")
}

/// Mentions names that nothing defines.
pub(super) fn undefined(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (word, new) in [
        ("FR", "47"),
        ("Story ", "7.1"),
        ("Epic ", "8"),
        ("AD-", "12"),
        ("AC: ", "9"),
        ("NFR", "12"),
    ] {
        for (start, end) in numbers(text, word) {
            let is_part = word == "FR" && text[..start].ends_with("NFR");
            if !is_part && !is_definition(text, start) && !is_elsewhere(text, start) {
                found.push(replaced(text, start, end, new));
            }
        }
    }
    found
}

/// Says whether a document mentions a name of another document: then nothing can be told from it.
fn is_elsewhere(text: &str, start: usize) -> bool {
    let line = super::seed::line_at(text, start);
    let is_story = text.starts_with("# Story");
    is_story && !line.contains("(AC") || text.starts_with("# ADR") || line.contains("removed")
}

/// Gives a requirement the name of the one before it.
pub(super) fn duplicate(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for word in ["- **FR", "| NFR", "### AD-", "### Story "] {
        for pair in numbers(text, word).windows(2) {
            let earlier = text[pair[0].0..pair[0].1].to_owned();
            found.push(replaced(text, pair[1].0, pair[1].1, &earlier));
        }
    }
    found
}

/// Takes the acceptance criteria of a story out, with their title and without.
pub(super) fn missing_criteria(text: &str) -> Vec<Seed> {
    const TITLE: &str = "**Acceptance Criteria:**\n";
    let mut found = Vec::new();
    for (at, _) in text.match_indices(TITLE) {
        let end = at + text[at..].find("**Prerequisites").unwrap();
        found.push(replaced(text, at, end, ""));
        found.push(replaced(text, at + TITLE.len(), end, "\n"));
    }
    if let Some(at) = text.find("## Acceptance Criteria\n") {
        let end = at + text[at..].find("## Tasks").unwrap();
        let without = replaced(text, at, end, "");
        let unnumbered = without
            .text
            .replace(" (AC: ", " (")
            .replace("AC 4", "The last criterion");
        found.push(Seed {
            text: unnumbered,
            what: without.what,
        });
    }
    found
}

/// Sentences that contradict a value of a document: what stands there, and what stands there then.
const CONTRADICTIONS: &[(&str, &str)] = &[
    ("The session length is 12 hours,", "The session length is 8 hours,"),
    ("The maximum upload size is 5 MB;", "The maximum upload size is 10 MB;"),
    (
        "- **Request timeout:** 10 seconds\n",
        "- **Request timeout:** 10 seconds\n- **Request timeout:** 15 seconds\n",
    ),
    (
        "1. The limits are read when the program starts.",
        "The backup retention is 14 days.\n\n1. The limits are read when the program starts.",
    ),
    (
        "The pilot ends on 31 August 2026.",
        "The request timeout must be 30 seconds. The pilot ends on 31 August 2026.",
    ),
    (
        "## Out of scope\n",
        "## Out of scope\n\nThe backup retention of 90 days is not for the MVP.\n",
    ),
    ("The database size is 2 GB;", "The database size is 3 GB;"),
    (
        "- **Restore time:** 20 minutes\n",
        "- **Restore time:** 20 minutes\n- **Restore time:** 40 minutes\n",
    ),
    (
        "A newer one is faster.",
        "A newer one is faster. The start time is 6 seconds.",
    ),
    (
        "The certificate is renewed",
        "The page weight is 500 KB. The certificate is renewed",
    ),
    (
        "The restore time must not exceed 30 minutes.",
        "The restore time is 1 hour.",
    ),
    (
        "- How long messages are kept",
        "- **Page weight:** 450 KB\n- How long messages are kept",
    ),
    (
        "# Runbook for the pilot\n",
        "# Runbook for the pilot\n\nThe restart time is 4 seconds. The restart time is 9 seconds.\n",
    ),
];

/// Gives a quantity another value.
pub(super) fn conflicting_values(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (old, new) in CONTRADICTIONS {
        if let Some(at) = text.find(old) {
            found.push(replaced(text, at, at + old.len(), new));
        }
    }
    found
}

/// Takes the cross out of a box below something that is done.
pub(super) fn unfinished_task(text: &str) -> Vec<Seed> {
    let boxes = prose(text)
        .into_iter()
        .filter(|place| place.line.trim_start().starts_with("- [x]"));
    let is_done = text.contains("Status: done");
    let below = boxes.filter(|place| is_done || place.line.starts_with(' '));
    below
        .map(|place| {
            let at = place.start + place.line.find('x').unwrap();
            replaced(text, at, at + 1, " ")
        })
        .collect()
}

/// Moves dates to days that no month has.
pub(super) fn impossible_date(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in prose(text) {
        for (at, _) in place
            .line
            .match_indices("2026-")
            .filter(|(at, _)| !is_code(place.line, *at))
        {
            let start = place.start + at;
            let is_date = place
                .line
                .get(at..at + 10)
                .is_some_and(|date| date.as_bytes()[7] == b'-');
            if is_date && !place.line[..at].ends_with('/') {
                let new = ["2026-02-29", "2026-06-31", "2026-13-01", "2026-09-31"][found.len() % 4];
                found.push(replaced(text, start, start + 10, new));
            }
        }
    }
    for (old, new) in [
        ("31 August 2026", "31 September 2026"),
        ("September 15, 2026", "September 31, 2026"),
        ("1 February 2027", "29 February 2027"),
        ("30 June 2027", "31 June 2027"),
        ("7 June 2026", "32 June 2026"),
    ] {
        if let Some(at) = text.find(old) {
            found.push(replaced(text, at, at + old.len(), new));
        }
    }
    found
}

/// Returns headings that stand at the same place of the outline, in pairs.
pub(super) fn siblings(text: &str) -> Vec<(Title<'_>, Title<'_>)> {
    let mut found = Vec::new();
    let count = titles(text).len();
    for second in 1..count {
        let all = titles(text);
        let level = all[second].level;
        let before = (0..second)
            .rev()
            .take_while(|at| all[*at].level >= level)
            .find(|at| all[*at].level == level);
        if let Some(first) = before {
            let mut all: Vec<Option<Title<'_>>> = all.into_iter().map(Some).collect();
            found.push((all[first].take().unwrap(), all[second].take().unwrap()));
        }
    }
    found
}
