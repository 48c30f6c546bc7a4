//! A workflow outside all modules in, the module it comes from out: installers copy skills to where agent tools look.

use super::load::Loaded;
use crate::model::{Document, Library, Role};
use crate::source::ProjectPath;
use crate::syntax::{Node, Row};
use std::collections::BTreeSet;

/// The list of installed skills, each with its module.
pub(super) const SKILLS: &str = "skill-manifest.csv";

/// Returns the code of the module that a workflow comes from: as the list of skills says, or else the first one whose
/// configuration its text names.
pub(super) fn of(loaded: &Loaded, workflow: usize) -> Option<String> {
    let workflow = &loaded.workflows[workflow];
    let folder = loaded.library.source(workflow.home).path().folder();
    let listed = loaded
        .library
        .documents()
        .find_map(|document| listed(document, folder.name()));
    listed.or_else(|| {
        let mut texts = workflow.files.iter().map(|file| loaded.library.source(*file).text());
        let codes = codes(&loaded.library);
        texts.find_map(|text| named(&loaded.library.roots, &codes, text))
    })
}

/// Lists the codes of the modules, without the core.
pub(super) fn codes(library: &Library) -> BTreeSet<String> {
    let declared = library.modules.iter().map(|module| module.code.clone());
    let settings = library.documents().filter(|document| document.role == Role::ConfigToml);
    let tables = settings.filter_map(|document| document.parsed.data.as_ref()?.get("modules"));
    let set = tables.flat_map(Node::pairs).map(|pair| pair.key.to_string());
    declared.chain(set).filter(|code| code != "core").collect()
}

/// Finds the module of a skill in the list of skills.
fn listed(document: &Document, skill: &str) -> Option<String> {
    if document.source.path().name() != SKILLS {
        return None;
    }
    let (head, rows) = document.parsed.rows.split_first()?;
    let column = |title: &str| head.cells.iter().position(|cell| cell.text.trim() == title);
    let module = column("module")?;
    let names: Vec<usize> = ["canonicalId", "name"].into_iter().filter_map(column).collect();
    let cell = |row: &Row, at: usize| row.cells.get(at).map(|cell| cell.text.trim().to_owned());
    let is_it = |row: &&Row| names.iter().any(|at| cell(row, *at).as_deref() == Some(skill));
    let found = rows.iter().find(is_it)?;
    cell(found, module).filter(|code| !code.is_empty())
}

/// Finds the module whose configuration a text names first.
fn named(roots: &[ProjectPath], codes: &BTreeSet<String>, text: &str) -> Option<String> {
    let place = |code: &&String| {
        let files = roots.iter().map(|root| format!("{}/{code}/config.yaml", root.name()));
        files.filter_map(|file| text.find(&file)).min()
    };
    let places = codes.iter().filter_map(|code| Some((place(&code)?, code)));
    places.min().map(|(_, code)| code.clone())
}
