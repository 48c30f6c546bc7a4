//! Headings, fences, tables, lists and frontmatter that are out of shape.

use super::names::siblings;
use super::seed::{Seed, prose, replaced, titles};

/// Takes out what stands below a heading.
pub(super) fn empty_section(text: &str) -> Vec<Seed> {
    let all = titles(text);
    let mut found = Vec::new();
    for (at, title) in all.iter().enumerate() {
        let next = all.get(at + 1);
        let start = title.start + title.line.len() + 1;
        let end = next.map_or(text.len(), |next| next.start);
        if next.is_none_or(|next| next.level <= title.level) {
            found.push(replaced(text, start, end, "\n"));
        }
    }
    found
}

/// Moves a heading two levels below the one before it.
pub(super) fn heading_jump(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for pair in titles(text).windows(2) {
        let level = pair[0].level + 2;
        if level <= 6 {
            found.push(replaced(
                text,
                pair[1].start,
                pair[1].start + pair[1].level,
                &"#".repeat(level),
            ));
        }
    }
    found
}

/// Gives a heading the words of the one before it.
pub(super) fn duplicate_heading(text: &str) -> Vec<Seed> {
    let renamed = |pair: (super::seed::Title<'_>, super::seed::Title<'_>)| {
        let (first, second) = pair;
        let end = second.start + second.line.len();
        replaced(text, end - second.words.len(), end, first.words)
    };
    siblings(text).into_iter().map(renamed).collect()
}

/// Takes out the line that closes a fence, or a mark of it.
pub(super) fn unbalanced_fence(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for (number, (at, _)) in text.match_indices("\n```").enumerate() {
        if number % 2 == 1 {
            found.push(replaced(text, at + 1, at + 5, ""));
            found.push(replaced(text, at + 1, at + 4, "``"));
        }
    }
    found
}

/// Takes a cell out of a row, or adds one.
pub(super) fn ragged_table(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    let rows: Vec<_> = prose(text)
        .into_iter()
        .filter(|place| place.line.starts_with('|'))
        .collect();
    for pair in rows.windows(2) {
        let (above, row) = (&pair[0], &pair[1]);
        let follows = above.end() + 1 == row.start;
        let is_tricky = row.line.contains("\\|") || row.line.contains("`a|b`");
        if !follows || is_tricky || row.line.starts_with("|---") {
            continue;
        }
        let last = row.line[..row.line.len() - 1].rfind('|').unwrap();
        found.push(replaced(text, row.start + last, row.end() - 1, ""));
        found.push(replaced(text, row.end(), row.end(), " more |"));
    }
    found
}

/// Gives an item of a list the number of another.
pub(super) fn misnumbered_list(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in prose(text) {
        let item = place.line.trim_start();
        let digits = item.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = item[..digits].parse().unwrap_or(0);
        if number > 1 && item[digits..].starts_with(". ") {
            let start = place.end() - item.len();
            found.push(replaced(text, start, start + digits, &(number + 1).to_string()));
            found.push(replaced(text, start, start + digits, &(number - 1).to_string()));
        }
    }
    // The second item as a first one is how a list begins that only says one.
    found.retain(|seed| !seed.what.starts_with("\"2\" became \"1\""));
    found
}

/// Breaks the frontmatter.
pub(super) fn bad_frontmatter(text: &str) -> Vec<Seed> {
    if !text.starts_with("---\n") {
        return Vec::new();
    }
    let line = text[4..].lines().next().unwrap();
    let (start, end) = (4, 4 + line.len());
    let lines = [
        "title: \"Harbour Desk".to_owned(),
        "title: 'The harbour's desk'".to_owned(),
        "title: Harbour: Desk".to_owned(),
        "title: [harbour, desk".to_owned(),
        "title: {name}/desk".to_owned(),
        "title: Harbour\n\tdesk: x".to_owned(),
        format!("{line}\n{line}"),
        "title: @harbour".to_owned(),
    ];
    lines.iter().map(|new| replaced(text, start, end, new)).collect()
}
