use super::{asked, asked_keys, source};
use crate::model::menu::options;

#[test]
fn a_question_offers_keys_in_brackets_with_their_labels() {
    let found = asked("Which way?\n[s] Shorten - drop the second half\n[k] Keep it");
    assert_eq!(found, [("s".into(), "Shorten".into()), ("k".into(), "Keep it".into())]);
}

#[test]
fn a_label_may_stand_before_its_key() {
    let found = asked("Look at the draft. Options: Accept [a], Redo [r] or Drop [d]?");
    let labels: Vec<_> = found.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["Accept", "Redo", "Drop"]);
}

#[test]
fn several_words_in_brackets_with_their_labels_are_keys() {
    let found = asked("Which team?\n\n[dev] Development\n[ops] Operations - runs it\n");
    let expected = [("dev", "Development"), ("ops", "Operations")];
    assert_eq!(found, expected.map(|(key, label)| (key.to_owned(), label.to_owned())));
    assert_eq!(
        asked_keys("Which? [dev] Development or [ops] Operations"),
        ["dev", "ops"]
    );
    for text in [
        "Change it from: [old] To: [new one]",
        "Call a[index] Twice b[index] Now",
        "Run [options] Then go",
    ] {
        assert_eq!(asked_keys(text), [""; 0], "{text}");
    }
}

#[test]
fn keys_without_labels_are_options_too() {
    assert_eq!(asked_keys("Choose option [1], [2], or [3]:"), ["1", "2", "3"]);
}

#[test]
fn a_numbered_list_below_a_question_is_a_choice() {
    let found = asked("How do we go on?\n\n1. **Resume** - from the last page\n2. **Restart**\n\nYour choice [1/2]:");
    assert_eq!(found, [("1".into(), "Resume".into()), ("2".into(), "Restart".into())]);
}

#[test]
fn a_numbered_list_of_questions_is_not_a_choice() {
    assert_eq!(
        asked_keys("Tell me about it:\n1. Who reads it?\n2. Why now?\n3. What is missing?"),
        [""; 0]
    );
}

#[test]
fn letters_and_numbers_with_a_parenthesis_are_a_choice() {
    assert_eq!(
        asked_keys("Pick one:\na) the short way\nb) the long way\nChoice:"),
        ["a", "b"]
    );
    assert_eq!(asked_keys("Pick one:\n1) go\n2) stay"), ["1", "2"]);
}

#[test]
fn words_between_slashes_are_a_choice() {
    let found = asked("Go on with it? (y/n/edit)");
    assert_eq!(found[0], ("y".into(), "yes".into()));
    assert_eq!(found[2], ("edit".into(), "edit".into()));
}

#[test]
fn slashes_inside_a_sentence_are_not_a_choice() {
    assert_eq!(
        asked_keys("Name the folder (feature/module) that you mean, and say why."),
        [""; 0]
    );
}

#[test]
fn bold_labels_below_a_choice_are_options() {
    let found = asked_keys("HALT and give the user a choice:\n- **Accept** — take it\n- **Skip** — leave it");
    assert_eq!(found, ["Accept", "Skip"]);
}

#[test]
fn an_option_covers_its_key_and_its_text() {
    let text = "Choose:\n  [q] Quit - nothing is saved";
    let found = options(text, source(text).span(0, text.len()));
    assert_eq!(&text[found[0].span.range()], "[q] Quit - nothing is saved");
}

#[test]
fn a_sign_is_a_key_beside_others_in_a_line_of_its_own() {
    let found = asked("Choose:\n[S] Save\n[V] View\n[+] Add a page - at the end");
    assert_eq!(found[2], ("+".into(), "Add a page".into()));
    for text in [
        "Choose:\n[S] Save\n[+] Add",
        "[S] Save [V] View (of [+] many)",
        "[S] Save\n[V] View\n[=] Same",
    ] {
        assert!(
            !asked_keys(text).iter().any(|key| matches!(key.as_str(), "+" | "=")),
            "{text}"
        );
    }
}

#[test]
fn placeholders_boxes_and_links_are_not_options() {
    assert_eq!(
        asked_keys("I found [X] pages in [Y] files, see [1](notes.md).\n- [x] read\n- [ ] sorted"),
        [""; 0]
    );
}
