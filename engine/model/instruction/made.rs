//! Instructions that are made of text, not of tags.

use super::{Act, Branch, Instruction, Menu};
use crate::model::lift::Lift;
use crate::model::menu::MenuOption;
use crate::source::Span;

impl Instruction {
    /// Prose for the agent, with the control flow that was found in it.
    pub(crate) fn prose(text: Span, lifts: Vec<Lift>) -> Self {
        Self {
            act: Act::Do {
                text,
                lifts,
                body: Vec::new(),
            },
            span: text,
            condition: None,
        }
    }

    /// The end of the workflow, as prose says it.
    pub(crate) fn leave(span: Span) -> Self {
        Self {
            act: Act::Return {
                value: None,
                params: Vec::new(),
            },
            span,
            condition: None,
        }
    }

    /// A menu that no tag writes.
    pub(crate) fn menu(branches: Vec<Branch>, stops: bool, span: Span) -> Self {
        Self {
            act: Act::Menu(Box::new(Menu {
                name: None,
                text: None,
                branches,
                into: None,
                stops,
            })),
            span,
            condition: None,
        }
    }
}

impl Branch {
    /// What an option leads to, and nothing else is said of it.
    pub(crate) fn new(option: Option<MenuOption>, body: Vec<Instruction>, again: bool) -> Self {
        Self {
            option,
            body,
            again,
            onward: false,
            past: false,
            retold: false,
            default: false,
            aliases: Vec::new(),
            condition: None,
        }
    }
}
