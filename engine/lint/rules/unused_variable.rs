//! Keys that define a variable nobody uses.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, places_of};
use crate::model::{DefinedBy, Definition, Role, Workflow};
use crate::source::SourceId;
use crate::syntax::{Hole, WordList};

pub(super) const RULE: Rule = Rule {
    code: Code("unused-variable"),
    severity: Severity::Info,
    summary: "a key defines a variable that nothing uses",
    page: include_str!("../../../spec/rules/unused-variable.md"),
    check: Check::File(check),
};

/// Keys with a meaning of their own.
static MEANING: WordList = WordList::new(&[
    "name",
    "description",
    "author",
    "version",
    "instructions",
    "template",
    "validation",
    "checklist",
    "installed_path",
    "config_source",
    "date",
    "standalone",
    "web_bundle",
    "default_output_file",
    "required_tools",
    "tags",
    "execution_hints",
    "input_file_patterns",
    "variables",
    "recommended_inputs",
    "required_inputs",
    "optional_inputs",
    "autonomous",
    "title",
    "main_config",
    "model",
    "tools",
    "allowed-tools",
    "argument-hint",
    "metadata",
    "license",
    "nextStep",
    "web_bundle_files",
    "hooks",
    "user-invocable",
    "disable-model-invocation",
    "stepsCompleted",
    "inputDocuments",
    "workflowType",
    "lastStep",
    "status",
    "created",
    "updated",
    "type",
    "context",
]);

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let by = match unit.document.role {
        Role::WorkflowYaml => DefinedBy::Key,
        Role::StepFile | Role::WorkflowMarkdown => DefinedBy::Frontmatter,
        Role::TaskXml
        | Role::Skill
        | Role::Instructions
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Template
        | Role::Other => return,
    };
    let Some(workflow) = unit.facts.workflow else {
        return;
    };
    let here = unit.document.source.id();
    let mut holes: Vec<&Hole> = unit.facts.holes.iter().collect();
    holes.sort_by_key(|hole| hole.name);
    for definition in workflow
        .definitions
        .iter()
        .filter(|definition| definition.by == by && definition.span.source == here)
    {
        if MEANING.has_as_written(&definition.name)
            || is_used(unit, &holes, definition)
            || is_followed(unit, definition)
        {
            continue;
        }
        findings
            .add(definition.span, format!("nothing uses `{}`", definition.name))
            .help = Some("remove the key, or use it as a variable in braces where its value is meant".to_owned());
    }
}

/// Says whether the key is what leads on: a step file whose text names no next one goes where its `next…` key says.
fn is_followed(unit: &FileUnit<'_>, definition: &Definition) -> bool {
    let target = definition
        .value
        .as_deref()
        .and_then(|value| value.rsplit('/').next())
        .unwrap_or_default();
    let text = unit.document.source.text().as_bytes();
    definition.name.starts_with("next") && memchr::memmem::find_iter(text, target.as_bytes()).count() == 1
}

/// Says whether any file of the workflow names the variable outside its own definition.
///
/// A key of a step file is looked for in that file, and the first of its name in those that have none; one without a
/// value is declared for the steps after it too. `holes` are the places in braces in its own file, in the order of their names.
fn is_used(unit: &FileUnit<'_>, holes: &[&Hole], definition: &Definition) -> bool {
    let library = unit.subject.library;
    let own = unit.document.source.id();
    // Most are used in braces in the file that defines them, and those places are known.
    let first = holes.partition_point(|hole| hole.name < definition.name.as_str());
    let mut named = holes[first..].iter().take_while(|hole| hole.name == definition.name);
    if named.any(|hole| !hole.span.contains(definition.span)) {
        return true;
    }
    let names = |file: SourceId| {
        let text = library.source(file).text();
        let mut places = places_of(&definition.name, text);
        places.any(|at| file != own || at as u32 != definition.span.start)
    };
    names(own)
        || unit.facts.workflow.is_some_and(|workflow| {
            let mut others = workflow.files.iter().filter(|file| **file != own);
            others.any(|file| reaches(unit, workflow, definition, *file) && names(*file))
        })
}

/// Says whether a definition of this file holds in another one of the workflow: that of a step does where it is the first
/// of its name, and the other file has none.
fn reaches(unit: &FileUnit<'_>, workflow: &Workflow, definition: &Definition, file: SourceId) -> bool {
    let declared = definition.value.as_deref().is_none_or(|value| value.trim().is_empty());
    let by_step = definition.by == DefinedBy::Frontmatter && unit.document.role == Role::StepFile;
    if !by_step || declared {
        return true;
    }
    let is_same = |other: &&Definition| other.name == definition.name;
    let mut same = workflow.definitions.iter().filter(is_same);
    let is_first = same.clone().find(|other| other.value.is_some()).map(|first| first.span) == Some(definition.span);
    is_first && workflow.is_shared(definition) && !same.any(|other| other.span.source == file)
}
