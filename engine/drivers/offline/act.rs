//! Acts in, what came of them out: read, listed, set, written, run, looked at.

use super::ground::Ground;
use super::order::{Act, Depth};
use super::review::{Reviewed, counts, review, wanted};
use crate::builtins::Value;
use crate::drivers::argument;
use crate::drivers::ear::Whole;
use crate::drivers::process::{Job, Killed, Patience, run};
use crate::host::Turn;
use crate::machine::escape::shell_word;
use crate::machine::{Access, Evidence, Status, Written, sha256};
use crate::policy::secret::Secrets;
use std::time::Duration;

/// How long a command may take where the turn sets no limit.
const COMMAND_LIMIT: Duration = Duration::from_secs(600);

/// What came of one instruction.
#[derive(Default)]
pub(super) struct Yield {
    pub(super) evidence: Vec<Evidence>,
    pub(super) variables: Vec<(String, Value)>,
    pub(super) files: Vec<Written>,
    pub(super) reviews: Vec<Reviewed>,
    /// What it came to instead of done, and why.
    pub(super) short: Option<(Status, String)>,
}

/// What an act is done with.
pub(super) struct Bench<'b> {
    pub(super) turn: &'b Turn,
    pub(super) ground: Ground<'b>,
    pub(super) allowed: &'b [String],
    pub(super) environment: &'b [(String, String)],
}

impl Bench<'_> {
    /// Does acts one after the other and stops at the first that cannot be done.
    pub(super) async fn carry_out(&self, acts: &[Act]) -> Yield {
        let mut came = Yield::default();
        for act in acts {
            if let Err(why) = self.one(act, &mut came).await {
                came.short = Some((Status::Blocked, why));
                break;
            }
        }
        came
    }

    async fn one(&self, act: &Act, came: &mut Yield) -> Result<(), String> {
        match act {
            Act::Read { paths, into } => self.read(paths, into.as_deref(), came),
            Act::List { pattern, into } => {
                let paths = self.ground.list(pattern)?;
                let value = Value::List(paths.into_iter().map(Value::Text).collect());
                came.variables.extend(into.clone().map(|name| (name, value.clone())));
                came.evidence.push(Evidence::Value { value });
                Ok(())
            }
            Act::Set { name, value } => {
                let value = Value::from(value.as_str());
                came.variables.push((name.clone(), value.clone()));
                came.evidence.push(Evidence::Value { value });
                Ok(())
            }
            Act::Write { path, text } => self.write(path, text, came),
            Act::Run { line } => self.run(line, came).await,
            Act::Review { path, depth } => {
                let checks = wanted(&self.turn.task)?;
                let reviewed = review(&self.ground.place(path)?, &self.ground, checks.as_deref())?;
                let value = counts(std::slice::from_ref(&reviewed));
                came.evidence.push(Evidence::Value { value });
                came.reviews.push(reviewed);
                if *depth == Depth::Full {
                    let why = "only checks without a model were made; reading it needs a model";
                    came.short = Some((Status::Gap, why.to_owned()));
                }
                Ok(())
            }
        }
    }

    fn read(&self, paths: &[String], into: Option<&str>, came: &mut Yield) -> Result<(), String> {
        let mut texts = Vec::new();
        for path in paths {
            let path = self.ground.place(path)?;
            let bytes = self.ground.read(&path)?;
            came.evidence.push(Evidence::File {
                path: path.as_str().to_owned(),
                sha256: Some(sha256(&bytes)),
            });
            if into.is_some() {
                texts.push(String::from_utf8(bytes).map_err(|_| format!("`{path}` is not UTF-8"))?);
            }
        }
        if let Some(name) = into {
            came.variables.push((name.to_owned(), Value::Text(texts.join("\n"))));
        }
        Ok(())
    }

    fn write(&self, path: &str, text: &str, came: &mut Yield) -> Result<(), String> {
        self.may_change()?;
        let path = self.ground.place(path)?;
        let sha256 = Some(self.ground.write(&path, text)?);
        let path = path.as_str().to_owned();
        came.files.push(Written {
            path: path.clone(),
            sha256: sha256.clone(),
        });
        came.evidence.push(Evidence::File { path, sha256 });
        Ok(())
    }

    async fn run(&self, line: &str, came: &mut Yield) -> Result<(), String> {
        let argv = argument::words(line).filter(|_| !argument::needs_shell(line));
        let Some(argv) = argv else {
            return Err(format!("the command `{line}` needs a shell, and none is used"));
        };
        if !self.allowed.iter().any(|entry| allows(entry, line)) {
            return Err(refused(line));
        }
        self.may_change()?;
        let limit = self
            .turn
            .task
            .timeout
            .map_or(COMMAND_LIMIT, |limit| Duration::from_secs(limit.into()));
        let job = Job {
            argv: &argv,
            root: &self.turn.root,
            environment: self.environment,
            token: &self.turn.token,
            input: "",
            patience: Patience {
                limit: Some(limit),
                ..Patience::default()
            },
            // Nothing that it says is told.
            secrets: &Secrets::common(),
        };
        let ended = run(&job, &mut Whole::default())
            .await
            .map_err(|why| format!("`{line}` could not be started: {why}"))?;
        match ended.killed {
            None => {}
            Some(Killed::Late | Killed::Silent | Killed::Lingered) => {
                return Err(format!("`{line}` took longer than {} s", limit.as_secs()));
            }
            Some(Killed::Flood) => return Err(format!("`{line}` wrote more than is read")),
        }
        let Some(exit) = ended.code else {
            return Err(format!("`{line}` was ended by a signal"));
        };
        came.evidence.push(Evidence::Command {
            command: line.to_owned(),
            exit,
        });
        if exit == 0 {
            Ok(())
        } else {
            Err(format!("`{line}` ended with exit code {exit}"))
        }
    }

    fn may_change(&self) -> Result<(), String> {
        match self.turn.task.access {
            Access::Write => Ok(()),
            Access::Read => Err("this turn may change nothing".to_owned()),
        }
    }
}

/// Says that a command may not be run, and what lets it.
fn refused(line: &str) -> String {
    let told = format!("the command `{line}` is not among those that may be run");
    match shell_word(line) {
        Some(word) => format!("{told}; `--allow {word}` allows it"),
        None => told,
    }
}

/// Says whether an entry of the list allows a command line.
pub(in crate::drivers) fn allows(entry: &str, line: &str) -> bool {
    match entry.strip_suffix(" *") {
        Some(start) => line
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')),
        None => entry == line,
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    #[test]
    fn a_command_is_allowed_whole_or_by_its_start() {
        assert!(allows("cargo test", "cargo test"));
        assert!(allows("cargo test *", "cargo test --lib"));
        assert!(!allows("cargo test", "cargo test --lib"));
        assert!(!allows("cargo test *", "cargo testing"));
        assert!(!allows("cargo *", "rm -rf cargo"));
    }
}
