//! Every example of the page about checks: what it says is found is found, and nothing else.

use super::{findings, part};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../spec/18-checks.md");

/// An example: the check, whether it is found, the document.
fn examples() -> Vec<(String, bool, String)> {
    let mut read = Vec::new();
    let (mut check, mut kind) = (String::new(), None);
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("### ") {
            check = name.to_owned();
        }
        match line {
            "Found:" => kind = Some(true),
            "Left alone:" => kind = Some(false),
            "````text" => {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "````").collect();
                read.push((check.clone(), kind.take().unwrap(), body.join("\n") + "\n"));
            }
            _ => {}
        }
    }
    read
}

#[test]
fn every_example_of_the_page_is_found_or_left_alone_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (check, is_found, text) in examples() {
        std::fs::write(folder.path().join("a.md"), &text).unwrap();
        let found = findings(folder.path(), "a.md");
        let names: BTreeSet<String> = found.iter().map(|finding| part(finding, "check")).collect();
        let expected: BTreeSet<String> = is_found.then(|| check.clone()).into_iter().collect();
        if names != expected {
            wrong.push(format!("{check}: expected {expected:?}, found {found:#?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_check_has_an_example_of_both_kinds_and_its_severity() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "Text.\n").unwrap();
    let task = bmad::machine::Task {
        prompt: "Review a.md.".to_owned(),
        ..bmad::machine::Task::default()
    };
    let envelope = super::take(folder.path(), task);
    let (_, lenses) = envelope.fields.iter().find(|(name, _)| name == "lenses").unwrap();
    let bmad::builtins::Value::List(lenses) = lenses else {
        panic!("{lenses:?}")
    };
    let made: BTreeSet<String> = lenses.iter().map(|lens| part(lens, "name")).collect();
    for is_found in [true, false] {
        let shown = examples().into_iter().filter(|example| example.1 == is_found);
        let shown: BTreeSet<String> = shown.map(|(check, _, _)| check).collect();
        assert_eq!(shown, made);
    }
}
