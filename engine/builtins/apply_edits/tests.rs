//! Edits that apply and edits that do not.

use crate::builtins::document::text_hash;
use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

const TEXT: &str = "# One\n\nSame words.\nFirst line.\n\n# Two\n\nSame words.\nLast line.\n";

fn apply(text: serde_json::Value, edits: serde_json::Value) -> Value {
    run("apply-edits", &[("text", json(text)), ("edits", json(edits))]).unwrap()
}

fn text(answer: &Value) -> String {
    answer.get("text").unwrap().to_string()
}

fn whys(answer: &Value) -> Vec<String> {
    let Some(Value::List(rejected)) = answer.get("rejected") else {
        panic!()
    };
    rejected
        .iter()
        .map(|edit| edit.get("why").unwrap().to_string())
        .collect()
}

fn applied(answer: &Value) -> usize {
    let Some(Value::List(applied)) = answer.get("applied") else {
        panic!()
    };
    applied.len()
}

#[test]
fn an_edit_changes_its_section_and_nothing_else() {
    let answer = apply(
        j!(TEXT),
        j!([{"file": "a.md", "section": "Two", "old": "Same words.", "new": "Other words."}]),
    );
    assert_eq!(text(&answer), TEXT.replacen("# Two\n\nSame", "# Two\n\nOther", 1));
    assert_eq!((applied(&answer), whys(&answer).len()), (1, 0));
}

#[test]
fn an_edit_whose_section_moved_is_found_in_the_whole_text() {
    let answer = apply(
        j!(TEXT),
        j!([{"section": "Gone", "old": "Last line.", "new": "The end."}]),
    );
    assert!(text(&answer).ends_with("The end.\n"));
    let wrong = apply(
        j!(TEXT),
        j!([{"section": "One", "old": "Last line.", "new": "The end."}]),
    );
    assert!(text(&wrong).ends_with("The end.\n"));
}

#[test]
fn the_anchor_finds_a_paragraph_that_moved() {
    let anchor = text_hash("Same words.\nLast line.");
    let answer = apply(
        j!(TEXT),
        j!([{"section": "Gone", "anchor": anchor, "old": "Same words.", "new": "Moved."}]),
    );
    assert_eq!(
        text(&answer),
        TEXT.replacen("# Two\n\nSame words.", "# Two\n\nMoved.", 1)
    );
    let stale = apply(
        j!(TEXT),
        j!([{"section": "Gone", "anchor": "0000", "old": "Same words.", "new": "Moved."}]),
    );
    assert_eq!(whys(&stale), ["its old text stands in 2 places"]);
}

#[test]
fn what_cannot_be_applied_is_rejected_with_the_reason_and_changes_nothing() {
    let edits = j!([
        {"old": "Same words.", "new": "x"},
        {"old": "Nowhere.", "new": "x"},
        {"old": "", "new": "x"},
        {"old": "  \n", "new": "x"},
        {"new": "x"},
        {"old": "Last line."},
        {"old": "Last line.", "new": "Last line."},
        {"file": "../a.md", "old": "Last line.", "new": "x"},
        {"file": "/etc/passwd", "old": "Last line.", "new": "x"},
        {"old": ["Last line."], "new": "x"},
        "Last line.", 7, null
    ]);
    let answer = apply(j!(TEXT), edits);
    assert_eq!(text(&answer), TEXT);
    insta::assert_debug_snapshot!(whys(&answer), @r#"
    [
        "its old text stands in 2 places",
        "its old text is not there",
        "it names no old text",
        "it names no old text",
        "it names no old text",
        "it names no new text; an empty one takes the old text away",
        "its new text is its old text",
        "the path `../a.md` leads out of the project",
        "the path `/etc/passwd` leads out of the project",
        "it names no old text",
        "an edit is a map with `old` and `new`",
        "an edit is a map with `old` and `new`",
        "an edit is a map with `old` and `new`",
    ]
    "#);
}

#[test]
fn of_two_edits_of_one_line_the_first_wins() {
    let edits = j!([
        {"old": "Last line.", "new": "By the first fixer."},
        {"old": "line.\n", "new": "by the second fixer.\n"},
        {"old": "First line.", "new": "Elsewhere."}
    ]);
    let edits = apply(j!(TEXT.replace("First line", "First row")), edits);
    assert!(text(&edits).ends_with("By the first fixer.\n"));
    let answer = apply(
        j!("one two\n"),
        j!([{"old": "one", "new": "1"}, {"old": "two", "new": "2"}, {"old": "one", "new": "1"}]),
    );
    assert_eq!(text(&answer), "1 two\n");
    assert_eq!(
        whys(&answer),
        [
            "another edit already changed the same lines",
            "the same edit was already made"
        ]
    );
}

#[test]
fn edits_of_neighbouring_lines_both_apply_wherever_they_stand_in_the_list() {
    let edits = [
        j!({"old": "b\n", "new": "B\nBB\n"}),
        j!({"old": "a", "new": "A"}),
        j!({"old": "c", "new": ""}),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let list: Vec<_> = order.iter().map(|at| edits[*at].clone()).collect();
        assert_eq!(text(&apply(j!("a\nb\nc\n"), j!(list))), "A\nB\nBB\n\n");
    }
}

#[test]
fn an_edit_never_finds_what_another_edit_wrote() {
    let answer = apply(j!("a\n"), j!([{"old": "a", "new": "b"}, {"old": "b", "new": "c"}]));
    assert_eq!(
        (text(&answer).as_str(), whys(&answer)),
        ("b\n", vec!["its old text is not there".to_owned()])
    );
}

#[test]
fn line_ends_are_those_of_the_text() {
    let answer = apply(j!("a\r\nb\r\nc\r\n"), j!([{"old": "a\nb", "new": "A\nB"}]));
    assert_eq!(text(&answer), "A\r\nB\r\nc\r\n");
}

#[test]
fn places_that_overlap_are_several() {
    assert_eq!(
        whys(&apply(j!("äää"), j!([{"old": "ää", "new": "x"}]))),
        ["its old text stands in 2 places"]
    );
}

#[test]
fn several_files_are_changed_each_in_its_own_place() {
    let files = j!([{"path": "a.md", "text": "same\n"}, {"path": "b.md", "text": "same\nmore\n"}, {"path": "c.md", "text": "c"}]);
    let edits = j!([
        {"file": "b.md", "old": "same", "new": "changed"},
        {"old": "same", "new": "which"},
        {"old": "more", "new": "less"},
        {"file": "d.md", "old": "same", "new": "x"}
    ]);
    let answer = apply(files, edits);
    let files = answer.get("files").unwrap();
    assert_eq!(
        serde_json::to_value(files).unwrap(),
        j!([{"path": "b.md", "text": "changed\nless\n"}])
    );
    assert_eq!(text(&answer), "");
    assert_eq!(
        whys(&answer),
        [
            "it names no file, and its old text is in several",
            "the file `d.md` is not under review"
        ]
    );
}

#[test]
fn no_edits_leave_the_text_alone_whatever_it_is() {
    for edits in [j!(null), j!(""), j!([]), j!({})] {
        assert_eq!(text(&apply(j!(TEXT), edits)), TEXT);
    }
    assert_eq!(text(&apply(j!(null), j!([{"old": "a", "new": "b"}]))), "");
    assert_eq!(text(&apply(j!(7), j!([{"old": "7", "new": "8"}]))), "8");
}
