//! What was seen in rehearsals, as people and programs read it.

use super::seen::{Came, Seen, Unreached};
use crate::cli::brief::{counted, short};
use serde_json::{Value, json};
use std::io::{self, Write};

/// How many seeds are named for one thing.
const NAMED: usize = 5;

/// Returns it for a program.
pub(super) fn json(seen: &Seen, unreached: &[Unreached], home: &str) -> Value {
    let step = |it: &Unreached| json!({"workflow": it.workflow, "label": it.label, "goal": it.goal, "place": it.place});
    let question = |it: &Came| {
        json!({
            "id": it.id, "text": it.text, "place": it.place, "times": it.times, "rehearsals": it.rehearsals,
            "ids": it.ids(),
        })
    };
    let reasons = seen
        .reasons
        .iter()
        .map(|((kind, reason, place), seeds)| json!({"how": kind, "why": reason, "place": place, "seeds": seeds}));
    let faults = seen.faults.iter().map(|(seed, why)| json!({"seed": seed, "why": why}));
    json!({
        "workflow": home, "rehearsals": seen.rehearsals, "ends": seen.ends, "stopped": reasons.collect::<Vec<_>>(),
        "unreached": unreached.iter().map(step).collect::<Vec<_>>(),
        "questions": seen.questions.iter().map(question).collect::<Vec<_>>(),
        "agents_asked": seen.agents_asked, "engine_failures": faults.collect::<Vec<_>>(),
    })
}

/// Prints it for a person.
pub(super) fn print(
    seen: &Seen,
    unreached: &[Unreached],
    home: &str,
    files: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rehearsals = counted(seen.rehearsals as usize, "rehearsal");
    writeln!(out, "{rehearsals} of {home} on a copy of {}", counted(files, "file"))?;
    ends(seen, out)?;
    if !unreached.is_empty() {
        writeln!(out, "steps never reached:")?;
    }
    for step in unreached {
        let goal = short(&step.goal);
        writeln!(out, "  {} step {}  {goal}  ({})", step.workflow, step.label, step.place)?;
    }
    limits(seen, out)?;
    questions(seen, out)?;
    if seen.faults.is_empty() {
        return writeln!(out, "the engine never failed");
    }
    writeln!(out, "the engine failed:")?;
    for (seed, why) in &seen.faults {
        writeln!(out, "  seed {seed}: {why}")?;
    }
    Ok(())
}

fn ends(seen: &Seen, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "ends:")?;
    for (kind, count) in &seen.ends {
        writeln!(out, "  {count:>4} × {kind}")?;
        let mut reasons: Vec<_> = seen.reasons.iter().filter(|((of, ..), _)| of == kind).collect();
        reasons.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
        for ((_, reason, place), seeds) in reasons {
            let place = match place.as_str() {
                "" => String::new(),
                place => format!(" ({place})"),
            };
            writeln!(
                out,
                "         {} × {}{place}, {}",
                seeds.len(),
                short(reason),
                named(seeds)
            )?;
        }
    }
    Ok(())
}

fn limits(seen: &Seen, out: &mut dyn Write) -> io::Result<()> {
    let mut first = true;
    for (reason, place, seeds) in seen.limits() {
        if std::mem::take(&mut first) {
            writeln!(out, "stopped by a bound or by fuel:")?;
        }
        writeln!(out, "  {place}  {}, {}", short(reason), named(seeds))?;
    }
    Ok(())
}

fn questions(seen: &Seen, out: &mut dyn Write) -> io::Result<()> {
    if !seen.questions.is_empty() {
        writeln!(out, "questions:")?;
    }
    for question in &seen.questions {
        let others = match question.ids() {
            0 | 1 => String::new(),
            ids => format!("  (and {} with other words)", ids - 1),
        };
        let (times, id) = (question.times, &question.id);
        writeln!(out, "  {times:>4} × {id}  {}{others}", short(&question.text))?;
    }
    match seen.agents_asked {
        0 => Ok(()),
        times => writeln!(out, "  {times:>4} × something that an agent wanted to know"),
    }
}

fn named(seeds: &[u64]) -> String {
    let shown: Vec<String> = seeds.iter().take(NAMED).map(u64::to_string).collect();
    let more = if seeds.len() > NAMED { ", …" } else { "" };
    let word = if seeds.len() == 1 { "seed" } else { "seeds" };
    format!("{word} {}{more}", shown.join(", "))
}
