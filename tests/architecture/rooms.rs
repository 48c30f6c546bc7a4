//! Import direction.

use super::code::{blank, paths, tokens, without_tests};
use super::{File, assert_none};

/// Rooms in flow order: a room imports itself and rooms before it.
const ROOMS: &[&str] = &[
    "source",
    "diagnostic",
    "syntax",
    "model",
    "graph",
    "builtins",
    "machine",
    "lint",
    "policy",
    "host",
    "project",
    "runner",
    "drivers",
    "os",
    "cli",
];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut violations = Vec::new();
    for file in files {
        let room = file.room();
        if matches!(room, "lib" | "main") {
            continue;
        }
        let Some(place) = ROOMS.iter().position(|known| *known == room) else {
            violations.push(format!("{}: `{room}` is no room of the list", file.path));
            continue;
        };
        let code = blank(&file.text);
        for path in paths(&tokens(&code)) {
            let [first, target, ..] = path.segments.as_slice() else {
                continue;
            };
            let there = ROOMS.iter().position(|known| known == target);
            if first == "crate" && there.is_some_and(|there| there > place) {
                let line = path.line;
                violations.push(format!("{}:{line}: `{room}` imports `{target}`", file.path));
            }
        }
        violations.extend(escapes(file, &code));
    }
    violations
}

/// Finds chains of `super` that are long enough to leave the room.
fn escapes(file: &File, code: &str) -> Vec<String> {
    let depth = file.path.split('/').count() - 1;
    let code = without_tests(code);
    let leaves = |segments: &[String]| segments.iter().take_while(|it| *it == "super").count() >= depth;
    let paths = paths(&tokens(&code)).into_iter();
    paths
        .filter(|path| leaves(&path.segments))
        .map(|path| format!("{}:{}: `super` leaves the room", file.path, path.line))
        .collect()
}

fn broken(path: &str, text: &str) -> Vec<String> {
    check(&[File::new(path, text)])
}

#[test]
fn an_import_to_the_right_is_found() {
    assert_eq!(
        broken("engine/syntax/xml.rs", "use crate::lint::Rule;"),
        ["engine/syntax/xml.rs:1: `syntax` imports `lint`"]
    );
}

#[test]
fn an_import_to_the_right_is_found_in_a_group_and_in_code() {
    let text = "use crate::{source::Span, cli::{self, report::Look}};\nfn f() { crate::os::columns(); }";
    assert_eq!(
        broken("engine/graph.rs", text),
        [
            "engine/graph.rs:1: `graph` imports `cli`",
            "engine/graph.rs:1: `graph` imports `cli`",
            "engine/graph.rs:2: `graph` imports `os`",
        ]
    );
}

#[test]
fn an_unknown_room_is_found() {
    assert_eq!(broken("engine/plumbing.rs", "").len(), 1);
}

#[test]
fn a_super_that_leaves_the_room_is_found() {
    assert_eq!(broken("engine/lint.rs", "use super::cli::run;").len(), 1);
    assert_eq!(broken("engine/lint/rule.rs", "use super::super::cli;").len(), 1);
    assert_none(broken("engine/lint/rule.rs", "use super::Rule;"));
}

#[test]
fn comments_and_text_are_no_imports() {
    let text = "// crate::cli::run\nconst A: &str = \"crate::cli::run\"; use crate::source::Span;";
    assert_none(broken("engine/syntax.rs", text));
}
