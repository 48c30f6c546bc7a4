//! Jumps whose own words name another step than the one they lead to.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::acts::Jump;
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::Step;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("goto-label-mismatch"),
    severity: Severity::Warning,
    summary: "a jump says one thing and leads to a step about another",
    page: include_str!("../../../spec/rules/goto-label-mismatch.md"),
    check: Check::Workflow(check),
};

/// Words that say how to jump, or when, and not where to.
const HOW: &[&str] = &[
    "again", "back", "begin", "continue", "fresh", "from", "goto", "into", "jump", "loop", "new", "next", "over",
    "proceed", "repeat", "restart", "retry", "return", "skip", "start", "step", "that", "then", "this", "when", "with",
];

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let steps = &unit.workflow.steps;
    for Jump { from, label, says } in &unit.acts.jumps {
        let named = |other: &&Step| other.label == label.text;
        let own = steps.iter().filter(|other| other.origin == from.origin);
        let Some(target) = own.clone().find(named) else {
            continue;
        };
        if starts_over(&says.text) && own.clone().next().is_some_and(|first| first.span == target.span) {
            continue;
        }
        let Some(meant) = meant(&says.text, target, own) else {
            continue;
        };
        let found = findings.add(
            label.span,
            format!(
                "the jump says `{}`, but step `{}` is `{}`",
                says.text, target.label, target.goal
            ),
        );
        found.labels.push(Label {
            span: meant.head,
            text: "this step sounds like it".to_owned(),
        });
        found.help = Some(format!("did you mean step `{}`, `{}`?", meant.label, meant.goal));
    }
}

/// Says whether a jump begins anew; what is begun is then no name of the first step.
fn starts_over(says: &str) -> bool {
    let first = says.split_whitespace().next().unwrap_or("");
    ["start", "restart", "begin", "new"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word))
}

/// Finds the step that shares at least half of the words the jump says, where its target shares none.
fn meant<'a>(says: &str, target: &Step, steps: impl Iterator<Item = &'a Step>) -> Option<&'a Step> {
    let said = stems(says);
    if said.is_empty() || target.goal.is_empty() || !said.is_disjoint(&stems(&target.goal)) {
        return None;
    }
    steps
        .filter(|step| step.label != target.label)
        .map(|step| (stems(&step.goal).intersection(&said).count(), step))
        .filter(|(shared, _)| *shared * 2 >= said.len())
        .max_by_key(|(shared, _)| *shared)
        .map(|(_, step)| step)
}

/// Returns the first five letters of every word that says what a step is about, lower case.
fn stems(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 3 && !HOW.contains(&word.as_str()))
        .map(|word| word.chars().take(5).collect())
        .collect()
}
