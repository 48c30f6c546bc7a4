//! Workflows that call each other in a circle.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, Findings, ProjectUnit, Rule};

pub(super) const RULE: Rule = Rule {
    code: Code("call-cycle"),
    severity: Severity::Warning,
    summary: "workflows call each other in a circle, or one calls itself",
    page: include_str!("../../../spec/rules/call-cycle.md"),
    check: Check::Project(check),
};

fn check(unit: &ProjectUnit<'_>, findings: &mut Findings) {
    let program = unit.subject.program;
    let name = |at: usize| unit.subject.workflows[at].name.as_str();
    for group in program.cycles() {
        let mut sites = Vec::new();
        for from in &group {
            for to in &group {
                if let Some(site) = program.call_site(*from, *to) {
                    sites.push((site.span, name(*from), name(*to)));
                }
            }
        }
        let names: Vec<&str> = group.iter().map(|at| name(*at)).collect();
        let Some((span, _, _)) = sites.first().copied() else {
            continue;
        };
        let message = match names.as_slice() {
            [only] => format!("`{only}` calls itself"),
            _ => format!("`{}` call each other in a circle", names.join("`, `")),
        };
        let found = findings.add(span, message);
        for (span, from, to) in sites.iter().skip(1) {
            found.labels.push(Label {
                span: *span,
                text: format!("`{from}` calls `{to}` here"),
            });
        }
        found.help = Some(
            "calls are followed three levels deep; repeat with `<goto>` or `<loop>`, or move the shared part to a task"
                .to_owned(),
        );
    }
}
