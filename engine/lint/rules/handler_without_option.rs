//! Handlers for options that are never offered.

use crate::diagnostic::{Code, Label, Severity};
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
    if !matches!(
        document.role,
        Role::StepFile | Role::Skill | Role::WorkflowMarkdown | Role::Instructions
    ) || holds_steps(&document.parsed)
    {
        return;
    }
    let menus = document.menus();
    for (handler, key) in unoffered(menus) {
        let found = findings.add(
            handler.span,
            format!("`{key}` is handled, but no menu offers it"),
        );
        found.help = Some(format!(
            "offer `[{key}]` in the menu, or remove the handler"
        ));
        let before = menus
            .menus
            .iter()
            .rfind(|menu| menu.span.start < handler.span.start);
        found
            .labels
            .extend(before.or(menus.menus.first()).map(|menu| Label {
                span: menu.span,
                text: "this is what is offered".to_owned(),
            }));
    }
}
