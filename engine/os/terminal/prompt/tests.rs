//! Keys that are pressed at a question, and what they come to.

use super::{Key, Pressed, Prompt};
use crate::machine::{Choice, Question};
use std::sync::Arc;

/// A menu: `*` marks the default.
fn menu(options: &[(&str, &str)]) -> Question {
    let choice = |(key, label): &(&str, &str)| Choice {
        key: key.trim_end_matches('*').to_owned(),
        label: (*label).to_owned(),
        default: key.ends_with('*'),
        ..Choice::default()
    };
    Question {
        choices: options.iter().map(choice).collect(),
        ..Question::default()
    }
}

fn apc() -> Question {
    menu(&[("a", "Ask more"), ("p", "Party mode"), ("c", "Continue")])
}

fn text(text: &str) -> Vec<Key> {
    text.chars()
        .map(|at| if at == '\n' { Key::Enter } else { Key::Char(at) })
        .collect()
}

/// Presses keys; returns the last thing they came to, and the note.
fn pressed(question: Question, keys: &[Key]) -> (Pressed, String) {
    let mut prompt = Prompt::new(Arc::new(question));
    let last = keys.iter().map(|key| prompt.press(key)).last().unwrap();
    (last, prompt.note().to_owned())
}

fn answered(question: Question, keys: &[Key]) -> String {
    match pressed(question, keys) {
        (Pressed::Answer(answer), _) => answer,
        (other, note) => panic!("{other:?} {note}"),
    }
}

fn note(question: Question, keys: &[Key]) -> String {
    let (pressed, note) = pressed(question, keys);
    assert_eq!(pressed, Pressed::Waiting);
    note
}

#[test]
fn a_key_and_enter_choose() {
    assert_eq!(answered(apc(), &text("c\n")), "c");
    assert_eq!(answered(apc(), &text("C\n")), "c");
}

#[test]
fn a_key_alone_chooses_nothing_so_that_the_enter_after_it_answers_no_other_question() {
    assert_eq!(pressed(apc(), &text("c")).0, Pressed::Waiting);
}

#[test]
fn a_name_or_its_beginning_choose() {
    assert_eq!(answered(apc(), &text("continue\n")), "c");
    assert_eq!(answered(apc(), &text("par\n")), "p");
}

#[test]
fn a_beginning_of_two_names_chooses_nothing() {
    let question = menu(&[("1", "Read one"), ("2", "Read two")]);
    assert_eq!(note(question, &text("read \n")), "`read` is none of 1, 2");
}

#[test]
fn keys_of_two_digits_can_be_typed() {
    let question = menu(&[("1", "One"), ("2", "Two"), ("10", "Ten"), ("12", "Twelve")]);
    assert_eq!(answered(question.clone(), &text("12\n")), "12");
    assert_eq!(answered(question, &text("1\n")), "1");
}

#[test]
fn arrows_choose_and_go_round() {
    assert_eq!(answered(apc(), &[Key::Down, Key::Enter]), "a");
    assert_eq!(answered(apc(), &[Key::Up, Key::Enter]), "c");
    assert_eq!(
        answered(apc(), &[Key::Down, Key::Down, Key::Down, Key::Down, Key::Enter]),
        "a"
    );
}

#[test]
fn j_and_k_move_like_arrows() {
    assert_eq!(answered(apc(), &text("jjk\n")), "a");
}

#[test]
fn j_and_k_are_keys_where_a_menu_has_them() {
    let question = menu(&[("a", "Ask"), ("k", "Keep")]);
    assert_eq!(answered(question, &text("k\n")), "k");
}

#[test]
fn enter_takes_the_default() {
    let question = menu(&[("a", "Ask"), ("c*", "Continue")]);
    assert_eq!(answered(question, &text("\n")), "c");
}

#[test]
fn enter_takes_nothing_where_nothing_is_picked() {
    assert_eq!(
        note(apc(), &text("\n")),
        "nothing is chosen yet; type a key such as `a`, or use the arrows"
    );
}

#[test]
fn an_answer_that_fits_no_choice_is_asked_again_with_the_reason() {
    assert_eq!(note(apc(), &text("x\n")), "`x` is none of a, p, c");
    assert_eq!(answered(apc(), &text("x\nc\n")), "c");
}

#[test]
fn typing_takes_the_reason_away() {
    assert_eq!(note(apc(), &text("x\nc")), "");
}

#[test]
fn escape_takes_back_what_was_typed() {
    let mut keys = text("x");
    keys.push(Key::Escape);
    keys.extend(text("c\n"));
    assert_eq!(answered(apc(), &keys), "c");
}

#[test]
fn an_open_menu_takes_words_too() {
    let open = Question { open: true, ..apc() };
    assert_eq!(
        answered(open.clone(), &text("just make it shorter\n")),
        "just make it shorter"
    );
    assert_eq!(answered(open.clone(), &text("c\n")), "c");
    assert_eq!(answered(open, &[Key::Down, Key::Enter]), "a");
}

#[test]
fn free_text_is_an_answer() {
    assert_eq!(answered(Question::default(), &text("milk and j\n")), "milk and j");
}

#[test]
fn an_empty_answer_is_given_by_a_second_enter() {
    assert_eq!(
        note(Question::default(), &text("\n")),
        "this answer is empty; press Enter once more to give it"
    );
    assert_eq!(answered(Question::default(), &text("\n\n")), "");
}

#[test]
fn a_pasted_line_end_sends_nothing() {
    let paste = Key::Paste("one\ntwo".to_owned());
    assert_eq!(answered(Question::default(), &[paste, Key::Enter]), "one\ntwo");
}

#[test]
fn a_question_mark_asks_for_the_context() {
    assert_eq!(pressed(apc(), &text("?")).0, Pressed::Context);
    assert_eq!(pressed(Question::default(), &text("?\n")).0, Pressed::Context);
}

#[test]
fn a_question_mark_inside_an_answer_is_text() {
    assert_eq!(answered(Question::default(), &text("? or not\n")), "? or not");
}

#[test]
fn a_question_mark_is_a_key_where_a_menu_has_it() {
    let question = menu(&[("?", "What is this"), ("c", "Continue")]);
    assert_eq!(answered(question, &text("?\n")), "?");
}

#[test]
fn the_editor_is_called_by_keys_and_by_name() {
    let keys = [Key::Ctrl('x'), Key::Ctrl('e')];
    assert_eq!(pressed(Question::default(), &keys).0, Pressed::Editor);
    assert_eq!(pressed(Question::default(), &text("/edit\n")).0, Pressed::Editor);
}

#[test]
fn a_menu_has_no_editor() {
    assert_eq!(
        note(apc(), &[Key::Ctrl('x'), Key::Ctrl('e')]),
        "an editor is for answers in your own words; choose one of the options"
    );
    assert_eq!(note(apc(), &text("/edit\n")), "`/edit` is none of a, p, c");
}

#[test]
fn what_an_editor_wrote_is_the_answer() {
    let mut prompt = Prompt::new(Arc::new(Question::default()));
    assert_eq!(prompt.wrote("one\ntwo\n"), Pressed::Answer("one\ntwo".to_owned()));
}

#[test]
fn an_editor_that_wrote_nothing_leaves_the_question_open() {
    let mut prompt = Prompt::new(Arc::new(Question::default()));
    assert_eq!(prompt.wrote("\n \n"), Pressed::Waiting);
    assert_eq!(prompt.note(), "nothing was written; the question is still open");
}

#[test]
fn control_c_interrupts_and_control_d_leaves() {
    assert_eq!(pressed(apc(), &[Key::Ctrl('c')]).0, Pressed::Interrupted);
    assert_eq!(pressed(apc(), &[Key::Ctrl('d')]).0, Pressed::Nobody);
}

#[test]
fn control_d_leaves_only_where_nothing_is_typed() {
    let mut keys = text("ab");
    keys.extend([Key::Home, Key::Ctrl('d'), Key::Enter]);
    assert_eq!(answered(Question::default(), &keys), "b");
}

#[test]
fn words_that_have_to_be_typed_take_nothing_else() {
    let question = Question {
        confirm: Some("SKIP VALIDATION".to_owned()),
        ..menu(&[("s*", "Skip")])
    };
    assert_eq!(
        answered(question.clone(), &text("SKIP VALIDATION\n")),
        "SKIP VALIDATION"
    );
    assert_eq!(
        note(question.clone(), &text("skip\n")),
        "type exactly `SKIP VALIDATION`, or leave it"
    );
    assert_eq!(
        note(question, &[Key::Down, Key::Enter]),
        "type exactly `SKIP VALIDATION`, or leave it with Ctrl-D"
    );
}
