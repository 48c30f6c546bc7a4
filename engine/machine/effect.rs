//! What the machine asks of the world, and what the world answers. Plain data: recorded, replayed, compared.

use super::done::DoneSteps;
use super::envelope::Envelope;
use super::question::{Answer, Question};
use super::task::Task;
use serde::{Deserialize, Serialize};

/// One thing the world is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Effect {
    /// A step begins: all before it is durable once this is recorded.
    Checkpoint(Box<Checkpoint>),
    /// An agent takes a turn.
    Dispatch(Box<Task>),
    /// Somebody judges conditions; nothing is changed.
    Judge(Box<Task>),
    /// The person is asked.
    Ask(Box<Question>),
    /// Text is shown to the person.
    Show {
        /// The text.
        text: String,
    },
    /// The text of a file is wanted.
    Read {
        /// Relative to the project, with `/`.
        path: String,
    },
    /// The paths that match a pattern are wanted.
    List {
        /// Relative to the project, with `/`.
        pattern: String,
    },
    /// Whether a file or folder is there.
    Look {
        /// Relative to the project, with `/`.
        path: String,
    },
    /// A file is written.
    Write(Box<Write>),
    /// A command of the project is run.
    Run {
        /// The command, exactly as it is written in the workflow or in the configuration.
        command: String,
        /// The most seconds it may take.
        timeout: u32,
    },
    /// Claims of an agent are checked.
    Verify {
        /// What it claimed.
        claims: Vec<Claim>,
    },
    /// The time is wanted.
    Now,
}

/// The beginning of a step, for people and for other programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The workflow.
    pub workflow: String,
    /// The label of the step that begins; none when the workflow ends.
    pub step: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// How deep the workflow is nested; 0 is the outermost.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The workflows that wait for this one, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<String>,
    /// What was not checked because a person skipped it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unvalidated: Vec<String>,
    /// The files beside the document that were written and not checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artefacts: Vec<String>,
    /// The document whose frontmatter tells how far the workflow is, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The steps that are done, in the order they were done: labels or file names, as the document has them.
    #[serde(default, rename = "after", skip_serializing_if = "DoneSteps::is_empty")]
    pub done: DoneSteps,
}

/// What is written, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Write {
    /// Relative to the project, with `/`.
    pub path: String,
    /// What happens to what is there.
    pub how: How,
    /// The text.
    pub text: String,
}

/// How a file changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It is replaced, or made.
    Replace,
    /// It is made where it is not there yet; otherwise nothing happens.
    Start,
    /// A section of a document: put in the slot of its name, in place of what an earlier pass put there, or at the end.
    Section {
        /// Its name.
        name: String,
        /// What this run wrote for it before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        previous: Option<String>,
    },
}

/// Something an agent said that can be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "claim", rename_all = "kebab-case")]
pub enum Claim {
    /// A file exists, with these bytes where a hash is given.
    File {
        /// The instruction it is evidence for; none for a file it says it wrote.
        instruction: Option<u32>,
        /// Its path.
        path: String,
        /// Its SHA-256, in hexadecimal.
        sha256: Option<String>,
    },
    /// A file holds these words.
    Quote {
        /// The instruction it is evidence for.
        instruction: u32,
        /// Its path.
        path: String,
        /// The words.
        quote: String,
    },
}

/// What the world answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Outcome {
    /// Done; nothing to tell.
    Done,
    /// An agent replied.
    Replied(Box<Envelope>),
    /// The person, or whoever answers for them, answered.
    Answered(Answer),
    /// The text of a file; none where it is not there.
    Contents {
        /// The SHA-256 of the file, where its secrets are masked in the text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sha256: Option<String>,
        /// The text.
        text: Option<String>,
    },
    /// The paths that match, sorted.
    Listed {
        /// Relative to the project.
        paths: Vec<String>,
    },
    /// Whether it is there.
    Seen {
        /// Whether.
        there: bool,
    },
    /// A file was written; for a checkpoint, the document whose frontmatter tells how far the workflow is.
    Written {
        /// The SHA-256 of the whole file afterwards.
        sha256: String,
        /// The SHA-256 of the whole file before, where there was one; its bytes are kept with the run.
        before: Option<String>,
    },
    /// Claims were checked.
    Verified {
        /// The claims that do not hold, by position, and why.
        wrong: Vec<(usize, String)>,
    },
    /// A command was run, or kept from it.
    Ran {
        /// How it ended.
        end: CommandEnd,
        /// What it wrote, without secrets; the middle of much is left out.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        output: String,
    },
    /// The time.
    Time {
        /// Milliseconds since 1970, UTC.
        at: i64,
    },
    /// It did not work.
    Failed(Failure),
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandEnd {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal.
    Signal,
    /// It took too long and was ended.
    Late,
    /// It wrote too much at once and was ended.
    Flood,
    /// It was not started, and why.
    Unstarted(String),
}

impl CommandEnd {
    /// Says whether it did what it was to do.
    pub fn is_fine(&self) -> bool {
        *self == CommandEnd::Exit(0)
    }

    /// Returns how it ended, in words.
    pub fn words(&self) -> String {
        match self {
            CommandEnd::Exit(code) => format!("exit code {code}"),
            CommandEnd::Signal => "ended by a signal".to_owned(),
            CommandEnd::Late => "took too long and was ended".to_owned(),
            CommandEnd::Flood => "wrote more than 1 MB in a second and was ended".to_owned(),
            CommandEnd::Unstarted(why) => format!("not run: {why}"),
        }
    }
}

/// Why something did not work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What happened, in words for a person.
    pub message: String,
}

/// What kind of failure; decides what is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The agent could not be started or ended without a result.
    Crashed,
    /// It took too long.
    Timeout,
    /// It answered with something that is no envelope.
    Malformed,
    /// It refused, or was not allowed.
    Denied,
    /// A file could not be read or written.
    Files,
    /// A path leads out of the project.
    Escapes,
    /// A budget or a limit says no.
    Limit,
    /// What was asked for does not exist.
    Missing,
    /// The agent's service takes no more for now.
    RateLimited,
    /// The agent's service is down or has too much to do.
    Overloaded,
    /// The agent is not logged in, or its key is not taken.
    Auth,
    /// It went silent.
    Stuck,
    /// It was given more than it can read.
    TooLong,
    /// It will not do it.
    Refused,
}

impl FailureKind {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Crashed => "crashed",
            FailureKind::Timeout => "timeout",
            FailureKind::Malformed => "malformed",
            FailureKind::Denied => "denied",
            FailureKind::Files => "files",
            FailureKind::Escapes => "escapes",
            FailureKind::Limit => "limit",
            FailureKind::Missing => "missing",
            FailureKind::RateLimited => "rate-limited",
            FailureKind::Overloaded => "overloaded",
            FailureKind::Auth => "auth",
            FailureKind::Stuck => "stuck",
            FailureKind::TooLong => "too-long",
            FailureKind::Refused => "refused",
        }
    }
}

impl Effect {
    /// Says whether an agent is asked, which may cost money.
    pub fn is_turn(&self) -> bool {
        matches!(self, Effect::Dispatch(_) | Effect::Judge(_))
    }

    /// Says whether it may cost money or change what the engine does not see, so that an intent is recorded before it.
    pub fn is_costly(&self) -> bool {
        self.is_turn() || matches!(self, Effect::Run { .. })
    }

    /// Says whether the world may differ afterwards.
    pub fn changes(&self) -> bool {
        match self {
            Effect::Dispatch(task) => task.access == super::task::Access::Write,
            Effect::Write(_) | Effect::Run { .. } => true,
            // The document's frontmatter tells how far the run is.
            Effect::Checkpoint(checkpoint) => checkpoint.document.is_some() || !checkpoint.artefacts.is_empty(),
            Effect::Judge(_)
            | Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Verify { .. }
            | Effect::Now => false,
        }
    }

    /// Returns the one file that it writes with the engine's own hand.
    pub fn writes(&self) -> Option<&str> {
        match self {
            Effect::Write(write) => Some(&write.path),
            Effect::Checkpoint(checkpoint) => checkpoint.document.as_deref(),
            Effect::Dispatch(_)
            | Effect::Judge(_)
            | Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Run { .. }
            | Effect::Verify { .. }
            | Effect::Now => None,
        }
    }

    /// Returns the name a person reads.
    pub fn name(&self) -> &'static str {
        match self {
            Effect::Checkpoint(_) => "checkpoint",
            Effect::Dispatch(_) => "dispatch",
            Effect::Judge(_) => "judge",
            Effect::Ask(_) => "ask",
            Effect::Show { .. } => "show",
            Effect::Read { .. } => "read",
            Effect::List { .. } => "list",
            Effect::Look { .. } => "look",
            Effect::Write(_) => "write",
            Effect::Run { .. } => "run",
            Effect::Verify { .. } => "verify",
            Effect::Now => "now",
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
