//! A command line and its input in, what it wrote and how it ended out. Nothing it started outlives the turn.

use super::pids::{self, Ending, GRACE, TOKEN, Tree};
use crate::policy::secret::{Masker, Secrets};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::{sleep, timeout};

/// The most bytes of an answer that are kept; a process that writes more is ended.
pub(super) const MAX_OUT: usize = super::reply::MAX_REPLY;
/// The last bytes of messages that are kept.
const MAX_ERR: usize = 64 * 1024;
/// How long what a process left behind may hold its pipes open.
const LINGER: Duration = Duration::from_secs(2);
/// The variables of a person's environment that an agent gets.
const PASSED: &[&str] = &["PATH", "HOME", "LANG", "TERM"];

/// A process to run.
pub(super) struct Job<'a> {
    /// The program and its arguments.
    pub(super) argv: &'a [String],
    /// The folder it works in.
    pub(super) root: &'a Path,
    /// The person's environment; only a few names of it are passed on.
    pub(super) environment: &'a [(String, String)],
    /// The secret name of the run.
    pub(super) token: &'a str,
    /// What it reads.
    pub(super) input: &'a str,
    /// How long it may take.
    pub(super) limit: Option<Duration>,
    /// What is masked in its messages.
    pub(super) secrets: &'a Arc<Secrets>,
}

/// A process that came to its own end.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) out: Vec<u8>,
    /// Its messages, without secrets: only their end is kept, and what is cut through would not be known for one.
    pub(super) err: Vec<u8>,
    /// Its exit code; none where a signal ended it.
    pub(super) code: Option<i32>,
}

/// Why a process gave nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// It could not be started.
    Unstarted(String),
    /// It took too long.
    Late,
    /// It wrote more than is kept.
    Flood,
}

/// Runs a process to its end, or ends it. Dropped half-way, it takes the process and all below it along.
pub(super) async fn run(job: &Job<'_>) -> Result<Ended, Stopped> {
    let mut child = start(job).map_err(|error| Stopped::Unstarted(error.to_string().to_lowercase()))?;
    let mut leash = Leash {
        leader: child.id(),
        is_gone: false,
    };
    let (input, output, messages) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let out = Kept::new(MAX_OUT);
    let err = Kept::new(MAX_ERR);
    let talk = async {
        let fed = feed(input, job.input);
        let heard = drain(output, &out, None);
        let noted = drain(messages, &err, Some(Masker::new(Arc::clone(job.secrets))));
        tokio::try_join!(fed, heard, noted).map(|_| ())
    };
    let mut talk = Box::pin(talk);
    let mut limit = Box::pin(clock(job.limit));
    let mut is_talking = true;
    let code = loop {
        tokio::select! {
            talked = &mut talk, if is_talking => match talked {
                Ok(()) => is_talking = false,
                Err(Flooded) => {
                    leash.end(&mut child).await;
                    return Err(Stopped::Flood);
                }
            },
            status = child.wait() => break status.ok().and_then(|status| status.code()),
            () = &mut limit => {
                leash.end(&mut child).await;
                return Err(Stopped::Late);
            }
        }
    };
    leash.is_gone = true;
    if is_talking && let Ok(Err(Flooded)) = timeout(LINGER, &mut talk).await {
        return Err(Stopped::Flood);
    }
    drop(talk);
    Ok(Ended {
        out: out.take(),
        err: err.take(),
        code,
    })
}

fn start(job: &Job<'_>) -> std::io::Result<Child> {
    let Some((program, arguments)) = job.argv.split_first() else {
        return Err(std::io::Error::other("no program is named"));
    };
    let passed = job
        .environment
        .iter()
        .filter(|(name, _)| PASSED.contains(&name.as_str()));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(job.root)
        .env_clear()
        .envs(passed.map(|(name, value)| (name, value)))
        .env(TOKEN, job.token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command.spawn()
}

/// Holds the processes of a turn: whatever happens, they end with it.
struct Leash {
    leader: Option<u32>,
    /// Whether the leader came to its own end: then nobody descends from it any more and only its group is left.
    is_gone: bool,
}

impl Leash {
    /// Asks all to end, waits a little, and ends who is left.
    async fn end(&self, child: &mut Child) {
        let Some(leader) = self.leader else { return };
        let mut tree = Tree::of(leader);
        tree.ask();
        let polite = timeout(GRACE, child.wait()).await;
        tree.force();
        if polite.is_err() {
            // It was just ended by force: this only collects it, so that no dead process is left in the table.
            drop(child.wait().await);
        }
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        match self.leader {
            Some(leader) if self.is_gone => pids::end_group(leader, Ending::Force),
            Some(leader) => Tree::of(leader).force(),
            None => {}
        }
    }
}

/// A process wrote more than is kept.
#[derive(Debug)]
struct Flooded;

/// What happens to bytes past the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overflow {
    /// Nothing more is read.
    Stops,
    /// The first ones are forgotten.
    Forgets,
}

/// The bytes of a stream, up to a cap.
struct Kept {
    bytes: Mutex<Vec<u8>>,
    cap: usize,
}

impl Kept {
    fn new(cap: usize) -> Self {
        Self {
            bytes: Mutex::new(Vec::new()),
            cap,
        }
    }

    /// Adds bytes; says whether the cap is passed.
    fn add(&self, more: &[u8], overflow: Overflow) -> bool {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(more);
        let over = bytes.len().saturating_sub(self.cap);
        if over > 0 && overflow == Overflow::Forgets {
            bytes.drain(..over);
        }
        over > 0
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn feed(pipe: Option<ChildStdin>, input: &str) -> Result<(), Flooded> {
    if let Some(mut pipe) = pipe
        && pipe.write_all(input.as_bytes()).await.is_ok()
        && pipe.shutdown().await.is_err()
    {
        // A process that reads nothing, or not all, is free to: what it answers is what counts.
        return Ok(());
    }
    Ok(())
}

/// Keeps what comes. With a masker it is messages: their secrets are masked, and only the end of them is kept.
async fn drain(pipe: Option<impl AsyncRead + Unpin>, kept: &Kept, mut masker: Option<Masker>) -> Result<(), Flooded> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let count = pipe.read(&mut buffer).await.unwrap_or(0);
        match &mut masker {
            Some(masker) if count == 0 => drop(kept.add(&masker.finish(), Overflow::Forgets)),
            Some(masker) => drop(kept.add(&masker.push(&buffer[..count]), Overflow::Forgets)),
            None if kept.add(&buffer[..count], Overflow::Stops) => return Err(Flooded),
            None => {}
        }
        if count == 0 {
            return Ok(());
        }
    }
}

/// Waits for the end of the time, or for ever.
async fn clock(limit: Option<Duration>) {
    match limit {
        Some(limit) => sleep(limit).await,
        None => std::future::pending().await,
    }
}
