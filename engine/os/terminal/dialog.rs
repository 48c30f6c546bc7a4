//! A question in, what the person at the terminal said out. Blocks until then.

use super::cell::{visible, wrap};
use super::frame::{self, Frame};
use super::prompt::{Pressed, Prompt};
use super::tty::{Got, Tty};
use super::{Aids, Said, Screen, editor};
use crate::machine::Question;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One question and the terminal it is asked at.
pub(super) struct Dialog {
    pub(super) tty: Arc<Tty>,
    pub(super) screen: Screen,
    pub(super) aids: Aids,
    /// Whether nobody waits for the answer any more.
    pub(super) abandoned: Arc<AtomicBool>,
}

impl Dialog {
    /// Asks until there is an answer, or none will come.
    pub(super) fn hold(self, question: &Arc<Question>) -> io::Result<Said> {
        let _turn = self.tty.turn();
        if self.abandoned.load(Ordering::Relaxed) {
            return Ok(Said::Nobody);
        }
        let mut raw = self.tty.raw()?;
        let mut prompt = Prompt::new(Arc::clone(question));
        let mut canvas = Canvas::default();
        canvas.print(&self.tty, &frame::asked(question, self.screen()))?;
        let mut drawn = None;
        loop {
            let (screen, height) = (self.screen(), self.tty.size().1);
            let fresh = frame::draw(&prompt, screen, height);
            if drawn.as_ref() != Some(&fresh) {
                canvas.draw(&self.tty, &fresh)?;
                drawn = Some(fresh);
            }
            let Some(mut pressed) = self.next(&mut prompt)? else {
                canvas.clear(&self.tty)?;
                return Ok(Said::Nobody);
            };
            if pressed == Pressed::Editor {
                canvas.clear(&self.tty)?;
                drop(raw);
                let written = self.edit(&prompt);
                raw = self.tty.raw()?;
                drawn = None;
                pressed = match written {
                    Ok(text) => prompt.wrote(&text),
                    Err(why) => {
                        prompt.tell(why);
                        Pressed::Waiting
                    }
                };
            }
            match pressed {
                Pressed::Waiting | Pressed::Editor => {}
                Pressed::Answer(answer) => {
                    canvas.print(&self.tty, &frame::given(question, &answer, screen))?;
                    return Ok(Said::Answer(answer));
                }
                Pressed::Context => {
                    let text = visible(&(self.aids.context)());
                    canvas.print(&self.tty, &wrap(text.trim_end(), screen.width.saturating_sub(1)))?;
                    drawn = None;
                }
                Pressed::Nobody => {
                    canvas.clear(&self.tty)?;
                    return Ok(Said::Nobody);
                }
                Pressed::Interrupted => {
                    canvas.clear(&self.tty)?;
                    return Ok(Said::Interrupted);
                }
            }
        }
    }

    /// Waits for a key and presses it; nothing where there will be none.
    fn next(&self, prompt: &mut Prompt) -> io::Result<Option<Pressed>> {
        let got = self.tty.key()?;
        if self.abandoned.load(Ordering::Relaxed) {
            if let Got::Key(key) = got {
                self.tty.unread(key);
            }
            return Ok(None);
        }
        Ok(match got {
            Got::Key(key) => Some(prompt.press(&key)),
            Got::Nothing => Some(Pressed::Waiting),
            Got::End => None,
        })
    }

    fn edit(&self, prompt: &Prompt) -> Result<String, String> {
        let Some(command) = &self.aids.editor else {
            return Err("no editor is known; set VISUAL or EDITOR and start again, or paste the text here".to_owned());
        };
        let draft = editor::Draft {
            text: prompt.line().text(),
            about: &prompt.question().text,
        };
        editor::edit(command, &self.aids.scratch, &draft)
    }

    /// Returns how text is drawn now: the window may have changed since the program began.
    fn screen(&self) -> Screen {
        Screen {
            width: self.tty.size().0,
            ..self.screen
        }
    }
}

/// The lines at the end of the screen that change while a question is open.
#[derive(Default)]
struct Canvas {
    /// The row of the cursor, counted from the first line that changes.
    row: usize,
}

impl Canvas {
    /// Prints lines that stay, in the place of those that change.
    fn print(&mut self, tty: &Tty, rows: &[String]) -> io::Result<()> {
        let mut text = self.back();
        for row in rows {
            text.push_str(row);
            text.push_str("\r\n");
        }
        self.row = 0;
        tty.write(&text)
    }

    /// Draws the lines that change.
    fn draw(&mut self, tty: &Tty, frame: &Frame) -> io::Result<()> {
        let mut text = self.back();
        text.push_str(&frame.rows.join("\r\n"));
        let below = frame.rows.len().saturating_sub(frame.row + 1);
        up(&mut text, below);
        text.push('\r');
        if frame.column > 0 {
            steer(&mut text, frame.column, 'C');
        }
        self.row = frame.row;
        tty.write(&text)
    }

    /// Removes the lines that change.
    fn clear(&mut self, tty: &Tty) -> io::Result<()> {
        self.print(tty, &[])
    }

    /// Goes back to the first line that changes and removes what is below.
    fn back(&self) -> String {
        let mut text = "\r".to_owned();
        up(&mut text, self.row);
        text.push_str("\x1b[J");
        text
    }
}

fn up(text: &mut String, rows: usize) {
    if rows > 0 {
        steer(text, rows, 'A');
    }
}

fn steer(text: &mut String, count: usize, way: char) {
    // Writing into a text cannot fail.
    let written = write!(text, "\x1b[{count}{way}");
    debug_assert!(written.is_ok());
}
