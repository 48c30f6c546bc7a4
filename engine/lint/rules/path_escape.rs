//! Paths that lead out of the project.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, ReferenceKind, Rule};
use crate::model::Resolution;

pub(super) const RULE: Rule = Rule {
    code: Code("path-escape"),
    severity: Severity::Error,
    summary: "a path leads out of the project",
    page: include_str!("../../../spec/rules/path-escape.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for reference in &unit.facts.references {
        let prose = reference.kind == ReferenceKind::Prose && !unit.document.role.instructs();
        if reference.resolution == Resolution::Escapes && !prose {
            findings
                .add(reference.span, format!("`{}` leads out of the project", reference.text))
                .help = Some("the engine reads and writes only inside the project; remove the extra `../`".to_owned());
        }
    }
}
