//! The agent that needs no account: does what needs no model for real, and says of the rest that it was not done.
//!
//! It never pretends. What it cannot know it asks the person; what it cannot write gets a marked placeholder.

mod act;
mod check;
mod claim;
mod errand;
mod finding;
mod fix;
mod grid;
mod ground;
mod judge;
mod label;
mod order;
mod page;
mod program;
mod review;
mod token;

use super::process::passed;
use super::{DriverError, Options, failed};
use crate::builtins::Value;
use crate::host::{Call, Driver, Reply, Turn, Wait, Workspace};
use crate::machine::{Acknowledged, Asked, Envelope, Failure, FailureKind, Judgement, Status, Task, section};
pub(super) use act::allows;
use act::{Bench, Yield};
use errand::Errand;
use ground::Ground;
use order::{Act, acts};
use review::{Reviewed, review};
use std::sync::Arc;

const NEEDS_MODEL: &str = "needs a model";

/// The built-in agent.
pub struct Offline {
    workspace: Arc<dyn Workspace>,
    allowed: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Offline {
    /// Makes the driver; it takes no argument.
    pub(super) fn from_options(argument: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        if !argument.is_empty() {
            return Err(DriverError::argument("offline", "it takes nothing after its name"));
        }
        Ok(Box::new(Self {
            workspace: Arc::clone(&options.workspace),
            allowed: options.allowed.clone(),
            environment: passed(&options.environment, |_| false),
        }))
    }

    async fn turn(&self, turn: &Turn) -> Result<Reply, Failure> {
        let task = &turn.task;
        if task.only_judges() {
            return Err(failed(FailureKind::Denied, "to judge this needs a person or a model"));
        }
        let ground = Ground::new(&*self.workspace, &turn.root);
        let errand = Errand::of(task, &ground).map_err(|why| failed(FailureKind::Files, why))?;
        if !task.prompt.is_empty() && errand.is_none() {
            return Err(failed(FailureKind::Denied, format!("this prompt {NEEDS_MODEL}")));
        }
        let plans: Vec<Option<Vec<Act>>> = task.instructions.iter().map(|order| acts(&order.text)).collect();
        let asks = questions(task, &plans);
        let mut made = Made::default();
        if !asks.is_empty() {
            // Nothing is done before the answers are there: the turn comes again, and no command runs twice.
            made.envelope.asks = asks;
            return Ok(made.reply());
        }
        if let Some(errand) = errand {
            made.go(task, &ground, &errand)?;
        }
        let bench = Bench {
            turn,
            ground,
            allowed: &self.allowed,
            environment: &self.environment,
        };
        for (order, plan) in task.instructions.iter().zip(&plans) {
            let came = match plan {
                Some(acts) => bench.carry_out(acts).await,
                None => Yield {
                    short: Some((Status::Gap, NEEDS_MODEL.to_owned())),
                    ..Yield::default()
                },
            };
            made.add(order.n, order.optional, came);
        }
        made.give_answers(task);
        made.give_placeholders(task);
        Ok(made.reply())
    }
}

impl Driver for Offline {
    fn name(&self) -> &str {
        "offline"
    }

    fn works_on_files(&self) -> bool {
        // What it writes itself is the same when it is written again; what a command does is not known.
        !self.allowed.is_empty()
    }

    fn counts(&self) -> bool {
        false
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move { self.turn(&turn).await.into() })
    }
}

/// Returns what only a person can say: values that no act gives, and conditions.
fn questions(task: &Task, plans: &[Option<Vec<Act>>]) -> Vec<Asked> {
    let given = |name: &String| {
        plans
            .iter()
            .flatten()
            .flatten()
            .any(|act| gives(act) == Some(name.as_str()))
    };
    let values = task.wanted.variables.iter().filter(|name| !given(name));
    let values = values.map(|name| Asked {
        question: value_question(name),
        options: Vec::new(),
    });
    let conditions = task.conditions.iter().map(|condition| Asked {
        question: condition_question(condition),
        options: vec!["yes".to_owned(), "no".to_owned()],
    });
    let is_open = |asked: &Asked| answer(task, &asked.question).is_none();
    values.chain(conditions).filter(is_open).collect()
}

fn gives(act: &Act) -> Option<&str> {
    match act {
        Act::Read { into, .. } | Act::List { into, .. } => into.as_deref(),
        Act::Set { name, .. } => Some(name),
        Act::Write { .. } | Act::Run { .. } | Act::Review { .. } => None,
    }
}

fn value_question(name: &str) -> String {
    format!("What is the value of `{name}`?")
}

fn condition_question(condition: &str) -> String {
    format!("Does this hold: {condition}")
}

fn answer<'t>(task: &'t Task, question: &str) -> Option<&'t str> {
    let mut pairs = task.answered.iter().rev();
    pairs
        .find(|(asked, _)| asked == question)
        .map(|(_, answer)| answer.as_str())
}

/// A reply in the making.
#[derive(Default)]
struct Made {
    envelope: Envelope,
    remarks: Vec<String>,
}

impl Made {
    /// Does the work with a document that a turn asks for.
    fn go(&mut self, task: &Task, ground: &Ground<'_>, errand: &Errand) -> Result<(), Failure> {
        let unread = |why: String| failed(FailureKind::Files, why);
        let agent = task.agent.as_deref().unwrap_or("offline");
        self.give("agent", Value::from(agent));
        match errand {
            Errand::Review(paths) => {
                let checks = review::wanted(task).map_err(|why| failed(FailureKind::Denied, why))?;
                let mut all = Vec::new();
                for path in paths {
                    all.push(review(path, ground, checks.as_deref()).map_err(unread)?);
                }
                self.give("lenses", review::lenses(&all));
                self.give("consulted", Value::List(Vec::new()));
                self.add_reviews(all);
            }
            Errand::Judge(paths, statements) => {
                let judged = judge::judge(paths, ground, statements).map_err(unread)?;
                self.give("verdicts", judged.verdicts);
                self.remarks.push(judged.text);
            }
            Errand::Fix(paths, findings) => {
                let fixed = fix::fix(paths, ground, findings).map_err(unread)?;
                self.give("fixes", fixed.fixes);
                self.give("edits", fixed.edits);
                self.give("patterns", Value::List(Vec::new()));
                self.remarks.push(fixed.text);
            }
            Errand::Talk => {
                // What the reviewer says is not said twice: an empty list here means that nobody looked.
                self.give("lenses", Value::List(Vec::new()));
                self.give("consulted", Value::List(Vec::new()));
                self.remarks
                    .push(format!("{agent} looked at nothing: this {NEEDS_MODEL}"));
            }
        }
        Ok(())
    }

    fn give(&mut self, name: &str, value: Value) {
        self.envelope.fields.push((name.to_owned(), value));
    }

    fn add_reviews(&mut self, all: Vec<Reviewed>) {
        if all.is_empty() {
            return;
        }
        self.give("checks", review::counts(&all));
        for reviewed in all {
            self.remarks.push(reviewed.summary());
            self.envelope.findings.extend(reviewed.findings);
        }
    }

    fn add(&mut self, n: u32, optional: bool, came: Yield) {
        let (status, why) = match came.short {
            None => (Status::Done, String::new()),
            Some((Status::Blocked, why)) if optional => (Status::Skipped, why),
            Some(short) => short,
        };
        self.envelope.instructions.push(Acknowledged {
            n,
            status,
            why,
            evidence: came.evidence,
        });
        self.envelope.variables.extend(came.variables);
        self.envelope.files.extend(came.files);
        self.add_reviews(came.reviews);
    }

    /// Hands on what the person said.
    fn give_answers(&mut self, task: &Task) {
        for name in &task.wanted.variables {
            let known = self.envelope.variables.iter().any(|(given, _)| given == name);
            if let Some(answer) = answer(task, &value_question(name)).filter(|_| !known) {
                self.envelope.variables.push((name.clone(), Value::from(answer)));
            }
        }
        for (n, condition) in (1u32..).zip(&task.conditions) {
            if let Some(answer) = answer(task, &condition_question(condition)) {
                self.envelope.judgements.push(Judgement {
                    n,
                    holds: is_yes(answer),
                    evidence: format!("the person answered: {answer}"),
                });
            }
        }
    }

    fn give_placeholders(&mut self, task: &Task) {
        for name in &task.wanted.sections {
            let text = Value::Text(placeholder(name));
            self.envelope.sections.push((name.clone(), text));
        }
        if !task.wanted.sections.is_empty() {
            let names = task.wanted.sections.join(", ");
            self.remarks.push(format!("Not written yet: {names}."));
        }
        for name in task
            .wanted
            .fields
            .iter()
            .filter(|name| !matches!(name.as_str(), "findings" | "text"))
        {
            let known = self.envelope.fields.iter().any(|(given, _)| given == name);
            if !known {
                self.envelope.fields.push((name.clone(), Value::Nothing));
            }
        }
        if self.envelope.findings.is_empty() && task.wanted.fields.iter().any(|name| name == "findings") {
            self.envelope.found_nothing();
        }
    }

    fn reply(mut self) -> Reply {
        self.envelope.text = self.remarks.join("\n");
        Reply {
            envelope: self.envelope,
            raw: String::new(),
        }
    }
}

/// Makes a section that says of itself that it is not written.
fn placeholder(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let mark = section::gap(name);
    format!(
        "{mark}\n> Not written yet: needs an agent. Section: {}\n",
        words.join(" ")
    )
}

fn is_yes(answer: &str) -> bool {
    let word = answer.trim().to_lowercase();
    matches!(word.as_str(), "yes" | "y" | "true" | "1" | "ja" | "oui" | "si" | "sí")
}
