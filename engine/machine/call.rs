//! Calls: other workflows, tasks, skills, protocols and built-ins, and what is done when one fails.

use super::budget;
use super::code::Op;
use super::effect::{Effect, Failure, FailureKind};
use super::end::{End, EndKind, Refused};
use super::lane::{Frame, Kind, Last, Stage};
use super::question::{Asker, Choice, Question};
use super::walk::{Flow, Walk};
use crate::builtins::{self, Value};
use crate::graph::Want;
use crate::model::{Invoke, Invoked, Role};
use crate::source::{ProjectPath, SourceId, Span};

/// A call that failed.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) failure: Failure,
    pub(super) stack: Vec<String>,
    pub(super) question: Question,
    /// Whether it had begun.
    pub(super) inside: bool,
}

impl<'p> Walk<'_, 'p> {
    pub(super) fn invoke(&mut self, invoke: &'p Invoke, span: Span) -> Flow<'p> {
        // A built-in asks nobody.
        let params = if invoke.what == Invoked::Builtin {
            &[]
        } else {
            &*invoke.params
        };
        let mut values = params.iter().map(|param| param.value.text.as_str());
        if let Some(flow) = values.find_map(|value| self.undefined(value, "a call")) {
            return flow;
        }
        match invoke.what {
            Invoked::Builtin => self.builtin(invoke, span),
            Invoked::Protocol => self.protocol(&invoke.target.text, span),
            Invoked::Skill => self.skill(&invoke.target.text, span),
            Invoked::File => {
                if let Some(flow) = self.missing(&invoke.target.text, "a call") {
                    return flow;
                }
                let params = self.params(&invoke.params);
                self.call_file(&self.text(&invoke.target.text), invoke.target.span, params)
            }
            Invoked::Prose => {
                let place = self.image.place(span);
                self.follow_by_agent(self.text(&invoke.target.text), place)
            }
        }
    }

    fn builtin(&mut self, invoke: &'p Invoke, span: Span) -> Flow<'p> {
        let params = self.params(&invoke.params);
        let given: Vec<(&str, Value)> = params
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        match builtins::run(&invoke.target.text, &given) {
            Ok(value) => {
                match &invoke.into {
                    Some(into) => self.bind(&into.text, value),
                    None => self.lane.last = Last::Value(value),
                }
                Flow::Next
            }
            Err(error) => Flow::Over(self.end(EndKind::Failed, error.to_string(), Some(span))),
        }
    }

    fn protocol(&mut self, name: &str, span: Span) -> Flow<'p> {
        let name = self.text(name);
        let found = self.image.protocol(self.frame().workflow, self.handler, &name);
        let Some((at, pc)) = found else {
            let message = format!("no protocol is named `{name}`");
            return Flow::Over(self.end(EndKind::Failed, message, Some(span)));
        };
        self.push_inside(at, pc);
        Flow::Stay
    }

    /// Runs a protocol or a part in the scope of whoever invokes it.
    pub(super) fn push_inside(&mut self, workflow: usize, pc: usize) {
        let code = self.image.code(workflow);
        let mut frame = Frame::new(workflow, pc, Kind::Inside, code);
        let outer = self.frame_mut();
        frame.variables = std::mem::take(&mut outer.variables);
        frame.step = outer.step;
        frame.scope = outer.scope;
        frame.yolo = outer.yolo;
        frame.configured_as = outer.configured_as;
        frame.answer = outer.answer.clone();
        frame.document = outer.document.clone();
        self.lane.frames.push(frame);
    }

    pub(super) fn skill(&mut self, name: &str, span: Span) -> Flow<'p> {
        let name = self.text(name);
        let skills = &self.image.library.skills;
        let found = skills.iter().find(|(skill, _)| *skill == name).map(|(_, file)| *file);
        let params = match self.op() {
            Op::Invoke(invoke, _) => self.params(&invoke.params),
            _ => Vec::new(),
        };
        match found.and_then(|file| self.image.program.entry(file)) {
            Some(at) => self.push_call(at, params),
            None => {
                let place = self.image.place(span);
                let order = self.said().unwrap_or_else(|| format!("Invoke the skill `{name}`"));
                self.follow_by_agent(order, place)
            }
        }
    }

    /// Prose says to follow a file: the next step, a call, or something for the agent to read.
    pub(super) fn follow(&mut self, target: &'p str, span: Span) -> Flow<'p> {
        let workflow = &self.image.workflows[self.frame().workflow];
        let found = self.file(target, span);
        let found = found.or_else(|| workflow.named_file(self.image.library, target));
        if let Some(file) = found {
            let code = self.image.code(self.frame().workflow);
            if let Some(to) = code.targets.find(&Want::File(file)) {
                return match self.image.library.document(file).is_worker() {
                    true => self.read_by_agent(file, span),
                    false => self.next_file(to),
                };
            }
        }
        self.call_found(found, target, span, Vec::new())
    }

    /// Goes on with a step file; the one that is left is done.
    fn next_file(&mut self, to: usize) -> Flow<'p> {
        if let Some(step) = self.frame().step {
            self.note_done(step);
        }
        self.goto(to)
    }

    fn call_file(&mut self, target: &str, span: Span, params: Vec<(String, Value)>) -> Flow<'p> {
        self.call_found(self.file(target, span), target, span, params)
    }

    fn call_found(
        &mut self,
        found: Option<SourceId>,
        target: &str,
        span: Span,
        params: Vec<(String, Value)>,
    ) -> Flow<'p> {
        let Some(file) = found else {
            return self.nothing_there(target, span);
        };
        let document = self.image.library.document(file);
        if is_interpreter(document.source.path(), document.role)
            && let Some(flow) = self.interpret(&params, span)
        {
            return flow;
        }
        let at = self.frame().workflow;
        let workflow = &self.image.workflows[at];
        let own = workflow.files.contains(&file) && file != workflow.home;
        if own && (document.role == Role::StepFile || workflow.has_steps_in(file)) {
            return Flow::Next;
        }
        match self.image.program.entry(file) {
            Some(at) => self.push_call(at, params),
            None => self.read_by_agent(file, span),
        }
    }

    fn read_by_agent(&mut self, file: SourceId, span: Span) -> Flow<'p> {
        let path = self.image.in_project(self.image.library.source(file).path());
        let place = self.image.place(span);
        self.follow_by_agent(format!("Read `{path}` fully and do what it says."), place)
    }

    /// The engine is the interpreter: running it with a configuration means running that configuration.
    fn interpret(&mut self, params: &[(String, Value)], span: Span) -> Option<Flow<'p>> {
        let names = ["workflow-config", "workflow_config", "config", "workflow"];
        let (_, config) = params.iter().find(|(name, _)| names.contains(&name.as_str()))?;
        let file = self.file(&config.to_string(), span)?;
        let at = self.image.program.entry(file)?;
        Some(self.push_call(at, Vec::new()))
    }

    /// A call whose target is not there: the person decides.
    fn nothing_there(&mut self, target: &str, span: Span) -> Flow<'p> {
        let failure = Failure {
            kind: FailureKind::Missing,
            message: format!("the workflow calls `{}`, which is not there", self.text(target)),
        };
        let place = self.image.place(span);
        let mut stack = self.stack();
        stack.push(self.text(target));
        self.ask_about(failure, stack, place, false)
    }

    fn push_call(&mut self, at: usize, mut params: Vec<(String, Value)>) -> Flow<'p> {
        let workflow = &self.image.workflows[at];
        let left = match self.admitted(at, &mut params) {
            Ok(left) => left,
            Err(failure) => {
                let mut stack = self.stack();
                stack.push(workflow.name.clone());
                let place = self.spot().map(|span| self.image.place(span)).unwrap_or_default();
                return self.ask_about(failure, stack, place, false);
            }
        };
        let yolo = self.frame().yolo;
        let into = self
            .invoked()
            .and_then(|invoke| Some(invoke.into.as_ref()?.text.clone()));
        let mut frame = Frame::new(at, 0, Kind::Call(into), self.image.code(at));
        if !self.world.configs.contains_key(&at) {
            frame.configured_as = self.frame().configured_as;
        }
        frame.left = left;
        frame.said = self.said().unwrap_or_default();
        frame.yolo = yolo;
        frame.variables.extend(self.handoff());
        frame.receive(&workflow.inputs, params);
        self.lane.frames.push(frame);
        Flow::Stay
    }

    /// Returns the call that stands where the lane is.
    pub(super) fn invoked(&self) -> Option<&'p Invoke> {
        match self.op() {
            Op::Invoke(invoke, _) => Some(invoke),
            _ => None,
        }
    }

    /// Refuses a call that is too deep, lacks an input, or hands over too much; answers how long it may take.
    fn admitted(&self, at: usize, params: &mut [(String, Value)]) -> Result<Option<u64>, Failure> {
        let workflow = &self.image.workflows[at];
        let refused = |kind, message| Err(Failure { kind, message });
        if self.depth() >= self.options.depth {
            let mut stack = self.stack();
            stack.push(workflow.name.clone());
            let message = format!("calls nest deeper than {}: {}", self.options.depth, stack.join(" → "));
            return refused(FailureKind::Limit, message);
        }
        if workflow.steps.is_empty() {
            let path = self.image.in_project(self.image.library.source(workflow.home).path());
            return refused(FailureKind::Missing, format!("`{path}` has no step to begin with"));
        }
        let mut needed = workflow.inputs.iter().filter(|input| input.is_needed());
        let missing = needed.find(|input| params.iter().all(|(name, _)| *name != input.name));
        if let Some(input) = missing {
            let path = self.image.library.source(workflow.home).path().as_str();
            return refused(FailureKind::Missing, input.lacking(path));
        }
        budget::fit(params, self.options.room, &workflow.name)?;
        let said = self.seconds(self.invoked().and_then(|invoke| invoke.timeout.as_ref()));
        let said = said.map_err(|message| Failure {
            kind: FailureKind::Missing,
            message,
        })?;
        budget::time(
            said.map(|seconds| u64::from(seconds) * 1000),
            &workflow.name,
            self.lane.left(),
        )
    }

    /// Returns what a called workflow is told of whoever calls it.
    fn handoff(&self) -> Vec<(String, Value)> {
        let workflow = &self.image.workflows[self.frame().workflow].name;
        let step = self.frame().step.map(|step| step.label.clone()).unwrap_or_default();
        let stack = self.stack().into_iter().map(Value::Text).collect();
        [
            ("parent_workflow", Value::Text(workflow.clone())),
            ("parent_step", Value::Text(step)),
            ("nesting_depth", Value::Number(f64::from(self.depth() + 1))),
            ("call_stack", Value::List(stack)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    pub(super) fn elicitation(&mut self, span: Span) -> Flow<'p> {
        match self.file("_bmad/core/tasks/advanced-elicitation.xml", span) {
            Some(file) => match self.image.program.entry(file) {
                Some(at) => {
                    let content = self.frame().saved.values().next_back().cloned().unwrap_or_default();
                    let section = self.frame().saved.keys().next_back().cloned().unwrap_or_default();
                    let params = vec![
                        ("content".to_owned(), Value::Text(content)),
                        ("section_name".to_owned(), Value::Text(section)),
                    ];
                    self.push_call(at, params)
                }
                None => Flow::Next,
            },
            None => Flow::Next,
        }
    }

    /// A call failed: its caller is unharmed, and the person decides what happens next. Answers nothing in a workflow
    /// that nobody called.
    pub(super) fn child_failed(&mut self, failure: &Failure) -> Option<Flow<'p>> {
        let at = self
            .lane
            .frames
            .iter()
            .rposition(|frame| matches!(frame.kind, Kind::Call(_)))?;
        let stack = self.stack();
        self.lane.frames.truncate(at);
        Some(self.ask_about(failure.clone(), stack, String::new(), true))
    }

    /// Asks what becomes of a call that did not work, and that had begun or not.
    pub(super) fn ask_about(&mut self, failure: Failure, stack: Vec<String>, place: String, inside: bool) -> Flow<'p> {
        if self.invoked().is_some_and(|invoke| invoke.halt) {
            return Flow::Over(self.failed_call(failure, stack));
        }
        let question = Question {
            choices: vec![
                Choice::plain("r", "Try it again"),
                Choice::plain("s", "Go on without it"),
                Choice::plain("a", "Stop the run"),
            ],
            open: false,
            origin: Asker::Engine,
            place,
            ..self.question(&format!("A call did not work: {}. What now?", failure.message))
        };
        let child = Child {
            failure,
            stack,
            question: question.clone(),
            inside,
        };
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::Child(Box::new(child)))
    }

    pub(super) fn child_answered(&mut self, child: Child, answer: &str) -> Flow<'p> {
        self.tally.answers += 1;
        if child.question.confirm.is_some() {
            return self.child_skipped(child, answer);
        }
        match child.question.settle(answer).unwrap_or_default().as_str() {
            "r" => Flow::Stay,
            "s" => self.go_on_without(child),
            _ => {
                let lane = self.lane.id.clone();
                let refused = match child.inside {
                    true => Refused::Inside(lane),
                    false => Refused::Call(lane),
                };
                let mut end = self.failed_call(child.failure, child.stack);
                end.refused = Some(refused);
                Flow::Over(end)
            }
        }
    }

    /// Returns how a run ends because a call did not work.
    fn failed_call(&self, failure: Failure, stack: Vec<String>) -> End {
        End {
            stack,
            ..self.end(EndKind::Failed, failure.message, None)
        }
    }
}

/// Says whether a file is the task that interprets workflows, which is what the engine is.
pub(super) fn is_interpreter(path: &ProjectPath, role: Role) -> bool {
    role == Role::TaskXml && path.name() == "workflow.xml" && path.folder().name() == "tasks"
}
