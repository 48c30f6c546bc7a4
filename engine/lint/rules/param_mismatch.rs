//! Values handed to a task that has no place for them, and those it waits for in vain.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest, places_of};
use crate::model::{Act, Input, Instruction, Invoke, Param, Workflow, visit};

pub(super) const RULE: Rule = Rule {
    code: Code("param-mismatch"),
    severity: Severity::Warning,
    summary: "a call hands over what the task has no input for, or leaves out what it needs",
    page: include_str!("../../../spec/rules/param-mismatch.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for step in unit.workflow.all_steps() {
        visit(&step.body, &mut |instruction| {
            if let Act::Invoke(invoke) = &instruction.act {
                judge(instruction, invoke, unit, findings);
            }
        });
    }
}

fn judge(instruction: &Instruction, invoke: &Invoke, unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let program = unit.subject.program;
    let Some(at) = program.called_at(unit.position, instruction.span) else {
        return;
    };
    let called = &unit.subject.workflows[at];
    // Without a list of inputs, whatever is handed over is a variable of the task.
    if called.inputs.is_empty() {
        return;
    }
    let mut meant = Vec::new();
    for param in invoke.params.iter().filter(|param| !is_known(param, called, unit)) {
        let near = nearest(&param.name.text, called.inputs.iter().map(|input| input.name.as_str()));
        let message = format!("`{}` is no input of `{}`", param.name.text, called.name);
        findings.add(param.name.span, message).help = Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its inputs: {}", names(&called.inputs)),
        });
        meant.extend(near);
    }
    let is_given = |input: &Input| invoke.params.iter().any(|param| param.name.text == input.name);
    let needed = called.inputs.iter().filter(|input| input.is_needed());
    for input in needed.filter(|input| !is_given(input) && !meant.contains(&input.name.as_str())) {
        let message = format!("`{}` of `{}` needs a value, and is given none", input.name, called.name);
        findings.add(invoke.target.span, message).help =
            Some(format!("add `<param name=\"{}\" value=\"…\"/>`", input.name));
    }
}

/// Says whether a task has a place for a value: an input, or a line that names it all the same.
fn is_known(param: &Param, called: &Workflow, unit: &WorkflowUnit<'_>) -> bool {
    let name = param.name.text.as_str();
    let library = unit.subject.library;
    let is_named = |text: &str| places_of(name, text).next().is_some();
    name.is_empty()
        || called.inputs.iter().any(|input| input.name == name)
        || called.files.iter().any(|file| is_named(library.source(*file).text()))
}

fn names(inputs: &[Input]) -> String {
    let names: Vec<String> = inputs.iter().map(|input| format!("`{}`", input.name)).collect();
    names.join(", ")
}
