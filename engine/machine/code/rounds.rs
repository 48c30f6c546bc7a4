//! Steps below words that say to do them for each thing the person says in, the way back to the first of them out.

use super::compile::Compiler;
use super::left::words;
use super::{Op, Turn};
use crate::model::{Act, Condition, Origin, Step, Test, visit};
use crate::source::Span;
use crate::syntax::{Heading, trim};

/// What the person may choose who says nothing more.
const DONE: &str = "Done";

/// What else they may say then.
const LEAVING: &[&str] = &["1", "done", "exit", "quit", "end", "stop", "goodbye", "bye"];

/// What a person says, as it is counted.
const SAID: &[&str] = &["message", "messages", "reply", "question", "input", "request"];

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
        // What stands behind the steps was told with the last of them; who leaves does what it says of that.
        if let Some(behind) = self.behind_rounds(last).filter(|behind| self.says(*behind)) {
            self.emit(Op::Turn(Turn {
                orders: vec![behind],
                ..Turn::default()
            }));
        }
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
        (first < last && !asks && is_for_each(line)).then_some((first, lead))
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
    use super::is_for_each;

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
