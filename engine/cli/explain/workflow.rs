//! A workflow in, what the engine understood of it out.

use super::act::Teller;
use super::phrase::{condition_text, repeated};
use super::rows::{Rows, line, table};
use crate::cli::pick::Picked;
use crate::model::{DefinedBy, Definition, Dialect, Library, Origin, Step, Workflow};
use crate::source::Span;
use std::collections::BTreeSet;

/// Explains the workflow at a position: all of it, or the steps of the one file that was asked about.
pub(super) fn explain(picked: &Picked, at: usize) -> String {
    let library = &picked.loaded.library;
    let (Some(workflow), Some(graph)) = (picked.loaded.workflows.get(at), picked.loaded.program.graphs.get(at)) else {
        return String::new();
    };
    let teller = Teller { workflow, graph };
    let asked = library
        .at(&picked.asked)
        .map(|document| document.source.id())
        .filter(|file| *file != workflow.home);
    let mut text = head(library, workflow, asked.is_some().then_some(picked.asked.as_str()));
    if asked.is_none() {
        text.push_str(&names(library, workflow));
        text.push_str(&rules(library, workflow));
    }
    let wanted = |step: &&Step| asked.is_none_or(|file| step.span.source == file);
    for step in workflow.steps.iter().filter(wanted) {
        text.push_str(&told("step", step, teller, library));
    }
    for protocol in workflow
        .protocols
        .iter()
        .filter(|protocol| asked.is_none_or(|file| protocol.span.source == file))
    {
        text.push_str(&format!("\nprotocol {}\n", line(&protocol.name)));
        for step in &protocol.steps {
            text.push_str(&told("step", step, teller, library));
        }
    }
    text
}

fn head(library: &Library, workflow: &Workflow, part: Option<&str>) -> String {
    let name = line(&workflow.name);
    let mut text = match part {
        Some(part) => format!(
            "{part}: part of workflow `{name}`, read as {}\n",
            workflow.dialect.name()
        ),
        None => format!("workflow `{name}`, read as {}\n", workflow.dialect.name()),
    };
    if workflow.steps.is_empty() {
        text.push_str("it has no steps\n");
    } else if workflow.is_prose() {
        let what = if workflow.dialect == Dialect::Skill {
            "skill"
        } else {
            "workflow"
        };
        text.push_str(&format!("this {what} is prose: one step\n"));
    } else {
        let count = workflow.steps.len();
        text.push_str(&format!("{count} step{}\n", if count == 1 { "" } else { "s" }));
    }
    text.push_str("\nfiles\n");
    for file in &workflow.files {
        let part = if *file == workflow.home {
            "declares it"
        } else if workflow.template == Some(*file) {
            "its template"
        } else if workflow.steps.iter().any(|step| step.span.source == *file) {
            "holds steps"
        } else {
            "belongs to it"
        };
        text.push_str(&format!("  {} ({part})\n", library.source(*file).path()));
    }
    text
}

/// Lists the names that something gives a value; those that prose only mentions come last, in one line.
fn names(library: &Library, workflow: &Workflow) -> String {
    let mut seen = BTreeSet::new();
    let (told, given): (Vec<&Definition>, Vec<&Definition>) = workflow
        .definitions
        .iter()
        .filter(|definition| seen.insert((definition.name.as_str(), definition.by, definition.value.is_some())))
        .partition(|definition| definition.by == DefinedBy::Prose && definition.value.is_none());
    let told: BTreeSet<&str> = told
        .iter()
        .map(|definition| definition.name.as_str())
        .filter(|name| given.iter().all(|definition| definition.name != *name))
        .collect();
    let rows = given.iter().map(|definition| {
        let value = definition.value.as_ref().filter(|value| !value.is_empty());
        let value = value.map_or_else(String::new, |value| format!("= {}", line(value)));
        [
            format!("  {}", line(&definition.name)),
            by(definition.by).to_owned(),
            near(library, definition.span),
            value,
        ]
    });
    let mut text = table(rows);
    if !told.is_empty() {
        let told: Vec<&str> = told.into_iter().collect();
        text.push_str(&format!("  named in prose: {}\n", told.join(", ")));
    }
    if text.is_empty() {
        text
    } else {
        format!("\nnames\n{text}")
    }
}

fn by(by: DefinedBy) -> &'static str {
    match by {
        DefinedBy::Key => "key",
        DefinedBy::Frontmatter => "frontmatter",
        DefinedBy::Assignment => "assignment",
        DefinedBy::Section => "section",
        DefinedBy::Answer => "answer",
        DefinedBy::Input => "input",
        DefinedBy::Loop => "loop",
        DefinedBy::Result => "result",
        DefinedBy::Pattern => "file pattern",
        DefinedBy::Prose => "prose",
    }
}

fn rules(library: &Library, workflow: &Workflow) -> String {
    if workflow.rules.is_empty() && workflow.halts.is_empty() && workflow.terms.is_empty() {
        return String::new();
    }
    let mut rows = Rows::new(library);
    for rule in &workflow.rules {
        rows.add(*rule, 0, rows.words(*rule));
    }
    for halt in &workflow.halts {
        rows.add(*halt, 0, format!("does not go on where: {}", rows.words(*halt)));
    }
    for term in &workflow.terms {
        rows.add(
            term.span,
            0,
            format!("told where `{}` is said: {}", term.word, rows.words(term.span)),
        );
    }
    format!("\nrules\n{}", rows.finish())
}

fn told(word: &str, step: &Step, teller: Teller<'_>, library: &Library) -> String {
    let goal = if step.title().is_empty() {
        String::new()
    } else {
        format!(": {}", line(step.title()))
    };
    let origin = match step.origin {
        Origin::Tag => "a tag",
        Origin::File => "a file",
        Origin::Heading => "a heading",
        Origin::Prose => "prose",
    };
    let optional = if step.optional { ", optional" } else { "" };
    let mut text = format!("\n{word} {}{goal}\n", line(&step.label));
    text.push_str(&format!("  from {origin} at {}{optional}\n", place(library, step.head)));
    let mut rows = Rows::new(library);
    if let Some(condition) = &step.condition {
        rows.add(condition.span, 0, condition_text("only if", condition));
    }
    if let Some(repeat) = &step.repeat {
        rows.add(repeat.span, 0, format!("repeats {}", repeated(repeat)));
    }
    teller.body(&step.body, 0, &mut rows);
    text.push_str(&rows.finish());
    text
}

/// Says where something is by the name of its file: the list of files has the paths.
fn near(library: &Library, span: Span) -> String {
    let source = library.source(span.source);
    format!("{}:{}", source.path().name(), source.position(span.start).line)
}

fn place(library: &Library, span: Span) -> String {
    let source = library.source(span.source);
    format!("{}:{}", source.path(), source.position(span.start).line)
}
