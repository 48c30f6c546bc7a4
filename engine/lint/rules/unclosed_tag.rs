//! Open tags without their close.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::source::Span;
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("unclosed-tag"),
    severity: Severity::Error,
    summary: "a tag is opened and never closed",
    page: include_str!("../../../spec/rules/unclosed-tag.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if !unit.document.role.instructs() {
        return;
    }
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::UnclosedTag) {
        let name = &fault.detail;
        let found = findings.add(fault.span, format!("`<{name}>` is never closed"));
        found.help = Some(format!("write `</{name}>` where its content ends"));
        if let Some(closed) = fault.related {
            let at = Span { end: closed.start, ..closed };
            found.labels.push(crate::diagnostic::Label {
                span: closed,
                text: format!("the engine closes `<{name}>` here"),
            });
            found.fix = Some(Fix {
                title: format!("close `<{name}>`"),
                edits: vec![Edit { span: at, text: format!("</{name}>\n") }],
                safe: false,
            });
        }
    }
}
