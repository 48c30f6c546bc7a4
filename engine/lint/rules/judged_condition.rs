//! Conditions that a model has to judge although an expression would do.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Condition, Decider, visit};

pub(super) const RULE: Rule = Rule {
    code: Code("judged-condition"),
    severity: Severity::Hint,
    summary: "a condition is prose that a model must judge",
    page: include_str!("../../../spec/rules/judged-condition.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for step in unit.workflow.all_steps() {
        if let Some(condition) = &step.condition {
            judge(condition, findings);
        }
        visit(&step.body, &mut |instruction| {
            if let Some(condition) = &instruction.condition {
                judge(condition, findings);
            }
        });
    }
}

fn judge(condition: &Condition, findings: &mut Findings) {
    if condition.decider() != Decider::Judged {
        return;
    }
    let found = findings.add(condition.span, "a model decides this condition each time".to_owned());
    found.help = Some(match condition.suggestion() {
        Some(expression) => format!("the engine could decide `{expression}` by itself"),
        None => "where a step can set a variable, test the variable instead: `{ready} == true`".to_owned(),
    });
}
