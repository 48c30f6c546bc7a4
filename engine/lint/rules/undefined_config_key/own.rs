//! The path of a configuration in, whether its module is not here and nearly the file's own out. Other modules may be
//! installed beside it, but hardly one of almost the same name.

use crate::diagnostic::{Edit, Fix};
use crate::lint::{FileUnit, Findings, nearest};
use crate::model::{Library, Resolution};
use crate::source::ProjectPath;

/// From how many letters on any near miss counts; in a shorter code only two letters may be swapped.
const LONG: usize = 5;

/// Finds the paths whose module is a misspelling of the file's own.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let (library, here) = (unit.subject.library, unit.document.source.path());
    for reference in &unit.facts.references {
        let is_config = reference.text.ends_with("/config.yaml") || reference.text.ends_with("/config.toml");
        if !is_config || matches!(reference.resolution, Resolution::Found(_)) {
            continue;
        }
        let Some(code) = library.configured_module(&reference.text) else {
            continue;
        };
        let Some(meant) = meant(library, here, code) else {
            continue;
        };
        let path = reference.text.replacen(&format!("/{code}/"), &format!("/{meant}/"), 1);
        let message = format!("module `{code}` is not in this project, and this file is in module `{meant}`");
        let found = findings.add(reference.span, message);
        found.help = Some(format!("did you mean `{path}`?"));
        found.fix = (unit.document.source.slice(reference.span) == reference.text).then(|| Fix {
            title: format!("write `{meant}`"),
            edits: vec![Edit {
                span: reference.span,
                text: path,
            }],
            safe: false,
        });
    }
}

/// Returns the code of the file's own module, where this one is that of no module here and nearly the same.
pub(super) fn meant<'a>(library: &'a Library, here: &ProjectPath, code: &str) -> Option<&'a str> {
    // What an installer fills is no module.
    if code.starts_with('_') || code.contains('{') || library.module(code, here).is_some() {
        return None;
    }
    let own = library.module_of(here)?.code.as_str();
    let near = nearest(code, [own].into_iter())?;
    (near.len() >= LONG || sorted(near) == sorted(code)).then_some(near)
}

fn sorted(code: &str) -> Vec<u8> {
    let mut letters = code.to_ascii_lowercase().into_bytes();
    letters.sort_unstable();
    letters
}
