//! What a running workflow is: lanes, their frames, and what each of them waits for. Rebuilt by replay, never saved.

use super::call::Child;
use super::code::Pc;
use super::done::DoneSteps;
use super::effect::{Effect, Write};
use super::envelope::Asked;
use super::key::{Counts, Inline};
use super::question::{Branch, Question};
use super::task::Task;
use super::turn::Taken;
use super::variables::Variables;
use crate::builtins::Value;
use crate::model::{Input, InputKind, Step};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// One line of execution.
#[derive(Debug)]
pub(super) struct Lane<'p> {
    /// Its name: `0`, or that of the lane it parted from, the number of the fork and its own.
    pub(super) id: Inline,
    /// The lane it parted from, and its place there.
    pub(super) parent: Option<(usize, usize)>,
    /// It and the lanes that it parted from, the innermost last.
    pub(super) branches: Vec<Branch>,
    pub(super) frames: Vec<Frame<'p>>,
    /// How deep calls were nested where it parted.
    pub(super) base: u32,
    /// What the last test said.
    pub(super) flag: bool,
    /// What the last element yielded.
    pub(super) last: Last,
    /// Conditions that the last turn judged, by their text as it is written.
    pub(super) judged: HashMap<String, bool>,
    /// What was judged before something changed, by its words.
    pub(super) stale: HashMap<String, bool>,
    /// What the agent said to the person in the turn under way.
    pub(super) said: Vec<String>,
    /// What became of the instructions of the last turn, for whoever judges.
    pub(super) report: String,
    /// How often each digest came up.
    pub(super) counts: Counts,
    /// How often it parted.
    pub(super) forks: u32,
    /// The digest of the last turn of its session.
    pub(super) session: Option<String>,
    /// The agent, in a lane that hands one turn to one of several.
    pub(super) agent: Option<String>,
    /// Whether the time that its operation needs was just asked for.
    pub(super) timed: bool,
    /// Whether it was asked if there is another item.
    pub(super) asked_another: bool,
    /// Whether the operation is done once more when its judgement is there.
    pub(super) stays: bool,
    pub(super) state: State<'p>,
}

/// What an element yielded.
#[derive(Debug)]
pub(super) enum Last {
    /// A value of its own.
    Value(Value),
    /// What this name is bound to.
    Bound(String),
}

impl Default for Last {
    fn default() -> Self {
        Self::Value(Value::Nothing)
    }
}

/// What a lane does now.
#[derive(Debug)]
pub(super) enum State<'p> {
    /// It can go on.
    Ready,
    /// It waits for an effect.
    Waiting(Stage),
    /// It waits for the lanes that parted from it.
    Parted(Parted<'p>),
    /// It has ended.
    Over,
}

/// Lanes that parted from one, and what came of them.
#[derive(Debug)]
pub(super) struct Parted<'p> {
    /// Lanes that have not begun, the next one last.
    pub(super) waiting: Vec<Lane<'p>>,
    /// What each lane yielded, by its place.
    pub(super) results: Vec<Value>,
    /// How many have not ended.
    pub(super) open: usize,
    /// How many run at the same time.
    pub(super) max: usize,
    /// Where the results go.
    pub(super) into: Option<String>,
    /// Where it goes on.
    pub(super) join: Pc,
}

/// How much whoever judges is told of what was done, in bytes.
const MAX_REPORT: usize = 2000;

/// What becomes of the outcome a lane waits for.
#[derive(Debug)]
pub(super) enum Stage {
    /// The time the run began.
    Began,
    /// Nothing: it goes on with the next operation.
    Passed,
    /// The same operation is tried again.
    Again,
    /// Whether something is there sets the flag; turned around where it must not be.
    Seen(bool),
    /// A judgement sets the flag.
    Judged(String),
    /// The person's answer to what nobody could judge sets the flag.
    JudgedByPerson,
    /// An answer sets the flag.
    YesOrNo,
    /// An answer to an ask or a menu.
    Answer(Box<Question>),
    /// An answer to a stop that changes nothing of what was judged before it.
    Paused(Box<Question>),
    /// An answer gives a name a value.
    Named(String),
    /// An answer says where a lost jump leads.
    Found(Box<Question>),
    /// The contents of a file or the paths of a pattern give a name a value.
    Loaded(String),
    /// The contents of several files give a name a value: those that were read, and those that are left.
    LoadedEach(String, Vec<Value>, VecDeque<String>),
    /// A template that text is made from.
    Template(String),
    /// What came of this command.
    Ran(String),
    /// The turn of an agent.
    Turn(Box<Taken>),
    /// A dispatch, and how often it failed.
    Dispatched(u32),
    /// An answer to a question of a dispatched agent: the turn, how often it failed, and the questions that are left.
    AskedFor(Box<Task>, u32, Vec<Asked>),
    /// What to do about a call that failed.
    Child(Box<Child>),
}

/// One workflow that runs.
#[derive(Debug)]
pub(super) struct Frame<'p> {
    /// Which workflow, by position.
    pub(super) workflow: usize,
    /// The workflow whose keys its names mean: its own, or that of whoever invoked a protocol.
    pub(super) scope: usize,
    /// The workflow whose configuration it sees.
    pub(super) configured_as: usize,
    pub(super) pc: Pc,
    pub(super) kind: Kind,
    pub(super) variables: Variables,
    /// What whoever called it says of the call.
    pub(super) said: String,
    /// Whether nothing is confirmed. Only a task that runs workflows knows it, by the name `mode`.
    pub(super) yolo: bool,
    pub(super) marks: Vec<bool>,
    pub(super) loops: Vec<Pass>,
    pub(super) step: Option<&'p Step>,
    /// The steps that are done.
    pub(super) done: DoneSteps,
    pub(super) answer: Option<String>,
    /// Names that an operation asked the agent for because a text leaves them open, each with that operation.
    pub(super) filled: HashMap<String, Pc>,
    /// Calls that a person skipped.
    pub(super) unvalidated: Vec<String>,
    /// How many milliseconds its agents may still take, where that is limited.
    pub(super) left: Option<u64>,
    /// The files that were written beside the document.
    pub(super) artefacts: BTreeSet<String>,
    /// How often in a row an answer fitted nothing.
    pub(super) misses: u32,
    /// Content of sections that is not saved yet, and what was saved, by name.
    pub(super) sections: BTreeMap<String, String>,
    pub(super) saved: BTreeMap<String, String>,
    /// What it hands back by name to whoever called it.
    pub(super) handed_back: BTreeMap<String, Value>,
    /// The document, once it was begun.
    pub(super) document: Option<String>,
    /// Whether the document was told that the workflow ends.
    pub(super) closed: bool,
    pub(super) saving: Option<Saving>,
    /// Places and states that jumps led to, to see when nothing changes any more.
    pub(super) seen: HashSet<(Pc, u64)>,
}

/// Why a frame is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// The outermost workflow, or the body of a lane.
    Root,
    /// A call: where its value goes.
    Call(Option<String>),
    /// A protocol or a handler, in the scope of whoever invoked it.
    Inside,
}

/// How far a loop is.
#[derive(Debug, Clone, Default)]
pub(super) struct Pass {
    /// How many passes began.
    pub(super) count: u64,
    /// The items, where it goes over a list; shared, since every lane has them.
    pub(super) items: Option<std::sync::Arc<Vec<Value>>>,
    /// Whether the items are the configuration's own.
    pub(super) configured: bool,
}

/// How far the saving of sections is.
#[derive(Debug, Default)]
pub(super) struct Saving {
    /// Where they go.
    pub(super) path: Option<String>,
    /// Whether the document was begun from its template.
    pub(super) begun: bool,
    /// Writes that are left, the next one last.
    pub(super) writes: Vec<Write>,
    /// Whether the writes were made.
    pub(super) written: bool,
    /// For how many of the sections the checkpoint handler ran.
    pub(super) handled: usize,
    /// The section and its content, as the handler was given them.
    pub(super) section: Option<(String, String)>,
}

impl<'p> Frame<'p> {
    pub(super) fn new(workflow: usize, pc: Pc, kind: Kind, code: &super::code::Code<'p>) -> Self {
        Self {
            workflow,
            scope: workflow,
            configured_as: workflow,
            pc,
            kind,
            variables: Variables::default(),
            said: String::new(),
            yolo: false,
            marks: vec![false; code.marks],
            loops: vec![Pass::default(); code.loops],
            step: None,
            done: DoneSteps::default(),
            answer: None,
            filled: HashMap::new(),
            unvalidated: Vec::new(),
            left: None,
            artefacts: BTreeSet::new(),
            misses: 0,
            sections: BTreeMap::new(),
            saved: BTreeMap::new(),
            handed_back: BTreeMap::new(),
            document: None,
            closed: false,
            saving: None,
            seen: HashSet::new(),
        }
    }

    /// Gives the inputs of a workflow their values: what it is given, otherwise what they are by default.
    pub(super) fn receive(&mut self, inputs: &[Input], given: impl IntoIterator<Item = (String, Value)>) {
        let defaults = inputs
            .iter()
            .filter_map(|input| Some((input.name.clone(), Value::Text(input.default.clone()?))));
        self.variables.extend(defaults);
        for (name, value) in given {
            self.variables.receive(name, value);
        }
        for input in inputs.iter().filter(|input| input.kind == InputKind::Files) {
            if let Some(Value::Text(lines)) = self.variables.get(&input.name) {
                let paths = lines.lines().map(str::trim).filter(|line| !line.is_empty());
                let paths = Value::List(paths.map(Value::from).collect());
                self.variables.insert(input.name.clone(), paths);
            }
        }
    }

    /// Makes the frame of a lane that parts from this one: its own copy of the variables, nothing else.
    pub(super) fn parted(&self, pc: Pc) -> Self {
        Self {
            workflow: self.workflow,
            scope: self.scope,
            configured_as: self.configured_as,
            pc,
            kind: Kind::Root,
            variables: self.variables.clone(),
            said: self.said.clone(),
            yolo: self.yolo,
            marks: self.marks.clone(),
            loops: self.loops.clone(),
            step: self.step,
            done: self.done.clone(),
            answer: self.answer.clone(),
            filled: self.filled.clone(),
            unvalidated: self.unvalidated.clone(),
            left: None,
            artefacts: BTreeSet::new(),
            misses: 0,
            sections: BTreeMap::new(),
            saved: self.saved.clone(),
            handed_back: BTreeMap::new(),
            document: self.document.clone(),
            closed: true,
            saving: None,
            seen: HashSet::new(),
        }
    }
}

impl<'p> Lane<'p> {
    /// Waits for an effect. What was judged before holds no longer where it changes something or a person answers.
    pub(super) fn wait(&mut self, effect: &Effect, stage: Stage) {
        let is_judging = matches!(stage, Stage::JudgedByPerson | Stage::Paused(_));
        if effect.changes() || (matches!(effect, Effect::Ask(_)) && !is_judging) {
            self.stale.extend(self.judged.drain());
        }
        self.state = State::Waiting(stage);
    }

    /// Notes what a turn did, behind what those before it did as long as that is little.
    pub(super) fn note(&mut self, report: &str) {
        if self.report.len() + report.len() > MAX_REPORT {
            self.report.clear();
        }
        if !self.report.is_empty() {
            self.report.push('\n');
        }
        self.report.push_str(report);
    }

    /// Returns what a text says to the person that was not said before in the same turn, and notes it. An agent that gets a
    /// turn again with the answers to its questions often repeats what it said before them.
    pub(super) fn news(&mut self, text: &str) -> Option<String> {
        let rest = self.unsaid(text);
        if rest.is_empty() {
            return None;
        }
        let whole = rest.len() == text.trim().len();
        let news = if whole { text } else { rest }.to_owned();
        self.said.push(news.clone());
        Some(news)
    }

    /// Says whether a text says anything that was not said before in the same turn.
    pub(super) fn is_news(&self, text: &str) -> bool {
        !self.unsaid(text).is_empty()
    }

    /// Returns what is left of a text without what it repeats.
    fn unsaid<'t>(&self, text: &'t str) -> &'t str {
        let mut rest = text.trim();
        for said in &self.said {
            let behind = rest.strip_prefix(said.trim());
            // What goes on in the middle of a line is another text.
            let behind = behind.filter(|behind| behind.is_empty() || behind.starts_with('\n'));
            rest = behind.map_or(rest, str::trim);
        }
        rest
    }

    /// Takes what the last element yielded.
    pub(super) fn take_last(&mut self) -> Value {
        match std::mem::take(&mut self.last) {
            Last::Value(value) => value,
            Last::Bound(name) => {
                let bound = self.frames.last().and_then(|frame| frame.variables.get(&name));
                bound.cloned().unwrap_or_default()
            }
        }
    }

    pub(super) fn new(id: Inline, frame: Frame<'p>) -> Self {
        Self {
            id,
            parent: None,
            branches: Vec::new(),
            frames: vec![frame],
            base: 0,
            flag: false,
            last: Last::default(),
            judged: HashMap::new(),
            stale: HashMap::new(),
            said: Vec::new(),
            report: String::new(),
            counts: Counts::default(),
            forks: 0,
            session: None,
            agent: None,
            timed: false,
            asked_another: false,
            stays: false,
            state: State::Ready,
        }
    }
}
