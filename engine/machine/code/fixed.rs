//! The definitions of a workflow in, the values out that no step has to give first.

use crate::model::{DefinedBy, Definition, Workflow};
use std::collections::HashMap;

/// Returns what keys, frontmatter and lists of prose define; what steps assign counts only once they did. The first of a
/// name wins, and prose comes last.
pub(super) fn fixed(workflow: &Workflow) -> HashMap<&str, &str> {
    let is_fixed = |by| matches!(by, DefinedBy::Key | DefinedBy::Frontmatter | DefinedBy::Prose);
    let definitions = workflow.definitions.iter();
    let definitions = definitions.filter(|definition| is_fixed(definition.by) && workflow.is_shared(definition));
    let mut found: Vec<&Definition> = definitions.collect();
    found.sort_by_key(|definition| definition.by == DefinedBy::Prose);
    let pairs = found.into_iter().rev();
    pairs
        .filter_map(|definition| Some((definition.name.as_str(), definition.value.as_deref()?)))
        .collect()
}
