//! Values that enter a shell command without quotes.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::DefinedBy;
use crate::source::{Source, Span};
use crate::syntax::{Fence, Hole, HoleKind, LineKind, Markdown, holes, trim};

pub(super) const RULE: Rule = Rule {
    code: Code("unquoted-shell-value"),
    severity: Severity::Warning,
    summary: "a value enters a shell command without quotes",
    page: include_str!("../../../spec/rules/unquoted-shell-value.md"),
    check: Check::File(check),
};

/// Names whose values the engine itself makes.
const MADE: &[&str] = &[
    "project-root", "project_root", "bmad_folder", "bmad-root", "_bmad", "installed_path", "workflow_path", "workflow-path",
    "skill-root", "skill_root", "skill-name", "module_path", "module-root", "date", "time", "timestamp", "datetime",
    "current_date", "year",
];
/// Last words of names that stand for several words of a command, so that quotes would be wrong.
const SEVERAL: &[&str] = &[
    "args", "arguments", "cmd", "command", "commands", "files", "filenames", "flags", "list", "options", "opts", "packages",
    "parameters", "params", "paths", "patterns", "targets", "tests",
];
/// Last words of names whose values have neither spaces nor marks.
const PLAIN: &[&str] = &[
    "commit", "count", "digest", "hash", "id", "index", "level", "limit", "max", "min", "minutes", "num", "number", "percent",
    "pid", "port", "revision", "seconds", "sha", "size", "timeout", "timestamp", "total", "uuid", "version",
];
/// Names of things that are called by one word.
const IDENTIFIERS: &[&str] = &["agent_name", "branch", "branch_name", "module_code", "module_name", "package_name", "skill_name", "workflow_name"];

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if !document.role.instructs() {
        return;
    }
    let markdown = &document.parsed.markdown;
    for fence in markdown.fences.iter().filter(|fence| is_shell(document.source.slice(fence.language))) {
        if !is_said(&document.source, markdown, fence) {
            fenced(unit, fence, findings);
        }
    }
}

fn is_shell(language: &str) -> bool {
    matches!(language.trim(), "bash" | "sh" | "shell" | "zsh")
}

fn fenced(unit: &FileUnit<'_>, fence: &Fence, findings: &mut Findings) {
    let source = &unit.document.source;
    let text = source.slice(fence.body);
    let found = holes(text, fence.body);
    if found.is_empty() {
        return;
    }
    for hole in bare(text, fence.body.start, &found) {
        let at = (hole.span.start - fence.body.start) as usize;
        if !is_value(hole) || is_notation(text, at, hole) || is_harmless(unit, &hole.name) {
            continue;
        }
        let written = source.slice(hole.span);
        let plain = ends_in(&hole.name, PLAIN) || IDENTIFIERS.iter().any(|name| name.eq_ignore_ascii_case(&hole.name));
        let severity = if plain { Severity::Info } else { Severity::Warning };
        let found = findings.add_as(severity, hole.span, format!("`{written}` enters a command without quotes"));
        found.help = Some(format!("a space or a `;` in its value changes the command; write `\"{written}\"`"));
        found.fix = Some(Fix {
            title: "put quotes around the value".to_owned(),
            edits: vec![Edit { span: hole.span, text: format!("\"{written}\"") }],
            safe: false,
        });
    }
}

fn is_value(hole: &Hole) -> bool {
    matches!(hole.kind, HoleKind::Single | HoleKind::Double) && !MADE.contains(&hole.name.as_str()) && !ends_in(&hole.name, SEVERAL)
}

/// Says whether the last word of a name is one of these: `story_id`, `storyId` and `STORY-ID` end in `id`.
fn ends_in(name: &str, words: &[&str]) -> bool {
    let last = name.rsplit(['_', '-', '.', ' ']).next().unwrap_or(name);
    let hump = last.rfind(|letter: char| letter.is_ascii_uppercase()).filter(|at| *at > 0 && !last.bytes().all(|byte| byte.is_ascii_uppercase()));
    let word = hump.and_then(|at| last.get(at..)).unwrap_or(last);
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Says whether the hole only shows how a command is put together: it is the whole command, or a part that may be left out.
fn is_notation(text: &str, at: usize, hole: &Hole) -> bool {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    let end = text.get(at..).and_then(|after| after.find('\n')).map_or(text.len(), |newline| at + newline);
    let before = text.get(start..at).unwrap_or("");
    let after = text.get(at + hole.span.len()..end).unwrap_or("");
    let optional = before.rfind("[-").is_some_and(|open| before.rfind(']').is_none_or(|close| close < open));
    optional || before.trim_matches([' ', '\t', '>', '$']).is_empty() && after.trim().is_empty()
}

/// Says whether the value is fixed by a key and has no spaces or marks in it.
fn is_harmless(unit: &FileUnit<'_>, name: &str) -> bool {
    let definitions = unit.facts.workflow.map_or(&[][..], |workflow| &workflow.definitions);
    let changes = definitions.iter().any(|definition| definition.name == name && !matches!(definition.by, DefinedBy::Key | DefinedBy::Frontmatter));
    let scope = unit.facts.scope(unit);
    let Some(value) = scope.value(name).filter(|value| !value.is_empty() && !changes) else {
        return false;
    };
    let expanded = scope.expand(value);
    let mut rest = expanded.clone();
    for hole in holes(&expanded, Span::new(unit.document.source.id(), 0, expanded.len())).iter().rev() {
        if hole.kind == HoleKind::Single && MADE.contains(&hole.name.as_str()) {
            rest.replace_range(hole.span.range(), "");
        }
    }
    rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./:@%+=,-".contains(&byte))
}

/// Says whether the fence stands in speech that is shown to a person: a quote opened before it is not closed yet.
fn is_said(source: &Source, markdown: &Markdown, fence: &Fence) -> bool {
    let after = markdown.lines.partition_point(|line| line.span.start < fence.span.start);
    let lines = markdown.lines.get(..after).unwrap_or(&[]);
    let heading = lines.iter().rposition(|line| matches!(line.kind, LineKind::Heading(_))).map_or(0, |at| at + 1);
    let mut open = false;
    for line in lines.get(heading..).unwrap_or(&[]) {
        if matches!(line.kind, LineKind::Code | LineKind::FenceMark | LineKind::Frontmatter) {
            continue;
        }
        let (_, text) = trim(source, line.span);
        let closes = text.len() > 1 && text.ends_with(['"', '”']);
        let opens = text.trim_start_matches(['-', '*', '>', ' ']).starts_with(['"', '“']);
        open = (open || opens) && !closes;
    }
    open
}

/// What the shell is inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A command; `$(…)`, `(…)` and backticks begin one anew.
    Command,
    /// Single quotes.
    Single,
    /// Double quotes.
    Double,
    /// Backticks.
    Backtick,
    /// `$((…))`.
    Sum,
}

/// Keeps the holes that stand outside quotes, comments, sums and here-documents.
fn bare<'a>(text: &str, start: u32, found: &'a [Hole]) -> Vec<&'a Hole> {
    let mut shell = Shell { text, at: 0, modes: vec![Mode::Command], document: None };
    let mut kept = Vec::new();
    for hole in found {
        let at = (hole.span.start - start) as usize;
        shell.run_to(at);
        if shell.at > at {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let escaped = text.get(..at).is_some_and(|before| before.ends_with("\\\""));
        let marked = escaped || before.is_some_and(|byte| b"@%#^$\\".contains(byte));
        if !marked && matches!(shell.mode(), Mode::Command | Mode::Backtick) {
            kept.push(hole);
        }
        shell.at = at + hole.span.len();
    }
    kept
}

/// A shell that reads a script up to a place.
struct Shell<'a> {
    text: &'a str,
    at: usize,
    modes: Vec<Mode>,
    /// The mark that ends the here-document which begins on the next line.
    document: Option<&'a str>,
}

impl<'a> Shell<'a> {
    fn mode(&self) -> Mode {
        self.modes.last().copied().unwrap_or(Mode::Command)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Reads up to `end`, or past it where it lies in a comment or a here-document.
    fn run_to(&mut self, end: usize) {
        let bytes = self.text.as_bytes();
        while self.at < end {
            let Some(byte) = bytes.get(self.at).copied() else { return };
            let previous = self.at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b'\n');
            self.at += 1;
            if byte == b'\n' && self.document.is_some() {
                self.skip_document();
                continue;
            }
            match self.mode() {
                Mode::Single if byte == b'\'' => self.close(),
                Mode::Single => {}
                Mode::Double => self.quoted(byte),
                Mode::Sum if byte == b')' && previous == b')' => self.close(),
                Mode::Sum => {}
                Mode::Command | Mode::Backtick => self.command(byte, previous),
            }
        }
    }

    fn quoted(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 1,
            b'"' => self.close(),
            b'$' => self.dollar(),
            b'`' => self.modes.push(Mode::Backtick),
            _ => {}
        }
    }

    fn command(&mut self, byte: u8, previous: u8) {
        match byte {
            b'\\' => self.at += 1,
            b'\'' => self.modes.push(Mode::Single),
            b'"' => self.modes.push(Mode::Double),
            b'$' => self.dollar(),
            b'(' => self.modes.push(Mode::Command),
            b')' if self.mode() == Mode::Command => self.close(),
            b'`' if self.mode() == Mode::Backtick => self.close(),
            b'`' => self.modes.push(Mode::Backtick),
            b'#' if previous.is_ascii_whitespace() || previous == b';' => {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            }
            b'<' if self.rest().starts_with("<<") => self.at += 2,
            b'<' if self.rest().starts_with('<') => self.announce(),
            _ => {}
        }
    }

    fn dollar(&mut self) {
        if self.rest().starts_with("((") {
            self.at += 2;
            self.modes.push(Mode::Sum);
        } else if self.rest().starts_with('(') {
            self.at += 1;
            self.modes.push(Mode::Command);
        }
    }

    /// Leaves the innermost mode; the outermost stays.
    fn close(&mut self) {
        if self.modes.len() > 1 {
            self.modes.pop();
        }
    }

    /// Reads the mark after `<<`.
    fn announce(&mut self) {
        self.at += 1;
        let rest = self.rest().trim_start_matches('-').trim_start_matches([' ', '\t', '\'', '"', '\\']);
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        self.document = rest.get(..length).filter(|mark| !mark.is_empty());
        self.at = self.text.len() - rest.len() + length;
        if self.rest().starts_with(['\'', '"']) {
            self.at += 1;
        }
    }

    /// Goes on after the here-document, or to the end where it has none.
    fn skip_document(&mut self) {
        let Some(mark) = self.document.take() else { return };
        for line in self.rest().split_inclusive('\n') {
            self.at += line.len();
            if line.trim_matches(|letter: char| letter == '>' || letter.is_whitespace()) == mark {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{bare, ends_in};
    use crate::source::{SourceId, Span};
    use crate::syntax::holes;

    fn names(script: &str) -> Vec<String> {
        let found = holes(script, Span::new(SourceId(0), 0, script.len()));
        bare(script, 0, &found).into_iter().map(|hole| hole.name.clone()).collect()
    }

    #[test]
    fn quotes_comments_and_sums_keep_a_value_together() {
        assert_eq!(names("cp \"{a}\" '{b}' {c} # {d}\necho $(({e} + 1)) {f}"), ["c", "f"]);
    }

    #[test]
    fn a_command_inside_quotes_begins_anew() {
        assert_eq!(names("x=\"$(run \"{a}\" {b})\" && echo \"{c}\" {d}"), ["b", "d"]);
        assert_eq!(names("x=\"`run {a}`\" y=\"{b}\""), ["a"]);
    }

    #[test]
    fn quotes_reach_over_lines() {
        assert_eq!(names("sh -c '\n  echo {a}\n' {b}"), ["b"]);
        assert_eq!(names("sh -c 'run \"'\"{a}\"'\" x' {b}"), ["b"]);
    }

    #[test]
    fn the_text_of_a_here_document_is_no_command() {
        assert_eq!(names("cat > x <<'EOF'\n{a} it's\nEOF\nrm {b}"), ["b"]);
        assert_eq!(names("cat <<-END | grep {a}\n{b}\n\tEND\nrm {c}"), ["a", "c"]);
        assert_eq!(names("grep x <<< {a}\nrm {b}"), ["a", "b"]);
        assert_eq!(names("cat <<EOF\n{a}"), [""; 0]);
    }

    #[test]
    fn braces_that_belong_to_another_tool_are_no_values() {
        assert_eq!(names("git log HEAD@{upstream} --format=%{refname} x^{tree} ${HOME} \\\"{b}\\\" {a}"), ["a"]);
    }

    #[test]
    fn anything_can_be_read_as_a_script() {
        for script in ["'", "\"", "$(", "`", "<<", "<<'", "<<-\n{a}", "))){a}", "\\", "é<<é\n{a}", "#", "$(("] {
            names(script);
        }
    }

    #[test]
    fn the_last_word_of_a_name_is_told_however_it_is_written() {
        for name in ["story_id", "storyId", "STORY-ID", "id", "ID", "workflow.story_id"] {
            assert!(ends_in(name, &["id"]), "{name}");
        }
        assert!(!ends_in("grid", &["id"]) && !ends_in("identity", &["id"]));
    }
}
