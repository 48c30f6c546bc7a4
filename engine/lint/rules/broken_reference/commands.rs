//! Commands in fences in, the files of the own skill that they name and that are not there out.

use super::page::{Page, near_in_folder};
use super::prose::is_sample;
use crate::diagnostic::is_slip;
use crate::lint::{FileUnit, Findings};
use crate::source::{ByteSet, ProjectPath, Span};
use memchr::memmem;

/// What fences with commands say of themselves.
const SHELLS: &[&str] = &["", "bash", "sh", "shell", "zsh", "console"];

/// How the path of a file of the own skill begins.
const ROOTS: &[&str] = &["{skill-root}/", "{skill_root}/"];

/// Words right before a file that is run.
const RUNNERS: &[&str] = &[
    "run", "python", "python3", "node", "bun", "deno", "bash", "sh", "zsh", "ruby", "perl",
];

/// How many files that are not there are looked for in the whole of one file.
const MOST: usize = 256;

/// What a plain path is made of.
static LETTERS: ByteSet = ByteSet::of(b"_-./").and_alphanumeric();

/// A plain path below the folder of the skill.
struct Named<'a> {
    /// The path with its root, as written.
    whole: &'a str,
    /// The path from the folder of the skill on.
    path: &'a str,
    span: Span,
}

/// Finds the files in the folder of the skill that commands run, or nearly name, where there is none of the name. What
/// other commands name they may write, and clean up, themselves.
pub(super) fn check(page: &Page<'_>, findings: &mut Findings) {
    let unit = page.unit;
    let document = unit.document;
    let is_shell = |language: Span| {
        let language = document.source.slice(language);
        SHELLS.iter().any(|shell| language.eq_ignore_ascii_case(shell))
    };
    let fences = document.parsed.markdown.fences.iter();
    let bodies = fences.filter(|fence| is_shell(fence.language)).map(|fence| fence.body);
    let mut named = bodies
        .flat_map(|body| named(document.source.slice(body), body))
        .peekable();
    // Most fences name none, and the folder of the skill takes longer to find.
    let Some(skill) = named.peek().and_then(|_| unit.skill()).filter(|_| page.is_read()) else {
        return;
    };
    let gone = named.filter_map(|named| Some((expected(unit, &skill, &named)?, named)));
    for (expected, named) in gone.take(MOST) {
        if let Some(help) = missing(unit, &expected, &named) {
            let found = findings.add(named.span, format!("`{}` leads to no file", named.whole));
            found.help = Some(help);
        }
    }
}

/// Returns the plain paths below the folder of the skill in some commands, with all that stands for them.
fn named(text: &str, place: Span) -> impl Iterator<Item = Named<'_>> {
    memmem::find_iter(text.as_bytes(), "{skill").filter_map(move |at| {
        let behind = ROOTS.iter().find_map(|root| text[at..].strip_prefix(root))?;
        let length = behind.bytes().take_while(|byte| LETTERS.has(*byte)).count();
        let is_open = behind[length..].starts_with(['{', '*', '<', '$', '[']);
        let path = behind[..length].trim_end_matches('.');
        let name = path.rsplit('/').next().unwrap_or("");
        let whole = &text[at..text.len() - behind.len() + path.len()];
        let span = place.inner(at, at + whole.len());
        (!is_open && name.contains('.')).then_some(Named { whole, path, span })
    })
}

/// Returns the place of a file that is not there, where its folder is.
fn expected(unit: &FileUnit<'_>, skill: &ProjectPath, named: &Named<'_>) -> Option<ProjectPath> {
    let library = unit.subject.library;
    let expected = skill.join(named.path).filter(|_| !is_sample(named.path))?;
    (!library.exists(&expected) && library.exists(&expected.folder())).then_some(expected)
}

/// Says where a file was expected that must be there: it is run, or it has nearly the name of one that is there.
fn missing(unit: &FileUnit<'_>, expected: &ProjectPath, named: &Named<'_>) -> Option<String> {
    match near_in_folder(unit, expected).filter(|near| is_slip(expected.name(), near.name())) {
        Some(near) => Some(format!("expected at `{expected}`; did you mean `{near}`?")),
        None => is_run(unit, named).then(|| format!("expected at `{expected}`; the folder holds no file of that name")),
    }
}

/// Says whether the first place in the file that names a path runs what it leads to: what other commands name first they
/// may make.
fn is_run(unit: &FileUnit<'_>, named: &Named<'_>) -> bool {
    let text = unit.document.source.text();
    let first = memmem::find(text.as_bytes(), named.whole.as_bytes());
    let before = text.get(..first.unwrap_or(named.span.start as usize)).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let word = line.trim_end_matches(['"', '\'']).split_whitespace().next_back();
    word.is_some_and(|word| RUNNERS.contains(&word))
}
