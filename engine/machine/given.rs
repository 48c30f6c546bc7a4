//! What every turn of a step is given: what it is for, its rules, and the values of the names that its text mentions.

use super::render::Names as _;
use super::task::Task;
use super::walk::Walk;
use crate::model::Act;
use crate::source::Span;
use crate::syntax::{HoleKind, holes};

impl Walk<'_, '_> {
    /// Makes a task of this step without anything to do yet.
    pub(super) fn task(&self) -> Task {
        let workflow = &self.image.workflows[self.frame().workflow];
        let step = self.frame().step;
        let own = step.map(|step| step.body.as_slice()).unwrap_or_default();
        let stepwise = own.iter().filter_map(|instruction| match &instruction.act {
            Act::Rule { text } => Some(*text),
            _ => None,
        });
        let rules = workflow.rules.iter().copied().chain(stepwise);
        let said = |span: Span| self.words(span).trim().to_owned();
        let halts = workflow.halts.iter().map(|span| {
            format!(
                "Do not go on where this holds, but answer `blocked` and name it: {}",
                said(*span)
            )
        });
        Task {
            workflow: workflow.name.clone(),
            step: step.map(|step| step.label.clone()).unwrap_or_default(),
            goal: step.map(|step| self.text(step.title())).unwrap_or_default(),
            rules: rules.map(said).chain(halts).collect(),
            attempt: 1,
            ..Task::default()
        }
    }

    /// Returns the names that texts mention and that have a value.
    pub(super) fn mentioned(&self, spans: &[Span]) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for span in spans {
            for hole in holes(self.image.slice(*span), *span) {
                let named = matches!(hole.kind, HoleKind::Single | HoleKind::Double);
                if named
                    && found.iter().all(|(name, _)| *name != hole.name)
                    && let Some(value) = self.bound(hole.name)
                {
                    let told = self.known().telling().told(hole.name, &value);
                    found.push((hole.name.to_owned(), told.unwrap_or_else(|| value.to_string())));
                }
            }
        }
        if let Some(answer) = &self.frame().answer {
            found.push(("the last answer".to_owned(), answer.clone()));
        }
        found
    }
}
