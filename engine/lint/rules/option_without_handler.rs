//! Options that are offered and lead nowhere.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, holds_steps, unhandled};

pub(super) const RULE: Rule = Rule {
    code: Code("option-without-handler"),
    severity: Severity::Warning,
    summary: "a menu offers an option that no handler answers",
    page: include_str!("../../../spec/rules/option-without-handler.md"),
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
    for option in unhandled(menus) {
        let found = findings.add(
            option.span,
            format!("option `{}` is offered and nothing handles it", option.key),
        );
        found.help = Some(format!(
            "add a handler such as `- IF {}: …`, or take the option away",
            option.key
        ));
        let handlers = menus
            .handlers
            .iter()
            .filter(|handler| handler.branches && !handler.any_other);
        found.labels.extend(handlers.take(1).map(|handler| Label {
            span: handler.span,
            text: "other options are handled here".to_owned(),
        }));
    }
}
