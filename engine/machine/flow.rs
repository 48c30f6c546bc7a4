//! Steps, values and jumps: what the engine does alone.

use super::code::{Op, Pc};
use super::effect::{Checkpoint, Effect};
use super::end::EndKind;
use super::lane::{Kind, Stage};
use super::question::{Asker, Question};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{Origin, Param, SetFrom, Step, Words};
use crate::source::Span;
use crate::syntax::{Hole, HoleKind, holes};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

impl<'p> Walk<'_, 'p> {
    pub(super) fn enter(&mut self, step: &'p Step) -> Flow<'p> {
        let is_inside = self.frame().kind == Kind::Inside;
        // What a protocol does outside steps belongs to the step that invoked it.
        if !is_inside || !step.loose {
            self.frame_mut().step = Some(step);
        }
        if is_inside {
            return Flow::Next;
        }
        let workflow = self.image.workflows[self.frame().workflow].name.clone();
        self.tally.steps += 1;
        let reached = (workflow.clone(), step.label.clone());
        if self.world.reached.insert(reached.clone()) {
            self.tally.reached.push(reached);
        }
        let document = self.frame().document.clone().or_else(|| self.document_path());
        let checkpoint = Checkpoint {
            step: Some(step.label.clone()),
            goal: self.text(step.title()),
            document,
            ..self.noted(workflow)
        };
        Flow::Wait(Effect::Checkpoint(Box::new(checkpoint)), Stage::Passed)
    }

    /// Enters a step at a place inside of it, unless the run is there already.
    pub(super) fn be_inside(&mut self, step: &'p Step) -> Flow<'p> {
        match self.frame().step {
            Some(now) if std::ptr::eq(now, step) => Flow::Next,
            Some(_) | None => self.enter(step),
        }
    }

    fn callers(&self) -> Vec<String> {
        let mut stack = self.stack();
        stack.pop();
        stack
    }

    /// Notes that a step is done. Where a workflow has step files, the headings of the file that leads to them are none.
    pub(super) fn note_done(&mut self, step: &Step) {
        if step.origin == Origin::File || !self.image.code(self.frame().workflow).by_files {
            let name = self.step_name(step);
            self.frame_mut().done.add(name);
        }
    }

    /// Returns what a step is called where it is noted as done: a step file by its name, any other by its label.
    pub(super) fn step_name(&self, step: &Step) -> String {
        match step.origin {
            Origin::File => self.image.library.source(step.span.source).path().stem().to_owned(),
            Origin::Tag | Origin::Heading | Origin::Prose => step.label.clone(),
        }
    }

    pub(super) fn set(&mut self, name: &'p Words, value: &'p Words, from: SetFrom) -> Flow<'p> {
        let name = self.text(&name.text);
        if from == SetFrom::Value {
            let value = self.value(&value.text);
            self.bind(&name, value);
            return Flow::Next;
        }
        if from == SetFrom::File
            && let Value::List(_) = self.value(&value.text)
        {
            return match self.listed(&value.text) {
                Ok(places) => self.load_next(name, Vec::new(), places),
                Err(failure) => Flow::Fail(failure),
            };
        }
        if self.leads_nowhere(&value.text) {
            self.bind(&name, Value::Nothing);
            return Flow::Next;
        }
        match self.path(&value.text) {
            Ok(path) if from == SetFrom::File && self.image.apart(&path).is_some() => {
                let text = self.image.apart(&path).unwrap_or_default();
                self.bind(&name, Value::Text(text.to_owned()));
                Flow::Next
            }
            Ok(path) if from == SetFrom::File => Flow::Wait(Effect::Read { path }, Stage::Loaded(name)),
            Ok(pattern) => Flow::Wait(Effect::List { pattern }, Stage::Loaded(name)),
            Err(failure) => Flow::Fail(failure),
        }
    }

    /// Says whether a path has a part that is nothing, as that of an input that was left out.
    fn leads_nowhere(&self, path: &str) -> bool {
        let is_nothing = |hole: Hole| self.bound(hole.name).is_some_and(|value| value.is_empty());
        let mut parts = holes(path, crate::source::Span::default()).into_iter();
        self.text(path).trim().is_empty() || parts.any(is_nothing)
    }

    /// Reads the next of several files; a name gets them all when none is left.
    fn load_next(&mut self, name: String, read: Vec<Value>, left: VecDeque<String>) -> Flow<'p> {
        match left.front().cloned() {
            Some(path) => Flow::Wait(Effect::Read { path }, Stage::LoadedEach(name, read, left)),
            None => {
                self.bind(&name, Value::List(read));
                Flow::Next
            }
        }
    }

    /// Goes on after one of several files was read.
    pub(super) fn loaded_one(
        &mut self,
        name: String,
        mut read: Vec<Value>,
        mut left: VecDeque<String>,
        text: Option<String>,
    ) -> Flow<'p> {
        let path = left.pop_front().unwrap_or_default();
        read.push(Value::Map(vec![
            ("path".to_owned(), Value::Text(path)),
            ("text".to_owned(), text.map_or(Value::Nothing, Value::Text)),
        ]));
        self.load_next(name, read, left)
    }

    pub(super) fn collect(
        &mut self,
        from: &'p Words,
        field: Option<&'p Words>,
        into: &'p Words,
        failed: Option<&'p Words>,
    ) -> Flow<'p> {
        let name = from.text.trim_matches(['{', '}']);
        let replies = match self.bound(name) {
            Some(Value::List(replies)) => replies,
            Some(Value::Nothing) | None => Vec::new(),
            Some(reply) => vec![reply],
        };
        let is_failed = |reply: &Value| reply.get("status").is_some_and(|status| status.to_string() == "failed");
        let (lost, good): (Vec<Value>, Vec<Value>) = replies.into_iter().partition(is_failed);
        let mut gathered = Vec::new();
        for reply in good {
            match field {
                None => gathered.push(reply),
                Some(field) => match reply.get(&field.text) {
                    Some(Value::List(items)) => gathered.extend(items.iter().cloned()),
                    Some(Value::Nothing) | None => {}
                    Some(value) => gathered.push(value.clone()),
                },
            }
        }
        let names = lost.iter().filter_map(|reply| reply.get("agent").cloned()).collect();
        if let Some(failed) = failed {
            self.bind(&failed.text, Value::List(names));
        }
        self.bind(&into.text, Value::List(gathered));
        Flow::Next
    }

    /// Jumps; a circle in which nothing changes is left. Lanes are neither left nor entered so.
    pub(super) fn goto(&mut self, to: Pc) -> Flow<'p> {
        let code = self.image.code(self.frame().workflow);
        let from = self.frame().pc;
        if code.crosses_lanes(from, to) {
            let place = self.spot();
            let reason = "a jump leads into or out of a lane of `<parallel>`, and lanes meet only where they end; let \
                          it lead to a place in the same lane, or jump behind the `<parallel>`";
            return Flow::Over(self.end(EndKind::Failed, reason.to_owned(), place));
        }
        if to <= from {
            let mut hasher = DefaultHasher::new();
            let frame = self.frame();
            for (name, value) in frame.variables.iter() {
                name.hash(&mut hasher);
                value.to_string().hash(&mut hasher);
            }
            frame.answer.hash(&mut hasher);
            (self.tally.answers, self.tally.writes).hash(&mut hasher);
            let state = (to, hasher.finish());
            if !self.frame_mut().seen.insert(state) {
                let step = self.frame().step.map(|step| step.head);
                let reason = "the workflow goes in a circle and nothing changes".to_owned();
                return Flow::Over(self.end(EndKind::Limit, reason, step));
            }
        }
        if let Some(flow) = self.enter_loops(&code.loops_entered(from, to)) {
            return flow;
        }
        Flow::To(to)
    }

    pub(super) fn returned(&mut self, value: Option<&'p Words>, params: &'p [Param]) -> Flow<'p> {
        if params.is_empty() {
            return self.leave(value.map_or(Value::Nothing, |value| self.value(&value.text)));
        }
        self.leave(Value::Map(self.params(params)))
    }

    /// Leaves the workflow; a document is told first that its last step is done.
    pub(super) fn leave(&mut self, value: Value) -> Flow<'p> {
        let frame = self.frame();
        let unnoted = frame.document.is_some() || !frame.unvalidated.is_empty();
        let told = frame.kind == Kind::Inside || frame.closed || !unnoted;
        if told {
            return Flow::Leave(value);
        }
        self.frame_mut().closed = true;
        let checkpoint = self.noted(self.image.workflows[self.frame().workflow].name.clone());
        Flow::Wait(Effect::Checkpoint(Box::new(checkpoint)), Stage::Again)
    }

    /// Says how far the workflow is.
    fn noted(&self, workflow: String) -> Checkpoint {
        let frame = self.frame();
        let artefacts = frame.artefacts.iter().filter(|_| !frame.unvalidated.is_empty());
        Checkpoint {
            workflow,
            step: None,
            goal: String::new(),
            depth: self.depth(),
            callers: self.callers(),
            unvalidated: frame.unvalidated.clone(),
            artefacts: artefacts.cloned().collect(),
            document: frame.document.clone(),
            done: frame.done.clone(),
        }
    }

    /// Returns parameters with their names filled in.
    pub(super) fn params(&self, params: &'p [Param]) -> Vec<(String, Value)> {
        let filled = |param: &Param| (param.name.text.clone(), self.value(&param.value.text));
        params.iter().map(filled).collect()
    }

    /// Asks for the first name in a text that nobody gave a value, where its value is needed; also for one that a key of
    /// the workflow or its configuration mentions. What the run was told is never read again.
    pub(super) fn missing(&self, text: &str, what: &str) -> Option<Flow<'p>> {
        let kinds = &[HoleKind::Single, HoleKind::Double];
        let is_missing = |hole: &Hole| self.bound(hole.name).is_none_or(|value| value.is_empty());
        let ask = |text: &str| self.ask_for_name(text, kinds, is_missing, what);
        let within = |hole: Hole| {
            let is_told = self.frame().variables.get(hole.name).is_some();
            let value = self.bound(hole.name).filter(|_| !is_told)?;
            ask(&value.to_string())
        };
        ask(text).or_else(|| holes(text, Span::default()).into_iter().find_map(within))
    }

    /// Asks for the first `{name}` in a text that nothing defines and that is still there once the text is filled; one that
    /// is nothing will do. What is a part of something else cannot be given by itself.
    pub(super) fn undefined(&self, text: &str, what: &str) -> Option<Flow<'p>> {
        let filled = self.text(text);
        // What depends on something that is not known is left as it is written.
        if filled.contains("{{#") {
            return None;
        }
        let is_left = |hole: &Hole| text.get(hole.span.range()).is_some_and(|hole| filled.contains(hole));
        let is_undefined = |hole: &Hole| !hole.name.contains('.') && self.bound(hole.name).is_none() && is_left(hole);
        self.ask_for_name(text, &[HoleKind::Single], is_undefined, what)
    }

    fn ask_for_name(
        &self,
        text: &str,
        kinds: &[HoleKind],
        is_wanted: impl Fn(&Hole) -> bool,
        what: &str,
    ) -> Option<Flow<'p>> {
        let name = holes(text, Span::default())
            .into_iter()
            .filter(|hole| kinds.contains(&hole.kind))
            .find(is_wanted)?
            .name;
        let question = Question {
            name: Some(name.to_owned()),
            origin: Asker::Engine,
            ..self.question(&format!("`{name}` has no value and is needed for {what}. What is it?"))
        };
        Some(Flow::Wait(
            Effect::Ask(Box::new(question)),
            Stage::Named(name.to_owned()),
        ))
    }

    /// Says whether an operation reads the time, which has to be asked for first.
    pub(super) fn wants_time(&self, op: &Op<'p>) -> bool {
        let timed = |text: &str| text.contains("{now}") || text.contains("{elapsed}");
        match op {
            Op::Set(_, value, _) => timed(&value.text),
            Op::Invoke(invoke, _) => invoke.params.iter().any(|param| timed(&param.value.text)),
            Op::Return(_, params) => params.iter().any(|param| timed(&param.value.text)),
            Op::Show { text, .. } => timed(self.image.slice(*text)),
            _ => false,
        }
    }
}
