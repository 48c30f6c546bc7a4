//! A run in, whether its journal is whole and true out. Nothing is performed, and nobody is asked.

mod certificate;
mod report;

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Again};
use crate::cli::record::{Entry, Instructions, Record, Writes};
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::cli::show::project;
use crate::host::{Begun, JournalError, Line, READING};
use crate::machine::{Digests, Effect, Outcome, digest};
use crate::os::journal::audit;
use crate::os::store::RunFolder;
use certificate::Certified;
use report::{Replay, Report};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Four things are checked: that no line of the journal was changed, dropped or moved; that
every outcome belongs to something that was asked; that the files still hold what the run
wrote; and, where the workflow is what it was, that the journal leads a fresh machine the
same way. Every instruction that agents were given is counted, and every certificate of a
review that it wrote is checked.

A certificate can be checked alone: its digest, its counts, its words, and whether the files
are still those that were reviewed.

Exit code 0: all of it holds. 1: something differs. 4: the journal is damaged; the line is told.

Examples:
  bmad verify                   check the last run
  bmad verify last --json       the same for a program
  bmad verify _bmad-output/reviews/prd-md-certificate.md")]
pub(super) struct Args {
    /// The run, by its id or the beginning of it, or the certificate of a review; the last run
    #[arg(value_name = "RUN")]
    pub(super) run: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let path = args.run.as_deref().map(Path::new);
    if let Some(path) = path.filter(|path| path.extension().is_some()) {
        return certificate::check(path, args.json, session);
    }
    let (folder, begun) = find(args.run.as_deref(), args.state_dir.as_deref(), session)?;
    let report = match check(&folder, &begun, session) {
        Ok(report) => report,
        Err(JournalError::Damaged { line, why }) if args.json => {
            let value = json!({"run": begun.run, "holds": false, "damaged": {"line": line, "why": why}});
            writeln!(session.output, "{value}")?;
            return Ok(Exit::Damaged);
        }
        Err(error) => return Err(Failure::journal(&error)),
    };
    match args.json {
        true => writeln!(session.output, "{}", report.json())?,
        false => report.print(&mut session.output)?,
    }
    Ok(if report.holds() { Exit::Clean } else { Exit::Findings })
}

fn check(folder: &RunFolder, begun: &Begun, session: &mut Session<'_>) -> Result<Report, JournalError> {
    let audit = audit(&folder.journal())?;
    let mut record = Record::of(folder)?;
    let mut told = Told {
        digests: Digests::of(begun.version),
        ..Told::default()
    };
    let mut commands = 0;
    for entry in record.by_ref() {
        let entry = entry?;
        commands += u64::from(matches!(&entry.line, Line::Intent { effect, .. } if !effect.is_turn()));
        if !entry.void {
            told.see(&entry);
        }
    }
    let mut instructions = told.instructions.finish();
    let replay = match project(begun, session) {
        None => Replay::Not(vec![begun.workflow.clone()]),
        Some(project) => match launch::changed(&project, begun) {
            changed if changed.is_empty() => {
                let mut again = launch::again(&project, begun, folder)?;
                again.unused.retain(|key| !record.marks().is_left(key));
                // Where all that counts was asked for, what comes next is only what the run came to.
                if again.unused.is_empty() {
                    again.reuse.changed.clear();
                }
                let found = compare(
                    again,
                    told.stopped.as_ref().filter(|_| !told.stopped_by_hook),
                    &mut instructions,
                );
                match found {
                    Replay::Differs(_) if begun.reading != READING => Replay::Earlier,
                    found => found,
                }
            }
            changed => Replay::Not(changed),
        },
    };
    let (root, host) = (Path::new(&begun.root), session.host());
    let certificates = told.certificates.into_iter();
    Ok(Report {
        run: begun.run.clone(),
        audit,
        commands,
        orphans: told.orphans,
        unknown: told.open.into_values().collect(),
        instructions,
        certificates: certificates.map(|found| found.on_disk(root, &*host)).collect(),
        files: told.writes.files(root, &*host),
        replay,
    })
}

/// What the lines of a journal tell.
#[derive(Debug, Default)]
struct Told {
    digests: Digests,
    instructions: Instructions,
    writes: Writes,
    certificates: Vec<Certified>,
    /// Outcomes of what was never asked: the number of the line, and what is wrong.
    orphans: Vec<(u64, String)>,
    /// Turns without an outcome, by key.
    open: BTreeMap<String, u64>,
    /// Whether a hook stopped it.
    stopped_by_hook: bool,
    /// How the run stopped, if that is the last thing it did.
    stopped: Option<(String, String)>,
}

impl Told {
    fn see(&mut self, entry: &Entry) {
        let seq = entry.seq;
        match &entry.line {
            // What was left behind is not waited for.
            Line::Intent { .. } if entry.left => {}
            Line::Intent { key, .. } => drop(self.open.insert(key.file_name(), seq)),
            Line::Done {
                key, effect, outcome, ..
            } => {
                self.open.remove(&key.file_name());
                let Some(effect) = effect else {
                    let why = "it is the outcome of a turn that was never begun".to_owned();
                    return self.orphans.push((seq, why));
                };
                if digest(effect, self.digests) != key.digest {
                    let why = "its key is not the key of what was asked".to_owned();
                    self.orphans.push((seq, why));
                }
                self.writes.see(seq, key, effect, outcome);
                if let (Effect::Write(write), Outcome::Written { sha256, .. }) = (&**effect, &**outcome)
                    && let Some(certified) = Certified::look(&write.path, &write.text, sha256)
                {
                    self.certificates.retain(|known| known.path != certified.path);
                    self.certificates.push(certified);
                }
                if !entry.redone {
                    self.instructions.see(seq, key, effect, outcome);
                }
            }
            // Whoever was called had come back before a run was parked.
            Line::Stopped { how, why, .. } if how == "parked" => {
                self.open.clear();
                self.stopped = Some((how.clone(), why.clone()));
            }
            Line::Stopped { how, why, .. } => self.stopped = Some((how.clone(), why.clone())),
            Line::Resumed(_) | Line::RolledBack { .. } => {
                self.stopped = None;
                self.stopped_by_hook = false;
            }
            // What stops a run is no part of the machine.
            Line::Hooked(hooked) => self.stopped_by_hook = hooked.stops,
            Line::Begun(_) | Line::Called(_) | Line::Settled { .. } => {}
        }
    }
}

/// Compares where a fresh machine comes to with how the run stopped.
fn compare(again: Again, stopped: Option<&(String, String)>, instructions: &mut Instructions) -> Replay {
    let effects = again.reuse.reused;
    let mut differs: Vec<String> = again
        .reuse
        .changed
        .iter()
        .map(|what| format!("asked for, and not recorded: {what}"))
        .collect();
    let unused = again.unused.len();
    if unused > 0 {
        differs.push(format!("recorded, and never asked for: {unused} effects"));
    }
    if let Some((how, why)) = stopped
        && let Some(difference) = ends_otherwise(&again, how, why)
    {
        differs.push(difference);
    }
    if !differs.is_empty() {
        return Replay::Differs(differs);
    }
    // The machine knows which of several replies to the same turn it took.
    instructions.done = again.tally.done;
    instructions.said = again.tally.unverified;
    instructions.skipped = again.tally.skipped;
    Replay::Same(effects)
}

/// Says how the end of a replay differs from the end of the run.
fn ends_otherwise(again: &Again, how: &str, why: &str) -> Option<String> {
    match (&again.end, how) {
        (Some(end), how) if end.kind.name() == how => None,
        (Some(end), how) => Some(format!("it ends {}, the run {how}", end.kind.name())),
        // What failed is tried again, so that a replay stops before it.
        (None, "failed" | "interrupted" | "parked") => None,
        (None, "waiting") => {
            // Runs of before told no lanes.
            let in_lanes = why.contains('@');
            let mut asked: Vec<String> = again
                .next
                .iter()
                .filter_map(|issued| match &issued.effect {
                    Effect::Ask(question) if in_lanes => Some(question.key()),
                    Effect::Ask(question) => Some(question.id.clone()),
                    _ => None,
                })
                .collect();
            let mut waited: Vec<&str> = why.split(", ").filter(|id| !id.is_empty()).collect();
            asked.sort_unstable();
            waited.sort_unstable();
            (asked != waited).then(|| format!("it waits for {}, the run for {why}", asked.join(", ")))
        }
        (None, how) => Some(format!("it goes on, the run {how}")),
    }
}
