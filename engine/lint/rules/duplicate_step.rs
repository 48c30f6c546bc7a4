//! Two steps with one label in the same scope.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Origin, Step};
use crate::source::Span;
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: Code("duplicate-step"),
    severity: Severity::Warning,
    summary: "two steps have the same label, so a jump to it reaches only the first",
    page: include_str!("../../../spec/rules/duplicate-step.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    scope(&unit.workflow.steps, findings);
    for protocol in &unit.workflow.protocols {
        scope(&protocol.steps, findings);
    }
}

fn scope(steps: &[Step], findings: &mut Findings) {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for step in steps.iter().filter(|step| step.origin == Origin::Tag) {
        let Some(first) = seen.insert(&step.label, step.label_span) else {
            continue;
        };
        seen.insert(&step.label, first);
        let found = findings.add(step.label_span, format!("step `{}` is defined twice", step.label));
        found.labels.push(Label { span: first, text: "first defined here".to_owned() });
        found.help = Some("give one of them another label; labels are text, `4a` is fine".to_owned());
    }
}
