//! A file with tags in it: its steps, rules and protocols.

use super::tags;
use crate::model::instruction::{Act, Instruction};
use crate::model::library::Document;
use crate::model::workflow::{DefinedBy, Definition, Input, InputKind, Origin, Protocol, Step};
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag};

/// What the tags of one file say.
#[derive(Debug, Default)]
pub(super) struct Tagged {
    /// The steps, in document order.
    pub(super) steps: Vec<Step>,
    /// The rules that hold everywhere.
    pub(super) rules: Vec<Span>,
    /// When not to go on.
    pub(super) halts: Vec<Span>,
    /// The protocols.
    pub(super) protocols: Vec<Protocol>,
    /// The names of the inputs.
    pub(super) definitions: Vec<Definition>,
    /// The inputs.
    pub(super) inputs: Vec<Input>,
    /// Instructions that stand in no step.
    loose: Vec<Instruction>,
}

/// Reads the tags of a file.
pub(super) fn read(document: &Document) -> Tagged {
    let mut tagged = Tagged::default();
    let source = &document.source;
    tagged.children(source, &document.parsed.tree, Depth::File);
    tagged.settle();
    tagged
}

/// Returns the reasons to stop, one by one, or all of the text where they stand in no tags.
fn halts(element: &Element) -> Vec<Span> {
    let each: Vec<Span> = element.elements().map(Element::inside).collect();
    match each.is_empty() {
        true => vec![element.inside()],
        false => each,
    }
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
                self.settle();
                let position = self.steps.len() + 1;
                self.steps.push(tags::step(source, element, position));
            }
            Tag::Critical | Tag::Mandate | Tag::Note | Tag::Rule | Tag::Objective | Tag::Example => {
                self.rules.push(element.inside())
            }
            Tag::HaltConditions => self.halts.extend(halts(element)),
            Tag::Llm => self.told(source, element, depth),
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
            | Tag::Run
            | Tag::Parallel
            | Tag::Return
            | Tag::Halt
            | Tag::ConditionTag => {
                if depth == Depth::Root {
                    tags::add_instruction(source, element, &mut self.loose);
                }
            }
        }
    }

    /// Reads what whoever does the work is told: lines of it are rules, and nothing is done.
    fn told(&mut self, source: &Source, element: &Element, depth: Depth) {
        for inner in element.elements() {
            match inner.tag {
                Tag::Item | Tag::Action => self.rules.push(inner.inside()),
                _ => self.element(source, inner, depth),
            }
        }
    }

    fn input(&mut self, element: &Element) {
        if let Some(name) = tags::words(element, "name") {
            self.inputs.push(Input {
                name: name.text.clone(),
                required: element.value("required").is_some_and(|value| value == "true"),
                default: element.value("default").map(str::to_owned),
                about: element.value("desc").unwrap_or_default().to_owned(),
                kind: match element.value("kind").map(str::trim) {
                    Some("file") => InputKind::File,
                    Some("files") => InputKind::Files,
                    Some(_) | None => InputKind::Text,
                },
            });
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
        inner.settle();
        self.definitions.append(&mut inner.definitions);
        let name = tags::words_or_empty(element, "name");
        self.protocols.push(Protocol {
            name: name.text,
            span: name.span,
            steps: inner.steps,
        });
    }

    /// Gives the instructions since the last step, which stand in none, a step of their own.
    fn settle(&mut self) {
        let body = std::mem::take(&mut self.loose);
        let done = |instruction: &Instruction| !matches!(instruction.act, Act::Rule { .. });
        let (Some(first), Some(last), true) = (body.first(), body.last(), body.iter().any(done)) else {
            return;
        };
        let (first, last) = (first.span, last.span);
        let (label, goal) = match self.steps.last() {
            Some(before) => (format!("after {}", before.label), ""),
            None => ("start".to_owned(), "before the first step"),
        };
        self.steps.push(Step {
            label,
            label_span: first,
            goal: goal.to_owned(),
            span: first.to(last),
            head: first,
            origin: Origin::Tag,
            condition: None,
            optional: false,
            repeat: None,
            body,
            loose: true,
        });
    }
}
