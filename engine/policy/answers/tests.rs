//! What an answers file may say, and what is said about one that is wrong.

use super::Answers;
use crate::machine::{Branch, Question};

fn question(id: &str, name: Option<&str>, text: &str) -> Question {
    Question {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        text: text.to_owned(),
        ..Question::default()
    }
}

fn when() -> Question {
    question("1-ab12", Some("when"), "When? [t] Today [l] Later")
}

fn answers(text: &str) -> Answers {
    Answers::parse(text, "answers.yaml").unwrap()
}

fn refused(text: &str) -> String {
    Answers::parse(text, "answers.yaml").unwrap_err().to_string()
}

/// What the file answers when a question is asked so many times.
fn taken(text: &str, question: &Question, times: usize) -> Vec<String> {
    let mut answers = answers(text);
    let mut take = || answers.take(question).map_or("open".to_owned(), |given| given.text);
    (0..times).map(|_| take()).collect()
}

#[test]
fn a_question_is_found_by_its_id() {
    assert_eq!(taken("1-ab12: t\n", &when(), 1), ["t"]);
}

#[test]
fn a_question_is_found_by_its_name() {
    assert_eq!(taken("when: t\n", &when(), 1), ["t"]);
}

#[test]
fn a_question_is_found_by_its_text() {
    assert_eq!(taken("\"When? [t] Today [l] Later\": t\n", &when(), 1), ["t"]);
}

#[test]
fn the_id_goes_before_the_name_and_the_name_before_the_text() {
    let text = "\"When? [t] Today [l] Later\": c\nwhen: b\n1-ab12: a\n";
    assert_eq!(taken(text, &when(), 1), ["a"]);
    assert_eq!(taken(text, &question("other", Some("when"), "x"), 1), ["b"]);
}

#[test]
fn a_key_that_is_left_empty_hides_no_other() {
    assert_eq!(taken("1-ab12:\nwhen: t\n", &when(), 1), ["t"]);
}

#[test]
fn one_answer_is_used_once() {
    assert_eq!(taken("when: t\n", &when(), 2), ["t", "open"]);
}

#[test]
fn a_list_answers_one_after_the_other_and_then_no_more() {
    assert_eq!(taken("when: [l, l, t]\n", &when(), 4), ["l", "l", "t", "open"]);
}

#[test]
fn an_empty_place_in_a_list_is_left_open() {
    assert_eq!(taken("when:\n  -\n  - t\n", &when(), 2), ["open", "t"]);
}

#[test]
fn an_empty_text_in_quotes_is_an_answer() {
    assert_eq!(taken("when: \"\"\n", &when(), 1), [""]);
}

#[test]
fn a_replayed_question_counts_as_asked() {
    let mut answers = answers("when: [l, t]\n");
    answers.skip(&when());
    assert_eq!(answers.take(&when()).unwrap().text, "t");
    assert_eq!(answers.asked(&when()), 2);
}

#[test]
fn questions_of_one_name_share_one_list() {
    let mut answers = answers("when: [l, t]\n");
    assert_eq!(answers.take(&question("1-a", Some("when"), "")).unwrap().text, "l");
    assert_eq!(answers.take(&question("2-b", Some("when"), "")).unwrap().text, "t");
}

#[test]
fn numbers_and_truths_are_the_text_they_are_written_as() {
    assert_eq!(
        taken("when: [1, 0x1F, 1.10, True, yes, n]\n", &when(), 6),
        ["1", "0x1F", "1.10", "True", "yes", "n"]
    );
}

#[test]
fn an_answer_knows_its_line() {
    let mut answers = answers("# note\nwhen:\n  - l\n  - |\n    t\n");
    let mut line = || answers.take(&when()).unwrap().line;
    assert_eq!([line(), line()], [3, 5]);
}

#[test]
fn json_answers_too() {
    let text = "{\n\t\"when\": [\"l\", \"a\\/b \\ud83d\\ude00 \\\\ud83d \\\"\\n\"],\n\t\"1-x\": null, \"1-y\": 2\n}\n";
    assert_eq!(taken(text, &when(), 2), ["l", "a/b 😀 \\ud83d \"\n"]);
    assert_eq!(taken(text, &question("1-y", None, ""), 1), ["2"]);
}

#[test]
fn a_file_that_says_nothing_leaves_everything_open() {
    for text in ["", "\n", "# only a note\n", "{}", "when:\n"] {
        assert_eq!(taken(text, &when(), 1), ["open"], "{text:?}");
    }
}

#[test]
fn keys_that_no_question_had_are_listed() {
    let mut answers = answers("when: t\nwhne: l\n");
    answers.take(&when());
    assert_eq!(listed(&answers), ["answers.yaml:2: whne"]);
}

#[test]
fn keys_of_the_file_below_are_listed_where_they_have_answers() {
    let left = Answers::parse("when: t\nwhen-1:\nwhne: l\n", "left.yaml").unwrap();
    let mut answers = answers("whn: t\n").above(left);
    answers.take(&when());
    assert_eq!(listed(&answers), ["answers.yaml:1: whn", "left.yaml:3: whne"]);
}

fn listed(answers: &Answers) -> Vec<String> {
    let unused = answers.unused().into_iter();
    unused
        .map(|each| format!("{}:{}: {}", each.path, each.line, each.key))
        .collect()
}

#[test]
fn a_file_that_is_no_map_is_refused() {
    assert_eq!(
        refused("- a\n- b\n"),
        "answers.yaml:1: an answers file is a map; write `question: answer` on each line"
    );
}

#[test]
fn a_nested_answer_is_refused_with_its_line() {
    let why = "the answer to `b` is nested; write text, or a list with one text each time";
    assert_eq!(refused("a: x\nb:\n  c: d\n"), format!("answers.yaml:3: {why}"));
    assert_eq!(refused("a: x\nb: [[y]]\n"), format!("answers.yaml:2: {why}"));
}

#[test]
fn a_question_that_is_answered_twice_is_refused() {
    assert_eq!(
        refused("when: t\nother: x\nwhen: l\n"),
        "answers.yaml:3: `when` is answered twice; write a list under it, one answer for each time it is asked"
    );
}

#[test]
fn text_that_is_no_yaml_is_refused_with_its_line() {
    let message = refused("when: t\nother: \"x\nmore: y\n");
    assert!(message.starts_with("answers.yaml:"), "{message}");
    assert!(message.contains("this is no YAML: "), "{message}");
}

/// The same question in one of two lanes over a list.
fn in_lane(at: usize) -> Question {
    let branch = Branch {
        lane: format!("0.1.{}", at + 1),
        at,
        of: 2,
        each: true,
        item: ["slow", "fast"][at].to_owned(),
    };
    Question {
        branches: vec![branch],
        ..when()
    }
}

#[test]
fn in_lanes_the_places_of_a_name_are_those_of_the_items_whoever_asks_first() {
    for order in [[0, 1], [1, 0]] {
        let mut answers = answers("when: [t, l]\n");
        let given = order.map(|at| (at, answers.take(&in_lane(at)).unwrap().text));
        assert!(
            given.contains(&(0, "t".to_owned())) && given.contains(&(1, "l".to_owned())),
            "{given:?}"
        );
    }
}

#[test]
fn a_question_of_one_lane_is_found_by_its_id_and_the_lane() {
    let mut answers = answers("1-ab12@1.2: l\n1-ab12: t\n");
    let given = [0, 1].map(|at| answers.take(&in_lane(at)).map(|given| given.text));
    assert_eq!(given, [Some("t".to_owned()), Some("l".to_owned())]);
}

#[test]
fn a_file_to_fill_tells_questions_of_lanes_apart() {
    let open = [in_lane(0), in_lane(1)];
    let blank = crate::policy::blank(&open);
    assert!(
        blank.contains("#   lane 2 of 2: fast\n") && blank.contains("\n1-ab12@1.2: \n"),
        "{blank}"
    );
    let filled = crate::policy::fill(&blank, "answers.yaml", "1-ab12@1.2", "l").unwrap();
    let mut answers = answers(&filled);
    let given = [1, 0].map(|at| answers.take(&in_lane(at)).map(|given| given.text));
    assert_eq!(given, [Some("l".to_owned()), None]);
}
