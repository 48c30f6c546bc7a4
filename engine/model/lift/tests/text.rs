//! Text of any shape.

use super::{nothing_in, random, read, said, words};
use crate::source::Dice;

#[test]
fn several_sentences_say_several_things() {
    let text = "Set a_b = 1. Ask the user.\n\n- Go to step 2\n- HALT\n";
    assert_eq!(said(text), ["set a_b = 1", "ask", "goto 2", "halt"]);
}

#[test]
fn a_wrapped_sentence_is_one() {
    assert_eq!(
        words("Please go back\n   to step 3 and\ndo it again"),
        ["go back\n   to step 3"]
    );
    assert_eq!(said("If the tree is dirty,\nHALT"), ["halt"]);
    assert_eq!(said("Do not\ngo to step 3"), [""; 0]);
}

#[test]
fn a_mark_that_opens_no_quote_hides_none_before_it() {
    assert_eq!(said("“EXIT workflow” is a label, “x: HALT"), ["halt"]);
}

#[test]
fn headings_code_and_comments_say_nothing() {
    nothing_in(&[
        "# HALT",
        "## Go to step 3",
        "```\ngo to step 3\n```",
        "~~~text\nHALT\n~~~",
        "> ```sh\n> HALT\n> ```",
        "<!-- HALT -->",
    ]);
    assert_eq!(said("> ```\n> x\n> ```\nHALT"), ["halt"]);
    assert_eq!(said("```\nx\n```\nGo to step 2"), ["goto 2"]);
}

#[test]
fn tags_around_the_words_do_not_matter() {
    assert_eq!(
        said("<action>Set x = 1</action>\n<action if=\"if so\">HALT</action>"),
        ["set x = 1", "halt"]
    );
    assert_eq!(said("<action>HALT - no work</action>"), ["halt no work"]);
}

#[test]
fn a_table_cell_is_a_sentence() {
    assert_eq!(
        said("| **X** | Proceed to step 6 |\n| **E** | Return to step 4 |"),
        ["goto 6", "goto 4"]
    );
}

#[test]
fn an_abbreviation_does_not_end_a_sentence() {
    assert_eq!(said("HALT - no file, e.g. no plan"), ["halt no file, e.g. no plan"]);
    assert_eq!(
        words("Set x = a thing, e.g. this one"),
        ["Set x = a thing, e.g. this one"]
    );
}

#[test]
fn prose_in_other_languages_is_left_alone() {
    nothing_in(&[
        "Pregunta al usuario qué quiere y espera su respuesta",
        "3단계로 이동하세요. 사용자에게 물어보세요.",
        "请转到第3步，然后等待用户输入。",
        "Passez à l’étape 3 – n’attendez pas",
        "“Halt” — sagte er…",
    ]);
    assert_eq!(
        words("다음: go to step 3 로 이동。그리고 HALT"),
        ["go to step 3", "HALT"]
    );
}

#[test]
fn any_text_can_be_read() {
    let pieces = [
        "\"", "'", "`", "``", "{{", "}}", "{", "[[", "](", "[", "]", "<", "</", "<!--", "set", "as", "step", "HALT",
        "and", "é", "→", "\n", "  ", "```", "-", "=", "store", "load", ":", "follow", "“", "1.", ">", "|", "#",
    ];
    let mut dice = Dice(7);
    for _ in 0..3000 {
        let text = random(&mut dice, &pieces);
        said(&text);
        words(&text);
    }
}

#[test]
fn a_long_text_without_sentences_is_read_in_pieces() {
    let text = "HALT and go to step 3 if \"x ".repeat(2000);
    let last = read(&text).pop().unwrap();
    assert!(last.span.end as usize > text.len() - 2000);
}

#[test]
fn an_empty_text_says_nothing() {
    nothing_in(&["", " ", "\n\n", "\""]);
}
