//! Agents that are named and not there.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{Act, visit};

pub(super) const RULE: Rule = Rule {
    code: Code("unknown-agent"),
    severity: Severity::Error,
    summary: "a dispatch names an agent that does not exist",
    page: include_str!("../../../spec/rules/unknown-agent.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let agents = &library.agents;
    for step in &unit.workflow.steps {
        visit(&step.body, &mut |instruction| {
            let Act::Dispatch(dispatch) = &instruction.act else { return };
            for name in dispatch.agents.iter().filter(|name| !name.text.contains('{')) {
                let (module, short) = match name.text.split_once(':').or_else(|| name.text.split_once('/')) {
                    Some((module, short)) => (Some(module), short),
                    None => (None, name.text.as_str()),
                };
                let known = agents.iter().any(|agent| agent.name == short && module.is_none_or(|module| agent.module.as_deref() == Some(module)));
                let standard = module.is_none_or(|module| module == "core") && library.has_standard_agent(short);
                if known || standard {
                    continue;
                }
                let found = findings.add(name.span, format!("no agent `{}`", name.text));
                found.help = Some(match nearest(short, agents.iter().map(|agent| agent.name.as_str()).chain(library.standard_agents())) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "agents are files in a folder `agents`, with a `name` in their frontmatter, or `*.agent.yaml`".to_owned(),
                });
            }
        });
    }
}
