//! Chains of calls that are deeper than the engine runs.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};

/// The root is level 0; levels 1, 2 and 3 run.
const MAX_LEVEL: usize = 3;

pub(super) const RULE: Rule = Rule {
    code: Code("too-deep"),
    severity: Severity::Warning,
    summary: "workflows call each other deeper than three levels",
    page: include_str!("../../../spec/rules/too-deep.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let program = unit.subject.program;
    let chain = program.deepest(unit.position);
    if chain.len() != MAX_LEVEL + 2 || is_circular(unit) {
        return;
    }
    let names: Vec<&str> = chain
        .iter()
        .map(|at| unit.subject.workflows[*at].name.as_str())
        .collect();
    let [first, second, ..] = chain.as_slice() else {
        return;
    };
    let Some(site) = program.call_site(*first, *second) else {
        return;
    };
    findings
        .add(
            site.span,
            format!(
                "this call begins a chain of {} levels: {}",
                chain.len() - 1,
                names.join(" → ")
            ),
        )
        .help = Some(format!(
        "the engine runs {MAX_LEVEL} levels below the first; call the last one from a workflow further up"
    ));
}

/// Says whether the workflow is part of a circle: then that is the finding.
fn is_circular(unit: &WorkflowUnit<'_>) -> bool {
    unit.subject
        .program
        .cycles()
        .iter()
        .any(|group| group.contains(&unit.position))
}
