//! A command line and its input in, what it wrote and how it ended out. Nothing it started outlives the turn.

use super::ear::{Ear, Next};
use super::mouth::{Mouth, Said, Words, input};
use super::pids::{self, CALL, Ending, GRACE, TOKEN, Tree};
use super::starter;
use crate::host::{AgentSettings, Turn};
use crate::policy::secret::{Masker, Secrets};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep_until, timeout};

/// The last bytes of messages that are kept.
const MAX_ERR: usize = 64 * 1024;
/// How much is read at once of a process that says little, and of one that says more.
const LITTLE: usize = 2 * 1024;
const MORE: usize = 16 * 1024;
/// How long what a process left behind may hold its pipes open.
const HELD: Duration = Duration::from_secs(2);

/// The most seconds without a sign of life, where nobody says.
const SILENCE: u32 = 300;

/// How often it is looked whether they are gone.
const GLANCE: Duration = Duration::from_millis(20);

/// The variables of a person's environment that every program gets.
const COMMON: &[&str] = &["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/// Returns what a program gets of the environment: what every program gets, and what was asked for by name.
pub(super) fn passed(environment: &[(String, String)], asked: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let wanted = |(name, _): &&(String, String)| COMMON.contains(&name.as_str()) || asked(name);
    environment.iter().filter(wanted).cloned().collect()
}

/// A process to run.
pub(super) struct Job<'a> {
    /// The program and its arguments.
    pub(super) argv: &'a [String],
    /// The folder it works in.
    pub(super) root: &'a Path,
    /// Its whole environment but for the names by which it is found.
    pub(super) environment: &'a [(String, String)],
    /// The secret name of the run.
    pub(super) token: &'a str,
    /// What it reads first; its input is closed after that, where nothing more is said.
    pub(super) input: &'a str,
    /// How long it may take, be silent, and stay after its result.
    pub(super) patience: Patience,
    /// What is masked in its messages.
    pub(super) secrets: &'a Arc<Secrets>,
}

/// How long a process is waited for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Patience {
    /// In all.
    pub(super) limit: Option<Duration>,
    /// Without a sign of life.
    pub(super) silence: Option<Duration>,
    /// After it told its result.
    pub(super) linger: Option<Duration>,
}

impl Patience {
    /// Returns how long the program of an agent is waited for in a turn; `linger` is for how many seconds it may stay
    /// where nobody says.
    pub(super) fn of(turn: &Turn, settings: &AgentSettings, linger: u32) -> Self {
        let seconds = |count: u32| Some(Duration::from_secs(u64::from(count)));
        Self {
            limit: turn.task.timeout.and_then(seconds),
            silence: seconds(settings.silence.unwrap_or(SILENCE)),
            linger: seconds(settings.linger.unwrap_or(linger)),
        }
    }

    /// Lets a program be silent for this many seconds, where nobody says.
    pub(super) fn silent(self, settings: &AgentSettings, count: u32) -> Self {
        let silence = settings.silence.unwrap_or(count);
        Self {
            silence: Some(Duration::from_secs(u64::from(silence))),
            ..self
        }
    }
}

/// How a process ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ended {
    /// The last of what it wrote for people, without secrets: what is cut through would not be known for one.
    pub(super) err: Vec<u8>,
    /// Its exit code; none where a signal ended it.
    pub(super) code: Option<i32>,
    /// Why it was ended, where it did not end by itself.
    pub(super) killed: Option<Killed>,
}

/// Why a process was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Killed {
    /// It took too long.
    Late,
    /// It showed no sign of life.
    Silent,
    /// It had told its result and stayed.
    Lingered,
    /// It wrote more than is kept.
    Flood,
}

/// Runs a process to its end, or ends it; what it writes goes to `ear` as it comes.
///
/// Dropped half-way, it takes the process and all below it along.
pub(super) async fn run(job: &Job<'_>, ear: &mut dyn Ear) -> Result<Ended, String> {
    whole(job, None, ear).await
}

/// Does the same with a process that is spoken to while it runs: its input is closed when nothing more can be said.
///
/// From then on it has no reason to stay.
pub(super) async fn converse(job: &Job<'_>, words: Words, ear: &mut dyn Ear) -> Result<Ended, String> {
    whole(job, Some(words), ear).await
}

async fn whole(job: &Job<'_>, words: Option<Words>, ear: &mut dyn Ear) -> Result<Ended, String> {
    pids::adopt();
    let call = call_token(job.token);
    let is_live = words.is_some();
    let input = input(job.input, is_live).map_err(|error| error.to_string().to_lowercase())?;
    let command = command(job, &call, input).ok_or("no program is named")?;
    let started = starter::start(command).await;
    let mut child = started.map_err(|error| error.to_string().to_lowercase())?;
    let mut leash = Leash::of(&child, call);
    let mut talk = Talk::with(&mut child, job, words);
    let (status, killed) = match talk.until_over(&mut child, ear).await {
        Over::Ended(status) => {
            leash.is_gone = true;
            talk.rest(ear).await;
            if is_live {
                leash.settle().await;
            }
            (status, None)
        }
        Over::Killed(why) => (leash.end(&mut child).await, Some(why)),
    };
    Ok(Ended {
        err: std::mem::take(&mut talk.err),
        code: status.and_then(|status| status.code()),
        killed,
    })
}

/// Returns a name that no other call of this machine has.
fn call_token(run: &str) -> String {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let count = CALLS.fetch_add(1, Ordering::Relaxed);
    format!("{run}-{}-{count}", std::process::id())
}

fn command(job: &Job<'_>, call: &str, input: Stdio) -> Option<Command> {
    let (program, arguments) = job.argv.split_first()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(job.root)
        .env_clear()
        .envs(job.environment.iter().map(|(name, value)| (name, value)))
        .env(TOKEN, job.token)
        .env(CALL, call)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    Some(command)
}

/// How the talk with a process came to its end.
enum Over {
    Ended(Option<ExitStatus>),
    Killed(Killed),
}

/// The three pipes of a process and the time it has.
struct Talk<'a> {
    mouth: Mouth<'a>,
    out: Option<tokio::process::ChildStdout>,
    messages: Option<tokio::process::ChildStderr>,
    err: Vec<u8>,
    masker: Masker,
    patience: Patience,
    began: Instant,
    heard: Instant,
    told: Option<Instant>,
    /// Whether nothing more can be said to it: then nothing that it says is a reason to stay.
    is_over: bool,
}

impl<'a> Talk<'a> {
    fn with(child: &mut Child, job: &'a Job<'_>, words: Option<Words>) -> Self {
        let now = Instant::now();
        Self {
            mouth: Mouth::new(child.stdin.take(), job.input.as_bytes(), words),
            out: child.stdout.take(),
            messages: child.stderr.take(),
            err: Vec::new(),
            masker: Masker::new(Arc::clone(job.secrets)),
            patience: job.patience,
            began: now,
            heard: now,
            told: None,
            is_over: false,
        }
    }

    async fn until_over(&mut self, child: &mut Child, ear: &mut dyn Ear) -> Over {
        let (mut out, mut err) = (Vec::with_capacity(LITTLE), Vec::with_capacity(LITTLE));
        loop {
            let (deadline, why) = self.deadline();
            tokio::select! {
                biased;
                count = read(&mut self.out, &mut out) => match self.took(count, &out, ear) {
                    Some(why) => return Over::Killed(why),
                    None => continue,
                },
                count = read(&mut self.messages, &mut err) => match self.noted(count, &err, ear) {
                    Some(why) => return Over::Killed(why),
                    None => continue,
                },
                said = self.mouth.say() => match said {
                    Said::Some => {}
                    Said::Farewell => {
                        self.is_over = true;
                        self.told.get_or_insert(Instant::now());
                    }
                },
                status = child.wait() => return Over::Ended(status.ok()),
                () = sleep(deadline) => return Over::Killed(why),
            }
        }
    }

    /// Returns when the process has no time left, and why.
    fn deadline(&self) -> (Option<Instant>, Killed) {
        let at = |from: Option<Instant>, time: Option<Duration>| Some(from? + time?);
        let ends = [
            (at(self.told, self.patience.linger), Killed::Lingered),
            (at(Some(self.began), self.patience.limit), Killed::Late),
            (at(Some(self.heard), self.patience.silence), Killed::Silent),
        ];
        let first = ends
            .into_iter()
            .filter(|(end, _)| end.is_some())
            .min_by_key(|(end, _)| *end);
        first.unwrap_or((None, Killed::Late))
    }

    /// Takes what was read; answers why the process has to end.
    fn took(&mut self, count: usize, bytes: &[u8], ear: &mut dyn Ear) -> Option<Killed> {
        if count == 0 {
            self.out = None;
            return None;
        }
        self.heard = Instant::now();
        match ear.hear(&bytes[..count]) {
            Next::More if self.is_over => None,
            Next::More => {
                self.told = None;
                None
            }
            Next::Over => {
                self.told.get_or_insert(self.heard);
                None
            }
            Next::Flood => Some(Killed::Flood),
        }
    }

    fn noted(&mut self, count: usize, bytes: &[u8], ear: &mut dyn Ear) -> Option<Killed> {
        let told = match count {
            0 => {
                self.messages = None;
                self.masker.finish()
            }
            count => {
                self.heard = Instant::now();
                self.masker.push(&bytes[..count])
            }
        };
        self.err.extend_from_slice(&told);
        let over = self.err.len().saturating_sub(MAX_ERR);
        self.err.drain(..over);
        (ear.note(&bytes[..count]) == Next::Flood).then_some(Killed::Flood)
    }

    /// Reads what is left in the pipes of a process that ended; whoever it left behind may hold them open.
    async fn rest(&mut self, ear: &mut dyn Ear) {
        let all = async {
            let mut bytes = Vec::with_capacity(LITTLE);
            while self.out.is_some() {
                let count = read(&mut self.out, &mut bytes).await;
                if self.took(count, &bytes, ear).is_some() {
                    return;
                }
            }
            while self.messages.is_some() {
                let count = read(&mut self.messages, &mut bytes).await;
                if self.noted(count, &bytes, ear).is_some() {
                    return;
                }
            }
        };
        // Nothing more is wanted of a pipe that somebody else keeps open.
        drop(timeout(HELD, all).await);
    }
}

/// Reads some bytes; none where the pipe is closed, and nothing ever where there is none.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, bytes: &mut Vec<u8>) -> usize {
    let was_filled = bytes.len() == bytes.capacity();
    bytes.clear();
    if was_filled {
        bytes.reserve_exact(MORE);
    }
    match pipe {
        Some(pipe) => pipe.read_buf(bytes).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

/// Waits for a moment, or for ever.
async fn sleep(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

/// Holds the processes of a call: whatever happens, they end with it.
struct Leash {
    leader: Option<u32>,
    /// The name that every process of the call carries.
    call: String,
    /// Whether the leader came to its own end: then nobody descends from it any more.
    is_gone: bool,
}

impl Leash {
    fn of(child: &Child, call: String) -> Self {
        let leader = child.id();
        if let Some(leader) = leader {
            pids::lead(leader);
        }
        Self {
            leader,
            call,
            is_gone: false,
        }
    }

    /// Waits a little for those whom the leader left behind: some still write down what they did.
    async fn settle(&self) {
        let Some(leader) = self.leader else { return };
        let until = Instant::now() + HELD;
        while Instant::now() < until && pids::has_orphans(leader, &self.call) {
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Asks all to end, waits a little, and ends who is left.
    async fn end(&self, child: &mut Child) -> Option<ExitStatus> {
        let leader = self.leader?;
        let mut tree = Tree::of(leader);
        tree.ask();
        let polite = timeout(GRACE, child.wait()).await;
        tree.force();
        match polite {
            Ok(status) => status.ok(),
            // It was just ended by force: this only collects it, so that no dead process is left in the table.
            Err(_) => child.wait().await.ok(),
        }
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        let Some(leader) = self.leader else { return };
        match self.is_gone {
            true => pids::end_group(leader, Ending::Force),
            false => Tree::of(leader).force(),
        }
        pids::end_orphans(leader, &self.call);
    }
}
