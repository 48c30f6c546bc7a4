//! The names that are defined for a file, and what a name that is not among them may mean.

use crate::diagnostic::{first_nearest, fold};
use crate::lint::FileUnit;
use crate::model::{DefinedBy, Definition, is_system};
use crate::source::{QuickMap, QuickSet};
use crate::syntax::Hole;
use std::cell::{Cell, OnceCell};

/// How many names are worth being looked up otherwise than one by one.
const MANY: usize = 64;
/// How many names may be compared for suggestions in one file.
const COMPARED: usize = 250_000;
/// From how many letters on a name may be a near miss.
const SHORTEST: usize = 4;

/// The names that are defined for one file.
pub(super) struct Names<'u, 'a> {
    unit: &'u FileUnit<'a>,
    all: Vec<&'a str>,
    /// All of them, where they are many.
    many: OnceCell<QuickSet<&'a str>>,
    /// The definitions of the workflow, by name.
    definitions: OnceCell<QuickMap<&'a str, Vec<&'a Definition>>>,
    /// The names that are read in any case, in small letters.
    free: OnceCell<QuickSet<String>>,
    /// The first name in the alphabet of those that are compared as one.
    folded: OnceCell<QuickMap<String, &'a str>>,
    compared: Cell<usize>,
}

impl<'u, 'a> Names<'u, 'a> {
    /// Collects the names that are defined for a file.
    pub(super) fn of(unit: &'u FileUnit<'a>) -> Self {
        let mut all: Vec<&str> = Vec::new();
        for module in &unit.subject.library.modules {
            all.extend(module.keys.iter().map(|key| key.name.as_str()));
        }
        if let Some(workflow) = unit.facts.workflow {
            all.extend(workflow.names());
        }
        let matter = unit.document.parsed.frontmatter.as_ref();
        if let Some(data) = matter.and_then(|matter| matter.data.as_ref()) {
            all.extend(data.pairs().iter().map(|pair| pair.key.as_str()));
        }
        Self {
            unit,
            all,
            many: OnceCell::new(),
            definitions: OnceCell::new(),
            free: OnceCell::new(),
            folded: OnceCell::new(),
            compared: Cell::new(0),
        }
    }

    /// Says whether nothing is defined.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Says whether a name, or what it is a part of, is defined.
    pub(super) fn knows(&self, name: &str) -> bool {
        let first = memchr::memchr(b'.', name.as_bytes()).map(|dot| &name[..dot]);
        is_system(name) || self.has(name) || first.is_some_and(|first| self.has(first))
    }

    fn has(&self, name: &str) -> bool {
        if name.starts_with("next") && !self.leads_here(name) {
            return false;
        }
        if self.all.len().min(self.unit.facts.holes.len()) <= MANY {
            return self.all.contains(&name);
        }
        let many = self.many.get_or_init(|| self.all.iter().copied().collect());
        many.contains(name)
    }

    /// Says whether a name that leads to the next step is defined for this file: that of another step file is not.
    fn leads_here(&self, name: &str) -> bool {
        let Some(workflow) = self.unit.facts.workflow else {
            return true;
        };
        let own = self.unit.document.source.id();
        let mut named = workflow
            .definitions
            .iter()
            .filter(|definition| definition.name == name)
            .peekable();
        named.peek().is_none()
            || named.any(|definition| workflow.is_shared(definition) || definition.span.source == own)
    }

    /// Says whether a name is a known one in large letters, as prose writes it.
    pub(super) fn is_shouted(&self, name: &str) -> bool {
        let is_free = |name: &&&str| !self.is_bound(name);
        let free = || self.all.iter().filter(is_free).map(|name| name.to_ascii_lowercase());
        name.chars().any(char::is_uppercase)
            && !self.all.contains(&name)
            && self
                .free
                .get_or_init(|| free().collect())
                .contains(&name.to_ascii_lowercase())
    }

    /// Finds the name that another one is a near miss of.
    pub(super) fn near(&self, name: &str) -> Option<&'a str> {
        self.same(name).or_else(|| {
            let compared = self.compared.get() + self.all.len();
            self.compared.set(compared);
            let others = self.all.iter().copied().filter(|other| *other != name);
            (compared <= COMPARED).then(|| first_nearest(name, others))?
        })
    }

    /// Finds the name of the same letters.
    fn same(&self, name: &str) -> Option<&'a str> {
        // To fold all of them is worth it where more than a few are asked for.
        if self.all.len() <= MANY || name.chars().count() < SHORTEST {
            return None;
        }
        let folded = self.folded.get_or_init(|| {
            let mut folded: QuickMap<String, &str> = QuickMap::default();
            for name in &self.all {
                let first = folded.entry(fold(name)).or_insert(name);
                *first = (*first).min(name);
            }
            folded
        });
        folded.get(&fold(name)).copied().filter(|same| *same != name)
    }

    /// Finds the name that calls the same thing a file where this one calls it a path, or the other way round.
    pub(super) fn twin(&self, name: &str) -> Option<&'a str> {
        const ENDS: &[(&str, &str)] = &[("File", "Path"), ("_file", "_path"), ("-file", "-path")];
        if !name.ends_with("ile") && !name.ends_with("ath") || self.compared.get() > COMPARED {
            return None;
        }
        let turned = ENDS.iter().flat_map(|(file, path)| [(*file, *path), (*path, *file)]);
        turned.into_iter().find_map(|(end, other)| {
            let thing = name.strip_suffix(end).filter(|thing| !thing.is_empty())?;
            let mut all = self.all.iter().copied();
            all.find(|known| known.strip_suffix(other) == Some(thing))
        })
    }

    /// Says whether a hole stands in the value of the very name it is close to: there it says that the caller gives the
    /// value.
    pub(super) fn defines(&self, near: &str, hole: &Hole) -> bool {
        let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
        let mut own = self.definitions(near).iter();
        own.any(|definition| definition.value_span.contains(hole.span))
            || plain(near) == plain(hole.name) && !self.is_bound(near)
    }

    /// Says whether a tag gives a name its value: such a name is read by its own letters alone.
    fn is_bound(&self, name: &str) -> bool {
        let binds = |by: DefinedBy| matches!(by, DefinedBy::Answer | DefinedBy::Result | DefinedBy::Loop);
        let mut own = self.definitions(name).iter();
        own.any(|definition| binds(definition.by) || self.is_set(definition))
    }

    /// Says whether a `<set>` gives the value, and no sentence: of a tag the name alone is noted.
    fn is_set(&self, definition: &Definition) -> bool {
        definition.by == DefinedBy::Assignment && self.unit.subject.library.slice(definition.span) == definition.name
    }

    /// Returns what the workflow defines under a name.
    fn definitions(&self, name: &str) -> &[&'a Definition] {
        let by_name = self.definitions.get_or_init(|| {
            let mut by_name: QuickMap<&str, Vec<&Definition>> = QuickMap::default();
            let workflow = self.unit.facts.workflow;
            for definition in workflow.iter().flat_map(|workflow| &workflow.definitions) {
                by_name.entry(&definition.name).or_default().push(definition);
            }
            by_name
        });
        by_name.get(name).map_or(&[], Vec::as_slice)
    }
}
