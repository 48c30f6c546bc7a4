//! Prose in, the control flow it speaks of out: jumps, stops, assignments, files to follow, questions.
//!
//! Only what is said as an order is lifted, never what is denied, quoted, asked or shown as code. The words around a lift
//! are kept as its condition where they make it depend on something.

mod assign;
mod follow;
mod jump;
mod lexer;
mod sentence;
mod stop;

#[cfg(test)]
mod tests;

use crate::source::Span;
use sentence::Sentence;

/// Control flow found in prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// The exact words that were lifted.
    pub span: Span,
    /// What they say.
    pub kind: LiftKind,
    /// The words it depends on, where the same sentence has them: `If empty, HALT`, `skip to step 4 when done`.
    pub condition: Option<Span>,
}

/// What lifted words say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiftKind {
    /// Go on at a step.
    Goto {
        /// The label of the step.
        label: String,
        /// Where the label stands.
        label_span: Span,
        /// How it is said.
        verb: Verb,
    },
    /// Stop the run.
    Halt {
        /// Why, or what to say; may be empty.
        reason: String,
    },
    /// Leave the workflow.
    Exit,
    /// Go back to the caller.
    Return,
    /// Give a variable a value.
    Set {
        /// The variable.
        name: String,
        /// The value as written, without quotes around all of it.
        value: String,
        /// Where the value stands.
        value_span: Span,
    },
    /// Keep what was found in a variable.
    Store {
        /// The variable.
        name: String,
    },
    /// Load a file and do what it says.
    Follow {
        /// The path, or a variable that holds it.
        target: String,
        /// Where the path stands.
        target_span: Span,
    },
    /// Invoke a skill.
    Skill {
        /// Its name.
        name: String,
    },
    /// Ask a person.
    Ask,
    /// Wait for a person.
    Wait,
}

/// How a jump is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `go to`, `jump to`.
    Jump,
    /// `continue to`, `continue with`.
    Continue,
    /// `return to`, `back to`.
    Return,
    /// `loop back to`.
    Loop,
    /// `skip to`.
    Skip,
    /// `proceed to`, `move on to`.
    Proceed,
}

/// Finds the control flow in `text`, which stands at `span`, in the order of the words.
pub fn lifts(text: &str, span: Span) -> Vec<Lift> {
    let (offset, text) = unquoted(text);
    let mut sentence = Sentence::new(text, span.inner(offset, offset + text.len()));
    let mut lexer = lexer::Lexer::new(text);
    let mut lifts: Vec<Lift> = Vec::new();
    while lexer.next(&mut sentence) {
        let start = lifts.len();
        for at in 0..sentence.tokens.len() {
            read(&sentence, at, &mut lifts);
        }
        if let Some(found) = lifts.get_mut(start..) {
            found.sort_by_key(|lift| (lift.span.start, lift.span.end));
        }
    }
    settle(lifts, text, span.start as usize + offset)
}

/// Takes the quotes off a text that is one quote.
fn unquoted(text: &str) -> (usize, &str) {
    let trimmed = text.trim();
    let inside = trimmed
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|inside| !inside.contains('"'));
    match inside {
        Some(inside) => (text.len() - text.trim_start().len() + 1, inside),
        None => (0, text),
    }
}

/// A lift while its sentence is read.
struct Found {
    first: usize,
    end: usize,
    condition: Option<(usize, usize)>,
    kind: LiftKind,
}

impl Found {
    /// Makes a lift of the tokens from `first` to `last`.
    fn new(sentence: &Sentence, first: usize, last: usize, kind: LiftKind) -> Option<Self> {
        Some(Self {
            first: sentence.get(first)?.start,
            end: sentence.get(last)?.end,
            condition: sentence.condition(first, last),
            kind,
        })
    }

    fn lift(self, sentence: &Sentence) -> Lift {
        Lift {
            span: sentence.span(self.first, self.end),
            kind: self.kind,
            condition: self.condition.map(|(start, end)| sentence.span(start, end)),
        }
    }
}

/// Reads the control flow that hangs on the word at `at`.
fn read(sentence: &Sentence, at: usize, lifts: &mut Vec<Lift>) {
    let Some(word) = sentence.word(at) else {
        return;
    };
    // Most words are none of these; the first letter and the length rule them out.
    if !(2..=9).contains(&word.len())
        || !word.starts_with(|first: char| "acefghijlmprstwACEFGHIJLMPRSTW".contains(first))
    {
        return;
    }
    let mut keep = |found: Option<Found>| lifts.extend(found.map(|found| found.lift(sentence)));
    match word.to_ascii_lowercase().as_str() {
        "step" => keep(jump::goto(sentence, at)),
        "halt" => keep(stop::halt(sentence, at)),
        "stop" => keep(stop::halt(sentence, at).or_else(|| stop::exit(sentence, at))),
        "exit" => keep(follow::early_exit(sentence, at).or_else(|| stop::exit(sentence, at))),
        "end" | "terminate" => keep(stop::exit(sentence, at)),
        "return" => keep(jump::give_back(sentence, at).or_else(|| follow::moved(sentence, at))),
        "proceed" | "continue" | "jump" | "move" | "go" => keep(follow::moved(sentence, at)),
        "set" => assign::set(sentence, at)
            .into_iter()
            .for_each(|found| keep(Some(found))),
        "store" | "save" | "record" | "capture" | "remember" => {
            assign::store(sentence, at)
                .into_iter()
                .for_each(|found| keep(Some(found)));
        }
        "follow" | "following" | "execute" => keep(follow::follow(sentence, at)),
        "load" | "read" => keep(follow::load(sentence, at)),
        "invoke" | "run" | "use" | "call" => {
            keep(follow::skill(sentence, at).or_else(|| follow::invoke(sentence, at)))
        }
        "ask" | "prompt" => keep(stop::ask(sentence, at)),
        "wait" | "await" | "waiting" | "pause" => keep(stop::wait(sentence, at)),
        _ => {}
    }
}

/// Settles neighbours: one file is followed once, and a halt just before a question or a wait is that wait.
fn settle(lifts: Vec<Lift>, text: &str, base: usize) -> Vec<Lift> {
    let mut settled: Vec<Lift> = Vec::with_capacity(lifts.len());
    for lift in lifts {
        let Some(last) = settled.last_mut() else {
            settled.push(lift);
            continue;
        };
        if let (
            LiftKind::Follow { target_span, .. },
            LiftKind::Follow {
                target_span: again, ..
            },
        ) = (&last.kind, &lift.kind)
            && target_span == again
        {
            last.span = last.span.to(lift.span);
            continue;
        }
        if last.kind == LiftKind::Ask && lift.kind == LiftKind::Ask && last.span.contains(lift.span)
        {
            continue;
        }
        let silent = matches!(&last.kind, LiftKind::Halt { reason } if reason.is_empty());
        let between = (last.span.end as usize)
            .checked_sub(base)
            .zip((lift.span.start as usize).checked_sub(base));
        let gap = between.and_then(|(start, end)| text.get(start..end));
        let joined = gap.is_some_and(|gap| {
            !gap.contains(|letter: char| letter.is_alphanumeric() || letter == '\n')
        });
        if silent && joined && lift.kind == LiftKind::Ask {
            last.kind = LiftKind::Wait;
        } else if silent && joined && lift.kind == LiftKind::Wait {
            settled.pop();
        }
        settled.push(lift);
    }
    settled
}
