//! What every turn of a step is given: what it is for, its rules, and the values of the names that its text mentions.

use super::code::Op;
use super::lane::Kind;
use super::render::Names as _;
use super::task::{Order, Task};
use super::walk::Walk;
use crate::model::{Act, REQUEST, STANDARD, Term};
use crate::source::{ProjectPath, SourceId, Span};
use crate::syntax::{HoleKind, holes, says};

/// How many files a turn is told the places of.
const MAX_FILES: usize = 40;

/// Words that name what a run works on.
const PROJECT: &[&str] = &["project", "repository", "repo", "codebase"];

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
            request: self.request(),
            rules: rules.map(said).chain(halts).chain(self.called_with()).collect(),
            attempt: 1,
            ..Task::default()
        }
    }

    /// Returns the words that the person began the run with. A workflow in the engine's own tags names what it reads.
    fn request(&self) -> String {
        let is_exact = self.image.code(self.frame().workflow).strict;
        let mut given = self.options.inputs.iter().filter(|_| !is_exact);
        let words = given.find(|(name, _)| name == REQUEST);
        words.map(|(_, words)| words.to_string()).unwrap_or_default()
    }

    /// Returns the sections that say what the words of a turn mean.
    pub(super) fn terms(&self, task: &Task) -> Vec<Span> {
        let orders = task.instructions.iter().map(|order| order.text.as_str());
        let texts: Vec<&str> = orders.chain(task.conditions.iter().map(String::as_str)).collect();
        let is_said = |term: &&Term| texts.iter().any(|text| says(text, &term.word));
        let terms = self.image.workflows[self.frame().workflow].terms.iter();
        terms.filter(is_said).map(|term| term.span).collect()
    }

    /// Returns what the prose that makes the call where the lane is says of it.
    pub(super) fn said(&self) -> Option<String> {
        match self.op() {
            Op::Follow(_, _, Some(order)) | Op::Skill(_, _, Some(order)) => Some(self.words(*order).trim().to_owned()),
            _ => None,
        }
    }

    /// Returns what the prose that called this workflow says of the call: it narrows what is to be done.
    fn called_with(&self) -> Option<String> {
        let called = self.lane.frames.iter().rev().find(|frame| frame.kind != Kind::Inside)?;
        let said = Some(&called.said).filter(|said| !said.is_empty())?;
        Some(format!(
            "You were called with these words, and do only what they ask for: {said}"
        ))
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
        let received = self.received(spans).into_iter();
        let unsaid = received.filter(|(name, _)| found.iter().all(|(said, _)| said != name));
        let unsaid: Vec<(String, String)> = unsaid.collect();
        found.extend(unsaid);
        if let Some(answer) = &self.frame().answer {
            found.push(("the last answer".to_owned(), answer.clone()));
        }
        found
    }

    /// Returns what a person or a caller gave that a turn has to know without a name in braces: all of it at first, then
    /// what its words speak of. A workflow in the engine's own tags names everything it reads.
    fn received(&self, spans: &[Span]) -> Vec<(String, String)> {
        let frame = self.frame();
        if !self.options.whole || self.image.code(frame.workflow).strict {
            return Vec::new();
        }
        let (names, told) = frame.variables.received();
        let speaks_of = |name: &str| {
            let is_inside = |at: char| at.is_alphanumeric() || matches!(at, '_' | '-');
            let mut words = spans
                .iter()
                .flat_map(|span| self.image.slice(*span).split(|at| !is_inside(at)));
            words.any(|word| word.eq_ignore_ascii_case(name))
        };
        // The words of the person are told by themselves.
        let is_said = |name: &&String| name.as_str() != REQUEST && (!told || speaks_of(name));
        let value = |name: &String| Some((name.clone(), self.bound(name)?.to_string()));
        names.iter().filter(is_said).filter_map(value).collect()
    }

    /// Returns where the files are that instructions name as seen from the file they are written in, or from the folder of
    /// the workflow: an agent looks from the project.
    pub(super) fn files(&self, orders: &[Order], spans: &[Span]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (order, span) in orders.iter().zip(spans).filter(|_| self.options.whole) {
            for word in paths(&order.text) {
                if self.is_of_project(word, &order.text) {
                    continue;
                }
                let place = self.beside(word, span.source).filter(|place| place != word);
                let told = place.map(|place| format!("`{word}` is `{place}`"));
                found.extend(told.filter(|told| !found.contains(told)));
            }
        }
        found.truncate(MAX_FILES);
        found
    }

    /// Says whether a path, which is part of a text, names a file that the project itself has under it: its line speaks of
    /// the project.
    fn is_of_project(&self, path: &str, text: &str) -> bool {
        let at = path.as_ptr() as usize - text.as_ptr() as usize;
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let mut words = line.split(|at: char| !at.is_alphanumeric());
        let speaks = words.any(|word| PROJECT.iter().any(|named| word.eq_ignore_ascii_case(named)));
        let place = ProjectPath::new(path).filter(|_| speaks && !path.starts_with('.'));
        place.is_some_and(|place| self.image.library.exists(&place))
    }

    /// Returns where a file of the workflow is in the project; its steps are the engine's own to read.
    fn beside(&self, path: &str, source: SourceId) -> Option<String> {
        let library = self.image.library;
        let workflow = &self.image.workflows[self.frame().workflow];
        let home = library.source(workflow.home).path().folder();
        let file = library.source(source).path().clone();
        let places = [file.beside(path), home.join(path)];
        let found = places.into_iter().flatten().find(|place| library.exists(place))?;
        let is_step = library
            .at(&found)
            .is_some_and(|document| workflow.files.contains(&document.source.id()));
        let is_apart = found.as_str().is_empty() || found.as_str().starts_with(STANDARD);
        (!is_step && !is_apart).then(|| self.image.in_project(&found))
    }
}

/// Finds the words of a text that name a file by a relative path.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |at: char| at.is_whitespace() || "`\"'()[]<>,;*|“”".contains(at);
    let words = text
        .split(is_end)
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    words.filter(|word| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        let has_ending = ending.is_some_and(|(_, ending)| {
            (1..=5).contains(&ending.len()) && ending.chars().all(|at| at.is_ascii_alphanumeric())
        });
        has_ending && !word.starts_with(['/', '~', '{']) && !word.contains("://") && !word.contains(['{', '$'])
    })
}
