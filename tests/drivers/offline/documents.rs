//! Which documents the agent without a model looks at: every one, whatever its name is.

use super::super::Yard;
use super::{reply, review};
use bmad::builtins::Value;
use bmad::machine::{Envelope, FailureKind, Task};

/// Names that words cannot carry; each is the name of one file.
const NAMES: &[&str] = &[
    "my plan.md",
    "a(1).md",
    "it's.md",
    "a, b.md",
    "NOTES",
    "{x}.md",
    "#1.md",
];

fn handed(names: &[&str]) -> (String, Value) {
    let paths = names.iter().map(|name| Value::from(*name));
    ("documents".to_owned(), Value::List(paths.collect()))
}

/// Returns the file of every finding.
fn files(envelope: &Envelope) -> Vec<String> {
    let file = |finding: &Value| finding.get("file").unwrap().to_string();
    envelope.findings.iter().map(file).collect()
}

#[test]
fn every_document_of_a_review_is_read_whatever_its_name_is() {
    let mut there: Vec<(&str, &str)> = NAMES.iter().map(|name| (*name, "# A\n\nto the the team\n")).collect();
    // What the words of the names would lead to.
    there.extend([("plan.md", "# A\n"), ("b.md", "# A\n")]);
    let yard = Yard::new(&there);
    let task = Task {
        params: vec![handed(NAMES)],
        ..review(
            Some("adversarial-reviewer"),
            "Review the documents my plan.md and a, b.md. Answer with findings.",
        )
    };
    let envelope = reply(&yard, task);
    assert_eq!(files(&envelope), NAMES);
    assert_eq!(envelope.text.lines().count(), NAMES.len());
}

#[cfg(unix)]
#[test]
fn a_quote_in_the_name_of_a_document_is_part_of_it() {
    let yard = Yard::new(&[("a\"b`c.md", "# A\n")]);
    let task = Task {
        params: vec![handed(&["a\"b`c.md"])],
        ..review(Some("adversarial-reviewer"), "Review it.")
    };
    assert_eq!(files(&reply(&yard, task)), ["a\"b`c.md"]);
}

#[test]
fn a_review_of_a_document_that_is_not_there_certifies_nothing() {
    let yard = Yard::new(&[("a.md", "# A\n\nx\n")]);
    let task = Task {
        params: vec![handed(&["a.md", "gone.md"])],
        ..review(Some("adversarial-reviewer"), "Review a.md.")
    };
    let failure = yard.take("offline", task).unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Files, "there is no file `gone.md`")
    );
}

#[test]
fn all_documents_that_the_words_name_are_read_where_none_is_handed_over() {
    let yard = Yard::new(&[("a.md", "# A\n"), ("b.md", "# B\n")]);
    let said = review(
        Some("adversarial-reviewer"),
        "Review a.md, b.md and gone.md, and a.md again.",
    );
    assert_eq!(files(&reply(&yard, said)), ["a.md", "b.md"]);
    let known = Task {
        variables: vec![("content_path".to_owned(), "b.md\na.md".to_owned())],
        ..review(Some("reviewer"), "Do your work.")
    };
    assert_eq!(files(&reply(&yard, known)), ["b.md", "a.md"]);
}

#[test]
fn lenses_say_in_how_many_documents_a_check_was_made() {
    let yard = Yard::new(&[("a.md", "# A\n\nto the the team\n"), ("b.rs", "// to the the team\n")]);
    let task = Task {
        params: vec![handed(&["a.md", "b.rs"])],
        ..review(Some("adversarial-reviewer"), "Review them.")
    };
    let envelope = reply(&yard, task);
    let (_, lenses) = envelope.fields.iter().find(|(name, _)| name == "lenses").unwrap();
    let result = |name: &str| {
        let Value::List(all) = lenses else { panic!("{lenses}") };
        let lens = all
            .iter()
            .find(|lens| lens.get("name") == Some(&Value::from(name)))
            .unwrap();
        lens.get("result").unwrap().to_string()
    };
    assert_eq!(result("doubled-word"), "1 found in 1 of 2 documents");
    assert_eq!(result("open-mark"), "nothing found");
}

#[test]
fn statements_and_findings_of_every_document_are_judged_and_put_right() {
    let text = "# A\n\nto the the team\n";
    let yard = Yard::new(&[("a.md", "# A\n\nx\n"), ("b c.md", text), ("d.md", text)]);
    let entry = |id: &str, file: &str| {
        let place = Value::Map(vec![
            ("file".to_owned(), Value::from(file)),
            ("section".to_owned(), Value::from("A")),
        ]);
        let claim = "the word \"the\" stands twice in a row in \"to the the team\"";
        Value::Map(vec![
            ("id".to_owned(), Value::from(id)),
            ("claim".to_owned(), Value::from(claim)),
            ("place".to_owned(), place),
        ])
    };
    let entries = Value::List(vec![entry("F-1", "a.md"), entry("F-2", "b c.md"), entry("F-3", "d.md")]);
    let task = |agent: &str, name: &str| Task {
        params: vec![handed(&["a.md", "b c.md", "d.md"]), (name.to_owned(), entries.clone())],
        ..review(Some(agent), "Do your work.")
    };
    let parts = |envelope: &Envelope, field: &str, name: &str| -> Vec<String> {
        let (_, value) = envelope.fields.iter().find(|(given, _)| given == field).unwrap();
        let Value::List(items) = value else { panic!("{value}") };
        items.iter().map(|item| item.get(name).unwrap().to_string()).collect()
    };
    let judged = reply(&yard, task("adversarial-reviewer", "statements"));
    assert_eq!(parts(&judged, "verdicts", "holds"), ["false", "true", "true"]);
    let fixed = reply(&yard, task("issue-fixer", "findings"));
    assert_eq!(parts(&fixed, "fixes", "status"), ["BLOCKED", "FIXED", "FIXED"]);
    assert_eq!(parts(&fixed, "edits", "file"), ["b c.md", "d.md"]);
}
