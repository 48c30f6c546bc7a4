//! How a run stopped, as a person reads it, and what to do next.

use super::Launch;
use super::crew::Team;
use crate::builtins::Value;
use crate::cli::Exit;
use crate::cli::brief::{self, moment, with_state};
use crate::cli::failure::Failure;
use crate::cli::review::is_review;
use crate::cli::session::{Session, tidy};
use crate::host::{Durability, Journal as _, Line};
use crate::machine::{End, EndKind, Machine, Question, Tally};
use crate::runner::{RunError, Stopped, line};
use crate::source::clean;
use serde_json::json;
use std::io::{self, Write as _};

/// Writes the last line of the journal, and tells the person.
pub(super) fn report(
    mut launch: Launch<'_>,
    machine: &Machine<'_>,
    stopped: Result<Stopped, RunError>,
    team: &Team,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let stopped = match stopped {
        Ok(Stopped::Waiting(_)) if team.crew.human.interrupted() => Stopped::Interrupted,
        Ok(Stopped::Waiting(open)) => Stopped::Waiting(by_lane(open)),
        Ok(stopped) => stopped,
        Err(error) => return Err(broken(&error, &launch)),
    };
    complain(&launch, team, session)?;
    let gaps = gaps(&stopped, machine.tally(), session);
    let (how, why) = words(&stopped, gaps.len(), session);
    let line = Line::Stopped {
        gaps,
        at: launch.clock.now(),
        how: how.to_owned(),
        why: why.clone(),
        outcome: outcome(&launch, &stopped),
    };
    launch
        .journal
        .append(&line, Durability::Synced)
        .map_err(|error| Failure::journal(&error))?;
    let run = launch.begun.run.clone();
    if let Err(error) = leave_word(&launch, &stopped, team, session) {
        // The journal has it: this is for people and other programs to see.
        writeln!(
            session.errors,
            "note: how the run stopped could not be noted beside it: {error}"
        )?;
    }
    if launch.args.json {
        let (tally, used) = (machine.tally(), team.crew.ledger.used());
        let event = json!({"event": "stopped", "run": run, "how": how, "why": why, "tally": tally, "used": used});
        tell_json(event, &stopped, session)?;
    }
    let resume = command(&launch, "resume", "");
    let used = team.crew.ledger.used().words();
    let exit = match stopped {
        Stopped::Ended(end) => {
            let exit = ended(&end, machine.tally(), launch.begun.fuel, &resume, session)?;
            // Whoever began the run has a form of its own for what it returned.
            if !launch.aside {
                tell_value(&end.value, session)?;
            }
            Ok(exit)
        }
        Stopped::Waiting(open) => waiting(&open, &launch, team, session),
        Stopped::Parked { until, why } => {
            let log = command(&launch, "log", "");
            parked(until, &why, [&resume, &log], session)
        }
        Stopped::Interrupted => {
            writeln!(session.errors, "stopped; everything so far is kept")?;
            writeln!(session.errors, "  go on with: {resume}")?;
            Ok(Exit::Interrupted)
        }
    };
    if let Some(used) = used {
        writeln!(session.errors, "  used so far: {used}")?;
    }
    exit
}

/// Puts questions into the order of their lanes, whichever was faster.
fn by_lane(mut open: Vec<Question>) -> Vec<Question> {
    open.sort_by_key(|question| question.branches.iter().map(|branch| branch.at).collect::<Vec<_>>());
    open
}

/// Says why a run could not go on, and how it does once it can.
fn broken(error: &RunError, launch: &Launch<'_>) -> Failure {
    let resume = command(launch, "resume", "");
    match error {
        RunError::Journal(error) => Failure::journal(error),
        RunError::Snapshot(_) | RunError::Mend(_) | RunError::Runtime(_) => Failure::work(error.to_string()).with_hint(
            format!("what was done is kept; once the cause is gone, go on with: {resume}"),
        ),
    }
}

/// Returns how a review ended that is over; of other runs the value says nothing that is known here.
fn outcome(launch: &Launch<'_>, stopped: &Stopped) -> String {
    let value = value(stopped).filter(|_| is_review(&launch.begun));
    let outcome = value.and_then(|value| value.get("outcome"));
    outcome.map(Value::to_string).unwrap_or_default()
}

/// Returns the value that a run returned.
fn value(stopped: &Stopped) -> Option<&Value> {
    match stopped {
        Stopped::Ended(end) => Some(&end.value).filter(|value| **value != Value::Nothing),
        Stopped::Waiting(_) | Stopped::Parked { .. } | Stopped::Interrupted => None,
    }
}

/// Tells the value that a run returned: behind the word, or its fields below it.
fn tell_value(value: &Value, session: &mut Session<'_>) -> Result<(), Failure> {
    let told = super::returned(value, &session.secrets);
    let to = &mut session.errors;
    if matches!(value, Value::Map(_)) {
        writeln!(to, "  returned:")?;
        for field in told {
            writeln!(to, "    {field}")?;
        }
        return Ok(());
    }
    for line in told {
        writeln!(to, "  returned: {line}")?;
    }
    Ok(())
}

/// Says what is wrong with the answers that were given.
fn complain(launch: &Launch<'_>, team: &Team, session: &mut Session<'_>) -> Result<(), Failure> {
    for told in team
        .complaints
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .iter()
    {
        writeln!(session.errors, "{told}")?;
    }
    if let Some(typed) = &launch.args.answers {
        let whole = session.folder().join(typed).display().to_string();
        for (path, line, key) in team.chain.unused() {
            let path = match path == whole {
                true => typed.display().to_string(),
                false => path,
            };
            writeln!(
                session.errors,
                "{path}:{line}: nothing was asked that is called `{key}`"
            )?;
        }
    }
    Ok(())
}

/// Leaves word of how the run stopped: that it did so in order, for whom or what it waits, and that it got somewhere.
fn leave_word(launch: &Launch<'_>, stopped: &Stopped, team: &Team, session: &Session<'_>) -> io::Result<()> {
    let host = session.host();
    super::flag::lower(&*host, &launch.project.root, &launch.begun.run)?;
    note(launch, stopped, session)?;
    // Whoever finished something said so then; one whose turn was cut off got nowhere.
    let is_cut = matches!(stopped, Stopped::Interrupted) && team.crew.ledger.is_cut();
    if is_cut || matches!(stopped, Stopped::Ended(end) if end.kind == EndKind::Failed) {
        return Ok(());
    }
    host.write_soon(&super::attempts_path(&launch.folder), b"0")
}

/// Leaves word in the output folder for whom or what the run waits.
fn note(launch: &Launch<'_>, stopped: &Stopped, session: &Session<'_>) -> io::Result<()> {
    let (root, begun) = (&launch.project.root, &launch.begun);
    let host = &*session.host();
    // Whoever reads it may be in another folder than the person was.
    let state = launch.state().map(|folder| tidy(&session.folder().join(folder)));
    let typed = |words: String| {
        let command = with_state(words, state.as_deref());
        session.secrets.masked_loosely(&command).into_owned()
    };
    let resume = typed(format!("bmad resume {}", begun.run));
    match stopped {
        Stopped::Waiting(open) => {
            let answer = typed(format!("bmad answer {} ID ANSWER", begun.run));
            super::awaiting::note(host, root, begun, &masked(open, session), [&answer, &resume])?;
        }
        Stopped::Ended(_) | Stopped::Interrupted | Stopped::Parked { .. } => {
            super::awaiting::clear(host, root, &begun.run)?;
        }
    }
    match stopped {
        Stopped::Parked { until, why } => {
            let why = session.secrets.masked_loosely(why);
            super::parked::note(host, root, begun, (*until, &why), &resume)?;
        }
        Stopped::Waiting(_) | Stopped::Ended(_) | Stopped::Interrupted => {
            super::parked::clear(host, root, &begun.run)?;
        }
    }
    Ok(())
}

fn parked(until: Option<i64>, why: &str, [resume, log]: [&str; 2], session: &mut Session<'_>) -> Result<Exit, Failure> {
    let to = &mut session.errors;
    let line = line(why);
    writeln!(to, "parked: {line}")?;
    if line != why.trim() {
        writeln!(to, "  all that was said: {log}")?;
    }
    match until {
        Some(until) => {
            writeln!(
                to,
                "  nobody can be asked before {} UTC; then go on with: {resume}",
                moment(until)
            )?;
            writeln!(to, "  or let it wait by itself: {resume} --wait")?;
        }
        None => writeln!(
            to,
            "  what was done is kept; once the cause is gone, go on with: {resume}"
        )?,
    }
    Ok(Exit::Limit)
}

/// Tells a program how a run stopped, and what it returned.
fn tell_json(mut event: serde_json::Value, stopped: &Stopped, session: &mut Session<'_>) -> io::Result<()> {
    if let Some(value) = value(stopped) {
        event["value"] = json!(value);
    }
    writeln!(session.output, "{}", session.secrets.masked_json(&event.to_string()))
}

/// Returns what is missing in a run that came to its end.
fn gaps(stopped: &Stopped, tally: &Tally, session: &Session<'_>) -> Vec<String> {
    let masked = |gap: &String| session.secrets.masked_loosely(gap).into_owned();
    match stopped {
        Stopped::Ended(end) if end.kind == EndKind::Completed => tally.gaps.iter().map(masked).collect(),
        _ => Vec::new(),
    }
}

fn words(stopped: &Stopped, gaps: usize, session: &Session<'_>) -> (&'static str, String) {
    match stopped {
        Stopped::Ended(end) if gaps > 0 => (end.kind.name(), format!("with {}", brief::counted(gaps, "gap"))),
        Stopped::Ended(end) => (
            end.kind.name(),
            session.secrets.masked_loosely(&end.reason).into_owned(),
        ),
        Stopped::Waiting(open) => {
            let ids: Vec<String> = open.iter().map(Question::key).collect();
            ("waiting", ids.join(", "))
        }
        Stopped::Parked { why, .. } => ("parked", why.clone()),
        Stopped::Interrupted => ("interrupted", String::new()),
    }
}

/// Returns a command about this run, as it has to be typed where the person is.
fn command(launch: &Launch<'_>, name: &str, rest: &str) -> String {
    let mut words = format!("bmad {name} {}", launch.begun.run);
    if !rest.is_empty() {
        words.push(' ');
        words.push_str(rest);
    }
    with_state(words, launch.state())
}

fn ended(end: &End, tally: &Tally, fuel: u64, resume: &str, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let to = &mut session.errors;
    let place = if end.place.is_empty() {
        String::new()
    } else {
        format!(" ({})", end.place)
    };
    let reason = clean(&end.reason);
    match end.kind {
        EndKind::Completed if tally.gaps.is_empty() => writeln!(to, "completed: {}", counted(tally))?,
        EndKind::Completed => {
            writeln!(to, "completed with gaps: {}", counted(tally))?;
            for gap in &tally.gaps {
                writeln!(to, "  gap: {}", clean(gap))?;
            }
            writeln!(
                to,
                "  to fill only the gaps, let another agent go on: {resume} --agent AGENT"
            )?;
        }
        EndKind::Halted if end.reason.is_empty() => writeln!(to, "halted{place}")?,
        EndKind::Halted => writeln!(to, "halted: {reason}{place}")?,
        EndKind::Failed => {
            writeln!(to, "failed: {reason}{place}")?;
            writeln!(to, "  in: {}", end.stack.join(" → "))?;
            writeln!(
                to,
                "  what was done is kept; once the cause is gone, go on with: {resume}"
            )?;
        }
        EndKind::Limit => {
            writeln!(to, "stopped by a limit: {reason}{place}")?;
            writeln!(
                to,
                "  what was done is kept; change the workflow where it repeats and go on with: {resume}"
            )?;
            if tally.nodes > fuel {
                writeln!(to, "  where it only needs more nodes: {resume} --fuel NODES")?;
            }
        }
    }
    Ok(match end.kind {
        EndKind::Completed => Exit::Clean,
        EndKind::Halted | EndKind::Failed => Exit::Findings,
        EndKind::Limit => Exit::Limit,
    })
}

fn counted(tally: &Tally) -> String {
    let mut parts = vec![plural(tally.steps, "step")];
    let done = tally.done + tally.unverified;
    if done > 0 {
        parts.push(format!("{} done", plural(done, "instruction")));
    }
    if tally.unverified > 0 {
        parts.push(format!("{} without evidence", tally.unverified));
    }
    if tally.skipped > 0 {
        parts.push(format!("{} skipped", tally.skipped));
    }
    if tally.turns > 0 {
        parts.push(plural(tally.turns, "turn"));
    }
    parts.join(", ")
}

pub(super) fn plural(count: u64, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {word}{s}")
}

fn waiting(open: &[Question], launch: &Launch<'_>, team: &Team, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let shown = masked(open, session);
    let path = super::answers_path(&launch.folder);
    let named = shown.iter().map(|question| Question {
        id: question.key(),
        ..question.clone()
    });
    let asked = serde_json::to_vec(&named.collect::<Vec<_>>()).unwrap_or_default();
    let before = session.host().read(&path).unwrap_or_default();
    let before = String::from_utf8_lossy(&before);
    let renewed = team.chain.renewed(&path.display().to_string(), &before, &shown);
    let files = [
        (&path, renewed.into_bytes()),
        (&super::questions_path(&launch.folder), asked),
    ];
    for (path, bytes) in files {
        let written = session.host().write(path, &bytes);
        written.map_err(|error| Failure::work(format!("`{}` cannot be written: {error}", path.display())))?;
    }
    let to = &mut session.errors;
    let count = open.len();
    writeln!(to, "waiting for a person: {}", plural(count as u64, "open question"))?;
    for question in open {
        let lane = question.lane().map(|lane| format!("  ({})", clean(&lane)));
        let lane = lane.unwrap_or_default();
        writeln!(to, "  {}  {}{lane}", question.key(), line(&question.text))?;
    }
    writeln!(to, "answer one:      {}", command(launch, "answer", "ID ANSWER"))?;
    writeln!(to, "or fill in:      {}", path.display())?;
    writeln!(to, "then go on with: {}", command(launch, "resume", ""))?;
    Ok(Exit::Waiting)
}

/// Masks secrets in questions that are written down.
fn masked(open: &[Question], session: &Session<'_>) -> Vec<Question> {
    let without = |question: &Question| {
        let mut question = question.clone();
        question.text = session.secrets.masked(&question.text).into_owned();
        for choice in &mut question.choices {
            choice.label = session.secrets.masked(&choice.label).into_owned();
        }
        question
    };
    open.iter().map(without).collect()
}
