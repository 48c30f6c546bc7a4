//! Any program as an agent: the prompt on its standard input, the reply on its standard output.

use super::process::{Ended, Job, MAX_OUT, Stopped, run};
use super::{DriverError, Options, argument, failed, reply};
use crate::host::{Driver, Reply, Turn, Wait};
use crate::machine::{Failure, FailureKind};
use crate::policy::secret::Secrets;
use std::sync::Arc;
use std::time::Duration;

/// A program that takes turns.
pub struct Command {
    name: String,
    argv: Vec<String>,
    environment: Vec<(String, String)>,
    secrets: Arc<Secrets>,
}

impl Command {
    /// Makes the driver from a command line.
    pub(super) fn from_line(line: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let wrong = |why: &str| DriverError::argument("command", why);
        let argv = argument::words(line).ok_or_else(|| wrong("a quote is not closed"))?;
        let Some(program) = argv.first().filter(|program| !program.is_empty()) else {
            return Err(wrong("it needs a program, as in `command:my-agent --flag`"));
        };
        Ok(Box::new(Self {
            name: format!("command:{program}"),
            argv: argv.clone(),
            environment: options.environment.clone(),
            secrets: Arc::clone(&options.secrets),
        }))
    }

    async fn turn(&self, turn: &Turn) -> Result<Reply, Failure> {
        let limit = turn.task.timeout.map(|seconds| Duration::from_secs(u64::from(seconds)));
        let job = Job {
            argv: &self.argv,
            root: &turn.root,
            environment: &self.environment,
            token: &turn.token,
            input: &turn.prompt,
            limit,
            secrets: &self.secrets,
        };
        match run(&job).await {
            Ok(ended) => self.judge(&ended),
            Err(Stopped::Unstarted(why)) => Err(failed(
                FailureKind::Crashed,
                format!("`{}` could not be started: {why}", self.argv[0]),
            )),
            Err(Stopped::Late) => Err(failed(
                FailureKind::Timeout,
                format!("`{}` took longer than {} s and was ended", self.argv[0], seconds(limit)),
            )),
            Err(Stopped::Flood) => Err(reply::malformed(format!(
                "`{}` wrote more than {MAX_OUT} bytes and was ended",
                self.argv[0]
            ))),
        }
    }

    /// An envelope counts however the program ended; without one the end is what there is to tell.
    fn judge(&self, ended: &Ended) -> Result<Reply, Failure> {
        let wrong = match reply::read_without(&self.secrets, &ended.out) {
            Ok(reply) => return Ok(reply),
            Err(wrong) => wrong,
        };
        let is_empty = ended.out.iter().all(u8::is_ascii_whitespace);
        let how = match ended.code {
            Some(0) if is_empty => "ended without a reply".to_owned(),
            Some(0) => return Err(wrong),
            Some(code) => format!("ended with exit code {code} and no envelope"),
            None => "was ended by a signal".to_owned(),
        };
        let words = last_words(&ended.err, &self.secrets);
        let said = if words.is_empty() {
            String::new()
        } else {
            format!(": {words}")
        };
        Err(failed(FailureKind::Crashed, format!("`{}` {how}{said}", self.argv[0])))
    }
}

impl Driver for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Result<Reply, Failure>> {
        Box::pin(async move { self.turn(&turn).await })
    }
}

fn seconds(limit: Option<Duration>) -> u64 {
    limit.map_or(0, |limit| limit.as_secs())
}

/// Returns the last line that a program wrote for people. Masked before it is cut: half a secret looks like none.
fn last_words(err: &[u8], secrets: &Arc<Secrets>) -> String {
    const LONGEST: usize = 300;
    let text = String::from_utf8_lossy(err);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    secrets
        .masked_loosely(line.unwrap_or(""))
        .chars()
        .take(LONGEST)
        .collect()
}
