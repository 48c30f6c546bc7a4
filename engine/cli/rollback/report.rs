//! What going back takes, as people and programs read it.

use super::Args;
use super::plan::{Fall, FileBack, Plan};
use crate::cli::brief::{self, counted, with_state};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Returns it for a program.
pub(super) fn json(plan: &Plan, args: &Args, run: &str) -> Value {
    let file = |file: &FileBack| json!({"path": file.path, "before": file.target, "becomes": word(&file.fall)});
    let agent = |(did, snapshot): &(String, bool)| json!({"did": did, "snapshot": snapshot});
    let differs = |(path, change): &(String, &str)| json!({"path": path, "change": change});
    json!({
        "run": run, "done": args.yes, "to": plan.to, "void": plan.void, "turns": plan.turns, "answers": plan.answers,
        "files": plan.files.iter().map(file).collect::<Vec<_>>(), "agents": plan.foreign.iter().map(agent).collect::<Vec<_>>(),
        "snapshot": plan.snapshot, "differs": plan.differs.iter().map(differs).collect::<Vec<_>>(),
        "too_large": plan.too_large,
    })
}

/// Prints it for a person.
pub(super) fn print(plan: &Plan, args: &Args, run: &str, out: &mut dyn Write) -> io::Result<()> {
    let (before, to) = (&plan.before, plan.to);
    writeln!(out, "run {run} back to {before}")?;
    let lines = counted(plan.lines, "line");
    writeln!(out, "  {} of {lines} void: those after line {to}", plan.void)?;
    if plan.turns + plan.answers > 0 {
        let (turns, answers) = (counted(plan.turns, "turn"), counted(plan.answers, "answer"));
        writeln!(out, "  to be had again: {turns}, {answers}")?;
    }
    for file in &plan.files {
        writeln!(out, "  {}  {}", file.path, fall(file))?;
    }
    agents(plan, args, out)?;
    if args.yes {
        let resume = with_state(format!("bmad resume {run}"), args.state_dir.as_deref());
        writeln!(out, "done; go on with: {resume}")
    } else {
        writeln!(out, "nothing was changed; --yes does it")
    }
}

fn agents(plan: &Plan, args: &Args, out: &mut dyn Write) -> io::Result<()> {
    let restores = args.snapshot && plan.snapshot.is_some();
    for (did, snapshot) in &plan.foreign {
        match restores && *snapshot {
            true => writeln!(out, "  undone as far as files go: {did}")?,
            false => writeln!(out, "  not undone: {did}")?,
        }
    }
    if plan.differs.is_empty() {
        return Ok(());
    }
    match restores {
        true => writeln!(out, "  back to the snapshot before it:")?,
        false => writeln!(out, "  differs from the snapshot before it; --snapshot puts it back:")?,
    }
    for (path, change) in &plan.differs {
        let left = match plan.too_large.contains(path) {
            true => ", too large to be kept: left alone",
            false => "",
        };
        writeln!(out, "    {path}  {change}{left}")?;
    }
    Ok(())
}

fn fall(file: &FileBack) -> String {
    match (&file.fall, &file.target) {
        (Fall::Back(_), None) => "goes: it was not there".to_owned(),
        (Fall::Back(_), Some(target)) => format!("back to {}", brief::hash(target)),
        (Fall::There, _) => "is what it was".to_owned(),
        (Fall::Changed, _) => "left alone until the run writes it again: somebody changed it since".to_owned(),
        (Fall::Gone, _) => "left alone: somebody removed it since".to_owned(),
        (Fall::Lost, _) => "left alone: what it held before was not kept".to_owned(),
    }
}

fn word(fall: &Fall) -> &'static str {
    match fall {
        Fall::Back(None) => "removed",
        Fall::Back(Some(_)) => "restored",
        Fall::There => "unchanged",
        Fall::Changed => "left-changed",
        Fall::Gone => "left-gone",
        Fall::Lost => "left-lost",
    }
}
