//! What an agent was asked and what it answered in; what is missing, and what has to be checked, out.

use super::effect::Claim;
use super::envelope::{Acknowledged, Asked, Envelope, Evidence, Status};
use super::menu_text::{FalseAlarms, detect};
use super::task::Task;

/// How many problems are told at once.
const MAX_PROBLEMS: usize = 20;
/// How much of an instruction is quoted where it was not done.
const MAX_QUOTED: usize = 70;

/// Finds what a reply leaves undone, in words for the agent.
pub fn problems(task: &Task, envelope: &Envelope) -> Vec<String> {
    let mut found = Vec::new();
    for order in &task.instructions {
        let mut told = envelope.instructions.iter().filter(|it| it.n == order.n);
        match (told.next(), told.next()) {
            (None, _) => found.push(format!("instruction {} is not acknowledged", order.n)),
            (Some(_), Some(_)) => found.push(format!("instruction {} is acknowledged twice", order.n)),
            (Some(it), None) if it.status == Status::Skipped && !order.optional => {
                found.push(format!("instruction {} was skipped and is not optional", order.n));
            }
            (Some(it), None) if it.status == Status::Blocked && it.why.trim().is_empty() => {
                found.push(format!("instruction {} is blocked and does not say why", order.n));
            }
            (Some(_), None) => {}
        }
    }
    for it in &envelope.instructions {
        if task.instructions.iter().all(|order| order.n != it.n) {
            found.push(format!("there is no instruction {}", it.n));
        }
    }
    for n in 1..=task.conditions.len() {
        if envelope.judgements.iter().all(|judgement| judgement.n as usize != n) {
            found.push(format!("condition {n} is not judged"));
        }
    }
    let excused = is_excused(task, envelope);
    for name in task.wanted.variables.iter().filter(|_| !excused) {
        if envelope.variables.iter().all(|(given, _)| given != name) {
            found.push(format!("variable `{name}` is not set"));
        }
    }
    for name in task.wanted.sections.iter().filter(|_| !excused) {
        let given = envelope.sections.iter().find(|(given, _)| given == name);
        if given.is_none_or(|(_, text)| text.is_empty()) {
            found.push(format!("section `{name}` has no content"));
        }
    }
    found.truncate(MAX_PROBLEMS);
    found
}

/// What could not be done cannot yield anything either.
fn is_excused(task: &Task, envelope: &Envelope) -> bool {
    let undone = |n: u32| {
        envelope
            .instructions
            .iter()
            .any(|it| it.n == n && matches!(it.status, Status::Blocked | Status::Gap))
    };
    !task.instructions.is_empty() && task.instructions.iter().all(|order| undone(order.n))
}

/// Finds what a reply claims about files.
pub(super) fn claims(envelope: &Envelope) -> Vec<Claim> {
    let mut found = Vec::new();
    for it in &envelope.instructions {
        for evidence in &it.evidence {
            match evidence {
                Evidence::File { path, sha256 } => found.push(Claim::File {
                    instruction: Some(it.n),
                    path: path.clone(),
                    sha256: sha256.clone(),
                }),
                Evidence::Quote { path, quote } => found.push(Claim::Quote {
                    instruction: it.n,
                    path: path.clone(),
                    quote: quote.clone(),
                }),
                Evidence::Command { .. } | Evidence::Value { .. } | Evidence::Said { .. } => {}
            }
        }
    }
    found.extend(envelope.files.iter().map(|file| Claim::File {
        instruction: None,
        path: file.path.clone(),
        sha256: file.sha256.clone(),
    }));
    found
}

/// Finds a menu in text that is meant for the person: an agent that writes one there asks without saying so. Returns what
/// stands above the menu as well.
pub(super) fn menu_in(text: &str) -> Option<(Asked, String)> {
    let found = detect(text, &FalseAlarms::default())?;
    let options = found.options.iter().map(|choice| match choice.label.is_empty() {
        true => choice.key.clone(),
        false => format!("{} ({})", choice.label, choice.key),
    });
    let asked = Asked {
        question: found.question,
        options: options.collect(),
    };
    let above: Vec<&str> = text.lines().take(found.line).collect();
    Some((asked, above.join("\n").trim_end().to_owned()))
}

/// Says what became of each instruction of a turn and what shows it, a line each.
pub(super) fn report(task: &Task, told: &[Acknowledged]) -> String {
    let line = |it: &Acknowledged| {
        let order = task.instructions.iter().find(|order| order.n == it.n)?;
        let status = match it.status {
            Status::Done => "done",
            Status::Blocked => "blocked",
            Status::Skipped => "skipped",
            Status::Gap => "not done",
        };
        let shown = it.evidence.iter().map(|evidence| match evidence {
            Evidence::File { path, .. } => format!("`{path}`"),
            Evidence::Quote { path, quote } => format!("`{path}` says “{}”", quoted(quote)),
            Evidence::Command { command, exit } => format!("`{}` ended with {exit}", quoted(command)),
            Evidence::Value { value } => quoted(&value.to_string()),
            Evidence::Said { text } => format!("said: {}", quoted(text)),
        });
        let why = (!it.why.is_empty()).then(|| quoted(&it.why));
        let shown: Vec<String> = shown.chain(why).collect();
        Some(format!("{}: {status}; {}", quoted(&order.text), shown.join("; ")))
    };
    let lines: Vec<String> = told.iter().take(MAX_PROBLEMS).filter_map(line).collect();
    lines.join("\n")
}

/// Says what was not done and why, in one line.
pub(super) fn gap(task: &Task, it: &Acknowledged) -> String {
    let order = task.instructions.iter().find(|order| order.n == it.n);
    let text = order.map(|order| order.text.as_str()).unwrap_or_default();
    format!("{} step {}: {} ({})", task.workflow, task.step, quoted(text), it.why)
}

/// Returns the beginning of a text, in one line.
fn quoted(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    let cut = if line.chars().count() > MAX_QUOTED { "…" } else { "" };
    let words: String = line.chars().take(MAX_QUOTED).collect();
    format!("{words}{cut}")
}

/// Says whether a name may be given to a variable.
pub(super) fn is_name(name: &str) -> bool {
    let inside = |at: char| at.is_alphanumeric() || matches!(at, '_' | '-' | '.');
    !name.is_empty() && name.len() <= 200 && !name.starts_with(['-', '.']) && name.chars().all(inside)
}
