//! Short agent names that two modules have.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use std::collections::BTreeSet;

pub(super) const RULE: Rule = Rule {
    code: Code("ambiguous-agent"),
    severity: Severity::Error,
    summary: "a short agent name is that of several agents",
    page: include_str!("../../../spec/rules/ambiguous-agent.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let agents = &unit.subject.library.agents;
    let named = unit.acts.dispatches.iter().flat_map(|dispatch| &dispatch.agents);
    for name in named.filter(|name| !name.text.contains(['{', ':', '/'])) {
        let modules: BTreeSet<&str> = agents
            .iter()
            .filter(|agent| agent.name == name.text)
            .filter_map(|agent| agent.module.as_deref())
            .collect();
        if modules.len() < 2 {
            continue;
        }
        let choices: Vec<String> = modules
            .iter()
            .map(|module| format!("`{module}:{}`", name.text))
            .collect();
        findings
            .add(
                name.span,
                format!("{} modules have an agent called `{}`", modules.len(), name.text),
            )
            .help = Some(format!("say which one is meant: {}", choices.join(" or ")));
    }
}
