//! Instructions in, rows out: what the engine makes of each.

use super::phrase::{
    collected, commanded, condition_text, dispatched, into, named, offered, produced, quoted, repeated, shown,
};
use super::rows::{Rows, line};
use super::target;
use crate::graph::Graph;
use crate::model::{
    Act, Condition, Instruction, Lift, LiftKind, Menu, Param, SetFrom, Target, Words, Workflow, is_otherwise,
};
use crate::source::Span;

/// What rows about instructions need.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) workflow: &'a Workflow,
    pub(super) graph: &'a Graph,
}

impl Teller<'_> {
    /// Adds rows about instructions.
    pub(super) fn body(self, body: &[Instruction], depth: usize, rows: &mut Rows<'_>) {
        for instruction in body {
            let mut depth = depth;
            if let Some(condition) = &instruction.condition {
                rows.add(condition.span, depth, condition_text("if", condition));
                depth += 1;
            }
            self.act(instruction, depth, rows);
        }
    }

    /// Adds what an instruction does, what belongs to it, and the instructions inside it.
    fn act(self, instruction: &Instruction, depth: usize, rows: &mut Rows<'_>) {
        if let Act::Check { body } = &instruction.act {
            return self.body(body, depth, rows);
        }
        let (place, text) = self.told(instruction, rows);
        rows.add(place, depth, text);
        self.belongings(instruction, depth + 1, rows);
        if let Act::Menu(menu) = &instruction.act {
            return self.branches(menu, instruction.span, depth + 1, rows);
        }
        for body in instruction.act.bodies() {
            self.body(body, depth + 1, rows);
        }
    }

    /// Says what an instruction does, and where that is written.
    fn told(self, instruction: &Instruction, rows: &Rows<'_>) -> (Span, String) {
        let span = instruction.span;
        let text = match &instruction.act {
            Act::Do { text, .. } => return (*text, format!("do: {}", rows.words(*text))),
            Act::Check { .. } => String::new(),
            Act::Ask(ask) => format!("ask{}: {}", into(ask.into.as_ref()), rows.words(ask.text)),
            Act::Show { text, file, template } => shown(&rows.words(*text), file.as_ref(), template.as_ref()),
            Act::Rule { text } => format!("rule: {}", rows.words(*text)),
            Act::Produce(produce) => produced(produce, &rows.words(span)),
            Act::Elicit => "elicitation is offered".to_owned(),
            Act::Goto { target, says } => self.goto(target, says.as_ref(), &rows.words(span)),
            Act::Anchor { id } => format!("anchor `{}`", line(id)),
            Act::Invoke(invoke) => target::invoke(rows.library, self.workflow, invoke),
            Act::Loop { repeat, index, .. } => {
                let counted = index
                    .as_ref()
                    .map_or_else(String::new, |index| format!(", counted in {{{}}}", line(index)));
                return (repeat.span, format!("repeat {}{counted}", repeated(repeat)));
            }
            Act::Group { label, title, .. } => format!("part {}", named(label.as_ref(), title)),
            Act::Menu(menu) => {
                let waits = if menu.stops { "" } else { ", and the text does not wait" };
                format!("menu{}{waits}", into(menu.into.as_ref()))
            }
            Act::Set { name, value, .. } if value.text.is_empty() => {
                format!("set {{{}}} by {}", line(&name.text), rows.words(span))
            }
            Act::Set { name, value, from } => {
                let what = match from {
                    SetFrom::Value => "",
                    SetFrom::File => "the text of ",
                    SetFrom::Glob => "the paths that match ",
                };
                format!("set {{{}}} to {what}{}", line(&name.text), quoted(&value.text))
            }
            Act::Dispatch(dispatch) => dispatched(dispatch, &rows.words(dispatch.text)),
            Act::Collect(collect) => collected(&collect.from, &collect.into, collect.failed.as_ref()),
            Act::Run(run) => commanded(run),
            Act::Parallel(parallel) => format!("at the same time{}", into(parallel.into.as_ref())),
            Act::Return { value: None, .. } => "return".to_owned(),
            Act::Return { value: Some(value), .. } => format!("return {}", quoted(&value.text)),
            Act::Halt { reason } => format!("stop the run: {}", line(reason)),
        };
        (span, text)
    }

    /// Adds what belongs to an instruction and is none itself: lifted sentences, answers, values handed over.
    fn belongings(self, instruction: &Instruction, depth: usize, rows: &mut Rows<'_>) {
        let params: &[Param] = match &instruction.act {
            Act::Do { lifts, .. } => {
                lifts.iter().for_each(|lift| self.lift(lift, depth, rows));
                &[]
            }
            Act::Ask(ask) => {
                for option in &ask.options {
                    rows.add(option.span, depth, format!("answer {}", offered(option)));
                }
                &[]
            }
            Act::Invoke(invoke) => &invoke.params,
            Act::Dispatch(dispatch) => &dispatch.params,
            Act::Return { params, .. } => params,
            Act::Check { .. }
            | Act::Show { .. }
            | Act::Rule { .. }
            | Act::Produce(_)
            | Act::Elicit
            | Act::Goto { .. }
            | Act::Anchor { .. }
            | Act::Loop { .. }
            | Act::Group { .. }
            | Act::Menu(_)
            | Act::Set { .. }
            | Act::Collect(_)
            | Act::Run(_)
            | Act::Parallel(_)
            | Act::Halt { .. } => &[],
        };
        for param in params {
            let text = format!("with {} = {}", line(&param.name.text), quoted(&param.value.text));
            rows.add(param.name.span, depth, text);
        }
    }

    fn branches(self, menu: &Menu, span: Span, depth: usize, rows: &mut Rows<'_>) {
        for branch in &menu.branches {
            let place = branch.option.as_ref().map(|option| option.span);
            let place = place
                .or_else(|| branch.body.first().map(|first| first.span))
                .unwrap_or(span);
            let name = branch
                .option
                .as_ref()
                .map_or_else(|| "anything else".to_owned(), offered);
            let leads = match (branch.again, branch.body.is_empty()) {
                (true, _) => ", then the menu again",
                (false, true) => ": goes on",
                (false, false) => "",
            };
            rows.add(place, depth, format!("{name}{leads}"));
            self.body(&branch.body, depth + 1, rows);
        }
    }

    fn lift(self, lift: &Lift, depth: usize, rows: &mut Rows<'_>) {
        let read = match &lift.kind {
            LiftKind::Goto { label, label_span, .. } => {
                format!("goes to step {}{}", line(label), self.nowhere(*label_span))
            }
            LiftKind::Section { label, .. } => format!("goes on at {} of this file", line(label)),
            LiftKind::Halt { reason } if reason.is_empty() => "stops the run".to_owned(),
            LiftKind::Halt { reason } if !lift.kind.ends_well() => format!("stops the run: {}", line(reason)),
            LiftKind::Halt { .. } | LiftKind::Exit => "leaves the workflow".to_owned(),
            LiftKind::Return => "returns to the caller".to_owned(),
            LiftKind::Set { name, value, .. } => {
                format!("sets {{{}}} to {}", line(name), quoted(value))
            }
            LiftKind::Store { name } => format!("keeps it in {{{}}}", line(name)),
            LiftKind::Follow { target, target_span } => {
                let found = target::followed(rows.library, self.workflow, target, *target_span);
                format!("follows `{}`: {found}", line(target))
            }
            LiftKind::Skill { name } => format!("calls skill `{}`: {}", line(name), target::skill(rows.library, name)),
            LiftKind::Ask => "asks the person".to_owned(),
            LiftKind::Wait => "waits for the person".to_owned(),
        };
        let when = match lift.condition {
            Some(words) if words != lift.span => {
                let said = rows.words(words);
                let who = match Condition::in_prose(&said, words) {
                    Some(_) => "engine: expression",
                    None if is_otherwise(&said) => "engine: whatever is left",
                    None => "agent: judged",
                };
                format!(" when {} ({who})", quoted(&said))
            }
            Some(_) | None => String::new(),
        };
        let words = rows.words(lift.span);
        rows.add(lift.span, depth, format!("lifted {}{when}: {read}", quoted(&words)));
    }

    fn goto(self, target: &Target, says: Option<&Words>, prose: &str) -> String {
        let said = says.map_or_else(String::new, |says| format!(" ({})", quoted(&says.text)));
        match target {
            Target::Step(label) => format!("go to step {}{said}{}", line(&label.text), self.nowhere(label.span)),
            Target::Anchor(id) => format!("go to anchor {}{said}{}", line(&id.text), self.nowhere(id.span)),
            Target::Prose => format!("go where an agent reads: {prose}"),
        }
    }

    fn nowhere(self, label: Span) -> &'static str {
        if self.graph.dead.iter().any(|jump| jump.span == label) {
            ", which is not there: running asks where to"
        } else {
            ""
        }
    }
}
