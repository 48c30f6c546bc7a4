//! What a run did, as a person reads it.

use super::account::{Account, Event, StepTold};
use super::lanes::Told;
use crate::cli::brief::{counted, hash, moment, of, short, with_state};
use crate::cli::failure::Failure;
use crate::cli::launch;
use crate::cli::record::Instructions;
use crate::cli::session::Session;
use crate::source::clean;
use std::io::{self, Write};
use std::path::Path;

/// Prints it.
pub(super) fn print(account: &Account, state: Option<&Path>, session: &mut Session<'_>) -> Result<(), Failure> {
    let value = account.value.as_ref();
    let returned = value.map_or_else(Vec::new, |value| launch::returned(value, &session.secrets));
    let out = &mut session.output;
    head(account, state, out)?;
    for (at, line) in returned.iter().enumerate() {
        let title = if at == 0 { "returned" } else { "" };
        writeln!(out, "  {title:8}  {line}")?;
    }
    for step in &account.steps {
        print_step(step, out)?;
    }
    if account.instructions.all() > 0 {
        writeln!(out, "instructions: {}", told(&account.instructions))?;
    }
    list(out, "files", account.files.iter(), |file| {
        format!("{}  {}  {}", file.path, hash(&file.sha256), file.now.words())
    })?;
    list(out, "open questions", account.open.iter(), |open| {
        let lane = open.lane.as_ref().map(|lane| format!("  ({})", short(lane)));
        let line = format!("{}  {}{}", open.id, short(&open.text), lane.unwrap_or_default());
        line.trim_end().to_owned()
    })?;
    list(out, "gaps", account.gaps.iter(), |gap| clean(gap))?;
    list(out, "claims that were refused", account.refused().iter(), |refused| {
        format!("step {}: {}", refused.step, clean(&refused.why))
    })?;
    list(
        out,
        "files of the workflow that changed since the run began",
        account.changed.iter(),
        Clone::clone,
    )?;
    Ok(())
}

fn head(account: &Account, state: Option<&Path>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "run {}", account.run)?;
    writeln!(out, "  workflow  {}", account.workflow)?;
    let yolo = if account.yolo { ", nothing confirmed" } else { "" };
    writeln!(
        out,
        "  began     {} UTC with {}{yolo}",
        moment(account.began),
        account.agent
    )?;
    for (name, value) in &account.inputs {
        writeln!(out, "  input     {name} = {}", short(value))?;
    }
    if account.resumed > 0 {
        writeln!(out, "  resumed   {}", counted(account.resumed as usize, "time"))?;
    }
    if account.void > 0 {
        writeln!(
            out,
            "  void      {} rolled back",
            counted(account.void as usize, "line")
        )?;
    }
    if let Some(used) = account.used.words() {
        writeln!(out, "  used      {used}")?;
    }
    match &account.stopped {
        Some(stop) if stop.why.is_empty() => {
            writeln!(out, "  stopped   {} UTC, {}", moment(stop.at), stop.how)
        }
        Some(stop) => {
            let why = clean(&stop.why);
            writeln!(out, "  stopped   {} UTC, {}: {why}", moment(stop.at), stop.how)
        }
        None if account.running => writeln!(out, "  stopped   not yet: a process works on it"),
        None => {
            let resume = with_state(format!("bmad resume {}", account.run), state);
            writeln!(out, "  stopped   without a word; `{resume}` goes on")
        }
    }
}

fn print_step(step: &StepTold, out: &mut dyn Write) -> io::Result<()> {
    let nothing = step.label.is_empty() && step.events.is_empty();
    if nothing {
        return Ok(());
    }
    let inset = "  ".repeat(step.depth as usize);
    let counts = counts(step);
    let line = format!("{inset}step {}  {}  {counts}", step.label, short(&step.goal));
    writeln!(out, "{}{}", line.trim_end(), in_lane(step.lane.as_ref()))?;
    for happened in &step.events {
        let lane = happened.lane.as_ref().filter(|_| happened.within != step.within);
        writeln!(out, "{inset}  {}{}", clean(&tell(&happened.event)), in_lane(lane))?;
    }
    Ok(())
}

/// Says in which lane something happened, behind what is told of it.
fn in_lane(lane: Option<&Told>) -> String {
    lane.map(|lane| format!("  ({})", short(&lane.words)))
        .unwrap_or_default()
}

/// Counts what happened in a step, in parentheses; nothing where nothing did.
fn counts(step: &StepTold) -> String {
    let count = |is: fn(&Event) -> bool| step.events.iter().filter(|happened| is(&happened.event)).count();
    let parts: Vec<String> = [
        (count(|event| matches!(event, Event::Turn { .. })), "turn"),
        (count(|event| matches!(event, Event::Command { .. })), "command"),
        (count(|event| matches!(event, Event::Question { .. })), "question"),
        (count(|event| matches!(event, Event::Judgement { .. })), "judgement"),
        (count(|event| matches!(event, Event::Write { .. })), "write"),
        (count(|event| matches!(event, Event::Hook { .. })), "hook"),
        (count(|event| matches!(event, Event::Failure { .. })), "failure"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| counted(count, word))
    .chain(step.used.words())
    .collect();
    match parts.as_slice() {
        [] => String::new(),
        parts => format!("({})", parts.join(", ")),
    }
}

fn tell(event: &Event) -> String {
    match event {
        Event::Turn {
            n, driver, asked, came, ..
        } => format!("{}: {asked} → {came}", of(*n, driver)),
        Event::Command { n, command, came, .. } => match n {
            Some(n) => format!("command {n}: `{}` → {came}", short(command)),
            None => format!("command `{}` → {came}", short(command)),
        },
        Event::Question { id, text, answer, by } => {
            format!("asked {id}: {} → {} (by {by})", short(text), short(answer))
        }
        Event::Judgement { text, holds, evidence } => {
            let holds = if *holds { "holds" } else { "does not hold" };
            match short(evidence).as_str() {
                "" => format!("judged: {} → {holds}", short(text)),
                evidence => format!("judged: {} → {holds}: {evidence}", short(text)),
            }
        }
        Event::Write { path, sha256, new } => {
            let new = if *new { "new, " } else { "" };
            format!("wrote {path} ({new}{})", hash(sha256))
        }
        Event::Hook { told, .. } => format!("hook {told}"),
        Event::Failure { asked, why } => format!("failed: {asked} {why}"),
    }
}

/// Counts what became of instructions, in words.
pub(in crate::cli) fn told(instructions: &Instructions) -> String {
    let parts = [
        (instructions.done, "done with evidence"),
        (instructions.said, "said to be done"),
        (instructions.skipped, "skipped"),
        (instructions.gap, "left as gaps"),
        (instructions.open, "not settled"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    match parts.as_slice() {
        [] => "none".to_owned(),
        parts => parts.join(", "),
    }
}

fn list<T>(
    out: &mut dyn Write,
    title: &str,
    items: impl ExactSizeIterator<Item = T>,
    line: impl Fn(T) -> String,
) -> io::Result<()> {
    if items.len() > 0 {
        writeln!(out, "{title}:")?;
    }
    for item in items {
        writeln!(out, "  {}", line(item))?;
    }
    Ok(())
}
