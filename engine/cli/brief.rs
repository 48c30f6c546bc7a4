//! Effects and outcomes in, a few words about each out.

use crate::host::{Called, Hooked, NOBODY, Resumed};
use crate::machine::escape::shell_word;
use crate::machine::{By, Effect, Envelope, Outcome, Status, Task};
use crate::os::clock::Moment;
use crate::policy::secret::masked;
use crate::runner::{Used, line_of};
use std::path::Path;

/// Says what became of a hook.
pub(super) fn hooked(hooked: &Hooked) -> String {
    let said = match (hooked.end.is_fine(), short(&hooked.err), short(&hooked.out)) {
        (false, err, _) if !err.is_empty() => format!(": {err}"),
        (_, _, out) if !out.is_empty() => format!(": {out}"),
        (_, _, _) => String::new(),
    };
    let stops = if hooked.stops { ", which stops the run" } else { "" };
    format!(
        "{} `{}` → {}{stops}{said}",
        hooked.event,
        hooked.name(),
        hooked.end.words()
    )
}

/// The longest text that is told of anything.
const LONGEST: usize = 100;

/// Says what was asked, in a few words.
pub(super) fn asked(effect: &Effect) -> String {
    match effect {
        Effect::Checkpoint(checkpoint) => {
            let Some(step) = &checkpoint.step else {
                return format!("{} ends", checkpoint.workflow);
            };
            let goal = short(&checkpoint.goal);
            match goal.as_str() {
                "" => format!("{}, step {step}", checkpoint.workflow),
                goal => format!("{}, step {step}: {goal}", checkpoint.workflow),
            }
        }
        Effect::Dispatch(task) | Effect::Judge(task) => turn(task),
        Effect::Ask(question) => short(&question.text),
        Effect::Show { text } => short(text),
        Effect::Read { path } | Effect::Look { path } => path.clone(),
        Effect::List { pattern } => pattern.clone(),
        Effect::Write(write) => write.path.clone(),
        Effect::Run { command, .. } => short(command),
        Effect::Verify { claims } => counted(claims.len(), "claim"),
        Effect::Now => String::new(),
    }
}

/// Says what an agent was asked for, in a few words.
pub(super) fn turn(task: &Task) -> String {
    let mut texts = task.instructions.iter().map(|order| order.text.as_str());
    let first = match (task.prompt.trim(), texts.next(), task.conditions.first()) {
        ("", Some(instruction), _) => instruction,
        ("", None, Some(condition)) => condition,
        ("", None, None) => task.goal.as_str(),
        (prompt, _, _) => prompt,
    };
    let who = task
        .agent
        .as_deref()
        .map(|agent| format!("{agent}: "))
        .unwrap_or_default();
    let more = match texts.count() {
        0 => String::new(),
        more => format!(" (and {})", counted(more, "more instruction")),
    };
    let again = match task.attempt {
        0 | 1 => String::new(),
        attempt if task.again.is_empty() => format!(" (attempt {attempt})"),
        attempt => format!(" (attempt {attempt}, since {})", short(&task.again.join("; "))),
    };
    format!("{who}{}{more}{again}", short(first))
}

/// Says what came of it, in a few words; nothing where there is nothing to tell.
pub(super) fn came(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done => String::new(),
        Outcome::Replied(envelope) => replied(envelope),
        Outcome::Answered(answer) => format!("{} (by {})", short(&answer.text), by(answer.by)),
        Outcome::Contents { text: Some(text), .. } => counted(text.len(), "byte"),
        Outcome::Contents { text: None, .. } | Outcome::Seen { there: false } => "not there".to_owned(),
        Outcome::Listed { paths } => counted(paths.len(), "path"),
        Outcome::Seen { there: true } => "there".to_owned(),
        Outcome::Written { sha256, before } => match before {
            None => format!("new, {}", hash(sha256)),
            Some(before) if before == sha256 => format!("unchanged, {}", hash(sha256)),
            Some(_) => format!("changed, {}", hash(sha256)),
        },
        Outcome::Verified { wrong } if wrong.is_empty() => "they hold".to_owned(),
        Outcome::Verified { wrong } => {
            let why: Vec<&str> = wrong.iter().map(|(_, why)| why.as_str()).collect();
            format!("refused: {}", why.join("; "))
        }
        Outcome::Ran { end, output } if end.is_fine() || output.is_empty() => end.words(),
        Outcome::Ran { end, output } => format!("{}: {}", end.words(), last(output)),
        Outcome::Time { at } => Moment::at(*at).text(),
        Outcome::Failed(failure) => format!("failed ({}): {}", failure.kind.name(), failure.message),
    }
}

/// Says whether something went wrong: it failed, or a claim does not hold.
pub(super) fn is_wrong(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Failed(_) => true,
        Outcome::Verified { wrong } => !wrong.is_empty(),
        Outcome::Ran { end, .. } => !end.is_fine(),
        Outcome::Done
        | Outcome::Replied(_)
        | Outcome::Answered(_)
        | Outcome::Contents { .. }
        | Outcome::Listed { .. }
        | Outcome::Seen { .. }
        | Outcome::Written { .. }
        | Outcome::Time { .. } => false,
    }
}

fn replied(envelope: &Envelope) -> String {
    let count = |status: Status| envelope.instructions.iter().filter(|it| it.status == status).count();
    let mut parts: Vec<String> = [
        (Status::Done, "done"),
        (Status::Skipped, "skipped"),
        (Status::Blocked, "blocked"),
        (Status::Gap, "left as a gap"),
    ]
    .into_iter()
    .filter(|(status, _)| count(*status) > 0)
    .map(|(status, word)| format!("{} {word}", count(status)))
    .collect();
    let holds = envelope.judgements.iter().filter(|judgement| judgement.holds).count();
    match envelope.judgements.len() {
        0 => {}
        1 if holds == 1 => parts.push("it holds".to_owned()),
        1 => parts.push("it does not hold".to_owned()),
        all => parts.push(format!("{holds} of {all} hold")),
    }
    for (count, word) in [
        (envelope.asks.len(), "question"),
        (envelope.sections.len(), "section"),
        (envelope.findings.len(), "finding"),
        (envelope.files.len(), "file"),
    ] {
        if count > 0 {
            parts.push(counted(count, word));
        }
    }
    if parts.is_empty() {
        return match short(&envelope.text) {
            text if text.is_empty() => "replied".to_owned(),
            text => text,
        };
    }
    parts.join(", ")
}

/// Says what came of a call and what it used, in a few words.
pub(super) fn called(called: &Called) -> String {
    let mut used = Used::default();
    used.add(called);
    let mut parts = vec![called.driver.clone()];
    parts.extend(called.model.clone());
    if let Some(class) = called.class {
        parts.push(class.name().to_owned());
    }
    if called.cut {
        parts.push("cut off".to_owned());
        // Once is enough.
        used.cut = 0;
    }
    parts.extend(used.words());
    if let Some(until) = called.until {
        parts.push(format!("until {} UTC", moment(until)));
    }
    parts.join(", ")
}

/// Says which turn it is, and whose.
pub(super) fn of(n: u64, driver: &str) -> String {
    match driver {
        NOBODY => format!("turn {n} (nobody was asked)"),
        driver => format!("turn {n} of {driver}"),
    }
}

/// Says who went on with a run, and what the person said then.
pub(super) fn resumed(resumed: &Resumed) -> String {
    if !resumed.left.is_empty() {
        let lines = counted(resumed.left.len(), "line");
        return format!("another way: {lines} before count no longer");
    }
    let mut parts = vec![format!("by process {}", resumed.pid)];
    parts.extend(resumed.agent.as_ref().map(|agent| format!("with {agent}")));
    parts.extend(resumed.yolo.then(|| "nothing is confirmed".to_owned()));
    parts.extend(resumed.fuel.map(|fuel| format!("at most {fuel} nodes")));
    parts.extend(resumed.allowed.iter().map(|command| format!("`{command}` allowed")));
    if !resumed.again.is_empty() {
        parts.push("what failed is asked for anew".to_owned());
    }
    parts.join(", ")
}

/// Returns who answered, as a person reads it.
pub(super) fn by(by: By) -> &'static str {
    match by {
        By::Terminal => "a person",
        By::File => "the answers file",
        By::Policy => "the policy",
        By::Rehearsal => "a rehearsal",
    }
}

/// What a name begins with that stands for what a file held before the run wrote over it; its hash follows.
pub(super) const BEFORE: &str = "before:";

/// Returns the command that has back what a file held before a run wrote over it; none where its path cannot be typed.
pub(super) fn have_back(run: &str, path: &str, sha256: &str, state: Option<&Path>) -> Option<String> {
    let (hash, path) = (hash(sha256), shell_word(path)?);
    let command = format!("bmad rollback {run} --take {BEFORE}{hash} --yes {path}");
    Some(with_state(command, state))
}

/// Returns the beginning of a hash: enough to tell two files apart.
pub(super) fn hash(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Returns the first line of a text that says something, cut where it is long. Half a secret would be none that is known.
pub(super) fn short(text: &str) -> String {
    line_of(&masked(text), LONGEST)
}

/// Returns the last line of a text that says something, cut where it is long: there a command says what went wrong.
fn last(text: &str) -> String {
    short(text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default())
}

/// Adds to a command the folder that runs are kept in, where the person named one: without it the run is not found.
pub(super) fn with_state(command: impl Into<String>, folder: Option<&Path>) -> String {
    let mut command = command.into();
    if let Some(folder) = folder {
        command.push_str(" --state-dir ");
        command.push_str(&typed(&folder.display().to_string()));
    }
    command
}

/// Returns a path as it has to be typed.
pub(super) fn typed(path: &str) -> String {
    shell_word(path).unwrap_or_else(|| path.to_owned())
}

/// Returns a number with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Returns a moment as a person reads it in a list: `2026-11-15 06:16:05`.
pub(super) fn moment(at: i64) -> String {
    let text = Moment::at(at).text();
    text.trim_end_matches(" UTC").to_owned()
}

#[cfg(test)]
mod tests {
    use super::{short, turn, with_state};
    use crate::machine::{Order, Task};

    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(short("\n  one\ntwo"), "one");
        assert_eq!(short(&"é".repeat(101)), format!("{}…", "é".repeat(100)));
        assert_eq!(short(&"é".repeat(100)), "é".repeat(100));
    }

    #[test]
    fn a_command_names_the_folder_so_that_it_can_be_typed() {
        let typed = |folder: &str| with_state("bmad runs", Some(folder.as_ref()));
        assert_eq!(with_state("bmad runs", None), "bmad runs");
        assert_eq!(typed("../state"), "bmad runs --state-dir ../state");
        assert_eq!(typed("my runs"), "bmad runs --state-dir 'my runs'");
        assert_eq!(typed("~/runs"), "bmad runs --state-dir '~/runs'");
        assert_eq!(typed("-runs"), "bmad runs --state-dir ./-runs");
    }

    #[test]
    fn a_turn_is_told_by_its_first_instruction() {
        let order = |text: &str| Order {
            text: text.to_owned(),
            ..Order::default()
        };
        let task = Task {
            agent: Some("sorter".to_owned()),
            instructions: vec![order("Load it\nall"), order("Sort it")],
            attempt: 2,
            ..Task::default()
        };
        assert_eq!(turn(&task), "sorter: Load it (and 1 more instruction) (attempt 2)");
    }
}
