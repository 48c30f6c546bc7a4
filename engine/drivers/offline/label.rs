//! Text in, the names of requirements out: `FR-12`, `NFR3`, `Story 2.3`, `Epic 4`, and ranges of them.

use std::ops::Range;

/// Letters that begin the name of a requirement, longer ones first.
const FAMILIES: &[&str] = &[
    "UX-DR", "NFR", "REQ", "CAP", "ADR", "UXR", "FR", "UC", "UJ", "US", "AR", "BR", "TR", "IR", "AD", "SM", "SC", "TC",
];
/// Words that begin the name of a part of a plan, with the family they make.
const WORDS: &[(&str, &str)] = &[
    ("Stories", "Story"),
    ("Story", "Story"),
    ("Epics", "Epic"),
    ("Epic", "Epic"),
];
/// The most numbers of one name.
const DEEPEST: usize = 4;
/// The widest range that is unfolded.
const WIDEST: u32 = 500;

/// The name of a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) family: &'static str,
    pub(super) numbers: Vec<u32>,
    /// The small letter after the numbers.
    pub(super) letter: Option<char>,
    pub(super) range: Range<usize>,
    /// Whether it is the last of a range that begins with the label before it.
    pub(super) ends_range: bool,
}

impl Label {
    /// Returns the names between two ends of a range, both included.
    pub(super) fn up_to(&self, last: &Label) -> Vec<Vec<u32>> {
        let (Some((from, head)), Some((to, tail))) = (self.numbers.split_last(), last.numbers.split_last()) else {
            return Vec::new();
        };
        if head != tail || to < from || to - from > WIDEST {
            return vec![self.numbers.clone(), last.numbers.clone()];
        }
        let name = |number: u32| head.iter().copied().chain([number]).collect();
        (*from..=*to).map(name).collect()
    }
}

/// Returns every name in a text.
pub(super) fn labels(text: &str) -> Vec<Label> {
    let mut found: Vec<Label> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..]
        .find(|each: char| each.is_ascii_uppercase())
        .map(|next| at + next)
    {
        at = first + 1;
        let Some(label) = begins(text, first).then(|| label(text, first)).flatten() else {
            continue;
        };
        at = label.range.end;
        let more = range_end(text, &label);
        let before = found.last().filter(|last| last.family == label.family);
        let ends_range = before.is_some_and(|last| is_dash(&text[last.range.end..label.range.start]));
        found.push(Label { ends_range, ..label });
        if let Some(last) = more {
            at = last.range.end;
            found.push(last);
        }
    }
    found
}

/// Tells the beginning of a name from the middle of another.
fn begins(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().unwrap_or(' ');
    // A hyphen ends a range: `FR1-FR5`.
    let after_dash = before == '-' && text[..at - 1].ends_with(|each: char| each.is_ascii_digit());
    !(before.is_alphanumeric() || "_/\\.#&=@".contains(before)) && (before != '-' || after_dash)
}

fn label(text: &str, start: usize) -> Option<Label> {
    let rest = &text[start..];
    let word = WORDS.iter().find(|(word, _)| rest.starts_with(word));
    let (family, from) = match word {
        Some((word, family)) => {
            let gap = rest[word.len()..]
                .chars()
                .next()
                .filter(|each| matches!(each, ' ' | '-'))?;
            (*family, word.len() + gap.len_utf8())
        }
        None => {
            let family = FAMILIES.iter().find(|family| rest.starts_with(**family))?;
            let gap = usize::from(rest[family.len()..].starts_with('-'));
            (*family, family.len() + gap)
        }
    };
    let (numbers, length) = numbers(&rest[from..])?;
    let mut end = from + length;
    let mut after = rest[end..].chars();
    let letter = after.next().filter(char::is_ascii_lowercase);
    let letter = letter.filter(|_| !after.next().is_some_and(|each| each.is_alphanumeric()));
    end += usize::from(letter.is_some());
    let mut next = rest[end..].chars();
    let (one, two) = (next.next().unwrap_or(' '), next.next().unwrap_or(' '));
    let goes_on = one.is_alphanumeric() || one == '_' || (one == '-' && two.is_ascii_lowercase()) || (one == '%');
    (!goes_on).then(|| Label {
        family,
        numbers,
        letter,
        range: start..start + end,
        ends_range: false,
    })
}

/// Reads numbers with dots between them.
fn numbers(text: &str) -> Option<(Vec<u32>, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 4 || found.len() == DEEPEST {
            return None;
        }
        found.push(text[at..at + digits].parse().ok()?);
        at += digits;
        let goes_on = text[at..].starts_with('.') && text[at + 1..].starts_with(|each: char| each.is_ascii_digit());
        if !goes_on {
            return Some((found, at));
        }
        at += 1;
    }
}

/// Reads the last of a range that repeats no letters: `FR1-5`, `Epics 2–4`.
fn range_end(text: &str, first: &Label) -> Option<Label> {
    let rest = &text[first.range.end..];
    let dash = rest.chars().next().filter(|each| matches!(each, '-' | '–' | '—'))?;
    let from = dash.len_utf8();
    let (numbers, length) = numbers(&rest[from..])?;
    let after = rest[from + length..].chars().next().unwrap_or(' ');
    let fits = numbers.len() == first.numbers.len() && !after.is_alphanumeric() && after != '-';
    fits.then(|| Label {
        family: first.family,
        numbers,
        letter: None,
        range: first.range.end + from..first.range.end + from + length,
        ends_range: true,
    })
}

fn is_dash(between: &str) -> bool {
    let plain = between.trim_matches(['*', ' ']);
    matches!(plain, "-" | "–" | "—" | "to" | "through" | ".." | "..." | "…")
}

#[cfg(test)]
mod tests {
    use super::labels;

    fn read(text: &str) -> Vec<String> {
        let shown = |label: &super::Label| {
            let numbers: Vec<String> = label.numbers.iter().map(u32::to_string).collect();
            let letter = label.letter.map(String::from).unwrap_or_default();
            let range = if label.ends_range { "…" } else { "" };
            format!("{range}{} {}{letter}", label.family, numbers.join("."))
        };
        labels(text).iter().map(shown).collect()
    }

    #[test]
    fn names_of_every_form_are_read() {
        assert_eq!(
            read("FR12, FR-012 (NFR3) **FR4a** UX-DR7 Story 2.3 Epic 4. FR-1.10"),
            [
                "FR 12",
                "FR 12",
                "NFR 3",
                "FR 4a",
                "UX-DR 7",
                "Story 2.3",
                "Epic 4",
                "FR 1.10"
            ]
        );
    }

    #[test]
    fn ranges_are_read_as_their_ends() {
        assert_eq!(
            read("FR1–FR5, FR6-8, FR9 to FR11"),
            ["FR 1", "…FR 5", "FR 6", "…FR 8", "FR 9", "…FR 11"]
        );
        assert_eq!(
            read("Epics 2-4 and Stories 1.1–1.3"),
            ["Epic 2", "…Epic 4", "Story 1.1", "…Story 1.3"]
        );
        let ends = labels("FR3–FR6");
        assert_eq!(ends[0].up_to(&ends[1]), [[3], [4], [5], [6]]);
    }

    #[test]
    fn other_names_are_left_alone() {
        for text in [
            "FRX",
            "FR",
            "FRANCE 12",
            "XFR12",
            "FR_12",
            "/FR12",
            "Epic",
            "Story time",
            "US 50",
            "SC2xy",
            "TR-069-x",
        ] {
            assert_eq!(read(text), Vec::<String>::new(), "{text}");
        }
    }
}
