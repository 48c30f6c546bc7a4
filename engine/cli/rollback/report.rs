//! What going back takes, as people and programs read it.

use super::Args;
use super::plan::{Edit, Fall, FileBack, Plan};
use crate::cli::brief::{self, counted, with_state};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Returns it for a program.
pub(super) fn json(plan: &Plan, args: &Args, run: &str) -> Value {
    let edit = |edit: &Edit| json!({"after": edit.between.0, "before": edit.between.1, "sha256": edit.sha256});
    let file = |file: &FileBack| {
        let edits: Vec<Value> = file.edits.iter().map(edit).collect();
        json!({"path": file.path, "before": file.target, "becomes": word(&file.fall), "edits": edits})
    };
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
        if matches!(file.fall, Fall::Back(_)) {
            edits(file, args, run, out)?;
        }
    }
    agents(plan, args, out)?;
    if args.yes {
        let resume = with_state(format!("bmad resume {run}"), args.state_dir.as_deref());
        writeln!(out, "done; go on with: {resume}")
    } else {
        writeln!(out, "nothing was changed; --yes does it")
    }
}

/// Says what somebody changed that goes with a file, and how to have it back.
fn edits(file: &FileBack, args: &Args, run: &str, out: &mut dyn Write) -> io::Result<()> {
    for edit in &file.edits {
        let (one, two) = edit.between;
        let back = brief::have_back(run, &file.path, &edit.sha256, args.state_dir.as_deref());
        let back = back.map_or(String::new(), |back| format!("; have it back with: {back}"));
        writeln!(
            out,
            "    what somebody changed between lines {one} and {two} goes with it{back}"
        )?;
    }
    Ok(())
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
            true => {
                ", too large to be kept, not to be read, or with something in its place that nothing keeps: left alone"
            }
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
        (Fall::Edited, _) => {
            let between = file.edits.first().map_or((0, 0), |edit| edit.between);
            let (one, two) = between;
            format!(
                "left alone until the run writes it again: somebody changed it between lines {one} and {two}; --edited puts it back"
            )
        }
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
        Fall::Edited => "left-edited",
        Fall::Gone => "left-gone",
        Fall::Lost => "left-lost",
    }
}
