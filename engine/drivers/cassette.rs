//! Turns and their replies on a tape: recorded from any driver, replayed exactly.
//!
//! A tape is a file of JSON lines. What finds a turn on it is what finds it in a journal.

use super::{DriverError, Options, failed, named};
use crate::host::{Call, Driver, Reply, Spec, Turn, Wait};
use crate::machine::{Envelope, Failure, FailureKind};
use crate::policy::secret::Secrets;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::future::ready;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// One turn on a tape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Take {
    digest: String,
    n: u32,
    workflow: String,
    step: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    agent: String,
    driver: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply: Option<Envelope>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    raw: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

/// An agent whose replies are on a tape.
pub struct Cassette {
    name: String,
    takes: HashMap<(String, u32), Take>,
}

impl Cassette {
    /// Makes the driver from the tape in `FILE`.
    pub(super) fn from_file(file: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        if file.is_empty() {
            return Err(DriverError::argument(
                "cassette",
                "it needs a file, as in `cassette:run.jsonl`",
            ));
        }
        let tape = File::open(options.place(file)).map_err(|error| DriverError::file(file, lower(&error)))?;
        let mut takes = HashMap::new();
        for (number, line) in (1..).zip(BufReader::new(tape).lines()) {
            let wrong = |why: String| DriverError::File {
                path: file.to_owned(),
                line: Some(number),
                why,
            };
            let line = line.map_err(|error| wrong(lower(&error)))?;
            if line.trim().is_empty() {
                continue;
            }
            let take: Take =
                serde_json::from_str(&line).map_err(|error| wrong(format!("not a recorded turn: {error}")))?;
            // A turn that was recorded again replaces what was there: the tape was made anew from that point.
            takes.insert((take.digest.clone(), take.n), take);
        }
        Ok(Box::new(Self {
            name: format!("cassette:{file}"),
            takes,
        }))
    }

    fn play(&self, turn: &Turn) -> Result<Reply, Failure> {
        let Some(take) = self.takes.get(&(turn.digest.clone(), turn.n)) else {
            return Err(self.miss(turn));
        };
        match (&take.reply, &take.failure) {
            (_, Some(failure)) => Err(failure.clone()),
            (Some(envelope), None) => Ok(Reply {
                envelope: envelope.clone(),
                raw: take.raw.clone(),
            }),
            (None, None) => Err(failed(FailureKind::Missing, "the tape has the turn without a reply")),
        }
    }

    /// Names the turn that is missing and the recorded one that is most like it.
    fn miss(&self, turn: &Turn) -> Failure {
        let task = &turn.task;
        let again = self.takes.values().filter(|take| take.digest == turn.digest).count();
        let likeness = |take: &&Take| {
            let same = [
                take.step == task.step,
                take.workflow == task.workflow,
                take.agent == task.agent.as_deref().unwrap_or(""),
            ];
            let count = same.iter().filter(|same| **same).count();
            (
                count,
                std::cmp::Reverse((take.workflow.clone(), take.step.clone(), take.n)),
            )
        };
        let near = match self.takes.values().max_by_key(likeness) {
            Some(_) if again > 0 => format!("the turn is recorded {again} times and this is number {}", turn.n + 1),
            Some(take) => format!(
                "the nearest that is recorded is step `{}` of {}, with another prompt or by an earlier version",
                take.step, take.workflow
            ),
            None => "nothing is recorded".to_owned(),
        };
        failed(
            FailureKind::Missing,
            format!(
                "step `{}` of {} is not on the tape; {near}; record it again with `record:`",
                task.step, task.workflow
            ),
        )
    }
}

impl Driver for Cassette {
    fn name(&self) -> &str {
        &self.name
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(ready(self.play(&turn).into()))
    }
}

/// Any agent, with everything it replies put on a tape.
pub struct Record {
    name: String,
    inner: Box<dyn Driver>,
    path: PathBuf,
    tape: Mutex<File>,
    secrets: Arc<Secrets>,
}

impl Record {
    /// Makes the driver from `FILE:INNER`, where `INNER` is the spec of the driver to record.
    pub(super) fn from_pair(argument: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let parsed = Spec {
            name: "record",
            argument,
        };
        let Some((file, spec)) = parsed.recorded() else {
            let why = "it needs a file and an agent, as in `record:run.jsonl:command:my-agent`";
            return Err(DriverError::argument("record", why));
        };
        let inner = named(spec, options)?;
        let path = options.place(file);
        let tape = open(&path).map_err(|error| DriverError::file(file, lower(&error)))?;
        Ok(Box::new(Self {
            name: format!("record:{}", inner.name()),
            inner,
            path,
            tape: Mutex::new(tape),
            secrets: Arc::clone(&options.secrets),
        }))
    }

    fn keep(&self, turn: &Turn, outcome: &Result<Reply, Failure>) -> Result<(), Failure> {
        let task = &turn.task;
        let take = Take {
            digest: turn.digest.clone(),
            n: turn.n,
            workflow: task.workflow.clone(),
            step: task.step.clone(),
            agent: task.agent.clone().unwrap_or_default(),
            driver: self.inner.name().to_owned(),
            reply: outcome.as_ref().ok().map(|reply| reply.envelope.clone()),
            raw: outcome.as_ref().map(|reply| reply.raw.clone()).unwrap_or_default(),
            failure: outcome.as_ref().err().cloned(),
        };
        let unkept = |why: String| {
            let place = self.path.display();
            failed(
                FailureKind::Files,
                format!("the tape `{place}` could not be written: {why}"),
            )
        };
        let line = serde_json::to_string(&take).map_err(|error| unkept(error.to_string()))?;
        let line = format!("{}\n", self.secrets.masked_json(&line));
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        tape.write_all(line.as_bytes()).map_err(|error| unkept(lower(&error)))
    }
}

impl Driver for Record {
    fn name(&self) -> &str {
        &self.name
    }

    fn works_on_files(&self) -> bool {
        self.inner.works_on_files()
    }

    fn runs_hooks(&self) -> bool {
        self.inner.runs_hooks()
    }

    fn counts(&self) -> bool {
        self.inner.counts()
    }

    fn own_files(&self) -> Vec<PathBuf> {
        let mut files = self.inner.own_files();
        files.push(self.path.clone());
        files
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move {
            let call = self.inner.perform(Arc::clone(&turn)).await;
            match self.keep(&turn, &call.result) {
                Ok(()) => call,
                Err(failure) => Call {
                    result: Err(failure),
                    ..call
                },
            }
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the folder of the tape is made with it")]
fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    OpenOptions::new().create(true).append(true).open(path)
}

fn lower(error: &std::io::Error) -> String {
    error.to_string().to_lowercase()
}
