//! A task or workflow in XML.

use super::{names, tagged};
use crate::model::library::{Document, Library};
use crate::model::workflow::{DefinedBy, Definition, Dialect, Workflow};
use crate::source::QuickMap;
use crate::syntax::{Attribute, Child, Element};
use std::sync::OnceLock;

/// Reads the workflow of a file whose root is `<workflow>`, `<task>` or `<tool>`.
pub(super) fn read(_library: &Library, document: &Document) -> Workflow {
    let tagged = tagged::read(document);
    let root = document.parsed.tree.iter().find_map(|child| match child {
        Child::Element(element) if element.tag.is_root() => Some(element),
        Child::Element(_) | Child::Text(_) => None,
    });
    let name = root
        .and_then(|root| title(root))
        .unwrap_or_else(|| document.source.path().stem().to_owned());
    let mut definitions: Vec<Definition> = root.map(|root| attributes(root)).unwrap_or_default();
    definitions.extend(tagged.definitions);
    let mut workflow = Workflow {
        name,
        dialect: Dialect::Xml,
        home: document.source.id(),
        files: vec![document.source.id()],
        steps: tagged.steps,
        protocols: tagged.protocols,
        definitions,
        rules: tagged.rules,
        halts: tagged.halts,
        terms: Vec::new(),
        template: None,
        inputs: tagged.inputs,
        firsts: OnceLock::new(),
        valued: None,
        leads: QuickMap::default(),
        workers: Vec::new(),
    };
    names::add_assigned(&mut workflow);
    workflow
}

/// Returns the values that the attributes of the root give: `<task methods="methods.csv">`.
fn attributes(root: &Element) -> Vec<Definition> {
    const OWN: [&str; 6] = ["id", "name", "title", "description", "standalone", "internal"];
    let given = root
        .attributes
        .iter()
        .filter(|attribute| !OWN.contains(&&*attribute.name));
    let define = |attribute: &Attribute| Definition {
        name: attribute.name.to_string(),
        by: DefinedBy::Key,
        span: attribute.name_span,
        value: Some(attribute.value.to_string()),
        value_span: attribute.value_span,
    };
    given.map(define).collect()
}

fn title(root: &Element) -> Option<String> {
    root.value("name").map(str::to_owned)
}
