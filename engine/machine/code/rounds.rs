//! Steps below words that say to do them for each thing the person says in, the way back to the first of them out.

use super::Op;
use super::compile::Compiler;
use super::left::words;
use crate::model::{Act, Condition, Lift, Origin, Step, Test, visit};
use crate::source::Span;
use crate::syntax::{Heading, trim};

/// What the person may choose who says nothing more.
const DONE: &str = "Done";

/// What else they may say then.
const LEAVING: &[&str] = &["1", "done", "exit", "quit", "end", "stop", "goodbye", "bye"];

/// What a person says, as it is counted.
const SAID: &[&str] = &["message", "messages", "reply", "question", "input", "request"];

/// Verbs of words that bring in what was said before, by whoever it was.
const LOADING: &[&str] = &[
    "load", "read", "fetch", "open", "import", "collect", "gather", "get", "parse", "take", "pull",
];

/// What is brought in then.
const LOADED: &[&str] = &[
    "messages",
    "replies",
    "questions",
    "inputs",
    "requests",
    "inbox",
    "mails",
    "emails",
];

/// Verbs of words that begin to talk with the person.
const MEETING: &[&str] = &["welcome", "greet"];

impl<'p> Compiler<'p> {
    /// Asks the person for more behind the last of such steps: with what they say the first of them comes again.
    pub(super) fn next_round(&mut self, last: usize) {
        let Some((first, lead)) = self.rounds(last) else {
            return;
        };
        let again = self.code.steps[first];
        self.emit(Op::Pause(lead, DONE));
        self.emit(Op::Decide(Box::new(Condition {
            span: lead,
            text: self.library.slice(lead).to_owned(),
            test: Test::Chosen(LEAVING.iter().map(|&word| word.to_owned()).collect()),
        })));
        self.emit(Op::Unless(again));
        let Some(behind) = self.behind_rounds(last).filter(|behind| self.says(*behind)) else {
            return;
        };
        let mut lifts: Vec<&'p Lift> = Vec::new();
        visit(&self.workflow.steps[last].body, &mut |one| {
            if let Act::Do { lifts: all, .. } = &one.act {
                lifts.extend(all.iter().filter(|lift| behind.contains(lift.span)));
            }
        });
        self.turn(behind, &lifts, None);
    }

    /// Returns what stands behind such steps where the last of them is compiled: it is told once the person is done.
    pub(super) fn told_after_rounds(&self) -> Option<Span> {
        let is_here = self.origin == Origin::Heading && self.step < self.workflow.steps.len();
        let last = Some(self.step).filter(|_| is_here)?;
        self.rounds(last).and_then(|_| self.behind_rounds(last))
    }

    /// Returns the sections behind the steps, which are no part of them: their headings are further out.
    fn behind_rounds(&self, last: usize) -> Option<Span> {
        let step = &self.workflow.steps[last];
        let level = self.level(step);
        let headings = &self.library.document(step.span.source).parsed.markdown.headings;
        let is_out = |heading: &&Heading| step.span.contains(heading.span) && usize::from(heading.level) < level;
        let first = headings.iter().find(is_out)?;
        Some(
            trim(
                self.library.source(step.span.source),
                Span {
                    start: first.span.start,
                    ..step.span
                },
            )
            .0,
        )
    }

    /// Returns the first of the steps that end with one, and the words that say to do them for each thing the person says:
    /// the last line above the first of them. Steps that ask the person themselves need no more.
    fn rounds(&self, last: usize) -> Option<(usize, Span)> {
        let steps = &self.workflow.steps;
        let own = &steps[last];
        let is_one = |step: &Step| {
            let is_near = step.origin == Origin::Heading && step.span.source == own.span.source;
            is_near && self.level(step) == self.level(own)
        };
        if !is_one(own) || steps.get(last + 1).is_some_and(is_one) {
            return None;
        }
        let first = steps[..last].iter().rposition(|step| !is_one(step))? + 1;
        let above = steps
            .get(first.checked_sub(1)?)
            .filter(|above| above.span.end == steps[first].span.start)?;
        let text = self.library.slice(above.span).trim_end();
        let line = text.rsplit('\n').next().unwrap_or_default();
        let start = text.len() - line.len();
        let asks = steps[first..=last].iter().any(asks);
        let lead = above.span.inner(start, text.len());
        let before = || self.library.source(lead.source).text().get(..lead.start as usize);
        let talks = || before().is_some_and(is_talk);
        (first < last && !asks && is_for_each(line) && talks()).then_some((first, lead))
    }

    /// Returns how deep the heading of a step is.
    fn level(&self, step: &Step) -> usize {
        self.library
            .slice(step.head)
            .bytes()
            .take_while(|mark| *mark == b'#')
            .count()
    }
}

/// Says whether the person is asked in a step.
fn asks(step: &Step) -> bool {
    let mut asks = false;
    visit(&step.body, &mut |one| {
        asks |= matches!(one.act, Act::Menu(_) | Act::Ask(_) | Act::Elicit);
    });
    asks
}

/// Says whether a text begins to talk with a person, and brings in nothing that somebody said before.
fn is_talk(text: &str) -> bool {
    let has = |line: &str, list: &[&str]| words(line).any(|word| list.iter().any(|one| word.eq_ignore_ascii_case(one)));
    let meets = text.lines().any(|line| has(line, MEETING));
    meets && !text.lines().any(|line| has(line, LOADING) && has(line, LOADED))
}

/// Says whether a line leads to what is done for each thing that the person says: `For each user message:`.
fn is_for_each(line: &str) -> bool {
    let said: Vec<String> = words(line).map(str::to_ascii_lowercase).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).filter(|word| *word != "s").collect();
    let leads = line.trim_end().trim_end_matches(['*', '_']).ends_with(':');
    leads
        && match said.as_slice() {
            ["for", "each" | "every", "user" | "human" | "person", what] => SAID.contains(what),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::{is_for_each, is_talk};

    #[test]
    fn who_is_welcomed_talks_and_messages_that_are_loaded_do_not() {
        assert!(is_talk(
            "1. Load the settings.\n2. **Welcome the user** and ask what they want.\n"
        ));
        for text in [
            "Load the messages that users sent to support.\n",
            "Welcome the user.\n\nRead their messages from the inbox.\n",
            "",
        ] {
            assert!(!is_talk(text), "{text}");
        }
    }

    #[test]
    fn words_for_each_thing_that_the_person_says_are_told_from_others() {
        for line in ["For each user message:", "**For every human's reply:**"] {
            assert!(is_for_each(line), "{line}");
        }
        for line in [
            "For each user message.",
            "For each page:",
            "For each user:",
            "For each user message that asks for it:",
            "Read each user message:",
        ] {
            assert!(!is_for_each(line), "{line}");
        }
    }
}
