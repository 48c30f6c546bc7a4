//! One lane, one operation at a time, until it needs the world.

use super::code::{Image, NONE, Op, Pc};
use super::custom::EMPTY;
use super::effect::{Effect, Failure, Outcome};
use super::end::{End, EndKind, Tally};
use super::known::{Known, World, YOLO};
use super::lane::{Frame, Kind, Lane, Last, Stage};
use super::options::Options;
use super::render::{self, Names as _};
use crate::builtins::Value;
use crate::source::Span;
use crate::syntax::{decode, without_ends};
use std::borrow::Cow;

/// What comes after an operation.
#[derive(Debug)]
pub(super) enum Flow<'p> {
    /// The next operation.
    Next,
    /// Another one.
    To(Pc),
    /// The same one once more: something it needs was prepared.
    Stay,
    /// The world is asked first.
    Wait(Effect, Stage),
    /// Lanes part.
    Part(super::lane::Parted<'p>),
    /// The lane, the protocol or the part of a step ends.
    Finish,
    /// The workflow is left with a value.
    Leave(Value),
    /// It did not work.
    Fail(Failure),
    /// The run ends.
    Over(End),
}

/// One lane and all it may touch.
pub(super) struct Walk<'m, 'p> {
    pub(super) image: &'p Image<'p>,
    pub(super) options: &'m Options,
    /// The workflow whose part `2c` runs after every section, by position.
    pub(super) handler: Option<usize>,
    pub(super) world: &'m mut World,
    pub(super) tally: &'m mut Tally,
    pub(super) lane: &'m mut Lane<'p>,
}

impl<'p> Walk<'_, 'p> {
    /// Returns the innermost frame. A lane that is not over has one.
    pub(super) fn frame(&self) -> &Frame<'p> {
        let last = self.lane.frames.len() - 1;
        &self.lane.frames[last]
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame<'p> {
        let last = self.lane.frames.len() - 1;
        &mut self.lane.frames[last]
    }

    pub(super) fn known(&self) -> Known<'_, 'p> {
        Known::new(self.image, self.frame(), self.world)
    }

    /// Fills the names of a text in.
    pub(super) fn text(&self, text: &str) -> String {
        render::text(text, &self.known())
    }

    /// Fills the names of a text in that mostly has none.
    pub(super) fn word<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match memchr::memchr(b'{', text.as_bytes()) {
            Some(_) => Cow::Owned(self.text(text)),
            None => Cow::Borrowed(text),
        }
    }

    /// Fills the names of what stands at a span in, for an agent that reads it.
    pub(super) fn words(&self, span: Span) -> String {
        self.words_but(span, &[])
    }

    /// Fills the names of what stands at a span in, for an agent that reads it; some stay as they are written.
    pub(super) fn words_but(&self, span: Span, held: &[&'p str]) -> String {
        let words = decode(&without_ends(self.image.slice(span))).into_owned();
        let told = render::text(&words, &self.known().telling().holding(held));
        // A text that has a word for a list without entries is told that word.
        match words.contains(NONE) {
            true => told.replace(EMPTY, NONE),
            false => told,
        }
    }

    /// Fills names in; a text that is one name keeps the type of its value.
    pub(super) fn value(&self, text: &str) -> Value {
        render::value(text, &self.known())
    }

    /// Returns what a name is bound to.
    pub(super) fn bound(&self, name: &str) -> Option<Value> {
        let (base, rest) = name.split_once('.').unwrap_or((name, ""));
        let whole = self.known().value(name);
        if whole.is_some() || rest.is_empty() {
            return whole;
        }
        match render::value(&format!("{{{name}}}"), &self.known()) {
            Value::Text(text) if text == format!("{{{name}}}") => self.known().value(base).map(|_| Value::Nothing),
            value => Some(value),
        }
    }

    pub(super) fn bind(&mut self, name: &str, value: Value) {
        if self.known().is_mode(name) {
            self.frame_mut().yolo = value.to_string() == YOLO;
            return;
        }
        self.lane.last = Last::Bound(name.to_owned());
        self.frame_mut().variables.give(name, value);
    }

    /// Returns the operation that is next.
    pub(super) fn op(&self) -> &'p Op<'p> {
        let frame = self.frame();
        &self.image.code(frame.workflow).ops[frame.pc]
    }

    /// Returns where what is done now is written: the tag or the words where they are known, otherwise the step.
    pub(super) fn spot(&self) -> Option<Span> {
        let own = match self.op() {
            Op::Show { text, file, template } => {
                let words = template.or(*file);
                Some(words.map_or(*text, |words| words.span))
            }
            Op::Set(name, ..) => Some(name.span),
            Op::Collect { from, .. } => Some(from.span),
            Op::Run(run) => Some(run.command.span),
            Op::Fill(_, span)
            | Op::Menu(_, span, _)
            | Op::Elicit(span)
            | Op::Pause(span, _)
            | Op::Produce(_, span)
            | Op::Invoke(_, span)
            | Op::Follow(_, span, _)
            | Op::Skill(_, span, _)
            | Op::Halt(_, span)
            | Op::Goto(_, span)
            | Op::Lost(_, span) => Some(*span),
            _ => None,
        };
        own.or_else(|| self.frame().step.map(|step| step.head))
    }

    /// Does one operation.
    pub(super) fn step(&mut self) -> Flow<'p> {
        let op = self.op();
        if self.wants_time(op) && !self.lane.timed {
            self.lane.timed = true;
            return Flow::Wait(Effect::Now, Stage::Again);
        }
        self.lane.timed = false;
        self.control(op).unwrap_or_else(|| self.act(op))
    }

    /// Does an operation that only says what is next; answers nothing for any other.
    fn control(&mut self, op: &'p Op<'p>) -> Option<Flow<'p>> {
        Some(match op {
            Op::Leave(step) => {
                self.note_done(step);
                Flow::Next
            }
            Op::Not => {
                self.lane.flag = !self.lane.flag;
                Flow::Next
            }
            Op::Jump(to) => Flow::To(*to),
            Op::Unless(to) => self.branch(!self.lane.flag, *to),
            Op::When(to) => self.branch(self.lane.flag, *to),
            Op::Mark(mark, set) => {
                self.frame_mut().marks[*mark] = *set;
                Flow::Next
            }
            Op::WhenMarked(mark, to) => self.branch(self.frame().marks[*mark], *to),
            Op::End => Flow::Finish,
            Op::Exit => self.leave(Value::Nothing),
            Op::Goto(to, _) => self.goto(*to),
            _ => return None,
        })
    }

    fn branch(&self, taken: bool, to: Pc) -> Flow<'p> {
        if taken { Flow::To(to) } else { Flow::Next }
    }

    fn act(&mut self, op: &'p Op<'p>) -> Flow<'p> {
        match op {
            Op::Enter(step) => self.enter(step),
            Op::Inside(step) => self.be_inside(step),
            Op::Optional(step) => self.optional(step),
            Op::Turn(turn) => self.turn(turn),
            Op::Fill(names, text) => self.fill_names(names, *text),
            Op::Test(test, whole, end) => self.test(test, whole, *end),
            Op::Judge(words) => self.judge(self.image.statement(*words), words.span()),
            Op::Decide(condition) => self.test(&condition.test, condition, self.frame().pc + 1),
            Op::Ask(ask) => self.ask(ask),
            Op::Menu(menu, span, _) => self.menu(menu, *span),
            Op::Elicit(span) => self.elicit(*span),
            Op::Pause(words, answer) => self.pause(*words, answer),
            Op::Show { text, file, template } => self.show(*text, *file, *template),
            Op::Produce(produce, span) => self.produce(produce, *span),
            Op::Set(name, value, from) => self.set(name, value, *from),
            Op::SetProse(name, value, derived) => self.set_by_words(name, &decode(value), derived),
            Op::Collect {
                from,
                field,
                into,
                failed,
            } => self.collect(from, *field, into, *failed),
            Op::Invoke(invoke, span) => self.invoke(invoke, *span),
            Op::Follow(target, span, _) => self.follow(target, *span),
            Op::Skill(name, span, _) => self.skill(name, *span),
            Op::Begin(slot, repeat) => self.begin(*slot, repeat),
            Op::Next {
                slot,
                repeat,
                index,
                exit,
            } => self.pass(*slot, repeat, *index, *exit),
            Op::Dispatch(dispatch) => self.dispatch(dispatch),
            Op::Run(run) => self.run(run),
            Op::Fork(fork) => self.fork(fork),
            Op::Return(value, params) => self.returned(*value, params),
            Op::Unled(words) => self.note_unled(*words),
            Op::Halt(reason, span) => Flow::Over(self.end(EndKind::Halted, self.text(reason), Some(*span))),
            Op::Lost(label, span) => self.lost(label, *span),
            Op::Leave(_)
            | Op::Not
            | Op::Jump(_)
            | Op::Unless(_)
            | Op::When(_)
            | Op::Mark(..)
            | Op::WhenMarked(..)
            | Op::End
            | Op::Exit
            | Op::Goto(..) => Flow::Next,
        }
    }

    /// Goes on with the outcome of what was waited for.
    pub(super) fn resume(&mut self, stage: Stage, outcome: Outcome) -> Flow<'p> {
        match stage {
            Stage::Turn(taken) => return self.turn_taken(*taken, outcome),
            Stage::Judged(text) => return self.judged(&text, outcome),
            Stage::Began
            | Stage::Passed
            | Stage::Again
            | Stage::Seen(_)
            | Stage::JudgedByPerson
            | Stage::YesOrNo
            | Stage::Answer(_)
            | Stage::Paused(_)
            | Stage::AskedFor(..)
            | Stage::Dispatched(_)
            | Stage::Named(_)
            | Stage::Found(_)
            | Stage::Loaded(_)
            | Stage::LoadedEach(..)
            | Stage::Template(_)
            | Stage::Ran(_)
            | Stage::Child(_) => {}
        }
        match outcome {
            Outcome::Failed(failure) => Flow::Fail(failure),
            Outcome::Answered(answer) => self.told(stage, &answer.text),
            outcome => self.got(stage, outcome),
        }
    }

    /// Goes on with an answer of the person.
    fn told(&mut self, stage: Stage, answer: &str) -> Flow<'p> {
        match stage {
            Stage::YesOrNo | Stage::JudgedByPerson => {
                self.tally.answers += 1;
                self.lane.flag = answer.eq_ignore_ascii_case("y");
                self.after_judging()
            }
            Stage::Answer(question) | Stage::Paused(question) => self.answered(&question, answer),
            Stage::AskedFor(task, failures, left) => self.dispatch_told(*task, failures, left, answer.to_owned()),
            Stage::Found(question) => self.found(&question, answer),
            Stage::Named(name) => {
                self.tally.answers += 1;
                self.bind(&name, Value::Text(answer.to_owned()));
                Flow::Stay
            }
            Stage::Child(child) => self.child_answered(*child, answer),
            _ => Flow::Next,
        }
    }

    /// Goes on with what was looked up or written.
    fn got(&mut self, stage: Stage, outcome: Outcome) -> Flow<'p> {
        self.tally.writes += u64::from(matches!(outcome, Outcome::Written { .. }));
        match (stage, outcome) {
            (Stage::Again, Outcome::Time { at }) => {
                self.world.now = at;
                Flow::Stay
            }
            (Stage::Seen(wanted), Outcome::Seen { there }) => {
                self.lane.flag = there == wanted;
                Flow::Next
            }
            (Stage::Loaded(name), Outcome::Contents { text, .. }) => {
                self.bind(&name, text.map_or(Value::Nothing, Value::Text));
                Flow::Next
            }
            (Stage::Loaded(name), Outcome::Listed { paths }) => {
                self.bind(&name, Value::List(paths.into_iter().map(Value::Text).collect()));
                Flow::Next
            }
            (Stage::LoadedEach(name, read, left), Outcome::Contents { text, sha256 }) => {
                let flow = self.loaded_one(name.clone(), read, left, text);
                match sha256 {
                    Some(sha256) => self.with_hash(flow, &name, sha256),
                    None => flow,
                }
            }
            (Stage::Template(path), Outcome::Contents { text, .. }) => self.fill_template(&path, text.as_deref()),
            (Stage::Ran(command), Outcome::Ran { end, output }) => self.ran(command, &end, output),
            (Stage::AskedFor(task, failures, left), Outcome::Done) => self.ask_for(*task, failures, left),
            (Stage::Again, _) => Flow::Stay,
            (_, _) => Flow::Next,
        }
    }

    /// Keeps the hash of the file that was read last beside its text, which is not all that the file holds.
    fn with_hash(&mut self, mut flow: Flow<'p>, name: &str, sha256: String) -> Flow<'p> {
        let mut bound = None;
        let read = match &mut flow {
            Flow::Wait(_, Stage::LoadedEach(_, read, _)) => Some(read),
            _ => {
                bound = self.bound(name);
                match &mut bound {
                    Some(Value::List(read)) => Some(read),
                    _ => None,
                }
            }
        };
        if let Some(Value::Map(entries)) = read.and_then(|read| read.last_mut()) {
            entries.push(("sha256".to_owned(), Value::Text(sha256)));
        }
        if let Some(value) = bound {
            self.bind(name, value);
        }
        flow
    }

    /// Says how the run ends here.
    pub(super) fn end(&self, kind: EndKind, reason: String, span: Option<Span>) -> End {
        End {
            kind,
            reason,
            place: span.map(|span| self.image.place(span)).unwrap_or_default(),
            stack: self.stack(),
            value: Value::Nothing,
            refused: None,
        }
    }

    /// Returns the workflows that run, the outermost first, each with its step.
    pub(super) fn stack(&self) -> Vec<String> {
        let named = |frame: &Frame<'p>| {
            let workflow = &self.image.workflows[frame.workflow];
            match frame.step {
                Some(step) => format!("{} (step {})", workflow.name, step.label),
                None => workflow.name.clone(),
            }
        };
        let counted = |frame: &&Frame<'p>| frame.kind != Kind::Inside;
        self.lane.frames.iter().filter(counted).map(named).collect()
    }
}
