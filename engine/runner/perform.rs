//! One effect to one outcome.

use super::files;
use super::hooks::Given;
use super::projection;
use super::run::Crew;
use crate::builtins::Value;
use crate::host::{Session, Turn};
use crate::machine::{Effect, Failure, FailureKind, Issued, Outcome, Task};
use std::borrow::Cow;
use std::sync::Arc;

/// An effect that was waited for; without an outcome nobody was there to answer.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) issued: Issued,
    pub(super) outcome: Option<Outcome>,
}

/// Says whether somebody else has to do something first.
pub(super) fn takes_time(effect: &Effect) -> bool {
    matches!(effect, Effect::Dispatch(_) | Effect::Judge(_) | Effect::Ask(_))
}

/// What can be looked at again is on the disk with the next line that has to be, and turns before anything else begins.
pub(super) fn is_kept_at_once(effect: &Effect) -> bool {
    match effect {
        Effect::Checkpoint(_) | Effect::Ask(_) | Effect::Write(_) => true,
        Effect::Dispatch(_)
        | Effect::Judge(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Verify { .. }
        | Effect::Now => false,
    }
}

/// Performs an effect that takes no time.
pub(super) fn now(issued: &Issued, crew: &Crew) -> Outcome {
    match &issued.effect {
        Effect::Now => Outcome::Time { at: crew.clock.now() },
        Effect::Show { .. } => Outcome::Done,
        Effect::Checkpoint(checkpoint) => projection::checkpoint(checkpoint, &issued.key, crew),
        Effect::Read { path } => files::read(path, crew),
        Effect::List { pattern } => files::list(pattern, crew),
        Effect::Look { path } => Outcome::Seen {
            there: crew.workspace.exists(&crew.root.join(path)),
        },
        Effect::Write(write) => files::write(write, &issued.key, crew),
        Effect::Verify { claims } => files::verify(claims, crew),
        Effect::Dispatch(_) | Effect::Judge(_) | Effect::Ask(_) => Outcome::Done,
    }
}

/// Performs an effect that is waited for.
pub(super) async fn later(issued: Issued, crew: Crew, given: Given) -> Done {
    let outcome = match &issued.effect {
        Effect::Dispatch(task) | Effect::Judge(task) => match (crew.prompt)(&with_context(task, &given)) {
            Err(why) => Some(Outcome::Failed(Failure {
                kind: FailureKind::Malformed,
                message: why,
            })),
            Ok(prompt) => {
                let mut task = (**task).clone();
                task.timeout = [task.timeout, issued.limit].into_iter().flatten().min();
                let turn = Turn {
                    task,
                    prompt,
                    root: crew.root.clone(),
                    digest: issued.key.digest.clone(),
                    n: issued.key.n,
                    token: crew.token.clone(),
                    session: Session::default(),
                    hooks: given.inside,
                };
                let call = crew.driver.perform(Arc::new(turn)).await;
                Some(match call.result {
                    Ok(reply) => Outcome::Replied(Box::new(reply.envelope)),
                    Err(failure) => Outcome::Failed(failure),
                })
            }
        },
        Effect::Ask(question) => {
            let answer = crew.human.ask(Arc::new((**question).clone())).await;
            answer.map(Outcome::Answered)
        }
        Effect::Checkpoint(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Verify { .. }
        | Effect::Now => Some(now(&issued, &crew)),
    };
    Done { issued, outcome }
}

/// Hands along what the hooks at the beginning of the conversation wrote. It is no part of the effect, so that the effect
/// is found in the journal whatever they write.
fn with_context<'t>(task: &'t Task, given: &Given) -> Cow<'t, Task> {
    if given.context.is_empty() {
        return Cow::Borrowed(task);
    }
    let mut task = task.clone();
    let context = Value::Text(given.context.clone());
    task.params.push(("context of the session".to_owned(), context));
    Cow::Owned(task)
}

/// Waits until somebody interrupts the program; without signals, for ever.
pub(super) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
