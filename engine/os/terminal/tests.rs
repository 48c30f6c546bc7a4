//! Questions at a real terminal: a pair whose other end the test holds.

use super::tty::Tty;
use super::{Aids, Person, Said, Screen, Terminal};
use crate::machine::{Choice, Question};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Shown after a question, so that a test that waits for something else fails.
const END: &str = "<end>";

/// The end of a terminal where a person sits.
struct Seat {
    master: File,
    slave: File,
    seen: String,
}

fn seat() -> Seat {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: 60,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&slave, size).unwrap();
    Seat {
        master: master.into(),
        slave,
        seen: String::new(),
    }
}

impl Seat {
    fn terminal(&self, editor: Option<&str>, scratch: PathBuf) -> Terminal {
        let tty = Tty::over(self.slave.try_clone().unwrap(), self.slave.try_clone().unwrap());
        let screen = Screen {
            color: true,
            unicode: true,
            width: 60,
        };
        let aids = Aids {
            context: Arc::new(|| "Step 2 of 5".to_owned()),
            editor: editor.map(str::to_owned),
            scratch,
        };
        Terminal::over(tty, screen, aids)
    }

    fn plain(&self) -> Terminal {
        self.terminal(None, PathBuf::new())
    }

    fn is_raw(&self) -> bool {
        !tcgetattr(&self.slave).unwrap().local_modes.contains(LocalModes::ICANON)
    }

    /// Waits until the screen showed some text.
    fn wait(&mut self, text: &str) {
        while !self.seen.contains(text) {
            assert!(!self.seen.contains(END), "no `{text}` in {:?}", self.seen);
            let mut bytes = [0; 4096];
            let count = self.master.read(&mut bytes).unwrap();
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    }

    fn press(&mut self, keys: &str) {
        self.seen.clear();
        self.master.write_all(keys.as_bytes()).unwrap();
    }
}

fn go_on() -> Question {
    let choice = |key: &str, label: &str| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        ..Choice::default()
    };
    Question {
        text: "Go on?".to_owned(),
        choices: vec![choice("a", "Ask more"), choice("c", "Continue")],
        ..Question::default()
    }
}

fn free() -> Question {
    Question {
        text: "Which name?".to_owned(),
        ..Question::default()
    }
}

/// Asks while a person acts; returns what was said.
fn asked(seat: &mut Seat, terminal: &Terminal, question: Question, act: impl FnOnce(&mut Seat) + Send) -> Said {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let said = std::thread::scope(|scope| {
        let person = scope.spawn(|| act(seat));
        let said = runtime.block_on(terminal.ask(Arc::new(question)));
        terminal.tty.write(END).unwrap();
        person.join().unwrap();
        said
    });
    seat.wait(END);
    seat.seen.clear();
    said
}

fn asked_plain(seat: &mut Seat, question: Question, act: impl FnOnce(&mut Seat) + Send) -> Said {
    let terminal = seat.plain();
    asked(seat, &terminal, question, act)
}

fn answer(text: &str) -> Said {
    Said::Answer(text.to_owned())
}

#[test]
fn a_menu_is_answered_by_key_and_by_arrows() {
    let mut seat = seat();
    let terminal = seat.plain();
    let said = asked(&mut seat, &terminal, go_on(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("x\r");
        seat.wait("`x` is none of a, c");
        seat.press("c\r");
    });
    assert_eq!(said, answer("c"));
    let said = asked(&mut seat, &terminal, go_on(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("\x1b[B\r");
        seat.wait("> [a] Ask more\r\n");
    });
    assert_eq!(said, answer("a"));
}

#[test]
fn free_text_of_any_script_is_edited() {
    let mut seat = seat();
    let said = asked_plain(&mut seat, free(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("漢é字\x7f\x01x\r");
    });
    assert_eq!(said, answer("x漢é"));
}

#[test]
fn the_terminal_is_raw_while_it_asks_and_as_before_afterwards() {
    let mut seat = seat();
    assert!(!seat.is_raw());
    let terminal = seat.plain();
    asked(&mut seat, &terminal, free(), |seat| {
        seat.wait("Ctrl-C to");
        assert!(seat.is_raw());
        seat.press("x\r");
    });
    assert!(!seat.is_raw());
}

#[test]
fn the_interrupt_key_stops_and_leaves_the_terminal_as_it_was() {
    let mut seat = seat();
    let said = asked_plain(&mut seat, go_on(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("\x03");
    });
    assert_eq!(said, Said::Interrupted);
    assert!(!seat.is_raw());
}

#[test]
fn a_terminal_that_hangs_up_is_nobody() {
    let mut seat = seat();
    let terminal = seat.plain();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let person = std::thread::spawn(move || {
        seat.wait("Ctrl-C to");
        drop(seat);
    });
    let said = runtime.block_on(terminal.ask(Arc::new(go_on())));
    person.join().unwrap();
    assert_eq!(said, Said::Nobody);
}

#[test]
fn what_is_typed_ahead_answers_the_next_question() {
    let mut seat = seat();
    let terminal = seat.plain();
    let said = asked(&mut seat, &terminal, go_on(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("c\rmilk\r");
    });
    assert_eq!(said, answer("c"));
    assert_eq!(asked(&mut seat, &terminal, free(), |_| ()), answer("milk"));
}

#[test]
fn a_question_mark_tells_where_the_run_stands() {
    let mut seat = seat();
    asked_plain(&mut seat, go_on(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("?");
        seat.wait("Step 2 of 5\r\n");
        seat.wait("Ctrl-C to");
        seat.press("c\r");
    });
}

#[test]
fn an_answer_is_written_in_an_editor() {
    let mut seat = seat();
    let scratch = tempfile::tempdir().unwrap();
    let terminal = seat.terminal(Some("printf 'one\\ntwo\\n' >"), scratch.path().to_owned());
    let said = asked(&mut seat, &terminal, free(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("\x18\x05");
    });
    assert_eq!(said, answer("one\ntwo"));
}

#[test]
fn without_an_editor_the_question_stays_open() {
    let mut seat = seat();
    let said = asked_plain(&mut seat, free(), |seat| {
        seat.wait("Ctrl-C to");
        seat.press("/edit\r");
        seat.wait("no editor is known");
        seat.press("milk\r");
    });
    assert_eq!(said, answer("milk"));
}

#[test]
fn a_question_that_nobody_waits_for_leaves_the_terminal_as_it_was() {
    let mut seat = seat();
    let terminal = seat.plain();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut asking = terminal.ask(Arc::new(free()));
        std::future::poll_fn(|context| {
            assert!(asking.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
        seat.wait("Ctrl-C to");
        assert!(seat.is_raw());
        drop(asking);
        assert!(!seat.is_raw());
    });
    let said = asked(&mut seat, &terminal, go_on(), |seat| {
        seat.seen.clear();
        seat.wait("Ctrl-C to");
        seat.press("c\r");
    });
    assert_eq!(said, answer("c"));
}

#[test]
fn a_panic_leaves_the_terminal_as_it_was() {
    let mut seat = seat();
    let mut terminal = seat.plain();
    terminal.aids.context = Arc::new(|| panic!("the context cannot be told"));
    let asking = std::panic::AssertUnwindSafe(|| {
        asked(&mut seat, &terminal, go_on(), |seat| {
            seat.wait("Ctrl-C to");
            assert!(seat.is_raw());
            seat.press("?");
        })
    });
    assert!(std::panic::catch_unwind(asking).is_err());
    assert!(!seat.is_raw());
}
