//! What was found about a run, as people and programs read it.

use super::certificate::Certified;
use crate::cli::brief::{counted, hash};
use crate::cli::record::{Fate, FileWritten, Instructions};
use crate::cli::show::told;
use crate::os::journal::Audit;
use serde_json::{Value, json};
use std::io::{self, Write};

/// What was found.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) run: String,
    pub(super) audit: Audit,
    /// How many of the intents are commands.
    pub(super) commands: u64,
    pub(super) orphans: Vec<(u64, String)>,
    /// Lines that begin a turn whose end nobody knows.
    pub(super) unknown: Vec<u64>,
    pub(super) instructions: Instructions,
    pub(super) files: Vec<FileWritten>,
    pub(super) certificates: Vec<Certified>,
    pub(super) replay: Replay,
}

/// What a fresh machine makes of the journal.
#[derive(Debug)]
pub(super) enum Replay {
    /// The same effects, so many.
    Same(u64),
    /// Something else.
    Differs(Vec<String>),
    /// It was not tried: these files changed since.
    Not(Vec<String>),
    /// An earlier version of the engine began the run, and the workflow means something else to this one.
    Earlier,
}

impl Report {
    /// Says whether everything holds.
    pub(super) fn holds(&self) -> bool {
        self.orphans.is_empty()
            && self.certificates.iter().all(|certified| certified.says.is_ok())
            && self.files.iter().all(|file| file.now == Fate::Same)
            && !matches!(self.replay, Replay::Differs(_))
    }

    fn turns(&self) -> u64 {
        self.audit.intents.saturating_sub(self.commands)
    }

    /// Returns it for a program.
    pub(super) fn json(&self) -> Value {
        let orphans: Vec<Value> = self
            .orphans
            .iter()
            .map(|(line, why)| json!({"line": line, "why": why}))
            .collect();
        let replay = match &self.replay {
            Replay::Same(effects) => json!({"is": "same", "effects": effects}),
            Replay::Differs(how) => json!({"is": "different", "how": how}),
            Replay::Not(changed) => json!({"is": "not-tried", "changed": changed}),
            Replay::Earlier => json!({"is": "earlier"}),
        };
        json!({
            "run": self.run, "holds": self.holds(), "lines": self.audit.lines, "effects": self.audit.done,
            "turns": self.turns(), "commands": self.commands, "blobs": self.audit.blobs, "torn": self.audit.torn,
            "orphans": orphans, "unknown": self.unknown, "instructions": self.instructions, "files": self.files,
            "certificates": self.certificates.iter().map(certified).collect::<Vec<Value>>(), "replay": replay,
        })
    }

    /// Prints it for a person.
    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let audit = &self.audit;
        let lines = counted(audit.lines as usize, "line");
        let effects = counted(audit.done as usize, "effect");
        let turns = counted(self.turns() as usize, "turn");
        let commands = match self.commands {
            0 => String::new(),
            commands => format!(", {}", counted(commands as usize, "command")),
        };
        writeln!(out, "run {}", self.run)?;
        writeln!(out, "  chain         whole: {lines}, {effects}, {turns}{commands}")?;
        if audit.torn > 0 {
            let bytes = counted(audit.torn as usize, "byte");
            writeln!(
                out,
                "                {bytes} of an incomplete last line count as not written"
            )?;
        }
        for (line, why) in &self.orphans {
            writeln!(out, "  differs       line {line}: {why}")?;
        }
        for line in &self.unknown {
            writeln!(out, "  unknown       line {line} begins a turn whose end nobody knows")?;
        }
        writeln!(out, "  instructions  {}", told(&self.instructions))?;
        for gap in &self.instructions.gaps {
            writeln!(out, "                gap: {gap}")?;
        }
        for refused in &self.instructions.refused {
            let (line, why) = (refused.line, &refused.why);
            writeln!(out, "  refused       line {line}, step {}: {why}", refused.step)?;
        }
        for file in &self.files {
            let now = file.now.words();
            writeln!(out, "  file          {}  {}  {now}", file.path, hash(&file.sha256))?;
        }
        for Certified { path, says, .. } in &self.certificates {
            match says {
                Ok(outcome) => writeln!(out, "  certificate   {path}  whole, says {outcome}")?,
                Err(why) => writeln!(out, "  certificate   {path}  does not hold: {why}")?,
            }
        }
        self.print_replay(out)?;
        let verdict = match self.holds() {
            true => "everything holds",
            false => "something differs",
        };
        writeln!(out, "{verdict}")
    }

    fn print_replay(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.replay {
            Replay::Same(effects) => {
                let effects = counted(*effects as usize, "effect");
                writeln!(out, "  replay        the same: {effects}")
            }
            Replay::Not(changed) => {
                let changed = changed.join(", ");
                writeln!(out, "  replay        not tried: {changed} changed since the run began")
            }
            Replay::Earlier => writeln!(
                out,
                "  replay        not comparable: an earlier version of bmad began the run, and read the workflow otherwise"
            ),
            Replay::Differs(how) => {
                for how in how {
                    writeln!(out, "  replay        differs: {how}")?;
                }
                Ok(())
            }
        }
    }
}

fn certified(certified: &Certified) -> Value {
    match &certified.says {
        Ok(outcome) => json!({"path": certified.path, "holds": true, "outcome": outcome}),
        Err(why) => json!({"path": certified.path, "holds": false, "why": why}),
    }
}
