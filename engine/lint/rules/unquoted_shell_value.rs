//! Values that enter a shell command without quotes.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::{Fence, HoleKind, holes};

pub(super) const RULE: Rule = Rule {
    code: Code("unquoted-shell-value"),
    severity: Severity::Warning,
    summary: "a value enters a shell command without quotes",
    page: include_str!("../../../spec/rules/unquoted-shell-value.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if !unit.document.role.instructs() {
        return;
    }
    let source = &unit.document.source;
    for fence in unit.document.parsed.markdown.fences.iter().filter(|fence| is_shell(source.slice(fence.language))) {
        fenced(unit, fence, findings);
    }
}

fn is_shell(language: &str) -> bool {
    matches!(language.trim(), "bash" | "sh" | "shell" | "zsh")
}

fn fenced(unit: &FileUnit<'_>, fence: &Fence, findings: &mut Findings) {
    let source = &unit.document.source;
    let text = source.slice(fence.body);
    for hole in holes(text, fence.body) {
        if !matches!(hole.kind, HoleKind::Single | HoleKind::Double) || is_path_root(&hole.name) {
            continue;
        }
        let at = (hole.span.start - fence.body.start) as usize;
        if is_bare(text, at) {
            findings
                .add(hole.span, format!("`{}` enters a command without quotes", source.slice(hole.span)))
                .help = Some(format!("a space or a `;` in its value changes the command; write `\"{}\"`", source.slice(hole.span)));
        }
    }
}

/// The engine itself makes these values.
fn is_path_root(name: &str) -> bool {
    matches!(name, "project-root" | "skill-root" | "installed_path" | "date")
}

/// Says whether the place in a command line is outside quotes and comments; `$(…)` quotes anew.
fn is_bare(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let mut quotes: Vec<Option<u8>> = vec![None];
    let mut previous = b' ';
    for byte in text[line..at].bytes() {
        let quote = quotes.last().copied().flatten();
        match (quote, byte) {
            (None, b'#') if previous == b' ' => return false,
            (None | Some(b'"'), b'(') if previous == b'$' => quotes.push(None),
            (None, b')') if quotes.len() > 1 => {
                quotes.pop();
            }
            (None, b'"' | b'\'') => set(&mut quotes, Some(byte)),
            (Some(open), byte) if open == byte => set(&mut quotes, None),
            (None | Some(_), _) => {}
        }
        previous = byte;
    }
    quotes.last().copied().flatten().is_none()
}

fn set(quotes: &mut [Option<u8>], quote: Option<u8>) {
    if let Some(last) = quotes.last_mut() {
        *last = quote;
    }
}
