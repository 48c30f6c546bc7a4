//! `{x}` that nothing defines, where its value is needed or where it is a near miss of a name that is defined.

use crate::diagnostic::{Code, Edit, Fix, Severity, first_nearest};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Resolution, is_system};
use crate::source::{QuickMap, Span};
use crate::syntax::{Hole, HoleKind};

pub(super) const RULE: Rule = Rule {
    code: Code("undefined-variable"),
    severity: Severity::Error,
    summary: "a variable is used and nothing defines it",
    page: include_str!("../../../spec/rules/undefined-variable.md"),
    check: Check::File(check),
};

/// How many names are worth being looked up otherwise than one by one.
const MANY: usize = 64;

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let role = unit.document.role;
    if !role.instructs() && unit.facts.workflow.is_none() {
        return;
    }
    let known = known(unit);
    if known.is_empty() {
        return;
    }
    let mut judged: QuickMap<&str, Verdict<'_>> = QuickMap::default();
    if known.len().min(unit.facts.holes.len()) > MANY {
        judged.extend(known.iter().map(|name| (*name, Verdict::Fine)));
    }
    let mut paths = None;
    for hole in unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single) {
        match judged.entry(hole.name).or_insert_with(|| judge(hole.name, &known)) {
            Verdict::Fine => {}
            Verdict::Undefined { near, told } => {
                let paths = paths.get_or_insert_with(|| open_paths(unit));
                let needed = needs_value(paths, hole);
                report(unit, hole, (*near, needed), told, findings);
            }
        }
    }
}

/// What is known of a name, wherever the file uses it.
enum Verdict<'a> {
    /// Something gives it a value.
    Fine,
    /// Nothing does, unless prose does.
    Undefined {
        /// The defined name that it is a near miss of.
        near: Option<&'a str>,
        /// Whether prose does: asked where something would be said of the name, as files are searched for it.
        told: Option<bool>,
    },
}

fn judge<'a>(name: &str, known: &[&'a str]) -> Verdict<'a> {
    if is_known(name, known) {
        return Verdict::Fine;
    }
    Verdict::Undefined {
        near: first_nearest(name, known.iter().copied()).or_else(|| twin(name, known)),
        told: None,
    }
}

/// Finds the name that calls the same thing a file where this one calls it a path, or the other way round.
fn twin<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    const ENDS: &[(&str, &str)] = &[("File", "Path"), ("_file", "_path"), ("-file", "-path")];
    let turned = ENDS.iter().flat_map(|(file, path)| [(*file, *path), (*path, *file)]);
    turned.into_iter().find_map(|(end, other)| {
        let thing = name.strip_suffix(end).filter(|thing| !thing.is_empty())?;
        known
            .iter()
            .copied()
            .find(|known| known.strip_suffix(other) == Some(thing))
    })
}

/// Reports a name with the one it is a near miss of, or because a path needs it.
fn report(
    unit: &FileUnit<'_>,
    hole: &Hole,
    (near, needed): (Option<&str>, bool),
    told: &mut Option<bool>,
    findings: &mut Findings,
) {
    let near = near.filter(|near| !defines(unit, near, hole));
    if near.is_none() && !needed || *told.get_or_insert_with(|| is_told(unit, hole)) {
        return;
    }
    if let Some(near) = near {
        let found = findings.add(hole.span, format!("`{{{}}}` is not defined", hole.name));
        found.help = Some(format!("did you mean `{{{near}}}`?"));
        found.fix = Some(Fix {
            title: format!("write `{{{near}}}`"),
            edits: vec![Edit {
                span: hole.span,
                text: format!("{{{near}}}"),
            }],
            safe: false,
        });
    } else {
        let found = findings.add_as(
            Severity::Hint,
            hole.span,
            format!("`{{{}}}` is not defined, and a path needs its value", hole.name),
        );
        found.help =
            Some("define it in the workflow's keys or frontmatter, or set it in a step before this one".to_owned());
    }
}

/// Says whether a hole stands in the value of the very name it is close to: there it says that the caller gives the value.
fn defines(unit: &FileUnit<'_>, near: &str, hole: &Hole) -> bool {
    let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
    let own = unit.facts.workflow.is_some_and(|workflow| {
        workflow
            .definitions
            .iter()
            .any(|definition| definition.name == near && definition.value_span.contains(hole.span))
    });
    own || plain(near) == plain(hole.name)
}

/// Collects where the paths stand that a variable decides, in order.
fn open_paths(unit: &FileUnit<'_>) -> Vec<Span> {
    let references = unit.facts.references.iter();
    let mut spans: Vec<Span> = references
        .filter(|reference| reference.resolution == Resolution::Dynamic && reference.text.starts_with('{'))
        .map(|reference| reference.span)
        .collect();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans
}

/// Says whether a path needs the value of a hole.
fn needs_value(paths: &[Span], hole: &Hole) -> bool {
    let after = paths.partition_point(|span| span.start <= hole.span.start);
    // Paths stand side by side; only a key may hold the same one once more.
    let near = &paths[after.saturating_sub(4)..after];
    near.iter().any(|span| span.contains(hole.span))
}

/// Collects the names that are defined for this file.
fn known<'a>(unit: &FileUnit<'a>) -> Vec<&'a str> {
    let library = unit.subject.library;
    let mut names: Vec<&str> = Vec::new();
    for module in &library.modules {
        names.extend(module.keys.iter().map(|key| key.name.as_str()));
    }
    if let Some(workflow) = unit.facts.workflow {
        names.extend(workflow.names());
    }
    let matter = unit
        .document
        .parsed
        .frontmatter
        .as_ref()
        .and_then(|matter| matter.data.as_ref());
    if let Some(data) = matter {
        names.extend(data.pairs().iter().map(|pair| pair.key.as_str()));
    }
    names
}

fn is_known(name: &str, known: &[&str]) -> bool {
    let first = memchr::memchr(b'.', name.as_bytes()).map(|dot| &name[..dot]);
    is_system(name)
        || known.contains(&name)
        || first.is_some_and(|first| known.contains(&first))
        || name.chars().any(char::is_uppercase) && known.iter().any(|other| other.eq_ignore_ascii_case(name))
}

/// Says whether the workflow's files name the variable in another way than in braces: prose defines it.
fn is_told(unit: &FileUnit<'_>, hole: &Hole) -> bool {
    let library = unit.subject.library;
    let own = unit.document.source.id();
    let files = unit.facts.workflow.map_or(&[][..], |workflow| &workflow.files[..]);
    // Most are told in the file that uses them, so that is read first.
    [own]
        .iter()
        .chain(files.iter().filter(|file| **file != own))
        .any(|file| library.document(*file).tells(hole.name))
}
