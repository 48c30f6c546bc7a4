//! Sections that are produced and have no place in the template.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, visit};
use crate::syntax::{HoleKind, holes};
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("output-without-slot"),
    severity: Severity::Info,
    summary: "a template-output names a section that the template has no slot for",
    page: include_str!("../../../spec/rules/output-without-slot.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let Some(template) = unit.workflow.template else {
        return;
    };
    let source = unit.subject.library.source(template);
    let slots: HashSet<&str> = holes(source.text(), source.span(0, source.text().len()))
        .into_iter()
        .filter_map(|hole| match hole.kind {
            HoleKind::Double => Some(hole.name),
            // `{{#each risks}}` is a place for `risks`, and so is `{{#risks}}`.
            HoleKind::Block => hole.name.rsplit([' ', '#']).next(),
            HoleKind::Single | HoleKind::Rendered => None,
        })
        .collect();
    for step in unit.workflow.all_steps() {
        visit(&step.body, &mut |instruction| {
            let Act::Produce(produce) = &instruction.act else {
                return;
            };
            if produce.value.is_some()
                || produce
                    .file
                    .as_ref()
                    .is_some_and(|file| !file.text.contains("default_output_file"))
            {
                return;
            }
            for name in produce
                .names
                .iter()
                .filter(|name| !name.text.contains('{') && !slots.contains(name.text.as_str()))
            {
                findings
                    .add(name.span, format!("the template has no slot `{{{{{}}}}}`", name.text))
                    .help = Some(format!(
                    "the section is appended; add the slot to `{}` to place it",
                    source.path()
                ));
            }
        });
    }
}
