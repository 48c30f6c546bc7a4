//! Findings with safe fixes in, repaired texts out.

use super::check::{Checked, is_named};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix};
use crate::source::{Position, SourceId};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A file whose findings were repaired.
#[derive(Debug, Clone)]
pub struct Repaired {
    /// The file.
    pub path: PathBuf,
    /// Its new text.
    pub text: String,
    /// What was repaired, in order.
    pub fixes: Vec<Applied>,
}

/// A fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The rule.
    pub code: Code,
    /// Where the finding was.
    pub at: Position,
    /// What was done.
    pub title: String,
}

/// Applies the safe fixes of a project; answers the files that are changed by them.
pub fn repaired(checked: &Checked) -> Vec<Repaired> {
    let mut by_file: BTreeMap<SourceId, Vec<(&Diagnostic, &Fix)>> = BTreeMap::new();
    for finding in &checked.findings {
        let path = checked.loaded.library.source(finding.span.source).path();
        // Nobody asked for other files to be changed.
        if !is_named(&checked.loaded, path) {
            continue;
        }
        if let Some(fix) = finding.fix.as_ref().filter(|fix| fix.safe)
            && let Some(first) = fix.edits.first()
        {
            by_file.entry(first.span.source).or_default().push((finding, fix));
        }
    }
    let library = &checked.loaded.library;
    by_file
        .into_iter()
        .map(|(file, fixes)| {
            let source = library.source(file);
            let (text, taken) = apply(source.text(), &fixes);
            let applied = |(finding, fix): (&Diagnostic, &Fix)| Applied {
                code: finding.code,
                at: library.source(finding.span.source).position(finding.span.start),
                title: fix.title.clone(),
            };
            Repaired {
                path: checked.loaded.root.join(source.path().as_str()),
                text,
                fixes: taken.into_iter().map(applied).collect(),
            }
        })
        .filter(|file| !file.fixes.is_empty())
        .collect()
}

/// Applies fixes from the end of the text to its beginning; one that overlaps another waits for the next pass. Answers
/// those that were applied, too.
fn apply<'a>(text: &str, fixes: &[(&'a Diagnostic, &'a Fix)]) -> (String, Vec<(&'a Diagnostic, &'a Fix)>) {
    let mut taken: Vec<&Edit> = Vec::new();
    let mut applied = Vec::new();
    for (finding, fix) in fixes {
        let free = fix
            .edits
            .iter()
            .all(|edit| taken.iter().all(|other| !overlaps(edit, other)));
        if free {
            taken.extend(&fix.edits);
            applied.push((*finding, *fix));
        }
    }
    taken.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut result = text.to_owned();
    for edit in taken {
        if result.get(edit.span.range()).is_some() {
            result.replace_range(edit.span.range(), &edit.text);
        }
    }
    (result, applied)
}

fn overlaps(one: &Edit, other: &Edit) -> bool {
    one.span == other.span || one.span.start < other.span.end && other.span.start < one.span.end
}
