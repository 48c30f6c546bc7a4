//! A workflow in, its questions with keys out, and what the checks behind each make of them.

use super::places_of;
use crate::model::{
    Act, Ask, Instruction, Library, LiftKind, MenuOption, Operand, Operator, Test, Workflow, is_answer, visit,
};
use crate::source::{SourceId, Span};
use std::cell::LazyCell;

/// A question with keys and the checks that ask which it was.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    /// The options that no check asks about.
    pub(super) unhandled: Vec<&'a MenuOption>,
    /// The keys that a check asks about and that are not offered, with the place of the condition.
    pub(super) unoffered: Vec<(String, Span)>,
    /// The first check.
    pub(super) first: Span,
    /// The question.
    pub(super) question: Span,
}

/// How much of a question is searched for a key, in bytes.
const QUESTION: usize = 20_000;
/// How much of the text behind a question is searched for what becomes of its answer, in bytes.
const REST: usize = 100_000;

/// First words of options that need no check: the workflow goes on.
const GOES_ON: &[&str] = &[
    "continue", "proceed", "skip", "no", "next", "done", "cancel", "finish", "keep", "none", "ok", "accept", "approve",
    "looks", "move", "leave", "ignore", "later", "yes",
];

/// Finds the questions of a file whose checks leave an option out or ask about another key.
pub(super) fn asked<'a>(library: &'a Library, workflow: &'a Workflow, file: SourceId) -> Vec<Asked<'a>> {
    let mut found = Vec::new();
    for step in workflow.all_steps().filter(|step| step.span.source == file) {
        in_list(library, &step.body, &mut found);
        visit(&step.body, &mut |instruction| {
            if holds_others(&instruction.act) {
                let bodies = instruction.act.bodies();
                bodies.for_each(|body| in_list(library, body, &mut found));
            }
        });
    }
    found
}

/// Says whether others may stand in an instruction; in most none do.
fn holds_others(act: &Act) -> bool {
    match act {
        Act::Do { body, .. } | Act::Check { body } | Act::Loop { body, .. } | Act::Group { body, .. } => {
            !body.is_empty()
        }
        Act::Parallel(_) | Act::Ask(_) | Act::Menu(_) => true,
        Act::Show { .. }
        | Act::Rule { .. }
        | Act::Produce(_)
        | Act::Elicit
        | Act::Goto { .. }
        | Act::Anchor { .. }
        | Act::Invoke(_)
        | Act::Set { .. }
        | Act::Dispatch(_)
        | Act::Collect(_)
        | Act::Run(_)
        | Act::Return { .. }
        | Act::Halt { .. } => false,
    }
}

fn in_list<'a>(library: &'a Library, body: &'a [Instruction], found: &mut Vec<Asked<'a>>) {
    for (at, instruction) in body.iter().enumerate() {
        let Act::Ask(ask) = &instruction.act else { continue };
        let inside = ask.body.iter().filter(|inner| inner.condition.is_some()).count();
        let behind = body[at + 1..]
            .iter()
            .take_while(|next| next.condition.is_some())
            .count();
        let checks = match inside {
            0 => &body[at + 1..=at + behind],
            _ => ask.body.as_slice(),
        };
        found.extend(compared(library, ask, checks));
    }
}

/// Compares what a question offers with what its checks ask about. A check that asks about anything else may be for any of
/// the options that are left.
fn compared<'a>(library: &'a Library, ask: &'a Ask, checks: &'a [Instruction]) -> Option<Asked<'a>> {
    let mut words: Vec<(String, Span)> = Vec::new();
    let mut is_open = false;
    for condition in checks.iter().filter_map(|check| check.condition.as_deref()) {
        match tested(&condition.test, ask) {
            Some(tested) => words.extend(tested.into_iter().map(|word| (word, condition.span))),
            None => is_open = true,
        }
    }
    let is_offered = |word: &str| ask.options.iter().any(|option| option.is_meant_by(word));
    if ask.options.len() < 2 || !words.iter().any(|(word, _)| is_offered(word)) {
        return None;
    }
    let text = library.slice(ask.text);
    let unoffered = words.iter().filter(|(word, _)| !is_offered(word) && is_key(word));
    let said = LazyCell::new(|| text[..text.floor_char_boundary(QUESTION)].to_lowercase());
    let unoffered = unoffered.filter(|(word, _)| places_of(word, &said).next().is_none());
    let is_left = |option: &&MenuOption| !words.iter().any(|(word, _)| option.is_meant_by(word)) && !goes_on(option);
    let is_used = is_open || checks.iter().any(leaves) || is_used_elsewhere(library, ask, checks);
    let mut unhandled: Vec<&MenuOption> = ask.options.iter().filter(is_left).collect();
    // Where most options have no check, the text leaves it to the reader what they do.
    let is_rule = !is_used && 2 * unhandled.len() <= ask.options.len();
    unhandled.retain(|option| is_rule && is_key(&option.key));
    let first = checks.iter().find_map(|check| check.condition.as_deref())?;
    Some(Asked {
        unhandled,
        unoffered: unoffered.cloned().collect(),
        first: first.span,
        question: ask.text,
    })
}

/// Returns the answers that a condition asks about; none where it asks about anything else.
fn tested(test: &Test, ask: &Ask) -> Option<Vec<String>> {
    let is_it = |operand: &Operand| match operand {
        Operand::Variable(name) | Operand::Word(name) => {
            let bound = ask.into.as_ref().map(|into| into.text.as_str());
            bound.map_or_else(|| is_answer(name), |bound| bound == name)
        }
        Operand::Text(_) | Operand::Number(_) | Operand::Truth(_) => false,
    };
    match test {
        Test::Compare { left, operator, right } if is_it(left) && *operator == Operator::Equal => match right {
            Operand::Text(word) | Operand::Word(word) => Some(vec![word.to_lowercase()]),
            Operand::Number(number) => Some(vec![number.to_string()]),
            Operand::Variable(_) | Operand::Truth(_) => None,
        },
        Test::Member { name, values, negated } if is_it(name) && !negated => Some(values.clone()),
        Test::Chosen(words) => Some(words.clone()),
        Test::Any(parts) => {
            let all: Option<Vec<Vec<String>>> = parts.iter().map(|part| tested(part, ask)).collect();
            all.map(|words| words.concat())
        }
        Test::Compare { .. }
        | Test::Member { .. }
        | Test::Flag(_)
        | Test::Exists { .. }
        | Test::Judged(_)
        | Test::Otherwise
        | Test::Not(_)
        | Test::All(_) => None,
    }
}

fn is_key(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn goes_on(option: &MenuOption) -> bool {
    let mut words = option.label.split(|at: char| !at.is_alphanumeric());
    let first = words.find(|word| !word.is_empty()).unwrap_or("");
    first.is_empty() || GOES_ON.iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// Says whether a check leaves the place: then what follows is for the options that are left.
fn leaves(check: &Instruction) -> bool {
    let mut found = false;
    visit(std::slice::from_ref(check), &mut |instruction| {
        found |= match &instruction.act {
            Act::Goto { .. } | Act::Return { .. } | Act::Halt { .. } => true,
            Act::Do { lifts, .. } => lifts
                .iter()
                .any(|lift| lift.kind.leaves() || matches!(lift.kind, LiftKind::Follow { .. })),
            _ => false,
        };
    });
    found
}

/// Says whether anything behind the checks makes use of the answer: its name, or the label of an option.
fn is_used_elsewhere(library: &Library, ask: &Ask, checks: &[Instruction]) -> bool {
    let Some(last) = checks.last() else { return false };
    let whole = library.source(last.span.source).text();
    let rest = whole.get(last.span.end as usize..).unwrap_or("");
    let rest = &rest[..rest.floor_char_boundary(REST)];
    let named = |name: &str| places_of(name, rest).next().is_some();
    let labels = || ask.options.iter().map(|option| option.label.trim());
    ask.into.as_ref().is_some_and(|into| named(&into.text))
        || labels().any(|label| label.len() > 3 && rest.contains(label))
}
