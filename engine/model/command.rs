//! A workflow in, the commands of the project that it wants to be run out, each with where its text comes from.
//!
//! A command is written out, or it is one value of the configuration. Nothing is ever put together, and nothing that an
//! agent, a person or a file says is ever run.

use super::instruction::{Act, Instruction};
use super::names::is_system;
use super::workflow::{DefinedBy, RepeatKind, Step, Workflow};
use crate::source::Span;
use crate::syntax::{HoleKind, each_hole};

/// A command that a `<run>` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command<'w> {
    /// As it is written.
    pub written: &'w str,
    /// Where.
    pub span: Span,
    /// Where its text comes from.
    pub text: CommandText,
}

/// Where the text of a command comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandText {
    /// It is written out.
    Written(String),
    /// It is a value of the configuration: the way to it.
    Configured(Vec<Way>),
    /// It is neither, and is never run.
    Refused(Refusal),
}

/// One step on the way to a value of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// By name, and by the names of fields behind it.
    Name(String),
    /// Every item of the list.
    Each,
}

/// Why a command is never run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A name stands inside of other text.
    Mixed(String),
    /// Something else than the configuration gives the name its value.
    Given(String, DefinedBy),
    /// The engine gives the name its value.
    System(String),
}

/// Finds the commands of a workflow, those of its protocols last.
pub fn commands(workflow: &Workflow) -> Vec<Command<'_>> {
    let mut finder = Finder {
        workflow,
        around: Vec::new(),
        found: Vec::new(),
    };
    for step in workflow.all_steps() {
        finder.step(step);
    }
    finder.found
}

/// Returns the one name that a text is and nothing else; none where it has no name in it.
///
/// # Errors
/// Answers the first name of a text that has more in it than one.
pub(crate) fn only_name(text: &str) -> Result<Option<&str>, &str> {
    let text = text.trim();
    let mut holes = each_hole(text);
    let Some((kind, name, place)) = holes.next() else {
        return Ok(None);
    };
    let is_whole = place.start == 0 && place.end == text.len();
    match (kind, is_whole) {
        (HoleKind::Single | HoleKind::Double, true) => Ok(Some(name)),
        (HoleKind::Single | HoleKind::Double | HoleKind::Block | HoleKind::Rendered, _) => Err(name),
    }
}

struct Finder<'w> {
    workflow: &'w Workflow,
    /// The loops around: the name of the item and the list, the innermost last.
    around: Vec<(&'w str, &'w str)>,
    found: Vec<Command<'w>>,
}

impl<'w> Finder<'w> {
    fn step(&mut self, step: &'w Step) {
        match step.repeat.as_ref().map(|repeat| &repeat.kind) {
            Some(RepeatKind::Each { item, list }) => self.inside(item, list, &step.body),
            Some(RepeatKind::Times(_) | RepeatKind::While(_) | RepeatKind::Until(_) | RepeatKind::Bounded) | None => {
                self.body(&step.body);
            }
        }
    }

    fn inside(&mut self, item: &'w str, list: &'w str, body: &'w [Instruction]) {
        self.around.push((item, list));
        self.body(body);
        self.around.pop();
    }

    fn body(&mut self, body: &'w [Instruction]) {
        for instruction in body {
            let each = match &instruction.act {
                Act::Run(run) => {
                    self.found.push(Command {
                        written: &run.command.text,
                        span: run.command.span,
                        text: self.text(&run.command.text),
                    });
                    None
                }
                Act::Loop { repeat, .. } => match &repeat.kind {
                    RepeatKind::Each { item, list } => Some((item.as_str(), list.as_str())),
                    RepeatKind::Times(_) | RepeatKind::While(_) | RepeatKind::Until(_) | RepeatKind::Bounded => None,
                },
                Act::Parallel(parallel) => {
                    let each = parallel.each.as_ref();
                    each.map(|(item, list)| (item.as_str(), list.text.as_str()))
                }
                Act::Do { .. }
                | Act::Check { .. }
                | Act::Ask(_)
                | Act::Show { .. }
                | Act::Rule { .. }
                | Act::Produce(_)
                | Act::Elicit
                | Act::Goto { .. }
                | Act::Anchor { .. }
                | Act::Invoke(_)
                | Act::Group { .. }
                | Act::Menu(_)
                | Act::Set { .. }
                | Act::Dispatch(_)
                | Act::Collect { .. }
                | Act::Return { .. }
                | Act::Halt { .. } => None,
            };
            for inner in instruction.act.bodies() {
                match each {
                    Some((item, list)) => self.inside(item, list, inner),
                    None => self.body(inner),
                }
            }
        }
    }

    fn text(&self, written: &str) -> CommandText {
        match only_name(written) {
            Ok(None) => CommandText::Written(written.trim().to_owned()),
            Ok(Some(name)) => match self.way(name, self.around.len()) {
                Ok(way) => CommandText::Configured(way),
                Err(refusal) => CommandText::Refused(refusal),
            },
            Err(name) => CommandText::Refused(Refusal::Mixed(name.to_owned())),
        }
    }

    /// Finds the way to what a name stands for inside of so many loops.
    fn way(&self, name: &str, depth: usize) -> Result<Vec<Way>, Refusal> {
        let (base, field) = name.split_once('.').unwrap_or((name, ""));
        let around = self.around[..depth].iter().rposition(|(item, _)| *item == base);
        let defined = self.workflow.definitions.iter().find(|definition| {
            let named = definition.name == base || definition.name == name;
            let gives = definition.by != DefinedBy::Prose || definition.value.is_some();
            named && gives && (around.is_none() || definition.by != DefinedBy::Loop)
        });
        if let Some(definition) = defined {
            return Err(Refusal::Given(definition.name.clone(), definition.by));
        }
        let Some(at) = around else {
            return match is_system(name) || is_system(base) {
                true => Err(Refusal::System(base.to_owned())),
                false => Ok(vec![Way::Name(name.to_owned())]),
            };
        };
        let list = self.around[at].1.trim().trim_matches(['{', '}']);
        let mut way = self.way(list, at)?;
        way.push(Way::Each);
        if !field.is_empty() {
            way.push(Way::Name(field.to_owned()));
        }
        Ok(way)
    }
}
