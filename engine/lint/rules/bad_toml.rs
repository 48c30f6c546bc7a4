//! TOML files that are not TOML.

use crate::diagnostic::{Code, Severity};
use crate::lint::filling::awaits_filling;
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, SETTINGS};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-toml"),
    severity: Severity::Error,
    summary: "the file is not valid TOML",
    page: include_str!("../../../spec/rules/bad-toml.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    let is_known = !matches!(document.role, Role::Other | Role::Template);
    let is_ours = is_known || document.source.path().as_str() == SETTINGS;
    let severity = if is_ours { Severity::Error } else { Severity::Warning };
    for fault in &document.parsed.faults {
        if fault.kind == FaultKind::BadToml && !awaits_filling(document, fault.span) {
            findings
                .add_as(severity, fault.span, format!("the file is not TOML: {}", fault.detail))
                .help = Some("other readers refuse the whole file until this is mended".to_owned());
        }
    }
}
