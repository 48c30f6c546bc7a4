//! The names that are defined for a file, and what a name that is not among them may mean.

use super::roots;
use crate::diagnostic::{first_nearest, fold};
use crate::lint::FileUnit;
use crate::model::{CORE_KEYS, DefinedBy, Definition, Module, Workflow, is_system};
use crate::source::{QuickMap, QuickSet, near_byte};
use crate::syntax::Hole;
use std::cell::{Cell, OnceCell};

/// How many names are worth being looked up otherwise than one by one.
const MANY: usize = 64;
/// How many names may be compared for suggestions in one file.
const COMPARED: usize = 250_000;
/// From how many letters on a name may be a near miss.
const SHORTEST: usize = 4;
/// How often all names are gone through before an order of them is made, which costs as much.
const FEW: usize = 8;

/// The names that are defined for one file.
pub(super) struct Names<'u, 'a> {
    unit: &'u FileUnit<'a>,
    all: Vec<&'a str>,
    /// All of them, where they are many.
    many: OnceCell<QuickSet<&'a str>>,
    /// The definitions of the workflow, by name, where many are asked for.
    definitions: OnceCell<QuickMap<&'a str, Vec<&'a Definition>>>,
    /// How often definitions were gone through.
    defined: Cell<usize>,
    /// The names that are read in any case, in small letters, where many are asked for.
    free: OnceCell<QuickSet<String>>,
    /// How often the names were gone through for one in any case.
    shouted: Cell<usize>,
    /// The first name in the alphabet of those that are compared as one.
    folded: OnceCell<QuickMap<String, &'a str>>,
    compared: Cell<usize>,
}

impl<'u, 'a> Names<'u, 'a> {
    /// Collects the names that are defined for a file.
    pub(super) fn of(unit: &'u FileUnit<'a>) -> Self {
        let modules = &unit.subject.library.modules;
        let matter = unit.document.parsed.frontmatter.as_ref();
        let data = matter.and_then(|matter| matter.data.as_ref());
        let pairs = data.map_or(&[][..], |data| data.pairs());
        let keys: usize = modules.iter().map(|module| module.keys.len()).sum();
        let defined: usize = unit.workflows().map(|workflow| workflow.definitions.len()).sum();
        let mut all: Vec<&str> = Vec::with_capacity(keys + defined + pairs.len());
        for module in modules {
            all.extend(module.keys.iter().map(|key| key.name.as_str()));
        }
        if is_module_alone(unit) {
            all.extend(CORE_KEYS);
        }
        for workflow in unit.workflows() {
            all.extend(workflow.names());
        }
        all.extend(pairs.iter().map(|pair| pair.key.as_str()));
        Self {
            unit,
            all,
            many: OnceCell::new(),
            definitions: OnceCell::new(),
            defined: Cell::new(0),
            free: OnceCell::new(),
            shouted: Cell::new(0),
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
        let first = near_byte(b'.', name.as_bytes()).map(|dot| &name[..dot]);
        is_system(name) || self.has(name) || CORE_KEYS.contains(&name) || first.is_some_and(|first| self.has(first))
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
        let own = self.unit.document.source.id();
        let of = |workflow: &'a Workflow| {
            let all = workflow.definitions.iter();
            all.filter(|definition| definition.name == name)
                .map(move |definition| (workflow, definition))
        };
        let named = || self.unit.workflows().flat_map(of);
        // Where each step has a key of its own, words about it in another one define nothing here.
        let is_of_steps = named().any(|(workflow, definition)| !workflow.is_shared(definition));
        let holds = |(workflow, definition): (&Workflow, &Definition)| {
            let source = definition.span.source;
            let is_word = is_of_steps && definition.by == DefinedBy::Prose && source != workflow.home;
            source == own || workflow.is_shared(definition) && !is_word
        };
        named().next().is_none() || named().any(holds)
    }

    /// Says whether a name is a known one in large letters, as prose writes it.
    pub(super) fn is_shouted(&self, name: &str) -> bool {
        let is_large = name.chars().any(char::is_uppercase) && !self.all.contains(&name);
        is_large && self.is_free(name) && !self.is_in_other_case(name)
    }

    /// Says whether a known name has large letters amid small ones as this one has, but at other places.
    fn is_in_other_case(&self, name: &str) -> bool {
        is_mixed(name) && self.near(name).is_some_and(|near| is_miscased(near, name))
    }

    /// Says whether a name, in any case, is one that is read in any case.
    fn is_free(&self, name: &str) -> bool {
        if is_early(&self.shouted) {
            let mut all = self.all.iter();
            return all.any(|known| known.eq_ignore_ascii_case(name) && !self.is_bound(known));
        }
        let is_free = |name: &&&str| !self.is_bound(name);
        let free = || self.all.iter().filter(is_free).map(|name| name.to_ascii_lowercase());
        let free = self.free.get_or_init(|| free().collect());
        free.contains(&name.to_ascii_lowercase())
    }

    /// Finds the name that another one is a near miss of.
    pub(super) fn near(&self, name: &str) -> Option<&'a str> {
        self.same(name).or_else(|| {
            let compared = self.compared.get() + self.all.len();
            self.compared.set(compared);
            let near = (compared <= COMPARED).then(|| first_nearest(name, self.all.iter().copied()))?;
            near.or_else(|| roots::near(name))
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
            let length = thing.len() + other.len();
            all.find(|known| known.len() == length && known.strip_suffix(other) == Some(thing))
        })
    }

    /// Says whether a hole stands in the value of the very name it is close to: there it says that the caller gives the
    /// value.
    pub(super) fn defines(&self, near: &str, hole: &Hole) -> bool {
        self.defines_so(near, |definition| definition.value_span.contains(hole.span))
    }

    /// Says whether a name differs from the one it is close to only in case and in what joins its words, as a reader may
    /// not mind.
    pub(super) fn is_alike(&self, near: &str, name: &str) -> bool {
        let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
        plain(near) == plain(name) && !self.is_bound(near) && !is_miscased(near, name)
    }

    /// Says whether a tag gives a name its value: such a name is read by its own letters alone.
    fn is_bound(&self, name: &str) -> bool {
        let binds = |by: DefinedBy| matches!(by, DefinedBy::Answer | DefinedBy::Result | DefinedBy::Loop);
        self.defines_so(name, |definition| binds(definition.by) || self.is_set(definition))
    }

    /// Says whether a `<set>` gives the value, and no sentence: of a tag the name alone is noted.
    fn is_set(&self, definition: &Definition) -> bool {
        definition.by == DefinedBy::Assignment && self.unit.subject.library.slice(definition.span) == definition.name
    }

    /// Says whether the workflow defines a name in a certain way.
    fn defines_so(&self, name: &str, is_so: impl Fn(&Definition) -> bool) -> bool {
        let mut all = self.unit.workflows().flat_map(|workflow| &workflow.definitions);
        if is_early(&self.defined) {
            return all.any(|definition| definition.name == name && is_so(definition));
        }
        let by_name = self.definitions.get_or_init(|| {
            let mut by_name: QuickMap<&str, Vec<&Definition>> = QuickMap::default();
            for definition in all {
                by_name.entry(&definition.name).or_default().push(definition);
            }
            by_name
        });
        let mut own = by_name.get(name).into_iter().flatten();
        own.any(|definition| is_so(definition))
    }
}

/// Says whether a name has large letters amid small ones.
fn is_mixed(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && name.chars().any(char::is_lowercase)
}

/// Says whether two names have large letters amid small ones, and differ in where: `nextStepfile` and `nextStepFile`.
fn is_miscased(one: &str, other: &str) -> bool {
    is_mixed(one) && is_mixed(other) && one.eq_ignore_ascii_case(other)
}

/// Says whether a file is part of a module that stands without the core module, which it is installed beside.
fn is_module_alone(unit: &FileUnit<'_>) -> bool {
    let library = unit.subject.library;
    let is_core = |module: &Module| module.code == "core";
    !library.modules.iter().any(is_core) && library.module_of(unit.document.source.path()).is_some()
}

/// Says whether something was done only a few times yet, and counts it.
fn is_early(done: &Cell<usize>) -> bool {
    done.set(done.get() + 1);
    done.get() <= FEW
}
