//! Steps whose numbers go down: document order runs, whatever the numbers say.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Origin, Step};

pub(super) const RULE: Rule = Rule {
    code: Code("step-order"),
    severity: Severity::Warning,
    summary: "a step is numbered lower than the step before it, but runs after it",
    page: include_str!("../../../spec/rules/step-order.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    scope(&unit.workflow.steps, findings);
    for protocol in &unit.workflow.protocols {
        scope(&protocol.steps, findings);
    }
}

fn scope(steps: &[Step], findings: &mut Findings) {
    let mut last: Option<(f64, &Step)> = None;
    for step in steps.iter().filter(|step| step.origin == Origin::Tag) {
        let Some(number) = number(&step.label) else {
            continue;
        };
        if let Some((before, earlier)) = last
            && number < before
        {
            let found = findings.add(
                step.label_span,
                format!("step `{}` is written after step `{}` and runs after it", step.label, earlier.label),
            );
            found.labels.push(Label { span: earlier.label_span, text: "runs first".to_owned() });
            found.help = Some("document order runs; move the step or renumber it so that both readings agree".to_owned());
        }
        last = Some((number, step));
    }
}

/// Reads `3`, `-1`, `0.5`, `2a` as numbers.
fn number(label: &str) -> Option<f64> {
    let digits = label.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let suffix = label[digits.len()..].bytes().next();
    let value: f64 = digits.parse().ok()?;
    Some(value + suffix.map_or(0.0, |letter| f64::from(letter - b'a' + 1) / 1000.0))
}
