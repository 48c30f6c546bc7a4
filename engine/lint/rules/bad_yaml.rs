//! YAML files that are not YAML.

use crate::diagnostic::{Code, Severity};
use crate::lint::filling::awaits_filling;
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-yaml"),
    severity: Severity::Error,
    summary: "the file is not valid YAML",
    page: include_str!("../../../spec/rules/bad-yaml.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    let is_ours = !matches!(document.role, Role::Other | Role::Template);
    let severity = if is_ours { Severity::Error } else { Severity::Warning };
    for fault in &document.parsed.faults {
        if fault.kind == FaultKind::BadYaml && !awaits_filling(document, fault.span) {
            findings
                .add_as(severity, fault.span, format!("the file is not YAML: {}", fault.detail))
                .help = Some(
                "nothing after this place was read: the keys below it have no value until it is mended".to_owned(),
            );
        }
    }
}
