//! The steps of a workflow that are done, in the order they were done.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
use std::sync::Arc;

/// Steps that are done, each once: labels or file names, as a document has them. A copy shares what it is copied from.
///
/// Recorded as the last of them: the records before tell the others, and a record stays as short as the first.
#[derive(Debug, Clone, Default)]
pub struct DoneSteps {
    order: Arc<Vec<String>>,
    known: Arc<HashSet<String>>,
}

impl DoneSteps {
    /// Adds a step, unless it was done before.
    pub fn add(&mut self, name: String) {
        if self.known.contains(&name) {
            return;
        }
        Arc::make_mut(&mut self.known).insert(name.clone());
        Arc::make_mut(&mut self.order).push(name);
    }

    /// Returns the steps, the first that was done first.
    pub fn names(&self) -> &[String] {
        &self.order
    }

    /// Says whether no step is done.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

impl PartialEq for DoneSteps {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for DoneSteps {}

impl Serialize for DoneSteps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.order.last().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DoneSteps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut steps = Self::default();
        if let Some(last) = Option::deserialize(deserializer)? {
            steps.add(last);
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::DoneSteps;

    fn of(names: &[&str]) -> DoneSteps {
        let mut steps = DoneSteps::default();
        names.iter().for_each(|name| steps.add((*name).to_owned()));
        steps
    }

    #[test]
    fn a_step_that_is_done_twice_is_listed_once() {
        assert_eq!(of(&["1", "2", "1"]).names(), ["1", "2"]);
    }

    #[test]
    fn a_copy_does_not_see_what_is_done_later() {
        let mut steps = of(&["1"]);
        let copy = steps.clone();
        steps.add("2".to_owned());
        assert_eq!(copy.names(), ["1"]);
    }

    #[test]
    fn a_record_does_not_grow_with_the_steps_before_it() {
        let written = serde_json::to_string(&of(&["1", "2", "3"])).unwrap();
        assert_eq!(written, "\"3\"");
        assert_eq!(serde_json::from_str::<DoneSteps>(&written).unwrap(), of(&["3"]));
    }
}
