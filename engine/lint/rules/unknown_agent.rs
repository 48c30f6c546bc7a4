//! Agents that are named and not there.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{AgentName, Library, Words};

pub(super) const RULE: Rule = Rule {
    code: Code("unknown-agent"),
    severity: Severity::Error,
    summary: "a dispatch names an agent that does not exist",
    page: include_str!("../../../spec/rules/unknown-agent.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let named = unit.acts.dispatches.iter().flat_map(|dispatch| &dispatch.agents);
    for name in named.filter(|name| !name.text.contains('{')) {
        judge(name, unit.subject.library, findings);
    }
}

fn judge(name: &Words, library: &Library, findings: &mut Findings) {
    let agents = &library.agents;
    let (module, short) = match name.text.split_once([':', '/']) {
        Some((module, short)) => (Some(module), short),
        None => (None, name.text.as_str()),
    };
    let standard = module.is_none_or(|module| module == "core") && library.has_standard_agent(short);
    let namesakes: Vec<&AgentName> = agents.iter().filter(|agent| agent.name == short).collect();
    if standard
        || namesakes
            .iter()
            .any(|agent| module.is_none_or(|module| agent.module.as_deref() == Some(module)))
    {
        return;
    }
    let found = findings.add(name.span, format!("no agent is called `{}`", name.text));
    let elsewhere = namesakes.iter().find_map(|agent| agent.module.as_deref());
    let known = agents
        .iter()
        .map(|agent| agent.name.as_str())
        .chain(library.standard_agents());
    found.help = Some(match (elsewhere, nearest(short, known)) {
        (Some(module), _) => format!("did you mean `{module}:{short}`?"),
        (None, Some(near)) if !namesakes.is_empty() => format!("`{near}` is in no module; name it without one"),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => {
            "an agent is a Markdown file in a folder `agents` with a `name` in its frontmatter, or a `*.agent.yaml`"
                .to_owned()
        }
    });
}
