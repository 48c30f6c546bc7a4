//! The words of an option in, where they say that it leads out. It counts where nothing else deals with the option.

use super::words::has_word;

/// Where the words of an option lead; most say nothing, and the step goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model) enum Course {
    /// Out of the workflow: `approve it and stop`.
    Out {
        /// Whether the words say what else is to be done.
        told: bool,
    },
    /// Past the rest of the step: `Skip this step`.
    Past,
    /// Back to the menu: `Details`, `discuss it, then either stop or continue`.
    Back,
}

/// Names of options that bring something else than the way on.
const BACK: &[&str] = &[
    "back",
    "go back",
    "details",
    "more details",
    "show details",
    "tell me more",
    "explain",
];

/// Words that may stand behind a stop without making it the stop of something.
const BEHIND: &[&str] = &["here", "now", "so", "for", "without", "until"];

/// What is left where somebody ends it.
const WHOLE: &[&str] = &["workflow", "session", "execution", "here", "run"];

/// Returns what stands behind the label in the words of an option, and where it begins.
pub(super) fn description<'a>(text: &'a str, label: &str) -> (usize, &'a str) {
    let Some(behind) = text.find(label).map(|at| at + label.len()) else {
        return (text.len(), "");
    };
    let rest = text[behind..].trim_start_matches(|at: char| matches!(at, '*' | '_' | '`' | ']') || at.is_whitespace());
    let Some(said) = rest.strip_prefix(['—', '–', '-', ':', '→']) else {
        return (text.len(), "");
    };
    let said = said.trim_start_matches(|at: char| matches!(at, '*' | '_' | '-' | '>') || at.is_whitespace());
    (text.len() - said.len(), said.trim_end())
}

/// Reads where an option leads by its label and by what stands behind that.
pub(super) fn read(label: &str, description: &str) -> Option<Course> {
    if [label, description].iter().any(|text| depends(text)) {
        return None;
    }
    if BACK.iter().any(|name| label.trim().eq_ignore_ascii_case(name)) || leaves_open(description) {
        return Some(Course::Back);
    }
    if [label, description].iter().any(|text| skips(text)) {
        return Some(Course::Past);
    }
    let ends = |text: &str| sentences(text).any(|sentence| ending(sentence).is_some());
    let says_more = |sentence: &str| ending(sentence) != Some(0);
    let told = match description.is_empty() {
        true => sentences(label).next().is_some_and(says_more),
        false => sentences(description).any(says_more),
    };
    (ends(label) || ends(description)).then_some(Course::Out { told })
}

/// Says whether what a text says is only so in some case: `if it fails, stop`.
fn depends(text: &str) -> bool {
    let words = ["if", "when", "unless"];
    clauses(text).any(|clause| words.iter().any(|word| begins(clause, word)))
}

/// Says whether a text leaves it open whether the workflow goes on: `then either stop or continue`.
fn leaves_open(text: &str) -> bool {
    let either = clauses(text).find(|clause| begins(clause, "either"));
    either.is_some_and(|clause| has_word(clause, "stop") && has_word(clause, "or"))
}

/// Says whether a text begins with the order to leave out the step, or what is left of it: `Skip this step and go on`.
fn skips(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|at: char| !at.is_alphanumeric()));
    let is = |word: &str, list: &[&str]| list.iter().any(|each| word.eq_ignore_ascii_case(each));
    let skips = words.next().is_some_and(|first| is(first, &["skip"]));
    let small = ["this", "the", "entire", "whole", "rest", "of", "to", "next"];
    let named = words.find(|word| !is(word, &small));
    skips && named.is_some_and(|named| is(named, &["step"]))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '!', ';', '(', ')'])
        .filter(|sentence| sentence.contains(char::is_alphanumeric))
}

/// Splits a text where one thing to do ends and the next begins.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', '—', '–', '/'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" then "))
        .map(|part| {
            let part = part.trim();
            let part = part.strip_prefix("and ").unwrap_or(part);
            part.strip_prefix("then ").unwrap_or(part).trim()
        })
        .filter(|clause| !clause.is_empty())
}

/// Returns which clause of a sentence ends the workflow, where that is the last one.
fn ending(sentence: &str) -> Option<usize> {
    let (at, last) = clauses(sentence).enumerate().last()?;
    let mut words = last
        .split_whitespace()
        .map(|word| word.trim_matches(|at: char| !at.is_alphanumeric()));
    let is = |word: &str, list: &[&str]| list.iter().any(|each| word.eq_ignore_ascii_case(each));
    let verb = words.next()?;
    let next = words.by_ref().find(|word| !is(word, &["the", "this", ""]));
    let stops =
        is(verb, &["stop", "exit", "quit", "halt"]) && next.is_none_or(|next| is(next, BEHIND) || is(next, WHOLE));
    let ends = is(verb, &["end"]) && next.is_some_and(|next| is(next, WHOLE));
    (stops || ends).then_some(at)
}

fn begins(text: &str, word: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::{Course, description, read};

    fn of(option: &str) -> Option<Course> {
        let label = option.split(" — ").next().unwrap_or_default();
        read(label, description(option, label).1)
    }

    #[test]
    fn an_option_that_says_to_stop_leads_out() {
        for option in [
            "Approve and stop — approve it, leave it `ready`, and stop so that another session can go on.",
            "Later — save the draft and exit.",
            "Save and quit",
            "Not now — keep it, then end the workflow",
        ] {
            assert_eq!(of(option), Some(Course::Out { told: true }), "{option}");
        }
        for option in [
            "Stop",
            "Exit",
            "Done — end the workflow",
            "Stop (recommended)",
            "Stop here",
        ] {
            assert_eq!(of(option), Some(Course::Out { told: false }), "{option}");
        }
    }

    #[test]
    fn an_option_that_brings_something_else_or_leaves_it_open_leads_back() {
        for option in [
            "Back",
            "Details — Tell me more",
            "Review — discuss it, with another if available, until the user is ready, then either stop or continue.",
        ] {
            assert_eq!(of(option), Some(Course::Back), "{option}");
        }
    }

    #[test]
    fn an_option_that_says_to_skip_the_step_leads_past_it() {
        for option in [
            "Skip this step and move to the end",
            "Skip — skip the rest of this step.",
            "Skip to the next step",
        ] {
            assert_eq!(of(option), Some(Course::Past), "{option}");
        }
    }

    #[test]
    fn other_options_go_on() {
        for option in [
            "Approve and continue — approve it and proceed",
            "Stop the server",
            "Stop and revise the plan",
            "Go on — stop when it fails",
            "Go on — if it fails, stop",
            "Backlog — keep it",
            "Do it without a stop",
            "Skip — go on with the draft",
            "Skip the tests of this step",
            "Skip steps 2 and 3",
        ] {
            assert_eq!(of(option), None, "{option}");
        }
    }
}
