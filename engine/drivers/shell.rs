//! A command line of a person's own in, what it wrote and how it ended out. The values it gets stand in its environment
//! and never in its text, so that no value is read as a command.

mod ends;

use super::ear::{Ear, Next};
use super::process::{Ended, Job, Killed, Patience, run};
use crate::host::{CommandEnd, CommandLine, Commands, Ran, Wait};
use crate::policy::secret::{Secrets, is_secret_name};
use ends::Ends;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The most bytes that are kept of what a command writes.
const MAX_OUT: usize = 64 * 1024;
/// The most bytes that are kept of what it writes for people.
const MAX_ERR: usize = 16 * 1024;
/// How far before a cap a line end is looked for.
const NEAR: usize = 1024;
/// How much behind a cap is heard: a secret that goes on there is still known for one.
const BEYOND: usize = 4 * 1024;
/// The most bytes in a second: more is a loop that does not end.
const MAX_RATE: usize = 1024 * 1024;
/// The variables of a person's environment that a command gets.
const PASSED: &[&str] = &["PATH", "HOME", "LANG"];

/// Runs command lines with `sh`.
#[derive(Debug, Clone)]
pub struct Shell {
    environment: Vec<(String, String)>,
    secrets: Arc<Secrets>,
    kept: Kept,
}

/// What is kept of what a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// The beginning, output and messages apart; one that writes without end is ended.
    Beginning,
    /// The beginning and the end, output and messages together.
    Ends,
}

impl Shell {
    /// Makes one for hooks, which hands on a few names of a person's environment.
    pub fn new(environment: &[(String, String)], secrets: &Arc<Secrets>) -> Self {
        let passed = environment.iter().filter(|(name, _)| PASSED.contains(&name.as_str()));
        Self {
            environment: passed.cloned().collect(),
            secrets: Arc::clone(secrets),
            kept: Kept::Beginning,
        }
    }

    /// Makes one for the commands of a project, such as its tests: they get what a person's environment has, but for
    /// what is secret by its name.
    pub fn of_project(environment: &[(String, String)], secrets: &Arc<Secrets>) -> Self {
        let passed = environment.iter().filter(|(name, _)| !is_secret_name(name));
        Self {
            environment: passed.cloned().collect(),
            secrets: Arc::clone(secrets),
            kept: Kept::Ends,
        }
    }

    /// Runs a command line outside of any run, and waits for it.
    pub fn run_now(&self, line: CommandLine) -> Ran {
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(self.ran(&line)),
            Err(error) => unstarted(&error.to_string()),
        }
    }

    async fn ran(&self, line: &CommandLine) -> Ran {
        let has_nul = |text: &str| text.contains('\0');
        if has_nul(&line.text) {
            return unstarted("the command holds a NUL byte");
        }
        if let Some((name, _)) = line.variables.iter().find(|(_, value)| has_nul(value)) {
            return unstarted(&format!("the value of {name} holds a NUL byte"));
        }
        let argv = ["sh", "-c", &line.text].map(str::to_owned);
        let mut environment = self.environment.clone();
        environment.extend(line.variables.iter().cloned());
        let job = Job {
            argv: &argv,
            root: &line.root,
            environment: &environment,
            token: &line.token,
            secrets: &self.secrets,
            input: &line.input,
            patience: Patience {
                limit: Some(line.limit),
                ..Patience::default()
            },
        };
        match self.kept {
            Kept::Beginning => {
                let mut heard = Heard::default();
                let end = ended(run(&job, &mut heard).await);
                Ran {
                    end,
                    out: heard.out.text(MAX_OUT, &self.secrets),
                    err: heard.err.text(MAX_ERR, &self.secrets),
                    size: heard.out.size + heard.err.size,
                }
            }
            Kept::Ends => {
                let mut ends = Ends::new(&self.secrets);
                let end = ended(run(&job, &mut ends).await);
                let size = ends.size;
                Ran {
                    end,
                    out: ends.text(),
                    err: String::new(),
                    size,
                }
            }
        }
    }
}

/// Says how a process ended.
fn ended(ended: Result<Ended, String>) -> CommandEnd {
    match ended.map(|ended| (ended.killed, ended.code)) {
        Ok((Some(Killed::Flood), _)) => CommandEnd::Flood,
        Ok((Some(Killed::Late | Killed::Silent | Killed::Lingered), _)) => CommandEnd::Late,
        Ok((None, Some(code))) => CommandEnd::Exit(code),
        Ok((None, None)) => CommandEnd::Signal,
        Err(why) => CommandEnd::Unstarted(why),
    }
}

impl Commands for Shell {
    fn run(&self, line: Arc<CommandLine>) -> Wait<'_, Ran> {
        Box::pin(async move { self.ran(&line).await })
    }
}

fn unstarted(why: &str) -> Ran {
    Ran {
        end: CommandEnd::Unstarted(why.to_owned()),
        out: String::new(),
        err: String::new(),
        size: 0,
    }
}

/// What was heard of a command.
#[derive(Debug, Default)]
struct Heard {
    out: Pipe,
    err: Pipe,
    /// When the second began in which bytes are counted, and how many they are.
    second: Option<(Instant, usize)>,
}

impl Heard {
    fn count(&mut self, bytes: usize) -> Next {
        let now = Instant::now();
        let (began, before) = match self.second {
            Some((began, before)) if now.duration_since(began) < Duration::from_secs(1) => (began, before),
            Some(_) | None => (now, 0),
        };
        self.second = Some((began, before + bytes));
        match before + bytes > MAX_RATE {
            true => Next::Flood,
            false => Next::More,
        }
    }
}

impl Ear for Heard {
    fn hear(&mut self, bytes: &[u8]) -> Next {
        self.out.take(bytes, MAX_OUT);
        self.count(bytes.len())
    }

    fn note(&mut self, bytes: &[u8]) -> Next {
        self.err.take(bytes, MAX_ERR);
        self.count(bytes.len())
    }
}

/// What came through a pipe, up to a little more than its cap.
#[derive(Debug, Default)]
struct Pipe {
    held: Vec<u8>,
    size: u64,
}

impl Pipe {
    fn take(&mut self, bytes: &[u8], cap: usize) {
        self.size += bytes.len() as u64;
        let room = (cap + BEYOND).saturating_sub(self.held.len());
        self.held.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Returns it without secrets. Only where there is a byte beyond the cap something is cut off: at the last line end
    /// near the cap, or at the cap itself.
    fn text(&self, cap: usize, secrets: &Arc<Secrets>) -> String {
        let whole = secrets.masked(&String::from_utf8_lossy(&self.held)).into_owned();
        if self.held.len() <= cap {
            return whole;
        }
        let near = &self.held[cap - NEAR..cap];
        let line_end = near.iter().rposition(|byte| *byte == b'\n');
        let end = line_end.map_or(cap, |at| cap - NEAR + at + 1);
        let mut kept = secrets.masked(&text_before(&self.held, end)).into_owned();
        // A secret that the cut goes through looks like none: what is left of it goes too.
        if !whole.starts_with(&kept) {
            let end = kept.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
            kept.truncate(end);
        }
        if !kept.is_empty() && !kept.ends_with('\n') {
            kept.push('\n');
        }
        kept + &format!("[OUTPUT TRUNCATED AT {}KB]", cap / 1024)
    }
}

/// Returns the text before a place; a character that the place cuts through is left out.
fn text_before(bytes: &[u8], end: usize) -> String {
    let cut = &bytes[..end];
    let whole = match str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() => &cut[..error.valid_up_to()],
        Ok(_) | Err(_) => cut,
    };
    String::from_utf8_lossy(whole).into_owned()
}

#[cfg(test)]
mod tests;
