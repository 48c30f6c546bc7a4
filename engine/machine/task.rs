//! One turn of an agent: everything it is told, as data. The prompt is made from it when the turn is really taken.

use crate::builtins::Value;
use serde::{Deserialize, Serialize};

/// A turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// The agent that is named; none is the one that performs the workflow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Who the agent is, in the words of its own file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub persona: String,
    /// The workflow.
    pub workflow: String,
    /// The label of the step.
    pub step: String,
    /// What the step is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub goal: String,
    /// The words that the person began the run with.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub request: String,
    /// Rules in force, in the order they are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// What is to be done, numbered from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Order>,
    /// What is to be judged, numbered from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// The prompt of a `<dispatch>`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// Values handed along by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<(String, Value)>,
    /// Variables that the text mentions or the step set, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, String)>,
    /// Files of the project that the text mentions and that are there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What the reply has to hold.
    #[serde(skip_serializing_if = "Wanted::is_empty")]
    pub wanted: Wanted,
    /// Questions of this turn that the person answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<(String, String)>,
    /// What was wrong with the reply before, where this turn is asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// Whether the agent goes on with what it knows.
    pub mode: Mode,
    /// What it may change.
    pub access: Access,
    /// The model, where one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The most seconds it may take, where a limit is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// The digest of the turn before it in the same session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Task {
    /// Says whether nothing is to be done but to judge.
    pub fn only_judges(&self) -> bool {
        !self.conditions.is_empty() && self.instructions.is_empty() && self.prompt.is_empty() && self.wanted.is_empty()
    }
}

/// One instruction of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Its number, from 1.
    pub n: u32,
    /// Its text, with variables filled in.
    pub text: String,
    /// Whether it may be skipped.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Where it is written: `path:line`.
    pub place: String,
}

/// What a reply has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// Variables that the text says to set or store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<String>,
    /// Sections of the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// Fields that the prompt asks for by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
}

impl Wanted {
    /// Says whether nothing is wanted beyond the acknowledgements.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.sections.is_empty() && self.fields.is_empty()
    }
}

/// Whether an agent goes on with what it knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It starts clean.
    Fresh,
    /// It goes on with the session of this run.
    #[default]
    Session,
}

/// What an agent may change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Nothing.
    Read,
    /// Files of the project.
    #[default]
    Write,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(truth: &bool) -> bool {
    !*truth
}
