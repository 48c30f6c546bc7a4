//! What a run does, as people and programs follow it.

use super::Launch;
use super::status::Status;
use crate::cli::brief;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::Settlement;
use crate::machine::{Checkpoint, Effect, How, Issued, Outcome};
use crate::runner::Event;
use crate::source::clean;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where a run is shown.
pub(super) struct Screen<'s, 'a> {
    json: bool,
    /// Whether what the workflow shows goes where complaints go.
    aside: bool,
    session: &'s mut Session<'a>,
    /// Where the run stands, in words.
    standing: Arc<Mutex<String>>,
    /// The step that runs, and what was done before it.
    step: String,
    /// The line that a terminal shows while somebody is at work, and whether it is there.
    status: Status,
    drawn: bool,
    /// Files that are not as the run left them.
    drifted: Vec<String>,
    /// The run, and the folder that it is kept in where the person named one.
    run: String,
    state: Option<PathBuf>,
    /// What went wrong with turns and is told already.
    told: Vec<String>,
    /// The first thing that went wrong while writing; the run itself goes on.
    lost: Option<io::Error>,
}

impl<'s, 'a> Screen<'s, 'a> {
    pub(super) fn new(launch: &Launch<'_>, standing: Arc<Mutex<String>>, session: &'s mut Session<'a>) -> Self {
        Self {
            json: launch.args.json,
            aside: launch.aside,
            session,
            standing,
            step: String::new(),
            status: Status::default(),
            drawn: false,
            drifted: Vec::new(),
            run: launch.begun.run.clone(),
            state: launch.state().map(Path::to_path_buf),
            told: Vec::new(),
            lost: None,
        }
    }

    /// Shows what happened.
    pub(super) fn saw(&mut self, event: &Event<'_>) {
        if let Event::Began(issued) = event {
            self.note(&issued.effect);
        }
        if let Event::Drifted(path) = event {
            self.drifted.push((*path).to_owned());
        }
        self.status.saw(event);
        let shown = match self.json {
            true => self.line(event),
            false => self.clear().and_then(|()| self.text(event)),
        };
        let flushed = shown.and_then(|()| self.session.output.flush());
        if let Err(error) = flushed.and_then(|()| self.session.errors.flush()) {
            self.lost.get_or_insert(error);
        }
    }

    /// Says whether everything could be shown.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        if let Err(error) = self.clear() {
            self.lost.get_or_insert(error);
        }
        match self.lost {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::from(error)),
            Some(_) | None => Ok(()),
        }
    }

    /// Keeps in words where the run stands.
    fn note(&mut self, effect: &Effect) {
        match effect {
            Effect::Checkpoint(checkpoint) => {
                self.step = heading(checkpoint).trim_start().to_owned();
                if !checkpoint.done.is_empty() {
                    self.step.push_str(&steps_done(checkpoint.done.names()));
                }
            }
            Effect::Ask(question) => {
                let place = match question.place.as_str() {
                    "" => String::new(),
                    place => format!("\nasked at {place}"),
                };
                let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
                *standing = format!("{}{place}\nid {}", self.step, question.key());
            }
            Effect::Dispatch(_)
            | Effect::Judge(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Write(_)
            | Effect::Run { .. }
            | Effect::Verify { .. }
            | Effect::Now => {}
        }
    }

    fn text(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Replayed(count) => self.say(format!("{count} effects were done before and are not repeated")),
            Event::Drifted(path) => self.say(format!(
                "not as this run left it, and kept until the run writes it again: {path}"
            )),
            Event::Began(issued) => self.began(issued),
            Event::Recorded(issued, outcome) => self.recorded(issued, outcome),
            Event::Settled(choice, told, how) => {
                let became = match choice {
                    Settlement::Restored => "put back as they were before it",
                    Settlement::Kept => "kept as they are",
                };
                self.say(format!("{told}\n  {became}{how}"))
            }
            Event::Hooked(hooked) if hooked.end.is_fine() => Ok(()),
            Event::Hooked(hooked) => self.say(format!("  hook {}", brief::hooked(hooked))),
            Event::Waited(time) if self.session.live => self.draw(*time),
            Event::Told(text) => self.say(format!("  note: {text}")),
            Event::Called(_) => Ok(()),
            Event::Waited(time) => self.say(format!("  still at work after {} s", time.as_secs())),
        }
    }

    /// Draws who is at work, over the last line.
    fn draw(&mut self, waited: Duration) -> io::Result<()> {
        let Some(line) = self.status.line(waited, self.session.look.width) else {
            return Ok(());
        };
        self.drawn = true;
        self.session.errors.write_all(line.as_bytes())
    }

    /// Takes that line away again.
    fn clear(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.drawn) {
            return Ok(());
        }
        self.session.errors.clear_line()
    }

    /// Tells a line in one write: the stream has no buffer, and others may write to it too.
    fn say(&mut self, line: String) -> io::Result<()> {
        let line = clean(&self.session.secrets.masked_loosely(&line));
        self.session.errors.write_all((line + "\n").as_bytes())
    }

    fn began(&mut self, issued: &Issued) -> io::Result<()> {
        match &issued.effect {
            Effect::Checkpoint(checkpoint) if checkpoint.step.is_none() => Ok(()),
            Effect::Checkpoint(checkpoint) => self.say(heading(checkpoint)),
            Effect::Dispatch(task) => {
                let who = task.agent.as_deref().unwrap_or("agent");
                let again = if task.attempt > 1 {
                    format!(", attempt {}", task.attempt)
                } else {
                    String::new()
                };
                let again = self
                    .refused(&task.again)
                    .map_or(again.clone(), |why| format!("{again}: {why}"));
                self.say(format!("  {who} works{again}"))
            }
            Effect::Judge(task) => {
                let condition = task.conditions.first().map(String::as_str).unwrap_or_default();
                self.say(format!("  does this hold? {}", first_line(condition)))
            }
            Effect::Run { command, .. } => self.say(format!("  runs `{}`", brief::short(command))),
            Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Write(_)
            | Effect::Verify { .. }
            | Effect::Now => Ok(()),
        }
    }

    /// Says how to have back what somebody changed, once the run has written over it.
    fn wrote_over(&mut self, path: &str, before: &str) -> io::Result<()> {
        let Some(at) = self.drifted.iter().position(|drifted| drifted == path) else {
            return Ok(());
        };
        self.drifted.remove(at);
        let Some(back) = brief::have_back(&self.run, path, before, self.state.as_deref()) else {
            return Ok(());
        };
        self.say(format!(
            "  what somebody changed in it is kept; once the run has stopped, have it back with: {back}"
        ))
    }

    /// Returns what was wrong with the reply before, where nothing told it yet.
    fn refused(&mut self, again: &[String]) -> Option<String> {
        let told = std::mem::take(&mut self.told);
        let new: Vec<&str> = again
            .iter()
            .filter(|why| !told.contains(why))
            .map(String::as_str)
            .collect();
        (!new.is_empty()).then(|| first_line(&new.join("; ")).to_owned())
    }

    fn recorded(&mut self, issued: &Issued, outcome: &Outcome) -> io::Result<()> {
        match (&issued.effect, outcome) {
            (_, Outcome::Failed(failure)) => {
                self.told.push(failure.message.clone());
                self.say(format!("  failed ({}): {}", failure.kind.name(), failure.message))
            }
            (Effect::Show { text }, _) if self.aside => self.say(text.clone()),
            (Effect::Show { text }, _) => writeln!(self.session.output, "{}", clean(text)),
            (Effect::Write(_), Outcome::Written { sha256, before }) if before.as_ref() == Some(sha256) => Ok(()),
            (Effect::Write(write), outcome) => {
                let (verb, part) = match &write.how {
                    How::Replace => ("wrote", String::new()),
                    How::Start => ("began", String::new()),
                    How::Section { name, .. } => ("wrote", format!(" ({name})")),
                };
                self.say(format!("  {verb} {}{part}", write.path))?;
                // Beside a section everything stays.
                match outcome {
                    Outcome::Written {
                        before: Some(before), ..
                    } if part.is_empty() => self.wrote_over(&write.path, before),
                    _ => Ok(()),
                }
            }
            (Effect::Ask(question), Outcome::Answered(answer)) => {
                let name = question.name.as_ref().unwrap_or(&question.id);
                self.say(format!("  {name} = {}", first_line(&answer.text)))
            }
            (Effect::Run { command, .. }, outcome @ Outcome::Ran { .. }) => {
                self.say(format!("  `{}` → {}", brief::short(command), brief::came(outcome)))
            }
            (Effect::Verify { .. }, Outcome::Verified { wrong }) => {
                for (_, why) in wrong {
                    self.told.push(why.clone());
                    self.say(format!("  not true: {why}"))?;
                }
                Ok(())
            }
            (_, _) => Ok(()),
        }
    }

    fn line(&mut self, event: &Event<'_>) -> io::Result<()> {
        let value = match event {
            Event::Replayed(count) => json!({"event": "replayed", "effects": count}),
            Event::Drifted(path) => json!({"event": "drifted", "path": path}),
            Event::Settled(choice, told, how) => {
                json!({"event": "settled", "choice": choice, "told": told, "how": how.trim()})
            }
            Event::Waited(time) => json!({"event": "waited", "seconds": time.as_secs()}),
            Event::Hooked(hooked) => json!({"event": "hooked", "hook": hooked}),
            Event::Called(called) => json!({"event": "called", "call": called}),
            Event::Told(text) => json!({"event": "told", "text": text}),
            Event::Began(issued) => {
                json!({"event": "began", "key": issued.key, "step": issued.step, "effect": issued.effect})
            }
            Event::Recorded(issued, outcome) => {
                json!({"event": "done", "key": issued.key, "step": issued.step, "outcome": outcome})
            }
        };
        writeln!(self.session.output, "{value}")
    }
}

fn heading(checkpoint: &Checkpoint) -> String {
    let label = checkpoint.step.as_deref().unwrap_or("end");
    let inset = "  ".repeat(checkpoint.depth as usize);
    let goal = if checkpoint.goal.is_empty() {
        String::new()
    } else {
        format!(": {}", first_line(&checkpoint.goal))
    };
    format!("{inset}{} · step {label}{goal}", checkpoint.workflow)
}

/// Names the steps that are done, the last of many: how long it takes does not depend on how many there are.
fn steps_done(names: &[String]) -> String {
    const NAMED: usize = 12;
    let before = names.len().saturating_sub(NAMED);
    let earlier = match before {
        0 => String::new(),
        before => format!("{before} earlier, "),
    };
    format!("\nsteps done: {earlier}{}", names[before..].join(", "))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
