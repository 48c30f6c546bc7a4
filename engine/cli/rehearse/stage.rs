//! A seed in, one rehearsal out. Nothing outside the copy is written, and nothing is kept.

use crate::cli::failure::Failure;
use crate::cli::launch::{self, Project};
use crate::drivers::{self, Understudy};
use crate::host::{Begun, Clock, Durability, Entry, Journal, JournalError, Line, ReadError, Resolved, Workspace};
use crate::machine::{Effect, Machine, Outcome, Question, Tally};
use crate::os::Disk;
use crate::os::clock::FixedClock;
use crate::os::copy::FolderCopy;
use crate::policy::secret::Secrets;
use crate::runner::{Back, Crew, Event, History, Hooks, ProjectCommands, Stopped, run};
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// When every rehearsal begins, and how long everything takes in it: the same seed is the same on every day.
const BEGINNING: i64 = 1_767_225_600_000;
const SECOND: i64 = 1000;

/// Where rehearsals are.
pub(super) struct Stage<'a> {
    project: &'a Project,
    begun: &'a Begun,
    copy: &'a FolderCopy,
}

/// How a rehearsal went.
#[derive(Debug)]
pub(super) struct Played {
    /// How it stopped, or what was wrong with the engine.
    pub(super) stopped: Result<Stopped, String>,
    pub(super) tally: Tally,
    /// The questions that came, in order.
    pub(super) questions: Vec<Question>,
}

impl Played {
    /// Says whether the person stopped it.
    pub(super) fn is_interrupted(&self) -> bool {
        matches!(self.stopped, Ok(Stopped::Interrupted))
    }
}

impl<'a> Stage<'a> {
    pub(super) fn new(project: &'a Project, begun: &'a Begun, copy: &'a FolderCopy) -> Self {
        Self { project, begun, copy }
    }

    /// Runs the workflow once, and makes the copy what it was.
    pub(super) fn play(&self, seed: u64) -> Result<Played, Failure> {
        let files = Arc::new(Watched::default());
        let crew = self.crew(seed, &files)?;
        let mut questions = Vec::new();
        let image = self.project.image();
        let mut machine = Machine::new(&image, self.project.at, launch::options(self.project, self.begun));
        let mut watch = |event: Event<'_>| {
            if let Event::Recorded(issued, Outcome::Answered(_)) = event
                && let Effect::Ask(question) = &issued.effect
            {
                questions.push((**question).clone());
            }
        };
        let stopped = catch_unwind(AssertUnwindSafe(|| {
            run(&mut machine, &mut Nowhere, &mut History::default(), &crew, &mut watch)
        }));
        let stopped = match stopped {
            Ok(Ok(stopped)) => Ok(stopped),
            Ok(Err(error)) => Err(error.to_string()),
            Err(panic) => Err(words(&*panic)),
        };
        let tally = machine.tally().clone();
        let touched = files.touched.lock().unwrap_or_else(PoisonError::into_inner);
        self.copy
            .renew(&touched)
            .map_err(|error| Failure::work(format!("the copy of the project cannot be made again: {error}")))?;
        Ok(Played {
            stopped,
            tally,
            questions,
        })
    }

    fn crew(&self, seed: u64, files: &Arc<Watched>) -> Result<Crew, Failure> {
        let workspace = Arc::clone(files) as Arc<dyn Workspace>;
        let options = drivers::Options::new(Arc::clone(&workspace), self.copy.root());
        let driver =
            drivers::named(&format!("chaos:{seed}"), &options).map_err(|error| Failure::usage(error.to_string()))?;
        let kept: Mutex<HashMap<String, Option<Vec<u8>>>> = Mutex::default();
        let understudy = Arc::new(Understudy::new(seed));
        Ok(Crew {
            driver: Arc::from(driver),
            ledger: Arc::default(),
            human: Arc::clone(&understudy) as Arc<_>,
            workspace,
            secrets: Secrets::common(),
            clock: Arc::new(FixedClock::new(BEGINNING, SECOND)) as Arc<dyn Clock>,
            prompt: launch::prompts(&self.project.loaded),
            keep: Arc::new(move |name, bytes| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let bytes = kept.entry(name.to_owned()).or_insert_with(|| bytes.map(<[u8]>::to_vec));
                Ok(bytes.clone())
            }),
            snapshot: Arc::new(|| Ok(None)),
            left_behind: Arc::new(|_| Ok(Vec::new())),
            elsewhere: Arc::new(|_| false),
            others: Arc::new(|_| Vec::new()),
            since: Arc::new(|_, _| false),
            moved: Arc::new(|_| None),
            put_back: Arc::new(|_, _| Ok(Back::default())),
            survivors: None,
            outlives_terminal: false,
            hooks: Hooks::default(),
            commands: Some(ProjectCommands {
                shell: understudy,
                refuse: Arc::new(|_| None),
            }),
            unfinished: None,
            beat: std::time::Duration::from_secs(60),
            run: "last".to_owned(),
            root: self.copy.root().to_path_buf(),
            home: self.copy.root().to_path_buf(),
            installations: self.project.image().installations(),
            token: format!("bmad-rehearsal-{seed}"),
        })
    }
}

/// Returns what a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the engine panicked: {}", text.unwrap_or("it does not say why"))
}

/// A journal that nobody reads.
#[derive(Debug)]
struct Nowhere;

impl Journal for Nowhere {
    fn append(&mut self, _: &Line<'_>, _: Durability) -> Result<(), JournalError> {
        Ok(())
    }

    fn settle(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// The disk, and what was written on it.
#[derive(Debug, Default)]
struct Watched {
    touched: Mutex<BTreeSet<PathBuf>>,
}

impl Workspace for Watched {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        Disk.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        Disk.exists(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        Disk.is_executable(path)
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        Disk.list(path)
    }

    fn resolve(&self, path: &Path) -> Option<Resolved> {
        Disk.resolve(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Nobody needs the copy after the machine itself went down.
        self.touch(path);
        Disk.write_soon(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.touch(path);
        Disk.remove(path)
    }
}

impl Watched {
    fn touch(&self, path: &Path) {
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched.insert(path.to_path_buf());
    }
}
