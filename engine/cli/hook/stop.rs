//! An agent that wants to stop in, whether it may out. Whatever goes wrong, it may; the exit code says nothing.

use super::StopArgs;
use super::place;
use super::question::{self, Asked, Question};
use super::target::{self, CLAUDE_CAP};
use super::words::{self, Order, Seen};
use crate::cli::Exit;
use crate::cli::session::Session;
use crate::host::Clock;
use crate::os::clock::{Moment, SystemClock};
use crate::os::{HeldError, HeldFile};
use crate::policy::stop::{Facts, LoopState, Tally, Verdict, decide, tally};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest state file.
const MOST_STATE: u64 = 1024 * 1024;
/// How long is waited for another hook of the same project.
const PATIENCE: Duration = Duration::from_secs(5);

/// What an agent is told.
enum Answer {
    /// It may stop; nothing is said.
    Silent,
    /// It may stop, and a person is told why.
    Release(String),
    /// It may stop since something is wrong, and a person is told what.
    Open(String),
    /// It has to go on; what it is told, and what a person is.
    Hold { reason: String, told: String },
}

pub(super) fn run(args: &StopArgs, session: &mut Session<'_>) -> Exit {
    let answer = answered(session);
    let mut warnings = Vec::new();
    if !args.rest.is_empty() {
        warnings.push("`bmad hook stop` takes no arguments; they are passed over".to_owned());
    }
    let line = match answer {
        Answer::Silent => None,
        Answer::Release(told) => Some(json!({ "systemMessage": told })),
        Answer::Open(why) => {
            let told = format!("The stop hook of the review lets the agent go: {why}.");
            warnings.push(told.clone());
            Some(json!({ "systemMessage": told }))
        }
        Answer::Hold { reason, told } => Some(json!({"decision": "block", "reason": reason, "systemMessage": told})),
    };
    let mut said = Ok(());
    for warning in warnings {
        said = said.and(writeln!(session.errors, "warning: {warning}"));
    }
    if let Some(line) = line {
        said = said.and(writeln!(session.output, "{line}"));
    }
    // Where nobody listens nobody is held, and any other exit code could mean something to the agent's program.
    if said.and_then(|()| session.output.flush()).is_err() {
        session.output.close();
    }
    Exit::Clean
}

fn answered(session: &Session<'_>) -> Answer {
    // An agent that the engine itself sent to work ends its turn when it is done; the engine goes on with the review.
    if session.variable("BMAD_RUN_TOKEN").is_some() {
        return Answer::Silent;
    }
    let (question, garbage) = match question::read() {
        Asked::Nothing => return Answer::Silent,
        Asked::Garbage(why) => (Question::default(), Some(why)),
        Asked::Question(question) => (question, None),
    };
    if question.is_other_event {
        return Answer::Silent;
    }
    let Some((root, path)) = place::of_review(question.folder.as_deref(), session) else {
        return Answer::Silent;
    };
    let review = Review { root, path, session };
    match garbage {
        Some(why) => review.let_go(&format!("what it was given cannot be read: {why}")),
        None => review.answer(&question),
    }
}

/// A review that is on, as far as its file says.
struct Review<'s, 'a> {
    root: PathBuf,
    /// The state file, as it is named.
    path: PathBuf,
    session: &'s Session<'a>,
}

impl Review<'_, '_> {
    fn answer(&self, question: &Question) -> Answer {
        let Some(real) = self.inside(&self.path) else {
            return self.let_go("its state file leads out of the project");
        };
        let held = match HeldFile::take(&real, MOST_STATE, PATIENCE) {
            Ok(held) => held,
            Err(HeldError::Missing) => return Answer::Silent,
            Err(HeldError::Busy) => return Answer::Open(format!("{}: {}", self.name(), HeldError::Busy)),
            Err(error) => return self.let_go(&format!("{}: {error}", self.name())),
        };
        let state = match str::from_utf8(held.bytes()) {
            Ok(text) => LoopState::read(text),
            Err(_) => return self.let_go(&format!("{} is not UTF-8 text", self.name())),
        };
        let state = match state {
            Ok(state) => state,
            Err(error) => return self.let_go(&format!("{} cannot be read: {error}", self.name())),
        };
        if !state.active {
            return self.over(held, Answer::Silent);
        }
        match question.said() {
            Some(said) => self.decided(held, &state, question, &said),
            None => self.let_go("the last message of the agent is not known"),
        }
    }

    fn decided(&self, held: HeldFile, state: &LoopState, question: &Question, said: &str) -> Answer {
        let (tally, seen) = self.tally(state);
        let left = words::left(tally, &seen);
        let now = SystemClock.now();
        let verdict = decide(&Facts {
            state,
            said,
            tally,
            now,
            is_again: question.is_again,
            cap: self.cap(),
        });
        match verdict {
            Verdict::Release(why) if why.is_end() => self.over(held, Answer::Release(words::released(&why, &left))),
            Verdict::Release(why) => Answer::Release(words::released(&why, &left)),
            Verdict::Hold { promised } => {
                let stamp = Moment::at(now).stamp();
                let later = match state.one_round_later(&stamp, question.is_again) {
                    Ok(later) => later,
                    Err(error) => return self.let_go(&format!("{}: {error}", self.name())),
                };
                // A round that is not counted would be held for ever.
                if let Err(error) = held.replace(later.as_bytes()) {
                    let why = error.to_string().to_lowercase();
                    return Answer::Open(format!("{} cannot be written: {why}", self.name()));
                }
                let own = target::read(&self.root.join("_bmad/core").join(words::TEMPLATE), self.session);
                let own = own.ok().flatten();
                let reason = words::order(&Order {
                    state,
                    left: &left,
                    seen: &seen,
                    promised,
                    own: own.as_deref(),
                });
                Answer::Hold {
                    reason,
                    told: words::held(state, &left),
                }
            }
        }
    }

    /// Counts what is left: by the tracker, or where there is none that can be read, by the state file.
    fn tally(&self, state: &LoopState) -> (Tally, Seen) {
        let by_file = Tally {
            open: state.pending,
            blocked: 0,
        };
        let Some(tracker) = &state.tracker else {
            return (by_file, Seen::None);
        };
        let named = self.root.join(tracker);
        let host = self.session.host();
        if !host.exists(&named) {
            return (by_file, Seen::Missing);
        }
        let Some(path) = self.inside(&named) else {
            return (by_file, Seen::Unreadable("it leads out of the project".to_owned()));
        };
        let bytes = host.read(&path).map_err(|error| error.to_string());
        match bytes.and_then(|bytes| tally(&String::from_utf8_lossy(&bytes))) {
            Ok(tally) => (tally, Seen::Counted),
            Err(why) => (by_file, Seen::Unreadable(why)),
        }
    }

    /// Returns where a path really leads, unless that is out of the project.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let host = self.session.host();
        let root = host.resolve(&self.root)?.path;
        let real = host.resolve(path)?.path;
        real.starts_with(&root).then_some(real)
    }

    /// Returns how often in a row the program of the agent lets itself be kept from stopping.
    fn cap(&self) -> Option<u64> {
        self.session.variable("CLAUDE_PROJECT_DIR")?;
        let set = self.session.variable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
        Some(set.and_then(|set| set.trim().parse().ok()).unwrap_or(CLAUDE_CAP))
    }

    /// Ends the review and its file.
    fn over(&self, held: HeldFile, answer: Answer) -> Answer {
        let removed = held.remove().and_then(|()| self.session.host().remove(&self.path));
        match removed {
            Ok(()) => answer,
            Err(error) => Answer::Open(format!("{} cannot be removed: {error}", self.name())),
        }
    }

    /// Lets the agent go since something is wrong, and removes the file so that it is told once.
    fn let_go(&self, why: &str) -> Answer {
        // A link is removed and not what it leads to; in a folder that is itself elsewhere nothing is.
        let folder = self.path.parent().and_then(|folder| self.inside(folder));
        if folder.is_none() {
            return Answer::Open(why.to_owned());
        }
        match self.session.host().remove(&self.path) {
            Ok(()) => Answer::Open(why.to_owned()),
            Err(error) => Answer::Open(format!("{why}; {} cannot be removed: {error}", self.name())),
        }
    }

    fn name(&self) -> String {
        let seen = self.path.strip_prefix(&self.root).unwrap_or(&self.path);
        format!("`{}`", seen.display())
    }
}
