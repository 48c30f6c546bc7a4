//! `workflow.yaml` with its instructions, template and checklist.

use super::{names, prose, steps, tagged};
use crate::model::library::{Document, Library};
use crate::model::names::Scope;
use crate::model::resolve::{Place, Resolution};
use crate::model::role::holds_steps;
use crate::model::workflow::{DefinedBy, Definition, Dialect, Workflow};
use crate::source::{QuickMap, SourceId};
use crate::syntax::{Node, Value};
use std::sync::OnceLock;

/// Reads the workflow that a YAML file declares; answers nothing when the file could not be read.
pub(super) fn read(library: &Library, document: &Document) -> Option<Workflow> {
    let data = document.parsed.data.as_ref()?;
    let name = data
        .get("name")
        .and_then(Node::text)
        .unwrap_or_else(|| document.source.path().stem());
    let mut workflow = Workflow {
        name: name.to_owned(),
        dialect: Dialect::Yaml,
        home: document.source.id(),
        files: vec![document.source.id()],
        steps: Vec::new(),
        protocols: Vec::new(),
        definitions: definitions(document, data),
        rules: Vec::new(),
        halts: Vec::new(),
        terms: Vec::new(),
        template: None,
        inputs: Vec::new(),
        firsts: OnceLock::new(),
        valued: None,
        leads: QuickMap::default(),
        workers: Vec::new(),
    };
    for key in ["instructions", "template", "validation", "checklist"] {
        let Some(file) = file(library, document, &workflow, data.get(key)) else {
            continue;
        };
        match key {
            "instructions" => instructions(library, &mut workflow, file),
            "template" => {
                workflow.template = Some(file);
                workflow.files.push(file);
            }
            _ => workflow.files.push(file),
        }
    }
    names::add_assigned(&mut workflow);
    Some(workflow)
}

fn file(library: &Library, document: &Document, workflow: &Workflow, node: Option<&Node>) -> Option<SourceId> {
    let text = node?.text()?;
    let path = document.source.path();
    let place = Place {
        file: path,
        home: &path.folder(),
    };
    let scope = Scope::new(library, Some(workflow), document.source.id());
    match library.resolve(text, place, &scope) {
        Resolution::Found(path) => library.at(&path).map(|document| document.source.id()),
        Resolution::Missing(_)
        | Resolution::Dynamic
        | Resolution::Outside
        | Resolution::UnknownModule(_)
        | Resolution::Escapes => None,
    }
}

fn instructions(library: &Library, workflow: &mut Workflow, file: SourceId) {
    let document = library.document(file);
    workflow.files.push(file);
    if holds_steps(&document.parsed) {
        let mut tagged = tagged::read(document);
        workflow.steps = tagged.steps;
        workflow.rules = tagged.rules;
        workflow.halts = tagged.halts;
        workflow.protocols = tagged.protocols;
        workflow.definitions.append(&mut tagged.definitions);
        workflow.inputs = tagged.inputs;
        let whole = document.source.span(0, document.source.text().len());
        names::told(&document.source, whole, &mut workflow.definitions);
        return;
    }
    workflow.steps = prose::steps(document, &[]);
    steps::add_step_files(library, workflow);
}

/// Collects what the YAML file gives a value to: top-level keys, `variables`, the input lists, file patterns.
fn definitions(document: &Document, data: &Node) -> Vec<Definition> {
    let source = &document.source;
    let mut found = names::keys(data, DefinedBy::Key, source);
    for key in ["variables", "recommended_inputs", "required_inputs", "optional_inputs"] {
        let Some(node) = data.get(key) else { continue };
        found.extend(names::keys(node, DefinedBy::Key, source));
        for item in node.items() {
            found.extend(names::keys(item, DefinedBy::Key, source));
        }
    }
    if let Some(patterns) = data.get("input_file_patterns") {
        for pair in patterns.pairs() {
            found.push(Definition {
                name: format!("{}_content", pair.key),
                by: DefinedBy::Pattern,
                span: pair.key_span,
                value: None,
                value_span: pair.key_span,
            });
            found.extend(nested(&pair.node.value, source));
        }
    }
    found
}

fn nested(value: &Value, source: &crate::source::Source) -> Vec<Definition> {
    match value {
        Value::Map(pairs) => pairs
            .iter()
            .filter(|pair| pair.key == "variable")
            .filter_map(|pair| {
                Some(Definition {
                    name: pair.node.text()?.to_owned(),
                    by: DefinedBy::Pattern,
                    span: pair.node.inner(source),
                    value: None,
                    value_span: pair.node.inner(source),
                })
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => Vec::new(),
    }
}
