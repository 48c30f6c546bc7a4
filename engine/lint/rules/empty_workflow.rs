//! Workflows that say nothing to do.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{Document, Place, Resolution, Role, Scope};
use crate::syntax::{Format, Node, Pair, Value};

pub(super) const RULE: Rule = Rule {
    code: Code("empty-workflow"),
    severity: Severity::Warning,
    summary: "a workflow says nothing to do, so a run of it does nothing",
    page: include_str!("../../../spec/rules/empty-workflow.md"),
    check: Check::Workflow(check),
};

/// The key that names the file of the steps.
const INSTRUCTIONS: &str = "instructions";

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let workflow = unit.workflow;
    let home = unit.subject.library.document(workflow.home);
    let says = !workflow.protocols.is_empty() || workflow.steps.iter().any(|step| !step.body.is_empty());
    // What could not be read may say it.
    if says || !home.parsed.faults.is_empty() {
        return;
    }
    if !matches!(home.parsed.format, Format::Xml | Format::Markdown) {
        return instructions(unit, home, findings);
    }
    let first = workflow.steps.first();
    let (place, message) = match first {
        Some(step) if home.parsed.format == Format::Xml => (step.head, "none of the steps says what to do"),
        Some(_) => (home.source.span(0, 0), "the file says nothing to do"),
        None => (home.source.span(0, 0), "the workflow has no step"),
    };
    findings.add(place, message).help =
        Some("write what is to be done; `bmad new NAME` makes one to begin with".to_owned());
}

/// Finds instructions that say nothing, or that lie where the project is not looked at. Those that are missing in it are
/// broken references, and those that a value decides are found when running.
fn instructions(unit: &WorkflowUnit<'_>, home: &Document, findings: &mut Findings) {
    let library = unit.subject.library;
    let data = home.parsed.data.as_ref();
    let Some((node, text)) = data
        .and_then(|data| data.get(INSTRUCTIONS))
        .and_then(|node| Some((node, Node::text(node)?)))
        .filter(|(_, text)| !text.trim().is_empty())
    else {
        return data.into_iter().for_each(|data| unnamed(unit, home, data, findings));
    };
    let path = home.source.path();
    let place = Place {
        file: path,
        home: &path.folder(),
    };
    let scope = Scope::new(library, Some(unit.workflow), home.source.id());
    let (message, help) = match library.resolve(text, place, &scope) {
        Resolution::Found(path) => match library.at(&path) {
            Some(document) if !document.parsed.faults.is_empty() => return,
            Some(_) => ("the instructions say nothing to do", "write what is to be done"),
            None => (
                "the instructions are no file that is read, so the workflow has no step",
                "name an XML or Markdown file",
            ),
        },
        Resolution::Outside => (
            "the instructions are not in this project, so the workflow has no step",
            "correct `instructions` or `installed_path`: `{installed_path}` is the workflow's own folder",
        ),
        Resolution::Missing(_) | Resolution::Dynamic | Resolution::UnknownModule(_) | Resolution::Escapes => return,
    };
    findings.add(node.inner(&home.source), message).help = Some(help.to_owned());
}

/// Finds a workflow that names no instructions: its key is misspelt, or the file lies beside it and nothing leads there.
fn unnamed(unit: &WorkflowUnit<'_>, home: &Document, data: &Node, findings: &mut Findings) {
    const MESSAGE: &str = "the workflow names no instructions, so it has no step";
    if let Some(pair) = misspelt_instructions(data) {
        findings.add(pair.key_span, MESSAGE).help = Some(format!("did you mean the key `{INSTRUCTIONS}`?"));
        return;
    }
    let written = data.pairs().iter().find(|pair| pair.key == INSTRUCTIONS);
    let is_left_out = written.is_none_or(|pair| match &pair.node.value {
        Value::Null => true,
        Value::Text(text) => text.trim().is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => false,
    });
    let Some(file) = beside(unit, home).filter(|_| is_left_out) else {
        return;
    };
    let root = data.get("installed_path").map_or(".", |_| "{installed_path}");
    let place = written.map_or(home.source.span(0, 0), |pair| pair.key_span);
    findings.add(place, MESSAGE).help = Some(format!("did you mean `{INSTRUCTIONS}: \"{root}/{file}\"`?"));
}

/// Returns the entry of a workflow without instructions whose key is nearly the one that names them.
pub(super) fn misspelt_instructions(data: &Node) -> Option<&Pair> {
    let pairs = data.pairs();
    if pairs.iter().any(|pair| pair.key == INSTRUCTIONS) {
        return None;
    }
    let near = nearest(INSTRUCTIONS, pairs.iter().map(|pair| pair.key.as_str()))?;
    pairs.iter().find(|pair| pair.key == near && pair.node.text().is_some())
}

/// Returns the name of the only instructions beside a workflow, where no other file of the folder declares one.
fn beside<'a>(unit: &WorkflowUnit<'a>, home: &Document) -> Option<&'a str> {
    let files = || unit.subject.library.files_in(home.source.path().folder_str());
    let declares = |file: &Document| {
        let is_other = file.source.id() != home.source.id();
        is_other && matches!(file.role, Role::WorkflowYaml | Role::WorkflowMarkdown | Role::Skill)
    };
    let is_named = |name: &&str| name.rsplit_once('.').is_some_and(|(stem, _)| stem == INSTRUCTIONS);
    let mut named = files().map(|file| file.source.path().name()).filter(is_named);
    let only = named.next().filter(|_| named.next().is_none());
    only.filter(|_| !files().any(declares))
}
