//! Lanes that part and meet, and turns handed to agents by name.

use super::code::{Fork, Pc};
use super::effect::{Effect, FailureKind, Outcome};
use super::end::EndKind;
use super::envelope::Asked;
use super::fields::fields;
use super::lane::{Lane, Last, Parted, Stage};
use super::question::Branch;
use super::reply::{failed, reply, tells_nothing};
use super::task::{Mode, Task, Wanted};
use super::walk::{Flow, Walk};
use crate::builtins::Value;
use crate::model::{Dispatch, Words};
use crate::source::{Span, sha256};
use std::borrow::Cow;
use std::collections::HashMap;

/// How many answers an agent may ask for in one turn.
const MAX_ANSWERED: usize = 50;
/// What is wrong with a report without it.
const UNTOLD: &str = "the reply has no `findings`; where nothing was found, they are an empty list";
/// The most lanes of one fork.
const MAX_LANES: usize = 10_000;

/// The names of lanes of a list: what is done for an item is found again wherever it stands in the list.
#[derive(Default)]
struct Names(HashMap<String, u32>);

impl Names {
    /// Returns the name of the lane for the next item; the second lane for the same has another.
    fn of(&mut self, item: &str) -> String {
        let name = sha256(item.as_bytes())[..12].to_owned();
        let count = self.0.entry(name.clone()).or_default();
        *count += 1;
        match *count {
            1 => name,
            count => format!("{name}x{count}"),
        }
    }
}

impl Lane<'_> {
    /// Notes what a lane is for, among others that do the same.
    fn is_for(&mut self, item: &str) {
        if let Some(own) = self.branches.last_mut() {
            own.is_for(item);
        }
    }
}

impl<'p> Walk<'_, 'p> {
    pub(super) fn fork(&mut self, fork: &'p Fork<'p>) -> Flow<'p> {
        let mut lanes = Vec::new();
        self.lane.forks += 1;
        match fork.each {
            Some((item, list)) => {
                self.note_undefined(&list.text, list.span);
                let (items, configured) = self.items(&list.text, true);
                let items = items.unwrap_or_default();
                self.leave_out(items.len(), list.span);
                let body = fork.lanes.first().map_or(fork.join, |(pc, _)| *pc);
                let mut names = Names::default();
                for (at, value) in items.into_iter().take(MAX_LANES).enumerate() {
                    let words = value.to_string();
                    let mut lane = match self.options.by_item {
                        true => self.lane_named(body, at, &names.of(&words)),
                        false => self.parted(body, at),
                    };
                    lane.is_for(&words);
                    let variables = &mut lane.frames[0].variables;
                    match configured {
                        true => variables.configure(item, value),
                        false => variables.give(item, value),
                    }
                    lanes.push(lane);
                }
            }
            None => {
                for (pc, mark) in &fork.lanes {
                    if mark.is_none_or(|mark| self.frame().marks[mark]) {
                        lanes.push(self.parted(*pc, lanes.len()));
                    }
                }
            }
        }
        if let Some(index) = fork.index {
            for (at, lane) in lanes.iter_mut().enumerate() {
                lane.frames[0]
                    .variables
                    .insert(index.to_owned(), Value::Number(at as f64 + 1.0));
            }
        }
        let max = self.at_once(fork.max);
        self.part(lanes, max, fork.into.map(|into| into.text.clone()), fork.join)
    }

    /// Says what is missing where there are more items than lanes.
    fn leave_out(&mut self, count: usize, span: Span) {
        if count > MAX_LANES {
            let (left, place) = (count - MAX_LANES, self.image.place(span));
            let gap = format!("{left} of {count} items: a fork has at most {MAX_LANES} lanes ({place})");
            self.tally.gaps.push(gap);
        }
    }

    fn at_once(&self, max: Option<&Words>) -> usize {
        let given = max.and_then(|max| self.value(&max.text).number());
        given.map_or(self.options.lanes, |max| (max as usize).max(1))
    }

    /// Makes a lane that parts from this one and is known by its place.
    fn parted(&self, pc: Pc, at: usize) -> Lane<'p> {
        self.lane_named(pc, at, &(at + 1).to_string())
    }

    /// Makes a lane that parts from this one and is known by a name. People know it by its place.
    fn lane_named(&self, pc: Pc, at: usize, name: &str) -> Lane<'p> {
        let forks = self.lane.forks;
        let id = format!("{}.{forks}.{name}", self.lane.id);
        let mut lane = Lane::new(id.as_str().into(), self.frame().parted(pc));
        lane.base = self.depth();
        lane.branches.clone_from(&self.lane.branches);
        let above = self.lane.branches.last().map_or("0", |above| above.lane.as_str());
        lane.branches.push(Branch {
            lane: format!("{above}.{forks}.{}", at + 1),
            at,
            ..Branch::default()
        });
        lane
    }

    fn part(&mut self, mut lanes: Vec<Lane<'p>>, max: usize, into: Option<String>, join: Pc) -> Flow<'p> {
        let count = lanes.len();
        for (at, lane) in lanes.iter_mut().enumerate() {
            lane.parent = Some((0, at));
            if let Some(own) = lane.branches.last_mut() {
                own.of = count;
                let noted = self.options.notes_lanes.then(|| (lane.id.clone(), own.clone()));
                self.tally.lanes.extend(noted);
            }
        }
        lanes.reverse();
        Flow::Part(Parted {
            waiting: lanes,
            results: vec![Value::Nothing; count],
            open: count,
            max,
            into,
            join,
        })
    }

    pub(super) fn dispatch(&mut self, dispatch: &'p Dispatch) -> Flow<'p> {
        if let Some(agent) = self.lane.agent.clone() {
            return self.hand(dispatch, Some(agent));
        }
        let mut named = dispatch.agents.iter().map(|agent| agent.text.as_str());
        if let Some(flow) = named.find_map(|agent| self.undefined(agent, "an agent's name")) {
            return flow;
        }
        let agents = self.agents(dispatch);
        self.leave_out(agents.len(), dispatch.text);
        if !dispatch.several {
            return self.hand(dispatch, agents.into_iter().next());
        }
        self.lane.forks += 1;
        let pc = self.frame().pc;
        let lanes = agents.into_iter().take(MAX_LANES).enumerate().map(|(at, agent)| {
            let mut lane = self.parted(pc, at);
            lane.is_for(&agent);
            lane.agent = Some(agent);
            lane
        });
        let lanes = lanes.collect();
        let max = self.at_once(dispatch.max.as_ref());
        let into = dispatch.into.as_ref().map(|into| into.text.clone());
        self.part(lanes, max, into, pc + 1)
    }

    fn agents(&self, dispatch: &'p Dispatch) -> Vec<String> {
        let mut names = Vec::new();
        for agent in &dispatch.agents {
            match self.value(&agent.text) {
                Value::List(items) => names.extend(items.iter().map(Value::to_string)),
                Value::Nothing => {}
                value => names.extend(value.to_string().split(',').map(|name| name.trim().to_owned())),
            }
        }
        names.retain(|name| !name.is_empty());
        names
    }

    fn hand(&mut self, dispatch: &'p Dispatch, agent: Option<String>) -> Flow<'p> {
        match self.handed(dispatch, agent) {
            Ok(task) => {
                self.lane.said.clear();
                self.send_dispatch(task, 0)
            }
            Err(reason) => Flow::Over(self.end(EndKind::Failed, reason, Some(dispatch.text))),
        }
    }

    /// Makes the turn of a dispatch, or says what is wrong with an attribute.
    fn handed(&self, dispatch: &'p Dispatch, agent: Option<String>) -> Result<Task, String> {
        let prompt = trimmed(self.words(dispatch.text));
        let word = |words: &'p Option<Words>| words.as_ref().map(|words| self.word(&words.text));
        Ok(Task {
            persona: agent.as_deref().map(|agent| self.persona(agent)).unwrap_or_default(),
            agent,
            wanted: Wanted {
                fields: fields(&prompt),
                ..Wanted::default()
            },
            prompt,
            params: self.params(&dispatch.params),
            mode: self.mode(dispatch.mode.as_ref())?,
            access: self.access(dispatch.access.as_ref())?,
            model: word(&dispatch.model)
                .filter(|model| !model.is_empty() && !model.contains('{'))
                .map(Cow::into_owned),
            timeout: self.seconds(dispatch.timeout.as_ref())?,
            ..self.task()
        })
    }

    fn send_dispatch(&mut self, mut task: Task, failures: u32) -> Flow<'p> {
        if task.mode == Mode::Session {
            task.after.clone_from(&self.lane.session);
        }
        Flow::Wait(Effect::Dispatch(Box::new(task)), Stage::Dispatched(failures))
    }

    /// Returns who an agent is, in the words of its own file.
    fn persona(&self, name: &str) -> String {
        let (module, short) = name
            .split_once(':')
            .map_or((None, name), |(module, name)| (Some(module), name));
        let agents = &self.image.library.agents;
        let found = agents
            .iter()
            .find(|agent| agent.name == short && module.is_none_or(|module| agent.module.as_deref() == Some(module)));
        let Some(found) = found else {
            return String::new();
        };
        let document = self.image.library.document(found.source);
        document.source.slice(document.body()).trim().to_owned()
    }

    /// Puts the questions of an agent to the person, one by one; then it gets the turn again.
    pub(super) fn ask_for(&mut self, task: Task, failures: u32, left: Vec<Asked>) -> Flow<'p> {
        let Some(asked) = left.first() else {
            return self.send_dispatch(task, failures);
        };
        let question = self.question_of_agent(asked);
        Flow::Wait(
            Effect::Ask(Box::new(question)),
            Stage::AskedFor(Box::new(task), failures, left),
        )
    }

    /// Takes an answer to a question of an agent.
    pub(super) fn dispatch_told(
        &mut self,
        mut task: Task,
        failures: u32,
        mut left: Vec<Asked>,
        answer: String,
    ) -> Flow<'p> {
        self.tally.answers += 1;
        let asked = left.remove(0);
        let answer = asked.meant(&answer);
        task.answered.push((asked.question, answer));
        self.ask_for(task, failures, left)
    }

    /// A turn that nobody took does not stop the workflow; what it would have yielded is missing.
    fn unanswered(&mut self, task: &Task, why: &str) -> Value {
        self.tally.gaps.push(gap(task, why));
        failed(task, why)
    }

    /// Takes the reply to a dispatch; an agent that fails is tried once more.
    pub(super) fn dispatched(&mut self, mut task: Task, failures: u32, outcome: Outcome) -> Flow<'p> {
        let reply = match outcome {
            Outcome::Replied(envelope) if !envelope.asks.is_empty() && task.answered.len() < MAX_ANSWERED => {
                self.tally.turns += 1;
                return match self.says_before(&envelope.text) {
                    Some(text) => {
                        let stage = Stage::AskedFor(Box::new(task), failures, envelope.asks);
                        Flow::Wait(Effect::Show { text }, stage)
                    }
                    None => self.ask_for(task, failures, envelope.asks),
                };
            }
            Outcome::Replied(envelope) if !envelope.asks.is_empty() => {
                self.unanswered(&task, "it came back with questions again and again")
            }
            Outcome::Replied(envelope) => {
                self.tally.turns += 1;
                let reply = reply(&task, *envelope);
                match tells_nothing(&task, &reply) {
                    true if failures == 0 => {
                        task.attempt = 2;
                        task.again = vec![UNTOLD.to_owned()];
                        return self.send_dispatch(task, 1);
                    }
                    true => self.unanswered(&task, UNTOLD),
                    false => reply,
                }
            }
            Outcome::Failed(failure) if failures == 0 && is_worth_again(failure.kind) => {
                task.attempt = 2;
                task.again = vec![failure.message];
                return self.send_dispatch(task, 1);
            }
            Outcome::Failed(failure) => self.unanswered(&task, &failure.message),
            _ => self.unanswered(&task, "no reply"),
        };
        if self.lane.agent.is_some() {
            self.lane.last = Last::Value(reply);
            return Flow::Finish;
        }
        match self.op() {
            super::code::Op::Dispatch(Dispatch { into: Some(into), .. }) => self.bind(&into.text, reply),
            _ => self.lane.last = Last::Value(reply),
        }
        Flow::Next
    }
}

/// Says whether the same turn may go well the next time. What took too long is not repeated without a word: it may have
/// done everything but the reply.
fn is_worth_again(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Crashed
        | FailureKind::Malformed
        | FailureKind::Files
        | FailureKind::Escapes
        | FailureKind::Missing
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::Stuck => true,
        FailureKind::Denied
        | FailureKind::Timeout
        | FailureKind::Limit
        | FailureKind::Auth
        | FailureKind::TooLong
        | FailureKind::Refused => false,
    }
}

/// Takes the space around a text away, in place: prompts are long.
fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    let space = text.len() - text.trim_start().len();
    text.drain(..space);
    text
}

/// Says of a turn that nobody took what is missing.
pub(super) fn gap(task: &Task, why: &str) -> String {
    let who = task.agent.as_deref().unwrap_or("the agent");
    format!("{} step {}: the turn of {who} ({why})", task.workflow, task.step)
}
