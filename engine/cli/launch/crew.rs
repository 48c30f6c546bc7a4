//! Who takes part in a run.

use super::engaged::{Home, Watch};
use super::{Launch, RunArgs, elsewhere, staff, unfinished};
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers;
use crate::host::{Staff, Workspace};
use crate::machine::{Asker, Question, sha256};
use crate::os::scratch::Scratch;
use crate::os::snapshot::{Known, Snapshots, Undo};
use crate::os::store::RunFolder;
use crate::os::{Aids, Chain, Lines, Person, Screen, Stream, Terminal, ignores_hangup, tell};
use crate::policy::{Answers, Policy};
use crate::project::Loaded;
use crate::runner::{Crew, EndSurvivors, Keep, Ledger, MakePrompt, Patience, Prompts, Relay, prompt};
use crate::source::ProjectPath;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Everybody who takes part, and the one who answers questions by name.
pub(super) struct Team {
    pub(super) crew: Crew,
    pub(super) chain: Arc<Chain>,
    /// What is wrong with answers that were given.
    pub(super) complaints: Arc<Mutex<Vec<String>>>,
    /// Where the run stands, for a person who wants to know before they answer.
    pub(super) standing: Arc<Mutex<String>>,
    /// The folder for the files of single calls; it goes with the team.
    _scratch: Option<Scratch>,
}

/// Puts the crew of a run together.
pub(super) fn team(launch: &Launch<'_>, session: &Session<'_>) -> Result<Team, Failure> {
    let root = launch.project.root.clone();
    let agent = launch.args.agent().unwrap_or(&launch.begun.agent);
    let (staff, watch) = staffed(launch, session)?;
    let complaints = Arc::new(Mutex::new(Vec::new()));
    let standing = Arc::new(Mutex::new(String::new()));
    let aids = aids(launch, &standing, session);
    let chain = Arc::new(chain(launch, agent, aids, &complaints, session)?);
    let store = super::store(launch.args, launch.project, session)?;
    let hooks = super::hooks::around(launch.project, &store, launch.state(), session);
    let commands = super::commands::of_project(launch.project, &launch.begun.allowed, &store, session);
    let token = token(launch);
    let ledger = Arc::new(Ledger::default());
    let scratch = scratch(&staff, agent, session)?;
    let mut options = agent_options(launch, &staff, &chain, session);
    if let Some(scratch) = &scratch {
        scratch.path().clone_into(&mut options.scratch);
    }
    let members = staff::members(&staff, agent, &options, &watch)?;
    let relay = Relay::new(members, staff, Arc::clone(&ledger), Arc::clone(&launch.clock));
    let relay = relay.with_patience(patience(launch));
    let trees = Trees::of(launch, &root);
    let books = Arc::clone(&ledger);
    let (shot, left, stood, back) = (trees.clone(), trees.clone(), trees.clone(), trees);
    Ok(Team {
        crew: Crew {
            driver: Arc::new(relay),
            ledger,
            human: Arc::clone(&chain) as Arc<_>,
            workspace: session.host(),
            secrets: Arc::clone(&session.secrets),
            clock: Arc::clone(&launch.clock),
            prompt: prompts(&launch.project.loaded),
            keep: keep(session.host(), root.clone(), launch.folder.clone()),
            snapshot: Arc::new(move || shot.take_and_tell(&books).map(Some)),
            elsewhere: elsewhere::elsewhere(launch, &store, &token, session),
            others: elsewhere::others(&launch.begun.run, &store),
            left_behind: Arc::new(move |id| unfinished::left_behind(&left.snapshots(), id)),
            since: unfinished::since(launch),
            moved: Arc::new(move |id| stood.snapshots().moved(&id.parse().ok()?)),
            put_back: Arc::new(move |id, paths| unfinished::put_back(&back.snapshots(), id, paths)),
            survivors: launch.goes_on.then(|| survivors(token.clone())),
            outlives_terminal: ignores_hangup(),
            hooks,
            commands: Some(commands),
            unfinished: launch.unfinished,
            beat: Duration::from_secs(if session.live { 1 } else { super::SEEN }),
            run: named(launch),
            root,
            home: launch.project.loaded.root.clone(),
            installations: launch.project.image().installations(),
            token,
        },
        chain,
        complaints,
        standing,
        _scratch: scratch,
    })
}

/// Returns what is done where no agent can be asked now.
fn patience(launch: &Launch<'_>) -> Patience {
    match launch.args.wait {
        true => Patience::Wait,
        false => Patience::Park,
    }
}

/// Returns what is set about agents, and who looks at what of it is trusted.
fn staffed(launch: &Launch<'_>, session: &Session<'_>) -> Result<(Staff, Arc<Watch>), Failure> {
    let root = &launch.project.root;
    let mut staffed = staff::read(root, session)?;
    staffed.staff.lower_to(&launch.begun.limits);
    let state = launch.state();
    let watch = Watch::over(&staffed, launch.typed(), Home { root, state }, session)?;
    Ok((staffed.staff, watch))
}

/// Nobody who belongs to the run may still be writing when it goes on.
fn survivors(token: String) -> EndSurvivors {
    Arc::new(move |haste| {
        drivers::end_survivors(&token, &|| haste.load(Ordering::Relaxed));
    })
}

/// What the project looks like from turn to turn.
#[derive(Clone)]
struct Trees {
    root: PathBuf,
    folder: RunFolder,
    known: Arc<Known>,
}

impl Trees {
    fn of(launch: &Launch<'_>, root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            folder: launch.folder.clone(),
            known: Arc::default(),
        }
    }

    /// Takes the next snapshot, and answers its name.
    fn take(&self) -> Result<String, String> {
        let snapshots = self.snapshots();
        let taken = snapshots.take(snapshots.next());
        taken.map(|id| id.to_string()).map_err(|error| error.to_string())
    }

    /// Takes the next snapshot, and tells what a person should know of it.
    fn take_and_tell(&self, ledger: &Ledger) -> Result<String, String> {
        let taken = self.take();
        for note in self.known.take_notes() {
            ledger.tell(note);
        }
        taken
    }

    /// Returns the snapshots of the run; git is looked for again each time, as a turn may bring it or take it away.
    fn snapshots(&self) -> Snapshots<'_> {
        Snapshots::of(&self.root, &self.folder).knowing(&self.known)
    }
}

fn aids(launch: &Launch<'_>, standing: &Arc<Mutex<String>>, session: &Session<'_>) -> Aids {
    let standing = Arc::clone(standing);
    Aids {
        context: Arc::new(move || {
            standing
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .clone()
        }),
        editor: session.editor(),
        scratch: launch.folder.path().join("prompts"),
    }
}

/// Asks the person for the reply of an agent they talk to themselves.
fn paste(chain: &Arc<Chain>) -> drivers::Paste {
    let chain = Arc::clone(chain);
    Arc::new(move |_| {
        let question = Question {
            id: "manual".to_owned(),
            text: "What does your agent reply? Paste all of it, or open your editor with /edit.".to_owned(),
            open: true,
            origin: Asker::Engine,
            ..Question::default()
        };
        Arc::clone(&chain).words(question)
    })
}

/// Returns where the person is spoken to: where the output is a result of its own, and goes to a program or a file, not
/// there.
fn stream(launch: &Launch<'_>, session: &Session<'_>) -> Stream {
    match launch.aside && !session.look.wrap {
        true => Stream::Errors,
        false => Stream::Output,
    }
}

/// Returns the run as it has to be typed where the person is.
fn named(launch: &Launch<'_>) -> String {
    with_state(launch.begun.run.clone(), launch.state())
}

/// Returns a name that no other run has, on this machine: runs of other projects may have the same id.
fn token(launch: &Launch<'_>) -> String {
    let place = sha256(launch.begun.root.as_bytes());
    format!("bmad-{}-{}", launch.begun.run, &place[..12])
}

fn agent_options(launch: &Launch<'_>, staff: &Staff, chain: &Arc<Chain>, session: &Session<'_>) -> drivers::Options {
    let mut options = staff::options(staff, &launch.project.root, session);
    options.allowed.clone_from(&launch.begun.allowed);
    options.secrets = Arc::clone(&session.secrets);
    options.prompts = Some(launch.folder.path().join("prompts"));
    let stream = stream(launch, session);
    options.show = Some(Arc::new(move |text: &str| tell(stream, text)));
    options.clock = Some(Arc::clone(&launch.clock));
    if !launch.args.is_unattended() {
        options.paste = Some(paste(chain));
    }
    options
}

/// Makes a folder for the files of single calls, where somebody who is asked may need one.
fn scratch(staff: &Staff, agent: &str, session: &Session<'_>) -> Result<Option<Scratch>, Failure> {
    if !staff::has_programs(staff, agent) {
        return Ok(None);
    }
    let place = session.scratch_folder();
    Scratch::make(&place).map(Some).map_err(|error| {
        Failure::work(format!("no folder can be made in `{}`: {error}", place.display()))
            .with_hint("TMPDIR names the folder for what may go at any time")
    })
}

/// Makes prompts; a project's own files of the same name win.
pub(in crate::cli) fn prompts(loaded: &Loaded) -> MakePrompt {
    let own: Vec<(String, String)> = crate::runner::PROMPTS
        .iter()
        .filter_map(|name| {
            let path = ProjectPath::new(&format!("_bmad/core/prompts/{name}"))?;
            let document = loaded.library.at(&path)?;
            Some(((*name).to_owned(), document.source.text().to_owned()))
        })
        .collect();
    if own.is_empty() {
        let standard = OnceLock::new();
        return Arc::new(move |task| {
            let prompts = standard.get_or_init(Prompts::standard).as_ref();
            let made = prompts.map_err(Clone::clone).and_then(|prompts| prompts.prompt(task));
            made.map_err(|error| error.to_string())
        });
    }
    Arc::new(move |task| {
        let named = |name: &str| own.iter().find(|(own, _)| own == name).map(|(_, text)| text.clone());
        prompt(task, &named).map_err(|error| error.to_string())
    })
}

fn chain(
    launch: &Launch<'_>,
    agent: &str,
    aids: Aids,
    complaints: &Arc<Mutex<Vec<String>>>,
    session: &Session<'_>,
) -> Result<Chain, Failure> {
    let complaints = Arc::clone(complaints);
    let complain = move |told| {
        complaints
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(told)
    };
    let answers = answers(launch.args, launch, &complain, session)?;
    let policy = Policy {
        yolo: launch.args.yolo || launch.begun.yolo || launch.begun.since.yolo,
        defaults: launch.args.defaults,
        first: agent.starts_with("script") && agent.contains("--ack"),
    };
    let screen = Screen {
        color: session.look.color,
        unicode: session.look.unicode,
        width: session.look.width,
    };
    let stream = stream(launch, session);
    let person: Option<Box<dyn Person>> = match launch.args.is_unattended() {
        true => None,
        false => match Terminal::open(stream, screen, aids.clone()) {
            Some(terminal) => Some(Box::new(terminal)),
            None => Lines::standard(stream, screen, aids)
                .ok()
                .map(|lines| Box::new(lines) as Box<dyn Person>),
        },
    };
    Ok(Chain::new(answers, policy, person, Arc::new(complain)))
}

/// Reads the answers file that was given, and below it the one that an earlier stop left to be filled. What is wrong with
/// that one stops nobody who gave another.
fn answers(
    args: &RunArgs,
    launch: &Launch<'_>,
    complain: &dyn Fn(String),
    session: &Session<'_>,
) -> Result<Answers, Failure> {
    let host = &*session.host();
    let left = super::answers_path(&launch.folder);
    let left = match host.exists(&left) {
        true => read_answers(host, left),
        false => Ok(Answers::default()),
    };
    let Some(path) = &args.answers else {
        return left.map_err(Failure::usage);
    };
    let given = read_answers(host, session.folder().join(path)).map_err(Failure::usage)?;
    let left = left.unwrap_or_else(|why| {
        complain(format!("{why}; this file is left aside"));
        Answers::default()
    });
    Ok(given.above(left))
}

/// Reads the answers file that was given before anything begins, so that a wrong one leaves no run behind.
pub(in crate::cli) fn check_answers(args: &RunArgs, session: &Session<'_>) -> Result<(), Failure> {
    match &args.answers {
        Some(path) => read_answers(&*session.host(), session.folder().join(path))
            .map(drop)
            .map_err(Failure::usage),
        None => Ok(()),
    }
}

fn read_answers(host: &dyn Workspace, path: PathBuf) -> Result<Answers, String> {
    let shown = path.display().to_string();
    let bytes = host
        .read(&path)
        .map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("`{shown}` is not UTF-8 text"))?;
    Answers::parse(&text, &shown).map_err(|error| error.to_string())
}

/// Keeps what a file holds before it is written; asked again under the same name it answers what was kept first.
fn keep(host: Arc<dyn Workspace>, root: PathBuf, run: RunFolder) -> Keep {
    Arc::new(move |name, bytes| {
        // Another one begins where the run leaves lines behind.
        let folder = Undo::of(&root, &run).folder();
        let (kept, none) = (folder.join(name), folder.join(format!("{name}.none")));
        if let Ok(before) = host.read(&kept) {
            return Ok(Some(before));
        }
        if host.exists(&none) {
            return Ok(None);
        }
        match bytes {
            Some(bytes) => host.write(&kept, bytes)?,
            None => host.write(&none, b"")?,
        }
        Ok(bytes.map(<[u8]>::to_vec))
    })
}
