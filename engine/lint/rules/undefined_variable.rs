//! `{x}` that nothing defines, where its value is needed or where it is a near miss of a name that is defined.

mod list;

use crate::diagnostic::{Code, Edit, Fix, Severity, first_nearest};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{DefinedBy, Definition, Resolution, is_system};
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
    if role.instructs() {
        list::check(unit, &known, findings);
    }
    if known.is_empty() {
        return;
    }
    let mut judged: QuickMap<&str, Verdict<'_>> = QuickMap::default();
    if known.len().min(unit.facts.holes.len()) > MANY {
        judged.extend(known.iter().map(|name| (*name, Verdict::Fine)));
    }
    let mut paths = None;
    for hole in unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single) {
        match judged
            .entry(hole.name)
            .or_insert_with(|| judge(unit, hole.name, &known))
        {
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

fn judge<'a>(unit: &FileUnit<'_>, name: &str, known: &[&'a str]) -> Verdict<'a> {
    if is_known(name, known) || is_shouted(unit, name, known) {
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
    if near.is_none() && !needed || *told.get_or_insert_with(|| is_told(unit, hole.name)) {
        return;
    }
    if let Some(near) = near {
        misspelt(hole.span, hole.name, near, findings);
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

fn misspelt(span: Span, name: &str, near: &str, findings: &mut Findings) {
    let found = findings.add(span, format!("`{{{name}}}` is not defined"));
    found.help = Some(format!("did you mean `{{{near}}}`?"));
    found.fix = Some(Fix {
        title: format!("write `{{{near}}}`"),
        edits: vec![Edit {
            span,
            text: format!("{{{near}}}"),
        }],
        safe: false,
    });
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
    own || plain(near) == plain(hole.name) && !is_bound(unit, near)
}

/// Says whether a tag gives a name its value: such a name is read by its own letters alone.
fn is_bound(unit: &FileUnit<'_>, name: &str) -> bool {
    let binds = |by: DefinedBy| matches!(by, DefinedBy::Answer | DefinedBy::Result | DefinedBy::Loop);
    unit.facts.workflow.is_some_and(|workflow| {
        let mut own = workflow.definitions.iter().filter(|definition| definition.name == name);
        own.any(|definition| binds(definition.by) || is_set(unit, definition))
    })
}

/// Says whether a `<set>` gives the value, and no sentence: of a tag the name alone is noted.
fn is_set(unit: &FileUnit<'_>, definition: &Definition) -> bool {
    definition.by == DefinedBy::Assignment && unit.subject.library.slice(definition.span) == definition.name
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
    is_system(name) || known.contains(&name) || first.is_some_and(|first| known.contains(&first))
}

/// Says whether a name is a known one in large letters, as prose writes it.
fn is_shouted(unit: &FileUnit<'_>, name: &str, known: &[&str]) -> bool {
    let is_it = |other: &&&str| other.eq_ignore_ascii_case(name);
    name.chars().any(char::is_uppercase) && known.iter().filter(is_it).any(|other| !is_bound(unit, other))
}

/// Says whether the workflow's files name the variable in another way than in braces: prose defines it.
fn is_told(unit: &FileUnit<'_>, name: &str) -> bool {
    let library = unit.subject.library;
    let own = unit.document.source.id();
    let files = unit.facts.workflow.map_or(&[][..], |workflow| &workflow.files[..]);
    // Most are told in the file that uses them, so that is read first.
    [own]
        .iter()
        .chain(files.iter().filter(|file| **file != own))
        .any(|file| library.document(*file).tells(name))
}
