//! Loops that nothing bounds.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Repeat, RepeatKind};
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    code: Code("unbounded-loop"),
    severity: Severity::Warning,
    summary: "a loop has no bound of its own",
    page: include_str!("../../../spec/rules/unbounded-loop.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for step in unit.workflow.all_steps() {
        if let Some(repeat) = &step.repeat {
            judge(repeat, repeat.span, Severity::Hint, findings);
        }
    }
    for repeat in &unit.acts.loops {
        judge(repeat, repeat.span, Severity::Warning, findings);
    }
}

/// A step's `repeat` gets the default bound; a `<loop>` says its own.
fn judge(repeat: &Repeat, span: Span, severity: Severity, findings: &mut Findings) {
    let bounded = match repeat.kind {
        RepeatKind::Times(_) | RepeatKind::Each { .. } => true,
        RepeatKind::While(_) | RepeatKind::Until(_) | RepeatKind::Bounded => repeat.bound.is_some(),
    };
    if !bounded {
        findings
            .add_as(
                severity,
                span,
                "nothing bounds this loop but the engine's own limit of 10 passes".to_owned(),
            )
            .help = Some("write the bound that is meant: `max=\"5\"`".to_owned());
    }
}
