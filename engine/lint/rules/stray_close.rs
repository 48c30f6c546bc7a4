//! Close tags without their open.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::source::{Source, Span};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("stray-close"),
    severity: Severity::Warning,
    summary: "a tag is closed that is not open",
    page: include_str!("../../../spec/rules/stray-close.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if !unit.document.role.instructs() {
        return;
    }
    let source = &unit.document.source;
    for fault in &unit.document.parsed.faults {
        if fault.kind != FaultKind::StrayClose || is_mention(source, fault.span) {
            continue;
        }
        let name = &fault.detail;
        findings.add(fault.span, format!("`</{name}>` closes nothing")).help =
            Some(format!("remove it, or write `<{name}>` where its content begins"));
    }
}

/// Says whether a sentence speaks of the tag: words stand before it on its line, and words or a full stop after it.
fn is_mention(source: &Source, span: Span) -> bool {
    let text = source.text();
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let after = text.get(end..).unwrap_or("");
    let words = after.trim_start_matches([' ', '\t']);
    let has_words_before = line.contains(char::is_alphanumeric) && !line.trim_end().ends_with('>');
    has_words_before && (words.starts_with(char::is_alphanumeric) || after.starts_with(['.', ',', ';', ':', ')']))
}
