//! Questions and what stands around them in, the same out: what says to come back to its question does, and a question
//! knows what was listed right before it.

use crate::model::instruction::{Act, Ask, Instruction, Target, Words};
use crate::model::menu::{listed, shows_again};
use crate::source::{Source, Span};

/// Leads the checks behind a question back to it where their last action says so: `Return to the fix decision`.
pub(super) fn lead_back(source: &Source, read: &mut Vec<Instruction>) {
    let mut asked: Option<(usize, Span)> = None;
    let mut named: Vec<(usize, Span)> = Vec::new();
    for (at, instruction) in read.iter_mut().enumerate() {
        let span = instruction.span;
        match &mut instruction.act {
            Act::Ask(ask) => {
                asked = Some((at, span));
                if returns(source, &mut ask.body, span) {
                    named.push((at, span));
                }
            }
            Act::Check { .. } => {
                let Some((question, place)) = asked else {
                    continue;
                };
                let check = std::slice::from_mut(instruction);
                if returns(source, check, place) && named.last() != Some(&(question, place)) {
                    named.push((question, place));
                }
            }
            _ => {}
        }
    }
    for (at, span) in named.into_iter().rev() {
        let anchor = Instruction {
            act: Act::Anchor { id: id(source, span) },
            span: Span {
                end: span.start,
                ..span
            },
            condition: None,
        };
        read.insert(at, anchor);
    }
}

/// Tells each question what the output right before it lists.
pub(super) fn list_before(source: &Source, read: &mut [Instruction]) {
    for at in 1..read.len() {
        let (before, rest) = read.split_at_mut(at);
        let (Some(shown), Some(Act::Ask(ask))) = (before.last(), rest.first_mut().map(|asked| &mut asked.act)) else {
            continue;
        };
        let Act::Show {
            text,
            file: None,
            template: None,
        } = &shown.act
        else {
            continue;
        };
        if shown.condition.is_none() {
            ask.listed = listed(source.slice(*text), *text, source.slice(ask.text));
        }
    }
}

/// Lets the engine decide conditions that call an option of the question before them by its label.
pub(super) fn name_options(read: &mut [Instruction]) {
    let mut asked: Option<usize> = None;
    for at in 0..read.len() {
        let (before, rest) = read.split_at_mut(at);
        let Some(instruction) = rest.first_mut() else { break };
        let question = asked.and_then(|asked| before.get(asked));
        if let Some(Act::Ask(ask)) = question.map(|question| &question.act) {
            by_label(instruction, ask);
        }
        if let Act::Ask(ask) = &mut instruction.act {
            asked = Some(at);
            let mut nested = std::mem::take(&mut ask.body);
            nested.iter_mut().for_each(|nested| by_label(nested, ask));
            ask.body = nested;
        }
    }
}

fn by_label(instruction: &mut Instruction, ask: &Ask) {
    if let Some(condition) = &mut instruction.condition {
        // What a list before the question calls its items may be answered in any words: somebody has to judge those.
        let labels: Vec<&str> = ask.options.iter().map(|option| option.label.as_str()).collect();
        condition.by_label(&labels);
    }
}

/// Returns the name of the place that a question stands at; no author can write it.
fn id(source: &Source, question: Span) -> String {
    let line = source.position(question.start).line;
    format!("question at {}:{line}", source.path().name())
}

/// Makes the last actions of checks jumps to a question where they say to return to a choice; says whether any did.
fn returns(source: &Source, body: &mut [Instruction], question: Span) -> bool {
    let mut any = false;
    for instruction in body {
        let Act::Check { body } = &mut instruction.act else {
            continue;
        };
        let Some(last) = body.last_mut().filter(|last| last.condition.is_none()) else {
            continue;
        };
        let words = match &last.act {
            Act::Do { text, lifts, body } if lifts.is_empty() && body.is_empty() => *text,
            _ => continue,
        };
        if says_return(source.slice(words)) {
            let target = Target::Anchor(Words {
                text: id(source, question),
                span: words,
            });
            last.act = Act::Goto { target, says: None };
            any = true;
        }
    }
    any
}

/// Says whether an action is nothing but the order to come back to a choice.
fn says_return(text: &str) -> bool {
    let text = text.trim();
    let begins = |words: &&str| {
        text.get(..words.len())
            .is_some_and(|said| said.eq_ignore_ascii_case(words))
    };
    let is_order = ["return to", "go back to", "redisplay", "show the menu again"]
        .iter()
        .any(begins);
    is_order && !text.trim_end_matches('.').contains(['.', '\n', ',', ';']) && shows_again(text)
}
