//! Open tags without their close.

use crate::diagnostic::{Code, Edit, Fix, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::source::{Source, Span};
use crate::syntax::{Content, Fault, FaultKind, Tag};

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
    for fault in &unit.document.parsed.faults {
        if fault.kind == FaultKind::UnclosedTag {
            report(&unit.document.source, fault, findings);
        }
    }
}

fn report(source: &Source, fault: &Fault, findings: &mut Findings) {
    let name = &fault.detail;
    let found = findings.add(fault.span, format!("`<{name}>` is never closed"));
    let is_empty = Tag::named(name).is_some_and(|tag| tag.row().content == Content::Empty);
    if is_empty {
        let mark = Span {
            start: fault.span.end.saturating_sub(1),
            end: fault.span.end.saturating_sub(1),
            ..fault.span
        };
        found.help = Some(format!("it holds nothing, so write `<{name} …/>`"));
        found.fix = Some(fix(name, mark, "/".to_owned()));
        return;
    }
    found.help = Some(format!("write `</{name}>` where its content ends"));
    let Some(closed) = fault.related else { return };
    found.labels.push(Label {
        span: closed,
        text: format!("the engine closes `<{name}>` here"),
    });
    let at = Span {
        end: closed.start,
        ..closed
    };
    found.fix = Some(fix(name, at, close(source, name, at)));
}

fn fix(name: &str, span: Span, text: String) -> Fix {
    Fix {
        title: format!("close `<{name}>`"),
        edits: vec![Edit { span, text }],
        safe: false,
    }
}

/// Returns the close tag: on a line of its own where the next tag has one.
fn close(source: &Source, name: &str, at: Span) -> String {
    let before = source.text().get(..at.start as usize).unwrap_or("");
    let indent = before.rsplit('\n').next().unwrap_or("");
    if indent.trim().is_empty() {
        format!("</{name}>\n{indent}")
    } else {
        format!("</{name}>")
    }
}
