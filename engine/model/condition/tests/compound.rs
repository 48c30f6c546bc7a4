//! Compounds, names, suggestions and damage.

use super::{chosen, compare, exists, parse, test, text, word};
use crate::model::condition::{Condition, Decider, Existing, Operator, Test};
use crate::source::{SourceId, Span};

#[test]
fn a_compound_may_mix_kinds() {
    let test = test("{s} file exists AND {{t}} != 'none' and choice == 2");
    let expected = Test::All(vec![
        exists("{s}", Existing::File, true),
        compare("t", Operator::NotEqual, text("none")),
        chosen(&["2"]),
    ]);
    assert_eq!(test, expected);
    assert_eq!(test.decider(), Decider::Expression);
}

#[test]
fn or_binds_looser_than_and() {
    let flag = |name: &str| Test::Flag(name.into());
    let expected = Test::Any(vec![flag("a_1"), Test::All(vec![flag("b_1"), flag("c_1")])]);
    assert_eq!(test("a_1 or b_1 and c_1"), expected);
    let grouped = Test::All(vec![Test::Any(vec![flag("a_1"), flag("b_1")]), flag("c_1")]);
    assert_eq!(test("(a_1 || b_1) && c_1"), grouped);
}

#[test]
fn prose_may_stand_beside_an_expression() {
    let expected = Test::All(vec![
        compare("mode", Operator::NotEqual, word("deep")),
        Test::Judged("project has many parts".into()),
    ]);
    assert_eq!(test("mode != deep and project has many parts"), expected);
    assert_eq!(expected.decider(), Decider::Judged);
}

#[test]
fn prose_that_only_continues_a_sentence_keeps_it_whole() {
    for text in [
        "kind == 6 or fuzzy match domain or industry",
        "ux_spec or similar document found",
        "{x} is provided by user or user gave a number such as 2-4 or 1.6",
    ] {
        assert_eq!(test(text), Test::Judged(text.into()));
    }
}

#[test]
fn else_is_what_is_left() {
    for text in ["else", "Otherwise", "otherwise:", "else (brief was loaded)"] {
        assert_eq!(test(text), Test::Otherwise);
    }
}

#[test]
fn the_variables_it_reads_are_known() {
    assert_eq!(parse("{a} == {{b}} AND c_d OR {a} exists").names(), ["a", "b", "c_d"]);
    assert_eq!(parse("{out}/{name}.md exists").names(), ["out", "name"]);
    assert_eq!(parse("the story in {{epic}} is {not a name}").names(), ["epic"]);
    assert!(parse("choice == 1").names().is_empty());
}

#[test]
fn a_judged_condition_may_have_a_plain_expression() {
    let suggestions = [
        ("current status == 'in-progress'", "{current_status} == 'in-progress'"),
        ("the epic status is in-progress", "{epic_status} == 'in-progress'"),
        ("epic status is not one of: a, b", "{epic_status} not in ['a', 'b']"),
        ("status file not found", "{status_file} does not exist"),
        (
            "current status == 'x' OR again == true",
            "{current_status} == 'x' OR {again} == true",
        ),
    ];
    for (text, expected) in suggestions {
        assert_eq!(parse(text).suggestion().as_deref(), Some(expected), "{text}");
        assert_ne!(parse(expected).decider(), Decider::Judged, "{expected}");
    }
}

#[test]
fn prose_has_no_expression() {
    for text in [
        "user asks for more",
        "tests fail",
        "framework version > 2 years old",
        "x == 1",
        "epic is complete",
    ] {
        assert_eq!(parse(text).suggestion(), None, "{text}");
    }
}

#[test]
fn a_test_is_written_as_it_is_read() {
    for text in [
        "{a} == 'b' AND ({c} > 3 OR {d} not in ['e', 'f'])",
        "!({a})",
        "choice in ['1', 'yes']",
        "{x} does not exist",
        "index.md exists",
        "{x} file exists",
        "{a} in {b}",
    ] {
        assert_eq!(test(text).to_string(), text);
        assert_eq!(test(&test(text).to_string()), test(text));
    }
}

#[test]
fn a_check_in_words_is_narrowed_to_its_condition() {
    let text = "  If user chooses 2: ";
    let condition = Condition::from_check_text(text, Span::new(SourceId(1), 100, 100 + text.len()));
    assert_eq!(condition.text, "user chooses 2");
    assert_eq!(condition.span, Span::new(SourceId(1), 105, 119));
    assert_eq!(condition.test, chosen(&["2"]));
}

#[test]
fn a_check_in_words_ends_at_its_arrow() {
    let check = |text: &str| Condition::from_check_text(text, Span::default()).test;
    assert_eq!(
        check("When index.md exists → read it"),
        exists("index.md", Existing::File, true)
    );
    assert_eq!(check("Else → stop here"), Test::Otherwise);
    assert_eq!(check("¿Seguimos? → sí"), Test::Judged("¿Seguimos?".into()));
}

#[test]
fn groups_nested_too_deep_are_judged() {
    let nested = |depth: usize| format!("{}a_b{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(parse(&nested(40)).decider(), Decider::Expression);
    assert_eq!(parse(&nested(200)).decider(), Decider::Judged);
    assert_eq!(parse(&"!".repeat(3000)).decider(), Decider::Judged);
}

#[test]
fn anything_at_all_can_be_a_condition() {
    for text in [
        "(", ")", "[", "{{", "}}", "'", "== ==", "a ==", "in", "not", "user", "option", "AND", "x in", "is", "or or",
        "\u{0}",
    ] {
        assert_eq!(parse(text).decider(), Decider::Judged, "{text}");
    }
    let long = "{".repeat(100_000);
    assert!(parse(&long).names().is_empty());
}
