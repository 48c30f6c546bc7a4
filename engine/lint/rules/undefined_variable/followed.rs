//! A file in, the variables out that its text says to follow the file of: without a value the run comes to a stop there.

use crate::lint::FileUnit;
use crate::model::Lift;
use crate::source::Span;
use crate::syntax::Hole;

/// The paths of a text that it says to follow, and that are nothing but a variable.
pub(super) struct Followed {
    /// The names with the places of the paths, in order.
    paths: Vec<(Span, String)>,
}

impl Followed {
    /// Collects them from a file.
    pub(super) fn of(unit: &FileUnit<'_>) -> Self {
        let document = unit.document;
        let is_named = |lift: &Lift| lift.kind.followed().is_some_and(|(path, _)| path.starts_with('{'));
        let lifts = match document.instructs_in_prose() {
            true => document.lifts_in(document.body(), is_named),
            false => Vec::new(),
        };
        let followed = lifts.iter().filter_map(|lift| lift.kind.followed());
        let mut paths: Vec<(Span, String)> = followed
            .map(|(path, span)| (span, path.trim_matches(['{', '}']).to_owned()))
            .collect();
        paths.sort_by_key(|(span, _)| (span.start, span.end));
        Self { paths }
    }

    /// Says whether the path around a hole is one of them.
    pub(super) fn has(&self, hole: &Hole) -> bool {
        let after = self.paths.partition_point(|(span, _)| span.start <= hole.span.start);
        // Paths stand side by side; only an order may say the same one once more.
        let near = &self.paths[after.saturating_sub(4)..after];
        near.iter()
            .any(|(span, name)| span.contains(hole.span) && name == hole.name)
    }
}
