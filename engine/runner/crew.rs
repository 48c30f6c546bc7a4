//! Everybody who takes part in a run, what is told of it, and how it stops.

use super::commands::ProjectCommands;
use super::hooks::Hooks;
use super::ledger::Ledger;
use crate::host::{Called, Clock, Driver, Hooked, Human, JournalError, Settlement, Workspace};
use crate::machine::{End, Issued, Outcome, Question, Task};
use crate::policy::secret::Secrets;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Makes the text of a turn, or says why it cannot.
pub type MakePrompt = Arc<dyn Fn(&Task) -> Result<String, String> + Send + Sync>;
/// Keeps the bytes of a file under a name of its own, and answers what is kept there.
pub type Keep = Arc<dyn Fn(&str, Option<&[u8]>) -> std::io::Result<Option<Vec<u8>>> + Send + Sync>;
/// Does something with what the tree looked like before a turn, by its name.
pub type WithSnapshot<T> = Arc<dyn Fn(&str) -> Result<T, String> + Send + Sync>;

/// Keeps the files as they are, and makes those at these paths what they were in a snapshot.
pub type PutBack = Arc<dyn Fn(&str, &[String]) -> Result<Back, String> + Send + Sync>;

/// What became of files that were to be put back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Back {
    /// The name under which they are kept as they were before that.
    pub kept: Option<String>,
    /// Those that are left as they are: they were not kept then, or cannot be now.
    pub left: Vec<String>,
}

/// Says of a file whether somebody changed it after a moment, in milliseconds since 1970, where it is known.
pub type Since = Arc<dyn Fn(&str, Option<i64>) -> bool + Send + Sync>;

/// Names the other runs of the project that are at work, or were since a moment, in milliseconds since 1970.
pub type Others = Arc<dyn Fn(i64) -> Vec<String> + Send + Sync>;

/// Says where a repository stood in a snapshot and where it stands, where that is not the same.
pub type Stood = Arc<dyn Fn(&str) -> Option<(String, String)> + Send + Sync>;

/// Ends whoever an earlier process left behind; they have a moment to end by themselves until there is haste.
pub type EndSurvivors = Arc<dyn Fn(&AtomicBool) + Send + Sync>;

/// A file that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Relative to the project, with `/`.
    pub path: String,
    /// What happened to it, in a word.
    pub change: &'static str,
}

impl fmt::Display for Left {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:<8} {}", self.change, self.path)
    }
}

/// Everybody and everything a run works with.
#[derive(Clone)]
pub struct Crew {
    /// The agent that performs the workflow.
    pub driver: Arc<dyn Driver>,
    /// What is kept about its calls.
    pub ledger: Arc<Ledger>,
    /// Whoever answers questions.
    pub human: Arc<dyn Human>,
    /// The files.
    pub workspace: Arc<dyn Workspace>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// What is masked in everything that comes in.
    pub secrets: Arc<Secrets>,
    /// Makes the text of a turn.
    pub prompt: MakePrompt,
    /// Keeps the bytes of a file that is about to change, under a name of its own; answers what is kept there.
    pub keep: Keep,
    /// Notes what the tree looks like before an agent may change it; answers a name for it.
    pub snapshot: Arc<dyn Fn() -> Result<Option<String>, String> + Send + Sync>,
    /// Lists what is different from a snapshot.
    pub left_behind: WithSnapshot<Vec<Left>>,
    /// Says whether a file that changed is in somebody else's hands: the agents of this run cannot be the ones who write it.
    pub elsewhere: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    /// Names the other runs that work on the same files.
    pub others: Others,
    /// Says whether a file that a turn may have left behind is the work of somebody else since then: it changed after the
    /// moment when nobody of the run was at work any more, or it is of the workflow that the run goes on with.
    pub since: Since,
    /// Says where the repository stood and where it stands, where that is not the same as in a snapshot.
    pub moved: Stood,
    /// Makes files what they were in a snapshot.
    pub put_back: PutBack,
    /// Ends whoever an earlier process of this run left behind, where there may be somebody.
    pub survivors: Option<EndSurvivors>,
    /// Whether the run goes on when its terminal is closed.
    pub outlives_terminal: bool,
    /// What runs around effects.
    pub hooks: Hooks,
    /// Who runs the commands of the project; nobody runs none.
    pub commands: Option<ProjectCommands>,
    /// What becomes of the files that a turn left behind when it was cut off, where that was said.
    pub unfinished: Option<Settlement>,
    /// How often it is told that somebody is still waited for.
    pub beat: Duration,
    /// The run, as a person names it to a command.
    pub run: String,
    /// The folder of the project.
    pub root: PathBuf,
    /// The folder that the workflow is kept in, which may lie elsewhere: agents read there.
    pub home: PathBuf,
    /// The folders of the project that BMAD is installed in, which nothing is written to.
    pub installations: Vec<String>,
    /// A secret name of this run.
    pub token: String,
}

impl fmt::Debug for Crew {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Crew")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// Whoever watches a run.
pub type Watch<'a> = &'a mut dyn FnMut(Event<'_>);

/// What a watcher sees.
#[derive(Debug)]
pub enum Event<'a> {
    /// An effect begins; replayed ones are not told.
    Began(&'a Issued),
    /// An effect is recorded.
    Recorded(&'a Issued, &'a Outcome),
    /// Everything that was done before is replayed: how many effects.
    Replayed(u64),
    /// A file is not as the run left it.
    Drifted(&'a str),
    /// What a turn that was cut off left behind, what became of it, and how to have it back.
    Settled(Settlement, &'a str, &'a str),
    /// Somebody is waited for, for this long.
    Waited(Duration),
    /// A hook ran, or was kept from it.
    Hooked(&'a Hooked),
    /// A call of an agent is recorded.
    Called(&'a Called),
    /// Something that a person should know.
    Told(&'a str),
}

/// How a run stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// It came to an end.
    Ended(Box<End>),
    /// Nobody answers these questions.
    Waiting(Vec<Question>),
    /// No agent can or may be asked now; everything so far is kept, and nothing is under way.
    Parked {
        /// When somebody can be asked again, in milliseconds since 1970, where that is known.
        until: Option<i64>,
        /// Why, for a person.
        why: String,
    },
    /// Somebody interrupted it.
    Interrupted,
}

/// Why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// The journal is damaged, or does not take what is written.
    Journal(JournalError),
    /// The tree could not be noted before an agent changes it, or not be put back.
    Snapshot(String),
    /// A file holds what was left behind and could not be written again.
    Mend(String),
    /// The run could not be started at all.
    Runtime(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Journal(error) => error.fmt(formatter),
            RunError::Snapshot(why) => write!(
                formatter,
                "the files around an agent's turn could not be kept or put back: {why}"
            ),
            RunError::Mend(why) => write!(
                formatter,
                "a file that the edited workflow writes no longer in the same way could not be written again: {why}"
            ),
            RunError::Runtime(why) => write!(formatter, "the run could not be started: {why}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<JournalError> for RunError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}
