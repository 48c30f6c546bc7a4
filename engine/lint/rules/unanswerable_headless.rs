//! Questions that nobody can answer in an unattended run.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    code: Code("unanswerable-headless"),
    severity: Severity::Info,
    summary: "an open question stops an unattended run",
    page: include_str!("../../../spec/rules/unanswerable-headless.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for (instruction, ask) in &unit.acts.asks {
        let open = Span {
            end: ask.text.start.max(instruction.span.start),
            ..instruction.span
        };
        let optional = || unit.subject.library.slice(open).contains("optional=\"true\"");
        if ask.options.is_empty() && ask.body.is_empty() && ask.into.is_none() && !optional() {
            findings
                .add(instruction.span, "an unattended run stops at this open question".to_owned())
                .help = Some("name the answer (`response=\"…\"`) so that an answers file can give it, or offer options with a default".to_owned());
        }
    }
}
