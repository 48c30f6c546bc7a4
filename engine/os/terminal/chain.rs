//! Questions in, answers out: from the answers file, then the policy, then a person, else from nobody.

use super::{Person, Said};
use crate::host::{Human, Wait};
use crate::machine::{Answer, By, Question};
use crate::policy::{Answers, Given, Policy};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tells the person what is wrong with the answers they gave.
pub type Complain = Arc<dyn Fn(String) + Send + Sync>;

/// All who may answer, in order.
///
/// Whoever answers, the journal holds the same answer; only who gave it differs.
pub struct Chain {
    answers: Mutex<Answers>,
    policy: Policy,
    person: Option<Box<dyn Person>>,
    complain: Complain,
    /// One question at a time: branches that run side by side share one person.
    turn: tokio::sync::Mutex<()>,
    interrupted: AtomicBool,
    /// Questions whose answer in the file will not do, by their ids.
    refused: Mutex<Vec<String>>,
}

impl Chain {
    /// Makes a chain; without an answers file `answers` is empty, without a person `person` is none.
    pub fn new(answers: Answers, policy: Policy, person: Option<Box<dyn Person>>, complain: Complain) -> Chain {
        Chain {
            answers: Mutex::new(answers),
            policy,
            person,
            complain,
            turn: tokio::sync::Mutex::new(()),
            interrupted: AtomicBool::new(false),
            refused: Mutex::default(),
        }
    }

    /// Writes an answers file for the questions that are open.
    pub fn blank(&self, open: &[Question]) -> String {
        self.answers().blank(open)
    }

    /// The same where it takes the place of another, which has this path and this text.
    pub fn renewed(&self, path: &str, text: &str, open: &[Question]) -> String {
        self.answers().renewed(path, text, open)
    }

    /// Lists the keys of the answers files that no question had, each with its file and its line.
    pub fn unused(&self) -> Vec<(String, u32, String)> {
        let answers = self.answers();
        let unused = answers.unused().into_iter();
        unused
            .map(|each| (each.path.to_owned(), each.line, each.key.to_owned()))
            .collect()
    }

    /// Asks for words; nothing where nobody gives them.
    pub fn words(self: Arc<Self>, question: Question) -> Wait<'static, Option<String>> {
        Box::pin(async move { self.answer(Arc::new(question)).await.map(|answer| answer.text) })
    }

    async fn answer(&self, question: Arc<Question>) -> Option<Answer> {
        match self.known(&question) {
            Some(answer) => Some(answer),
            None => self.by_person(question).await,
        }
    }

    /// Answers from the file or by the policy.
    fn known(&self, question: &Question) -> Option<Answer> {
        let given = self.answers().take(question);
        if let Some(given) = given {
            let answer = self.check(question, &given);
            if answer.is_none() {
                self.refused().push(question.key());
            }
            return answer;
        }
        let key = self.policy.decide(question)?;
        let text = question.settle(&key).ok()?;
        let by = By::Policy;
        Some(Answer { text, by })
    }

    /// Asks the person, unless the file has an answer that will not do: that one is to be put right.
    async fn by_person(&self, question: Arc<Question>) -> Option<Answer> {
        let is_refused = {
            let (mut refused, key) = (self.refused(), question.key());
            let found = refused.iter().position(|it| *it == key);
            found.map(|at| refused.remove(at)).is_some()
        };
        if is_refused {
            return None;
        }
        let person = self.person.as_ref()?;
        let _turn = self.turn.lock().await;
        // Where the person stopped the run the branches beside it ask nothing more.
        if self.interrupted() {
            return None;
        }
        match person.ask(question).await {
            Said::Answer(text) => Some(Answer { text, by: By::Terminal }),
            Said::Nobody => None,
            Said::Interrupted => {
                self.interrupted.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// Takes an answer of the file, or tells why it cannot be one.
    fn check(&self, question: &Question, given: &Given) -> Option<Answer> {
        match question.settle(&given.text) {
            Ok(text) => Some(Answer { text, by: By::File }),
            Err(why) => {
                (self.complain)(refusal(question, given, &why));
                None
            }
        }
    }

    fn refused(&self) -> MutexGuard<'_, Vec<String>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Human for Chain {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        Box::pin(self.answer(question))
    }

    fn settle(&self, question: &Question) -> Option<Answer> {
        self.known(question)
    }

    fn ask_person(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        Box::pin(self.by_person(question))
    }

    fn replayed(&self, question: &Question) {
        self.answers().skip(question);
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

fn refusal(question: &Question, given: &Given, why: &str) -> String {
    let named = |choice: &crate::machine::Choice| match choice.label.as_str() {
        "" => format!("`{}`", choice.key),
        label => format!("`{}` ({label})", choice.key),
    };
    let choices: Vec<String> = question.choices.iter().map(named).collect();
    let offer = match choices.as_slice() {
        [] => String::new(),
        choices => format!("; write {}", choices.join(" or ")),
    };
    let (id, path, line) = (question.key(), &given.path, given.line);
    format!("{path}:{line}: the answer to `{id}` does not fit: {why}{offer}")
}

#[cfg(test)]
mod tests;
