//! Somebody who answers whatever is asked with anything that fits, the same for the same seed.

use super::dice::Dice;
use super::words::NASTY;
use bmad::host::{Human, Wait};
use bmad::machine::{Answer, By, Question};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A person with moods.
pub(super) struct Person {
    seed: u64,
    asked: Mutex<HashMap<String, u32>>,
}

impl Person {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            asked: Mutex::default(),
        }
    }

    fn answer(&self, question: &Question) -> String {
        let mut asked = self.asked.lock().unwrap();
        let often = asked.entry(question.id.clone()).or_default();
        *often += 1;
        let mut dice = Dice::of(self.seed, &format!("{} {} {often}", question.id, question.text));
        let keys: Vec<&str> = question.choices.iter().map(|choice| choice.key.as_str()).collect();
        match keys.as_slice() {
            [] => match dice.below(4) {
                0 => String::new(),
                1 => "   ".to_owned(),
                2 => (*dice.pick(NASTY)).to_owned(),
                _ => "because it is so".to_owned(),
            },
            // Who goes on without a review, or stops at once, shows little: it happens, and not often.
            [first, ..] if dice.chance(60) => (*first).to_owned(),
            keys => (*dice.pick(keys)).to_owned(),
        }
    }
}

impl Human for Person {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        let text = self.answer(&question);
        Box::pin(std::future::ready(Some(Answer {
            text,
            by: By::Rehearsal,
        })))
    }
}
