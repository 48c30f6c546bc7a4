//! The machine: lanes that run until each of them waits, and the outcomes that let them go on.

mod lanes;

use super::budget::CLEANUP;
use super::code::{Image, Op};
use super::effect::{Effect, Failure, Outcome};
use super::end::{End, EndKind, Refused, Tally};
use super::issued::{Issued, Returned};
use super::key::{Inline, Key, fingerprint, written};
use super::known::World;
use super::lane::{Frame, Kind, Lane, Last, Stage, State};
use super::options::Options;
use super::task::{Mode, Task};
use super::walk::{Flow, Walk};
use super::whence::Whence;
use crate::builtins::Value;
use std::collections::VecDeque;

/// How many nodes are run in one go: whoever drives the machine looks around in between.
const STRETCH: u64 = 50_000;

/// A run of a workflow. Pure: it is advanced with outcomes and answers with effects.
#[derive(Debug)]
pub struct Machine<'p> {
    image: &'p Image<'p>,
    options: Options,
    handler: Option<usize>,
    world: World,
    tally: Tally,
    lanes: Vec<Lane<'p>>,
    /// The effects that lanes wait for, each with its lane, in the order they were asked for: few at a time, so that they
    /// are found faster without hashing.
    issued: Vec<(u64, usize)>,
    /// Lanes that can go on, the next one first.
    ready: VecDeque<usize>,
    /// What came back and is taken in later, and what was asked for meanwhile: a lane is still in the middle of a stretch.
    put_off: (VecDeque<Returned>, Vec<Issued>),
    next: u64,
    end: Option<End>,
    /// Room for what effects look like when their digests are made.
    room: Vec<u8>,
}

impl<'p> Machine<'p> {
    /// Makes a machine that runs one workflow of an image, by position.
    pub fn new(image: &'p Image<'p>, workflow: usize, options: Options) -> Self {
        let mut frame = Frame::new(workflow, 0, Kind::Root, image.code(workflow));
        frame.receive(&image.workflows[workflow].inputs, options.inputs.iter().cloned());
        frame.yolo = options.yolo;
        let world = World::of(&options);
        Self {
            image,
            handler: image.handler(),
            options,
            world,
            tally: Tally::default(),
            lanes: vec![Lane::new("0".into(), frame)],
            issued: Vec::new(),
            ready: VecDeque::new(),
            put_off: Default::default(),
            next: 0,
            end: None,
            room: Vec::new(),
        }
    }

    /// Returns how the run ended, once it has.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Returns what was counted so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Says whether it has more to run before it asks for anything: then it is advanced again, with nothing.
    pub fn is_busy(&self) -> bool {
        self.end.is_none() && !self.ready.is_empty()
    }

    /// Hands outcomes over and returns the effects that are asked for next. The first call hands over nothing.
    pub fn advance(&mut self, returned: Vec<Returned>) -> Vec<Issued> {
        let (mut later, mut asked) = std::mem::take(&mut self.put_off);
        // Mostly one comes for each: room for more would be made and thrown away every time.
        asked.reserve_exact(returned.len().max(1));
        if self.next == 0 {
            asked.push(self.issue(0, Effect::Now, Stage::Began));
        }
        let until = self.tally.nodes + STRETCH;
        self.run_ready(until, &mut asked);
        match later.is_empty() {
            true => later = returned.into(),
            false => later.extend(returned),
        }
        while !self.is_busy()
            && let Some(returned) = later.pop_front()
        {
            self.take_in(returned, until, &mut asked);
        }
        if self.end.is_some() {
            asked.clear();
        }
        if self.is_busy() {
            self.put_off = (later, asked);
            return Vec::new();
        }
        asked
    }

    fn take_in(&mut self, returned: Returned, until: u64, asked: &mut Vec<Issued>) {
        let Returned { issued, took, outcome } = returned;
        let Ok(place) = self.issued.binary_search_by_key(&issued.id, |(id, _)| *id) else {
            return;
        };
        let (_, at) = self.issued.remove(place);
        self.lanes[at].charge(took);
        if self.end.is_none() {
            self.resume(at, issued.effect, outcome, asked);
            self.run_ready(until, asked);
        }
    }

    /// Runs the lanes that can go on, as far as one stretch reaches.
    fn run_ready(&mut self, until: u64, asked: &mut Vec<Issued>) {
        while self.tally.nodes < until
            && let Some(at) = self.ready.pop_front()
        {
            self.run(at, until, asked);
        }
    }

    fn resume(&mut self, at: usize, effect: Effect, outcome: Outcome, asked: &mut Vec<Issued>) {
        let State::Waiting(stage) = std::mem::replace(&mut self.lanes[at].state, State::Ready) else {
            return;
        };
        let may_go_well_anew = matches!(stage, Stage::Turn(_) | Stage::Template(_));
        let flow = match (stage, effect, outcome) {
            (Stage::Began, _, Outcome::Time { at }) => {
                self.world.began = at;
                self.world.now = at;
                Flow::Stay
            }
            (Stage::Began, _, _) => Flow::Stay,
            (Stage::Dispatched(failures), Effect::Dispatch(task), outcome) => {
                self.walk(at).dispatched(*task, failures, outcome)
            }
            (stage, _, outcome) => self.walk(at).resume(stage, outcome),
        };
        let refused = may_go_well_anew && matches!(flow, Flow::Fail(_));
        self.apply(at, flow, asked);
        if let Some(end) = self.end.as_mut().filter(|_| refused) {
            end.refused = Some(Refused::Turn(self.lanes[at].id.clone()));
        }
        self.ready.push_back(at);
    }

    fn walk(&mut self, at: usize) -> Walk<'_, 'p> {
        Walk {
            image: self.image,
            options: &self.options,
            handler: self.handler,
            world: &mut self.world,
            tally: &mut self.tally,
            lane: &mut self.lanes[at],
        }
    }

    /// Runs a lane until it waits, or the stretch ends.
    fn run(&mut self, at: usize, until: u64, asked: &mut Vec<Issued>) {
        while self.end.is_none() && matches!(self.lanes[at].state, State::Ready) {
            if self.tally.nodes == until {
                return self.ready.push_front(at);
            }
            self.tally.nodes += 1;
            if self.tally.nodes > self.options.fuel {
                let fuel = self.options.fuel;
                let walk = self.walk(at);
                let step = walk.frame().step.map(|step| step.head);
                self.end = Some(walk.end(
                    EndKind::Limit,
                    format!("ran {fuel} nodes without coming to an end"),
                    step,
                ));
                return;
            }
            let flow = self.walk(at).step();
            self.apply(at, flow, asked);
        }
    }

    fn apply(&mut self, at: usize, flow: Flow<'p>, asked: &mut Vec<Issued>) {
        match flow {
            Flow::Next => self.frame(at).pc += 1,
            Flow::To(pc) => self.frame(at).pc = pc,
            Flow::Stay => {}
            Flow::Wait(effect, stage) => {
                if effect.is_costly()
                    && let Some(failure) = self.out_of_time(at)
                {
                    return self.fail(at, &failure, asked);
                }
                let issued = self.issue(at, effect, stage);
                asked.push(issued);
            }
            Flow::Part(parted) => self.part(at, parted),
            Flow::Finish => self.finish(at),
            Flow::Leave(value) => self.leave(at, value),
            Flow::Fail(failure) => self.fail(at, &failure, asked),
            Flow::Over(end) => self.end = Some(end),
        }
    }

    fn out_of_time(&mut self, at: usize) -> Option<Failure> {
        let workflows = self.image.workflows;
        self.lanes[at].out_of_time(|frame| workflows[frame.workflow].name.clone())
    }

    fn frame(&mut self, at: usize) -> &mut Frame<'p> {
        let frames = &mut self.lanes[at].frames;
        let last = frames.len() - 1;
        &mut frames[last]
    }

    fn issue(&mut self, at: usize, effect: Effect, stage: Stage) -> Issued {
        let fingerprint = fingerprint(&effect, self.options.digests, &mut self.room);
        let digest = written(&fingerprint);
        let walk = self.walk(at);
        let (workflow, step) = (walk.frame().workflow, walk.frame().step);
        let home = self.image.workflows[workflow].home;
        let whence = Whence {
            workflow,
            file: step.map_or(home, |step| step.span.source),
        };
        let step = step.map(|step| Inline::from(step.label.as_str())).unwrap_or_default();
        let lane = &mut self.lanes[at];
        let count = lane.counts.entry(fingerprint).or_insert(0);
        let n = *count;
        *count += 1;
        if let Effect::Dispatch(task) = &effect
            && task.mode == Mode::Session
        {
            lane.session = Some(digest.to_string());
        }
        lane.wait(&effect, stage);
        let left = lane.left().filter(|_| effect.is_costly());
        self.next += 1;
        self.issued.push((self.next, at));
        Issued {
            id: self.next,
            key: Key {
                lane: lane.id.clone(),
                digest,
                n,
            },
            step,
            effect,
            limit: left.map(|left| u32::try_from(left.saturating_sub(CLEANUP).div_ceil(1000)).unwrap_or(u32::MAX)),
            whence,
        }
    }

    /// A protocol, a part of a step or a lane came to its end.
    fn finish(&mut self, at: usize) {
        if self.frame(at).kind != Kind::Inside {
            let last = self.lanes[at].take_last();
            return self.ended(at, last);
        }
        self.pop_inside(at);
        let frame = self.frame(at);
        let (workflow, pc) = (frame.workflow, frame.pc);
        if !matches!(self.image.code(workflow).ops[pc], Op::Produce(..)) {
            self.frame(at).pc += 1;
        }
    }

    /// Gives the variables back to whoever invoked a protocol or a part.
    fn pop_inside(&mut self, at: usize) {
        let Some(inner) = self.lanes[at].frames.pop() else {
            return;
        };
        let outer = self.frame(at);
        outer.variables = inner.variables;
        outer.answer = inner.answer;
        outer.yolo = inner.yolo;
        outer.handed_back.extend(inner.handed_back);
    }

    /// A workflow is left with a value.
    fn leave(&mut self, at: usize, value: Value) {
        while self.frame(at).kind == Kind::Inside {
            self.pop_inside(at);
        }
        let Kind::Call(into) = self.frame(at).kind.clone() else {
            return self.ended(at, value);
        };
        let handed_back = std::mem::take(&mut self.frame(at).handed_back);
        let value = match value {
            Value::Nothing if !handed_back.is_empty() => Value::Map(handed_back.into_iter().collect()),
            value => value,
        };
        self.lanes[at].frames.pop();
        self.lanes[at].last = Last::Value(value.clone());
        if let Some(into) = into {
            self.frame(at).variables.insert(into, value);
        }
        self.frame(at).pc += 1;
    }

    fn ended(&mut self, at: usize, value: Value) {
        if self.lanes[at].parent.is_some() {
            return self.over(at, value);
        }
        let mut end = self.walk(at).end(EndKind::Completed, String::new(), None);
        end.value = value;
        self.end = Some(end);
    }

    fn fail(&mut self, at: usize, failure: &Failure, asked: &mut Vec<Issued>) {
        if let Some(flow) = self.walk(at).child_failed(failure) {
            return self.apply(at, flow, asked);
        }
        if self.lanes[at].parent.is_some() {
            let task = Task {
                agent: self.lanes[at].agent.clone(),
                ..self.walk(at).task()
            };
            self.tally.gaps.push(super::fork::gap(&task, &failure.message));
            let result = super::reply::failed(&task, &failure.message);
            return self.over(at, result);
        }
        let walk = self.walk(at);
        let place = walk.spot();
        let reason = format!("{} ({})", failure.message, failure.kind.name());
        self.end = Some(walk.end(EndKind::Failed, reason, place));
    }
}
