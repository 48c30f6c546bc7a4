//! Who takes part in a run, and what they do about files: plain values and functions, made by whoever starts it.

use crate::host::{Clock, Driver, Human, Settlement, Workspace};
use crate::machine::Task;
use crate::policy::secret::Secrets;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Makes the text of a turn, or says why it cannot.
pub type MakePrompt = Arc<dyn Fn(&Task) -> Result<String, String> + Send + Sync>;
/// Keeps the bytes of a file under a name of its own, and answers what is kept there.
pub type Keep = Arc<dyn Fn(&str, Option<&[u8]>) -> std::io::Result<Option<Vec<u8>>> + Send + Sync>;
/// Does something with what the tree looked like before a turn, by its name.
pub type WithSnapshot<T> = Arc<dyn Fn(&str) -> Result<T, String> + Send + Sync>;

/// Makes the files at these paths what they were in a snapshot; answers those that are too large to have been kept.
pub type PutBack = Arc<dyn Fn(&str, &[String]) -> Result<Vec<String>, String> + Send + Sync>;

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
    /// Makes files what they were in a snapshot.
    pub put_back: PutBack,
    /// What becomes of the files that a turn left behind when it was cut off, where that was said.
    pub unfinished: Option<Settlement>,
    /// How often it is told that somebody is still waited for.
    pub beat: Duration,
    /// The folder of the project.
    pub root: PathBuf,
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
