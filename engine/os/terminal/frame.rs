//! A question with what was typed in, lines for the screen and the place of the cursor out. Pure.

use super::Screen;
use super::cell::{characters, visible, width, wrap};
use super::prompt::{Prompt, choices};
use crate::machine::{Choice, Question};

/// The most columns that text is spread over; longer lines are hard to read.
const MEASURE: usize = 100;
/// The lines below and above a menu that have to fit with it: input, note, hint, and some of the question.
const ROOM: usize = 6;

/// What is on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) rows: Vec<String>,
    /// The row of the cursor.
    pub(super) row: usize,
    /// The column of the cursor.
    pub(super) column: usize,
}

/// How words are dressed.
#[derive(Clone, Copy)]
enum Dress {
    Strong,
    Faint,
    Picked,
    Wrong,
}

impl Screen {
    fn dress(self, dress: Dress, text: &str) -> String {
        let code = match dress {
            Dress::Strong => "1",
            Dress::Faint => "2",
            Dress::Picked => "1;36",
            Dress::Wrong => "31",
        };
        if self.color && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// The last column stays free: a full line makes terminals wrap, each in its own way.
    fn columns(self) -> usize {
        self.width.saturating_sub(1).clamp(8, MEASURE)
    }

    fn pointer(self) -> &'static str {
        if self.unicode { "› " } else { "> " }
    }

    fn dot(self) -> &'static str {
        if self.unicode { " · " } else { " | " }
    }
}

/// Returns the question itself, which is printed once.
pub(super) fn asked(question: &Question, screen: Screen) -> Vec<String> {
    let mut rows = vec![String::new()];
    // The marks of Markdown that people read over on paper are noise on a terminal.
    let text = visible(question.text.trim()).replace("**", "");
    let lines = wrap(&text, screen.columns());
    rows.extend(lines.iter().map(|line| screen.dress(Dress::Strong, line)));
    if let Some(exact) = &question.confirm {
        rows.push(format!("To do this, type exactly: {}", visible(exact)));
    }
    rows
}

/// Returns the options of a question, one below the other.
pub(super) fn options(question: &Question, screen: Screen) -> Vec<String> {
    let lines = choices(question).iter().flat_map(|choice| option(choice, screen));
    lines.map(|line| format!("  {line}")).collect()
}

/// Returns the line that stays on the screen once a question is answered.
pub(super) fn given(question: &Question, answer: &str, screen: Screen) -> Vec<String> {
    let chosen = choices(question).iter().find(|choice| choice.key == answer);
    let text = match chosen {
        Some(choice) => format!("[{}] {}", choice.key, choice.label),
        None => answer.to_owned(),
    };
    let text = visible(&text);
    let mut lines = wrap(&text, screen.columns() - 2);
    if lines.is_empty() {
        lines.push(String::new());
    }
    let marks = std::iter::once("> ").chain(std::iter::repeat("  "));
    lines
        .iter()
        .zip(marks)
        .map(|(line, mark)| format!("{mark}{line}"))
        .collect()
}

/// Draws a question while it is open.
pub(super) fn draw(prompt: &Prompt, screen: Screen, height: usize) -> Frame {
    let mut rows = menu(prompt, screen, height.saturating_sub(ROOM).max(1));
    let above = rows.len();
    let (input, row, column) = input(prompt, screen, height.saturating_sub(3).max(1));
    rows.extend(input);
    let note = wrap(&visible(prompt.note()), screen.columns());
    rows.extend(note.iter().map(|line| screen.dress(Dress::Wrong, line)));
    let hint = wrap(&hint(prompt, screen), screen.columns());
    rows.extend(hint.iter().map(|line| screen.dress(Dress::Faint, line)));
    Frame {
        rows,
        row: above + row,
        column,
    }
}

/// Returns the menu, or the part of it around what is picked where it is higher than the screen.
fn menu(prompt: &Prompt, screen: Screen, height: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut from = 0;
    for (at, choice) in prompt.choices().iter().enumerate() {
        let picked = prompt.picked() == Some(at);
        if picked {
            from = rows.len();
        }
        for (line, text) in option(choice, screen).iter().enumerate() {
            let mark = if picked && line == 0 { screen.pointer() } else { "  " };
            let row = format!("{mark}{text}");
            rows.push(if picked { screen.dress(Dress::Picked, &row) } else { row });
        }
    }
    if rows.len() <= height {
        return rows;
    }
    let start = from.saturating_sub(height / 2).min(rows.len() - height);
    rows.drain(start..).take(height).collect()
}

fn option(choice: &Choice, screen: Screen) -> Vec<String> {
    let key = visible(&choice.key);
    let mark = if choice.default { "  (default)" } else { "" };
    let head = if key == choice.label || choice.label.is_empty() {
        format!("[{key}]")
    } else {
        format!("[{key}] {}", visible(&choice.label).replace('\n', " "))
    };
    let indent = " ".repeat((width(&key) + 3).min(8));
    let mut lines = wrap(
        &format!("{head}{mark}"),
        screen.columns().saturating_sub(2 + indent.len()),
    );
    lines.iter_mut().skip(1).for_each(|line| line.insert_str(0, &indent));
    lines
}

/// Returns the lines of what is typed, and where the cursor is in them.
fn input(prompt: &Prompt, screen: Screen, height: usize) -> (Vec<String>, usize, usize) {
    let columns = screen.width.saturating_sub(1).max(8);
    let mut rows = vec!["> ".to_owned()];
    let (mut row, mut column, mut at) = (0, 2, 0);
    let line = prompt.line();
    for character in characters(line.text()) {
        let last = rows.len() - 1;
        if at == line.cursor() {
            (row, column) = (last, width(&rows[last]));
        }
        at += character.len();
        if character == "\n" {
            rows.push("  ".to_owned());
            continue;
        }
        let shown = visible(character);
        if width(&rows[last]) + width(&shown) > columns {
            rows.push("  ".to_owned());
        }
        let last = rows.len() - 1;
        rows[last].push_str(&shown);
    }
    if at == line.cursor() {
        row = rows.len() - 1;
        column = width(&rows[row]);
    }
    let start = (row + 1).saturating_sub(height);
    let shown = rows.into_iter().skip(start).take(height).collect();
    (shown, row - start, column)
}

fn hint(prompt: &Prompt, screen: Screen) -> String {
    let menu = !prompt.choices().is_empty();
    let mut parts = match (menu, prompt.takes_text()) {
        (true, true) => vec!["key, arrows or your own words, then Enter"],
        (true, false) => vec!["key or arrows, then Enter"],
        (false, true) => vec!["Enter to answer", "/edit for an editor"],
        (false, false) => vec!["Enter to confirm", "Ctrl-D to leave it"],
    };
    parts.push("? where we are");
    parts.push("Ctrl-C to stop");
    parts.join(screen.dot())
}

#[cfg(test)]
mod tests {
    use super::{asked, draw, given, options};
    use crate::machine::{Choice, Question};
    use crate::os::terminal::Screen;
    use crate::os::terminal::decode::Key;
    use crate::os::terminal::prompt::Prompt;
    use std::sync::Arc;

    const PLAIN: Screen = Screen {
        color: false,
        unicode: false,
        width: 60,
    };

    fn menu(count: usize) -> Question {
        let choice = |at: usize| Choice {
            key: at.to_string(),
            label: format!("Way number {at}"),
            default: at == 2,
            ..Choice::default()
        };
        Question {
            text: "Which way?".to_owned(),
            choices: (1..=count).map(choice).collect(),
            ..Question::default()
        }
    }

    /// The screen after some keys, with `|` where the cursor is.
    fn screen(question: Question, keys: &[Key], screen: Screen, height: usize) -> String {
        let mut prompt = Prompt::new(Arc::new(question));
        for key in keys {
            prompt.press(key);
        }
        let frame = draw(&prompt, screen, height);
        let mut rows = frame.rows;
        let mut width = 0;
        let at = rows[frame.row].char_indices().find(|(_, next)| {
            let found = width == frame.column;
            width += super::width(next.encode_utf8(&mut [0; 4]));
            found
        });
        let at = at.map_or(rows[frame.row].len(), |(at, _)| at);
        rows[frame.row].insert(at, '|');
        rows.join("\n")
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    #[test]
    fn a_menu_shows_its_options_what_is_picked_and_what_to_do() {
        insta::assert_snapshot!(screen(menu(3), &[], PLAIN, 24), @"
          [1] Way number 1
        > [2] Way number 2 (default)
          [3] Way number 3
        > |
        key or arrows, then Enter | ? where we are | Ctrl-C to stop
        ");
    }

    #[test]
    fn a_wrong_answer_is_explained_below_the_line() {
        insta::assert_snapshot!(screen(menu(2), &[&typed("x")[..], &[Key::Enter]].concat(), PLAIN, 24), @"
          [1] Way number 1
        > [2] Way number 2 (default)
        > |
        `x` is none of 1, 2
        key or arrows, then Enter | ? where we are | Ctrl-C to stop
        ");
    }

    #[test]
    fn a_menu_that_is_higher_than_the_screen_is_shown_around_what_is_picked() {
        let keys = vec![Key::Down; 20];
        insta::assert_snapshot!(screen(menu(40), &keys, PLAIN, 9), @"
          [21] Way number 21
        > [22] Way number 22
          [23] Way number 23
        > |
        key or arrows, then Enter | ? where we are | Ctrl-C to stop
        ");
    }

    #[test]
    fn wide_characters_move_the_cursor_by_two() {
        let keys = [typed("漢字x"), vec![Key::Left, Key::Left]].concat();
        let shown = screen(Question::default(), &keys, PLAIN, 24);
        assert_eq!(shown.lines().next(), Some("> 漢|字x"));
    }

    #[test]
    fn long_text_goes_on_in_the_next_line() {
        let narrow = Screen { width: 11, ..PLAIN };
        let shown = screen(Question::default(), &typed("abcdefgh漢字"), narrow, 24);
        assert_eq!(shown.lines().take(2).collect::<Vec<_>>(), ["> abcdefgh", "  漢字|"]);
    }

    #[test]
    fn text_that_is_higher_than_the_screen_is_shown_around_the_cursor() {
        let paste = Key::Paste("one\ntwo\nthree\nfour".to_owned());
        let shown = screen(Question::default(), &[paste], PLAIN, 5);
        assert_eq!(shown.lines().take(2).collect::<Vec<_>>(), ["  three", "  four|"]);
    }

    #[test]
    fn no_row_is_wider_than_the_screen() {
        let label = "a very long name that says everything there is to say about it ".repeat(3);
        let mut question = menu(2);
        question.choices[0].label = label.clone();
        question.text = label;
        for width in [20, 60, 200] {
            let look = Screen { width, ..PLAIN };
            let prompt = Prompt::new(Arc::new(question.clone()));
            let mut rows = draw(&prompt, look, 24).rows;
            rows.extend(asked(&question, look));
            rows.extend(options(&question, look));
            rows.extend(given(&question, "1", look));
            assert!(rows.iter().all(|row| super::width(row) < width), "{width}: {rows:#?}");
        }
    }

    #[test]
    fn colours_are_used_only_where_they_are_wanted() {
        let prompt = Prompt::new(Arc::new(menu(2)));
        let colored = |color| {
            let look = Screen { color, ..PLAIN };
            let rows = [draw(&prompt, look, 24).rows, asked(&menu(2), look)].concat();
            rows.iter().any(|row| row.contains('\x1b'))
        };
        assert_eq!([colored(true), colored(false)], [true, false]);
    }

    #[test]
    fn a_question_cannot_steer_the_terminal() {
        let mut question = menu(1);
        question.text = "one\x1b[2Jtwo\rthree".to_owned();
        question.choices[0].label = "x\x1b]0;y\x07z".to_owned();
        let rows = [asked(&question, PLAIN), options(&question, PLAIN)].concat();
        assert_eq!(rows, ["", "one[2Jtwothree", "  [1] x]0;yz"]);
    }

    #[test]
    fn an_answer_stays_on_the_screen() {
        assert_eq!(given(&menu(3), "2", PLAIN), ["> [2] Way number 2"]);
        assert_eq!(given(&Question::default(), "one\ntwo", PLAIN), ["> one", "  two"]);
        assert_eq!(given(&Question::default(), "", PLAIN), ["> "]);
    }
}
