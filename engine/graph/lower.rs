//! One workflow to one graph. Total: whatever was read has a graph.

mod back;
mod call;
mod cases;
mod turn;

pub(crate) use back::{come_back, is_way_on};
pub(crate) use cases::is_one_case;
pub(crate) use turn::is_maybe;

use super::caption::{self, short};
use super::mode::mode_ends;
use super::node::{Edge, Graph, NodeKind};
use super::target::Want;
use super::wire::{Captions, Ends, Wire, one};
use crate::model::{
    Act, Ask, Condition, Decider, Instruction, Library, Menu, Origin, Parallel, Repeat, Step, Target, Test, Words,
    Workflow, question_next,
};
use crate::source::{ProjectPath, QuickMap, SourceId, Span};

/// A file that a workflow calls, and where it does.
#[derive(Debug)]
pub(super) struct Called {
    pub(super) file: SourceId,
    pub(super) span: Span,
    /// Whether a tag says so: prose may also speak of the workflow it is in.
    pub(super) tagged: bool,
}

/// A workflow as a graph, and the files it calls.
#[derive(Debug)]
pub struct Lowered {
    /// The graph.
    pub graph: Graph,
    pub(super) called: Vec<Called>,
    /// Files that it calls and that are there, but were not read.
    pub unread: Vec<ProjectPath>,
}

/// Lowers one workflow.
pub fn lower(library: &Library, workflow: &Workflow) -> Lowered {
    lowered(library, workflow, Captions::Written)
}

/// Lowers one workflow to a graph that nobody draws: its nodes have no text.
pub fn lower_unnamed(library: &Library, workflow: &Workflow) -> Lowered {
    lowered(library, workflow, Captions::Left)
}

fn lowered(library: &Library, workflow: &Workflow, captions: Captions) -> Lowered {
    let home = library.source(workflow.home);
    // A start, an end, and about two nodes for what stands right in a step.
    let expected = 2 + workflow.steps.iter().map(|step| 1 + 2 * step.body.len()).sum::<usize>();
    let mut lowering = Lowering {
        library,
        workflow,
        home: home.path().folder(),
        wire: Wire::new(home.span(0, 0), captions, expected),
        called: Vec::new(),
        unread: Vec::new(),
        led: QuickMap::default(),
        origin: Origin::Tag,
        waits: false,
        branching: false,
    };
    lowering.wire.expect(workflow.steps.len());
    let mode_ends = mode_ends(workflow);
    lowering.steps(&mode_ends);
    Lowered {
        graph: lowering.wire.finish(mode_ends),
        called: lowering.called,
        unread: lowering.unread,
    }
}

/// Where a path leads that was looked at before it is followed.
struct Led {
    target: Box<str>,
    found: Option<SourceId>,
    unread: Option<ProjectPath>,
}

struct Lowering<'a> {
    library: &'a Library,
    workflow: &'a Workflow,
    home: ProjectPath,
    wire: Wire,
    called: Vec<Called>,
    unread: Vec<ProjectPath>,
    /// What the answers to menus follow, by the places of the paths.
    led: QuickMap<Span, Led>,
    origin: Origin,
    /// Whether a question comes next, so that a stop waits for its answer.
    waits: bool,
    /// Whether what an answer leads to is lowered.
    branching: bool,
}

impl<'a> Lowering<'a> {
    fn steps(&mut self, mode_ends: &[(usize, usize)]) {
        let mut ends = one(self.wire.start, Edge::Next);
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
        let node = self.wire.add(NodeKind::Step, step.head, || caption::step(step), ends);
        self.wire.steps.push(node);
        self.wire.target(Want::Label(step.origin, step.label.clone()), node);
        if step.origin == Origin::File {
            self.wire.target(Want::File(step.span.source), node);
        }
        // What begins a step means the step, with its condition.
        if let Some(Act::Anchor { id }) = step.body.first().map(|first| &first.act) {
            self.wire.target(Want::Anchor(id.clone()), node);
        }
        let guarded = step.condition.is_some() || step.optional;
        let entry = one(node, if guarded { Edge::Then } else { Edge::Next });
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
        let node = self
            .wire
            .add(NodeKind::Loop, repeat.span, || caption::repeat(repeat), ends);
        let out = self.body(body, one(node, Edge::Then));
        let again = out.into_iter().map(|(from, _)| (from, Edge::Again)).collect();
        self.wire.tie(again, node);
        one(node, Edge::Else)
    }

    fn body(&mut self, body: &'a [Instruction], mut ends: Ends) -> Ends {
        let mut branches: Vec<bool> = Vec::new();
        for (at, instruction) in body.iter().enumerate() {
            let last = at + 1 == body.len();
            if is_otherwise(instruction) && !branches.is_empty() {
                let earlier = branches.iter().rev().skip(1).any(|goes_on| *goes_on);
                ends = self.otherwise(instruction, ends, last, earlier);
                branches.clear();
                continue;
            }
            self.waits = question_next(&body[at + 1..]).is_some();
            ends = self.instruction(instruction, ends, last);
            match instruction.condition {
                Some(_) => branches.push(ends.len() > 1),
                None => branches.clear(),
            }
        }
        ends
    }

    /// An `else` takes what the checks before it left over; nothing is left after it, unless an earlier branch went on.
    fn otherwise(&mut self, instruction: &'a Instruction, mut ends: Ends, last: bool, earlier: bool) -> Ends {
        let left = ends.pop().into_iter().collect();
        let node = self
            .wire
            .add(NodeKind::Decide, instruction.span, || "else".to_owned(), left);
        ends.extend(self.act(instruction, one(node, Edge::Then), last));
        if earlier {
            ends.push((node, Edge::Else));
        }
        ends
    }

    fn instruction(&mut self, instruction: &'a Instruction, ends: Ends, last: bool) -> Ends {
        let Some(condition) = &instruction.condition else {
            return self.act(instruction, ends, last);
        };
        let node = self
            .wire
            .add(NodeKind::Decide, condition.span, || short(&condition.text), ends);
        let edge = if is_choice(condition) {
            Edge::Choice(0)
        } else {
            Edge::Then
        };
        let mut out = self.act(instruction, one(node, edge), last);
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
            Act::Ask(ask) => self.ask(ask, span, ends),
            Act::Show { text, .. } => self.plain(NodeKind::Show, span, *text, ends),
            Act::Rule { .. } => ends,
            Act::Produce(produce) if produce.names.is_empty() => self.plain(NodeKind::Save, span, span, ends),
            Act::Produce(produce) => self.named(NodeKind::Save, span, || caption::produce(produce), ends),
            Act::Elicit => self.plain(NodeKind::Menu, span, span, ends),
            Act::Goto { target, .. } => self.goto(target, span, ends),
            Act::Anchor { id } => {
                let node = self.wire.add(NodeKind::Anchor, span, || id.clone(), ends);
                self.wire.target(Want::Anchor(id.clone()), node);
                one(node, Edge::Next)
            }
            Act::Invoke(invoke) => self.invoke(invoke, span, ends),
            Act::Loop { repeat, body, .. } => self.repeat(repeat, body, ends),
            Act::Group { label: None, body, .. } => self.body(body, ends),
            Act::Group {
                label: Some(label),
                body,
                title,
                ..
            } => self.group(label, title, body, ends),
            Act::Menu(menu) => self.menu(menu, span, ends),
            Act::Set { name, .. } => self.named(NodeKind::Set, span, || name.text.clone(), ends),
            Act::Collect(collect) => self.named(NodeKind::Set, span, || collect.into.text.clone(), ends),
            Act::Dispatch(dispatch) => self.named(NodeKind::Dispatch, span, || caption::dispatch(dispatch), ends),
            Act::Run(run) => self.named(NodeKind::Run, span, || short(&run.command.text), ends),
            Act::Parallel(parallel) => self.parallel(parallel, span, ends),
            Act::Return { .. } => self.leave(NodeKind::Exit, "return", span, ends),
            Act::Halt { reason } => self.leave(NodeKind::Halt, reason, span, ends),
        }
    }

    fn ask(&mut self, ask: &'a Ask, span: Span, ends: Ends) -> Ends {
        let library = self.library;
        let node = self
            .wire
            .add(NodeKind::Ask, span, || caption::words(library, ask.text), ends);
        let out = self.body(&ask.body, one(node, Edge::Next));
        if out.is_empty() { one(node, Edge::Next) } else { out }
    }

    fn group(&mut self, label: &Words, title: &str, body: &'a [Instruction], ends: Ends) -> Ends {
        let caption = || short(&format!("{}: {title}", label.text));
        let node = self.wire.add(NodeKind::Anchor, label.span, caption, ends);
        self.wire.target(Want::Part(label.text.clone()), node);
        self.body(body, one(node, Edge::Next))
    }

    fn plain(&mut self, kind: NodeKind, span: Span, text: Span, ends: Ends) -> Ends {
        let library = self.library;
        self.named(kind, span, || caption::words(library, text), ends)
    }

    fn named(&mut self, kind: NodeKind, span: Span, caption: impl FnOnce() -> String, ends: Ends) -> Ends {
        let node = self.wire.add(kind, span, caption, ends);
        one(node, Edge::Next)
    }

    fn leave(&mut self, kind: NodeKind, text: &str, span: Span, ends: Ends) -> Ends {
        self.wire.add(kind, span, || short(text), ends);
        Ends::new()
    }

    fn goto(&mut self, target: &Target, span: Span, ends: Ends) -> Ends {
        let (want, text, place) = match target {
            Target::Step(label) => (Want::Label(self.origin, label.text.clone()), &label.text, label.span),
            Target::Anchor(id) => (Want::Anchor(id.text.clone()), &id.text, id.span),
            Target::Prose => return self.plain(NodeKind::Turn, span, span, ends),
        };
        let node = self.wire.add(NodeKind::Jump, span, || format!("goto {text}"), ends);
        if self.workflow.is_way_out(target) {
            return self.leave(NodeKind::Exit, "exit", span, one(node, Edge::Next));
        }
        // A variable or a sentence names a step that only the run knows; an anchor may be one that a question has.
        let is_sentence = || matches!(target, Target::Step(_)) && text.split_whitespace().count() > 2;
        if text.contains('{') || is_sentence() || text == "next" {
            return one(node, Edge::Next);
        }
        self.wire.jump(node, want, Edge::Goto, place);
        Ends::new()
    }

    fn menu(&mut self, menu: &'a Menu, span: Span, ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Menu, span, || caption::menu(menu), ends);
        self.wire.keys(node, || caption::keys(menu));
        let mut out = Ends::new();
        let library = self.library;
        let again = come_back(library, menu, self.branching, &mut |target, span| {
            self.follows_own(target, span)
        });
        for ((at, branch), again) in (0..=u16::MAX).zip(&menu.branches).zip(again) {
            let outer = std::mem::replace(&mut self.branching, true);
            let ends = self.body(&branch.body, one(node, Edge::Choice(at)));
            self.branching = outer;
            if again {
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

    fn parallel(&mut self, parallel: &'a Parallel, span: Span, ends: Ends) -> Ends {
        let node = self.wire.add(NodeKind::Parallel, span, || "parallel".to_owned(), ends);
        let mut met = Ends::new();
        let whole = self.wire.count();
        for lane in &parallel.body {
            let start = self.wire.count();
            met.extend(self.instruction(lane, one(node, Edge::Next), true));
            if parallel.each.is_none() {
                self.wire.lane(start);
            }
        }
        if parallel.each.is_some() {
            self.wire.lane(whole);
        }
        if met.is_empty() {
            met.push((node, Edge::Next));
        }
        let join = self.wire.add(NodeKind::Join, span, || "join".to_owned(), met);
        one(join, Edge::Next)
    }
}

fn is_otherwise(instruction: &Instruction) -> bool {
    instruction
        .condition
        .as_ref()
        .is_some_and(|condition| condition.test == Test::Otherwise)
}

fn is_choice(condition: &Condition) -> bool {
    condition.decider() == Decider::Choice
}
