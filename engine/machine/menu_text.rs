//! Free text of an agent in, the menu it ends with out. Only for text that is meant for the person.
//!
//! A menu has two options or more in the last lines of the text. Points say how sure it is: 40 for its marks, 30 for
//! standing at the end, 20 for a form that is known, 10 where nothing near it looks like a quotation or a list. What
//! stands in code, quotations, tables, checklists, references and examples is no menu, whatever its points.

mod alarm;
mod block;
mod cue;
mod rows;
#[cfg(test)]
mod tests;

pub use alarm::FalseAlarms;

use super::question::Choice;
use crate::model::MenuStyle;
use block::{Block, is_number};
use cue::Cue;
use rows::{Row, Rows};

/// The points a menu needs; so many are enough.
pub const THRESHOLD: u32 = 70;

/// A menu in free text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// What is asked, in one line.
    pub question: String,
    /// The line of the text, from 0, that it begins with: the question where that stands above the options.
    pub line: usize,
    /// The options, in order.
    pub options: Vec<Choice>,
    /// How sure it is, out of 100.
    pub score: u32,
    /// The same for menus that differ only in case, numbers and spacing; `FalseAlarms` knows them by it.
    pub signature: String,
}

/// Finds the menu that a text ends with.
pub fn detect(text: &str, memory: &FalseAlarms) -> Option<Detected> {
    let rows = Rows::read(text);
    let block = Block::last(&rows)?;
    let cue = block.cue(&rows.rows);
    if is_refused(&block, &rows.rows, cue) {
        return None;
    }
    let question = block.question(&rows.rows);
    let signature = alarm::signature(&question, &block.options);
    let points = marks(&block, cue) + position(&block, &rows.rows) + form(&block) + purity(&rows);
    let score = points.saturating_sub(memory.cost(&signature));
    (score >= THRESHOLD).then_some(Detected {
        question,
        line: rows.line(block.begin(&rows.rows)),
        options: block.options,
        score,
        signature,
    })
}

/// Says whether something speaks against a menu so clearly that points do not matter.
fn is_refused(block: &Block, rows: &[Row<'_>], cue: Cue) -> bool {
    let above = || rows[..block.first].iter().rev().filter(|row| !row.is_blank());
    let shown = above().take(2).any(|row| cue::shows_an_example(row.text));
    let numbers = block.options.iter().all(|option| is_number(&option.key));
    let asked = cue != Cue::None;
    let silent = match block.style {
        // `[1] Smith, 2020` is a reference unless somebody asks for a number.
        MenuStyle::Bracketed => numbers && !asked,
        MenuStyle::Numbered | MenuStyle::Slashed => !asked,
        MenuStyle::Labelled => !above().next().is_some_and(|row| cue::hands_over(row.text)),
    };
    let unnamed = block.options.iter().all(|option| option.label.is_empty());
    shown || silent || (unnamed && !asked)
}

/// Points for what shows that a choice is offered.
fn marks(block: &Block, cue: Cue) -> u32 {
    let written = match block.style {
        MenuStyle::Bracketed => 30,
        MenuStyle::Slashed => 20,
        MenuStyle::Numbered | MenuStyle::Labelled => 10,
    };
    let asked = match cue {
        Cue::None => 0,
        Cue::Weak => 10,
        Cue::Strong => 30,
    };
    (written + asked).min(40)
}

/// Points for being near the end.
fn position(block: &Block, rows: &[Row<'_>]) -> u32 {
    let below = rows.get(block.last + 1..).unwrap_or(&[]).iter();
    let between = |row: &&Row<'_>| !row.is_blank() && !row.is_rule() && cue::of(row.text) == Cue::None;
    match below.filter(between).count() {
        0 | 1 => 30,
        2 | 3 => 20,
        4..=7 => 10,
        _ => 0,
    }
}

/// Points for keys as menus have them: `1, 2, 3`, yes and no, or letters that all have a name.
fn form(block: &Block) -> u32 {
    let keys = || block.options.iter().map(|option| option.key.as_str());
    let counted = keys().zip(1_usize..).all(|(key, at)| key.parse() == Ok(at));
    let letters = keys().all(|key| key.len() == 1 && key.bytes().all(|at| at.is_ascii_alphanumeric()));
    let named = block.options.iter().all(|option| !option.label.is_empty());
    let yes = keys().any(|key| key.eq_ignore_ascii_case("y") || key.eq_ignore_ascii_case("yes"));
    let no = keys().any(|key| key.eq_ignore_ascii_case("n") || key.eq_ignore_ascii_case("no"));
    if counted || (letters && named) || (yes && no) {
        20
    } else {
        0
    }
}

/// Points where nothing in the last lines is code, quoted, a table or a checklist.
fn purity(rows: &Rows<'_>) -> u32 {
    if rows.rows[rows.window..].iter().any(|row| row.guarded) {
        0
    } else {
        10
    }
}
