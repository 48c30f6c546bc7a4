//! An agent of the test's own: it replies at random, the same for the same seed, and writes down what it was asked.

use super::dice::Dice;
use super::fixer::Fixer;
use super::reviewer::Reader;
use super::watched::Watched;
use super::words::NASTY;
use bmad::builtins::Value;
use bmad::drivers::reply;
use bmad::host::{Call, Driver, Reply, Turn, Wait};
use bmad::machine::{Failure, FailureKind, Task};
use serde_json::json;
use std::sync::{Arc, Mutex};

const FAILURES: &[FailureKind] = &[
    FailureKind::Crashed,
    FailureKind::Timeout,
    FailureKind::Malformed,
    FailureKind::Denied,
    FailureKind::Files,
    FailureKind::Escapes,
    FailureKind::Limit,
    FailureKind::Missing,
    FailureKind::RateLimited,
    FailureKind::Overloaded,
    FailureKind::Auth,
    FailureKind::Stuck,
    FailureKind::TooLong,
    FailureKind::Refused,
];

/// Texts that are no reply, or one without a field.
const BROKEN: &[&str] = &[
    "",
    "All done.",
    "```json\n{\"findings\": [\n",
    "[1, 2]",
    "{}",
    "{\"findings\": \"none\"}",
    "{\"findings\": 3, \"fixes\": null}",
];

/// What an agent is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Review,
    Fix,
    Judge,
}

/// One call, as it was asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) work: Work,
    pub(super) who: String,
    pub(super) round: usize,
    pub(super) iteration: usize,
    /// The findings that a fixer was given, or the statements to judge.
    pub(super) ids: Vec<String>,
    /// Whether it was asked for the first time, and not again after a failure or a question.
    pub(super) first: bool,
}

/// What was seen during a run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) asked: Vec<Asked>,
    /// The marks of the reports in replies that were taken.
    pub(super) marks: Vec<String>,
    busy: usize,
    pub(super) fixers_at_once: usize,
}

/// The agent.
pub(super) struct Agent {
    pub(super) seed: u64,
    /// How many times in a hundred it does its work well.
    pub(super) luck: usize,
    /// How many findings the first reviewer of a round reports, where that is many.
    pub(super) flood: usize,
    pub(super) paths: Vec<String>,
    pub(super) workspace: Arc<Watched>,
    pub(super) seen: Mutex<Seen>,
}

impl Driver for Agent {
    fn name(&self) -> &'static str {
        "chaos"
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move {
            let asked = asked(&turn.task);
            let fixes = asked.work == Work::Fix;
            {
                let mut seen = self.seen.lock().unwrap();
                seen.asked.push(asked.clone());
                seen.busy += usize::from(fixes);
                seen.fixers_at_once = seen.fixers_at_once.max(seen.busy);
            }
            let mut dice = Dice::of(self.seed, &format!("{} {}", turn.digest, turn.n));
            // Who was asked first is not always the first to answer.
            for _ in 0..dice.below(4) {
                tokio::task::yield_now().await;
            }
            let result = self.reply(&turn.task, &asked, dice);
            self.seen.lock().unwrap().busy -= usize::from(fixes);
            result.into()
        })
    }
}

impl Agent {
    fn reply(&self, task: &Task, asked: &Asked, mut dice: Dice) -> Result<Reply, Failure> {
        let bad = 100 - self.luck;
        if dice.chance(1 + bad / 8) {
            let kind = *dice.pick(FAILURES);
            let message = format!("{}: {}", kind.name(), dice.pick(NASTY));
            return Err(Failure { kind, message });
        }
        if dice.chance(1 + bad / 20) {
            return reply::read(dice.pick(BROKEN).as_bytes());
        }
        if dice.chance(2) {
            return reply::read(
                json!({"asks": [{"question": dice.pick(NASTY), "options": ["a", "b"]}]})
                    .to_string()
                    .as_bytes(),
            );
        }
        let (json, marks) = match asked.work {
            Work::Fix => (self.fix(task, dice), Vec::new()),
            Work::Judge | Work::Review => self.read(asked, dice),
        };
        let read = reply::read(format!("Here it is.\n\n```json\n{json}\n```\n").as_bytes())?;
        self.seen.lock().unwrap().marks.extend(marks);
        Ok(read)
    }

    fn fix(&self, task: &Task, dice: Dice) -> serde_json::Value {
        let given = items(task, "findings").into_iter().map(|finding| {
            let place = finding.get("place").cloned().unwrap_or_default();
            let part = |name: &str| place.get(name).map(Value::to_string).unwrap_or_default();
            [finding.get("id").unwrap().to_string(), part("file"), part("quote")]
        });
        Fixer {
            luck: self.luck,
            given: given.collect(),
            dice,
        }
        .reply()
    }

    fn read(&self, asked: &Asked, dice: Dice) -> (serde_json::Value, Vec<String>) {
        let documents: Vec<(String, String)> = self
            .paths
            .iter()
            .map(|path| (path.clone(), self.workspace.text(path)))
            .collect();
        let mut reader = Reader {
            dice,
            luck: self.luck,
            documents: &documents,
            mark: format!("seen-{}-{}", asked.who, self.seen.lock().unwrap().asked.len()),
            marks: Vec::new(),
        };
        if asked.work == Work::Judge {
            let more = reader.dice.pick(&[json!([]), json!([{"claim": "one more"}])]).clone();
            return (
                json!({"verdicts": reader.verdicts(&asked.ids), "findings": more}),
                Vec::new(),
            );
        }
        let is_flood = self.flood > 0 && asked.who == "adversarial-reviewer";
        // Good reviewers find less each time.
        let most = if reader.dice.chance(self.luck) {
            12 / (asked.round * asked.round).max(1)
        } else {
            12
        };
        let count = if is_flood {
            self.flood
        } else {
            reader.dice.below(most + 1)
        };
        let reports = reader.reports(count);
        let consensus = *reader.dice.pick(&["full", "partial", "none", "purple"]);
        let json = match reader.dice.below(20) {
            0 => return (json!({"text": "I found a lot."}), Vec::new()),
            1 => json!({"fields": {"findings": {"findings": reports}}}),
            2 => {
                json!({"fields": {"findings": serde_json::to_string(&reports).unwrap()}, "agent": "somebody", "status": "failed"})
            }
            3 => json!({"findings": reports, "status": "failed", "agent": ["x"], "consensus": {"a": 1}}),
            _ => json!({"findings": reports, "lenses": ["gap"], "consensus": consensus}),
        };
        (json, reader.marks)
    }
}

/// Reads from a task what is asked.
fn asked(task: &Task) -> Asked {
    let who = task.agent.clone().unwrap();
    let work = match who.as_str() {
        "issue-fixer" => Work::Fix,
        _ if task.prompt.starts_with("Judge again") => Work::Judge,
        _ => Work::Review,
    };
    let (list, name) = if work == Work::Fix {
        ("findings", "id")
    } else {
        ("statements", "finding")
    };
    let ids = items(task, list)
        .iter()
        .map(|item| item.get(name).unwrap().to_string())
        .collect();
    Asked {
        work,
        who,
        round: number_after(
            &task.prompt,
            if work == Work::Fix {
                "of round "
            } else {
                "This is round "
            },
        ),
        iteration: number_after(&task.prompt, "This is fix iteration "),
        ids,
        first: task.attempt < 2 && task.answered.is_empty(),
    }
}

fn items(task: &Task, name: &str) -> Vec<Value> {
    match task.params.iter().find(|(own, _)| own == name) {
        Some((_, Value::List(items))) => items.clone(),
        _ => Vec::new(),
    }
}

/// Returns the number that stands last after these words; 0 where there is none.
fn number_after(text: &str, words: &str) -> usize {
    let Some((_, after)) = text.rsplit_once(words) else {
        return 0;
    };
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}
