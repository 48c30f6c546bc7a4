//! Values that enter a shell command without quotes.

mod shell;

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::DefinedBy;
use crate::source::{Source, Span, near_byte, near_last};
use crate::syntax::{Fence, Hole, HoleKind, LineKind, Markdown, holes, trim};
use shell::bare;

pub(super) const RULE: Rule = Rule {
    code: Code("unquoted-shell-value"),
    severity: Severity::Warning,
    summary: "a value enters a shell command without quotes",
    page: include_str!("../../../spec/rules/unquoted-shell-value.md"),
    check: Check::File(check),
};

/// Names whose values the engine itself makes.
const MADE: &[&str] = &[
    "project-root",
    "project_root",
    "bmad_folder",
    "bmad-root",
    "_bmad",
    "installed_path",
    "workflow_path",
    "workflow-path",
    "skill-root",
    "skill_root",
    "skill-name",
    "module_path",
    "module-root",
    "date",
    "time",
    "timestamp",
    "datetime",
    "current_date",
    "year",
];
/// Last words of names that stand for several words of a command, so that quotes would be wrong.
const SEVERAL: &[&str] = &[
    "args",
    "arguments",
    "cmd",
    "command",
    "commands",
    "files",
    "filenames",
    "flags",
    "list",
    "options",
    "opts",
    "packages",
    "parameters",
    "params",
    "paths",
    "patterns",
    "targets",
    "tests",
];
/// Last words of names whose values have neither spaces nor marks.
const PLAIN: &[&str] = &[
    "commit",
    "count",
    "digest",
    "hash",
    "id",
    "index",
    "level",
    "limit",
    "max",
    "min",
    "minutes",
    "num",
    "number",
    "percent",
    "pid",
    "port",
    "revision",
    "seconds",
    "sha",
    "size",
    "slug",
    "timeout",
    "timestamp",
    "total",
    "uuid",
    "version",
];
/// How far a line is looked at to either side of a hole, in bytes.
const LINE: usize = 500;
/// How many lines speech may have before a fence.
const SPEECH: usize = 100;
/// Names of things that are called by one word.
const IDENTIFIERS: &[&str] = &[
    "agent_name",
    "branch",
    "branch_name",
    "module_code",
    "module_name",
    "package_name",
    "skill_name",
    "workflow_name",
];

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if !document.role.instructs() {
        return;
    }
    let markdown = &document.parsed.markdown;
    for fence in markdown
        .fences
        .iter()
        .filter(|fence| is_shell(document.source.slice(fence.language)))
    {
        fenced(unit, fence, findings);
    }
}

fn is_shell(language: &str) -> bool {
    matches!(language.trim(), "bash" | "sh" | "shell" | "zsh")
}

fn fenced(unit: &FileUnit<'_>, fence: &Fence, findings: &mut Findings) {
    let source = &unit.document.source;
    let text = source.slice(fence.body);
    let found = holes(text, fence.body);
    if found.is_empty() || is_said(source, &unit.document.parsed.markdown, fence) {
        return;
    }
    for hole in bare(text, fence.body.start, &found) {
        let at = (hole.span.start - fence.body.start) as usize;
        let (before, after) = line_around(text, at..at + hole.span.len());
        let shown = is_notation(before, after) || is_filled_by_command(before, hole.name);
        if !is_value(hole) || shown || is_harmless(unit, hole.name) {
            continue;
        }
        let written = source.slice(hole.span);
        let plain = ends_in(hole.name, PLAIN) || IDENTIFIERS.iter().any(|name| name.eq_ignore_ascii_case(hole.name));
        let severity = if plain { Severity::Info } else { Severity::Warning };
        let found = findings.add_as(
            severity,
            hole.span,
            format!("`{written}` enters a command without quotes"),
        );
        found.help = Some(format!(
            "a space or a `;` in its value changes the command; write `\"{written}\"`"
        ));
        found.fix = Some(Fix {
            title: "put quotes around the value".to_owned(),
            edits: vec![Edit {
                span: hole.span,
                text: format!("\"{written}\""),
            }],
            safe: false,
        });
    }
}

fn is_value(hole: &Hole) -> bool {
    matches!(hole.kind, HoleKind::Single | HoleKind::Double)
        && !MADE.contains(&hole.name)
        && !ends_in(hole.name, SEVERAL)
}

/// Says whether the last word of a name is one of these: `story_id`, `storyId` and `STORY-ID` end in `id`.
fn ends_in(name: &str, words: &[&str]) -> bool {
    let last = name.rsplit(['_', '-', '.', ' ']).next().unwrap_or(name);
    let hump = last
        .rfind(|letter: char| letter.is_ascii_uppercase())
        .filter(|at| *at > 0 && !last.bytes().all(|byte| byte.is_ascii_uppercase()));
    let word = hump.and_then(|at| last.get(at..)).unwrap_or(last);
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns what stands before and behind a hole on its line, as far as it is looked at.
fn line_around(text: &str, hole: std::ops::Range<usize>) -> (&str, &str) {
    let floor = text.ceil_char_boundary(hole.start.saturating_sub(LINE));
    let ceiling = text.floor_char_boundary(text.len().min(hole.end + LINE));
    let before = text.get(floor..hole.start).unwrap_or("");
    let after = text.get(hole.end..ceiling).unwrap_or("");
    let start = near_last(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let end = near_byte(b'\n', after.as_bytes()).unwrap_or(after.len());
    (&before[start..], &after[..end])
}

/// Says whether the hole only shows how a command is put together: it is the whole command, or a part that may be left out.
fn is_notation(before: &str, after: &str) -> bool {
    let optional = before
        .rfind("[-")
        .is_some_and(|open| before.rfind(']').is_none_or(|close| close < open));
    optional || before.trim_matches([' ', '\t', '>', '$']).is_empty() && after.trim().is_empty()
}

/// Says whether the command itself puts the value in: `gh api` knows the repository it runs in.
fn is_filled_by_command(before: &str, name: &str) -> bool {
    const OWN: &[&str] = &["owner", "repo", "branch"];
    OWN.contains(&name) && before.contains("gh api ")
}

/// Says whether the value is fixed by a key and has no spaces or marks in it.
fn is_harmless(unit: &FileUnit<'_>, name: &str) -> bool {
    let definitions = unit.facts.workflow.map_or(&[][..], |workflow| &workflow.definitions);
    let changes = definitions
        .iter()
        .any(|definition| definition.name == name && !matches!(definition.by, DefinedBy::Key | DefinedBy::Frontmatter));
    let scope = unit.facts.scope(unit);
    let Some(value) = scope.value(name).filter(|value| !value.is_empty() && !changes) else {
        return false;
    };
    let expanded = scope.expand(value);
    let mut rest = expanded.to_string();
    for hole in holes(&expanded, Span::new(unit.document.source.id(), 0, expanded.len()))
        .iter()
        .rev()
    {
        if hole.kind == HoleKind::Single && MADE.contains(&hole.name) {
            rest.replace_range(hole.span.range(), "");
        }
    }
    rest.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_./:@%+=,-".contains(&byte))
}

/// Says whether the fence stands in speech that is shown to a person: a quote opened before it is not closed yet.
fn is_said(source: &Source, markdown: &Markdown, fence: &Fence) -> bool {
    let after = markdown.lines.partition_point(|line| line.start < fence.span.start);
    let lines = markdown.lines.get(after.saturating_sub(SPEECH)..after).unwrap_or(&[]);
    let heading = lines
        .iter()
        .rposition(|line| matches!(line.kind, LineKind::Heading(_)))
        .map_or(0, |at| at + 1);
    let mut open = false;
    for line in lines.get(heading..).unwrap_or(&[]) {
        if matches!(line.kind, LineKind::Code | LineKind::FenceMark | LineKind::Frontmatter) {
            continue;
        }
        let (_, text) = trim(source, line.span(source));
        let closes = text.len() > 1 && text.ends_with(['"', '”']);
        let opens = text.trim_start_matches(['-', '*', '>', ' ']).starts_with(['"', '“']);
        open = (open || opens) && !closes;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::ends_in;

    #[test]
    fn the_last_word_of_a_name_is_told_however_it_is_written() {
        for name in ["story_id", "storyId", "STORY-ID", "id", "ID", "workflow.story_id"] {
            assert!(ends_in(name, &["id"]), "{name}");
        }
        assert!(!ends_in("grid", &["id"]) && !ends_in("identity", &["id"]));
    }
}
