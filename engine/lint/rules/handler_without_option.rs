//! Handlers for options that are never offered.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, holds_steps, unoffered};

pub(super) const RULE: Rule = Rule {
    code: Code("handler-without-option"),
    severity: Severity::Warning,
    summary: "a handler answers an option that no menu offers",
    page: include_str!("../../../spec/rules/handler-without-option.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if !matches!(document.role, Role::StepFile | Role::Skill | Role::WorkflowMarkdown) || holds_steps(&document.parsed) {
        return;
    }
    let menus = document.menus();
    for (handler, key) in unoffered(menus) {
        findings
            .add(handler.span, format!("`{key}` is handled, but no menu offers it"))
            .help = Some(format!("offer `[{key}]` in the menu, or remove the handler"));
    }
}
