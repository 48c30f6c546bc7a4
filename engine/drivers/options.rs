//! What drivers are made with, and why one could not be made.

use super::DRIVERS;
use crate::host::{AgentSettings, Clock, Wait, Workspace};
use crate::policy::secret::Secrets;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Shows a text to the person.
pub type Show = Arc<dyn Fn(&str) + Send + Sync>;
/// Shows a prompt and waits for the reply that the person brings; nothing where they bring none.
pub type Paste = Arc<dyn Fn(&str) -> Wait<'static, Option<String>> + Send + Sync>;

/// What drivers are made with.
#[derive(Clone)]
pub struct Options {
    /// The files.
    pub workspace: Arc<dyn Workspace>,
    /// The folder that relative paths of a spec start from.
    pub folder: PathBuf,
    /// The person's environment; a program gets only a few names of it.
    pub environment: Vec<(String, String)>,
    /// What is masked in everything that agents say.
    pub secrets: Arc<Secrets>,
    /// The command lines that `offline` may run; one that ends in ` *` allows any arguments after it.
    pub allowed: Vec<String>,
    /// Whether `script` acknowledges what its file says nothing about.
    pub ack: bool,
    /// How `script` judges conditions that its file says nothing about.
    pub judge: bool,
    /// How `manual` shows where it put a prompt.
    pub show: Option<Show>,
    /// How `manual` gets replies.
    pub paste: Option<Paste>,
    /// The folder `manual` writes prompts into.
    pub prompts: Option<PathBuf>,
    /// What is set about agents, by name.
    pub agents: Vec<(String, AgentSettings)>,
    /// The time, by which it is known when an agent can be asked again.
    pub clock: Option<Arc<dyn Clock>>,
    /// The folder for files of a single call.
    pub scratch: PathBuf,
}

impl Options {
    /// Makes options with everything off.
    pub fn new(workspace: Arc<dyn Workspace>, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            workspace,
            environment: Vec::new(),
            secrets: Secrets::common(),
            allowed: Vec::new(),
            ack: false,
            judge: false,
            show: None,
            paste: None,
            prompts: None,
            agents: Vec::new(),
            clock: None,
            scratch: folder.join("scratch"),
            folder,
        }
    }

    /// Returns what is set about an agent, where something is.
    pub fn settings_of(&self, name: &str) -> Option<&AgentSettings> {
        let found = self.agents.iter().find(|(own, _)| own == name);
        found.map(|(_, settings)| settings)
    }

    /// Returns what is set about an agent.
    pub(super) fn settings(&self, name: &str) -> AgentSettings {
        self.settings_of(name).cloned().unwrap_or_default()
    }

    /// Returns the place of a file that a spec names.
    pub(super) fn place(&self, file: &str) -> PathBuf {
        self.folder.join(Path::new(file))
    }
}

/// Why a driver could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriverError {
    /// No driver has that name.
    Unknown {
        /// The name.
        name: String,
        /// A driver with a name much like it.
        near: Option<&'static str>,
    },
    /// What stands after the name will not do.
    Argument {
        /// The driver.
        driver: &'static str,
        /// What is wrong and what to write.
        why: String,
    },
    /// A file that it needs cannot be used.
    File {
        /// The file.
        path: String,
        /// The line, from 1, where one is wrong.
        line: Option<u32>,
        /// What is wrong.
        why: String,
    },
}

impl DriverError {
    pub(super) fn argument(driver: &'static str, why: impl Into<String>) -> Self {
        DriverError::Argument {
            driver,
            why: why.into(),
        }
    }

    pub(super) fn file(path: &str, why: impl Into<String>) -> Self {
        DriverError::File {
            path: path.to_owned(),
            line: None,
            why: why.into(),
        }
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::Unknown { name, near } => {
                write!(formatter, "no agent is named `{name}`")?;
                if let Some(near) = near {
                    return write!(formatter, "; did you mean `{near}`?");
                }
                let names: Vec<&str> = DRIVERS.iter().map(|kind| kind.name).collect();
                write!(formatter, "; there are {}", names.join(", "))
            }
            DriverError::Argument { driver, why } => write!(formatter, "the agent `{driver}` cannot be used so: {why}"),
            DriverError::File { path, line, why } => match line {
                Some(line) => write!(formatter, "`{path}` cannot be used, line {line}: {why}"),
                None => write!(formatter, "`{path}` cannot be used: {why}"),
            },
        }
    }
}

impl std::error::Error for DriverError {}
