//! Calls that failed and are left out: what has to be typed for that, and what is noted.

use super::call::Child;
use super::effect::Effect;
use super::lane::Stage;
use super::question::{Asker, Question};
use super::walk::{Flow, Walk};
use crate::builtins::Value;

/// What has to be typed to go on without a call that checks something.
const SKIP: &str = "SKIP VALIDATION";

/// How the words begin that name a check.
const CHECKS: &[&str] = &["check", "review", "valid", "verif", "audit", "adversarial"];

impl<'p> Walk<'_, 'p> {
    /// Goes on without a call: with typed words where it is one of a tag, or a check, else right away.
    pub(super) fn go_on_without(&mut self, child: Child) -> Flow<'p> {
        let is_check = child.stack.last().is_some_and(|name| names_check(name));
        if self.invoked().is_none() && !is_check {
            let gap = format!("NOT DONE: {} ({})", child.stack.join(" → "), child.failure.message);
            self.tally.gaps.push(gap);
            return Flow::Next;
        }
        let text = format!("To go on without it, type {SKIP}. What it would have checked stays unchecked.");
        let question = Question {
            confirm: Some(SKIP.to_owned()),
            open: false,
            origin: Asker::Engine,
            ..self.question(&text)
        };
        let child = Child {
            question: question.clone(),
            ..child
        };
        Flow::Wait(Effect::Ask(Box::new(question)), Stage::Child(Box::new(child)))
    }

    pub(super) fn child_skipped(&mut self, child: Child, answer: &str) -> Flow<'p> {
        if child.question.settle(answer).is_err() {
            return self.ask_about(child.failure, child.stack, String::new(), child.inside);
        }
        let gap = format!("UNVALIDATED: {} ({})", child.stack.join(" → "), child.failure.message);
        self.tally.gaps.push(gap);
        let result = [
            ("verdict", Value::Text("SKIPPED".to_owned())),
            ("error", Value::Text(child.failure.message)),
        ];
        let result = result.map(|(name, value)| (name.to_owned(), value));
        if let Some(into) = self.invoked().and_then(|invoke| invoke.into.as_ref()) {
            self.bind(&into.text, Value::Map(result.into()));
        }
        let frame = self.frame_mut();
        frame.variables.insert("unvalidated".to_owned(), Value::Bool(true));
        let name = |place: &String| place.split(" (step ").next().unwrap_or_default().to_owned();
        frame.unvalidated.extend(child.stack.last().map(name));
        Flow::Next
    }
}

/// Says whether the name or the path of what is called speaks of a check.
fn names_check(name: &str) -> bool {
    let begins = |word: &str, start: &str| {
        word.get(..start.len())
            .is_some_and(|said| said.eq_ignore_ascii_case(start))
    };
    let name = name.rsplit('/').next().unwrap_or(name);
    let mut words = name.split(|at: char| !at.is_alphanumeric());
    words.any(|word| CHECKS.iter().any(|start| begins(word, start)))
}

#[cfg(test)]
mod tests {
    use super::names_check;

    #[test]
    fn a_check_is_told_by_its_name() {
        for name in [
            "bmad-code-review",
            "./tasks/review-loop.xml",
            "steps/step-03-Validate.md",
            "Checklist",
        ] {
            assert!(names_check(name), "{name}");
        }
        for name in [
            "steps/step-01-init.md",
            "review/step-02-plan.md",
            "party-mode",
            "preview",
        ] {
            assert!(!names_check(name), "{name}");
        }
    }
}
