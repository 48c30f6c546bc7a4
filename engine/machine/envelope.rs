//! What an agent answers: one typed envelope a turn.

use crate::builtins::Value;
use serde::{Deserialize, Serialize};

/// The reply of an agent to one turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Envelope {
    /// What became of each instruction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<Acknowledged>,
    /// What was judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<Judgement>,
    /// Variables and their values.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "named")]
    pub variables: Vec<(String, Value)>,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Written>,
    /// Content for sections of the document.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "named")]
    pub sections: Vec<(String, Value)>,
    /// What was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Value>,
    /// Questions that a person has to answer before the turn can go on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asks: Vec<Asked>,
    /// Other fields that the prompt asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "named")]
    pub fields: Vec<(String, Value)>,
    /// Free text for the person.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Envelope {
    /// Says that nothing was found, which is something else than saying nothing about it.
    pub fn found_nothing(&mut self) {
        if self.fields.iter().all(|(name, _)| name != "findings") {
            self.fields.push(("findings".to_owned(), Value::List(Vec::new())));
        }
    }
}

/// What became of one instruction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Acknowledged {
    /// Its number.
    pub n: u32,
    /// What became of it.
    pub status: Status,
    /// Why it was not done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What shows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// What became of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was done.
    Done,
    /// It could not be done.
    Blocked,
    /// It was left out; only what is optional or conditional may be.
    Skipped,
    /// A marked placeholder stands in its place: somebody has to fill it later.
    Gap,
}

/// What shows that an instruction was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Evidence {
    /// A file, with its hash.
    File {
        /// Its path.
        path: String,
        /// Its SHA-256.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sha256: Option<String>,
    },
    /// Words of a file.
    Quote {
        /// The path.
        path: String,
        /// The words.
        quote: String,
    },
    /// A command and how it ended.
    Command {
        /// The command line.
        command: String,
        /// Its exit code.
        exit: i32,
    },
    /// A value.
    Value {
        /// The value.
        value: Value,
    },
    /// A bare statement: counts as unverified.
    Said {
        /// The statement.
        text: String,
    },
}

/// One condition, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Its number.
    pub n: u32,
    /// Whether it holds.
    pub holds: bool,
    /// What shows it.
    #[serde(default)]
    pub evidence: String,
}

/// A file that an agent says it wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Its path.
    pub path: String,
    /// Its SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A question that an agent has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The answers it offers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl Asked {
    /// Returns what an answer means: the option that was chosen by its number, or the words themselves.
    pub(super) fn meant(&self, answer: &str) -> String {
        let number = answer.trim().parse::<usize>().ok();
        let option = number.and_then(|number| self.options.get(number.checked_sub(1)?));
        option.map_or_else(|| answer.to_owned(), String::clone)
    }
}

/// Pairs as a JSON object, in their order.
mod named {
    use crate::builtins::Value;
    use serde::de::Deserializer;
    use serde::ser::Serializer;
    use serde::{Deserialize, Serialize};

    pub(super) fn serialize<S: Serializer>(pairs: &[(String, Value)], serializer: S) -> Result<S::Ok, S::Error> {
        Value::Map(pairs.to_vec()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Value)>, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Map(pairs) => Ok(pairs),
            Value::Nothing => Ok(Vec::new()),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                Err(serde::de::Error::custom("expected an object"))
            }
        }
    }
}
