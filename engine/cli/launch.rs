//! Everything a run needs, put together: the project, the state folder, the agent, the person.

mod again;
mod awaiting;
mod commands;
mod crew;
mod departing;
mod elsewhere;
mod engaged;
mod flag;
mod given;
mod held;
mod hooks;
mod left;
mod parked;
mod past;
mod project;
mod returned;
mod rooted;
mod said;
mod show;
mod staff;
mod status;
mod stopped;
mod unfinished;

pub(super) use again::{Again, again, anew, changed, glance, options};
pub(super) use commands::{RunCommand, found as commands, named, refusing, seen};
pub(super) use crew::{check_answers, prompts};
pub(super) use engaged::EngagedAgent;
pub(super) use given::{check_inside, inputs, with_words, without_secrets};
pub(super) use held::Held;
pub(super) use hooks::{check as check_hooks, found as hooks};
pub(super) use past::Marks;
pub(super) use project::{Project, around, open, refuse};
pub(super) use returned::told as returned;
pub(super) use said::said;
pub(super) use staff::{
    agents_at, check_agents, check_configuration, check_default, check_named, check_successor, engaged_at, set,
};
pub(super) use unfinished::Unfinished;

use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::{Begun, Clock, Durability, Journal as _, Line, READING, Resumed, Settlement};
use crate::machine::Machine;
use crate::os::clock::{FixedClock, SystemClock};
use crate::os::journal::FileJournal;
use crate::os::lock::RunLock;
use crate::os::snapshot::Undo;
use crate::os::store::{RunFolder, Store, StoreError};
use crate::runner::{Event, History, run};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// After how many seconds it is noted again that a run is still at work.
const SEEN: u64 = 60;

/// How a run is done, whichever command begins it.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct RunArgs {
    /// Who does the work, such as offline, manual, claude-code or 'command:PROGRAM'; without it whom
    /// bmad.toml names; a resume goes on with whoever worked before
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,

    /// Answer questions from a file
    #[arg(long, value_name = "FILE")]
    pub(super) answers: Option<PathBuf>,

    /// Confirm nothing: take the one option that leads on
    #[arg(long)]
    pub(super) yolo: bool,

    /// Take the option that is marked as the default
    #[arg(long)]
    pub(super) defaults: bool,

    /// Ask nobody; questions that are still open end the run with exit code 3
    #[arg(long)]
    pub(super) non_interactive: bool,

    /// Wait where no agent can be asked, until one can, instead of stopping with exit code 5
    #[arg(long)]
    pub(super) wait: bool,

    /// Let the built-in agent run this command, `*` at the end allows any arguments; a `<run>` of the
    /// workflow too, where it is exactly this one
    #[arg(long, value_name = "COMMAND")]
    pub(super) allow: Vec<String>,

    /// Print events as JSON, one a line
    #[arg(long)]
    pub(super) json: bool,

    /// Keep the journals of runs here
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,

    /// Start the clock of the run at this many milliseconds since 1970 and let it stand still
    #[arg(long, value_name = "MS", hide = true)]
    pub(super) clock: Option<i64>,
}

impl RunArgs {
    /// Returns the agent that the person named.
    pub(super) fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Returns the same for a run that works on the project at a root: the agent is named as it is seen from there.
    pub(super) fn rooted(&self, root: &Path, session: &Session<'_>) -> Self {
        let agent = self.agent.as_deref();
        Self {
            agent: agent.map(|typed| rooted::rooted(typed, session.folder(), root)),
            ..self.clone()
        }
    }

    /// Says whether nobody is asked.
    pub(super) fn is_unattended(&self) -> bool {
        self.non_interactive || self.json
    }

    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        match self.clock {
            Some(at) => Arc::new(FixedClock::new(at, 0)),
            None => Arc::new(SystemClock),
        }
    }
}

/// A run that is about to go on.
pub(super) struct Launch<'a> {
    args: &'a RunArgs,
    project: &'a Project,
    begun: Begun,
    folder: RunFolder,
    journal: FileJournal,
    history: History,
    clock: Arc<dyn Clock>,
    /// Whether an earlier process may have left others behind.
    goes_on: bool,
    /// What becomes of the files that a turn left behind when it was cut off, where that was said.
    unfinished: Option<Settlement>,
    /// Whether what the workflow shows goes where complaints go, and questions too unless the output is a terminal.
    aside: bool,
    /// Held for as long as the run goes on.
    _lock: RunLock,
}

impl<'a> Launch<'a> {
    /// Begins a new run.
    pub(super) fn begin(
        args: &'a RunArgs,
        project: &'a Project,
        mut begun: Begun,
        session: &Session<'_>,
    ) -> Result<Self, Failure> {
        let clock = args.clock();
        let store = store(args, project, session)?;
        begun.at = clock.now();
        let folder = store.new_run(begun.at).map_err(|error| unkept(&error))?;
        begun.run = folder.id().to_owned();
        begun.allowed.clone_from(&args.allow);
        begun.typed = args.agent.is_some();
        // The built-in agent knows nothing that the engine does not.
        begun.fills = begun.agent != "offline";
        (begun.reading, begun.by_item) = (READING, true);
        begun.limits = set(&project.root, session)?.noted();
        let lock = lock(&folder, begun.at)?;
        let mut journal = FileJournal::create(&folder.journal()).map_err(|error| Failure::journal(&error))?;
        let kept = Begun {
            agent: staff::kept(&begun.agent, session),
            allowed: commands::kept(&begun.allowed, session),
            ..begun.clone()
        };
        // Nothing was done yet: it is on the disk with the first thing that is. A flag that names a run which is not
        // there would stay for ever, and hooks write down what they did after it.
        let is_first =
            flag::is_raised_in(&*session.host(), &project.root) || !hooks::found(project, &store, session).is_empty();
        let durability = match is_first {
            true => Durability::Synced,
            false => Durability::Written,
        };
        journal
            .append(&Line::Begun(Box::new(kept)), durability)
            .map_err(|error| Failure::journal(&error))?;
        Ok(Self {
            args,
            project,
            begun,
            folder,
            journal,
            history: History::default(),
            clock,
            goes_on: false,
            unfinished: None,
            aside: false,
            _lock: lock,
        })
    }

    /// Goes on with a run that stopped, as was said now.
    pub(super) fn resume(
        args: &'a RunArgs,
        project: &'a Project,
        mut begun: Begun,
        held: Held,
        said: Resumed,
    ) -> Result<Self, Failure> {
        let clock = args.clock();
        begun.allowed.extend(args.allow.iter().cloned());
        let folder = held.folder;
        let history = held.history.map_err(|error| Failure::journal(&error))?;
        let mut history = history.asking_anew(&said.again);
        let fills = args.agent().is_some_and(|agent| begun.is_new(agent));
        if fills {
            history = history.filling();
        }
        if fills || !said.again.is_empty() {
            // Turns are taken again under the keys they had before.
            Undo::of(&project.root, &folder)
                .note()
                .map_err(|error| Failure::work(format!("the run cannot be kept: {error}")))?;
        }
        let mut journal = FileJournal::open_for_append(&folder.journal())
            .map_err(|error| Failure::journal(&error))?
            .journal;
        let at = clock.now();
        journal
            .append(&Line::Resumed(Box::new(Resumed { at, ..said })), Durability::Buffered)
            .map_err(|error| Failure::journal(&error))?;
        Ok(Self {
            args,
            project,
            begun,
            folder,
            journal,
            history,
            clock,
            goes_on: held.at_work,
            unfinished: None,
            aside: false,
            _lock: held.lock,
        })
    }

    /// Says what becomes of the files that a turn left behind when it was cut off.
    pub(super) fn deciding(mut self, unfinished: Option<Unfinished>) -> Self {
        self.unfinished = unfinished.map(Settlement::from);
        self
    }

    /// Keeps what the workflow shows and asks away from the output: whoever began the run has a result of its own for it.
    pub(super) fn aside(mut self) -> Self {
        self.aside = true;
        self
    }

    /// Returns how the run began, and where it is kept.
    pub(super) fn kept(&self) -> (Begun, RunFolder) {
        (self.begun.clone(), self.folder.clone())
    }

    /// Returns the folder that runs are kept in, where the person named one.
    pub(super) fn state(&self) -> Option<&Path> {
        self.args.state_dir.as_deref()
    }

    /// Returns the agent that the person named themselves, now or when the run began.
    fn typed(&self) -> Option<&str> {
        staff::typed(&self.begun, self.args)
    }

    /// Runs until it stops, and says how it stopped.
    pub(super) fn go(mut self, session: &mut Session<'_>) -> Result<Exit, Failure> {
        self.journal.hide(Arc::clone(&session.secrets));
        let image = self.project.image();
        let mut machine = Machine::new(&image, self.project.at, options(self.project, &self.begun));
        let team = crew::team(&self, session)?;
        self.tell_left_behind(session)?;
        let store = store(self.args, self.project, session)?;
        elsewhere::tell(&self.begun.run, &store, session)?;
        commands::tell_untrusted(self.project, &self.begun.allowed, (&store, self.state()), session)?;
        let host = session.host();
        let left = left::alone(&self.folder, &self.project.root, &*host).map_err(|error| Failure::journal(&error))?;
        let mut flag = Ok(());
        let tries = attempts_path(&self.folder);
        let mut progress = false;
        let mut replayed = false;
        let mut screen = show::Screen::new(&self, Arc::clone(&team.standing), session);
        for path in left {
            screen.saw(&Event::Drifted(&path));
        }
        let stopped = run(
            &mut machine,
            &mut departing::Departing::of(&mut self.journal, &self.project.root, &self.folder),
            &mut self.history,
            &team.crew,
            &mut |event| {
                // The journal is sound and the replay over.
                if !replayed {
                    replayed = true;
                    flag = awaiting::clear(&*host, &self.project.root, &self.begun.run)
                        .and_then(|()| parked::clear(&*host, &self.project.root, &self.begun.run))
                        .and_then(|()| flag::raise(&*host, &self.project.root, &self.begun, None));
                }
                if let Event::Waited(time) = event
                    && time.as_secs() % SEEN == 0
                {
                    flag = flag::raise(&*host, &self.project.root, &self.begun, Some(self.clock.now()));
                }
                if !progress && matches!(event, Event::Recorded(..)) {
                    progress = host.write_soon(&tries, b"0").is_ok();
                }
                screen.saw(&event);
            },
        );
        let shown = screen.finish();
        if let Err(error) = flag {
            writeln!(session.errors, "note: the crash flag could not be written: {error}")?;
        }
        // What could not be shown is told once the run has stopped in order.
        let exit = stopped::report(self, &machine, stopped, &team, session)?;
        shown.map(|()| exit)
    }

    /// Says which runs have not stopped in order.
    fn tell_left_behind(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        let host = session.host();
        let store = store(self.args, self.project, session)?;
        let works = |run: &str| store.find(run).is_ok_and(|folder| is_held(&folder));
        for run in flag::left_behind(&*host, &self.project.root, &self.begun.run) {
            if works(&run) {
                continue;
            }
            // It may be kept in another folder than this one.
            let state = self.state().filter(|_| store.find(&run).is_ok());
            let resume = with_state(format!("bmad resume {run}"), state);
            writeln!(session.errors, "note: run {run} did not stop in order; {resume}")?;
        }
        Ok(())
    }
}

/// Takes the lock of a run.
pub(super) fn lock(folder: &RunFolder, now: i64) -> Result<RunLock, Failure> {
    RunLock::take(&folder.lock(), now)
        .map_err(|error| Failure::work(error.to_string()).with_hint("wait until it is done, or stop that process"))
}

/// Says whether a process works on a run.
pub(super) fn is_held(folder: &RunFolder) -> bool {
    RunLock::holder(&folder.lock()).is_ok_and(|holder| holder.is_some())
}

/// Returns where it is counted how often a run was resumed without getting anywhere.
pub(super) fn attempts_path(folder: &RunFolder) -> PathBuf {
    folder.path().join("attempts")
}

/// Returns where the answers are that a run waits for.
pub(super) fn answers_path(folder: &RunFolder) -> PathBuf {
    folder.path().join("answers.yaml")
}

/// Returns where the questions are that a run waits with.
pub(super) fn questions_path(folder: &RunFolder) -> PathBuf {
    folder.path().join("questions.json")
}

/// Opens the state folder of a project.
pub(super) fn store(args: &RunArgs, project: &Project, session: &Session<'_>) -> Result<Store, Failure> {
    open_store(args.state_dir.as_deref(), &project.root, session)
}

/// Opens the state folder of the project at a root.
pub(super) fn open_store(
    given: Option<&std::path::Path>,
    root: &std::path::Path,
    session: &Session<'_>,
) -> Result<Store, Failure> {
    let folder = match given {
        Some(folder) => session.folder().join(folder),
        None => session.state_folder()?,
    };
    Store::open(&folder, root).map_err(|error| unkept(&error))
}

fn unkept(error: &StoreError) -> Failure {
    Failure::work(format!("the run cannot be kept: {error}"))
        .with_hint("`--state-dir DIR` keeps runs in another folder")
}
