//! A certificate as text in, its facts out, or why it is not to be believed. Nothing but the text is needed.

use super::digest;
use super::facts::KIND;
use super::page::{self, FENCE};
use crate::builtins::Value;
use crate::builtins::finding::{Id, Severity, State};
use crate::builtins::given::{items, words};
use crate::builtins::outcome::Outcome;
use std::fmt;

/// What a certificate states.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// How it ended.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: String,
    /// Who decided that: engine or person.
    pub decided_by: String,
    /// All findings.
    pub findings: Vec<Stated>,
    /// The reviewed texts with their hashes.
    pub texts: Vec<Hashed>,
    /// The hash over all of it.
    pub digest: String,
}

/// One finding of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// What it is called.
    pub id: Id,
    /// How much it matters.
    pub severity: Severity,
    /// Where it stands.
    pub state: State,
    /// What it says.
    pub claim: String,
}

/// A reviewed text: where it is and its hashes, `sha256:` in front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashed {
    /// Where it is.
    pub path: String,
    /// The hash of it as it was first.
    pub before: String,
    /// The hash of it as it was last.
    pub after: String,
}

/// Why a certificate is not to be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It holds no facts.
    NoFacts,
    /// Its facts are not those of a certificate.
    NotOurs(String),
    /// The facts were changed after they were written.
    Digest {
        /// The digest that the document states.
        stated: String,
        /// The digest of the facts that are in it.
        actual: String,
    },
    /// A number differs from the list.
    Count {
        /// What is counted.
        what: String,
        /// The number that is stated.
        stated: String,
        /// The number in the list.
        listed: usize,
    },
    /// It says complete, and these are not done.
    NotComplete(Vec<Id>),
    /// Two findings have one identifier.
    Twice(Id),
    /// The words around the facts say something else.
    Words {
        /// The first line that differs, from 1.
        line: usize,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFacts => formatter.write_str("it holds no facts: a block of JSON and a digest over it"),
            Self::NotOurs(why) => write!(formatter, "its facts are not those of a certificate: {why}"),
            Self::Digest { stated, actual } => write!(
                formatter,
                "its facts were changed after it was written: the digest says `{stated}` and they give `{actual}`"
            ),
            Self::Count { what, stated, listed } => {
                write!(formatter, "it counts {stated} {what} and lists {listed}")
            }
            Self::NotComplete(ids) => {
                let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
                write!(formatter, "it says complete, and {} is not done", ids.join(", "))
            }
            Self::Twice(id) => write!(formatter, "it lists {id} twice"),
            Self::Words { line } => write!(formatter, "line {line} does not say what its facts say"),
        }
    }
}

impl std::error::Error for Why {}

/// Checks a certificate by itself: the digest, the counts, the outcome, and every word around them.
pub fn check(text: &str) -> Result<Facts, Why> {
    let text = text.replace("\r\n", "\n");
    let (json, stated) = parts(&text).ok_or(Why::NoFacts)?;
    let actual = digest(json);
    if stated != actual {
        return Err(Why::Digest {
            stated: stated.to_owned(),
            actual,
        });
    }
    let value: Value = serde_json::from_str(json).map_err(|error| Why::NotOurs(error.to_string()))?;
    let facts = facts(&value, actual)?;
    counts(&value, &facts)?;
    if facts.outcome == Outcome::Complete {
        let left = facts.findings.iter().filter(|finding| !finding.state.is_done());
        let left: Vec<Id> = left.map(|finding| finding.id).collect();
        if !left.is_empty() {
            return Err(Why::NotComplete(left));
        }
    }
    let meant = page::text(json);
    if meant.trim() != text.trim() {
        let pairs = meant.trim().lines().zip(text.trim().lines());
        let line = pairs.take_while(|(meant, written)| meant == written).count() + 1;
        return Err(Why::Words { line });
    }
    Ok(facts)
}

/// Returns the facts and the digest of a document.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.split_once(&format!("\n{FENCE}json\n"))?;
    let (json, _) = rest.split_once(&format!("\n{FENCE}"))?;
    let stated = before
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("Digest: `")?.strip_suffix('`'))?;
    Some((json, stated))
}

fn facts(value: &Value, digest: String) -> Result<Facts, Why> {
    let ours = |why: &str| Why::NotOurs(why.to_owned());
    if words(value, &["kind"]) != KIND {
        return Err(ours("it is of another kind"));
    }
    let outcome = Outcome::read(&words(value, &["outcome"])).ok_or_else(|| ours("its outcome is unknown"))?;
    let list = |name: &str| value.get(name).map(items).unwrap_or_default();
    let mut findings: Vec<Stated> = Vec::new();
    for item in list("findings") {
        let stated = stated(&item).ok_or_else(|| ours("a finding in it cannot be read"))?;
        if findings.iter().any(|known| known.id == stated.id) {
            return Err(Why::Twice(stated.id));
        }
        findings.push(stated);
    }
    let texts = list("texts").into_iter().map(|text| Hashed {
        path: words(&text, &["path"]),
        before: words(&text, &["before"]),
        after: words(&text, &["after"]),
    });
    Ok(Facts {
        outcome,
        reason: words(value, &["reason"]),
        decided_by: words(value, &["decided_by"]),
        texts: texts.collect(),
        findings,
        digest,
    })
}

fn stated(item: &Value) -> Option<Stated> {
    Some(Stated {
        id: Id::read(&words(item, &["id"]))?,
        severity: Severity::read(&words(item, &["severity"]))?,
        state: State::read(&words(item, &["state"]))?,
        claim: words(item, &["claim"]),
    })
}

/// Compares the numbers with the list.
fn counts(value: &Value, facts: &Facts) -> Result<(), Why> {
    let compare = |what: &str, listed: usize| {
        let stated = value.get("counts").and_then(|counts| counts.get(what));
        let agrees = stated.and_then(Value::number) == Some(listed as f64);
        if agrees {
            return Ok(());
        }
        Err(Why::Count {
            what: what.to_owned(),
            stated: stated.map_or_else(|| "nothing of".to_owned(), Value::to_string),
            listed,
        })
    };
    compare("total", facts.findings.len())?;
    for state in State::ALL {
        let listed = facts.findings.iter().filter(|finding| finding.state == state).count();
        compare(state.name(), listed)?;
    }
    Ok(())
}
