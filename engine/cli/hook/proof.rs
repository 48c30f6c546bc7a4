//! The command of a hook in, why it does not answer as it should out: it is run the way an agent runs it.

use super::place::Settings;
use super::start::{self, Review};
use crate::cli::session::Session;
use crate::drivers::Shell;
use crate::host::{Clock, CommandLine};
use crate::os::clock::SystemClock;
use crate::os::scratch::Scratch;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the command may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Enough for a shell, and bmad is not there.
const PATH: &str = "/usr/bin:/bin";
const TRACKER: &str = "issues.md";
const OPEN: &str = "<!-- ISSUES_START -->\n### F-1 · high · open\n<!-- ISSUES_END -->\n";
const CLEAR: &str = "<!-- ISSUES_START -->\n### F-1 · high · fixed\n<!-- ISSUES_END -->\n";

/// Says why a command would not do as the hook; nothing where it would.
///
/// In a folder of its own a review is on with an issue that is open: an agent that is done has to be sent back. Then the
/// issue is fixed, and the agent says the promise: it has to be let go.
pub(super) fn failure(command: &str, variables: &[(&str, &str)], session: &Session<'_>) -> Option<String> {
    Stage::make(command, variables, session)
        .and_then(|stage| stage.play())
        .err()
}

struct Stage<'s, 'a> {
    command: &'s str,
    variables: &'s [(&'s str, &'s str)],
    session: &'s Session<'a>,
    scratch: Scratch,
    state: PathBuf,
}

impl<'s, 'a> Stage<'s, 'a> {
    fn make(command: &'s str, variables: &'s [(&'s str, &'s str)], session: &'s Session<'a>) -> Result<Self, String> {
        let scratch =
            Scratch::make(&session.scratch_folder()).map_err(|error| format!("no folder to try it in: {error}"))?;
        let settings = Settings::at(scratch.path(), session);
        let state = settings.state_file().ok_or("no place for its state")?;
        let text = start::filled(
            start::standard(),
            &Review {
                review_loop: settings.review_loop(),
                document: "",
                tracker: TRACKER,
                open: 1,
                prompt: "Go on.",
                began: SystemClock.now(),
            },
        );
        let stage = Self {
            command,
            variables,
            session,
            scratch,
            state,
        };
        stage.write(&stage.state, &text.map_err(|failure| failure.to_string())?)?;
        Ok(stage)
    }

    fn play(&self) -> Result<(), String> {
        let tracker = self.scratch.path().join(TRACKER);
        self.write(&tracker, OPEN)?;
        let held = self.ask("Done.")?;
        let decision = serde_json::from_str::<Json>(&held).unwrap_or_default();
        if decision["decision"] != "block" {
            return Err(format!(
                "an agent that leaves an issue open was not sent back; it said `{}`",
                held.trim()
            ));
        }
        self.write(&tracker, CLEAR)?;
        let released = self.ask("<review-complete>ALL_ISSUES_RESOLVED</review-complete>")?;
        let decision = serde_json::from_str::<Json>(&released).unwrap_or_default();
        if decision.get("decision").is_some() || self.session.host().exists(&self.state) {
            return Err(format!(
                "an agent that is done was not let go; it said `{}`",
                released.trim()
            ));
        }
        Ok(())
    }

    fn ask(&self, said: &str) -> Result<String, String> {
        let root = self.scratch.path().display().to_string();
        let question = json!({
            "hook_event_name": "Stop", "cwd": root, "stop_hook_active": false, "last_assistant_message": said,
        });
        let own = [("CLAUDE_PROJECT_DIR", root.as_str()), ("PATH", PATH)];
        let variables = own.iter().chain(self.variables);
        let shell = Shell::new(&self.session.inherited(|_| false), &self.session.secrets);
        let ran = shell.run_now(CommandLine {
            // The engine's own mark would make the hook take this for a turn of a run.
            text: format!("unset BMAD_RUN_TOKEN BMAD_CALL_TOKEN; {}", self.command),
            root: self.scratch.path().to_path_buf(),
            variables: variables
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            limit: LIMIT,
            token: "bmad-hook".to_owned(),
            input: question.to_string(),
        });
        match ran.end.is_fine() {
            true => Ok(ran.out),
            false => Err(format!("{} {}", ran.end.words(), ran.err.trim())),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        let written = self.session.host().write(path, text.as_bytes());
        written.map_err(|error| format!("`{}` could not be written: {error}", path.display()))
    }
}
