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

/// Returns the files with a key whose value uses the name of the key itself or of one behind it; in no other there is a
/// circle.
fn open_files(keys: &[&Definition]) -> QuickSet<SourceId> {
    let mut files = QuickSet::default();
    // The keys of a file stand together; where they do not, it is taken for open.
    let mut seen: QuickSet<SourceId> = QuickSet::default();
    for own in keys.chunk_by(|one, next| one.span.source == next.span.source) {
        let Some(file) = own.first().map(|first| first.span.source) else {
            continue;
        };
        let names: Vec<&str> = own.iter().map(|key| key.name.as_str()).collect();
        let is_open = !seen.insert(file) || leads_on(&names, |at| used(own[at]));
        files.extend(is_open.then_some(file));
    }
    files
}

/// Says whether one of some keys uses its own name or that of a later one: in every circle one does, and most keys use only
/// what stands before them.
fn leads_on<'a, U: Iterator<Item = &'a str>>(names: &[&'a str], used: impl Fn(usize) -> U) -> bool {
    if names.len() <= FEW {
        return (0..names.len()).any(|at| used(at).any(|name| names[at..].contains(&name)));
    }
    let lasts: QuickMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let is_later = |at: usize, name: &str| lasts.get(name).is_some_and(|last| *last >= at);
    (0..names.len()).any(|at| used(at).any(|name| is_later(at, name)))
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

#[cfg(test)]
mod tests {
    use super::{FEW, leads_on};
    use crate::source::Dice;

    /// Follows every name to the first key that is called so, until one comes back to where it began.
    fn go_round(names: &[&str], used: &[Vec<&str>]) -> bool {
        let next = |at: usize| {
            used[at]
                .iter()
                .filter_map(|name| names.iter().position(|own| own == name))
        };
        (0..names.len()).any(|start| {
            let (mut seen, mut waiting) = (vec![false; names.len()], vec![start]);
            while let Some(at) = waiting.pop() {
                for to in next(at) {
                    if to == start {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[to], true) {
                        waiting.push(to);
                    }
                }
            }
            false
        })
    }

    #[test]
    fn keys_that_go_round_lead_on() {
        let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let mut dice = Dice(5);
        let (mut round, mut straight) = (0, 0);
        for turn in 0..4_000 {
            // Many keys are looked up in another way; those that come first here use nothing.
            let before = if turn % 2 == 0 { 0 } else { FEW };
            let count = before + dice.roll(6);
            let names: Vec<&str> = (0..count)
                .map(|at| if at < before { "x" } else { dice.pick(&letters) })
                .collect();
            let mut uses = |at: usize| {
                (0..dice.roll(2) * usize::from(at >= before))
                    .map(|_| dice.pick(&letters))
                    .collect()
            };
            let used: Vec<Vec<&str>> = (0..count).map(&mut uses).collect();
            let leads_on = leads_on(&names, |at| used[at].iter().copied());
            let goes_round = go_round(&names, &used);
            assert!(leads_on || !goes_round, "{names:?} {used:?}");
            round += usize::from(goes_round);
            straight += usize::from(!leads_on);
        }
        assert!(round > 100 && straight > 100, "{round} {straight}");
    }
}
