//! `bmad.toml` at a project's root: `[lint]` sets the level of rules.

use super::load::Loaded;
use crate::diagnostic::Severity;
use crate::lint::{Settings, rule};
use crate::source::{ProjectPath, Span};
use std::str::FromStr;

/// Something in `bmad.toml` that means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Returns the settings of a project: its `bmad.toml`, and over it what the person gave.
pub fn settings(loaded: &Loaded, given: &Settings) -> Settings {
    let mut merged = Settings::default();
    for (name, level) in levels(loaded).0 {
        merged.set(&name, level);
    }
    merged.extend(given);
    merged
}

/// Reads the `[lint]` table, with what in it means nothing.
fn levels(loaded: &Loaded) -> (Vec<(String, Option<Severity>)>, Vec<SettingsError>) {
    let mut read = Vec::new();
    let mut wrong = Vec::new();
    let table = ProjectPath::new("bmad.toml")
        .and_then(|path| loaded.library.at(&path))
        .and_then(|document| document.parsed.data.as_ref())
        .and_then(|data| data.get("lint"));
    for pair in table.map(|table| table.pairs()).unwrap_or_default() {
        if pair.key != "all" && rule(&pair.key).is_none() {
            wrong.push(SettingsError {
                span: pair.key_span,
                message: format!("no rule `{}`", pair.key),
            });
            continue;
        }
        let level = pair.node.text().unwrap_or_default();
        match (level, Severity::from_str(level)) {
            ("allow" | "off", _) => read.push((pair.key.clone(), None)),
            (_, Ok(severity)) => read.push((pair.key.clone(), Some(severity))),
            (_, Err(message)) => wrong.push(SettingsError {
                span: pair.node.span,
                message,
            }),
        }
    }
    (read, wrong)
}
