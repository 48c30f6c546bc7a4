//! Names that a text leaves to the agent: asked for before the person sees the text, or before a value is made of it.

use super::code::{Op, Pc};
use super::contract::is_name;
use super::task::{Access, Order};
use super::walk::{Flow, Walk};
use crate::model::is_system;
use crate::source::Span;
use crate::syntax::{Hole, HoleKind, Node, Pair, decode, holes};

impl<'p> Walk<'_, 'p> {
    /// Asks the agent for the names that the next text leaves to it, where nothing defines them.
    pub(super) fn fill_names(&mut self, names: &[&'p str], text: Span) -> Flow<'p> {
        let open = self.open_names(names);
        if open.is_empty() {
            return Flow::Next;
        }
        let frame = self.frame();
        let used = match self.image.code(frame.workflow).ops.get(frame.pc + 1) {
            Some(Op::SetProse(name, ..)) => format!("`{name}` gets the value below next."),
            _ => "The person is shown the text below next.".to_owned(),
        };
        let shown = self.text(&decode(self.image.slice(text)));
        let quoted: Vec<String> = open.iter().map(|name| format!("`{name}`")).collect();
        let mut task = self.task();
        task.instructions.push(Order {
            n: 1,
            text: format!(
                "{used} Give the values that it leaves open, empty where there is none, and do nothing else: \
                 {}\n\n{}",
                quoted.join(", "),
                shown.trim()
            ),
            optional: false,
            place: self.image.place(text),
        });
        task.wanted.variables = open;
        task.access = Access::Read;
        self.send_task(task)
    }

    /// Gives a name the value that prose gives it. Where a name in the value has none itself, nobody knows the value.
    pub(super) fn set_by_words(&mut self, name: &str, written: &str, derived: &[&str]) -> Flow<'p> {
        let is_open = |hole: Hole| {
            let is_left = match hole.kind {
                HoleKind::Double => is_name(hole.name),
                HoleKind::Single => derived.contains(&hole.name),
                HoleKind::Block | HoleKind::Rendered => false,
            };
            is_left && self.bound(hole.name).is_none()
        };
        if !holes(written, Span::default()).into_iter().any(is_open) {
            let quoted = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            let value = self.value(quoted.filter(|inside| !inside.contains('"')).unwrap_or(written));
            self.bind(name, value);
        }
        Flow::Next
    }

    /// Returns those of the names that nothing defines. What this very operation asked for before was for another pass.
    pub(super) fn open_names(&self, names: &[&str]) -> Vec<String> {
        if !self.options.fills {
            return Vec::new();
        }
        let frame = self.frame();
        let is_old = |name: &str| frame.filled.get(name) == Some(&frame.pc);
        let is_open = |name: &&&str| is_old(name) || self.bound(name).is_none();
        names.iter().filter(is_open).map(|name| (*name).to_owned()).collect()
    }

    /// Returns the names that the step's own file declares without a value, `spec: ''`, that words mention and that still
    /// have none: what does the words is to say what they are.
    pub(super) fn declared_names(&self, words: &[Span]) -> Vec<String> {
        let file = self.image.library.document(self.known().file());
        let matter = file.parsed.frontmatter.as_ref().filter(|_| self.options.fills);
        let keys = matter
            .and_then(|matter| matter.data.as_ref())
            .map_or(&[][..], Node::pairs);
        let is_declared = |pair: &&Pair| pair.node.text().is_some_and(str::is_empty) && !is_system(&pair.key);
        let is_open = |name: &str| self.bound(name).is_some_and(|value| value.is_empty());
        let mentions = |name: &str| {
            let quoted = format!("`{name}`");
            let mut texts = words.iter().map(|span| self.image.slice(*span));
            texts
                .any(|text| text.contains(&quoted) || holes(text, Span::default()).iter().any(|hole| hole.name == name))
        };
        let names = keys.iter().filter(is_declared).map(|pair| &*pair.key);
        names
            .filter(|name| is_open(name) && mentions(name))
            .map(str::to_owned)
            .collect()
    }

    /// Notes which operation asked for a name that a text leaves open.
    pub(super) fn note_filled(&mut self, name: &str) {
        let names = match self.op() {
            Op::Turn(turn) => &turn.shows,
            Op::Fill(names, _) => names,
            _ => return,
        };
        if names.contains(&name) {
            let pc: Pc = self.frame().pc;
            self.frame_mut().filled.insert(name.to_owned(), pc);
        }
    }
}
