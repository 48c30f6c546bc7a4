//! A finding with byte offsets in, the same finding with paths, lines and columns out.

use crate::cli::report::Checked;
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::source::{Position, Source, Span};

/// A finding that needs no source any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The rule that speaks.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Place,
    /// Other places that explain it.
    pub labels: Vec<(Place, String)>,
    /// What to do next.
    pub help: Option<String>,
    /// A change that would do it.
    pub fix: Option<LocatedFix>,
}

/// A range of text, as people and other programs name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as seen from where the program was started.
    pub path: String,
    /// The first character.
    pub start: Position,
    /// The character after the last one.
    pub end: Position,
}

/// A change that needs no source any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedFix {
    /// What the change does.
    pub title: String,
    /// Whether `--fix` may apply it unasked.
    pub safe: bool,
    /// What is replaced, and by what.
    pub edits: Vec<(Place, String)>,
}

impl Located {
    /// Looks up the places of a finding.
    pub fn new(checked: &Checked<'_>, finding: &Diagnostic) -> Self {
        let label = |label: &crate::diagnostic::Label| (Place::new(checked, label.span), label.text.clone());
        Self {
            code: finding.code,
            severity: finding.severity,
            message: finding.message.clone(),
            place: Place::new(checked, finding.span),
            labels: finding.labels.iter().map(label).collect(),
            help: finding.help.clone(),
            fix: finding.fix.as_ref().map(|fix| LocatedFix::new(checked, fix)),
        }
    }
}

impl Place {
    /// Looks up the place of a span; one without a source is the start of the project itself.
    pub fn new(checked: &Checked<'_>, span: Span) -> Self {
        let Some(source) = checked.source(span) else {
            let start = Position { line: 1, column: 1 };
            return Self {
                path: join(checked.root, ""),
                start,
                end: start,
            };
        };
        Self {
            path: path(checked, source),
            start: source.position(span.start),
            end: source.position(span.end),
        }
    }
}

impl LocatedFix {
    fn new(checked: &Checked<'_>, fix: &Fix) -> Self {
        let edit = |edit: &crate::diagnostic::Edit| (Place::new(checked, edit.span), edit.text.clone());
        Self {
            title: fix.title.clone(),
            safe: fix.safe,
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}

/// Returns the way to a source, as seen from where the program was started.
pub(super) fn path(checked: &Checked<'_>, source: &Source) -> String {
    join(checked.root, source.path().as_str())
}

/// Puts the way to the project before a path in it.
fn join(root: &str, path: &str) -> String {
    match (root, path) {
        ("" | ".", "") => ".".to_owned(),
        ("" | ".", path) => path.to_owned(),
        (root, "") => root.to_owned(),
        (root, path) if root.ends_with(['/', '\\']) => format!("{root}{path}"),
        (root, path) => format!("{root}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_read_as_the_person_gave_them() {
        assert_eq!(join("", "a/b.xml"), "a/b.xml");
        assert_eq!(join(".", "a/b.xml"), "a/b.xml");
        assert_eq!(join("../x/", "a.xml"), "../x/a.xml");
        assert_eq!(join("/x", "a.xml"), "/x/a.xml");
        assert_eq!(join("x", ""), "x");
        assert_eq!(join("", ""), ".");
    }
}
