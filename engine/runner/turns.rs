//! Effects in, those that may begin now out: while an agent writes or a command runs, nobody else touches the files.
//!
//! A turn that was cut off is undone by putting the files back, which is right only where nobody else wrote meanwhile.

use crate::machine::{Effect, Issued};
use std::collections::VecDeque;

/// How an effect uses the files of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Not at all.
    None,
    /// For a moment, by the engine itself.
    Moment,
    /// For as long as a turn takes, without changing them.
    Reads,
    /// For as long as a turn takes, and they may change.
    Writes,
}

/// The effects that wait for the files, and the turns that have them.
#[derive(Debug)]
pub(super) struct Turns {
    /// Whether agents work on files at all; an agent that does not disturbs nobody.
    works: bool,
    waiting: VecDeque<Issued>,
    reading: usize,
    writing: bool,
}

impl Turns {
    pub(super) fn new(works: bool) -> Self {
        Self {
            works,
            waiting: VecDeque::new(),
            reading: 0,
            writing: false,
        }
    }

    /// Takes effects that are to begin, in this order as far as they get in each other's way.
    pub(super) fn add(&mut self, issued: impl Iterator<Item = Issued>) {
        self.waiting.extend(issued);
    }

    /// Returns how many wait.
    pub(super) fn count(&self) -> usize {
        self.waiting.len()
    }

    /// Answers an effect that may begin now.
    pub(super) fn next(&mut self) -> Option<Issued> {
        let mut turns_wait = false;
        let at = self.waiting.iter().position(|issued| {
            let free = match self.usage(&issued.effect) {
                Use::None => true,
                Use::Moment => !self.writing,
                // One who came later does not go first: readers could keep a writer waiting for ever.
                Use::Reads => !self.writing && !turns_wait,
                Use::Writes => !self.writing && self.reading == 0 && !turns_wait,
            };
            turns_wait |= !free;
            free
        })?;
        let issued = self.waiting.remove(at)?;
        match self.usage(&issued.effect) {
            Use::None | Use::Moment => {}
            Use::Reads => self.reading += 1,
            Use::Writes => self.writing = true,
        }
        Some(issued)
    }

    /// Hears that an effect is recorded.
    pub(super) fn ended(&mut self, effect: &Effect) {
        match self.usage(effect) {
            Use::None | Use::Moment => {}
            Use::Reads => self.reading = self.reading.saturating_sub(1),
            Use::Writes => self.writing = false,
        }
    }

    fn usage(&self, effect: &Effect) -> Use {
        match effect {
            Effect::Dispatch(_) | Effect::Judge(_) if !self.works => Use::None,
            // What a command does to them nobody knows.
            Effect::Run { .. } => Use::Writes,
            Effect::Dispatch(_) if effect.changes() => Use::Writes,
            Effect::Dispatch(_) | Effect::Judge(_) => Use::Reads,
            Effect::Checkpoint(_)
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Write(_)
            | Effect::Verify { .. } => Use::Moment,
            Effect::Ask(_) | Effect::Show { .. } | Effect::Now => Use::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use crate::machine::{Access, Effect, Issued, Key, Task};

    fn turn(id: u64, access: Access) -> Issued {
        let task = Task {
            access,
            ..Task::default()
        };
        issued(id, Effect::Dispatch(Box::new(task)))
    }

    fn issued(id: u64, effect: Effect) -> Issued {
        Issued {
            id,
            key: Key {
                lane: "0".into(),
                digest: "".into(),
                n: 0,
            },
            step: "".into(),
            effect,
            limit: None,
            whence: crate::machine::Whence {
                workflow: 0,
                file: crate::source::SourceId(0),
            },
        }
    }

    fn ids(turns: &mut Turns) -> Vec<u64> {
        std::iter::from_fn(|| turns.next()).map(|it| it.id).collect()
    }

    #[test]
    fn one_who_writes_is_alone_and_nobody_overtakes() {
        let mut turns = Turns::new(true);
        let all = [
            turn(1, Access::Read),
            turn(2, Access::Read),
            turn(3, Access::Write),
            turn(4, Access::Read),
            turn(5, Access::Write),
        ];
        turns.add(all.clone().into_iter());
        assert_eq!(ids(&mut turns), [1, 2]);
        turns.ended(&all[0].effect);
        assert_eq!(ids(&mut turns), [0; 0]);
        turns.ended(&all[1].effect);
        assert_eq!(ids(&mut turns), [3]);
        turns.ended(&all[2].effect);
        assert_eq!(ids(&mut turns), [4]);
        turns.ended(&all[3].effect);
        assert_eq!(ids(&mut turns), [5]);
    }

    #[test]
    fn the_engine_keeps_its_hands_off_the_files_only_while_an_agent_writes() {
        let mut turns = Turns::new(true);
        let (reader, writer) = (turn(1, Access::Read), turn(2, Access::Write));
        let read = |id| issued(id, Effect::Read { path: "a.md".into() });
        turns.add([reader.clone(), read(3), issued(4, Effect::Now)].into_iter());
        assert_eq!(ids(&mut turns), [1, 3, 4]);
        turns.ended(&reader.effect);
        turns.add([writer.clone(), read(5), issued(6, Effect::Now)].into_iter());
        assert_eq!(ids(&mut turns), [2, 6]);
        turns.ended(&writer.effect);
        assert_eq!(ids(&mut turns), [5]);
    }

    #[test]
    fn a_command_is_alone_whoever_the_agent_is() {
        let command = |id, command: &str| {
            let (command, timeout) = (command.to_owned(), 600);
            issued(id, Effect::Run { command, timeout })
        };
        for works in [true, false] {
            let mut turns = Turns::new(works);
            let (test, lint) = (command(1, "make test"), command(2, "make lint"));
            let write = issued(3, Effect::Read { path: "a.md".into() });
            turns.add([test.clone(), lint, write, issued(4, Effect::Now)].into_iter());
            assert_eq!(ids(&mut turns), [1, 4]);
            turns.ended(&test.effect);
            assert_eq!(ids(&mut turns), [2]);
        }
        let mut turns = Turns::new(true);
        let reader = turn(1, Access::Read);
        turns.add([reader.clone(), command(2, "make")].into_iter());
        assert_eq!(ids(&mut turns), [1]);
        turns.ended(&reader.effect);
        assert_eq!(ids(&mut turns), [2]);
    }

    #[test]
    fn agents_that_touch_no_files_all_work_at_once() {
        let mut turns = Turns::new(false);
        turns.add([turn(1, Access::Write), turn(2, Access::Write)].into_iter());
        assert_eq!(ids(&mut turns), [1, 2]);
    }
}
