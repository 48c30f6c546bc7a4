//! An answer that asks for a word before it goes on, and leads back with any other, to a question of its own.
//!
//! `**IF user types "DELETE":** … **IF user types anything else:** Return to the menu`.

use super::around::with_marks;
use crate::model::instruction::{Act, Branch, Instruction, Target, Words};
use crate::model::library::Document;
use crate::model::menu::{Handled, Menu, MenuOption, shows_again};
use crate::source::Span;

/// What an answer asks for before it goes on.
pub(super) struct Confirmed<'d> {
    /// What stands before the question.
    pub(super) before: Span,
    /// What is done with each word.
    words: Vec<&'d Handled>,
    /// What is done with any other.
    other: &'d Handled,
}

/// Finds what an answer asks for: it goes on with a word that no menu offers, and any other answer to that leads back.
pub(super) fn asked<'d>(document: &'d Document, handler: &Handled) -> Option<Confirmed<'d>> {
    if !handler.goes_on || !handler.redisplays {
        return None;
    }
    let menus = document.menus();
    let has_menu = menus.menus.iter().any(|menu| handler.body.contains(menu.span));
    let inside = menus.handlers.iter().filter(|inner| handler.body.contains(inner.span));
    let (others, words): (Vec<&Handled>, Vec<&Handled>) = inside.partition(|inner| inner.any_other);
    let ([other], Some(first)) = (others.as_slice(), words.first()) else {
        return None;
    };
    let is_offered = |word: &String| {
        let mut options = menus.menus.iter().flat_map(|menu| &menu.options);
        options.any(|option| option.key.eq_ignore_ascii_case(word))
    };
    let is_new = |inner: &&Handled| inner.branches && !inner.redisplays && !inner.keys.iter().any(is_offered);
    let source = &document.source;
    let before = Span {
        end: with_marks(source, first.span).start.max(handler.body.start),
        ..handler.body
    };
    let is_last = other.span.end >= handler.body.end && words.iter().all(|word| word.span.end <= other.span.start);
    let is_clear = !has_menu && other.redisplays && is_last && !shows_again(source.slice(before));
    (is_clear && words.iter().all(is_new)).then_some(Confirmed { before, words, other })
}

impl Confirmed<'_> {
    /// Returns the question; `handled` reads what is done with an answer to it.
    pub(super) fn question(
        &self,
        document: &Document,
        menu: &Menu,
        handled: impl Fn(&Handled) -> Vec<Instruction>,
    ) -> Instruction {
        let option = |word: &Handled| MenuOption {
            key: word.keys.first().cloned().unwrap_or_default(),
            label: String::new(),
            span: word.span,
        };
        let word = |word: &&Handled| Branch::new(Some(option(word)), handled(word), false);
        let mut branches: Vec<Branch> = self.words.iter().map(word).collect();
        let target = Target::Anchor(Words {
            text: id(document, menu),
            span: self.other.body,
        });
        let back = Instruction {
            act: Act::Goto { target, says: None },
            span: self.other.body,
            condition: None,
        };
        branches.push(Branch::new(None, vec![back], false));
        let place = self.words.first().map_or(self.other.span, |first| first.span);
        Instruction::menu(branches, true, place)
    }
}

/// Returns the place before a menu that any other answer leads back to, where an answer to the menu asks for a word.
pub(super) fn place(document: &Document, menu: &Menu, choice: &Instruction) -> Option<Instruction> {
    let Act::Menu(outer) = &choice.act else {
        return None;
    };
    let told = outer.branches.iter().flat_map(|branch| &branch.body);
    let asked = told.filter_map(|one| match &one.act {
        Act::Menu(menu) => Some(menu.branches.iter().flat_map(|branch| &branch.body)),
        _ => None,
    });
    let led = asked.flatten().filter_map(|one| match &one.act {
        Act::Goto {
            target: Target::Anchor(to),
            ..
        } => Some(to.text.as_str()),
        _ => None,
    });
    // Few answers ask anything, and lines are counted for the name.
    let mut led = led.peekable();
    led.peek()?;
    let id = id(document, menu);
    led.any(|to| to == id).then(|| Instruction {
        act: Act::Anchor { id },
        span: menu.span.inner(0, 0),
        condition: None,
    })
}

/// Returns the name of the place before a menu; no author can write it.
fn id(document: &Document, menu: &Menu) -> String {
    let line = document.source.position(menu.span.start).line;
    format!("menu at {}:{line}", document.source.path().name())
}
