//! Prose for an agent to nodes: one turn, and the control flow found in it.

use super::Lowering;
use super::cases::{is_last_word, is_one_case};
use crate::graph::caption;
use crate::graph::node::{Edge, NodeKind};
use crate::graph::target::Want;
use crate::graph::wire::{Ends, one};
use crate::model::{Library, Lift, LiftKind, Origin};
use crate::source::Span;

impl<'a> Lowering<'a> {
    /// Prose joins the turn before it; control flow found in it leaves the turn.
    pub(super) fn turn(&mut self, text: Span, lifts: &'a [Lift], ends: Ends, last: bool) -> Ends {
        let node = match ends.as_slice() {
            [(node, Edge::Next)] if self.wire.kind(*node) == NodeKind::Turn => {
                self.wire.widen(*node, text);
                *node
            }
            _ => {
                let library = self.library;
                self.wire
                    .add(NodeKind::Turn, text, || caption::words(library, text), ends)
            }
        };
        for (place, file) in self.workflow.workers.iter().filter(|(place, _)| text.contains(*place)) {
            self.wire.jump(node, Want::File(*file), Edge::Call, *place);
        }
        let mut ends = one(node, Edge::Next);
        let follows = |lift: &Lift| matches!(lift.kind, LiftKind::Follow { .. });
        let final_follow = lifts.iter().rposition(follows);
        for (at, lift) in lifts.iter().enumerate() {
            // What a handler ends with happens because its option was chosen.
            let origin = if self.branching { Origin::Tag } else { self.origin };
            // What comes back, or goes nowhere, leaves nothing to go past.
            let maybe = lift.kind.leaves() && is_maybe(self.library, origin, lift, text);
            let leaves = last
                && final_follow == Some(at)
                && lift.condition.is_none()
                && !self.is_amid_headings()
                && !self.is_one_case(lift.span, text, lifts);
            ends = self.lift(lift, ends, maybe, leaves);
        }
        ends
    }

    fn is_one_case(&mut self, words: Span, text: Span, all: &[Lift]) -> bool {
        let library = self.library;
        let goes = |lift: &Lift| {
            let followed = lift.kind.followed();
            lift.kind.leaves() || followed.is_some_and(|(target, span)| self.follows_own(target, span))
        };
        is_one_case(library, words, all, text, goes)
    }

    fn lift(&mut self, lift: &'a Lift, ends: Ends, maybe: bool, leaves: bool) -> Ends {
        let kept = if maybe { ends.clone() } else { Ends::new() };
        match &lift.kind {
            LiftKind::Goto { label, label_span, .. } => {
                for (node, _) in &ends {
                    self.wire
                        .jump(*node, Want::Label(self.origin, label.clone()), Edge::Goto, *label_span);
                }
                kept
            }
            LiftKind::Section { anchor, .. } => {
                for (node, _) in &ends {
                    self.wire
                        .jump(*node, Want::Anchor(anchor.clone()), Edge::Goto, lift.span);
                }
                kept
            }
            // Before a question a stop means to wait for its answer.
            LiftKind::Halt { .. } if self.waits && lift.is_plain_halt() => ends,
            LiftKind::Halt { reason } if !lift.kind.ends_well() => {
                self.leave(NodeKind::Halt, reason, lift.span, ends);
                kept
            }
            LiftKind::Halt { .. } | LiftKind::Exit | LiftKind::Return => {
                self.leave(NodeKind::Exit, "exit", lift.span, ends);
                kept
            }
            LiftKind::Follow { target, target_span } => {
                let past = past_call(lift, &ends);
                let out = self.follow(target, *target_span, ends, leaves);
                beside_call(out, past)
            }
            LiftKind::Skill { name } => {
                let past = past_call(lift, &ends);
                let out = self.skill(name, lift.span, ends);
                beside_call(out, past)
            }
            LiftKind::Set { .. } | LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => ends,
        }
    }

    /// Says whether a numbered heading of the same file follows: what one section says to follow does not end the file.
    fn is_amid_headings(&self) -> bool {
        let next = self.wire.step.and_then(|step| self.workflow.steps.get(step + 1));
        next.is_some_and(|next| next.origin == Origin::Heading)
    }
}

/// Returns the ways past a call that depends on something; none past any other.
fn past_call(lift: &Lift, ends: &Ends) -> Ends {
    lift.condition.map_or_else(Ends::new, |_| ends.clone())
}

/// Adds the ways past a call to the one that comes back from it; what was no call keeps its own.
fn beside_call(mut out: Ends, past: Ends) -> Ends {
    if let [(_, Edge::Return)] = out.as_slice() {
        out.extend(past);
    }
    out
}

/// Says whether what was lifted may also not happen: in prose a halt or a jump is one of several things, unless it is the
/// last paragraph of the file; in an action it is what happens, unless the sentence makes it depend on something or it is
/// an item of a list. What an answer ends with leads to its section.
pub(crate) fn is_maybe(library: &Library, origin: Origin, lift: &Lift, text: Span) -> bool {
    let happens = || match origin {
        _ if matches!(lift.kind, LiftKind::Section { .. }) => is_last_line(library, text, lift.span),
        Origin::Tag => concludes(library, text, lift.span),
        Origin::File | Origin::Prose => is_last_word(library, text, lift.span),
        Origin::Heading => false,
    };
    lift.condition.is_some() || !happens()
}

/// Says whether no line of a text follows the one that some words stand in.
fn is_last_line(library: &Library, text: Span, words: Span) -> bool {
    let after = library.slice(Span {
        start: words.end.min(text.end),
        ..text
    });
    let (_, later) = after.split_once('\n').unwrap_or_default();
    !later.contains(char::is_alphanumeric)
}

/// Says whether words begin or end the text they stand in, and are no item of a list, unless there is nothing else in it.
fn concludes(library: &Library, text: Span, words: Span) -> bool {
    let before = library.slice(Span {
        end: words.start.max(text.start),
        ..text
    });
    let after = library.slice(Span {
        start: words.end.min(text.end),
        ..text
    });
    let (above, own) = before.rsplit_once('\n').unwrap_or(("", before));
    let own = own.trim_start();
    let listed = own.starts_with(['-', '*', '→', '•']) || own.starts_with(|c: char| c.is_ascii_digit());
    let labelled = above.trim_end().ends_with([':', '*']);
    let first = !before.contains(char::is_alphanumeric);
    let later = after.split_once('\n').is_some_and(|(_, rest)| !rest.trim().is_empty());
    if listed {
        first && !later
    } else {
        first || !later && !labelled
    }
}
