//! Variables that are defined by each other.

use crate::diagnostic::{Code, Severity};
use crate::graph::groups;
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{DefinedBy, Definition, Library, is_system};
use crate::source::{QuickMap, QuickSet, SourceId};
use crate::syntax::{HoleKind, config_key, each_hole};

pub(super) const RULE: Rule = Rule {
    code: Code("variable-cycle"),
    severity: Severity::Error,
    summary: "variables are defined by each other in a circle",
    page: include_str!("../../../spec/rules/variable-cycle.md"),
    check: Check::Workflow(check),
};

/// How many names are compared with each that is used.
const FEW: usize = 64;

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let keys: Vec<&Definition> = unit.workflow.definitions.iter().filter(is_key).collect();
    let files = open_files(&keys);
    if files.is_empty() {
        return;
    }
    let keys = keys
        .into_iter()
        .filter(|key| files.contains(&key.span.source) && !is_handed_down(library, key));
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

/// Says whether a definition is a key with a value.
fn is_key(definition: &&Definition) -> bool {
    matches!(definition.by, DefinedBy::Key | DefinedBy::Frontmatter) && definition.value.is_some()
}

/// Returns the files with a key whose value uses the name of a key of the same file; in no other there is a circle.
fn open_files(keys: &[&Definition]) -> QuickSet<SourceId> {
    let mut files = QuickSet::default();
    // The keys of a file stand together; where they do not, it is taken for open.
    let mut seen: QuickSet<SourceId> = QuickSet::default();
    for own in keys.chunk_by(|one, next| one.span.source == next.span.source) {
        let Some(file) = own.first().map(|first| first.span.source) else {
            continue;
        };
        let is_open = !seen.insert(file) || uses_its_own(own);
        files.extend(is_open.then_some(file));
    }
    files
}

/// Says whether a key of a file uses the name of one of them.
fn uses_its_own(own: &[&Definition]) -> bool {
    let mut used = own.iter().flat_map(|definition| used(definition));
    if own.len() <= FEW {
        return used.any(|name| own.iter().any(|definition| definition.name == name));
    }
    let names: QuickSet<&str> = own.iter().map(|definition| definition.name.as_str()).collect();
    used.any(|name| names.contains(name))
}

/// Says whether a key takes its value from a name of the same name further out, or waits for one: `x: "{x}"`.
fn is_handed_down(library: &Library, definition: &Definition) -> bool {
    let name = definition.name.as_str();
    let value = definition.value.as_deref().map_or("", str::trim);
    let inside = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let bare = inside == Some(name);
    // Most values use no name at all.
    bare || value.contains('{')
        && (is_system(name) || library.has_config_key(name))
        && used(definition).any(|used| used == name)
}

fn circles(defined: &QuickMap<&str, &Definition>, findings: &mut Findings) {
    let mut starts: Vec<&Definition> = defined.values().copied().collect();
    starts.sort_by_key(|definition| definition.span);
    let uses = Uses::of(&starts);
    let mut told: QuickSet<usize> = QuickSet::default();
    for (at, start) in starts.iter().enumerate() {
        if told.contains(&at) {
            continue;
        }
        let Some(chain) = uses.circle(at) else {
            continue;
        };
        if chain.iter().any(|link| !told.insert(*link)) {
            continue;
        }
        let shown: Vec<String> = chain
            .iter()
            .chain([&at])
            .map(|link| format!("`{}`", starts[*link].name))
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

/// Which definitions use which, by position.
struct Uses {
    /// Those that each of them uses.
    next: Vec<Vec<usize>>,
    /// Definitions that lead to each other have the same number, and no others have.
    groups: Vec<usize>,
}

impl Uses {
    fn of(definitions: &[&Definition]) -> Self {
        let named = definitions.iter().map(|definition| definition.name.as_str());
        let places: QuickMap<&str, usize> = named.zip(0..).collect();
        let used_by =
            |definition: &&Definition| used(definition).filter_map(|name| places.get(name)).copied().collect();
        let next: Vec<Vec<usize>> = definitions.iter().map(used_by).collect();
        Self {
            groups: groups(&next),
            next,
        }
    }

    /// Follows definitions until one leads back to the start; only those of its own group can.
    fn circle(&self, start: usize) -> Option<Vec<usize>> {
        let mut from: QuickMap<usize, usize> = QuickMap::default();
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for to in &self.next[at] {
                if *to == start {
                    let mut chain: Vec<usize> = std::iter::successors(Some(at), |at| from.get(at).copied()).collect();
                    chain.reverse();
                    return Some(chain);
                }
                if self.groups[*to] == self.groups[start] && !from.contains_key(to) {
                    from.insert(*to, at);
                    waiting.push(*to);
                }
            }
        }
        None
    }
}

fn used(definition: &Definition) -> impl Iterator<Item = &str> {
    let value = definition.value.as_deref();
    let text = value.filter(|text| config_key(text).is_none()).unwrap_or_default();
    each_hole(text)
        .filter(|(kind, _, _)| *kind == HoleKind::Single)
        .map(|(_, name, _)| name)
}
