//! Names that nobody gave a value yet: what they are by default, or nothing.

use super::known::Known;
use crate::builtins::Value;
use crate::model::{DefinedBy, Definition, Input};

impl Known<'_, '_> {
    /// Returns what an input of the task is by default whose part or protocol runs in the scope of another workflow.
    pub(super) fn of_part(&self, name: &str) -> Option<Value> {
        if self.frame.workflow == self.frame.scope {
            return None;
        }
        let inputs = &self.image.workflows[self.frame.workflow].inputs;
        let input = inputs.iter().find(|input| input.name == name)?;
        input.default.clone().map(Value::Text)
    }

    /// Returns nothing for an input that may be left out.
    pub(super) fn not_given(&self, name: &str) -> Option<Value> {
        let inputs = &self.image.workflows[self.frame.scope].inputs;
        let is_it = |input: &Input| input.name == name && !input.required;
        inputs.iter().any(is_it).then_some(Value::Nothing)
    }

    /// Returns nothing for a name that a tag binds which was not come to, where tags leave nothing to guess.
    pub(super) fn not_bound(&self, name: &str) -> Option<Value> {
        if self.opens || !self.image.code(self.frame.workflow).strict {
            return None;
        }
        let definitions = &self.image.workflows[self.frame.workflow].definitions;
        let own = || definitions.iter().filter(|definition| definition.name == name);
        // The slot of a section waits for it.
        (own().any(is_bound) && own().all(|own| own.by != DefinedBy::Section)).then_some(Value::Nothing)
    }
}

/// Says whether a tag binds a name.
fn is_bound(definition: &Definition) -> bool {
    match definition.by {
        DefinedBy::Assignment | DefinedBy::Answer | DefinedBy::Loop | DefinedBy::Result => true,
        DefinedBy::Key
        | DefinedBy::Frontmatter
        | DefinedBy::Section
        | DefinedBy::Input
        | DefinedBy::Pattern
        | DefinedBy::Prose => false,
    }
}
