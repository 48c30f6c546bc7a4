//! A file with tags in it: its steps, rules and protocols.

use super::tags;
use crate::model::instruction::{Act, Instruction};
use crate::model::library::Document;
use crate::model::workflow::{Definition, DefinedBy, Origin, Protocol, Step};
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag};

/// What the tags of one file say.
#[derive(Debug, Default)]
pub(super) struct Tagged {
    /// The steps, in document order.
    pub(super) steps: Vec<Step>,
    /// The rules that hold everywhere.
    pub(super) rules: Vec<Span>,
    /// The protocols.
    pub(super) protocols: Vec<Protocol>,
    /// The inputs.
    pub(super) definitions: Vec<Definition>,
    /// Instructions that stand in no step.
    loose: Vec<Instruction>,
}

/// Reads the tags of a file.
pub(super) fn read(document: &Document) -> Tagged {
    let mut tagged = Tagged::default();
    let source = &document.source;
    tagged.children(source, &document.parsed.tree, Depth::File);
    tagged.settle(source);
    tagged
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    File,
    Root,
}

impl Tagged {
    fn children(&mut self, source: &Source, children: &[Child], depth: Depth) {
        for child in children {
            if let Child::Element(element) = child {
                self.element(source, element, depth);
            }
        }
    }

    fn element(&mut self, source: &Source, element: &Element, depth: Depth) {
        match element.tag {
            Tag::Workflow | Tag::Task | Tag::Tool | Tag::Flow => {
                self.children(source, &element.children, Depth::Root);
            }
            Tag::Step => {
                let position = self.steps.len() + 1;
                self.steps.push(tags::step(source, element, position));
            }
            Tag::Critical
            | Tag::Mandate
            | Tag::Note
            | Tag::Rule
            | Tag::Objective
            | Tag::HaltConditions
            | Tag::Example => self.rules.push(element.inside()),
            Tag::Llm => self.children(source, &element.children, depth),
            Tag::Inputs => self.children(source, &element.children, depth),
            Tag::Input => self.input(element),
            Tag::Protocols => self.children(source, &element.children, depth),
            Tag::Protocol => self.protocol(source, element),
            Tag::Agent | Tag::Activation | Tag::Persona | Tag::MenuItem | Tag::Prompt => {}
            Tag::Substep
            | Tag::Phase
            | Tag::Case
            | Tag::Item
            | Tag::Action
            | Tag::Check
            | Tag::If
            | Tag::Ask
            | Tag::Output
            | Tag::TemplateOutput
            | Tag::ElicitRequired
            | Tag::Goto
            | Tag::Anchor
            | Tag::InvokeWorkflow
            | Tag::InvokeTask
            | Tag::InvokeProtocol
            | Tag::Param
            | Tag::ForEach
            | Tag::Iterate
            | Tag::Repeat
            | Tag::Loop
            | Tag::Menu
            | Tag::Choice
            | Tag::Set
            | Tag::Dispatch
            | Tag::Collect
            | Tag::Call
            | Tag::Parallel
            | Tag::Return
            | Tag::Halt
            | Tag::ConditionTag => {
                if depth == Depth::Root {
                    self.loose.extend(tags::instruction(source, element));
                }
            }
        }
    }

    fn input(&mut self, element: &Element) {
        if let Some(name) = tags::words(element, "name") {
            self.definitions.push(Definition {
                name: name.text,
                by: DefinedBy::Input,
                span: name.span,
                value: None,
                value_span: name.span,
            });
        }
    }

    fn protocol(&mut self, source: &Source, element: &Element) {
        let mut inner = Tagged::default();
        inner.children(source, &element.children, Depth::Root);
        inner.settle(source);
        self.definitions.append(&mut inner.definitions);
        let name = tags::words_or_empty(element, "name");
        self.protocols.push(Protocol {
            name: name.text,
            span: name.span,
            steps: inner.steps,
        });
    }

    /// Gives instructions that stand in no step a step of their own, before the others.
    fn settle(&mut self, source: &Source) {
        let done = self.loose.iter().any(|instruction| !matches!(instruction.act, Act::Rule { .. }));
        if !done {
            return;
        }
        let body = std::mem::take(&mut self.loose);
        let first = body.first().map_or(source.span(0, 0), |instruction| instruction.span);
        let last = body.last().map_or(first, |instruction| instruction.span);
        let start = Step {
            label: "start".to_owned(),
            label_span: first,
            goal: "before the first step".to_owned(),
            span: first.to(last),
            head: first,
            origin: Origin::Tag,
            condition: None,
            optional: false,
            repeat: None,
            body,
        };
        self.steps.insert(0, start);
    }
}
