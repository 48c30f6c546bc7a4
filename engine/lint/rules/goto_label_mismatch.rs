//! Jumps whose own words name another step than the one they lead to.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, Step, Target, visit};
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("goto-label-mismatch"),
    severity: Severity::Warning,
    summary: "a jump says one thing and leads to a step about another",
    page: include_str!("../../../spec/rules/goto-label-mismatch.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let steps = &unit.workflow.steps;
    for step in steps {
        visit(&step.body, &mut |instruction| {
            let Act::Goto { target: Target::Step(label), says: Some(says) } = &instruction.act else {
                return;
            };
            let Some(target) = steps.iter().find(|step| step.label == label.text) else {
                return;
            };
            let Some(meant) = meant(&says.text, target, steps) else {
                return;
            };
            findings
                .add(
                    label.span,
                    format!("the jump says `{}`, but step `{}` is `{}`", says.text, target.label, target.goal),
                )
                .help = Some(format!("did you mean step `{}`, `{}`?", meant.label, meant.goal));
        });
    }
}

/// Finds a step that shares words with what the jump says, where its target shares none.
fn meant<'a>(says: &str, target: &Step, steps: &'a [Step]) -> Option<&'a Step> {
    let said = stems(says);
    if said.is_empty() || !said.is_disjoint(&stems(&target.goal)) || target.goal.is_empty() {
        return None;
    }
    steps
        .iter()
        .filter(|step| step.label != target.label)
        .map(|step| (stems(&step.goal).intersection(&said).count(), step))
        .filter(|(shared, _)| *shared > 0)
        .max_by_key(|(shared, _)| *shared)
        .map(|(_, step)| step)
}

/// Returns the first five letters of every word that carries meaning, lower case.
fn stems(text: &str) -> HashSet<String> {
    const EMPTY: &[&str] = &["step", "then", "with", "from", "this", "that", "when", "next", "back", "goto", "into"];
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 3 && !EMPTY.contains(&word.as_str()))
        .map(|word| word.chars().take(5).collect())
        .collect()
}
