//! What lifted words say.

use crate::source::Span;

/// What lifted words say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiftKind {
    /// Go on at a step.
    Goto {
        /// The label of the step.
        label: String,
        /// Where the label stands.
        label_span: Span,
        /// How it is said.
        verb: Verb,
    },
    /// Go on at a section of the same file.
    Section {
        /// What the words call it.
        label: String,
        /// The name of its beginning.
        anchor: String,
    },
    /// Stop the run.
    Halt {
        /// Why, or what to say; may be empty.
        reason: String,
    },
    /// Leave the workflow.
    Exit,
    /// Go back to the caller.
    Return,
    /// Give a variable a value.
    Set {
        /// The variable.
        name: String,
        /// The value as written, without quotes around all of it.
        value: String,
        /// Where the value stands.
        value_span: Span,
    },
    /// Keep what was found in a variable.
    Store {
        /// The variable.
        name: String,
    },
    /// Load a file and do what it says.
    Follow {
        /// The path, or a variable that holds it.
        target: String,
        /// Where the path stands.
        target_span: Span,
    },
    /// Invoke a skill.
    Skill {
        /// Its name.
        name: String,
    },
    /// Ask a person.
    Ask,
    /// Wait for a person.
    Wait,
}

impl LiftKind {
    /// Says whether the run goes on elsewhere in the workflow, or ends, because of it.
    pub fn leaves(&self) -> bool {
        match self {
            LiftKind::Goto { .. }
            | LiftKind::Section { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return => true,
            LiftKind::Set { .. }
            | LiftKind::Store { .. }
            | LiftKind::Follow { .. }
            | LiftKind::Skill { .. }
            | LiftKind::Ask
            | LiftKind::Wait => false,
        }
    }

    /// Says whether another file is followed, or a skill invoked, because of it.
    pub(super) fn calls(&self) -> bool {
        matches!(self, LiftKind::Follow { .. } | LiftKind::Skill { .. })
    }

    /// Returns the file that is followed because of it, and where that is written.
    pub fn followed(&self) -> Option<(&str, Span)> {
        match self {
            LiftKind::Follow { target, target_span } => Some((target, *target_span)),
            LiftKind::Goto { .. }
            | LiftKind::Section { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return
            | LiftKind::Set { .. }
            | LiftKind::Store { .. }
            | LiftKind::Skill { .. }
            | LiftKind::Ask
            | LiftKind::Wait => None,
        }
    }

    /// Returns the variable that gets a value because of it.
    pub fn gives(&self) -> Option<&str> {
        match self {
            LiftKind::Set { name, .. } | LiftKind::Store { name } => Some(name),
            LiftKind::Goto { .. }
            | LiftKind::Section { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return
            | LiftKind::Follow { .. }
            | LiftKind::Skill { .. }
            | LiftKind::Ask
            | LiftKind::Wait => None,
        }
    }
}

/// How a jump is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `go to`, `jump to`.
    Jump,
    /// `continue to`, `continue with`.
    Continue,
    /// `return to`, `back to`.
    Return,
    /// `loop back to`.
    Loop,
    /// `skip to`.
    Skip,
    /// `proceed to`, `move on to`.
    Proceed,
}
