//! Placeholders, open marks, marks that are not closed, words that stand twice, and what a merge leaves behind.

use super::seed::{Place, Seed, is_code, prose, replaced};

/// Lines of running text.
fn sentences(text: &str) -> Vec<Place<'_>> {
    let is_text =
        |place: &Place<'_>| place.line.starts_with(|each: char| each.is_alphabetic()) && place.line.contains(' ');
    prose(text).into_iter().filter(is_text).collect()
}

/// Puts a placeholder where a word was.
pub(super) fn placeholder(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in sentences(text) {
        let word = place
            .line
            .split(' ')
            .find(|word| word.len() > 5 && word.chars().all(char::is_alphabetic));
        let Some(word) = word else { continue };
        let start = place.start + place.line.find(word).unwrap();
        let new = match found.len() % 4 {
            0 => format!("{{{{{}}}}}", word.to_lowercase()),
            1 => format!("[Your {word}]"),
            2 => format!("<insert {word}>"),
            _ => format!("{{{}_name}}", word.to_lowercase()),
        };
        found.push(replaced(text, start, start + word.len(), &new));
    }
    found
}

/// Adds a mark that says that something is not done.
pub(super) fn open_mark(text: &str) -> Vec<Seed> {
    let (first, second, third) = (concat!("TO", "DO"), concat!("TB", "D"), concat!("FIX", "ME"));
    let mut found = Vec::new();
    for place in sentences(text) {
        let (at, new) = match found.len() % 4 {
            0 => (place.start, format!("{first}: ask the treasurer. ")),
            1 => (place.end(), format!(" The rest is {second}.")),
            2 => (place.start, format!("**{third}** ")),
            _ => (place.end(), format!(" ({first}: say how)")),
        };
        found.push(replaced(text, at, at, &new));
    }
    found
}

/// Takes out what closes bold text.
pub(super) fn unclosed_bold(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in prose(text) {
        let marks = place
            .line
            .match_indices("**")
            .filter(|(at, _)| !is_code(place.line, *at));
        for (at, _) in marks.skip(1).step_by(2) {
            found.push(replaced(text, place.start + at, place.start + at + 2, ""));
        }
    }
    found
}

/// Takes out what closes inline code.
pub(super) fn unclosed_code(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in prose(text) {
        for (at, _) in place.line.match_indices('`').skip(1).step_by(2) {
            found.push(replaced(text, place.start + at, place.start + at + 1, ""));
        }
    }
    found
}

/// Says a word twice, also over the end of a line.
pub(super) fn doubled_word(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in prose(text)
        .into_iter()
        .filter(|place| !place.line.starts_with(['#', '|', '[']))
    {
        for word in ["the", "to", "of", "and", "with", "a", "be", "is not"] {
            let spaced = format!(" {word} ");
            let Some(at) = place.line.find(&spaced).filter(|at| !is_code(place.line, *at)) else {
                continue;
            };
            let last = word.rsplit(' ').next().unwrap();
            let end = place.start + at + spaced.len();
            let gap = if found.len() % 3 == 2 { "\n" } else { " " };
            found.push(replaced(text, end - 1, end, &format!("{gap}{last} ")));
        }
    }
    found
}

/// Leaves the marks of a merge behind.
pub(super) fn merge_conflict(text: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    for place in sentences(text) {
        let new = match found.len() % 3 {
            0 => format!("<<<<<<< HEAD\n{0}\n=======\n{0}\n>>>>>>> pilot", place.line),
            1 => format!("{}\n>>>>>>> 3f2a91c", place.line),
            _ => format!("<<<<<<< ours\n{}", place.line),
        };
        found.push(replaced(text, place.start, place.end(), &new));
    }
    found
}
