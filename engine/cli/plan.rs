//! A workflow in, what a run of it would do and ask out.

use crate::cli::Exit;
use crate::cli::brief::counted;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Project};
use crate::cli::session::Session;
use crate::host::Begun;
use crate::machine::{Planned, Survey};
use crate::model::Decider;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing runs, nobody is asked, nothing is written.

Examples:
  bmad plan workflow.xml          list its steps, its questions and who decides what
  bmad plan workflow.xml --json   the same for a program")]
pub(super) struct Args {
    /// The workflow, task or skill to look through
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let project = launch::open(&args.file, session)?;
    launch::refuse(&project, session)?;
    match args.json {
        true => show_json(&project, &[], session),
        false => show(&project, &[], session),
    }
}

/// Prints what a run would do, for a program.
pub(super) fn show_json(
    project: &Project,
    inputs: &[(String, String)],
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let survey = survey(project);
    let mut value =
        json!({"workflow": project.home(), "steps": survey.steps.iter().map(step_json).collect::<Vec<_>>()});
    let called: Vec<_> = called(project)
        .iter()
        .map(|(at, survey)| called_json(project, *at, survey))
        .collect();
    if !called.is_empty() {
        value["called"] = called.into();
    }
    if !inputs.is_empty() {
        let inputs = inputs.iter().map(|(name, value)| (name.clone(), json!(value)));
        value["inputs"] = inputs.collect::<serde_json::Map<_, _>>().into();
    }
    writeln!(session.output, "{value}")?;
    Ok(Exit::Clean)
}

fn called_json(project: &Project, at: usize, survey: &Survey) -> serde_json::Value {
    let steps: Vec<_> = survey.steps.iter().map(step_json).collect();
    json!({"workflow": project.path(project.loaded.workflows[at].home), "steps": steps})
}

fn step_json(step: &Planned) -> serde_json::Value {
    let questions: Vec<_> = step
        .questions
        .iter()
        .map(|(text, place)| json!({"text": text, "place": place}))
        .collect();
    let conditions: Vec<_> = step
        .conditions
        .iter()
        .map(|(decider, text, place)| json!({"decides": who(*decider), "text": text, "place": place}))
        .collect();
    json!({
        "label": step.label, "goal": step.goal, "place": step.place, "turns": step.turns, "agents": step.sent,
        "questions": questions, "conditions": conditions, "calls": step.calls, "commands": step.commands, "writes": step.writes,
    })
}

fn survey(project: &Project) -> Survey {
    project.image().survey(project.at)
}

/// Prints what a run is given, and what its inputs are by default.
fn show_inputs(project: &Project, inputs: &[(String, String)], out: &mut dyn Write) -> std::io::Result<()> {
    for input in &project.workflow().inputs {
        let given = inputs
            .iter()
            .find(|(name, _)| *name == input.name)
            .map(|(_, value)| value.as_str());
        let value =
            given
                .or(input.default.as_deref())
                .unwrap_or(if input.required { "must be given" } else { "nothing" });
        writeln!(out, "  input {} = {value}", input.name)?;
    }
    let declared = |name: &str| project.workflow().inputs.iter().any(|input| input.name == name);
    for (name, value) in inputs.iter().filter(|(name, _)| !declared(name)) {
        writeln!(out, "  given {name} = {value}")?;
    }
    Ok(())
}

/// Prints what a run would do.
pub(super) fn show(project: &Project, inputs: &[(String, String)], session: &mut Session<'_>) -> Result<Exit, Failure> {
    let own = survey(project);
    let called = called(project);
    let out = &mut session.output;
    writeln!(out, "{} ({})", project.workflow().name, project.home())?;
    show_inputs(project, inputs, out)?;
    show_steps(&own, out)?;
    for (at, survey) in &called {
        let workflow = &project.loaded.workflows[*at];
        writeln!(out, "called: {} ({})", workflow.name, project.path(workflow.home))?;
        show_steps(survey, out)?;
    }
    let steps = || {
        let of_called = called.iter().flat_map(|(_, survey)| &survey.steps);
        own.steps.iter().chain(of_called)
    };
    let total: usize = steps().map(|step| step.turns + step.sent.len()).sum();
    let asked: usize = steps().map(|step| step.questions.len()).sum();
    writeln!(
        out,
        "{}, {} written down, {}",
        counted(steps().count(), "step"),
        counted(total, "turn"),
        counted(asked, "question")
    )?;
    Ok(Exit::Clean)
}

/// Looks through everything that a workflow calls, and that is called there, once each.
fn called(project: &Project) -> Vec<(usize, Survey)> {
    let found = project.loaded.program.reached(project.at);
    let image = project.image();
    found.into_iter().skip(1).map(|at| (at, image.survey(at))).collect()
}

fn show_steps(survey: &Survey, out: &mut dyn Write) -> std::io::Result<()> {
    for step in &survey.steps {
        writeln!(out, "step {}  {}", step.label, step.goal)?;
        if step.turns > 0 {
            writeln!(out, "  agent: {} at most", counted(step.turns, "turn"))?;
        }
        for agent in &step.sent {
            let name = if agent.is_empty() {
                "the performing agent"
            } else {
                agent
            };
            writeln!(out, "  sends {name}")?;
        }
        for (text, place) in &step.questions {
            writeln!(out, "  asks: {text}  ({place})")?;
        }
        for (decider, text, place) in &step.conditions {
            let bare = ["If ", "if ", "IF "]
                .iter()
                .find_map(|opener| text.strip_prefix(opener));
            let text = bare.unwrap_or(text);
            writeln!(out, "  if {text}: {} decides  ({place})", who(*decider))?;
        }
        for call in &step.calls {
            writeln!(out, "  calls {call}")?;
        }
        for command in &step.commands {
            writeln!(out, "  runs {command}")?;
        }
        for write in &step.writes {
            writeln!(out, "  writes {write}")?;
        }
    }
    Ok(())
}

fn who(decider: Decider) -> &'static str {
    match decider {
        Decider::Expression | Decider::Existence => "the engine",
        Decider::Choice => "the answer",
        Decider::Judged => "the agent",
    }
}

/// Prints what a resumed run would use again and what it would do next, for a person or for a program.
pub(super) fn again(
    again: &launch::Again,
    begun: &Begun,
    is_json: bool,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    if is_json {
        let told = again_json(again, begun);
        writeln!(session.output, "{}", session.secrets.masked_json(&told))?;
        return Ok(Exit::Clean);
    }
    let reuse = &again.reuse;
    let out = &mut session.output;
    writeln!(
        out,
        "used again: {} effects, {} of them turns of agents",
        reuse.reused, reuse.turns
    )?;
    for changed in &reuse.changed {
        writeln!(out, "changed: {changed}")?;
    }
    if let Some(end) = &again.end {
        writeln!(
            out,
            "{}",
            format!("then: {} {}", end.kind.name(), end.reason).trim_end()
        )?;
    }
    for issued in &again.next {
        let cost = if issued.effect.is_turn() { " (paid)" } else { "" };
        writeln!(out, "next: {} in step {}{cost}", issued.effect.name(), issued.step)?;
    }
    Ok(Exit::Clean)
}

fn again_json(again: &launch::Again, begun: &Begun) -> String {
    let next = again
        .next
        .iter()
        .map(|issued| json!({"do": issued.effect.name(), "step": issued.step, "paid": issued.effect.is_turn()}));
    let end = again.end.as_ref();
    let changed: Vec<String> = again.reuse.changed.iter().map(ToString::to_string).collect();
    let told = json!({
        "run": begun.run, "reused": again.reuse.reused, "turns": again.reuse.turns, "changed": changed,
        "then": end.map(|end| json!({"how": end.kind.name(), "why": end.reason})), "next": next.collect::<Vec<_>>(),
    });
    told.to_string()
}
