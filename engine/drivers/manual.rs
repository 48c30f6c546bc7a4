//! A person between the engine and any chat: the prompt is shown, the reply is what they bring back.

use super::{DriverError, Options, Paste, Show, failed, reply};
use crate::host::{Call, Driver, Reply, Turn, Wait, Workspace};
use crate::machine::{Failure, FailureKind};
use crate::policy::secret::Secrets;
use std::path::PathBuf;
use std::sync::Arc;

/// How much of a digest names a file.
const NAMED: usize = 12;

/// An agent that a person talks to.
pub struct Manual {
    workspace: Arc<dyn Workspace>,
    show: Option<Show>,
    paste: Option<Paste>,
    prompts: Option<PathBuf>,
    secrets: Arc<Secrets>,
}

impl Manual {
    /// Makes the driver; it takes no argument.
    pub(super) fn from_options(argument: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        if !argument.is_empty() {
            return Err(DriverError::argument("manual", "it takes nothing after its name"));
        }
        Ok(Box::new(Self {
            workspace: Arc::clone(&options.workspace),
            show: options.show.clone(),
            paste: options.paste.clone(),
            prompts: options.prompts.clone(),
            secrets: Arc::clone(&options.secrets),
        }))
    }

    /// Writes the prompt where the person can open it, and tells where.
    fn announce(&self, turn: &Turn) -> Result<(), Failure> {
        let prompt = self.secrets.masked(&turn.prompt);
        let mut told = format!("Give this to your agent, and bring back its reply.\n\n{prompt}");
        if let Some(folder) = &self.prompts {
            let digest: String = turn.digest.chars().take(NAMED).collect();
            let path = folder.join(format!("turn-{digest}-{}.md", turn.n));
            self.workspace
                .write(&path, prompt.as_bytes())
                .map_err(|error| failed(FailureKind::Files, format!("the prompt could not be written: {error}")))?;
            told.push_str(&format!("\nIt is also in {}\n", path.display()));
        }
        if let Some(show) = &self.show {
            show(&told);
        }
        Ok(())
    }

    async fn turn(&self, turn: &Turn) -> Result<Reply, Failure> {
        let Some(paste) = &self.paste else {
            return Err(failed(
                FailureKind::Denied,
                "nobody is there to bring a reply; run it where a person can, or choose another agent",
            ));
        };
        self.announce(turn)?;
        match paste(&turn.prompt).await {
            Some(text) if !text.trim().is_empty() => reply::read_without(&self.secrets, text.as_bytes()),
            Some(_) | None => Err(failed(FailureKind::Denied, "no reply was brought")),
        }
    }
}

impl Driver for Manual {
    fn name(&self) -> &str {
        "manual"
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move { self.turn(&turn).await.into() })
    }
}
