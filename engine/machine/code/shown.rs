//! Text that is put to the person in, the names it leaves to the agent out, and who is asked for them.

use super::compile::Compiler;
use super::{Op, Pc};
use crate::machine::contract::is_name;
use crate::model::{Ask, Produce, is_system};
use crate::source::Span;
use crate::syntax::{HoleKind, each_hole};

impl<'p> Compiler<'p> {
    pub(super) fn ask(&mut self, ask: &'p Ask) {
        self.shown(ask.text);
        self.emit(Op::Ask(ask));
        self.body(&ask.body);
    }

    /// Sections are wanted from the turn before them, and so is what data leaves open.
    pub(super) fn produce(&mut self, produce: &'p Produce, span: Span) {
        if let Some(value) = &produce.value {
            self.shown(value.span);
        } else if let Some(at) = self.open
            && let Op::Turn(turn) = &mut self.code.ops[at]
        {
            turn.sections.extend(&produce.names);
        }
        self.emit(Op::Produce(produce, span));
    }

    /// Wants the names that a text leaves open from the turn right before it, or from one of its own.
    pub(super) fn shown(&mut self, text: Span) {
        self.wanted(left_open(self.library.slice(text)), text);
    }

    /// Wants names from the turn right before a text, or from one of its own.
    pub(super) fn wanted(&mut self, names: Vec<&'p str>, text: Span) {
        if names.is_empty() {
            return;
        }
        match self.turn_before() {
            Some(at) => {
                if let Op::Turn(turn) = &mut self.code.ops[at] {
                    turn.shows.extend(names);
                }
            }
            None => {
                self.emit(Op::Fill(names, text));
            }
        }
    }

    /// Finds the turn that nothing but shown text and data stands between, and that everybody passes who comes here.
    fn turn_before(&self) -> Option<Pc> {
        let ops = &self.code.ops;
        let is_between = |op: &Op<'_>| match op {
            Op::Show { .. } => true,
            Op::Produce(produce, _) => produce.value.is_some(),
            _ => false,
        };
        let at = ops.iter().rposition(|op| !is_between(op))?;
        (at >= self.floor && matches!(ops[at], Op::Turn(_))).then_some(at)
    }
}

/// Lists the names that a text leaves to the agent where nothing defines them: `{{x}}`, and what its blocks depend on or go
/// through. What stands in a block that repeats is a part of each item.
pub(super) fn left_open(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut repeats = 0_usize;
    for (kind, name, _) in each_hole(text) {
        let wanted = match kind {
            HoleKind::Double if repeats == 0 => Some(name),
            HoleKind::Block => {
                let (word, argument) = name.split_once(char::is_whitespace).unwrap_or((name, ""));
                let outside = repeats == 0;
                match word {
                    "#each" => repeats += 1,
                    "/each" => repeats = repeats.saturating_sub(1),
                    _ => {}
                }
                let depends = matches!(word, "#if" | "#unless" | "#each");
                (depends && outside).then_some(argument.trim())
            }
            HoleKind::Double | HoleKind::Single | HoleKind::Rendered => None,
        };
        let is_wanted = |name: &&str| is_name(name) && !is_system(name) && name.contains(char::is_alphabetic);
        if let Some(name) = wanted.filter(is_wanted)
            && !found.contains(&name)
        {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::left_open;

    #[test]
    fn holes_and_what_blocks_depend_on_are_left_open() {
        let text = "{{a}} of {b}: {{#if risks}}{{risks}} {{c.d}}{{else}}none{{/if}} {{a}}";
        assert_eq!(left_open(text), ["a", "risks", "c.d"]);
    }

    #[test]
    fn what_stands_in_a_block_that_repeats_is_no_name_of_its_own() {
        let text = "{{#each stories}}{{title}} {{#if done}}x{{/if}}{{/each}} {{total}}";
        assert_eq!(left_open(text), ["stories", "total"]);
    }

    #[test]
    fn words_in_braces_and_names_of_the_engine_are_left_alone() {
        assert!(left_open("{{what it is}} {{project-root}} {{#if (eq a b)}}x{{/if}} {{1}} ${{ x }}").is_empty());
    }
}
