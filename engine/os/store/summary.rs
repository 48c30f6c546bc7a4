//! The folder of a run in, how the run stands out.

use super::RunFolder;
use crate::host::JournalError;
use crate::os::journal::ends;
use crate::os::lock::RunLock;

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// Its id.
    pub id: String,
    /// The workflow's file; empty where the journal does not say.
    pub workflow: String,
    /// The values it was given.
    pub inputs: Vec<(String, String)>,
    /// When it began, in milliseconds since 1970.
    pub started: Option<i64>,
    /// When its last line was written.
    pub last: Option<i64>,
    /// How many lines its journal has.
    pub lines: u64,
    /// What became of it.
    pub state: RunState,
    /// Why it stopped, or what is wrong with its journal.
    pub why: String,
    /// How a review ended that is over; empty where it is none, or an older version wrote its journal.
    pub outcome: String,
}

/// What became of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunState {
    /// A process works on it; its number where it is known.
    Running(Option<u32>),
    /// It waits for a person.
    Waiting,
    /// It came to its end.
    Completed,
    /// The workflow stopped it.
    Halted,
    /// It failed.
    Failed,
    /// A limit or a budget stopped it.
    Limited,
    /// No agent could or might be asked.
    Parked,
    /// It can go on: it was interrupted, or its process is gone without a word.
    Interrupted,
    /// It can go on from where it was rolled back to.
    RolledBack,
    /// Its journal cannot be read.
    Damaged,
}

impl RunState {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running(_) => "running",
            RunState::Waiting => "waiting",
            RunState::Completed => "completed",
            RunState::Halted => "halted",
            RunState::Failed => "failed",
            RunState::Limited => "limit",
            RunState::Parked => "parked",
            RunState::Interrupted => "interrupted",
            RunState::RolledBack => "rolled back",
            RunState::Damaged => "damaged",
        }
    }

    /// Returns what a journal says about the end of a run.
    fn of_word(how: &str) -> Option<Self> {
        Some(match how {
            "waiting" => RunState::Waiting,
            "completed" => RunState::Completed,
            "halted" => RunState::Halted,
            "failed" => RunState::Failed,
            "limit" => RunState::Limited,
            "parked" => RunState::Parked,
            "interrupted" => RunState::Interrupted,
            _ => return None,
        })
    }
}

/// Reads the beginning and the end of a journal, and looks who holds the run.
pub(super) fn summarise(run: &RunFolder) -> RunSummary {
    let mut summary = RunSummary {
        id: run.id().to_owned(),
        workflow: String::new(),
        inputs: Vec::new(),
        started: None,
        last: None,
        lines: 0,
        state: RunState::Damaged,
        why: String::new(),
        outcome: String::new(),
    };
    // Looked at first: a run that ends between the two looks then reads as ended, never as crashed.
    let holder = RunLock::holder(&run.lock()).ok().flatten();
    if let Err(error) = read(run, &mut summary) {
        summary.state = RunState::Damaged;
        summary.why = match error {
            JournalError::Damaged { line, why } => format!("line {line}: {why}"),
            JournalError::Missing(_) => "it has no journal: the run ended before it began".to_owned(),
            JournalError::Unwritten(why) => why,
            error @ JournalError::Newer(_) => error.to_string(),
        };
    }
    if let Some(holder) = holder {
        summary.state = RunState::Running(holder.map(|holder| holder.pid));
        summary.why = String::new();
    }
    summary
}

fn read(run: &RunFolder, summary: &mut RunSummary) -> Result<(), JournalError> {
    let ends = ends(&run.journal())?;
    summary.workflow = ends.begun.workflow;
    summary.inputs = ends.begun.inputs;
    summary.outcome = ends.outcome;
    summary.started = Some(ends.begun.at);
    summary.lines = ends.lines;
    summary.last = Some(ends.at);
    summary.state = match ends.rolled_back {
        true => RunState::RolledBack,
        false => RunState::Interrupted,
    };
    if let Some((how, why)) = ends.stopped {
        summary.state = RunState::of_word(&how).ok_or_else(|| JournalError::Damaged {
            line: ends.lines,
            why: format!("`{how}` is no way to stop; a newer version may have written it"),
        })?;
        summary.why = why;
    }
    Ok(())
}
