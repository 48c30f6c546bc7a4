//! What conditions mean, by example.

mod compound;

use super::{Condition, Decider, Existing, Operand, Operator, Test};
use crate::source::{SourceId, Span};

fn parse(text: &str) -> Condition {
    Condition::parse(text, Span::new(SourceId(3), 10, 10 + text.len()))
}

fn test(text: &str) -> Test {
    parse(text).test
}

fn all_are(decider: Decider, texts: &[&str]) {
    for text in texts {
        let condition = parse(text);
        assert_eq!(condition.decider(), decider, "`{text}` reads as {:?}", condition.test);
    }
}

fn compare(name: &str, operator: Operator, right: Operand) -> Test {
    Test::Compare {
        left: Operand::Variable(name.into()),
        operator,
        right,
    }
}

fn word(text: &str) -> Operand {
    Operand::Word(text.into())
}

fn text(text: &str) -> Operand {
    Operand::Text(text.into())
}

fn chosen(keys: &[&str]) -> Test {
    Test::Chosen(keys.iter().map(|key| (*key).to_owned()).collect())
}

fn exists(what: &str, target: Existing, present: bool) -> Test {
    Test::Exists {
        what: what.into(),
        target,
        present,
    }
}

#[test]
fn a_comparison_is_an_expression() {
    all_are(
        Decider::Expression,
        &[
            "mode == data",
            "resume_mode == false",
            "workflow_mode == initial_scan OR workflow_mode == full_rescan",
            "{{new_status}} == 'done'",
            "{{prev_epic_num}} >= 1",
            "project_level < 3",
            "!ux_design_content && architecture_content",
            "field_type == greenfield AND selected_track in [method, enterprise]",
            "{{current_status}} == 'ready-for-dev' OR (review_continuation == true AND {{current_status}} != 'in-progress')",
            "reader_type='humans'",
            "warning != ''",
        ],
    );
}

#[test]
fn an_answer_is_a_choice() {
    all_are(
        Decider::Choice,
        &[
            "choice == 1",
            "user chooses '3'",
            "user selects 1 OR user presses enter",
            "n",
            "response == y OR response == yes",
            "choice in [b (Completed), c (Abandoned)]",
            "option 1 or 2 or no option 3",
            "user selects finalize (option 4 or 5)",
            "continue",
            "exit",
            "user selects 1 or 2",
            "option 1 or 2",
            "[c]",
            "y",
            "1",
        ],
    );
}

#[test]
fn a_variable_or_a_file_that_is_there_is_an_existence() {
    all_are(
        Decider::Existence,
        &[
            "{{story_path}} is provided",
            "{{sprint_status}} file does NOT exist",
            "index.md exists",
            "project-scan-report.json exists",
            "style_guide provided",
            "{x} is not set",
            "{x} is missing or empty",
        ],
    );
}

#[test]
fn everything_else_is_judged() {
    all_are(
        Decider::Judged,
        &[
            "status file not found",
            "current status == 'in-progress'",
            "research_type == 4 or fuzzy match competitive",
            "3 consecutive implementation failures occur",
            "multiple distinct parts detected (e.g., client/ and server/ folders)",
            "epic status is not one of: backlog, contexted, in-progress, done",
            "user asks for explanations",
            "task is review follow-up (has [AI-Review] prefix)",
            "Senior Developer Review section exists",
            "no ready-for-dev or in-progress story found",
            "finalizing",
            "not finalizing",
            "reader_type is invalid",
            "a > b > c",
            "",
            "…",
        ],
    );
}

#[test]
fn prose_in_any_language_is_judged() {
    all_are(
        Decider::Judged,
        &[
            "usuario elige OTRA",
            "el usuario no está de acuerdo",
            "대기열이 비어 있음 (모든 하위 작업 완료)",
            "사용자가 계속하기를 선택함",
            "用户选择继续",
            "所有测试都通过了",
            "l'utilisateur préfère une autre option",
            "le fichier n'existe pas encore",
            "os testes não passaram",
            "все проверки пройдены",
            "المستخدم يوافق",
        ],
    );
}

#[test]
fn braces_and_quotes_are_free() {
    for left in ["x_y", "{x_y}", "{{x_y}}", "{{ x_y }}"] {
        for (right, value) in [
            ("done", word("done")),
            ("'done'", text("done")),
            ("\"done\"", text("done")),
        ] {
            assert_eq!(
                test(&format!("{left} == {right}")),
                compare("x_y", Operator::Equal, value)
            );
        }
    }
}

#[test]
fn every_operator_has_its_symbol_and_its_word() {
    let operators = [
        (Operator::Equal, ["==", "=", "eq"]),
        (Operator::NotEqual, ["!=", "ne", "<>"]),
        (Operator::Greater, [">", "gt", "gt"]),
        (Operator::GreaterOrEqual, [">=", "ge", "≥"]),
        (Operator::Less, ["<", "lt", "lt"]),
        (Operator::LessOrEqual, ["<=", "le", "≤"]),
    ];
    for (operator, spellings) in operators {
        for spelling in spellings {
            let expected = compare("count", operator, Operand::Number(3.0));
            assert_eq!(test(&format!("count {spelling} 3")), expected, "{spelling}");
        }
    }
}

#[test]
fn numbers_and_truths_are_typed() {
    assert_eq!(test("x == -0.5"), compare("x", Operator::Equal, Operand::Number(-0.5)));
    assert_eq!(test("x == TRUE"), compare("x", Operator::Equal, Operand::Truth(true)));
    assert_eq!(test("x == 'true'"), compare("x", Operator::Equal, text("true")));
}

#[test]
fn is_compares_only_with_something_that_must_be_a_value() {
    assert_eq!(test("{x} is true"), compare("x", Operator::Equal, Operand::Truth(true)));
    assert_eq!(
        test("mode is not 'fast'"),
        compare("mode", Operator::NotEqual, text("fast"))
    );
    assert_eq!(test("mode is Batch"), compare("mode", Operator::Equal, word("Batch")));
    assert_eq!(
        test("track is Quick Flow"),
        compare("track", Operator::Equal, word("Quick Flow"))
    );
    all_are(
        Decider::Judged,
        &["epic is complete", "the trigger is unclear", "mode is not clear"],
    );
}

#[test]
fn a_value_may_be_one_of_a_list() {
    let member = |negated| Test::Member {
        name: Operand::Variable("track".into()),
        values: vec!["a".into(), "b-c".into()],
        negated,
    };
    assert_eq!(test("track in [a, 'b-c']"), member(false));
    assert_eq!(test("{track} not in [a, b-c]"), member(true));
    assert_eq!(test("{track} is one of: a, b-c"), member(false));
    assert_eq!(test("{{track}} is neither a nor b-c"), member(true));
    assert_eq!(test("track == 'a' or 'b-c'"), member(false));
}

#[test]
fn names_in_a_list_stand_for_their_values() {
    let equal = |right| Test::Compare {
        left: Operand::Variable("env".into()),
        operator: Operator::Equal,
        right,
    };
    let any = || {
        Test::Any(vec![
            equal(Operand::Variable("protected".into())),
            equal(text("staging")),
        ])
    };
    assert_eq!(test("{env} in [{protected}, staging]"), any());
    assert_eq!(test("{env} in [{protected}, 'staging',]"), any());
    assert_eq!(test("{env} not in [{protected}, staging]"), Test::Not(Box::new(any())));
    assert_eq!(test("{env} is one of: {protected} or staging"), any());
    assert_eq!(
        test("{env} is neither {protected} nor staging"),
        Test::Not(Box::new(any()))
    );
}

#[test]
fn a_list_may_be_held_by_a_variable() {
    let expected = Test::Compare {
        left: text("backlog"),
        operator: Operator::In,
        right: Operand::Variable("targets".into()),
    };
    assert_eq!(test("'backlog' in {{targets}}"), expected);
}

#[test]
fn a_name_that_can_be_nothing_else_is_a_flag() {
    assert_eq!(test("ux_spec_found"), Test::Flag("ux_spec_found".into()));
    assert_eq!(test("{{ready}}"), Test::Flag("ready".into()));
    assert_eq!(test("hasFrontend"), Test::Flag("hasFrontend".into()));
    assert_eq!(test("!ready"), Test::Not(Box::new(Test::Flag("ready".into()))));
    all_are(
        Decider::Judged,
        &["brownfield", "template-workflow", "Ready", "missing"],
    );
}

#[test]
fn answers_are_keys_and_labels_in_lower_case() {
    assert_eq!(test("choice == A (Not Sure)"), chosen(&["a", "not sure"]));
    assert_eq!(test("choice in [b (Completed), c]"), chosen(&["b", "completed", "c"]));
    assert_eq!(
        test("user selects finalize (option 4 or 5)"),
        chosen(&["finalize", "4", "5"])
    );
    assert_eq!(test("user asks for more (options 2-4)"), chosen(&["2", "3", "4"]));
    assert_eq!(test("[C] Continue"), chosen(&["c", "continue"]));
    assert_eq!(test("no or revise"), chosen(&["no", "revise"]));
    assert_eq!(test("user selects 1 OR user presses enter"), chosen(&["1", "enter"]));
}

#[test]
fn words_for_the_answer_mean_the_last_answer() {
    for name in [
        "choice",
        "response",
        "{{answer}}",
        "user_choice",
        "selection",
        "user choice",
        "reply",
    ] {
        assert_eq!(test(&format!("{name} == 2")), chosen(&["2"]), "{name}");
    }
    assert_eq!(test("choice != 2"), Test::Not(Box::new(chosen(&["2"]))));
    assert_eq!(test("selection is 2 or 3"), chosen(&["2", "3"]));
}

#[test]
fn a_key_after_a_comparison_is_not_an_answer() {
    all_are(
        Decider::Judged,
        &[
            "kind == 2 or prompt",
            "kind == a or b",
            "user_choice == 'screens' or similar",
        ],
    );
}

#[test]
fn a_verb_of_choice_takes_a_word_and_a_verb_of_saying_does_not() {
    assert_eq!(test("user chooses replace"), chosen(&["replace"]));
    assert_eq!(test("the user says 'maybe'"), chosen(&["maybe"]));
    assert_eq!(test("user says yes"), chosen(&["yes"]));
    all_are(
        Decider::Judged,
        &[
            "user enters epic_id",
            "user says something",
            "user says goodbye",
            "user selects a different story",
            "user confirms",
        ],
    );
}

#[test]
fn an_existence_says_what_and_whether() {
    assert_eq!(test("{x} exists"), exists("x", Existing::Variable, true));
    assert_eq!(test("{x} is missing"), exists("x", Existing::Variable, false));
    assert_eq!(test("{x} is provided"), exists("x", Existing::Named, true));
    assert_eq!(test("{{x}} still not determined"), exists("x", Existing::Named, false));
    assert_eq!(test("{x} file does NOT exist"), exists("{x}", Existing::File, false));
    assert_eq!(
        test("file {out}/index.md exists"),
        exists("{out}/index.md", Existing::File, true)
    );
    assert_eq!(test("no `plan.yaml` found"), exists("plan.yaml", Existing::File, false));
    assert_eq!(
        test("story_path isn't set"),
        exists("story_path", Existing::Named, false)
    );
    assert_eq!(test("{x} is not empty"), exists("x", Existing::Named, true));
    assert_eq!(
        test("dev_status missing or empty"),
        exists("dev_status", Existing::Named, false)
    );
}

#[test]
fn an_existence_with_more_to_say_is_judged() {
    all_are(
        Decider::Judged,
        &[
            "{{epic}} NOT found in sprint-status",
            "workflow.yaml contains a web section",
            "CONTRIBUTING.md or similar found",
            "Node.js is available",
            "{user_name} confirms",
            "file exists",
        ],
    );
}
