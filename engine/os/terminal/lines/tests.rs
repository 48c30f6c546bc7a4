//! What is asked through a pipe, and what its lines answer.

use super::Lines;
use crate::machine::{Choice, Question};
use crate::os::terminal::{Aids, Person, Said, Screen};
use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A stream whose text can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn menu(default: bool) -> Question {
    let choice = |key: &str, label: &str, default| Choice {
        key: key.to_owned(),
        label: label.to_owned(),
        default,
        ..Choice::default()
    };
    Question {
        text: "Go on?".to_owned(),
        choices: vec![choice("a", "Ask more", false), choice("c", "Continue", default)],
        ..Question::default()
    }
}

/// Asks questions of a pipe; returns what was said and what was printed.
fn asked(input: &[u8], questions: Vec<Question>) -> (Vec<Said>, String) {
    let output = Shared::default();
    let screen = Screen {
        color: false,
        unicode: false,
        width: 80,
    };
    let aids = Aids {
        context: Arc::new(|| "Step 2 of 5".to_owned()),
        editor: None,
        scratch: PathBuf::new(),
    };
    let input = Box::new(Cursor::new(input.to_vec()));
    let lines = Lines::new(input, Box::new(output.clone()), screen, aids);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let said = runtime.block_on(async {
        let mut said = Vec::new();
        for question in questions {
            said.push(lines.ask(Arc::new(question)).await);
        }
        said
    });
    let printed = output.0.lock().unwrap().clone();
    (said, String::from_utf8(printed).unwrap())
}

fn said(input: &str, question: Question) -> Said {
    asked(input.as_bytes(), vec![question]).0.remove(0)
}

fn answer(text: &str) -> Said {
    Said::Answer(text.to_owned())
}

#[test]
fn one_line_answers_one_question() {
    let (said, _) = asked(
        b"c\r\nmilk\nlast",
        vec![menu(false), Question::default(), Question::default()],
    );
    assert_eq!(said, [answer("c"), answer("milk"), answer("last")]);
}

#[test]
fn the_end_of_the_lines_is_nobody() {
    assert_eq!(said("", menu(false)), Said::Nobody);
    assert_eq!(said("x\n", menu(false)), Said::Nobody);
}

#[test]
fn an_empty_line_takes_the_default_and_only_that() {
    assert_eq!(said("\n", menu(true)), answer("c"));
    assert_eq!(said("\n", menu(false)), Said::Nobody);
}

#[test]
fn an_empty_line_is_an_answer_in_free_text() {
    assert_eq!(said("\n", Question::default()), answer(""));
}

#[test]
fn bytes_that_are_no_text_are_still_a_line() {
    let (said, _) = asked(b"a\xffb\n", vec![Question::default()]);
    assert_eq!(said, [answer("a\u{fffd}b")]);
}

#[test]
fn what_is_asked_is_printed_with_what_is_wrong() {
    let (_, printed) = asked(b"?\nx\n\ncontinue\n", vec![menu(false)]);
    insta::assert_snapshot!(printed.trim(), @"
    Go on?
      [a] Ask more
      [c] Continue
    > ?
    Step 2 of 5
    > x
    `x` is none of a, c
    > 
    nothing was typed; choose one of a, c
    > continue
    ");
}

#[test]
fn a_line_that_came_too_late_answers_the_next_question() {
    let (reader, mut writer) = io::pipe().unwrap();
    let screen = Screen {
        color: false,
        unicode: false,
        width: 80,
    };
    let aids = Aids {
        context: Arc::new(String::new),
        editor: None,
        scratch: PathBuf::new(),
    };
    let lines = Lines::new(Box::new(reader), Box::new(io::sink()), screen, aids);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let said = runtime.block_on(async {
        let mut first = lines.ask(Arc::new(Question::default()));
        // The question is asked, the answer is not waited for.
        std::future::poll_fn(|context| {
            assert!(first.as_mut().poll(context).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
        drop(first);
        writer.write_all(b"milk\nbread\n").unwrap();
        lines.ask(Arc::new(Question::default())).await
    });
    assert_eq!(said, answer("milk"));
}
