//! A file in, its labelled steps out, those that stand together in one list.

use crate::model::{Document, Origin, Step, Workflow};
use crate::source::Span;
use crate::syntax::{Child, Element, Tag};
use std::collections::HashMap;

/// A step that has a label.
#[derive(Debug, Clone, Copy)]
pub(in crate::lint) struct LabelledStep<'a> {
    pub(in crate::lint) label: &'a str,
    /// Where the label stands.
    pub(in crate::lint) span: Span,
    condition: Option<&'a str>,
}

impl LabelledStep<'_> {
    /// Says whether the two run under different conditions: they are two ways, not two steps of one.
    pub(in crate::lint) fn is_alternative(&self, other: &Self) -> bool {
        matches!((self.condition, other.condition), (Some(one), Some(two)) if one != two)
    }
}

/// Collects the lists of more than one labelled step that stand in one element together; parts of steps apart from steps.
pub(super) fn gather<'a>(children: &'a [Child], lists: &mut Vec<Vec<LabelledStep<'a>>>) {
    let (mut steps, mut parts) = (Vec::new(), Vec::new());
    for child in children {
        match child {
            Child::Element(element) if element.tag == Tag::Step => steps.extend(labelled(element)),
            Child::Element(element) if element.tag == Tag::Substep => parts.extend(labelled(element)),
            Child::Element(_) | Child::Text(_) => {}
        }
    }
    // Most elements hold neither.
    if steps.len() > 1 {
        lists.push(steps);
    }
    if parts.len() > 1 {
        lists.push(parts);
    }
    for child in children {
        match child {
            Child::Element(element) if !element.children.is_empty() => gather(&element.children, lists),
            Child::Element(_) | Child::Text(_) => {}
        }
    }
}

/// Reads a step's label; one with a variable in it is different every time.
fn labelled(element: &Element) -> Option<LabelledStep<'_>> {
    let label = element.attribute("n").or_else(|| element.attribute("id"))?;
    let text = label.value.trim();
    let is_fixed = !text.is_empty() && !text.contains('{');
    is_fixed.then(|| LabelledStep {
        label: text,
        span: label.value_span,
        condition: element.value("if").map(str::trim),
    })
}

/// Headings of one rank and one word that count together.
struct Run<'a> {
    level: u8,
    word: &'a str,
    /// Whether a heading without a number came since.
    parted: bool,
    steps: Vec<LabelledStep<'a>>,
}

/// Collects the numbered headings that are steps; those of another rank, or below another heading, count apart.
pub(super) fn gather_headings<'a>(
    workflow: Option<&'a Workflow>,
    document: &'a Document,
    lists: &mut Vec<Vec<LabelledStep<'a>>>,
) {
    let own = |step: &&Step| step.origin == Origin::Heading && step.span.source == document.source.id();
    let steps: Vec<&Step> = workflow
        .into_iter()
        .flat_map(|workflow| &workflow.steps)
        .filter(own)
        .collect();
    if steps.len() < 2 {
        return;
    }
    let mut numbered: HashMap<Span, &Step> = HashMap::new();
    for step in steps {
        if step.label.starts_with(|at: char| at.is_ascii_digit()) {
            numbered.entry(step.head).or_insert(step);
        }
    }
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut ended = Vec::new();
    for heading in &document.parsed.markdown.headings {
        ended.extend(runs.extract_if(.., |run| run.level > heading.level));
        let Some(step) = numbered.get(&heading.span) else {
            let equals = runs.iter_mut().filter(|run| run.level == heading.level);
            equals.for_each(|run| run.parted = true);
            continue;
        };
        let word = first_word(document.source.slice(heading.text));
        let begins = matches!(step.label.trim_start_matches('0'), "" | "1");
        ended.extend(runs.extract_if(.., |run| {
            run.level == heading.level && run.word == word && run.parted && begins
        }));
        let labelled = LabelledStep {
            label: &step.label,
            span: step.label_span,
            condition: None,
        };
        match runs
            .iter_mut()
            .find(|run| run.level == heading.level && run.word == word)
        {
            Some(run) => run.steps.push(labelled),
            None => runs.push(Run {
                level: heading.level,
                word,
                parted: false,
                steps: vec![labelled],
            }),
        }
    }
    let all = ended.into_iter().chain(runs).map(|run| run.steps);
    lists.extend(all.filter(|steps| steps.len() > 1));
}

/// Returns the word before the number of a heading; none where it begins with the number.
fn first_word(title: &str) -> &str {
    let title = title.trim_start_matches(|at: char| !at.is_alphanumeric());
    let end = title.find(|at: char| !at.is_alphabetic()).unwrap_or(title.len());
    &title[..end]
}
