//! Conditions to operations: each part is decided on its own, and only as far as needed.

use super::Op;
use super::compile::Compiler;
use crate::model::{Condition, Test};

impl<'p> Compiler<'p> {
    /// Leaves in the flag whether a condition holds.
    pub(super) fn condition(&mut self, condition: &'p Condition) {
        let outer = std::mem::take(&mut self.tests);
        self.test(&condition.test, condition);
        let tests = std::mem::replace(&mut self.tests, outer);
        self.bind(tests);
    }

    /// Says whether the engine can know what a condition in prose is about: whether there is a value for a name that
    /// nothing defines is the agent's to say.
    pub(super) fn may_decide(&self, condition: &Condition) -> bool {
        let is_defined = |name: &&str| self.workflow.definition(name).is_some();
        !matches!(condition.test, Test::Exists { .. }) || condition.names().iter().all(is_defined)
    }

    fn test(&mut self, test: &'p Test, whole: &'p Condition) {
        match test {
            Test::Not(inner) => {
                self.test(inner, whole);
                self.emit(Op::Not);
            }
            Test::All(parts) => self.several(parts, whole, false),
            Test::Any(parts) => self.several(parts, whole, true),
            Test::Compare { .. }
            | Test::Member { .. }
            | Test::Flag(_)
            | Test::Chosen(_)
            | Test::Exists { .. }
            | Test::Judged(_)
            | Test::Otherwise => {
                let at = self.emit(Op::Test(test, whole, 0));
                self.tests.push(at);
            }
        }
    }

    fn several(&mut self, parts: &'p [Test], whole: &'p Condition, stop: bool) {
        let mut decided = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            self.test(part, whole);
            if at + 1 < parts.len() {
                decided.push(self.emit(if stop { Op::When(0) } else { Op::Unless(0) }));
            }
        }
        self.bind(decided);
    }
}
