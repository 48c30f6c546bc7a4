//! Slots of a template that nothing fills.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, is_system, visit};
use crate::syntax::{HoleKind, holes};
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("slot-without-output"),
    severity: Severity::Info,
    summary: "a slot of the template is filled by no template-output and no variable",
    page: include_str!("../../../spec/rules/slot-without-output.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let Some(template) = unit.workflow.template else {
        return;
    };
    let mut produced = HashSet::new();
    for step in &unit.workflow.steps {
        visit(&step.body, &mut |instruction| {
            if let Act::Produce(produce) = &instruction.act {
                produced.extend(produce.names.iter().map(|name| name.text.as_str()));
            }
        });
    }
    if produced.is_empty() {
        return;
    }
    let source = library.source(template);
    let mut told = HashSet::new();
    // Inside `{{#each x}}` a name is that of an item's part.
    let mut sections = 0usize;
    for hole in holes(source.text(), source.span(0, source.text().len())) {
        let name = hole.name;
        if hole.kind == HoleKind::Block {
            sections = match section(name) {
                Some(Mark::Opens) => sections + 1,
                Some(Mark::Closes) => sections.saturating_sub(1),
                None => sections,
            };
        }
        if sections > 0 {
            continue;
        }
        let filled = produced.contains(name)
            || unit.workflow.definition(name).is_some()
            || library.has_config_key(name)
            || is_system(name);
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if hole.kind == HoleKind::Double && plain && !filled && told.insert(hole.name) {
            findings
                .add(hole.span, format!("nothing fills the slot `{{{{{name}}}}}`"))
                .help = Some("produce it with a `template-output`, or set a variable of that name".to_owned());
        }
    }
}

enum Mark {
    Opens,
    Closes,
}

/// Reads the mark of a section whose names are its own; `if` and `unless` are none.
fn section(mark: &str) -> Option<Mark> {
    let mark = mark.trim_matches(['~', ' ']);
    let (kind, rest) = match mark.strip_prefix('#') {
        Some(rest) => (Mark::Opens, rest),
        None => (Mark::Closes, mark.strip_prefix('/')?),
    };
    (!rest.starts_with("if") && !rest.starts_with("unless")).then_some(kind)
}
