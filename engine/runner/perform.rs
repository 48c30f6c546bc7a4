//! One effect to one outcome.

use super::ceilings::Hold;
use super::commands;
use super::crew::Crew;
use super::files::{self, LeftBehind};
use super::hooks::Given;
use super::projection;
use super::relative::in_project;
use crate::builtins::Value;
use crate::host::{Session, Turn};
use crate::machine::{Effect, Failure, FailureKind, Issued, Outcome, Task, sha256 as hash};
use std::borrow::Cow;
use std::sync::Arc;

/// An effect that was waited for; without an outcome nobody was there to answer.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) issued: Issued,
    pub(super) outcome: Option<Outcome>,
    /// Why nobody takes a turn now.
    pub(super) hold: Option<Hold>,
}

/// Says whether somebody else has to do something first.
pub(super) fn takes_time(effect: &Effect) -> bool {
    effect.is_costly() || matches!(effect, Effect::Ask(_))
}

/// What can be looked at again is on the disk with the next line that has to be, and turns before anything else begins.
pub(super) fn is_kept_at_once(effect: &Effect) -> bool {
    match effect {
        Effect::Checkpoint(_) | Effect::Ask(_) | Effect::Write(_) => true,
        Effect::Dispatch(_)
        | Effect::Judge(_)
        | Effect::Run { .. }
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Verify { .. }
        | Effect::Now => false,
    }
}

/// Performs an effect that takes no time; `left` is what may have been left behind in the place of a section.
pub(super) fn now(issued: &Issued, left: &LeftBehind, crew: &Crew) -> Outcome {
    match &issued.effect {
        Effect::Now => Outcome::Time { at: crew.clock.now() },
        Effect::Show { .. } => Outcome::Done,
        Effect::Checkpoint(checkpoint) => projection::checkpoint(checkpoint, &issued.key, crew),
        Effect::Read { path } => files::read(path, crew),
        Effect::List { pattern } => files::list(pattern, crew),
        Effect::Look { path } => Outcome::Seen {
            there: crew.workspace.exists(&crew.root.join(path)),
        },
        Effect::Write(write) => files::write((write, left), &issued.key, crew),
        Effect::Verify { claims } => files::verify(claims, crew),
        Effect::Dispatch(_) | Effect::Judge(_) | Effect::Run { .. } | Effect::Ask(_) => Outcome::Done,
    }
}

/// Performs an effect that is waited for; `times` is how often it was begun before.
pub(super) async fn later(issued: Issued, crew: Crew, times: u32, given: Given) -> Done {
    let mut hold = None;
    let outcome = match &issued.effect {
        Effect::Dispatch(task) | Effect::Judge(task) => {
            let outcome = match prompts(task, &given, &crew) {
                Err(why) => Outcome::Failed(Failure {
                    kind: FailureKind::Malformed,
                    message: why,
                }),
                Ok((prompt, anew)) => {
                    let turn = Turn {
                        hooks: given.inside,
                        anew,
                        ..turn(&issued, task, prompt, &crew, times)
                    };
                    match crew.driver.perform(Arc::new(turn)).await.result {
                        Ok(reply) => Outcome::Replied(Box::new(in_project(reply.envelope, &crew))),
                        Err(failure) => Outcome::Failed(failure),
                    }
                }
            };
            if matches!(outcome, Outcome::Failed(_)) {
                hold = crew.ledger.take_hold(&issued.key);
            }
            Some(outcome).filter(|_| hold.is_none())
        }
        Effect::Run { command, timeout } => commands::ran(command, *timeout, issued.limit, &crew).await,
        Effect::Ask(question) => {
            let answer = crew.human.ask_person(Arc::new((**question).clone())).await;
            answer.map(Outcome::Answered)
        }
        Effect::Checkpoint(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Verify { .. }
        | Effect::Now => Some(now(&issued, &LeftBehind::default(), &crew)),
    };
    let outcome = outcome.map(|outcome| on_arrival(outcome, &crew));
    Done { issued, outcome, hold }
}

fn turn(issued: &Issued, task: &Task, prompt: String, crew: &Crew, times: u32) -> Turn {
    let mut task = task.clone();
    task.timeout = [task.timeout, issued.limit].into_iter().flatten().min();
    Turn {
        task,
        prompt,
        anew: None,
        root: crew.root.clone(),
        digest: issued.key.digest.to_string(),
        n: issued.key.n,
        lane: issued.key.lane.to_string(),
        token: crew.token.clone(),
        session: Session {
            // Whoever makes a name of it makes another one each time: a call that was cut off may have used it.
            choose: format!("{} {times}", crew.token),
            ..Session::default()
        },
        hooks: Vec::new(),
    }
}

/// Makes the text of a turn, and the text for an agent that cannot go on with the conversation, where it is another one.
fn prompts(task: &Task, given: &Given, crew: &Crew) -> Result<(String, Option<String>), String> {
    let prompt = (crew.prompt)(&with_context(task, &given.context))?;
    let anew = match given.earlier.is_empty() {
        true => None,
        false => Some((crew.prompt)(&with_context(task, &given.earlier))?),
    };
    Ok((prompt, anew))
}

/// Hands along what the hooks at the beginning of the conversation wrote. It is no part of the effect, so that the effect
/// is found in the journal whatever they write.
fn with_context<'t>(task: &'t Task, context: &str) -> Cow<'t, Task> {
    if context.is_empty() {
        return Cow::Borrowed(task);
    }
    let mut task = task.clone();
    let context = Value::Text(context.to_owned());
    task.params.push(("context of the session".to_owned(), context));
    Cow::Owned(task)
}

/// Masks secrets in what comes in, once: the machine, the journal and a replay see the same.
pub(super) fn on_arrival(outcome: Outcome, crew: &Crew) -> Outcome {
    match outcome {
        Outcome::Failed(Failure { kind, message }) => Outcome::Failed(Failure {
            kind,
            message: crew.secrets.masked_loosely(&message).into_owned(),
        }),
        Outcome::Contents {
            text: Some(text),
            sha256,
        } => match crew.secrets.masked(&text) {
            Cow::Borrowed(_) => Outcome::Contents {
                text: Some(text),
                sha256,
            },
            Cow::Owned(masked) => Outcome::Contents {
                sha256: Some(hash(text.as_bytes())),
                text: Some(masked),
            },
        },
        Outcome::Replied(_) | Outcome::Answered(_) | Outcome::Ran { .. } | Outcome::Verified { .. } => {
            masked(outcome, crew)
        }
        Outcome::Done
        | Outcome::Contents { text: None, .. }
        | Outcome::Listed { .. }
        | Outcome::Seen { .. }
        | Outcome::Written { .. }
        | Outcome::Time { .. } => outcome,
    }
}

/// Masks every text of an outcome, whatever its shape is.
fn masked(outcome: Outcome, crew: &Crew) -> Outcome {
    let Ok(json) = serde_json::to_string(&outcome) else {
        return outcome;
    };
    match crew.secrets.masked_json(&json) {
        Cow::Borrowed(_) => outcome,
        Cow::Owned(masked) => serde_json::from_str(&masked).unwrap_or_else(|error| {
            Outcome::Failed(Failure {
                kind: FailureKind::Malformed,
                message: format!("what came in holds a secret where none can be masked: {error}"),
            })
        }),
    }
}
