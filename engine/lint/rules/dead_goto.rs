//! Jumps, by tag or in prose, to a step or an anchor that does not exist or that no jump from there can reach.

mod section;
mod step_files;

use crate::diagnostic::{Code, Severity};
use crate::graph::Jump;
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{Act, Origin, Step, visit};
use crate::source::{SourceId, Span};
use section::Numbers;
use std::collections::{HashMap, HashSet};

pub(super) const RULE: Rule = Rule {
    code: Code("dead-goto"),
    severity: Severity::Error,
    summary: "a jump leads to a step or an anchor that does not exist",
    page: include_str!("../../../spec/rules/dead-goto.md"),
    check: Check::Workflow(check),
};

/// How many labels one message lists.
const MANY: usize = 20;
/// How many names may be compared for suggestions in one workflow.
const COMPARED: usize = 1_000_000;

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    astray(unit, findings);
    step_files::check(unit, findings);
    if unit.graph.dead.is_empty() {
        return;
    }
    let labels = labels(&unit.workflow.steps);
    let anchors = anchors(&unit.workflow.steps);
    let mut places = places(&unit.workflow.steps);
    places.extend(&anchors);
    let mut compared = 0;
    let sections = sections(&unit.workflow.steps);
    let mut numbers: HashMap<SourceId, Numbers<'_>> = HashMap::new();
    for jump in &unit.graph.dead {
        let text = unit.subject.library.source(jump.span.source).text();
        let numbers = numbers.entry(jump.span.source).or_insert_with(|| Numbers::of(text));
        if is_list_item(unit, (jump, &sections), numbers) {
            continue;
        }
        if numbers.is_headed(&jump.label) {
            let message = format!("`{}` is a heading inside of a step: a run asks where to go", jump.label);
            findings.add_as(Severity::Info, jump.span, message).help =
                Some("name the step it is in, or make it a step of its own".to_owned());
            continue;
        }
        let found = findings.add(
            jump.span,
            format!("no step or anchor `{}` in this workflow", jump.label),
        );
        let is_anchor = names_anchor(unit, jump);
        let there = match is_anchor {
            true => listed_anchors(&anchors, &jump.label),
            false => listed(&labels),
        };
        compared += places.len() + labels.len();
        let anchor = || nearest(&jump.label, anchors.iter().copied().filter(|_| is_anchor));
        let place = || nearest(&jump.label, places.iter().copied());
        let near = || anchor().or_else(place).or_else(|| like(&jump.label, &labels));
        found.help = Some(match (compared <= COMPARED).then(near).flatten() {
            Some(near) => format!("did you mean `{near}`? {there}"),
            None => there,
        });
    }
}

/// Adds the jumps that would leave or enter a lane.
fn astray(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for jump in &unit.graph.astray {
        let (message, help) = match jump.label.as_str() {
            "" => (
                "a lane of `<parallel>` goes on with a step file, and lanes meet only where they end".to_owned(),
                "follow the file behind the `<parallel>`, or make a task of it that the lane calls",
            ),
            label => (
                format!("the jump to `{label}` leaves or enters a lane of `<parallel>`"),
                "lanes meet where they end; jump inside of one lane, or behind the `<parallel>`",
            ),
        };
        findings.add(jump.span, message).help = Some(help.to_owned());
    }
}

/// Says whether "step 3" means the third item of a list: one in the same tag, or one on the same page where headings are the steps.
fn is_list_item(unit: &WorkflowUnit<'_>, (jump, sections): (&Jump, &[Span]), numbers: &Numbers<'_>) -> bool {
    let source = unit.subject.library.source(jump.span.source);
    let (before, after) = source
        .text()
        .split_at_checked(jump.span.start as usize)
        .unwrap_or_default();
    let next = sections.partition_point(|span| (span.source.0, span.start) <= (jump.span.source.0, jump.span.start));
    let section = next.checked_sub(1).and_then(|last| sections.get(last));
    if section.is_some_and(|section| section.contains(jump.span)) {
        return numbers.is_listed(&jump.label);
    }
    let start = before.rfind('>').map_or(0, |at| at + 1);
    let end = before.len() + after.find('<').unwrap_or(after.len());
    let text = source.text().get(start..end).unwrap_or("");
    section::is_listed(text, &jump.label)
}

/// Says whether a jump names an anchor, in the attribute of a tag.
fn names_anchor(unit: &WorkflowUnit<'_>, jump: &Jump) -> bool {
    let before = unit.subject.library.source(jump.span.source).text();
    let before = before.get(..jump.span.start as usize).unwrap_or_default();
    before.trim_end_matches(['"', '\'']).ends_with("anchor=")
}

/// Returns the labels of the steps that somebody wrote, each once.
fn labels(steps: &[Step]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let labels = steps.iter().filter(|step| !step.loose).map(|step| step.label.as_str());
    labels.filter(|label| seen.insert(*label)).collect()
}

/// Returns where the steps stand that are headings, in order.
fn sections(steps: &[Step]) -> Vec<Span> {
    let headed = steps.iter().filter(|step| step.origin == Origin::Heading);
    let mut spans: Vec<Span> = headed.map(|step| step.span).collect();
    spans.sort_unstable_by_key(|span| (span.source.0, span.start));
    spans
}

fn listed(labels: &[&str]) -> String {
    let (shown, more) = labels.split_at(labels.len().min(MANY));
    let names = shown.join(", ");
    match more.len() {
        0 if shown.is_empty() => "no step of this workflow has a name".to_owned(),
        0 if shown.len() < 2 => format!("the only step is {names}"),
        0 => format!("the steps are {names}"),
        more => format!("the steps are {names} and {more} more"),
    }
}

/// Says which anchors there are.
fn listed_anchors(anchors: &[&str], wanted: &str) -> String {
    let (shown, more) = anchors.split_at(anchors.len().min(MANY));
    let names = shown.join(", ");
    match (shown.len(), more.len()) {
        (0, _) => format!("write `<anchor id=\"{wanted}\"/>` where the jump leads"),
        (1, _) => format!("the only anchor is {names}"),
        (_, 0) => format!("the anchors are {names}"),
        (_, more) => format!("the anchors are {names} and {more} more"),
    }
}

/// Returns the names of the anchors, each once.
fn anchors(steps: &[Step]) -> Vec<&str> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for step in steps {
        visit(&step.body, &mut |instruction| {
            if let Act::Anchor { id } = &instruction.act
                && seen.insert(id)
            {
                names.push(id.as_str());
            }
        });
    }
    names
}

/// Returns the names of what a jump can lead to beside anchors: steps, and parts of steps.
fn places(steps: &[Step]) -> Vec<&str> {
    let mut names: Vec<&str> = steps.iter().map(|step| step.label.as_str()).collect();
    for step in steps {
        visit(&step.body, &mut |instruction| {
            if let Act::Group { label: Some(label), .. } = &instruction.act {
                names.push(&label.text);
            }
        });
    }
    names
}

/// Finds the step with the same number: `2` for `2a`.
fn like<'a>(wanted: &str, labels: &[&'a str]) -> Option<&'a str> {
    let number = |label: &str| label.trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_owned();
    let wanted = number(wanted);
    labels
        .iter()
        .copied()
        .find(|label| !wanted.is_empty() && number(label) == wanted)
}
