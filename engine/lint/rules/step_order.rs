//! Steps whose numbers go down: document order runs, whatever the numbers say.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::facts::LabelledStep;
use crate::lint::{Check, FileUnit, Findings, Rule};

pub(super) const RULE: Rule = Rule {
    code: Code("step-order"),
    severity: Severity::Warning,
    summary: "a step is numbered lower than the step before it, but runs after it",
    page: include_str!("../../../spec/rules/step-order.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for steps in &unit.facts.steps {
        siblings(steps, findings);
    }
}

fn siblings(steps: &[LabelledStep<'_>], findings: &mut Findings) {
    let mut last: Option<(Number, &LabelledStep<'_>)> = None;
    for step in steps {
        let Some(number) = Number::read(step.label) else {
            continue;
        };
        if let Some((before, earlier)) = &last
            && number.is_below(before)
            && !earlier.is_alternative(step)
        {
            let found = findings.add(
                step.span,
                format!(
                    "step `{}` stands after step `{}` and runs after it",
                    step.label, earlier.label
                ),
            );
            found.labels.push(Label {
                span: earlier.span,
                text: "runs first".to_owned(),
            });
            found.help = Some("the order of the text is the order of the run; move the step or renumber it".to_owned());
        }
        last = Some((number, step));
    }
}

/// A label that counts: `3`, `-1`, `0.5`, `2a`, `3.10`.
struct Number {
    /// The parts between the dots, the first with its sign.
    parts: Vec<i64>,
    /// The value where the dot is read as a decimal point.
    value: f64,
    /// The letter behind it.
    letter: Option<char>,
}

impl Number {
    fn read(label: &str) -> Option<Self> {
        let digits = label.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let mut letters = label.get(digits.len()..)?.chars();
        let letter = letters.next().map(|letter| letter.to_ascii_lowercase());
        if letters.next().is_some() {
            return None;
        }
        let parts: Vec<i64> = digits.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let value = match parts.len() {
            1 | 2 => digits.parse().ok()?,
            _ => return None,
        };
        Some(Self { parts, value, letter })
    }

    /// Says whether it is lower, however the dot is read: `3.10` may follow `3.9`, and `0.25` may follow `0.5`.
    fn is_below(&self, other: &Number) -> bool {
        let by_parts = (&self.parts, self.letter) < (&other.parts, other.letter);
        by_parts && (self.value, self.letter) < (other.value, other.letter)
    }
}
