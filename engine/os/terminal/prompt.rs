//! One question while it is asked: keys in, what they come to out. Pure: what is drawn is made from it elsewhere.

use super::decode::Key;
use super::line::LineEditor;
use crate::machine::{Choice, Question};
use std::sync::Arc;

/// What is typed to write the answer in an editor.
const EDIT: &str = "/edit";
/// What is typed to be told where the run stands.
const CONTEXT: &str = "?";

/// A question with what was typed so far.
#[derive(Debug)]
pub(super) struct Prompt {
    question: Arc<Question>,
    line: LineEditor,
    /// The choice that Enter takes where nothing is typed.
    picked: Option<usize>,
    /// One line for the person: why an answer will not do.
    note: String,
    /// Whether Ctrl-X was pressed and the key after it is awaited.
    chord: bool,
    /// Whether the person was told that Enter gives an empty answer.
    warned: bool,
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pressed {
    /// The question is still open.
    Waiting,
    /// The answer, as it is recorded.
    Answer(String),
    /// The person wants to know where the run stands.
    Context,
    /// The person wants to write in an editor.
    Editor,
    /// Nobody answers.
    Nobody,
    /// The run shall stop.
    Interrupted,
}

impl Prompt {
    pub(super) fn new(question: Arc<Question>) -> Self {
        let picked = default(&question);
        Self {
            question,
            line: LineEditor::default(),
            picked,
            note: String::new(),
            chord: false,
            warned: false,
        }
    }

    pub(super) fn question(&self) -> &Question {
        &self.question
    }

    pub(super) fn line(&self) -> &LineEditor {
        &self.line
    }

    pub(super) fn picked(&self) -> Option<usize> {
        self.picked
    }

    pub(super) fn note(&self) -> &str {
        &self.note
    }

    /// Returns the choices that can be picked; none where words have to be typed.
    pub(super) fn choices(&self) -> &[Choice] {
        choices(&self.question)
    }

    /// Says whether an answer in the person's own words is taken.
    pub(super) fn takes_text(&self) -> bool {
        self.question.confirm.is_none() && (self.question.choices.is_empty() || self.question.open)
    }

    /// Takes text from an editor as the answer.
    pub(super) fn wrote(&mut self, text: &str) -> Pressed {
        if text.trim().is_empty() {
            "nothing was written; the question is still open".clone_into(&mut self.note);
            return Pressed::Waiting;
        }
        self.line.set(text.trim_end());
        self.submit()
    }

    /// Tells the person something below the question.
    pub(super) fn tell(&mut self, note: String) {
        self.note = note;
    }

    /// Does what a key says.
    pub(super) fn press(&mut self, key: &Key) -> Pressed {
        if std::mem::take(&mut self.chord) && *key == Key::Ctrl('e') {
            return self.edit();
        }
        let empty = self.line.text().is_empty();
        match key {
            Key::Ctrl('c') => return Pressed::Interrupted,
            Key::Ctrl('d') if empty => return Pressed::Nobody,
            Key::Ctrl('x') => self.chord = true,
            Key::Enter => return self.submit(),
            Key::Up | Key::Ctrl('p') => self.step(-1),
            Key::Down | Key::Ctrl('n') => self.step(1),
            Key::Char('k') if empty && self.moves('k') => self.step(-1),
            Key::Char('j') if empty && self.moves('j') => self.step(1),
            Key::Char('?') if empty && !self.takes_text() && self.question.choice(CONTEXT).is_none() => {
                return Pressed::Context;
            }
            Key::Escape => {
                self.line.set("");
                self.typed();
            }
            Key::Char(_)
            | Key::Paste(_)
            | Key::Ctrl(_)
            | Key::Alt(_)
            | Key::NewLine
            | Key::Backspace
            | Key::Delete
            | Key::Left
            | Key::Right
            | Key::WordLeft
            | Key::WordRight
            | Key::Home
            | Key::End => {
                if self.line.press(key) {
                    self.typed();
                }
            }
        }
        Pressed::Waiting
    }

    /// Says whether a letter moves in the menu: not where text is taken or where a key starts with it.
    fn moves(&self, letter: char) -> bool {
        let starts = |choice: &Choice| {
            let mut names = [&choice.key].into_iter().chain(&choice.aliases);
            names.any(|name| name.to_lowercase().starts_with(letter))
        };
        !self.choices().is_empty() && !self.takes_text() && !self.choices().iter().any(starts)
    }

    fn step(&mut self, by: isize) {
        let count = self.choices().len() as isize;
        if count == 0 {
            return;
        }
        let from = match (self.picked, by) {
            (Some(at), _) => at as isize,
            (None, 1..) => -1,
            (None, _) => 0,
        };
        self.line.set("");
        self.note.clear();
        self.picked = Some((from + by).rem_euclid(count) as usize);
    }

    /// Follows what is typed: the choice it means is the one that is picked.
    fn typed(&mut self) {
        self.note.clear();
        self.warned = false;
        self.picked = match self.line.text().trim() {
            "" => default(&self.question),
            text if self.takes_text() => self.question.choice(text),
            text => self.question.choice(text).or_else(|| self.beginning(text)),
        };
    }

    /// Finds the one choice whose key or name begins with what is typed.
    fn beginning(&self, text: &str) -> Option<usize> {
        let text = text.to_lowercase();
        let begins = |choice: &Choice| {
            let mut names = [&choice.key, &choice.label].into_iter().chain(&choice.aliases);
            names.any(|name| name.to_lowercase().starts_with(&text))
        };
        let mut found = (0..self.choices().len()).filter(|at| begins(&self.choices()[*at]));
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn edit(&mut self) -> Pressed {
        if self.takes_text() {
            return Pressed::Editor;
        }
        "an editor is for answers in your own words; choose one of the options".clone_into(&mut self.note);
        Pressed::Waiting
    }

    fn submit(&mut self) -> Pressed {
        let text = self.line.text().trim().to_owned();
        if text == CONTEXT && self.question.choice(CONTEXT).is_none() {
            self.line.set("");
            self.typed();
            return Pressed::Context;
        }
        if text == EDIT && self.takes_text() {
            self.line.set("");
            return Pressed::Editor;
        }
        if text.is_empty() {
            return self.submit_nothing();
        }
        let meant = if self.takes_text() { None } else { self.beginning(&text) };
        let settled = self.question.settle(&text).or_else(|why| match meant {
            Some(at) if !self.choices().is_empty() => Ok(self.choices()[at].key.clone()),
            Some(_) | None => Err(why),
        });
        match settled {
            Ok(answer) => Pressed::Answer(answer),
            Err(why) => {
                if !self.choices().is_empty() {
                    self.line.set("");
                    self.typed();
                }
                self.note = why;
                Pressed::Waiting
            }
        }
    }

    fn submit_nothing(&mut self) -> Pressed {
        if let Some(choice) = self.picked.and_then(|at| self.choices().get(at)) {
            return Pressed::Answer(choice.key.clone());
        }
        self.note = match (&self.question.confirm, self.choices().first()) {
            (Some(exact), _) => format!("type exactly `{exact}`, or leave it with Ctrl-D"),
            (None, Some(first)) => format!(
                "nothing is chosen yet; type a key such as `{}`, or use the arrows",
                first.key
            ),
            (None, None) if self.warned => return Pressed::Answer(String::new()),
            (None, None) => "this answer is empty; press Enter once more to give it".to_owned(),
        };
        self.warned = true;
        Pressed::Waiting
    }
}

/// Returns the choices that can be picked.
pub(super) fn choices(question: &Question) -> &[Choice] {
    if question.confirm.is_some() {
        &[]
    } else {
        &question.choices
    }
}

/// Finds the one choice that is marked as the default.
pub(super) fn default(question: &Question) -> Option<usize> {
    let mut marked = (0..choices(question).len()).filter(|at| question.choices[*at].default);
    let first = marked.next()?;
    marked.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests;
