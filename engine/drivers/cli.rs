//! A turn in, one call of an agent's program out: what all agents with a command line have in common.

use super::card::{Can, Card};
use super::ear::{Lines, Next};
use super::heard::{Finish, Heard, event, text};
use super::process::{Ended, Job, Patience, passed, run};
use super::{Options, failed, schema};
use crate::host::{AgentSettings, Call, Clock, Driver, Spent, Turn, Wait, Workspace};
use crate::machine::{Access, Failure, FailureKind};
use crate::policy::secret::Secrets;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most seconds after the result.
const LINGER: u32 = 10;

/// What one kind of agent adds: how it is called, and what its events mean.
pub(super) trait Agent: Send + Sync {
    /// Says what is known of it.
    fn card(&self) -> &'static Card;

    /// Puts a call into words; a call that cannot be made so that it keeps its promises is not made.
    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure>;

    /// Takes one event.
    fn hear(&self, event: &Json, heard: &mut Heard);

    /// Says whether it runs hooks for the tools it uses.
    fn runs_hooks(&self) -> bool {
        false
    }

    /// Looks at what is left when the program is gone: its files, its last words.
    fn after(&self, _order: &Order<'_>, _ended: &Ended, _heard: &mut Heard) {}
}

/// One call to be made.
pub(super) struct Order<'a> {
    pub(super) turn: &'a Turn,
    pub(super) settings: &'a AgentSettings,
    /// The model, as this agent calls it.
    pub(super) model: Option<&'a str>,
    /// The form of the reply.
    pub(super) schema: Option<Json>,
    /// The start of names for files of this call alone.
    pub(super) scratch: &'a Path,
    pub(super) files: &'a dyn Workspace,
    /// What the program gets of the person's environment.
    pub(super) environment: &'a [(String, String)],
}

impl Order<'_> {
    /// Returns a variable that the program gets; what is set last counts.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let mut all = self.environment.iter().rev();
        all.find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Says whether the turn may change nothing.
    pub(super) fn is_reading(&self) -> bool {
        self.turn.task.access == Access::Read || self.turn.task.only_judges()
    }

    /// Says who the agent is, for a system prompt; none where that is too long for a command line. The prompt says it
    /// as well.
    pub(super) fn persona(&self) -> Option<&str> {
        const LONGEST: usize = 64 * 1024;
        let persona = self.turn.task.persona.trim();
        (!persona.is_empty() && persona.len() < LONGEST).then_some(persona)
    }

    /// Returns the name of a file of this call alone.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        let mut path = self.scratch.as_os_str().to_owned();
        path.push(name);
        PathBuf::from(path)
    }

    /// Writes a file of this call alone.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.file(name);
        let written = self.files.write(&path, text.as_bytes());
        match written {
            Ok(()) => Ok(path),
            Err(error) => Err(failed(
                FailureKind::Files,
                format!("`{}` could not be written: {error}", path.display()),
            )),
        }
    }
}

/// A call in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spoken {
    /// What follows the program.
    pub(super) arguments: Vec<String>,
    /// What follows the arguments that a person added.
    pub(super) last: Vec<String>,
    /// What it reads; empty closes its input at once.
    pub(super) input: String,
    /// Variables with values of the call's own.
    pub(super) set: Vec<(String, String)>,
    /// Files that are removed after the call.
    pub(super) files: Vec<PathBuf>,
}

impl Spoken {
    /// Adds arguments.
    pub(super) fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|it| (*it).to_owned()));
        self
    }

    /// Adds a file of this call alone, which is removed after it, as the value of an argument.
    pub(super) fn with_file(mut self, argument: &str, file: PathBuf) -> Self {
        self = self.with(&[argument, &file.to_string_lossy()]);
        self.files.push(file);
        self
    }
}

/// An agent with a command line.
pub(super) struct Cli {
    agent: &'static dyn Agent,
    program: String,
    settings: AgentSettings,
    environment: Vec<(String, String)>,
    workspace: Arc<dyn Workspace>,
    clock: Option<Arc<dyn Clock>>,
    secrets: Arc<Secrets>,
    scratch: PathBuf,
}

impl Cli {
    /// Makes the driver; what stands after its name in a spec is the model.
    pub(super) fn new(agent: &'static dyn Agent, model: &str, options: &Options) -> Self {
        let card = agent.card();
        let mut settings = options.settings(card.name);
        if !model.is_empty() {
            settings.model = Some(model.to_owned());
        }
        let program = settings.program.clone().unwrap_or_else(|| card.program.to_owned());
        let wanted = |name: &str| card.variables.contains(&name) || settings.pass.iter().any(|it| it == name);
        let mut environment = passed(&options.environment, wanted);
        environment.extend(settings.set.iter().cloned());
        Self {
            program,
            environment,
            settings,
            agent,
            workspace: Arc::clone(&options.workspace),
            clock: options.clock.clone(),
            secrets: Arc::clone(&options.secrets),
            scratch: options.scratch.clone(),
        }
    }

    async fn call(&self, turn: &Turn) -> Call {
        let scratch = self
            .scratch
            .join(format!("{}-{}", &turn.digest[..turn.digest.len().min(12)], turn.n));
        let order = Order {
            turn,
            settings: &self.settings,
            model: self.settings.model(turn.task.model.as_deref()),
            schema: schema::of(&turn.task),
            scratch: &scratch,
            files: &*self.workspace,
            environment: &self.environment,
        };
        let first = self.once(&order, turn).await;
        let lost = matches!(&first.result, Err(failure) if is_lost(failure));
        if !lost || turn.session.resume.is_none() {
            return first;
        }
        // The conversation is gone: the turn says all it needs, so that a new one can take it.
        let mut anew = turn.clone();
        anew.begin_anew();
        let mut call = self.once(&Order { turn: &anew, ..order }, &anew).await;
        call.notes
            .push("the conversation before was lost; a new one was begun".to_owned());
        call
    }

    async fn once(&self, order: &Order<'_>, turn: &Turn) -> Call {
        let spoken = match self.agent.command(order) {
            Ok(spoken) => spoken,
            Err(failure) => return Err(failure).into(),
        };
        let mut argv = vec![self.program.clone()];
        argv.extend(spoken.arguments);
        argv.extend(self.settings.arguments.iter().cloned());
        argv.extend(spoken.last);
        let mut environment = spoken.set;
        environment.extend(self.environment.iter().cloned());
        let job = Job {
            argv: &argv,
            root: &turn.root,
            environment: &environment,
            token: &turn.token,
            input: &spoken.input,
            patience: Patience::of(turn, &self.settings, LINGER),
            secrets: &self.secrets,
        };
        let mut heard = Heard::default();
        let ended = {
            let mut ear = Lines::new(|line: &[u8]| listen(self.agent, line, &mut heard));
            let ended = run(&job, &mut ear).await;
            ear.end();
            ended
        };
        let ended = match ended {
            Ok(ended) => ended,
            Err(why) => return Err(failed(FailureKind::Crashed, self.unstarted(&why))).into(),
        };
        self.agent.after(order, &ended, &mut heard);
        for file in &spoken.files {
            // A file that stays is only clutter.
            drop(self.workspace.remove(file));
        }
        self.say_what_was_left_out(&mut heard);
        let now = self.clock.as_ref().map_or(0, |clock| clock.now());
        let counted = settle(self.agent.card(), turn, &mut heard);
        heard.call(self.agent.card().title, &ended, counted, now)
    }

    fn say_what_was_left_out(&self, heard: &mut Heard) {
        let card = self.agent.card();
        let is_set = !self.settings.allow.is_empty() || !self.settings.deny.is_empty();
        if is_set && !card.can(Can::Allowlist, None) {
            heard.note(format!(
                "{} takes no list of tools: `allow` and `deny` are not in force",
                card.title
            ));
        }
    }

    fn unstarted(&self, why: &str) -> String {
        let card = self.agent.card();
        format!(
            "`{}` could not be started: {why}; install it with `{}`, or set `program` under `[agents.{}]` in `bmad.toml`",
            self.program, card.install, card.name
        )
    }
}

impl Driver for Cli {
    fn name(&self) -> &str {
        self.agent.card().name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn runs_hooks(&self) -> bool {
        self.agent.runs_hooks()
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move { self.call(&turn).await })
    }
}

/// Says whether it is the conversation that is missing.
fn is_lost(failure: &Failure) -> bool {
    let names = ["session", "conversation", "thread"];
    failure.kind == FailureKind::Missing && names.iter().any(|name| failure.message.to_lowercase().contains(name))
}

/// Takes one line of what an agent writes.
pub(super) fn listen(agent: &dyn Agent, line: &[u8], heard: &mut Heard) -> Next {
    if let Some(event) = event(line) {
        heard.events += 1;
        agent.hear(&event, heard);
        if heard.session.is_none() {
            heard.session = session(&event);
        }
    }
    // A line of a log after the result is no work.
    match heard.finish {
        Some(Finish::Done | Finish::Failed | Finish::Stopped) => Next::Over,
        None => Next::More,
    }
}

/// Settles which conversation it was; answers what was counted of it before.
pub(super) fn settle(card: &Card, turn: &Turn, heard: &mut Heard) -> Spent {
    let Some(asked) = &turn.session.resume else {
        // One that was killed early did not say the name that it was given.
        if heard.events > 0 && card.can(Can::ChooseSession, None) && !turn.session.choose.is_empty() {
            heard.session.get_or_insert(turn.session.choose.clone());
        }
        return Spent::default();
    };
    match &heard.session {
        Some(got) if got != asked => {
            let note = format!("asked to go on with conversation {asked}, it went on with {got}");
            heard.note(note);
            Spent::default()
        }
        Some(_) => turn.session.counted,
        None => {
            heard.session = (heard.events > 0).then(|| asked.clone());
            turn.session.counted
        }
    }
}

/// Finds the name of a conversation where agents usually put it.
fn session(event: &Json) -> Option<String> {
    let places: [&[&str]; 4] = [
        &["sessionId"],
        &["sessionID"],
        &["metadata", "session_id"],
        &["session_id"],
    ];
    let found = places.iter().find_map(|place| text(event, place));
    found.filter(|id| !id.is_empty()).map(str::to_owned)
}
