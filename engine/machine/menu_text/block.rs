//! Lines in, the last group of options among them out.

use super::cue::{self, Cue};
use super::rows::{Row, Rows};
use crate::machine::question::Choice;
use crate::model::{MenuOption, MenuStyle, offered};

/// The most options of a menu.
const MAX_OPTIONS: usize = 32;
/// The most lines without an option between two options.
const MAX_GAP: usize = 4;
/// What an option is called that leads on.
const FORWARD: &[&str] = &[
    "continue", "proceed", "next", "yes", "accept", "approve", "begin", "start", "save", "done", "complete", "confirm",
    "finish", "go",
];
/// What is asked where the text does not say it.
const UNSAID: &str = "Choose one";

/// Lines that offer something.
pub(super) struct Block {
    /// The row of the first option.
    pub(super) first: usize,
    /// The row of the last option.
    pub(super) last: usize,
    pub(super) style: MenuStyle,
    pub(super) options: Vec<Choice>,
    /// Whether the line above has a key of the group once more, as a log has.
    repeats: bool,
}

impl Block {
    /// Finds the last group of two options or more.
    pub(super) fn last(rows: &Rows<'_>) -> Option<Block> {
        let window = rows.window..rows.rows.len();
        let rows = &rows.rows;
        let last = window.rev().find(|at| read(&rows[*at]).is_some())?;
        let (style, options) = read(&rows[last])?;
        let mut block = Block {
            first: last,
            last,
            style,
            options,
            repeats: false,
        };
        for at in (0..last).rev() {
            if block.first - at > MAX_GAP + 1 || !block.grow(at, &rows[at]) {
                break;
            }
        }
        block.is_whole().then_some(block)
    }

    /// Takes in the options of a row above; says whether a menu may go on above it.
    fn grow(&mut self, at: usize, row: &Row<'_>) -> bool {
        if row.guarded || row.is_heading() || row.is_rule() {
            return false;
        }
        let Some((style, options)) = read(row) else {
            return row.is_blank() || !starts_list(&self.options);
        };
        let fits = match self.style {
            MenuStyle::Bracketed => style == MenuStyle::Bracketed || is_word(&self.options),
            MenuStyle::Numbered | MenuStyle::Labelled => style == self.style,
            MenuStyle::Slashed => false,
        };
        let known = |option: &Choice| self.options.iter().any(|other| other.key == option.key);
        let again = options.iter().any(known);
        if !fits || again || self.options.len() + options.len() > MAX_OPTIONS {
            self.repeats = fits && again && at + 1 == self.first;
            return false;
        }
        self.style = style;
        self.first = at;
        self.options.splice(0..0, options);
        true
    }

    /// Says whether this is a group: two options, keys that differ, a list from its beginning and without holes.
    fn is_whole(&self) -> bool {
        let mut keys: Vec<String> = self.options.iter().map(|option| option.key.to_lowercase()).collect();
        let listed = match self.style {
            MenuStyle::Numbered => is_counted(&keys),
            // A number that is not the first is half a menu, or a reference.
            MenuStyle::Bracketed if keys.iter().all(|key| is_number(key)) => is_counted(&keys),
            MenuStyle::Bracketed | MenuStyle::Slashed | MenuStyle::Labelled => true,
        };
        let all = keys.len();
        keys.sort();
        keys.dedup();
        all > 1 && keys.len() == all && listed && !self.repeats
    }

    /// Says how clearly the lines around ask for a choice.
    pub(super) fn cue(&self, rows: &[Row<'_>]) -> Cue {
        let inside = rows[self.first..=self.last]
            .iter()
            .map(|row| before_options(row.text))
            .map(cue::of)
            .max();
        let above = rows[..self.first]
            .iter()
            .rev()
            .filter(|row| !row.is_blank() && !row.is_rule());
        let above = above
            .take(2)
            .filter(|row| !row.guarded)
            .map(|row| cue::of(row.text))
            .max();
        let below = rows[self.last + 1..]
            .iter()
            .filter(|row| !row.guarded && !row.is_blank());
        let below = below
            .take(3)
            .map(|row| match self.style {
                MenuStyle::Bracketed => cue::of(row.text),
                // A question below a report is seldom about its numbers.
                MenuStyle::Numbered | MenuStyle::Labelled if cue::asks_for_one(row.text) => Cue::Strong,
                MenuStyle::Numbered | MenuStyle::Labelled | MenuStyle::Slashed => Cue::None,
            })
            .max();
        let found = [inside, above, below];
        found.into_iter().flatten().max().unwrap_or(Cue::None)
    }

    /// Returns what is asked, in one line.
    pub(super) fn question(&self, rows: &[Row<'_>]) -> String {
        let begin = self.begin(rows);
        let asked = |line: &&str| cue::of(line) != Cue::None;
        let inside = Some(before_options(rows[self.first].text)).filter(asked);
        let above = (begin < self.first).then(|| rows[begin].text);
        let mut below = rows[self.last + 1..].iter().map(|row| row.text).filter(asked);
        let line = inside.or(above).or_else(|| below.next()).unwrap_or(UNSAID);
        line.trim_matches(|at: char| at.is_whitespace() || "*_\"'`“”#([".contains(at))
            .replace("**", "")
    }

    /// Returns the row that it begins with: the one above the options that asks for one of them, or the first option.
    pub(super) fn begin(&self, rows: &[Row<'_>]) -> usize {
        let asks = |text: &str| cue::of(text) != Cue::None;
        if asks(before_options(rows[self.first].text)) {
            return self.first;
        }
        let says = |row: &Row<'_>| !row.is_blank() && !row.is_rule();
        let above = (0..self.first).rev().filter(|at| says(&rows[*at])).take(2);
        let mut asking = above.filter(|at| !rows[*at].guarded && asks(rows[*at].text));
        asking.next().unwrap_or(self.first)
    }
}

/// Reads the options of one row.
fn read(row: &Row<'_>) -> Option<(MenuStyle, Vec<Choice>)> {
    if row.guarded {
        return None;
    }
    if let Some(option) = word_option(row.text) {
        return Some((MenuStyle::Bracketed, vec![option]));
    }
    let (style, found) = offered(row.text)?;
    let fits = match style {
        MenuStyle::Bracketed => stands_free(row.text, &found),
        MenuStyle::Slashed => is_asked(row.text, &found),
        // `1. What is the budget?` asks; it offers nothing.
        MenuStyle::Numbered => !row.text.trim_end_matches(['*', '"']).ends_with('?'),
        MenuStyle::Labelled => true,
    };
    let mut choices: Vec<Choice> = found.iter().map(|option| choice(row.text, option)).collect();
    if style == MenuStyle::Slashed {
        mark_capital(&mut choices);
    }
    fits.then_some((style, choices))
}

/// Tells `[C] Continue` and `[A] Add [R] Remove` from keys that prose mentions, and from references.
fn stands_free(line: &str, found: &[MenuOption]) -> bool {
    let lead = before_options(line);
    let marked = lead.trim_matches(|at: char| !at.is_alphanumeric()).is_empty();
    let named = found.iter().filter(|option| !option.label.is_empty()).count();
    let letters = found.iter().all(|option| !is_number(&option.key));
    let asked = cue::of(lead) == Cue::Strong || lead.trim_end().ends_with([':', '*']);
    (marked && (named > 0 || found.len() > 1)) || (found.len() > 1 && (letters && named > 1 || asked))
}

/// Tells `Go on? (y/n)` from `access (read/write)`, and from a line that goes on to say what comes of it.
fn is_asked(line: &str, found: &[MenuOption]) -> bool {
    let end = found.last().map_or(0, |option| option.span.end as usize);
    if line.get(end..).unwrap_or("").contains(char::is_alphanumeric) {
        return false;
    }
    let yes = found
        .iter()
        .any(|option| matches!(&*option.key, "y" | "Y" | "yes" | "Yes"));
    yes || cue::of(line) == Cue::Strong
}

/// Reads `[Back] - Choose again`.
fn word_option(line: &str) -> Option<Choice> {
    let text = line.trim_start_matches(|at: char| at.is_whitespace() || "-*".contains(at));
    let (key, rest) = text.strip_prefix('[')?.split_once(']')?;
    let word = (3..=20).contains(&key.len()) && key.bytes().all(|at| at.is_ascii_alphabetic());
    let label = rest.trim_matches(|at: char| at.is_whitespace() || "-–—*:\"".contains(at));
    (word && rest.starts_with(' ') && !label.is_empty()).then(|| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        ..Choice::default()
    })
}

/// Says whether a key is a number.
pub(super) fn is_number(key: &str) -> bool {
    key.bytes().all(|at| at.is_ascii_digit())
}

fn is_word(options: &[Choice]) -> bool {
    options.iter().all(|option| option.key.len() > 2)
}

/// Says whether keys count from 1 or from `a`; letters of other commands may follow numbers.
fn is_counted(keys: &[String]) -> bool {
    let numbers: Vec<usize> = keys.iter().filter_map(|key| key.parse().ok()).collect();
    if numbers.is_empty() {
        return keys.iter().zip('a'..='z').all(|(key, letter)| key.starts_with(letter));
    }
    keys[0] == "1" && numbers.iter().zip(1..).all(|(number, at)| *number == at)
}

/// Says whether the first option is the beginning of a list, so that nothing above belongs to it.
fn starts_list(options: &[Choice]) -> bool {
    options.first().is_some_and(|option| option.key == "1")
}

fn choice(line: &str, option: &MenuOption) -> Choice {
    let written = line.get(option.span.range()).unwrap_or("").to_lowercase();
    let first = option
        .label
        .split(|at: char| !at.is_alphanumeric())
        .next()
        .unwrap_or("");
    Choice {
        key: option.key.clone(),
        label: option.label.clone(),
        aliases: Vec::new(),
        forward: FORWARD.iter().any(|word| first.eq_ignore_ascii_case(word)),
        default: written.contains("(default)"),
    }
}

/// Marks the one capital among small letters, as in `[Y/n]`.
fn mark_capital(options: &mut [Choice]) {
    let is_capital = |option: &Choice| option.key.bytes().all(|at| at.is_ascii_uppercase());
    let capitals = options.iter().filter(|option| is_capital(option)).count();
    if capitals == 1 {
        let capital = options.iter_mut().find(|option| is_capital(option));
        capital.into_iter().for_each(|option| option.default = true);
    }
}

/// Returns what stands before the first option of a line; nothing for a line of a list.
fn before_options(line: &str) -> &str {
    match offered(line) {
        Some((MenuStyle::Bracketed | MenuStyle::Slashed, found)) => {
            let start = found.first().map_or(0, |option| option.span.start as usize);
            line.get(..start).unwrap_or("")
        }
        Some((MenuStyle::Numbered | MenuStyle::Labelled, _)) | None => "",
    }
}
