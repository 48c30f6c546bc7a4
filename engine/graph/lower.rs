//! One workflow to one graph. Total: whatever was read has a graph.

use super::caption::{self, short};
use super::node::{Edge, Graph, NodeKind};
use super::wire::{Ends, Want, Wire};
use crate::model::{
    Act, Condition, Decider, Instruction, Invoke, Invoked, Library, Lift, LiftKind, Menu, Origin, Place, Repeat,
    Resolution, Scope, Step, Target, Workflow,
};
use crate::source::{ProjectPath, SourceId, Span};

/// A file that a workflow calls, and where it does.
pub(super) struct Called {
    pub(super) file: SourceId,
    pub(super) span: Span,
}

/// Lowers one workflow.
pub fn lower(library: &Library, workflow: &Workflow) -> Graph {
    lower_with_calls(library, workflow).0
}

/// Lowers one workflow and says which files it calls.
pub(super) fn lower_with_calls(library: &Library, workflow: &Workflow) -> (Graph, Vec<Called>) {
    let home = library.source(workflow.home);
    let mut lowering = Lowering {
        library,
        workflow,
        home: home.path().folder(),
        wire: Wire::new(home.span(0, 0)),
        called: Vec::new(),
        origin: Origin::Tag,
    };
    let mode_ends = lowering.mode_ends();
    lowering.steps(&mode_ends);
    (lowering.wire.finish(mode_ends), lowering.called)
}

struct Lowering<'a> {
    library: &'a Library,
    workflow: &'a Workflow,
    home: ProjectPath,
    wire: Wire,
    called: Vec<Called>,
    origin: Origin,
}

impl<'a> Lowering<'a> {
    /// Finds where one mode of a numbered table ends and the next begins: a gap in the numbers before a step that jumps lead to.
    fn mode_ends(&self) -> Vec<(usize, usize)> {
        let wanted = super::lower::jump_labels(self.workflow);
        let steps = &self.workflow.steps;
        let number = |step: &Step| (step.origin == Origin::Tag).then(|| step.label.parse::<i64>().ok()).flatten();
        (1..steps.len())
            .filter(|at| {
                let (Some(before), Some(after)) = (number(&steps[at - 1]), number(&steps[*at])) else {
                    return false;
                };
                after - before > 1 && wanted.contains(&steps[*at].label)
            })
            .map(|at| (at - 1, at))
            .collect()
    }

    fn steps(&mut self, mode_ends: &[(usize, usize)]) {
        let mut ends: Ends = vec![(self.wire.start, Edge::Next)];
        for (at, step) in self.workflow.steps.iter().enumerate() {
            let is_file = step.origin == Origin::File;
            if is_file && at > 0 || mode_ends.iter().any(|(_, first)| *first == at) {
                let end = self.wire.end;
                self.wire.tie(std::mem::take(&mut ends), end);
            }
            ends = self.step(at, step, ends);
        }
        let end = self.wire.end;
        self.wire.tie(ends, end);
    }

    fn step(&mut self, at: usize, step: &'a Step, ends: Ends) -> Ends {
        self.wire.step = Some(at);
        self.origin = step.origin;
        let node = self.wire.add(NodeKind::Step, step.head, caption::step(step), ends);
        self.wire.steps.push(node);
        self.wire.target(Want::Label(step.label.clone()), node);
        if step.origin == Origin::File {
            self.wire.target(Want::File(step.span.source), node);
        }
        let guarded = step.condition.is_some() || step.optional;
        let entry = vec![(node, if guarded { Edge::Then } else { Edge::Next })];
        let mut out = match &step.repeat {
            Some(repeat) => self.repeat(repeat, &step.body, entry),
            None => self.body(&step.body, entry),
        };
        if guarded {
            out.push((node, Edge::Else));
        }
        out
    }

    fn repeat(&mut self, repeat: &Repeat, body: &'a [Instruction], ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Loop, repeat.span, caption::repeat(repeat), ends);
        let out = self.body(body, vec![(node, Edge::Then)]);
        let again = out.into_iter().map(|(from, _)| (from, Edge::Again)).collect();
        self.wire.tie(again, node);
        vec![(node, Edge::Else)]
    }

    fn body(&mut self, body: &'a [Instruction], mut ends: Ends) -> Ends {
        for (at, instruction) in body.iter().enumerate() {
            let last = at + 1 == body.len();
            ends = self.instruction(instruction, ends, last);
        }
        ends
    }

    fn instruction(&mut self, instruction: &'a Instruction, ends: Ends, last: bool) -> Ends {
        let Some(condition) = &instruction.condition else {
            return self.act(instruction, ends, last);
        };
        let node = self.wire.add(NodeKind::Decide, condition.span, short(&condition.text), ends);
        let edge = if is_choice(condition) { Edge::Choice } else { Edge::Then };
        let mut out = self.act(instruction, vec![(node, edge)], last);
        out.push((node, Edge::Else));
        out
    }

    fn act(&mut self, instruction: &'a Instruction, ends: Ends, last: bool) -> Ends {
        let span = instruction.span;
        match &instruction.act {
            Act::Do { text, lifts, body } => {
                let ends = self.turn(*text, lifts, ends, last);
                self.body(body, ends)
            }
            Act::Check { body } => self.body(body, ends),
            Act::Ask(ask) => {
                let node = self.wire.add(NodeKind::Ask, span, self.words(ask.text), ends);
                let out = self.body(&ask.body, vec![(node, Edge::Next)]);
                if out.is_empty() { vec![(node, Edge::Next)] } else { out }
            }
            Act::Show { text, .. } => self.plain(NodeKind::Show, span, *text, ends),
            Act::Rule { .. } => ends,
            Act::Produce(produce) if produce.names.is_empty() => self.plain(NodeKind::Save, span, span, ends),
            Act::Produce(produce) => {
                let node = self.wire.add(NodeKind::Save, span, caption::produce(produce), ends);
                vec![(node, Edge::Next)]
            }
            Act::Elicit => self.plain(NodeKind::Menu, span, span, ends),
            Act::Goto { target, .. } => self.goto(target, span, ends),
            Act::Anchor { id } => {
                let node = self.wire.add(NodeKind::Anchor, span, id.clone(), ends);
                self.wire.target(Want::Anchor(id.clone()), node);
                vec![(node, Edge::Next)]
            }
            Act::Invoke(invoke) => self.invoke(invoke, span, ends),
            Act::Loop { repeat, body, .. } => self.repeat(repeat, body, ends),
            Act::Group { label, body, title } => {
                let Some(label) = label else {
                    return self.body(body, ends);
                };
                let node = self.wire.add(NodeKind::Anchor, label.span, short(&format!("{}: {title}", label.text)), ends);
                self.wire.target(Want::Label(label.text.clone()), node);
                self.body(body, vec![(node, Edge::Next)])
            }
            Act::Menu(menu) => self.menu(menu, span, ends),
            Act::Set { name, .. } => {
                let node = self.wire.add(NodeKind::Set, span, name.text.clone(), ends);
                vec![(node, Edge::Next)]
            }
            Act::Collect { into, .. } => {
                let node = self.wire.add(NodeKind::Set, span, into.text.clone(), ends);
                vec![(node, Edge::Next)]
            }
            Act::Dispatch(dispatch) => {
                let names: Vec<&str> = dispatch.agents.iter().map(|agent| agent.text.as_str()).collect();
                let node = self.wire.add(NodeKind::Dispatch, span, short(&names.join(", ")), ends);
                vec![(node, Edge::Next)]
            }
            Act::Parallel { body, .. } => self.parallel(body, span, ends),
            Act::Return { .. } => self.leave(NodeKind::Exit, "return", span, ends),
            Act::Halt { reason } => self.leave(NodeKind::Halt, &short(reason), span, ends),
        }
    }

    fn plain(&mut self, kind: NodeKind, span: Span, text: Span, ends: Ends) -> Ends {
        let node = self.wire.add(kind, span, self.words(text), ends);
        vec![(node, Edge::Next)]
    }

    fn leave(&mut self, kind: NodeKind, text: &str, span: Span, ends: Ends) -> Ends {
        self.wire.add(kind, span, text.to_owned(), ends);
        Vec::new()
    }

    /// Prose joins the turn before it; control flow found in it leaves the turn.
    fn turn(&mut self, text: Span, lifts: &'a [Lift], ends: Ends, last: bool) -> Ends {
        let node = match ends.as_slice() {
            [(node, Edge::Next)] if self.wire.kind(*node) == NodeKind::Turn => {
                self.wire.widen(*node, text);
                *node
            }
            _ => self.wire.add(NodeKind::Turn, text, self.words(text), ends),
        };
        let mut ends = vec![(node, Edge::Next)];
        for lift in lifts {
            ends = self.lift(lift, ends, last);
        }
        ends
    }

    fn lift(&mut self, lift: &'a Lift, ends: Ends, last: bool) -> Ends {
        let maybe = self.is_maybe(lift);
        let kept = if maybe { ends.clone() } else { Vec::new() };
        match &lift.kind {
            LiftKind::Goto { label, label_span, .. } => {
                for (node, _) in &ends {
                    self.wire.jump(*node, Want::Label(label.clone()), Edge::Goto, *label_span);
                }
                kept
            }
            LiftKind::Halt { reason } => {
                self.leave(NodeKind::Halt, &short(reason), lift.span, ends);
                kept
            }
            LiftKind::Exit | LiftKind::Return => {
                self.leave(NodeKind::Exit, "exit", lift.span, ends);
                kept
            }
            LiftKind::Follow { target, target_span } => {
                let leaves = last && lift.condition.is_none();
                self.follow(target, *target_span, ends, leaves)
            }
            LiftKind::Skill { name } => self.skill(name, lift.span, ends),
            LiftKind::Set { .. } | LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => ends,
        }
    }

    /// In prose a halt or a jump is one of several things that may happen; in an action it is what happens, unless the sentence makes it depend on something.
    fn is_maybe(&self, lift: &Lift) -> bool {
        self.origin != Origin::Tag || lift.condition.is_some()
    }

    fn follow(&mut self, target: &str, span: Span, ends: Ends, leaves: bool) -> Ends {
        let Some(file) = self.file(target, span) else {
            return self.call(target, span, ends);
        };
        let own_step = self.workflow.files.contains(&file)
            && self.workflow.steps.iter().any(|step| step.origin == Origin::File && step.span.source == file);
        if own_step {
            for (node, _) in &ends {
                self.wire.jump(*node, Want::File(file), Edge::Next, span);
            }
            return if leaves { Vec::new() } else { ends };
        }
        if self.workflow.files.contains(&file) {
            return ends;
        }
        self.called.push(Called { file, span });
        self.call(target, span, ends)
    }

    fn skill(&mut self, name: &str, span: Span, ends: Ends) -> Ends {
        let found = self.library.skills.iter().find(|(skill, _)| skill == name);
        if let Some((_, file)) = found {
            self.called.push(Called { file: *file, span });
        }
        self.call(name, span, ends)
    }

    fn call(&mut self, target: &str, span: Span, ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Call, span, short(target), ends);
        vec![(node, Edge::Return)]
    }

    fn invoke(&mut self, invoke: &Invoke, span: Span, ends: Ends) -> Ends {
        match invoke.what {
            Invoked::File => {
                if let Some(file) = self.file(&invoke.target.text, invoke.target.span) {
                    self.called.push(Called { file, span });
                }
                self.call(&invoke.target.text, span, ends)
            }
            Invoked::Skill => self.skill(&invoke.target.text, span, ends),
            Invoked::Protocol | Invoked::Builtin | Invoked::Prose => self.call(&invoke.target.text, span, ends),
        }
    }

    /// Finds the file that a path leads to; a folder means the workflow declared in it.
    fn file(&self, text: &str, span: Span) -> Option<SourceId> {
        let scope = Scope::new(self.library, Some(self.workflow), span.source);
        let place = Place { file: self.library.source(span.source).path(), home: &self.home };
        let Resolution::Found(path) = self.library.resolve(text, place, &scope) else {
            return None;
        };
        ["", "workflow.yaml", "workflow.md", "workflow.xml", "SKILL.md"]
            .iter()
            .filter_map(|name| path.join(name))
            .find_map(|path| self.library.at(&path))
            .map(|document| document.source.id())
    }

    fn goto(&mut self, target: &Target, span: Span, ends: Ends) -> Ends {
        let (want, text, place) = match target {
            Target::Step(label) => (Want::Label(label.text.clone()), &label.text, label.span),
            Target::Anchor(id) => (Want::Anchor(id.text.clone()), &id.text, id.span),
            Target::Prose => return self.plain(NodeKind::Turn, span, span, ends),
        };
        let node = self.wire.add(NodeKind::Jump, span, format!("goto {text}"), ends);
        if matches!(text.as_str(), "exit" | "end") {
            return self.leave(NodeKind::Exit, "exit", span, vec![(node, Edge::Next)]);
        }
        self.wire.jump(node, want, Edge::Goto, place);
        Vec::new()
    }

    fn menu(&mut self, menu: &'a Menu, span: Span, ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Menu, span, caption::menu(menu), ends);
        let mut out = Ends::new();
        for branch in &menu.branches {
            let ends = self.body(&branch.body, vec![(node, Edge::Choice)]);
            if branch.again {
                let again = ends.into_iter().map(|(from, _)| (from, Edge::Again)).collect();
                self.wire.tie(again, node);
            } else {
                out.extend(ends);
            }
        }
        if menu.branches.is_empty() {
            out.push((node, Edge::Next));
        }
        out
    }

    fn parallel(&mut self, body: &'a [Instruction], span: Span, ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Parallel, span, "parallel".to_owned(), ends);
        let mut met = Ends::new();
        for lane in body {
            met.extend(self.instruction(lane, vec![(node, Edge::Next)], true));
        }
        if met.is_empty() {
            met.push((node, Edge::Next));
        }
        let join = self.wire.add(NodeKind::Join, span, "join".to_owned(), met);
        vec![(join, Edge::Next)]
    }

    fn words(&self, span: Span) -> String {
        short(self.library.slice(span))
    }
}

fn is_choice(condition: &Condition) -> bool {
    condition.decider() == Decider::Choice
}

/// Returns every label that a jump of the workflow names.
pub(super) fn jump_labels(workflow: &Workflow) -> std::collections::HashSet<String> {
    let mut labels = std::collections::HashSet::new();
    for step in &workflow.steps {
        crate::model::visit(&step.body, &mut |instruction| match &instruction.act {
            Act::Goto { target: Target::Step(label), .. } => {
                labels.insert(label.text.clone());
            }
            Act::Do { lifts, .. } => labels.extend(lifts.iter().filter_map(|lift| match &lift.kind {
                LiftKind::Goto { label, .. } => Some(label.clone()),
                LiftKind::Halt { .. }
                | LiftKind::Exit
                | LiftKind::Return
                | LiftKind::Set { .. }
                | LiftKind::Store { .. }
                | LiftKind::Follow { .. }
                | LiftKind::Skill { .. }
                | LiftKind::Ask
                | LiftKind::Wait => None,
            })),
            Act::Goto { .. }
            | Act::Check { .. }
            | Act::Ask(_)
            | Act::Show { .. }
            | Act::Rule { .. }
            | Act::Produce(_)
            | Act::Elicit
            | Act::Anchor { .. }
            | Act::Invoke(_)
            | Act::Loop { .. }
            | Act::Group { .. }
            | Act::Menu(_)
            | Act::Set { .. }
            | Act::Dispatch(_)
            | Act::Collect { .. }
            | Act::Parallel { .. }
            | Act::Return { .. }
            | Act::Halt { .. } => {}
        });
    }
    labels
}
