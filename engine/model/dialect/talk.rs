//! A menu with nothing but a way out in, the words that mean it out: whoever does not leave goes on talking.

use crate::model::instruction::Branch;
use crate::model::library::Document;
use crate::model::menu::MenuOption;
use crate::source::Span;

/// What an option that ends a conversation is called first.
const LEAVING: &[&str] = &["exit", "quit", "end", "leave", "done", "finish", "stop"];

/// Verbs of a line, or of the heading above it, that names what ends a conversation.
const ENDING: &[&str] = &["exit", "quit", "end", "leave", "leaving"];

/// What is said to end it: `exit triggers`, `words that end the talk`.
const SAID: &[&str] = &[
    "trigger",
    "triggers",
    "word",
    "words",
    "phrase",
    "phrases",
    "condition",
    "conditions",
    "command",
    "commands",
];

/// The longest words that end a conversation, in bytes.
const LONGEST: usize = 40;

/// Says whether the only option of a menu leaves, so that any other answer is part of a conversation.
pub(super) fn is_way_out(options: &[MenuOption]) -> bool {
    let [only] = options else {
        return false;
    };
    let first = words(&only.label).next().unwrap_or_default();
    is_one_of(first, LEAVING)
}

/// Lets somebody say anything else, which the work before the menu is done once more with, and leave by other words.
pub(super) fn open(document: &Document, step: Span, branches: &mut Vec<Branch>) {
    if let Some(leaving) = branches.first_mut() {
        leaving.aliases = ways_out(document, step);
    }
    branches.push(Branch {
        retold: true,
        ..Branch::new(None, Vec::new(), true)
    });
}

/// Returns what somebody may say instead of the key: ``Exit triggers: `goodbye`, `quit` ``.
fn ways_out(document: &Document, span: Span) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut heading = "";
    for line in document.source.slice(span).lines() {
        if line.starts_with('#') {
            heading = line;
            continue;
        }
        let Some((head, list)) = line.split_once(':') else {
            continue;
        };
        if let Some(named) = quoted(list)
            && [head, heading].into_iter().any(names_ways_out)
        {
            let is_new = |word: &&str| !found.iter().any(|known| known == word);
            let new: Vec<&str> = named.into_iter().filter(is_new).collect();
            found.extend(new.into_iter().map(str::to_owned));
        }
    }
    found
}

/// Says whether a line speaks of words to leave with; `front-end commands` and `exit codes` are none.
fn names_ways_out(text: &str) -> bool {
    let words: Vec<&str> = words(text).collect();
    let is_part = |at: usize| {
        let before = &text[..words[at].as_ptr() as usize - text.as_ptr() as usize];
        before.ends_with('-') || at > 0 && is_one_of(words[at - 1], &["front", "back"])
    };
    let ends = |at: usize| words.get(at).is_some_and(|word| is_one_of(word, ENDING)) && !is_part(at);
    let is_said = |at: usize| words.get(at).is_some_and(|word| is_one_of(word, SAID));
    let joins = |at: usize| {
        words
            .get(at)
            .is_some_and(|word| is_one_of(word, &["to", "that", "which"]))
    };
    (0..words.len()).any(|at| ends(at) && is_said(at + 1) || is_said(at) && joins(at + 1) && ends(at + 2))
}

/// Returns the items of a list in backticks, where a line holds nothing else.
fn quoted(list: &str) -> Option<Vec<&str>> {
    let mut parts = list.split('`');
    let mut found = Vec::new();
    loop {
        let between = parts.next()?;
        let joins = words(between).all(|word| is_one_of(word, &["or", "and"]));
        if !joins {
            return None;
        }
        let Some(item) = parts.next() else {
            return (found.len() > 1).then_some(found);
        };
        if item.is_empty() || item.len() > LONGEST {
            return None;
        }
        found.push(item);
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|one| word.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::names_ways_out;

    #[test]
    fn only_words_to_leave_with_are_ways_out() {
        for text in [
            "- Exit triggers",
            "## 7. Exit Condition Checking",
            "Words that end the talk",
        ] {
            assert!(names_ways_out(text), "{text}");
        }
        for text in [
            "Front-end stack",
            "## Exit codes of the front end",
            "Front-end commands",
            "Back end commands",
            "At the end, the words are",
        ] {
            assert!(!names_ways_out(text), "{text}");
        }
    }
}
