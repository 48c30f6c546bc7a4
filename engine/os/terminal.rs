//! Questions in, what a person at the terminal or a pipe says out; also how wide the terminal is.
//!
//! What a key does and what is on the screen is pure and tested without a terminal; only `tty` touches one.

mod cell;
mod chain;
mod decode;
mod dialog;
mod editor;
mod frame;
mod line;
mod lines;
mod prompt;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod tty;

pub use chain::{Chain, Complain};
pub use lines::{Lines, tell};

use crate::host::Wait;
use crate::machine::Question;
use dialog::Dialog;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tty::Tty;

/// Returns how many columns the terminal has; answers nothing where standard output is not one.
pub fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}

/// Somebody who can be asked: at a terminal, or at the other end of a pipe.
pub trait Person: Send + Sync {
    /// Asks a question until it has an answer that fits, or nobody gives one.
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Said>;
}

/// What came of asking somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The answer, as it is recorded.
    Answer(String),
    /// Nobody answers.
    Nobody,
    /// The person wants the run to stop.
    Interrupted,
}

/// The stream of the process that people are spoken to on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error, where the output is for a program.
    Errors,
}

/// How text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Whether colours are used.
    pub color: bool,
    /// Whether marks are drawn with more than ASCII.
    pub unicode: bool,
    /// How many columns there are.
    pub width: usize,
}

/// What helps a person to answer.
#[derive(Clone)]
pub struct Aids {
    /// Tells where the run stands: the step, what was done, where the question is written.
    pub context: Arc<dyn Fn() -> String + Send + Sync>,
    /// The command of an editor, as `$VISUAL` or `$EDITOR` has it.
    pub editor: Option<String>,
    /// The folder for the file that an editor opens.
    pub scratch: PathBuf,
}

/// A person at a terminal.
pub struct Terminal {
    tty: Arc<Tty>,
    screen: Screen,
    aids: Aids,
}

impl Terminal {
    /// Opens the terminal; answers nothing where standard input or the stream is none, or where it cannot be steered.
    ///
    /// What was written to the stream before has to be flushed before a question is asked.
    pub fn open(stream: Stream, screen: Screen, aids: Aids) -> Option<Terminal> {
        Some(Terminal::over(Tty::open(stream)?, screen, aids))
    }

    fn over(tty: Tty, screen: Screen, aids: Aids) -> Terminal {
        let tty = Arc::new(tty);
        Terminal { tty, screen, aids }
    }
}

impl Person for Terminal {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Said> {
        let abandoned = Arc::new(AtomicBool::new(false));
        let dialog = Dialog {
            tty: Arc::clone(&self.tty),
            screen: self.screen,
            aids: self.aids.clone(),
            abandoned: Arc::clone(&abandoned),
        };
        let leaving = Leaving {
            tty: Arc::clone(&self.tty),
            abandoned,
            waiting: true,
        };
        Box::pin(async move {
            let held = tokio::task::spawn_blocking(move || dialog.hold(&question)).await;
            leaving.stay();
            match held {
                Ok(Ok(said)) => said,
                // The terminal is gone, and with it the person.
                Ok(Err(_)) => Said::Nobody,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => Said::Nobody,
                },
            }
        })
    }
}

/// Leaves the terminal as it was found at once where the run stops waiting for an answer.
struct Leaving {
    tty: Arc<Tty>,
    abandoned: Arc<AtomicBool>,
    waiting: bool,
}

impl Leaving {
    /// Says that the question has its end, and the terminal is as it was.
    fn stay(mut self) {
        self.waiting = false;
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if self.waiting {
            self.abandoned.store(true, Ordering::Relaxed);
            self.tty.restore();
        }
    }
}
