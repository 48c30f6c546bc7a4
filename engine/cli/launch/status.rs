//! Who is at work and for how long, as one line that a terminal draws again and again.

use crate::machine::{Effect, Issued};
use crate::runner::Event;
use std::time::Duration;

/// What the line is made of.
#[derive(Debug, Default)]
pub(super) struct Status {
    /// The turns and commands that are not over, by the id of their effect.
    working: Vec<(u64, String)>,
    /// How many questions a person has before them.
    asking: usize,
    /// How many turns are over.
    turns: u64,
}

impl Status {
    /// Takes notice of what happened.
    pub(super) fn saw(&mut self, event: &Event<'_>) {
        match event {
            Event::Began(issued) => self.began(issued),
            Event::Recorded(issued, _) => self.ended(issued),
            Event::Replayed(_)
            | Event::Drifted(_)
            | Event::Settled(..)
            | Event::Waited(_)
            | Event::Hooked(_)
            | Event::Called(_)
            | Event::Told(_) => {}
        }
    }

    fn began(&mut self, issued: &Issued) {
        match &issued.effect {
            Effect::Dispatch(task) | Effect::Judge(task) => {
                let who = task.agent.as_deref().unwrap_or("agent");
                self.working.push((issued.id, who.to_owned()));
            }
            Effect::Run { command, .. } => {
                let line = command.lines().next().unwrap_or_default();
                self.working.push((issued.id, format!("`{line}`")));
            }
            Effect::Ask(_) => self.asking += 1,
            Effect::Checkpoint(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Write(_)
            | Effect::Verify { .. }
            | Effect::Now => {}
        }
    }

    fn ended(&mut self, issued: &Issued) {
        let before = self.working.len();
        self.working.retain(|(id, _)| *id != issued.id);
        if issued.effect.is_turn() {
            self.turns += (before - self.working.len()) as u64;
        }
        if matches!(issued.effect, Effect::Ask(_)) {
            self.asking = self.asking.saturating_sub(1);
        }
    }

    /// Returns the line, at most so many columns wide; none while a person is asked, who needs the terminal.
    pub(super) fn line(&self, waited: Duration, columns: usize) -> Option<String> {
        let (_, first) = self.working.first().filter(|_| self.asking == 0)?;
        let others = match self.working.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let line = format!(
            "  {first}{others} at work · {} · {} done",
            clock(waited),
            super::stopped::plural(self.turns, "turn")
        );
        Some(line.chars().take(columns.saturating_sub(1)).collect())
    }
}

/// Writes a time as people read it: `45 s`, `3 min 05 s`, `2 h 03 min`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Status, clock};
    use crate::machine::{Effect, Issued, Key, Outcome, Task};
    use crate::runner::Event;
    use std::time::Duration;

    fn issued(id: u64, effect: Effect) -> Issued {
        let key = Key {
            lane: "0".into(),
            digest: "".into(),
            n: 0,
        };
        Issued {
            id,
            key,
            step: "".into(),
            effect,
            limit: None,
            whence: crate::machine::Whence {
                workflow: 0,
                file: crate::source::SourceId(0),
            },
        }
    }

    fn turn(id: u64, agent: &str) -> Issued {
        let task = Task {
            agent: Some(agent.to_owned()),
            ..Task::default()
        };
        issued(id, Effect::Dispatch(Box::new(task)))
    }

    fn line(status: &Status) -> Option<String> {
        status.line(Duration::from_secs(65), 80)
    }

    #[test]
    fn it_names_who_works_how_long_and_how_many_turns_are_done() {
        let mut status = Status::default();
        assert_eq!(line(&status), None);
        let (first, second) = (turn(1, "analyst"), turn(2, "architect"));
        status.saw(&Event::Began(&first));
        assert_eq!(
            line(&status).as_deref(),
            Some("  analyst at work · 1 min 05 s · 0 turns done")
        );
        status.saw(&Event::Began(&second));
        status.saw(&Event::Recorded(&first, &Outcome::Done));
        assert_eq!(
            line(&status).as_deref(),
            Some("  architect at work · 1 min 05 s · 1 turn done")
        );
        assert_eq!(status.line(Duration::ZERO, 12).as_deref(), Some("  architect"));
    }

    #[test]
    fn a_person_who_is_asked_is_left_alone() {
        let mut status = Status::default();
        let (turn, ask) = (turn(1, "analyst"), issued(2, Effect::Ask(Box::default())));
        status.saw(&Event::Began(&turn));
        status.saw(&Event::Began(&ask));
        assert_eq!(line(&status), None);
        status.saw(&Event::Recorded(&ask, &Outcome::Done));
        assert!(line(&status).is_some());
    }

    #[test]
    fn a_time_is_written_as_people_read_it() {
        let text = |seconds| clock(Duration::from_secs(seconds));
        assert_eq!([text(9), text(185), text(7383)], ["9 s", "3 min 05 s", "2 h 03 min"]);
    }
}
