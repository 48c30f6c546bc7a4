//! Menus, loops and lanes to operations: what comes back, and what parts and meets.

use super::compile::Compiler;
use super::{Fork, Op, Pc, Place, Places};
use crate::graph::come_back;
use crate::model::{Act, Branch, Condition, Instruction, Menu, Parallel, Repeat, RepeatKind};
use crate::source::Span;

impl<'p> Compiler<'p> {
    pub(super) fn menu(&mut self, menu: &'p Menu, span: Span) {
        let whole = self.library.source(span.source);
        let line = || self.sentence(span, whole.span(0, whole.text().len()));
        self.shown(menu.text.as_ref().map_or_else(line, |text| text.span));
        let head = self.here();
        let conditions = menu.branches.iter().map(|branch| branch.condition.as_ref());
        let offered: Vec<Option<usize>> = conditions.map(|condition| Some(self.decided(condition?))).collect();
        let at = self.emit(Op::Menu(menu, span, Places::default()));
        let is_own = &mut |target: &str, span: Span| self.is_own_step(target, span);
        let again = come_back(self.library, menu, self.branching, is_own);
        let mut branches = Vec::new();
        let mut ends = Vec::new();
        for ((branch, again), offered) in menu.branches.iter().zip(again).zip(offered) {
            let Branch { body, retold, .. } = branch;
            let start = self.here();
            branches.push(Place { start, again, offered });
            let outer = std::mem::replace(&mut self.branching, true);
            self.body(body);
            self.branching = outer;
            let back = self.last_turn(head).filter(|_| *retold);
            let jump = self.emit(Op::Jump(back.unwrap_or(head)));
            if !again {
                ends.push(jump);
            }
        }
        self.bind(ends);
        let exit = self.here();
        if let Op::Menu(_, _, places) = &mut self.code.ops[at] {
            *places = Places { branches, exit };
        }
    }

    /// Returns the last turn of this step before a place.
    fn last_turn(&self, before: Pc) -> Option<Pc> {
        let ops = self.code.ops[..before].iter().enumerate().rev();
        let mut ops = ops.take_while(|(_, op)| !matches!(op, Op::Enter(_)));
        ops.find(|(_, op)| matches!(op, Op::Turn(_))).map(|(at, _)| at)
    }

    pub(super) fn repeat(&mut self, repeat: &'p Repeat, index: Option<&'p str>, body: &'p [Instruction]) {
        let slot = self.code.loops;
        self.code.loops += 1;
        let begin = self.emit(Op::Begin(slot, repeat));
        let head = self.here();
        let mut exits = vec![self.emit(Op::Next {
            slot,
            repeat,
            index,
            exit: 0,
        })];
        for kind in repeat.kinds() {
            if let RepeatKind::While(condition) = kind {
                self.condition(condition);
                exits.push(self.emit(Op::Unless(0)));
            }
        }
        self.body(body);
        for kind in repeat.kinds() {
            if let RepeatKind::Until(condition) = kind {
                self.condition(condition);
                exits.push(self.emit(Op::When(0)));
            }
        }
        self.emit(Op::Jump(head));
        self.bind(exits);
        let behind = self.here();
        self.code.regions.loops.push(begin..behind);
    }

    pub(super) fn parallel(&mut self, parallel: &'p Parallel) {
        let Parallel {
            body,
            into,
            each,
            index,
            max,
        } = parallel;
        let marks: Vec<Option<usize>> = body.iter().map(|lane| self.lane_mark(lane, each.is_some())).collect();
        let fork = self.emit(Op::Fork(Fork {
            lanes: Vec::new(),
            each: each.as_ref(),
            index: index.as_deref(),
            max: max.as_ref(),
            into: into.as_ref(),
            join: 0,
        }));
        let mut lanes = Vec::new();
        if each.is_some() {
            let here = self.here();
            lanes.push((here, None));
            self.body(body);
            let end = self.emit(Op::End);
            self.code.regions.lanes.push(here..end + 1);
        } else {
            for (lane, mark) in body.iter().zip(marks) {
                if matches!(lane.act, Act::Rule { .. }) {
                    continue;
                }
                let here = self.here();
                lanes.push((here, mark));
                self.act(lane, None);
                let end = self.emit(Op::End);
                self.code.regions.lanes.push(here..end + 1);
            }
        }
        self.bind([fork]);
        if let Op::Fork(fork) = &mut self.code.ops[fork] {
            fork.lanes = lanes;
        }
    }

    /// The condition of a lane is decided before the lanes part.
    fn lane_mark(&mut self, lane: &'p Instruction, shared: bool) -> Option<usize> {
        let condition = lane.condition.as_ref().filter(|_| !shared)?;
        Some(self.decided(condition))
    }

    /// Decides a condition and leaves in a mark whether it holds.
    fn decided(&mut self, condition: &'p Condition) -> usize {
        let mark = self.mark();
        self.emit(Op::Mark(mark, false));
        self.condition(condition);
        let skip = self.emit(Op::Unless(0));
        self.emit(Op::Mark(mark, true));
        self.bind([skip]);
        mark
    }
}
