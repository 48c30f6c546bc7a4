//! One hook at one moment in, what became of it recorded out.

use super::RunHook;
use super::budget::EXHAUSTED;
use super::moment::{self, Moment};
use crate::host::{CommandEnd, CommandLine, Durability, Hooked, Line, Ran};
use crate::machine::{Asker, Choice, End, EndKind, Issued, Question};
use crate::runner::crew::{Event, RunError, Stopped};
use crate::runner::interrupt::unless_interrupted;
use crate::runner::readers::Differing;
use crate::runner::run::Running;
use std::sync::Arc;
use std::time::Duration;

/// What is done about a critical hook that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Again,
    GoOn,
    Stop,
}

impl Running<'_> {
    /// Runs one hook, unless there is a reason not to; answers whether the run goes on.
    pub(super) async fn hook_one(
        &mut self,
        at: usize,
        moment: &Moment,
        issued: Option<&Issued>,
    ) -> Result<bool, RunError> {
        let hook = self.hooks.hooks.all[at].clone();
        let own = &hook.own;
        if own.hook.once && self.hooks.once.contains(&own.id) {
            return Ok(true);
        }
        let closes = moment::is_closing(own.hook.event.name()) && issued.is_some();
        if (closes || moment.key == moment::end_key())
            && self.hooks.closed.contains(&(own.id.clone(), moment.key.clone()))
        {
            return Ok(true);
        }
        let mut moment = moment.clone();
        moment.within(&self.hooks.open);
        loop {
            if !self.hooks.hooks.is_trusted(&hook) {
                return self.hook_refused(at, &moment);
            }
            let before = self.readers.differing(self.crew).map_err(RunError::Snapshot)?;
            let ran = self.hook_ran(at, &moment).await;
            self.hook_wrote(before)?;
            let Some(mut ran) = ran else {
                self.hooks.stop = Some(Stopped::Interrupted);
                return Ok(false);
            };
            if self.hooks.budget.keep(moment.key.lane.as_str(), &moment.step, &mut ran) {
                (self.watch)(Event::Told(EXHAUSTED));
            }
            let mut hooked = self.hooked(at, &moment, ran);
            let decision = match hooked.end.is_fine() || !own.hook.critical {
                true => Some(Decision::GoOn),
                false => unless_interrupted(self.crew, self.hook_decide(&hooked)).await,
            };
            let Some(decision) = decision else {
                self.hooks.stop = Some(Stopped::Interrupted);
                return Ok(false);
            };
            hooked.stops = decision == Decision::Stop;
            self.hooks.hear(&hooked);
            self.hook_record(&hooked, own.hook.once)?;
            match decision {
                Decision::Again => {}
                Decision::GoOn => {
                    self.hooks.once.insert(own.id.clone());
                    return Ok(true);
                }
                Decision::Stop => return Ok(false),
            }
        }
    }

    /// Runs the command; nothing where somebody interrupts it.
    async fn hook_ran(&self, at: usize, moment: &Moment) -> Option<Ran> {
        let own = &self.hooks.hooks.all[at].own;
        let commands = self.hooks.hooks.commands.as_ref()?;
        let line = CommandLine {
            text: own.hook.command.text.clone(),
            root: self.crew.root.clone(),
            variables: moment.variables(),
            limit: Duration::from_millis(own.hook.timeout),
            token: self.crew.token.clone(),
            input: String::new(),
        };
        unless_interrupted(self.crew, commands.run(Arc::new(line))).await
    }

    /// What a hook writes while agents read is not theirs.
    fn hook_wrote(&self, before: Option<Differing>) -> Result<(), RunError> {
        let Some(before) = before else { return Ok(()) };
        let after = self.readers.differing(self.crew).map_err(RunError::Snapshot)?;
        for (path, hash) in after.unwrap_or_default() {
            if before.get(&path) != Some(&hash) {
                self.own.adopt(&path, self.crew);
            }
        }
        Ok(())
    }

    /// Tells, once, that nobody trusts a hook; the run goes on without it, unless it is critical.
    fn hook_refused(&mut self, at: usize, moment: &Moment) -> Result<bool, RunError> {
        let RunHook { own, is_trusted } = self.hooks.hooks.all[at].clone();
        if !self.hooks.told.insert(own.id.clone()) && !own.hook.critical {
            return Ok(true);
        }
        let lacks = match is_trusted {
            true => "a script that it starts is not what somebody trusted",
            false => "nobody trusted it",
        };
        let why = match &self.hooks.hooks.trust {
            Some(trust) => format!("{lacks}; `{}` shows and trusts it", trust(&own.file)),
            None => lacks.to_owned(),
        };
        let ran = Ran {
            end: CommandEnd::Unstarted(why),
            out: String::new(),
            err: String::new(),
            size: 0,
        };
        let mut hooked = self.hooked(at, moment, ran);
        hooked.stops = own.hook.critical;
        self.hook_record(&hooked, false)?;
        Ok(!own.hook.critical)
    }

    fn hooked(&self, at: usize, moment: &Moment, ran: Ran) -> Hooked {
        let own = &self.hooks.hooks.all[at].own;
        let given = moment.variables().into_iter().filter(|(_, value)| !value.is_empty());
        Hooked {
            at: self.crew.clock.now(),
            key: moment.key.clone(),
            step: moment.step.clone(),
            event: moment.event.name().to_owned(),
            command: own.hook.command.text.clone(),
            place: own.place.clone(),
            id: own.id.clone(),
            end: ran.end,
            given: given.collect(),
            out: ran.out,
            err: ran.err,
            stops: false,
        }
    }

    /// Records a hook and tells of it; one that never runs again, or stops the run, is on the disk before.
    fn hook_record(&mut self, hooked: &Hooked, is_last: bool) -> Result<(), RunError> {
        let durability = match is_last || hooked.stops {
            true => Durability::Synced,
            false => Durability::Buffered,
        };
        self.journal
            .append(&Line::Hooked(Box::new(hooked.clone())), durability)?;
        (self.watch)(Event::Hooked(hooked));
        if hooked.stops {
            self.hooks.stop = Some(Stopped::Ended(Box::new(stopped(hooked))));
        }
        Ok(())
    }

    /// Lets a person decide about a critical hook that failed; where nobody does, the run stops.
    async fn hook_decide(&self, hooked: &Hooked) -> Decision {
        let said = match hooked.err.trim() {
            "" => String::new(),
            err => format!("\n{err}"),
        };
        let question = Question {
            id: "hook".to_owned(),
            text: format!("{}{said}\nWhat now?", reason(hooked)),
            choices: vec![
                Choice::plain("r", "Run it again"),
                Choice::plain("s", "Go on without it"),
                Choice::plain("a", "Stop the run here"),
            ],
            open: false,
            origin: Asker::Engine,
            step: hooked.step.clone(),
            place: hooked.place.clone(),
            ..Question::default()
        };
        let answer = self.crew.human.ask(Arc::new(question)).await;
        match answer.map(|answer| answer.text).as_deref() {
            Some("r") => Decision::Again,
            Some("s") => Decision::GoOn,
            Some(_) | None => Decision::Stop,
        }
    }
}

fn reason(hooked: &Hooked) -> String {
    let (name, event) = (hooked.name(), &hooked.event);
    format!("the critical hook `{name}` ({event}) failed: {}", hooked.end.words())
}

/// Returns how a run ends that a hook stopped: nothing of the machine is lost, and it goes on from there.
fn stopped(hooked: &Hooked) -> End {
    End {
        kind: EndKind::Failed,
        reason: reason(hooked),
        place: hooked.place.clone(),
        stack: vec![format!("step {}", hooked.step)],
        value: crate::builtins::Value::Nothing,
        refused: None,
    }
}
