//! Questions in, random answers out, the same for the same seed: somebody who stands in for the person in a rehearsal.

use super::VALUES;
use super::dice::Dice;
use crate::host::{Human, Wait};
use crate::machine::{Answer, By, Question};
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

/// How often in a hundred times a question with choices gets an answer in free words, where it takes one.
const FREE: usize = 20;

/// Whoever answers in a rehearsal.
#[derive(Debug)]
pub struct Understudy {
    seed: u64,
    /// How often each question was asked, by its id.
    asked: Mutex<HashMap<String, u32>>,
}

impl Understudy {
    /// Makes one from a number.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            asked: Mutex::new(HashMap::new()),
        }
    }

    fn answer(&self, question: &Question) -> String {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(question.id.clone()).or_insert(0);
        let mut dice = Dice::of(self.seed, &question.id, *times);
        *times += 1;
        if let Some(exact) = &question.confirm {
            return exact.clone();
        }
        let free = question.choices.is_empty() || (question.open && dice.chance(FREE));
        match free {
            true => (*dice.pick(VALUES)).to_owned(),
            false => dice.pick(&question.choices).key.clone(),
        }
    }
}

impl Human for Understudy {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        // An answer is recorded as any other is: a choice by its key, words without white space around them.
        let answer = question.settle(&self.answer(&question)).ok().map(|text| Answer {
            text,
            by: By::Rehearsal,
        });
        Box::pin(ready(answer))
    }
}

#[cfg(test)]
mod tests {
    use super::Understudy;
    use crate::machine::{Choice, Question};
    use std::collections::BTreeSet;

    fn question(open: bool) -> Question {
        let choice = |key: &str| Choice {
            key: key.to_owned(),
            ..Choice::default()
        };
        Question {
            id: "1-ab".to_owned(),
            choices: ["a", "b", "c"].map(choice).into(),
            open,
            ..Question::default()
        }
    }

    fn answers(seed: u64, question: &Question) -> Vec<String> {
        let understudy = Understudy::new(seed);
        (0..100).map(|_| understudy.answer(question)).collect()
    }

    #[test]
    fn the_same_seed_answers_the_same() {
        assert_eq!(answers(1, &question(true)), answers(1, &question(true)));
        assert_ne!(answers(1, &question(true)), answers(2, &question(true)));
    }

    #[test]
    fn every_choice_is_taken_and_nothing_else_where_nothing_else_will_do() {
        let given: BTreeSet<String> = answers(3, &question(false)).into_iter().collect();
        assert_eq!(given, ["a", "b", "c"].map(str::to_owned).into());
        let given: BTreeSet<String> = answers(3, &question(true)).into_iter().collect();
        assert!(given.len() > 3, "{given:?}");
    }

    #[test]
    fn exact_words_are_given_exactly() {
        let question = Question {
            confirm: Some("SKIP VALIDATION".to_owned()),
            ..question(false)
        };
        assert!(answers(1, &question).iter().all(|answer| answer == "SKIP VALIDATION"));
    }
}
