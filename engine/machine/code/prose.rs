//! Prose to turns, and what its sentences say about control flow to operations after them.

use super::acting::{acts, is_halt, is_same_case};
use super::compile::Compiler;
use super::guard::{Guard, is_sure};
use super::questions::Questions;
use super::statement::{Put, Statement};
use super::{Op, Pc, Turn};
use crate::graph::{Want, is_way_on};
use crate::model::{
    Act, Branch, Instruction, Lift, LiftKind, Origin, Place, Resolution, Role, Scope, Test, is_heading_of_rules,
};
use crate::source::{SourceId, Span};
use crate::syntax::Heading;

impl<'p> Compiler<'p> {
    /// Prose with tags nested in it: text and tags take turns, in the order they are written.
    pub(super) fn prose(
        &mut self,
        text: Span,
        lifts: &'p [Lift],
        body: &'p [Instruction],
        next: Option<&'p Instruction>,
    ) {
        let mut start = text.start;
        let mut left: Vec<&'p Lift> = lifts.iter().collect();
        for nested in body {
            let end = nested.span.start.clamp(start, text.end);
            let (inside, rest) = left
                .into_iter()
                .partition(|lift| (start..end).contains(&lift.span.start));
            left = rest;
            self.piece(Span { start, end, ..text }, inside, Some(nested));
            self.body(std::slice::from_ref(nested));
            start = nested.span.end.max(start);
        }
        let end = text.end.max(start);
        // What only the frontmatter of a file says stands outside of the text, and comes last.
        self.piece(Span { start, end, ..text }, left, next);
    }

    fn piece(&mut self, span: Span, lifts: Vec<&'p Lift>, next: Option<&'p Instruction>) {
        let (span, lifts) = match self.told_after_rounds() {
            Some(later) if later.source == span.source => (
                Span {
                    end: span.end.min(later.start).max(span.start),
                    ..span
                },
                lifts.into_iter().filter(|lift| !later.contains(lift.span)).collect(),
            ),
            _ => (span, lifts),
        };
        let says = self.library.slice(span).chars().any(char::is_alphanumeric);
        let is_chained = next.is_none() && self.chained(span, &lifts);
        if !is_chained && (says || !lifts.is_empty()) {
            self.turn(span, &lifts, next);
        }
    }

    /// Instructions for the agent, and what follows from them. A call among them parts the words before it from those
    /// behind it, which may speak of what came back. So does a case that is settled first.
    pub(super) fn turn(&mut self, text: Span, lifts: &[&'p Lift], next: Option<&'p Instruction>) {
        // Before a question a stop means to wait for the answer.
        let waits = |lift: &Lift| lift.is_plain_halt() && next.is_some_and(asks_itself);
        let (waits, lifts): (Vec<&'p Lift>, Vec<&'p Lift>) = lifts.iter().copied().partition(|lift| waits(lift));
        let listed = self.listed(&lifts, text);
        let is_made = |lift: &&'p Lift| acts(lift) && !self.is_told(lift, text) && !listed.contains(&lift.span);
        let mut acts: Vec<&'p Lift> = lifts.iter().copied().filter(is_made).collect();
        // Who did not stop for a case is not asked about it twice: `If it is gone: HALT. Say so and STOP.`
        acts.dedup_by(|later, first| is_halt(later) && is_halt(first) && is_same_case(later, first));
        let others = Questions::of(&lifts);
        let asked = |lift: &&'p Lift| Some((lift.span, self.put(lift, text, &lifts, &others)?));
        let is_put = |(_, put): &(Span, Put)| put.stops || !next.is_some_and(asks_itself);
        let asks: Vec<(Span, Put)> = lifts.iter().filter_map(asked).filter(is_put).collect();
        let is_asked =
            !asks.is_empty() || next.is_some_and(asks_itself) || lifts.iter().any(|lift| lift.kind == LiftKind::Ask);
        let guard = |lift: &&'p Lift| self.guard(lift, text, &acts)?.judged_if(is_asked);
        let guards: Vec<Option<Guard>> = acts.iter().map(guard).collect();
        let mut acts: Vec<(&'p Lift, Option<Guard>)> = acts.into_iter().zip(guards).collect();
        let mut whole = Part {
            text,
            lifts,
            waits,
            asks,
            acts: Vec::new(),
        };
        let is_call = |(lift, guard): &(&'p Lift, Option<Guard>)| guard.is_none() && self.comes_back(lift);
        let calls = acts.iter().filter(|act| is_call(act));
        let calls = calls.map(|(lift, _)| (lift.span.start, Some(*lift)));
        let stops = whole.asks.iter().filter_map(|ask| self.behind_stop(ask, text));
        let ends = self.firsts(&acts, text).into_iter().chain(stops);
        let mut cuts: Vec<(u32, Option<&'p Lift>)> = calls.chain(ends.map(|end| (end, None))).collect();
        cuts.sort_by_key(|(at, _)| *at);
        for (at, call) in cuts {
            let (ahead, behind) = match call {
                Some(call) => (self.ahead(call, whole.text), self.behind(call, whole.text)),
                None => part_at(whole.text, at),
            };
            let Some(behind) = behind else {
                continue;
            };
            let is_later = |(lift, _): &(&'p Lift, _)| !(text.start..at).contains(&lift.span.start);
            let later = acts.split_off(acts.iter().position(is_later).unwrap_or(acts.len()));
            let mut before = whole.until(ahead);
            let made = usize::from(call.is_some());
            before.acts = std::mem::replace(&mut acts, later.into_iter().skip(made).collect());
            match self.says(before.text) {
                true => self.part(before, None),
                false => self.guarded(before.acts, None),
            }
            if let Some(call) = call {
                self.lifted(call);
            }
            whole.text = behind;
        }
        whole.acts = acts;
        match whole.text == text || self.says(whole.text) {
            true => self.part(whole, next),
            false => self.guarded(whole.acts, None),
        }
    }

    /// One instruction for the agent, joined to the turn before it where nothing stands between, and what follows from it.
    fn part(&mut self, part: Part<'p>, next: Option<&'p Instruction>) {
        let Part {
            text,
            lifts,
            waits,
            asks,
            acts,
        } = part;
        let conditions: Vec<Statement> = acts
            .iter()
            .filter_map(|(_, guard)| guard.as_ref()?.statement())
            .collect();
        let sure = acts.iter().filter(|(_, guard)| is_sure(guard));
        let left = self.left(text, &sure.map(|(lift, _)| *lift).collect::<Vec<_>>());
        let left = self.without_hollow(left);
        let after = next.and_then(|next| next.condition.as_ref());
        let judged = after.filter(|condition| matches!(condition.test, Test::Judged(_)));
        let known: Vec<&'p Lift> = acts.iter().map(|(lift, _)| *lift).chain(waits).collect();
        let is_said = left.is_empty() || self.is_all_said(text, known);
        if is_said && conditions.is_empty() && judged.is_none() {
            return self.guarded(acts, None);
        }
        let found = self.found(text);
        let at = match self.open {
            Some(at) => at,
            None => self.emit(Op::Turn(Turn::default())),
        };
        if let Op::Turn(turn) = &mut self.code.ops[at] {
            match left.is_empty() {
                true => turn.orders.push(text),
                false => turn.orders.extend(left),
            }
            turn.conditions.extend(conditions);
            turn.conditions
                .extend(judged.map(|condition| Statement::Words(condition.span)));
            for (_, ask) in asks.iter().filter(|(_, ask)| !ask.pauses) {
                if !turn.asks.contains(&ask.words) {
                    turn.asks.push(ask.words);
                }
            }
            turn.gives.extend(lifts.iter().filter_map(|lift| lift.kind.gives()));
            turn.gives.extend(&found);
            turn.shows.extend(found);
            let stores = lifts.iter().filter(|lift| lift.condition.is_none());
            turn.stores.extend(stores.filter_map(|lift| match &lift.kind {
                LiftKind::Store { name } => Some(name.as_str()),
                _ => None,
            }));
        }
        let stops = asks.iter().any(|(_, ask)| ask.stops);
        self.open = (acts.is_empty() && !stops).then_some(at);
        for (_, stop) in asks.iter().filter(|(_, ask)| ask.pauses) {
            self.ready(stop.words, Some(at));
        }
        if acts.is_empty() && asks.is_empty() && next.is_none() {
            self.ready_behind(text, at);
        }
        self.guarded(self.rows_first(acts), Some(at));
    }

    /// Returns where the work begins that stands under another heading behind a stop: nobody is told it before.
    fn behind_stop(&self, (stop, put): &(Span, Put), text: Span) -> Option<u32> {
        let headings = &self.library.document(stop.source).parsed.markdown.headings;
        let is_behind = |heading: &&Heading| heading.span.start > stop.end && heading.span.end <= text.end;
        let is_work = |heading: &&Heading| !is_heading_of_rules(self.library.slice(heading.span));
        let next = headings.iter().filter(is_behind).find(is_work)?.span.start;
        let rest = self.library.slice(Span { start: next, ..text });
        // What only leads to a menu says nothing without it.
        let is_lead = |line: &str| line.starts_with('#') || line.trim_end_matches(['*', '_', '"', ' ']).ends_with(':');
        let says = rest
            .lines()
            .any(|line| line.contains(char::is_alphanumeric) && !is_lead(line));
        (put.stops && says).then_some(next)
    }

    /// Settles the rows of a table before the person is asked to go on with work that is not done yet.
    fn rows_first(&self, mut acts: Vec<(&'p Lift, Option<Guard>)>) -> Vec<(&'p Lift, Option<Guard>)> {
        let is_due = |(_, guard): &(_, Option<Guard>)| matches!(guard, Some(Guard::Due(..)));
        let Some(at) = acts.iter().position(is_due) else {
            return acts;
        };
        let mut behind = acts[at + 1..].iter().map(|(lift, _)| self.is_bare_row(lift)).peekable();
        if behind.peek().is_some()
            && behind.all(|is_row| is_row)
            && let Some(Guard::Due(words, shown)) = acts[at].1
        {
            acts[at].1 = Some(Guard::Judged(Statement::Words(words)));
            acts.push((acts[at].0, Some(Guard::Said(shown))));
        }
        acts
    }

    /// Does what lifts say, each where its words hold; `turn` is the one that told them.
    fn guarded(&mut self, acts: Vec<(&'p Lift, Option<Guard>)>, turn: Option<Pc>) {
        let leave_rest: Vec<bool> = acts
            .iter()
            .map(|(_, guard)| matches!(guard, Some(Guard::Otherwise)))
            .collect();
        let mut before = None;
        for (at, (lift, guard)) in acts.into_iter().enumerate() {
            let mark = leave_rest.get(at + 1).is_some_and(|rest| *rest).then(|| self.mark());
            if let Some(mark) = mark {
                self.emit(Op::Mark(mark, false));
            }
            let skip = guard.and_then(|guard| match guard {
                Guard::Judged(statement) => {
                    self.emit(Op::Judge(statement));
                    Some(self.emit(Op::Unless(0)))
                }
                Guard::Test(condition) => {
                    self.emit(Op::Decide(condition));
                    Some(self.emit(Op::Unless(0)))
                }
                Guard::Otherwise => before.map(|mark| self.emit(Op::WhenMarked(mark, 0))),
                Guard::Said(words) | Guard::Awaited(words) => {
                    self.ready(words, turn);
                    None
                }
                Guard::Due(words, shown) => {
                    self.emit(Op::Judge(Statement::Words(words)));
                    let due = self.emit(Op::When(0));
                    self.ready(shown, turn);
                    self.bind([due]);
                    None
                }
            });
            if let Some(mark) = mark {
                self.emit(Op::Mark(mark, true));
            }
            self.lifted(lift);
            self.bind(skip);
            before = mark;
        }
    }

    /// Says whether a text says nothing but what the engine does itself, so that nothing is left for an agent.
    fn is_all_said(&self, text: Span, mut known: Vec<&'p Lift>) -> bool {
        known.sort_by_key(|lift| lift.span.start);
        let mut start = text.start;
        let mut says = false;
        for end in known.iter().map(|lift| lift.span).chain([Span {
            start: text.end,
            ..text
        }]) {
            let between = self.library.slice(Span {
                start,
                end: end.start.max(start),
                ..text
            });
            let mut lines = between.lines().filter(|line| !line.trim_start().starts_with('#'));
            says |= lines.any(|line| line.contains(char::is_alphanumeric));
            start = end.end.max(start);
        }
        !known.is_empty() && !says
    }

    pub(super) fn lifted(&mut self, lift: &'p Lift) {
        match &lift.kind {
            LiftKind::Goto { label, label_span, .. } => {
                self.jump(Want::Label(self.origin, label.clone()), label, *label_span);
            }
            LiftKind::Section { anchor, .. } => {
                self.jump(Want::Anchor(anchor.clone()), anchor, lift.span);
            }
            LiftKind::Halt { .. } if lift.kind.ends_well() => {
                self.emit(Op::Exit);
            }
            LiftKind::Halt { reason } => {
                self.emit(Op::Halt(reason, lift.span));
            }
            LiftKind::Exit | LiftKind::Return => {
                self.emit(Op::Exit);
            }
            LiftKind::Set {
                name,
                value,
                value_span,
            } => {
                let derived = self.valued(*value_span);
                self.emit(Op::SetProse(name, value, derived));
            }
            LiftKind::Follow { target, target_span } => {
                self.emit(Op::Follow(target, *target_span, self.order(lift)));
            }
            LiftKind::Skill { name } => {
                self.emit(Op::Skill(name, lift.span, self.order(lift)));
            }
            LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => {}
        }
    }

    /// Says whether a branch is the one that leads on: not where it only skips the rest of the step.
    pub(super) fn is_way_on(&self, branch: &Branch) -> bool {
        is_way_on(self.library, branch, &mut |target, span| self.is_own_step(target, span))
    }

    pub(super) fn is_amid_headings(&self) -> bool {
        let next = self.workflow.steps.get(self.step + 1);
        next.is_some_and(|next| next.origin == Origin::Heading)
    }

    pub(super) fn is_own_step(&self, target: &str, span: Span) -> bool {
        let named = || self.workflow.named_file(self.library, target);
        self.file(target, span).or_else(named).is_some_and(|file| {
            let document = self.library.document(file);
            self.workflow.files.contains(&file) && document.role == Role::StepFile && !document.is_worker()
        })
    }

    pub(super) fn file(&self, text: &str, span: Span) -> Option<SourceId> {
        let scope = Scope::new(self.library, Some(self.workflow), span.source);
        let home = self.library.source(self.workflow.home).path().folder();
        let place = Place {
            file: self.library.source(span.source).path(),
            home: &home,
        };
        match self.library.resolve(text, place, &scope) {
            Resolution::Found(path) => self.library.at(&path).map(|document| document.source.id()),
            Resolution::Missing(_)
            | Resolution::Dynamic
            | Resolution::Outside
            | Resolution::UnknownModule(_)
            | Resolution::Escapes => None,
        }
    }
}

/// A text, or what of it stands before a call or behind one.
struct Part<'p> {
    text: Span,
    /// What is said in it, without the stops that only wait for an answer.
    lifts: Vec<&'p Lift>,
    /// Those stops.
    waits: Vec<&'p Lift>,
    /// Its questions: where each stands, and its words.
    asks: Vec<(Span, Put)>,
    /// What the engine does because of it, and what decides whether.
    acts: Vec<(&'p Lift, Option<Guard>)>,
}

impl Part<'_> {
    /// Takes off what stands up to the end of some text, without what the engine does because of it.
    fn until(&mut self, text: Span) -> Self {
        let later = |start: u32| start >= text.end;
        Self {
            text,
            lifts: self.lifts.extract_if(.., |lift| !later(lift.span.start)).collect(),
            waits: self.waits.extract_if(.., |lift| !later(lift.span.start)).collect(),
            asks: self.asks.extract_if(.., |(place, _)| !later(place.start)).collect(),
            acts: Vec::new(),
        }
    }
}

/// Parts a text at a place in it; nothing is behind one that was passed before.
fn part_at(text: Span, at: u32) -> (Span, Option<Span>) {
    let behind = (at > text.start).then_some(Span { start: at, ..text });
    (Span { end: at, ..text }, behind)
}

/// Says whether an instruction asks the person, so that prose before it which says to wait means that.
fn asks_itself(next: &Instruction) -> bool {
    matches!(next.act, Act::Menu(_) | Act::Ask(_) | Act::Elicit)
}
