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

/// How many steps that sound like a jump are named.
const MOST: usize = 3;

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
        let meant = meant(&says.text, target, own);
        if meant.is_empty() {
            continue;
        }
        let found = findings.add(
            label.span,
            format!(
                "the jump says `{}`, but step `{}` is `{}`",
                says.text, target.label, target.goal
            ),
        );
        found.labels.extend(meant.iter().map(|step| Label {
            span: step.head,
            text: "this step sounds like it".to_owned(),
        }));
        let named = meant
            .iter()
            .map(|step| format!("step `{}`, `{}`", step.label, step.goal));
        let named: Vec<String> = named.collect();
        found.help = Some(format!("did you mean {}?", named.join(", or ")));
    }
}

/// Says whether a jump begins anew; what is begun is then no name of the first step.
fn starts_over(says: &str) -> bool {
    let first = says.split_whitespace().next().unwrap_or("");
    ["start", "restart", "begin", "new"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word))
}

/// Finds the steps that share most of the words the jump says, and at least half of them, where its target shares none.
fn meant<'a>(says: &str, target: &Step, steps: impl Iterator<Item = &'a Step>) -> Vec<&'a Step> {
    let said = stems(says);
    if said.is_empty() || target.goal.is_empty() || !said.is_disjoint(&stems(&target.goal)) {
        return Vec::new();
    }
    let others = steps.filter(|step| step.label != target.label);
    let shared = others.map(|step| (stems(&step.goal).intersection(&said).count(), step));
    let like: Vec<(usize, &Step)> = shared.filter(|(shared, _)| *shared * 2 >= said.len()).collect();
    let most = like.iter().map(|(shared, _)| *shared).max();
    let best = like.into_iter().filter(|(shared, _)| Some(*shared) == most);
    best.map(|(_, step)| step).take(MOST).collect()
}

/// Returns the first five letters of every word that says what a step is about, lower case.
fn stems(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 3 && !HOW.contains(&word.as_str()))
        .map(|word| word.chars().take(5).collect())
        .collect()
}
