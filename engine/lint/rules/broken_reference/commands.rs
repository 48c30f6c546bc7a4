//! Commands in fences in, the files of the own skill that they name and that are not there out.

use super::prose::is_sample;
use crate::lint::{FileUnit, Findings};
use crate::source::{ByteSet, ProjectPath, Span};
use memchr::memmem;

/// What fences with commands say of themselves.
const SHELLS: &[&str] = &["", "bash", "sh", "shell", "zsh", "console"];

/// How the path of a file of the own skill begins.
const ROOT: &str = "{skill-root}/";

/// What a plain path is made of.
static LETTERS: ByteSet = ByteSet::of(b"_-./").and_alphanumeric();

/// Finds the files that commands run or read in the folder of the skill, where there is none of the name.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    let is_shell = |language: Span| SHELLS.contains(&document.source.slice(language));
    let fences = document.parsed.markdown.fences.iter();
    let mut bodies = fences
        .filter(|fence| is_shell(fence.language))
        .map(|fence| fence.body)
        .peekable();
    let Some(skill) = bodies.peek().and_then(|_| unit.skill()) else {
        return;
    };
    for body in bodies {
        for (path, span) in named(document.source.slice(body), body) {
            if let Some(missing) = missing(unit, &skill, path) {
                let found = findings.add(span, format!("`{ROOT}{path}` leads to no file"));
                found.help = Some(format!(
                    "expected at `{missing}`; the folder holds no file of that name"
                ));
            }
        }
    }
}

/// Returns the plain paths below the folder of the skill in some commands, with all that stands for them.
fn named(text: &str, place: Span) -> impl Iterator<Item = (&str, Span)> {
    memmem::find_iter(text.as_bytes(), ROOT).filter_map(move |at| {
        let rest = &text[at + ROOT.len()..];
        let length = rest.bytes().take_while(|byte| LETTERS.has(*byte)).count();
        let is_open = rest[length..].starts_with(['{', '*', '<', '$', '[']);
        let path = rest[..length].trim_end_matches('.');
        let name = path.rsplit('/').next().unwrap_or("");
        let span = place.inner(at, at + ROOT.len() + path.len());
        (!is_open && name.contains('.')).then_some((path, span))
    })
}

/// Returns the place of a file that is not there, where its folder is.
fn missing(unit: &FileUnit<'_>, skill: &ProjectPath, path: &str) -> Option<ProjectPath> {
    let library = unit.subject.library;
    let expected = skill.join(path).filter(|_| !is_sample(path))?;
    (!library.exists(&expected) && library.exists(&expected.folder())).then_some(expected)
}
