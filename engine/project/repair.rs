//! Findings with safe fixes in, repaired texts out.

use super::check::Checked;
use crate::diagnostic::{Edit, Fix};
use crate::source::SourceId;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Applies the safe fixes of a project; answers each changed file with its new text and how many fixes it took.
pub fn repaired(checked: &Checked) -> Vec<(PathBuf, String, usize)> {
    let mut by_file: BTreeMap<SourceId, Vec<&Fix>> = BTreeMap::new();
    for fix in checked.findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        if let Some(first) = fix.edits.first().filter(|_| fix.safe) {
            by_file.entry(first.span.source).or_default().push(fix);
        }
    }
    let library = &checked.loaded.library;
    by_file
        .into_iter()
        .map(|(file, fixes)| {
            let source = library.source(file);
            let (text, count) = apply(source.text(), &fixes);
            (checked.loaded.root.join(source.path().as_str()), text, count)
        })
        .filter(|(_, _, count)| *count > 0)
        .collect()
}

/// Applies fixes from the end of the text to its beginning; one that overlaps another waits for the next pass.
fn apply(text: &str, fixes: &[&Fix]) -> (String, usize) {
    let mut taken: Vec<&Edit> = Vec::new();
    let mut count = 0;
    for fix in fixes {
        let free = fix
            .edits
            .iter()
            .all(|edit| taken.iter().all(|other| !overlaps(edit, other)));
        if free {
            taken.extend(&fix.edits);
            count += 1;
        }
    }
    taken.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut result = text.to_owned();
    for edit in taken {
        if result.get(edit.span.range()).is_some() {
            result.replace_range(edit.span.range(), &edit.text);
        }
    }
    (result, count)
}

fn overlaps(one: &Edit, other: &Edit) -> bool {
    one.span == other.span || one.span.start < other.span.end && other.span.start < one.span.end
}
