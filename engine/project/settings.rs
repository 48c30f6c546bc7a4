//! `bmad.toml` at a project's root, and the one around it: `[lint]` sets the level of rules.

use super::load::Loaded;
use crate::diagnostic::Severity;
use crate::host::Workspace;
use crate::lint::Settings;
use crate::model::{Document, SETTINGS};
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, parse};
use std::path::Path;
use std::str::FromStr;

/// Returns the settings of a project: what is set around it, over that its own, and over both what the person gave.
pub fn settings(loaded: &Loaded, given: &Settings) -> Settings {
    let mut merged = Settings::default();
    for (name, level) in written(loaded).flat_map(levels) {
        merged.set(&name, level);
    }
    merged.extend(given);
    merged
}

/// Returns the files that settings of a project stand in; the nearer one comes later and wins.
pub(super) fn written(loaded: &Loaded) -> impl DoubleEndedIterator<Item = &Document> {
    let own = ProjectPath::new(SETTINGS).and_then(|path| loaded.library.at(&path));
    loaded.beyond.as_deref().into_iter().chain(own)
}

/// Reads the settings in a folder, where there are some. They belong to no library.
pub fn settings_in(host: &dyn Workspace, folder: &Path) -> Option<Box<Document>> {
    let text = String::from_utf8(host.read(&folder.join(SETTINGS)).ok()?).ok()?;
    let source = Source::new(SourceId(u32::MAX), ProjectPath::new(SETTINGS)?, text);
    let parsed = parse(&source, Format::Toml);
    Some(Box::new(Document::new(source, parsed)))
}

/// Reads the `[lint]` table; what in it means nothing is the finding of a rule.
fn levels(document: &Document) -> Vec<(String, Option<Severity>)> {
    let table = document.parsed.data.as_ref().and_then(|data| data.get("lint"));
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
