//! `bmad.toml` at a project's root: `[lint]` sets the level of rules.

use super::load::Loaded;
use crate::diagnostic::Severity;
use crate::lint::Settings;
use crate::model::SETTINGS;
use crate::source::ProjectPath;
use std::str::FromStr;

/// Returns the settings of a project: its `bmad.toml`, and over it what the person gave.
pub fn settings(loaded: &Loaded, given: &Settings) -> Settings {
    let mut merged = Settings::default();
    for (name, level) in levels(loaded) {
        merged.set(&name, level);
    }
    merged.extend(given);
    merged
}

/// Reads the `[lint]` table; what in it means nothing is the finding of a rule.
fn levels(loaded: &Loaded) -> Vec<(String, Option<Severity>)> {
    let table = ProjectPath::new(SETTINGS)
        .and_then(|path| loaded.library.at(&path))
        .and_then(|document| document.parsed.data.as_ref())
        .and_then(|data| data.get("lint"));
    let pairs = table.map(|table| table.pairs()).unwrap_or_default();
    pairs
        .iter()
        .filter_map(|pair| {
            let level = match pair.node.text()? {
                "allow" | "off" => None,
                level => Some(Severity::from_str(level).ok()?),
            };
            Some((pair.key.clone(), level))
        })
        .collect()
}
