//! Variables that are defined by each other.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{DefinedBy, Definition, Library, is_system};
use crate::source::{QuickMap, QuickSet};
use crate::syntax::{HoleKind, config_key, holes};

pub(super) const RULE: Rule = Rule {
    code: Code("variable-cycle"),
    severity: Severity::Error,
    summary: "variables are defined by each other in a circle",
    page: include_str!("../../../spec/rules/variable-cycle.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let keys = unit.workflow.definitions.iter().filter(|definition| {
        let set = matches!(definition.by, DefinedBy::Key | DefinedBy::Frontmatter) && definition.value.is_some();
        set && !is_handed_down(library, definition)
    });
    let mut by_file: QuickMap<_, QuickMap<&str, &Definition>> = QuickMap::default();
    for definition in keys {
        by_file
            .entry(definition.span.source)
            .or_default()
            .entry(&definition.name)
            .or_insert(definition);
    }
    let mut files: Vec<_> = by_file.into_iter().collect();
    files.sort_by_key(|(file, _)| *file);
    for (_, defined) in files {
        circles(&defined, findings);
    }
}

/// Says whether a key takes its value from a name of the same name further out, or waits for one: `x: "{x}"`.
fn is_handed_down(library: &Library, definition: &Definition) -> bool {
    let name = definition.name.as_str();
    let value = definition.value.as_deref().map_or("", str::trim);
    let inside = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let bare = inside == Some(name);
    // Most values use no name at all.
    bare || value.contains('{') && (is_system(name) || library.has_config_key(name)) && used(definition).contains(&name)
}

fn circles(defined: &QuickMap<&str, &Definition>, findings: &mut Findings) {
    let mut told: QuickSet<&str> = QuickSet::default();
    let mut starts: Vec<&&Definition> = defined.values().collect();
    starts.sort_by_key(|definition| definition.span);
    for start in starts {
        // What uses no name leads nowhere, and most values use none.
        if !start.value.as_deref().is_some_and(|value| value.contains('{')) {
            continue;
        }
        let Some(chain) = circle(start, defined) else {
            continue;
        };
        if chain.iter().any(|name| !told.insert(name)) {
            continue;
        }
        let shown: Vec<String> = chain
            .iter()
            .chain([&start.name.as_str()])
            .map(|name| format!("`{name}`"))
            .collect();
        findings
            .add(
                start.value_span,
                format!("`{}` is defined by itself: {}", start.name, shown.join(" → ")),
            )
            .help = Some(match chain.len() {
            1 => "give it a value that does not use it".to_owned(),
            _ => "give one of them a value of its own".to_owned(),
        });
    }
}

/// Follows definitions until one leads back to the start; a name that every value uses is followed once.
fn circle<'a>(start: &'a Definition, defined: &QuickMap<&str, &'a Definition>) -> Option<Vec<&'a str>> {
    let mut waiting = vec![(start, vec![start.name.as_str()])];
    let mut seen: QuickSet<&str> = QuickSet::default();
    while let Some((at, chain)) = waiting.pop() {
        for name in used(at) {
            if name == start.name {
                return Some(chain);
            }
            if let Some(next) = defined.get(name)
                && seen.insert(&next.name)
            {
                let mut longer = chain.clone();
                longer.push(&next.name);
                waiting.push((next, longer));
            }
        }
    }
    None
}

fn used(definition: &Definition) -> Vec<&str> {
    let text = definition.value.as_deref().unwrap_or_default();
    if !text.contains('{') || config_key(text).is_some() {
        return Vec::new();
    }
    holes(text, definition.value_span)
        .into_iter()
        .filter(|hole| hole.kind == HoleKind::Single)
        .map(|hole| hole.name)
        .collect()
}
