//! Frontmatter that is not YAML.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-frontmatter"),
    severity: Severity::Error,
    summary: "the frontmatter is not valid YAML, so none of its keys exist",
    page: include_str!("../../../spec/rules/bad-frontmatter.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::BadFrontmatter) {
        findings
            .add(fault.span, format!("the frontmatter is not YAML: {}", fault.detail))
            .help = Some("none of its keys has a value until this is mended".to_owned());
    }
}
