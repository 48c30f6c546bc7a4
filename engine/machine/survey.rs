//! A workflow in, what a run of it may do out, without running it.

use super::code::{Image, Op, without_mark};
use crate::model::{Condition, Decider, Invoked, Menu};
use crate::source::Span;

/// What a workflow may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// Its steps, in document order.
    pub steps: Vec<Planned>,
}

/// What a step may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planned {
    /// Its label.
    pub label: String,
    /// What it is for.
    pub goal: String,
    /// Where it is written.
    pub place: String,
    /// Turns of the agent that performs the workflow.
    pub turns: usize,
    /// Agents that are sent by name; an empty name is the one that performs the workflow.
    pub sent: Vec<String>,
    /// Questions to the person: what is asked, and where it is written.
    pub questions: Vec<(String, String)>,
    /// Conditions: who decides, what, and where it is written.
    pub conditions: Vec<(Decider, String, String)>,
    /// Other workflows, tasks and skills that are called.
    pub calls: Vec<String>,
    /// Commands of the project that are run, as they are written.
    pub commands: Vec<String>,
    /// Sections and files that are written.
    pub writes: Vec<String>,
}

impl<'p> Image<'p> {
    /// Looks through a workflow, by position.
    pub fn survey(&self, at: usize) -> Survey {
        let mut survey = Survey::default();
        let code = self.code(at);
        // What is decided and asked before a step is entered is a part of it.
        let mut before: Option<Planned> = None;
        for (pc, op) in code.ops.iter().enumerate() {
            if code.steps.binary_search(&pc).is_ok() {
                before = Some(Planned::default());
            }
            if let Op::Enter(step) = op {
                survey.steps.push(Planned {
                    label: step.label.clone(),
                    goal: step.title().to_owned(),
                    place: self.place(step.head),
                    ..before.take().unwrap_or_default()
                });
            }
            if let Some(step) = before.as_mut().or_else(|| survey.steps.last_mut()) {
                self.note(op, step);
            }
        }
        survey
    }

    fn note(&self, op: &Op<'p>, step: &mut Planned) {
        match op {
            Op::Turn(turn) => {
                step.turns += 1;
                let asks = turn.asks.iter().map(|words| self.asked(*words));
                step.questions.extend(asks);
            }
            Op::Ask(ask) => step.questions.push(self.asked(ask.text)),
            Op::Menu(menu, span, _) => {
                let text = menu
                    .text
                    .as_ref()
                    .map_or_else(|| offered(menu), |words| words.text.clone());
                step.questions.push((text, self.place(*span)));
            }
            Op::Optional(optional) => {
                let place = self.place(optional.head);
                step.questions
                    .push((format!("Step {} is optional. Do it?", optional.label), place));
            }
            Op::Elicit(span) | Op::Pause(span, _) => step.questions.push(self.asked(*span)),
            Op::Lost(label, span) => {
                let place = self.place(*span);
                step.questions
                    .push((format!("There is no step `{label}`. Where to?"), place));
            }
            Op::Test(_, condition, _) => self.decided(condition, step),
            Op::Decide(condition) => self.decided(condition, step),
            Op::Judge(statement) => {
                let row = (
                    Decider::Judged,
                    self.statement(*statement),
                    self.place(statement.span()),
                );
                step.conditions.push(row);
            }
            Op::Dispatch(dispatch) => {
                let named = dispatch.agents.iter().map(|agent| agent.text.clone());
                step.sent.extend(named);
                if dispatch.agents.is_empty() {
                    step.sent.push(String::new());
                }
            }
            Op::Run(run) => step.commands.push(run.command.text.clone()),
            Op::Invoke(invoke, _) if !matches!(invoke.what, Invoked::Builtin | Invoked::Protocol) => {
                step.calls.push(invoke.target.text.clone());
            }
            Op::Follow(target, ..) | Op::Skill(target, ..) if !step.calls.iter().any(|call| call == target) => {
                step.calls.push((*target).to_owned());
            }
            Op::Produce(produce, _) => step.writes.extend(produce.names.iter().map(|name| name.text.clone())),
            Op::Show { file: Some(file), .. } => step.writes.push(file.text.clone()),
            _ => {}
        }
    }

    fn decided(&self, condition: &Condition, step: &mut Planned) {
        let row = (condition.decider(), condition.text.clone(), self.place(condition.span));
        if !step.conditions.contains(&row) {
            step.conditions.push(row);
        }
    }

    fn asked(&self, span: Span) -> (String, String) {
        let text = self.said(span);
        let text = text.lines().next().unwrap_or_default();
        (without_mark(text).to_owned(), self.place(span))
    }
}

/// Returns the options of a menu on one line.
fn offered(menu: &Menu) -> String {
    let options = menu.branches.iter().filter_map(|branch| branch.option.as_ref());
    let shown: Vec<String> = options
        .map(|option| match option.label.as_str() {
            "" => format!("[{}]", option.key),
            label if label == option.key => format!("[{label}]"),
            label => format!("[{}] {label}", option.key),
        })
        .collect();
    shown.join(" ")
}
