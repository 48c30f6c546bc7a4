//! A table in, the cells out that hold paths.

use super::{Reference, ReferenceKind, looks_like_path, reference};
use crate::model::{Document, Role};

/// Says whether a table has hashes: it says what an installer once wrote, and nobody follows it.
pub(in crate::lint) fn is_record(document: &Document) -> bool {
    let head = document.parsed.rows.first();
    head.is_some_and(|head| head.cells.iter().any(|title| title.text.trim() == "hash"))
}

/// Says whether a column names files that are made later, or are gone.
fn is_written(title: &str) -> bool {
    let mut words = title.split(|at: char| !at.is_alphanumeric());
    words.any(|word| {
        [
            "output", "new", "old", "target", "deleted", "removed", "log", "report", "result",
        ]
        .contains(&word)
    })
}

/// Collects the cells of the columns that hold paths. What such a column is called only a manifest is sure of.
pub(super) fn gather<'a>(document: &'a Document, written: &mut Vec<Reference<'a>>) {
    if is_record(document) {
        return;
    }
    let kind = match document.role {
        Role::Manifest => ReferenceKind::Manifest,
        _ => ReferenceKind::Table,
    };
    let rows = &document.parsed.rows;
    let Some(head) = rows.first() else { return };
    for (column, title) in head.cells.iter().enumerate() {
        let title = title.text.trim();
        let holds_paths = match kind == ReferenceKind::Manifest {
            true => matches!(title, "path" | "workflow-file"),
            false => title.ends_with("file") && !is_written(title),
        };
        if !holds_paths {
            continue;
        }
        for row in &rows[1..] {
            if let Some(cell) = row.cells.get(column)
                && looks_like_path(&cell.text)
            {
                written.push(Reference {
                    key: title,
                    ..reference(kind, cell.span, &cell.text)
                });
            }
        }
    }
}
