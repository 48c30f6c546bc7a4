//! A workflow in, what several rules look at in its instructions out: gone through once.

use crate::model::{
    Act, Ask, Condition, Decider, Dispatch, Instruction, Invoke, Lift, Origin, Repeat, Step, Target, Words, Workflow,
    visit,
};

/// The instructions of a workflow that rules ask for, in order.
#[derive(Debug, Default)]
pub struct Acts<'a> {
    /// The calls.
    pub(super) invokes: Vec<(&'a Instruction, &'a Invoke)>,
    /// The questions to the person.
    pub(super) asks: Vec<(&'a Instruction, &'a Ask)>,
    /// The turns handed to agents.
    pub(super) dispatches: Vec<&'a Dispatch>,
    /// The loops.
    pub(super) loops: Vec<&'a Repeat>,
    /// The conditions that a model decides, those of steps too.
    pub(super) judged: Vec<&'a Condition>,
    /// The jumps out of its own steps that say where they lead.
    pub(super) jumps: Vec<Jump<'a>>,
    /// The control flow in the prose of tags.
    pub(super) lifts: Vec<(&'a Instruction, &'a Lift)>,
}

/// A jump to a step that says what is there.
#[derive(Debug)]
pub(super) struct Jump<'a> {
    /// The step it stands in.
    pub(super) from: &'a Step,
    /// The label of the step it leads to.
    pub(super) label: &'a Words,
    /// What it says is there.
    pub(super) says: &'a Words,
}

impl<'a> Acts<'a> {
    /// Gathers what rules need from a workflow.
    pub(super) fn gather(workflow: &'a Workflow) -> Self {
        let mut acts = Self::default();
        for (at, step) in workflow.all_steps().enumerate() {
            let is_own = at < workflow.steps.len();
            acts.judged
                .extend(step.condition.as_ref().filter(|condition| is_judged(condition)));
            visit(&step.body, &mut |instruction| {
                let condition = instruction.condition.as_deref();
                acts.judged.extend(condition.filter(|condition| is_judged(condition)));
                acts.add(step, is_own, instruction);
            });
        }
        acts
    }

    fn add(&mut self, step: &'a Step, is_own: bool, instruction: &'a Instruction) {
        match &instruction.act {
            Act::Do { lifts, .. } => {
                if step.origin == Origin::Tag {
                    self.lifts.extend(lifts.iter().map(|lift| (instruction, lift)));
                }
            }
            Act::Invoke(invoke) => self.invokes.push((instruction, invoke)),
            Act::Ask(ask) => self.asks.push((instruction, ask)),
            Act::Dispatch(dispatch) => self.dispatches.push(dispatch),
            Act::Loop { repeat, .. } => self.loops.push(repeat),
            Act::Goto {
                target: Target::Step(label),
                says: Some(says),
            } if is_own => self.jumps.push(Jump {
                from: step,
                label,
                says,
            }),
            Act::Goto { .. }
            | Act::Check { .. }
            | Act::Show { .. }
            | Act::Rule { .. }
            | Act::Produce(_)
            | Act::Elicit
            | Act::Anchor { .. }
            | Act::Group { .. }
            | Act::Menu(_)
            | Act::Set { .. }
            | Act::Collect(_)
            | Act::Run(_)
            | Act::Parallel(_)
            | Act::Return { .. }
            | Act::Halt { .. } => {}
        }
    }
}

fn is_judged(condition: &Condition) -> bool {
    condition.decider() == Decider::Judged
}
