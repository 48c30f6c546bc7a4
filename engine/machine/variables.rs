//! Names in, the values that the run gave them out, and which of these are the configuration's own.
//!
//! Every way to give a name a value takes that mark off, but for the one that sets it: what an agent, a person or a file
//! says is never taken for what the configuration says.

use crate::builtins::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names of a frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables {
    /// Shared, since every lane has them all.
    values: BTreeMap<String, Arc<Value>>,
    /// The names whose values stand in the configuration exactly so.
    configured: BTreeSet<String>,
    /// The names whose values a person or a caller gave, and whether a turn was told all of them.
    received: (Vec<String>, bool),
}

impl Variables {
    /// Returns what a name is.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).map(Arc::as_ref)
    }

    /// Says whether a name has a value.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Says whether the value of a name is the configuration's own.
    pub(super) fn is_configured(&self, name: &str) -> bool {
        self.configured.contains(name)
    }

    /// Gives a name a value.
    pub(super) fn insert(&mut self, name: String, value: Value) {
        self.unmark(&name);
        self.values.insert(name, Arc::new(value));
    }

    /// Gives a name a value; one that is known already is not copied.
    pub(super) fn give(&mut self, name: &str, value: Value) {
        self.unmark(name);
        match self.values.get_mut(name) {
            Some(place) => *place = Arc::new(value),
            None => drop(self.values.insert(name.to_owned(), Arc::new(value))),
        }
    }

    /// Gives a name a value that stands in the configuration exactly so.
    pub(super) fn configure(&mut self, name: &str, value: Value) {
        self.give(name, value);
        self.configured.insert(name.to_owned());
    }

    /// Gives a name the value that a person or a caller says.
    pub(super) fn receive(&mut self, name: String, value: Value) {
        if !self.received.0.contains(&name) {
            self.received.0.push(name.clone());
        }
        self.insert(name, value);
    }

    /// Returns the names whose values a person or a caller gave, and whether a turn was told all of them.
    pub(super) fn received(&self) -> (&[String], bool) {
        (&self.received.0, self.received.1)
    }

    /// Notes that a turn was told everything that was given.
    pub(super) fn note_told(&mut self) {
        self.received.1 = true;
    }

    /// Takes its value from a name.
    pub(super) fn forget(&mut self, name: &str) {
        self.unmark(name);
        self.values.remove(name);
    }

    /// Returns every name with its value, in the order of the alphabet.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.values.iter().map(|(name, value)| (name, value.as_ref()))
    }

    fn unmark(&mut self, name: &str) {
        // Nearly always nothing is marked.
        if !self.configured.is_empty() {
            self.configured.remove(name);
        }
    }
}

impl Extend<(String, Value)> for Variables {
    fn extend<I: IntoIterator<Item = (String, Value)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;
    use crate::builtins::Value;

    #[test]
    fn whatever_gives_a_name_another_value_takes_the_mark_off() {
        let marked = || {
            let mut variables = Variables::default();
            variables.configure("check", Value::from("make"));
            assert!(variables.is_configured("check"));
            variables
        };
        let mut given = marked();
        given.give("check", Value::from("make"));
        let mut inserted = marked();
        inserted.insert("check".to_owned(), Value::from("make"));
        let mut extended = marked();
        extended.extend([("check".to_owned(), Value::from("make"))]);
        for variables in [given, inserted, extended] {
            assert!(!variables.is_configured("check") && variables.contains("check"));
        }
    }
}
