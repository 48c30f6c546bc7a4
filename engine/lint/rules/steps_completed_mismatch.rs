//! Step files that record other steps as done than themselves.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Role, step_label};
use crate::syntax::{LineKind, trim};

pub(super) const RULE: Rule = Rule {
    code: Code("steps-completed-mismatch"),
    severity: Severity::Warning,
    summary: "a step file records a list of finished steps that does not end with itself",
    page: include_str!("../../../spec/rules/steps-completed-mismatch.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if document.role != Role::StepFile {
        return;
    }
    let stem = document.source.path().stem();
    let label = step_label(stem);
    for line in &document.parsed.markdown.lines {
        if line.kind == LineKind::Frontmatter {
            continue;
        }
        let (span, text) = trim(&document.source, line.span);
        let Some(record) = record(text) else { continue };
        if is_read(text) || record.names(stem, &label) {
            continue;
        }
        let own = if record.numeric { &label } else { stem };
        findings
            .add(
                span.inner(record.start, record.end),
                format!("this step is `{own}`, but records `{}` as the last one done", record.last),
            )
            .help = Some(format!("end the list with `{own}`; a run that resumes from it repeats or skips steps"));
    }
}

/// A list of finished steps.
struct Record<'a> {
    start: usize,
    end: usize,
    last: &'a str,
    numeric: bool,
}

impl Record<'_> {
    /// Says whether the list ends with the step itself; a step `2b` counts as `2`.
    fn names(&self, stem: &str, label: &str) -> bool {
        if self.numeric {
            let digits = label.trim_end_matches(|c: char| c.is_ascii_lowercase());
            return self.last.trim_start_matches('0') == digits || digits.parse::<u32>().is_err();
        }
        self.last.trim_end_matches(".md") == stem
    }
}

/// Finds `stepsCompleted: [1, 2, 3]` or a list of step names after a key that ends so.
fn record(text: &str) -> Option<Record<'_>> {
    let start = text.find("tepsCompleted")?;
    let after = start + "tepsCompleted".len();
    let open = after + text[after..].find('[')?;
    if text[after..open].chars().any(char::is_alphanumeric) {
        return None;
    }
    let end = open + text[open..].find(']')?;
    let last = text[open + 1..end].split(',').next_back()?.trim();
    let numeric = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let named = last.trim_matches(['\'', '"']);
    let start = text[..start].trim_end_matches(char::is_alphanumeric).len();
    (numeric || named.starts_with("step-") && named.len() + 2 == last.len()).then_some(Record { start, end: end + 1, last: named, numeric })
}

/// Says whether the line reads the state rather than writes it.
fn is_read(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["if ", "when ", "check", "example", "e.g."].iter().any(|word| lower.contains(word))
}
