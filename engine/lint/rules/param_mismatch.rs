//! Values handed to a task that has no place for them, and those it waits for in vain.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest, places_of};
use crate::model::{Instruction, Invoke, Invoked, Place, Resolution, STANDARD_INPUTS, Scope, Workflow};

pub(super) const RULE: Rule = Rule {
    code: Code("param-mismatch"),
    severity: Severity::Warning,
    summary: "a call hands over what the task has no input for, or leaves out what it needs",
    page: include_str!("../../../spec/rules/param-mismatch.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for (instruction, invoke) in &unit.acts.invokes {
        judge(instruction, invoke, unit, findings);
    }
}

/// The task that is called: its name, its inputs, and those of them that somebody has to give a value.
struct Called<'a> {
    name: &'a str,
    inputs: Vec<&'a str>,
    needed: Vec<&'a str>,
}

fn judge(instruction: &Instruction, invoke: &Invoke, unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let at = unit.subject.program.called_at(unit.position, instruction.span);
    let called = at.map(|at| &unit.subject.workflows[at]);
    let Some(task) = called.map(read).or_else(|| standard(invoke, unit)) else {
        return;
    };
    // Without a list of inputs, whatever is handed over is a variable of the task.
    if task.inputs.is_empty() {
        return;
    }
    let is_named = |name: &str| called.is_some_and(|called| names(called, name, unit));
    let is_known = |name: &str| name.is_empty() || task.inputs.contains(&name) || is_named(name);
    let mut meant = Vec::new();
    for param in invoke.params.iter().filter(|param| !is_known(&param.name.text)) {
        let near = nearest(&param.name.text, task.inputs.iter().copied());
        let message = format!("`{}` is no input of `{}`", param.name.text, task.name);
        findings.add(param.name.span, message).help = Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its inputs: `{}`", task.inputs.join("`, `")),
        });
        meant.extend(near);
    }
    let is_given = |input: &str| invoke.params.iter().any(|param| param.name.text == input);
    let left_out = |input: &&str| !is_given(input) && !meant.contains(input);
    for input in task.needed.into_iter().filter(left_out) {
        let message = format!("`{input}` of `{}` needs a value, and is given none", task.name);
        findings.add(invoke.target.span, message).help = Some(format!("add `<param name=\"{input}\" value=\"…\"/>`"));
    }
}

fn read(called: &Workflow) -> Called<'_> {
    let needed = called.inputs.iter().filter(|input| input.is_needed());
    Called {
        name: &called.name,
        inputs: called.inputs.iter().map(|input| input.name.as_str()).collect(),
        needed: needed.map(|input| input.name.as_str()).collect(),
    }
}

/// Finds the task of the standard library that is called. Without any value the task of that name may be meant which
/// BMAD itself installs, and which needs none.
fn standard(invoke: &Invoke, unit: &WorkflowUnit<'_>) -> Option<Called<'static>> {
    let library = unit.subject.library;
    if invoke.what != Invoked::File || invoke.params.is_empty() {
        return None;
    }
    let scope = Scope::new(library, Some(unit.workflow), invoke.target.span.source);
    let place = Place {
        file: library.source(invoke.target.span.source).path(),
        home: &library.source(unit.workflow.home).path().folder(),
    };
    let Resolution::Found(path) = library.resolve(&invoke.target.text, place, &scope) else {
        return None;
    };
    let inside = path
        .as_str()
        .strip_prefix("_bmad/core/")
        .filter(|_| !library.exists(&path))?;
    let (name, inputs) = STANDARD_INPUTS.iter().find(|(task, _)| *task == inside)?;
    let needed = inputs.iter().filter(|(_, needed)| *needed);
    Some(Called {
        name,
        inputs: inputs.iter().map(|(name, _)| *name).collect(),
        needed: needed.map(|(name, _)| *name).collect(),
    })
}

/// Says whether a line of the task names a value, although it is no input.
fn names(called: &Workflow, name: &str, unit: &WorkflowUnit<'_>) -> bool {
    let library = unit.subject.library;
    let is_named = |text: &str| places_of(name, text).next().is_some();
    called.files.iter().any(|file| is_named(library.source(*file).text()))
}
