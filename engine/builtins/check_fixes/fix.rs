//! What fixers report in, one answer for each finding out.

use crate::builtins::Value;
use crate::builtins::finding::{Id, SetAside};
use crate::builtins::given::{items, plain, words};

/// What one fixer says about one finding.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) id: Option<Id>,
    /// How it names the finding.
    pub(super) named: String,
    /// In capitals; FIXED or BLOCKED, or something else.
    pub(super) status: String,
    description: String,
    verification: String,
    needs: String,
    pub(super) files: Vec<String>,
    pub(super) raw: Value,
}

/// What all fixers say, and what of it cannot be read.
#[derive(Debug, Default)]
pub(super) struct Fixes {
    pub(super) said: Vec<Said>,
    pub(super) aside: Vec<SetAside>,
}

impl Fixes {
    pub(super) fn read(value: &Value) -> Self {
        let mut fixes = Self::default();
        for item in items(value) {
            let inner = item.get("fixes").map(items);
            for item in inner.unwrap_or_else(|| vec![item]) {
                match Said::read(&item) {
                    Some(said) => fixes.said.push(said),
                    None => fixes
                        .aside
                        .push(SetAside::new(item, "a fix is a map that names its finding")),
                }
            }
        }
        fixes
    }
}

impl Said {
    fn read(item: &Value) -> Option<Self> {
        let named = words(item, &["finding", "id", "finding_id", "issue"]);
        if named.is_empty() {
            return None;
        }
        let files = item
            .get("files_modified")
            .or(item.get("files"))
            .map(items)
            .unwrap_or_default();
        Some(Self {
            id: Id::read(&named),
            named,
            status: status(&words(item, &["status", "state", "result"])),
            description: words(item, &["description", "fix_description"]),
            verification: words(item, &["verification"]),
            needs: words(item, &["needs", "missing"]),
            files: files.iter().map(plain).filter(|file| !file.is_empty()).collect(),
            raw: item.clone(),
        })
    }

    /// Returns what is missing, for a blocked one.
    pub(super) fn needs(&self) -> String {
        match (self.description.as_str(), self.needs.as_str()) {
            ("", "") => "its fixer does not say what is missing".to_owned(),
            (said, "") => said.to_owned(),
            ("", needs) => format!("needed: {needs}"),
            (said, needs) => format!("{said}; needed: {needs}"),
        }
    }

    /// Returns it for the record.
    pub(super) fn value(&self) -> Value {
        Value::of([
            (
                "finding",
                Value::Text(self.id.map_or_else(|| self.named.clone(), |id| id.to_string())),
            ),
            ("status", Value::Text(self.status.clone())),
            ("description", Value::Text(self.description.clone())),
            ("verification", Value::Text(self.verification.clone())),
        ])
    }
}

/// Reads the word of a fixer for what it did.
fn status(word: &str) -> String {
    let word = word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_uppercase();
    match word.as_str() {
        "FIXED" | "DONE" | "RESOLVED" => "FIXED".to_owned(),
        _ => word,
    }
}
