//! Prose to turns, and what its sentences say about control flow to operations after them.

use super::compile::Compiler;
use super::{Op, Turn};
use crate::graph::{Want, is_maybe};
use crate::model::{Act, Instruction, Lift, LiftKind, Origin, Place, Resolution, Role, Scope, Test};
use crate::source::{SourceId, Span};

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
        let says = self.library.slice(span).chars().any(char::is_alphanumeric);
        if says || !lifts.is_empty() {
            self.turn(span, &lifts, next);
        }
    }

    /// One instruction for the agent, joined to the turn before it where nothing stands between, and what follows from it.
    pub(super) fn turn(&mut self, text: Span, lifts: &[&'p Lift], next: Option<&'p Instruction>) {
        // Before a question a stop means to wait for the answer.
        let waits = |lift: &Lift| is_bare_halt(lift) && next.is_some_and(asks_itself);
        let (waits, lifts): (Vec<&'p Lift>, Vec<&'p Lift>) = lifts.iter().copied().partition(|lift| waits(lift));
        let acts: Vec<&'p Lift> = lifts.iter().copied().filter(|lift| acts(lift)).collect();
        let conditions: Vec<Span> = acts.iter().filter_map(|lift| self.depends(lift, text, &acts)).collect();
        let after = next.and_then(|next| next.condition.as_ref());
        let judged = after.filter(|condition| matches!(condition.test, Test::Judged(_)));
        let known: Vec<&'p Lift> = acts.iter().chain(&waits).copied().collect();
        if conditions.is_empty() && judged.is_none() && self.is_all_said(text, known) {
            return acts.iter().for_each(|lift| self.lifted(lift));
        }
        let at = match self.open {
            Some(at) => at,
            None => self.emit(Op::Turn(Turn::default())),
        };
        let asks: Vec<Span> = lifts
            .iter()
            .filter(|lift| self.asks_person(lift) && !next.is_some_and(asks_itself))
            .map(|lift| self.sentence(lift.span, text))
            .collect();
        if let Op::Turn(turn) = &mut self.code.ops[at] {
            turn.orders.push(text);
            turn.conditions.extend(conditions);
            turn.conditions.extend(judged.map(|condition| condition.span));
            for ask in asks {
                if !turn.asks.contains(&ask) {
                    turn.asks.push(ask);
                }
            }
            let stores = lifts.iter().filter(|lift| lift.condition.is_none());
            turn.stores.extend(stores.filter_map(|lift| match &lift.kind {
                LiftKind::Store { name } => Some(name.as_str()),
                _ => None,
            }));
        }
        self.open = acts.is_empty().then_some(at);
        for lift in &acts {
            let skip = self.depends(lift, text, &acts).map(|words| {
                self.emit(Op::Judge(words));
                self.emit(Op::Unless(0))
            });
            self.lifted(lift);
            self.bind(skip);
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

    /// Says whether words are a question that the person has to answer. Prose files speak of waiting in their rules, too;
    /// there only an order to ask is a question.
    fn asks_person(&self, lift: &Lift) -> bool {
        let asks = match lift.kind {
            LiftKind::Ask => true,
            LiftKind::Wait => self.origin == Origin::Tag,
            _ => false,
        };
        asks && lift.condition.is_none()
    }

    /// Returns the words that decide whether a lift happens; none where it always does.
    fn depends(&self, lift: &'p Lift, text: Span, all: &[&'p Lift]) -> Option<Span> {
        // What a handler ends with happens because its option was chosen; no other words decide about it.
        let origin = if self.branching { Origin::Tag } else { self.origin };
        let maybe = is_maybe(self.library, origin, lift, text);
        let decided = match &lift.kind {
            LiftKind::Set { .. } | LiftKind::Skill { .. } => lift.condition.is_none(),
            LiftKind::Follow { target, target_span } => {
                let follows =
                    |other: &&&Lift| matches!(other.kind, LiftKind::Follow { .. }) && other.condition.is_none();
                let last = all.iter().rev().find(follows);
                let last = last.is_some_and(|last| std::ptr::eq(*last, lift));
                // Where a menu leads on, what the prose before it says to follow is for a case that may not be there.
                let leaves = last && !self.is_amid_headings() && (self.branching || !self.menu_leads);
                lift.condition.is_none() && (leaves || !self.is_own_step(target, *target_span))
            }
            LiftKind::Goto { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return
            | LiftKind::Store { .. }
            | LiftKind::Ask
            | LiftKind::Wait => !maybe,
        };
        // A file that is only mentioned depends on the words around it.
        let told = lift.condition.filter(|condition| *condition != lift.span);
        (!decided).then(|| told.unwrap_or_else(|| self.sentence(lift.span, text)))
    }

    /// Returns the line that words stand in.
    fn sentence(&self, words: Span, text: Span) -> Span {
        let whole = self.library.source(words.source).text();
        let (start, end) = (words.start as usize, words.end as usize);
        let from = whole[..start]
            .rfind('\n')
            .map_or(0, |at| at + 1)
            .max(text.start as usize);
        let to = whole[end..].find('\n').map_or(whole.len(), |at| end + at);
        let to = to.min((text.end as usize).max(end));
        Span::new(words.source, from.min(start), to)
    }

    fn lifted(&mut self, lift: &'p Lift) {
        match &lift.kind {
            LiftKind::Goto { label, label_span, .. } => {
                self.jump(Want::Label(self.origin, label.clone()), label, *label_span);
            }
            LiftKind::Halt { reason } => {
                self.emit(Op::Halt(reason, lift.span));
            }
            LiftKind::Exit | LiftKind::Return => {
                self.emit(Op::Exit);
            }
            LiftKind::Set { name, value, .. } => {
                self.emit(Op::SetProse(name, value));
            }
            LiftKind::Follow { target, target_span } => {
                self.emit(Op::Follow(target, *target_span));
            }
            LiftKind::Skill { name } => {
                self.emit(Op::Skill(name, lift.span));
            }
            LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => {}
        }
    }

    /// Says whether a branch goes on to another step, or out.
    pub(super) fn leads_on(&self, body: &[Instruction]) -> bool {
        body.iter().any(|instruction| match &instruction.act {
            Act::Do { lifts, .. } => lifts.iter().any(|lift| match &lift.kind {
                LiftKind::Goto { .. } | LiftKind::Halt { .. } | LiftKind::Exit | LiftKind::Return => true,
                LiftKind::Follow { target, target_span } => self.is_own_step(target, *target_span),
                LiftKind::Set { .. }
                | LiftKind::Store { .. }
                | LiftKind::Skill { .. }
                | LiftKind::Ask
                | LiftKind::Wait => false,
            }),
            Act::Goto { .. } | Act::Return { .. } | Act::Halt { .. } => true,
            _ => false,
        })
    }

    fn is_amid_headings(&self) -> bool {
        let next = self.workflow.steps.get(self.step + 1);
        next.is_some_and(|next| next.origin == Origin::Heading)
    }

    fn is_own_step(&self, target: &str, span: Span) -> bool {
        self.file(target, span).is_some_and(|file| {
            self.workflow.files.contains(&file) && self.library.document(file).role == Role::StepFile
        })
    }

    fn file(&self, text: &str, span: Span) -> Option<SourceId> {
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

/// Says whether the engine does something itself because of a lift.
fn acts(lift: &Lift) -> bool {
    match lift.kind {
        LiftKind::Goto { .. }
        | LiftKind::Halt { .. }
        | LiftKind::Exit
        | LiftKind::Return
        | LiftKind::Set { .. }
        | LiftKind::Follow { .. }
        | LiftKind::Skill { .. } => true,
        LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => false,
    }
}

/// Says whether a lift is a stop without a reason and without a condition.
fn is_bare_halt(lift: &Lift) -> bool {
    matches!(&lift.kind, LiftKind::Halt { reason } if reason.is_empty()) && lift.condition.is_none()
}

/// Says whether an instruction asks the person, so that prose before it which says to wait means that.
fn asks_itself(next: &Instruction) -> bool {
    matches!(next.act, Act::Menu(_) | Act::Ask(_) | Act::Elicit)
}
