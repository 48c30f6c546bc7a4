//! A turn or a command that was begun and never ended: what it left behind is shown, and put back or kept before it is
//! begun again.

use super::back::{listed, moved, put_back};
use super::begun::Unfinished;
use super::crew::{Crew, Left};
use super::interrupt::unless_interrupted;
use crate::host::Settlement;
use crate::machine::{Asker, Choice, Effect, Issued, Question};
use std::sync::Arc;

/// What was decided about a turn.
pub(super) struct Settled {
    pub(super) choice: Settlement,
    /// What it left behind, in words; nothing where there is nothing.
    pub(super) told: String,
    /// How to have back what was put back, in words.
    pub(super) how: String,
}

/// Decides about a turn; answers what it left behind, in words.
///
/// As was said beforehand, or else by whoever answers questions, or else everything is put back but what is the work of
/// somebody else since then. Nothing is decided where somebody interrupts the question: it is asked again when the run is
/// resumed.
pub(super) async fn settle(issued: &Issued, known: &Unfinished, crew: &Crew) -> Result<Option<Settled>, String> {
    let nothing = |choice| Settled {
        choice,
        told: String::new(),
        how: String::new(),
    };
    if known.is_left {
        let told = format!(
            "{} was cut off, and others came after it: what it left behind",
            named(issued)
        );
        return Ok(Some(Settled {
            told,
            ..nothing(Settlement::Kept)
        }));
    }
    let Some(id) = known.before.as_deref().filter(|_| issued.effect.changes()) else {
        return Ok(Some(nothing(Settlement::Kept)));
    };
    let left = (crew.left_behind)(id)?.into_iter();
    let (since, left): (Vec<Left>, Vec<Left>) = left.partition(|left| (crew.since)(&left.path, known.stopped));
    if left.is_empty() && since.is_empty() {
        return Ok(Some(nothing(Settlement::Restored)));
    }
    if left.is_empty() {
        let told = format!(
            "{} was cut off, and since then changed:{}",
            named(issued),
            listed(&since)
        );
        let how = String::new();
        return Ok(Some(Settled {
            choice: Settlement::Kept,
            told,
            how,
        }));
    }
    let told = told(issued, &left) + &moved(id, crew);
    let choice = match crew.unfinished {
        Some(said) => Some(said),
        None => ask(&told, crew).await,
    };
    let Some(choice) = choice else { return Ok(None) };
    let how = match choice {
        Settlement::Restored => {
            let paths: Vec<String> = left.iter().map(|left| left.path.clone()).collect();
            let back = put_back(id, &paths, crew)?;
            back.stayed + &back.how + &left_alone(&since)
        }
        Settlement::Kept => String::new(),
    };
    Ok(Some(Settled { choice, told, how }))
}

/// Names what was not put back.
fn left_alone(since: &[Left]) -> String {
    match since.is_empty() {
        true => String::new(),
        false => format!("\n  changed since then, and left alone:{}", listed(since)),
    }
}

async fn ask(told: &str, crew: &Crew) -> Option<Settlement> {
    let question = Question {
        id: "unfinished".to_owned(),
        text: format!("{told}\nWhat becomes of these files before it is begun again?"),
        choices: vec![
            Choice::plain("r", "Put them back as they were before it"),
            Choice::plain("k", "Keep them as they are"),
        ],
        open: false,
        origin: Asker::Engine,
        ..Question::default()
    };
    let answer = unless_interrupted(crew, crew.human.ask(Arc::new(question))).await?;
    match answer.map(|answer| answer.text).as_deref() {
        Some("k") => Some(Settlement::Kept),
        None if crew.human.interrupted() => None,
        Some(_) | None => Some(Settlement::Restored),
    }
}

fn told(issued: &Issued, left: &[Left]) -> String {
    format!("{} was cut off and left behind:{}", named(issued), listed(left))
}

/// Says what was cut off, and in which step.
fn named(issued: &Issued) -> String {
    let what = match &issued.effect {
        Effect::Run { command, .. } => format!("the command `{command}`"),
        Effect::Dispatch(_)
        | Effect::Judge(_)
        | Effect::Checkpoint(_)
        | Effect::Ask(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Verify { .. }
        | Effect::Now => "a turn".to_owned(),
    };
    format!("{what} of step {}", issued.step)
}
