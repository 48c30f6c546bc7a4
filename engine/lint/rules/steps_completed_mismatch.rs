//! Step files that record other steps as done than themselves.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, step_label};
use crate::syntax::{LineKind, trim};

pub(super) const RULE: Rule = Rule {
    code: Code("steps-completed-mismatch"),
    severity: Severity::Warning,
    summary: "a step file records stepsCompleted that does not end with itself",
    page: include_str!("../../../spec/rules/steps-completed-mismatch.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if document.role != Role::StepFile {
        return;
    }
    let label = step_label(document.source.path().stem());
    let Ok(own) = label.parse::<u32>() else { return };
    for line in &document.parsed.markdown.lines {
        if line.kind == LineKind::Frontmatter {
            continue;
        }
        let (span, text) = trim(&document.source, line.span);
        let Some((start, end, last)) = literal(text) else { continue };
        if last == own || is_read(text) {
            continue;
        }
        findings
            .add(span.inner(start, end), format!("this step is `{own}`, but records `{last}` as the last one done"))
            .help = Some(format!("end the list with {own}; a run that resumes from it repeats or skips steps"));
    }
}

/// Finds `stepsCompleted: [1, 2, 3]` and returns its place and its last number.
fn literal(text: &str) -> Option<(usize, usize, u32)> {
    let start = text.find("stepsCompleted")?;
    let open = start + text[start..].find('[')?;
    let between = &text[start + "stepsCompleted".len()..open];
    if between.chars().any(|c| c.is_alphanumeric()) {
        return None;
    }
    let end = open + text[open..].find(']')?;
    let last = text[open + 1..end].split(',').next_back()?.trim().parse().ok()?;
    Some((start, end + 1, last))
}

/// Says whether the line reads the state rather than writes it.
fn is_read(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["if ", "when ", "check", "example", "e.g."].iter().any(|word| lower.contains(word))
}
