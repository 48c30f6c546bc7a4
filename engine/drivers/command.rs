//! Any program as an agent: the prompt on its standard input, the reply on its standard output.

use super::ear::Whole;
use super::heard::last_words;
use super::process::{Ended, Job, Killed, Patience, passed, run};
use super::trouble::Trouble;
use super::{DriverError, Options, argument, failed, reply};
use crate::host::{Call, Clock, Driver, Turn, Wait};
use crate::machine::{Failure, FailureKind};
use std::sync::Arc;
use std::time::Duration;

/// A program that takes turns.
pub struct Command {
    name: String,
    argv: Vec<String>,
    environment: Vec<(String, String)>,
    clock: Option<Arc<dyn Clock>>,
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
            environment: passed(&options.environment, |_| false),
            clock: options.clock.clone(),
        }))
    }

    async fn turn(&self, turn: &Turn) -> Result<Call, Failure> {
        let limit = turn.task.timeout.map(|seconds| Duration::from_secs(u64::from(seconds)));
        let job = Job {
            argv: &self.argv,
            root: &turn.root,
            environment: &self.environment,
            token: &turn.token,
            input: &turn.prompt,
            patience: Patience {
                limit,
                ..Patience::default()
            },
        };
        let mut out = Whole::default();
        let program = &self.argv[0];
        let ended = run(&job, &mut out)
            .await
            .map_err(|why| failed(FailureKind::Crashed, format!("`{program}` could not be started: {why}")))?;
        match ended.killed {
            None => Ok(self.judge(&out.0, &ended)),
            Some(Killed::Late | Killed::Silent | Killed::Lingered) => Err(failed(
                FailureKind::Timeout,
                format!("`{program}` took longer than {} s and was ended", seconds(limit)),
            )),
            Some(Killed::Flood) => Err(reply::malformed(format!(
                "`{program}` wrote more than {} bytes and was ended",
                reply::MAX_REPLY
            ))),
        }
    }

    /// An envelope counts however the program ended; without one the end is what there is to tell.
    fn judge(&self, out: &[u8], ended: &Ended) -> Call {
        let wrong = match reply::read(out) {
            Ok(reply) => return Ok(reply).into(),
            Err(wrong) => wrong,
        };
        let told =
            Trouble::in_words(&last_words(&ended.err)).filter(|told| is_told(told.kind) && ended.code != Some(0));
        let now = self.clock.as_ref().map_or(0, |clock| clock.now());
        let until = told.as_ref().and_then(|told| told.until.as_ref()?.moment(now));
        Call {
            until,
            ..Err(self.failure(out, ended, wrong, told)).into()
        }
    }

    /// Says how a program without an envelope ended; what it told of that itself counts.
    fn failure(&self, out: &[u8], ended: &Ended, wrong: Failure, told: Option<Trouble>) -> Failure {
        let is_empty = out.iter().all(u8::is_ascii_whitespace);
        let how = match ended.code {
            Some(0) if is_empty => "ended without a reply".to_owned(),
            Some(0) => return wrong,
            Some(code) => format!("ended with exit code {code} and no envelope"),
            None => "was ended by a signal".to_owned(),
        };
        let words = last_words(&ended.err);
        let said = if words.is_empty() {
            String::new()
        } else {
            format!(": {words}")
        };
        let kind = told.map_or(FailureKind::Crashed, |told| told.kind);
        failed(kind, format!("`{}` {how}{said}", self.argv[0]))
    }
}

impl Driver for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move { self.turn(&turn).await.unwrap_or_else(|failure| Err(failure).into()) })
    }
}

/// Says whether the last words of any program are believed: those about its service, not those about files.
fn is_told(kind: FailureKind) -> bool {
    let kinds = [
        FailureKind::RateLimited,
        FailureKind::Overloaded,
        FailureKind::Auth,
        FailureKind::Limit,
    ];
    kinds.contains(&kind)
}

fn seconds(limit: Option<Duration>) -> u64 {
    limit.map_or(0, |limit| limit.as_secs())
}
