//! Who takes part in a run.

use super::{Launch, RunArgs};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers;
use crate::host::{Settlement, Workspace};
use crate::machine::{Effect, Issued, Task};
use crate::os::snapshot::{SnapshotError, SnapshotId, Snapshots};
use crate::os::store::RunFolder;
use crate::os::{Aids, Chain, Lines, Person, Screen, Terminal};
use crate::policy::{Answers, Policy};
use crate::project::Loaded;
use crate::runner::{Crew, Prompts, prompt};
use crate::source::ProjectPath;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::{Arc, Mutex, OnceLock};

/// Everybody who takes part, and the one who answers questions by name.
pub(super) struct Team {
    pub(super) crew: Crew,
    pub(super) chain: Arc<Chain>,
    /// What is wrong with answers that were given.
    pub(super) complaints: Arc<Mutex<Vec<String>>>,
}

/// Puts the crew of a run together.
pub(super) fn team(launch: &Launch<'_>, session: &Session<'_>) -> Result<Team, Failure> {
    let root = launch.project.root.clone();
    let options = agent_options(launch, session);
    let agent = match launch.args.names_agent() {
        true => launch.args.agent(),
        false => launch.begun.agent.as_str(),
    };
    let driver = drivers::named(agent, &options)
        .map_err(|error| Failure::usage(error.to_string()).with_hint("`bmad exec --help` names the agents"))?;
    let complaints = Arc::new(Mutex::new(Vec::new()));
    let chain = Arc::new(chain(launch, agent, &complaints, session)?);
    let token = format!("bmad-{}", launch.begun.run);
    if launch.goes_on {
        drivers::end_survivors(&token);
    }
    let shot = launch.folder.clone();
    let shot_root = root.clone();
    let next = Mutex::new(u32::try_from(launch.clock.now() / 1000 % 1_000_000_000).unwrap_or_default());
    Ok(Team {
        crew: Crew {
            driver: Arc::from(driver),
            human: Arc::clone(&chain) as Arc<_>,
            workspace: session.host(),
            clock: Arc::clone(&launch.clock),
            prompt: prompts(&launch.project.loaded),
            keep: keep(session.host(), launch.folder.kept().join("before")),
            snapshot: Arc::new(move || {
                let mut next = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                *next += 1;
                Snapshots::of(&shot_root, &shot)
                    .take(*next)
                    .map(|id| Some(id.to_string()))
                    .map_err(|error| error.to_string())
            }),
            settle: settle(root.clone(), launch.folder.clone()),
            root,
            token,
        },
        chain,
        complaints,
    })
}

fn agent_options(launch: &Launch<'_>, session: &Session<'_>) -> drivers::Options {
    let mut options = drivers::Options::new(session.host(), session.folder());
    options.allowed.clone_from(&launch.args.allow);
    options.environment = session.inherited();
    options.prompts = Some(launch.folder.path().join("prompts"));
    options
}

/// Makes prompts; a project's own files of the same name win.
fn prompts(loaded: &Loaded) -> Arc<dyn Fn(&Task) -> Result<String, String> + Send + Sync> {
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
    complaints: &Arc<Mutex<Vec<String>>>,
    session: &Session<'_>,
) -> Result<Chain, Failure> {
    let answers = answers(launch.args, launch, session)?;
    let policy = Policy {
        yolo: launch.args.yolo || launch.begun.yolo,
        defaults: launch.args.defaults,
        first: agent.starts_with("script") && agent.contains("--ack"),
    };
    let aids = Aids {
        context: Arc::new(String::new),
        editor: session.editor(),
        scratch: launch.folder.path().join("prompts"),
    };
    let screen = Screen {
        color: session.look.color,
        unicode: session.look.unicode,
        width: session.look.width,
    };
    let person: Option<Box<dyn Person>> = match launch.args.non_interactive || launch.args.json {
        true => None,
        false => match Terminal::open(screen, aids.clone()) {
            Some(terminal) => Some(Box::new(terminal)),
            None => Lines::standard(screen, aids)
                .ok()
                .map(|lines| Box::new(lines) as Box<dyn Person>),
        },
    };
    let complaints = Arc::clone(complaints);
    let complain = move |told| {
        complaints
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .push(told)
    };
    Ok(Chain::new(answers, policy, person, Arc::new(complain)))
}

/// Reads the answers file that was given, or the one that an earlier stop left to be filled.
fn answers(args: &RunArgs, launch: &Launch<'_>, session: &Session<'_>) -> Result<Answers, Failure> {
    let left = super::answers_path(&launch.folder);
    let path = match &args.answers {
        Some(path) => session.folder().join(path),
        None if session.host().exists(&left) => left,
        None => return Ok(Answers::default()),
    };
    read_answers(&*session.host(), path)
}

fn read_answers(host: &dyn Workspace, path: PathBuf) -> Result<Answers, Failure> {
    let shown = path.display().to_string();
    let bytes = host
        .read(&path)
        .map_err(|error| Failure::usage(format!("`{shown}` cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage(format!("`{shown}` is not UTF-8 text")))?;
    Answers::parse(&text, &shown).map_err(|error| Failure::usage(error.to_string()))
}

/// A turn that was cut off is taken again, from the files as they were before it.
fn settle(
    root: PathBuf,
    folder: RunFolder,
) -> Arc<dyn Fn(&Issued, Option<&str>) -> Result<Settlement, String> + Send + Sync> {
    Arc::new(move |issued, before| {
        let changes = matches!(&issued.effect, Effect::Dispatch(_)) && issued.effect.changes();
        match before {
            Some(id) if changes => {
                put_back(&root, &folder, id).map_err(|error| error.to_string())?;
                Ok(Settlement::Restored)
            }
            Some(_) | None => Ok(Settlement::Kept),
        }
    })
}

/// Makes every file that a turn changed what it was before.
fn put_back(root: &Path, folder: &RunFolder, id: &str) -> Result<(), SnapshotError> {
    let id = SnapshotId::from_str(id)?;
    let snapshots = Snapshots::of(root, folder);
    let changed: Vec<String> = snapshots
        .differences(&id)?
        .into_iter()
        .map(|difference| difference.path)
        .collect();
    snapshots.restore(&id, &changed).map(|_| ())
}

type Keep = Arc<dyn Fn(&str, Option<&[u8]>) -> std::io::Result<Option<Vec<u8>>> + Send + Sync>;

/// Keeps what a file holds before it is written; asked again under the same name it answers what was kept first.
fn keep(host: Arc<dyn Workspace>, folder: PathBuf) -> Keep {
    Arc::new(move |name, bytes| {
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
