//! Who may touch files, clocks, processes, the environment and the terminal.

use super::code::{Token, blank, paths, tokens, without_tests};
use super::{File, assert_none};

/// A path that only some rooms may name.
const PATHS: &[(&[&str], &[&str])] = &[
    (&["std", "fs"], &["os", "drivers"]),
    (&["std", "net"], &["os", "drivers"]),
    (&["std", "os"], &["os", "drivers"]),
    (&["std", "process"], &["os", "drivers", "main"]),
    (&["std", "process", "exit"], &[]),
    (&["process", "exit"], &[]),
    (&["std", "time", "Instant"], &["os", "drivers"]),
    (&["std", "time", "SystemTime"], &["os", "drivers"]),
    (&["std", "thread", "sleep"], &["os", "drivers"]),
    (&["std", "env"], &["cli", "main"]),
    (&["std", "io", "stdin"], &["main", "os"]),
    (&["std", "io", "stdout"], &["main", "os"]),
    (&["std", "io", "stderr"], &["main", "os"]),
];

/// A word that only some rooms may use.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("print", "!", &["main"]),
    ("println", "!", &["main"]),
    ("eprint", "!", &["main"]),
    ("eprintln", "!", &["main"]),
    ("async", "", &["runner", "drivers", "os"]),
    ("await", "", &["runner", "drivers", "os"]),
];

pub(super) fn check(files: &[File]) -> Vec<String> {
    let product = |file: &&File| !file.path.ends_with("/tests.rs");
    files.iter().filter(product).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let room = file.room();
    let code = without_tests(&blank(&file.text));
    let tokens = tokens(&code);
    let mut violations = Vec::new();
    for path in paths(&tokens) {
        let named = |wanted: &[&str]| {
            path.segments
                .iter()
                .map(String::as_str)
                .take(wanted.len())
                .eq(wanted.iter().copied())
        };
        let forbidden = |(wanted, rooms): &&(&[&str], &[&str])| named(wanted) && !rooms.contains(&room);
        if PATHS.iter().any(|row| forbidden(&row)) {
            let name = path.segments.join("::");
            violations.push(format!("{}:{}: `{room}` names `{name}`", file.path, path.line));
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        if forbidden_word(&tokens, at, room) {
            let word = token.text;
            violations.push(format!("{}:{}: `{room}` uses `{word}`", file.path, token.line));
        }
    }
    violations
}

fn forbidden_word(tokens: &[Token<'_>], at: usize, room: &str) -> bool {
    let next = tokens.get(at + 1).map_or("", |token| token.text);
    WORDS.iter().any(|(word, mark, rooms)| {
        tokens[at].text == *word && (mark.is_empty() || next == *mark) && !rooms.contains(&room)
    })
}

fn broken(path: &str, text: &str) -> Vec<String> {
    check(&[File::new(path, text)])
}

#[test]
fn a_pure_room_that_reads_a_file_is_found() {
    assert_eq!(
        broken("engine/lint.rs", "fn f() { std::fs::read(p); }"),
        ["engine/lint.rs:1: `lint` names `std::fs::read`"]
    );
    assert_eq!(broken("engine/project.rs", "use std::{fmt, fs};").len(), 1);
    assert_none(broken("engine/os/disk.rs", "use std::fs;"));
}

#[test]
fn clocks_processes_and_sockets_are_found() {
    for text in [
        "use std::time::{Duration, Instant};",
        "use std::process::Command;",
        "use std::net::TcpStream;",
        "fn f() { std::thread::sleep(d); }",
    ] {
        assert_eq!(broken("engine/graph.rs", text).len(), 1, "{text}");
    }
    assert_none(broken("engine/graph.rs", "use std::time::Duration;"));
}

#[test]
fn the_environment_the_terminal_and_the_exit_are_found() {
    assert_eq!(broken("engine/project.rs", "fn f() { std::env::var(a); }").len(), 1);
    assert_eq!(broken("engine/lint.rs", "fn f() { println!(\"a\"); }").len(), 1);
    assert_eq!(broken("engine/cli.rs", "fn f() { std::process::exit(1); }").len(), 1);
    assert_eq!(broken("engine/cli.rs", "use std::io::{self, stdout};").len(), 1);
    assert_none(broken("engine/cli.rs", "const V: &str = env!(\"CARGO_PKG_VERSION\");"));
}

#[test]
fn waiting_in_a_pure_room_is_found() {
    assert_eq!(broken("engine/machine.rs", "async fn f() { g().await }").len(), 2);
    assert_none(broken("engine/runner.rs", "async fn f() { g().await }"));
}

#[test]
fn tests_may_touch_the_world() {
    let text = "fn f() {}\n#[cfg(test)]\n#[expect(x, reason = \"y\")]\nmod tests { use std::fs; }";
    assert_none(broken("engine/lint.rs", text));
    let after = format!("{text}\nuse std::fs;");
    assert_eq!(broken("engine/lint.rs", &after).len(), 1);
}
