//! Questions and commands in, random answers and ends out, the same for the same seed: somebody who stands in for the
//! person, and for the shell, in a rehearsal.

use super::VALUES;
use super::dice::Dice;
use crate::host::{CommandEnd, CommandLine, Commands, Human, Ran, Wait};
use crate::machine::{Answer, By, Question};
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

/// How often in a hundred times a question with choices gets an answer in free words, where it takes one.
const FREE: usize = 20;

/// How often in a hundred times a command does what it is to do, and how often it takes too long.
const WORKS: usize = 60;
const LATE: usize = 10;

/// Whoever answers in a rehearsal, and runs no command.
#[derive(Debug)]
pub struct Understudy {
    seed: u64,
    /// How often each question was asked, by its id, and each command run, by its text.
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

    /// Takes the dice for something that may come again.
    fn dice(&self, what: &str) -> Dice {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(what.to_owned()).or_insert(0);
        let dice = Dice::of(self.seed, what, *times);
        *times += 1;
        dice
    }

    fn answer(&self, question: &Question) -> String {
        let mut dice = self.dice(&question.id);
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

impl Commands for Understudy {
    fn run(&self, line: Arc<CommandLine>) -> Wait<'_, Ran> {
        let mut dice = self.dice(&format!("run {}", line.text));
        let end = match dice.below(100) {
            0..WORKS => CommandEnd::Exit(0),
            at if at < WORKS + LATE => CommandEnd::Late,
            _ => CommandEnd::Exit(1),
        };
        let out = (*dice.pick(VALUES)).to_owned();
        let size = out.len() as u64;
        let err = String::new();
        Box::pin(ready(Ran { end, out, err, size }))
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
    use crate::host::{CommandEnd, CommandLine, Commands as _};
    use crate::machine::{Choice, Question};
    use std::collections::BTreeSet;
    use std::sync::Arc;

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
    fn a_command_ends_in_every_way_and_the_same_for_the_same_seed() {
        let ends = |seed| -> Vec<CommandEnd> {
            let understudy = Understudy::new(seed);
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let line = Arc::new(CommandLine {
                text: "exit 7".to_owned(),
                ..CommandLine::default()
            });
            let each = (0..100).map(|_| runtime.block_on(understudy.run(Arc::clone(&line))).end);
            each.collect()
        };
        assert_eq!(ends(1), ends(1));
        assert_ne!(ends(1), ends(2));
        let all = [CommandEnd::Exit(0), CommandEnd::Late, CommandEnd::Exit(1)];
        assert!(all.iter().all(|end| ends(1).contains(end)) && !ends(1).contains(&CommandEnd::Exit(7)));
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
