//! Steps and instructions to operations.

use super::chain::Chain;
use super::fixed::fixed;
use super::region::Regions;
use super::{Code, Op, Pc};
use crate::graph::{Targets, Want, mode_ends};
use crate::machine::custom::custom;
use crate::model::{Act, Instruction, Library, Lift, Origin, Step, Target, Test, Words, Workflow, question_next};
use crate::source::Span;
use std::collections::HashMap;

/// The part of a step that runs after every section; see the task `workflow.xml`.
const HANDLER: &str = "2c";

/// Compiles one workflow.
pub(super) fn compile<'p>(library: &'p Library, workflow: &'p Workflow) -> Code<'p> {
    let mut compiler = Compiler {
        library,
        workflow,
        code: Code {
            ops: Vec::new(),
            strict: false,
            by_files: workflow.steps.iter().any(|step| step.origin == Origin::File),
            marks: 0,
            loops: 0,
            targets: Targets::default(),
            protocols: HashMap::new(),
            parts: HashMap::new(),
            steps: Vec::new(),
            regions: Regions::default(),
            fixed: fixed(workflow),
            custom: custom(library, workflow),
        },
        origin: Origin::Tag,
        step: 0,
        inside: None,
        open: None,
        floor: 0,
        menu_leads: false,
        branching: false,
        loose: false,
        tests: Vec::new(),
        jumps: Vec::new(),
        parts: Vec::new(),
        chain: Chain::default(),
    };
    compiler.steps();
    compiler.link();
    compiler.settle();
    compiler.code.strict = compiler.code.ops.iter().any(is_exact);
    compiler.code
}

pub(super) struct Compiler<'p> {
    pub(super) library: &'p Library,
    pub(super) workflow: &'p Workflow,
    pub(super) code: Code<'p>,
    pub(super) origin: Origin,
    /// The step that is compiled, by position.
    pub(super) step: usize,
    /// The same, where it is one of the workflow's own.
    inside: Option<&'p Step>,
    /// The turn that further prose joins: nothing was added and nobody jumps here since.
    pub(super) open: Option<Pc>,
    /// The last place that somebody may jump to.
    pub(super) floor: Pc,
    /// Whether a menu of the step leads on to another one.
    pub(super) menu_leads: bool,
    /// Whether a branch of a menu is compiled.
    pub(super) branching: bool,
    /// Whether what is compiled stands in no step that somebody wrote.
    loose: bool,
    /// The tests of the condition that is compiled.
    pub(super) tests: Vec<Pc>,
    pub(super) jumps: Vec<(Pc, Want, &'p str, Span)>,
    parts: Vec<(&'p str, &'p [Instruction])>,
    /// Which step file leads to which because a list says so.
    pub(super) chain: Chain<'p>,
}

impl<'p> Compiler<'p> {
    pub(super) fn here(&mut self) -> Pc {
        self.open = None;
        self.floor = self.code.ops.len();
        self.floor
    }

    pub(super) fn emit(&mut self, op: Op<'p>) -> Pc {
        self.open = None;
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// Lets the operations at `from` lead to here.
    pub(super) fn bind(&mut self, from: impl IntoIterator<Item = Pc>) {
        let here = self.here();
        for at in from {
            match &mut self.code.ops[at] {
                Op::Jump(to)
                | Op::Unless(to)
                | Op::When(to)
                | Op::WhenMarked(_, to)
                | Op::Test(_, _, to)
                | Op::Next { exit: to, .. } => *to = here,
                Op::Fork(fork) => fork.join = here,
                _ => {}
            }
        }
    }

    pub(super) fn mark(&mut self) -> usize {
        self.code.marks += 1;
        self.code.marks - 1
    }

    fn steps(&mut self) {
        let ends = mode_ends(self.workflow);
        for (at, step) in self.workflow.steps.iter().enumerate() {
            let falls = step.origin == Origin::File || ends.iter().any(|(_, first)| *first == at);
            if at > 0 && falls {
                self.end_step(at - 1);
            }
            self.step = at;
            self.inside = Some(step).filter(|step| !step.loose);
            self.origin = step.origin;
            let here = self.here();
            self.code.steps.push(here);
            self.code
                .targets
                .add(Want::Label(step.origin, step.label.clone()), here);
            if step.origin == Origin::File {
                self.code.targets.add(Want::File(step.span.source), here);
            }
            // What begins a step means the step, with its condition.
            if let Some(Act::Anchor { id }) = step.body.first().map(|first| &first.act) {
                self.code.targets.add(Want::Anchor(id.clone()), here);
            }
            self.one_step(step);
            self.next_round(at);
        }
        self.end_step(self.step);
        self.inside = None;
        for protocol in &self.workflow.protocols {
            let here = self.here();
            self.code.protocols.insert(protocol.name.clone(), here);
            let room = self.room(here, &protocol.steps);
            self.code.regions.rooms.push(room);
        }
        // A part stands in a step, wherever it is invoked from.
        self.loose = false;
        for (label, body) in std::mem::take(&mut self.parts) {
            let here = self.here();
            self.code.parts.insert(label.to_owned(), here);
            self.body(body);
            self.emit(Op::End);
        }
    }

    pub(super) fn one_step(&mut self, step: &'p Step) {
        let mut skips = Vec::new();
        if let Some(condition) = &step.condition {
            self.condition(condition);
            skips.push(self.emit(Op::Unless(0)));
        }
        if step.optional {
            self.emit(Op::Optional(step));
            skips.push(self.emit(Op::Unless(0)));
        }
        self.loose = step.loose;
        let is_rule = |instruction: &Instruction| matches!(instruction.act, Act::Rule { .. });
        let nothing_else = step.body.iter().all(|each| is_rule(each) || holds_steps(each));
        match step.loose && nothing_else {
            true => self.body(&step.body),
            false => self.entered(step, &step.body),
        }
        self.bind(skips);
    }

    fn entered(&mut self, step: &'p Step, body: &'p [Instruction]) {
        self.emit(Op::Enter(step));
        self.menu_leads = body.iter().any(|instruction| match &instruction.act {
            Act::Menu(menu) => menu.branches.iter().any(|branch| self.is_way_on(branch)),
            _ => false,
        });
        match &step.repeat {
            Some(repeat) => self.repeat(repeat, None, body),
            None => self.body(body),
        }
        self.emit(Op::Leave(step));
    }

    pub(super) fn body(&mut self, body: &'p [Instruction]) {
        let mut chain: Option<usize> = None;
        for (at, instruction) in body.iter().enumerate() {
            let Some(condition) = &instruction.condition else {
                chain = None;
                self.act(instruction, next(instruction, &body[at + 1..]));
                self.decided_by(&body[at + 1..]);
                continue;
            };
            if condition.test == Test::Otherwise
                && let Some(mark) = chain.take()
            {
                let skip = self.emit(Op::WhenMarked(mark, 0));
                self.act(instruction, next(instruction, &body[at + 1..]));
                self.bind([skip]);
                continue;
            }
            if chain.is_none() && leads_to_otherwise(&body[at..]) {
                let mark = self.mark();
                self.emit(Op::Mark(mark, false));
                chain = Some(mark);
            }
            self.condition(condition);
            let skip = self.emit(Op::Unless(0));
            if let Some(mark) = chain {
                self.emit(Op::Mark(mark, true));
            }
            self.act(instruction, next(instruction, &body[at + 1..]));
            self.decided_by(&body[at + 1..]);
            self.bind([skip]);
        }
    }

    pub(super) fn act(&mut self, instruction: &'p Instruction, next: Option<&'p Instruction>) {
        let span = instruction.span;
        match &instruction.act {
            Act::Do { text, lifts, body } => self.prose(*text, lifts, body, next),
            Act::Check { body } => self.body(body),
            Act::Ask(ask) => self.ask(ask),
            Act::Show { text, file, template } => {
                self.shown(*text);
                self.emit(Op::Show {
                    text: *text,
                    file: file.as_ref(),
                    template: template.as_ref(),
                });
            }
            Act::Rule { .. } => {}
            Act::Produce(produce) => self.produce(produce, span),
            Act::Elicit => {
                self.emit(Op::Elicit(span));
            }
            Act::Goto { target, .. } => self.goto(target, span),
            Act::Anchor { id } => {
                let here = self.here();
                self.code.targets.add(Want::Anchor(id.clone()), here);
                self.be_inside(true);
            }
            Act::Invoke(invoke) => {
                self.emit(Op::Invoke(invoke, span));
            }
            Act::Loop { repeat, index, body } => self.repeat(repeat, index.as_deref(), body),
            Act::Group { label, body, step, .. } => {
                self.group(label.as_ref(), body);
                match step {
                    Some(step) if self.loose => self.inner_step(step, body),
                    Some(_) | None => {
                        self.be_inside(label.is_some());
                        self.body(body);
                    }
                }
            }
            Act::Menu(menu) => self.menu(menu, span),
            Act::Set { name, value, from } => {
                self.emit(Op::Set(name, value, *from));
            }
            Act::Dispatch(dispatch) => {
                self.emit(Op::Dispatch(dispatch));
            }
            Act::Run(run) => {
                self.emit(Op::Run(run));
            }
            Act::Collect(collect) => self.collect(collect),
            Act::Parallel(parallel) => self.parallel(parallel),
            Act::Return { value, params } => {
                self.emit(Op::Return(value.as_ref(), params));
            }
            Act::Halt { reason } => {
                self.emit(Op::Halt(reason, span));
            }
        }
    }

    fn collect(&mut self, collect: &'p crate::model::Collect) {
        self.emit(Op::Collect {
            from: &collect.from,
            field: collect.field.as_ref(),
            into: &collect.into,
            failed: collect.failed.as_ref(),
        });
    }

    /// A step that stands in a loop or in another block, and in no step: it is entered each time.
    fn inner_step(&mut self, step: &'p Step, body: &'p [Instruction]) {
        let mut skips = Vec::new();
        if step.optional {
            self.emit(Op::Optional(step));
            skips.push(self.emit(Op::Unless(0)));
        }
        self.loose = false;
        self.entered(step, body);
        self.loose = true;
        self.bind(skips);
    }

    /// Whoever jumps to a place inside a step enters the step there.
    fn be_inside(&mut self, is_target: bool) {
        if let Some(step) = self.inside.filter(|_| is_target) {
            self.emit(Op::Inside(step));
        }
    }

    /// Notes where a part begins, for those who jump to it.
    fn group(&mut self, label: Option<&'p Words>, body: &'p [Instruction]) {
        if let Some(label) = label {
            let here = self.here();
            self.code.targets.add(Want::Part(label.text.clone()), here);
            if label.text == HANDLER {
                self.parts.push((&label.text, body));
            }
        }
    }

    fn goto(&mut self, target: &'p Target, span: Span) {
        let (want, text) = match target {
            Target::Step(label) => (Want::Label(self.origin, label.text.clone()), label),
            Target::Anchor(id) => (Want::Anchor(id.text.clone()), id),
            Target::Prose => {
                self.turn(span, &[], None);
                return;
            }
        };
        if self.workflow.is_way_out(target) {
            self.emit(Op::Exit);
            return;
        }
        self.jump(want, &text.text, text.span);
    }

    /// Jumps to what is wanted, once all targets are known.
    pub(super) fn jump(&mut self, want: Want, label: &'p str, span: Span) {
        let at = self.emit(Op::Lost(label, span));
        self.jumps.push((at, want, label, span));
    }

    pub(super) fn settle(&mut self) {
        for (at, want, label, span) in std::mem::take(&mut self.jumps) {
            if label != "next"
                && let Some(to) = self.code.targets.find(&want)
            {
                self.code.ops[at] = Op::Goto(to, span);
            }
        }
    }
}

/// Says whether an instruction is a block that holds steps.
fn holds_steps(instruction: &Instruction) -> bool {
    let is_step = |inner: &Instruction| matches!(&inner.act, Act::Group { step: Some(_), .. });
    let mut bodies = instruction.act.bodies();
    bodies.any(|body| body.iter().any(|inner| is_step(inner) || holds_steps(inner)))
}

/// Says whether the checks that begin here lead to an `else`.
fn leads_to_otherwise(body: &[Instruction]) -> bool {
    body.iter()
        .map_while(|instruction| instruction.condition.as_ref())
        .skip(1)
        .any(|condition| condition.test == Test::Otherwise)
}

/// Returns what comes behind an instruction: for one that stops, the question that it waits for.
fn next<'p>(instruction: &Instruction, rest: &'p [Instruction]) -> Option<&'p Instruction> {
    let stops = matches!(&instruction.act, Act::Do { lifts, .. } if lifts.iter().any(Lift::is_plain_halt));
    let asked = || question_next(rest).filter(|_| stops);
    asked().or(rest.first())
}

/// Says whether an operation comes from one of the engine's own tags.
fn is_exact(op: &Op<'_>) -> bool {
    match op {
        Op::Set(..) | Op::Dispatch(..) | Op::Fork(_) | Op::Collect { .. } | Op::Run(_) | Op::Return(..) => true,
        Op::Menu(menu, ..) => menu.text.is_some(),
        Op::Invoke(invoke, _) => invoke.what == crate::model::Invoked::Builtin,
        _ => false,
    }
}
