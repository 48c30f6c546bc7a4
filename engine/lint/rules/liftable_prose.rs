//! Control flow in prose that an engine tag would say for certain.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, Instruction, Lift, LiftKind, Origin, visit};
use crate::source::Span;

pub(super) const RULE: Rule = Rule {
    code: Code("liftable-prose"),
    severity: Severity::Hint,
    summary: "a sentence directs the flow; a tag would say it for certain",
    page: include_str!("../../../spec/rules/liftable-prose.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for step in unit.workflow.steps.iter().filter(|step| step.origin == Origin::Tag) {
        visit(&step.body, &mut |instruction| {
            if let Act::Do { text, lifts, body } = &instruction.act {
                for lift in lifts {
                    let whole = body.is_empty() && lifts.len() == 1 && is_whole(unit, *text, lift);
                    suggest(unit, instruction, lift, whole, findings);
                }
            }
        });
    }
}

/// Says whether the sentence is all that the action says.
fn is_whole(unit: &WorkflowUnit<'_>, text: Span, lift: &Lift) -> bool {
    let rest = unit.subject.library.slice(text).len() - lift.span.len().min(text.len());
    text.contains(lift.span) && rest <= 1
}

fn suggest(unit: &WorkflowUnit<'_>, instruction: &Instruction, lift: &Lift, whole: bool, findings: &mut Findings) {
    let Some(tag) = tag(&lift.kind) else { return };
    let found = findings.add(lift.span, format!("the engine reads this sentence as `{tag}`"));
    found.help = Some(format!("write `{tag}`, and no reader has to guess"));
    let written = unit.subject.library.slice(instruction.span);
    if whole && instruction.condition.is_none() && written.starts_with("<action>") && written.ends_with("</action>") {
        found.fix = Some(Fix {
            title: format!("write `{tag}`"),
            edits: vec![Edit { span: instruction.span, text: tag }],
            safe: false,
        });
    }
}

fn tag(kind: &LiftKind) -> Option<String> {
    match kind {
        LiftKind::Goto { label, .. } => Some(format!("<goto step=\"{}\" />", quoted(label))),
        LiftKind::Halt { reason } => Some(format!("<halt reason=\"{}\" />", quoted(reason))),
        LiftKind::Exit | LiftKind::Return => Some("<return />".to_owned()),
        LiftKind::Set { name, value, .. } => {
            Some(format!("<set name=\"{}\" value=\"{}\" />", quoted(name), quoted(value.trim_matches(['"', '\'', '`']))))
        }
        LiftKind::Follow { target, .. } => Some(format!("<call path=\"{}\" />", quoted(target))),
        LiftKind::Skill { name } => Some(format!("<call skill=\"{}\" />", quoted(name))),
        LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => None,
    }
}

/// Makes text safe inside a quoted attribute.
fn quoted(text: &str) -> String {
    text.trim().replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
