//! Effects in, the hooks around them run and recorded out. Hooks are no part of the machine: what they do changes no
//! effect and no outcome, and an effect that is replayed runs none.

mod budget;
mod call;
mod moment;

use super::crew::{Event, RunError, Stopped};
use super::perform::on_arrival;
use super::run::Running;
use crate::host::{CommandEnd, Commands, Hooked, InsideHook};
use crate::machine::{Effect, End, Inline, Issued, Key, Mode, Outcome, Returned, Whence};
use crate::model::HookEvent;
use crate::project::ProjectHook;
use budget::Budget;
use moment::{Moment, OpenStep};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The hooks of a run, and who runs them.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Every hook that the run may meet, in the order they run.
    pub all: Arc<[RunHook]>,
    /// Looks again whether somebody trusts a hook.
    pub is_trusted: Option<IsTrusted>,
    /// Who runs commands; nobody runs none.
    pub commands: Option<Arc<dyn Commands>>,
    /// Makes the command by which a person trusts the hooks of a file.
    pub trust: Option<TrustBy>,
}

/// Makes the command by which a person trusts what stands in a file.
pub type TrustBy = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Says whether somebody trusts a hook as it is now, with the scripts that it starts.
pub type IsTrusted = Arc<dyn Fn(&ProjectHook) -> bool + Send + Sync>;

/// A hook, and whether somebody trusts it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHook {
    /// The hook.
    pub own: ProjectHook,
    /// Whether its seal was trusted when it was read.
    pub is_trusted: bool,
}

impl Hooks {
    /// Says whether a hook may run now: an agent may have changed a script of the project since the run began.
    fn is_trusted(&self, hook: &RunHook) -> bool {
        match &self.is_trusted {
            Some(is_trusted) => is_trusted(&hook.own),
            None => hook.is_trusted,
        }
    }
}

/// What a turn gets from hooks.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// What the hooks at the beginning of the conversation wrote, where the turn begins it.
    pub(super) context: String,
    /// What they wrote where the turn goes on with it: it is needed where the agent cannot go on.
    pub(super) earlier: String,
    /// The hooks for the tools it uses itself.
    pub(super) inside: Vec<InsideHook>,
}

/// What is remembered of hooks while a run goes on.
#[derive(Default)]
pub(super) struct Hooking {
    hooks: Hooks,
    /// Hooks that run only once and did.
    once: HashSet<String>,
    /// What was told and is not told again.
    told: HashSet<String>,
    /// Steps that have begun and are not over, the innermost last.
    open: Vec<OpenStep>,
    /// What ran at the end of steps for effects that may be performed again: hook and effect.
    closed: HashSet<(String, Key)>,
    budget: Budget,
    /// What the hooks at the beginning of a conversation wrote, by the turn that began it: hook and output.
    said: HashMap<Key, Vec<(String, String)>>,
    /// The turn that began the conversation of a lane.
    talks: HashMap<Inline, Key>,
    /// Where the run begins.
    root: Option<Whence>,
    /// The name of the workflow it begins with.
    workflow: String,
    /// Whether anything was performed by this process.
    is_awake: bool,
    /// Whether what an earlier process ran is known.
    is_caught_up: bool,
    /// How a hook stopped the run.
    pub(super) stop: Option<Stopped>,
}

impl Hooking {
    pub(super) fn new(hooks: &Hooks) -> Self {
        Self {
            hooks: hooks.clone(),
            ..Self::default()
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.hooks.all.is_empty() || self.hooks.commands.is_none()
    }

    /// Follows effects that were performed by an earlier process.
    pub(super) fn replayed(&mut self, returned: &[Returned]) {
        if self.is_idle() {
            return;
        }
        for Returned { issued, .. } in returned {
            self.see(issued);
        }
    }

    /// Notes that this process performs something.
    fn wake(&mut self) {
        if !std::mem::replace(&mut self.is_awake, true) {
            // What ran at an end that was not the last one runs again.
            self.closed.retain(|(_, key)| *key != moment::end_key());
        }
    }

    /// Follows where the run is; answers the steps that are over once the effect begins.
    fn see(&mut self, issued: &Issued) -> Vec<OpenStep> {
        self.root.get_or_insert(issued.whence);
        if let Effect::Dispatch(task) = &issued.effect
            && task.mode == Mode::Session
            && task.after.is_none()
        {
            self.talks.insert(issued.key.lane.clone(), issued.key.clone());
        }
        let over = moment::pass(&mut self.open, issued);
        if self.workflow.is_empty()
            && let Some(first) = self.open.first()
        {
            self.workflow.clone_from(&first.workflow);
        }
        over
    }

    /// Returns the hooks that run at a moment, by position.
    fn at(&self, moment: &Moment) -> Vec<usize> {
        let fits = |at: &usize| moment.fits(&self.hooks.all[*at].own);
        (0..self.hooks.all.len()).filter(fits).collect()
    }

    /// Returns what a turn gets from hooks.
    pub(super) fn given(&mut self, issued: &Issued) -> Given {
        let (Effect::Dispatch(task) | Effect::Judge(task)) = &issued.effect else {
            return Given::default();
        };
        let inside = self.hooks.all.iter().filter(|hook| {
            // Whether it ran before would have to be known inside the turn.
            let is_meant = !hook.own.hook.once && moment::is_inside(&hook.own, issued.whence, task.agent.as_deref());
            is_meant && self.hooks.is_trusted(hook)
        });
        let inside = inside.map(|RunHook { own, .. }| InsideHook {
            before: own.hook.event == HookEvent::PreToolUse,
            command: own.hook.command.text.clone(),
            matcher: own.hook.matcher.clone().unwrap_or_default(),
            critical: own.hook.critical,
            timeout: own.hook.timeout,
        });
        Given {
            inside: inside.collect(),
            context: self.said_at(&issued.key),
            earlier: match (task.mode, &task.after) {
                (Mode::Session, Some(_)) => {
                    let began = self.talks.get(&issued.key.lane);
                    began.map(|key| self.said_at(key)).unwrap_or_default()
                }
                (Mode::Session, None) | (Mode::Fresh, _) => String::new(),
            },
        }
    }

    /// Returns what the hooks wrote at the beginning of a conversation.
    fn said_at(&self, key: &Key) -> String {
        let all = self.said.get(key).into_iter().flatten();
        all.map(|(_, out)| out.as_str()).collect()
    }

    /// Keeps what a hook wrote at the beginning of a conversation; where it ran again, that counts.
    fn hear(&mut self, hooked: &Hooked) {
        if hooked.event != HookEvent::SessionStart.name() || !hooked.end.is_fine() {
            return;
        }
        let said = self.said.entry(hooked.key.clone()).or_default();
        match said.iter_mut().find(|(id, _)| *id == hooked.id) {
            Some((_, out)) => out.clone_from(&hooked.out),
            None => said.push((hooked.id.clone(), hooked.out.clone())),
        }
    }
}

impl Running<'_> {
    /// Returns the answer to a question that nobody is asked: no hook tells of it.
    pub(super) fn settled(&mut self, issued: &Issued) -> Option<Outcome> {
        let Effect::Ask(question) = &issued.effect else {
            return None;
        };
        let answer = self.crew.human.settle(question)?;
        self.hooks.wake();
        (self.watch)(Event::Began(issued));
        Some(on_arrival(Outcome::Answered(answer), self.crew))
    }

    /// Runs the hooks before an effect; answers whether the effect may begin.
    pub(super) async fn hook_before(&mut self, issued: &Issued) -> Result<bool, RunError> {
        if self.hooks.is_idle() {
            return Ok(true);
        }
        if self.hooks.stop.is_some() {
            return Ok(false);
        }
        self.hooks.wake();
        for step in self.hooks.see(issued) {
            for moment in Moment::over(&step, &issued.key) {
                if !self.hook(&moment, Some(issued)).await? {
                    return Ok(false);
                }
            }
        }
        for moment in Moment::before(issued) {
            if !self.hook(&moment, Some(issued)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the hooks after effects that are recorded.
    pub(super) async fn hook_after(&mut self, returned: &[Returned]) -> Result<(), RunError> {
        if self.hooks.is_idle() {
            return Ok(());
        }
        for Returned { issued, outcome, .. } in returned {
            for moment in Moment::after(issued, outcome) {
                if !self.hook(&moment, None).await? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Runs the hooks at the end of the run, unless nothing happened since it ended before, or a hook stopped it.
    pub(super) async fn hook_end(&mut self, end: &End) -> Result<Stopped, RunError> {
        if let Some(stop) = self.hooks.stop.take() {
            return Ok(stop);
        }
        let ended = Stopped::Ended(Box::new(end.clone()));
        let Some(root) = self.hooks.root.filter(|_| self.hooks.is_awake && !self.hooks.is_idle()) else {
            return Ok(ended);
        };
        let key = moment::end_key();
        let mut open = std::mem::take(&mut self.hooks.open);
        open.reverse();
        let mut moments: Vec<Moment> = open.iter().flat_map(|step| Moment::over(step, &key)).collect();
        moments.push(Moment::end(root, self.hooks.workflow.clone(), end));
        for moment in moments {
            if !self.hook(&moment, None).await? {
                break;
            }
        }
        Ok(self.hooks.stop.take().unwrap_or(ended))
    }

    /// Learns, once, what an earlier process ran, and runs the hooks again that stopped it.
    pub(super) async fn hook_owed(&mut self) -> Result<(), RunError> {
        if self.hooks.is_idle() || self.hooks.is_caught_up {
            return Ok(());
        }
        self.hooks.is_caught_up = true;
        let mut owed: Vec<Hooked> = Vec::new();
        for past in self.history.take_hooked()? {
            self.hooks.hear(&past);
            owed.retain(|it| (&it.id, &it.key) != (&past.id, &past.key));
            if matches!(past.end, CommandEnd::Unstarted(_)) && !past.stops {
                continue;
            }
            if past.stops {
                owed.push(past);
                continue;
            }
            if moment::is_closing(&past.event) || past.key == moment::end_key() {
                self.hooks.closed.insert((past.id.clone(), past.key));
            }
            self.hooks.once.insert(past.id);
        }
        let (at_end, others): (Vec<Hooked>, Vec<Hooked>) =
            owed.into_iter().partition(|past| past.key == moment::end_key());
        self.hooks.is_awake |= !at_end.is_empty();
        for past in others.into_iter().filter(moment::is_after) {
            let found = self.hooks.hooks.all.iter().position(|hook| hook.own.id == past.id);
            if let (Some(at), Some(moment)) = (found, Moment::again(&past))
                && !self.hook_one(at, &moment, None).await?
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns what a turn gets from hooks; says, once, that an agent has none inside its turns.
    pub(super) fn hook_given(&mut self, issued: &Issued) -> Given {
        if self.hooks.is_idle() {
            return Given::default();
        }
        let mut given = self.hooks.given(issued);
        if !given.inside.is_empty() && !self.crew.driver.runs_hooks() {
            given.inside.clear();
            let name = self.crew.driver.name();
            if self.hooks.told.insert(format!("inside {name}")) {
                let told = format!(
                    "{name} runs no hooks inside its turns: PreToolUse and PostToolUse see only what the engine itself reads and writes"
                );
                (self.watch)(Event::Told(&told));
            }
        }
        given
    }

    /// Runs the hooks of a moment; one that fails does not keep the others from running, unless it stops the run.
    async fn hook(&mut self, moment: &Moment, issued: Option<&Issued>) -> Result<bool, RunError> {
        for at in self.hooks.at(moment) {
            if !self.hook_one(at, moment, issued).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
