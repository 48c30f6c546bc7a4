//! Two steps with one label in the same place.

use crate::diagnostic::{Code, Label, Severity};
use crate::graph::plain_label;
use crate::lint::facts::LabelledStep;
use crate::lint::{Check, FileUnit, Findings, Rule};
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: Code("duplicate-step"),
    severity: Severity::Warning,
    summary: "two steps have the same label, so a jump to it reaches only the first",
    page: include_str!("../../../spec/rules/duplicate-step.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for steps in &unit.facts.steps {
        siblings(steps, findings);
    }
}

fn siblings(steps: &[LabelledStep<'_>], findings: &mut Findings) {
    let mut namesakes: HashMap<String, Vec<&LabelledStep<'_>>> = HashMap::new();
    for step in steps {
        let before = namesakes.entry(plain_label(step.label)).or_default();
        let first = before.iter().copied().find(|earlier| !earlier.is_alternative(step));
        before.push(step);
        let Some(first) = first else { continue };
        let message = match first.label == step.label {
            true => format!("step `{}` is there twice", step.label),
            false => format!("step `{}` is step `{}` once more", step.label, first.label),
        };
        let found = findings.add(step.span, message);
        found.labels.push(Label {
            span: first.span,
            text: "a jump to it ends here, and never at the second".to_owned(),
        });
        let is_number = step.label.ends_with(|c: char| c.is_ascii_digit());
        let tail = if is_number { "a" } else { "-2" };
        found.help = Some(format!(
            "give one of them another label, such as `{}{tail}`",
            step.label
        ));
    }
}
