//! Words that do not appear and names that say nothing.

use super::code::{blank, paths, tokens};
use super::{File, assert_none};

/// Written in halves so that this file does not break its own rule.
const BANNED: &[&str] = &[
    concat!("to", "do"),
    concat!("fix", "me"),
    concat!("xx", "x"),
    concat!("db", "g!"),
];
const MODULES: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "misc"];
const SUFFIXES: &[&str] = &["Manager", "Helper", "Handler", "Util", "Utils", "Data", "Info", "Impl"];
const PREFIXES: &[&str] = &["process_", "handle_", "do_"];

/// Finds banned words in anything people wrote.
pub(super) fn text(files: &[File]) -> Vec<String> {
    let mut violations = Vec::new();
    for file in files {
        for (at, line) in file.text.lines().enumerate() {
            let line = line.to_lowercase();
            let found = BANNED.iter().filter(|word| has_word(&line, word));
            violations.extend(found.map(|word| format!("{}:{}: `{word}`", file.path, at + 1)));
        }
    }
    violations
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |each: char| each.is_alphanumeric() || each == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Finds names and forms in Rust files that the style forbids.
pub(super) fn code(files: &[File]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let mut violations = Vec::new();
    let names = file.path.trim_end_matches(".rs").split('/');
    let empty = names.filter(|name| MODULES.contains(name));
    violations.extend(empty.map(|name| format!("{}: `{name}` says nothing", file.path)));
    let code = blank(&file.text);
    let tokens = tokens(&code);
    for path in paths(&tokens) {
        if path.segments.ends_with(&["super".to_owned(), "*".to_owned()]) {
            violations.push(format!("{}:{}: `use super::*`", file.path, path.line));
        }
    }
    for pair in tokens.windows(2) {
        let (word, name) = (pair[0].text, pair[1].text);
        let bad = match word {
            "struct" | "enum" | "trait" | "type" => SUFFIXES.iter().any(|it| name.ends_with(it)),
            "fn" => PREFIXES.iter().any(|it| name.starts_with(it)),
            "mod" => MODULES.contains(&name),
            "[" => name == "allow",
            _ => false,
        };
        if bad {
            violations.push(format!("{}:{}: `{word} {name}`", file.path, pair[0].line));
        }
    }
    violations
}

fn broken(text: &str) -> Vec<String> {
    code(&[File::new("engine/a.rs", text)])
}

#[test]
fn banned_words_are_found_as_whole_words() {
    for word in BANNED {
        let line = format!("// {}: later", word.to_uppercase());
        assert_eq!(text(&[File::new("spec/a.md", &line)]).len(), 1, "{line}");
    }
    let method = format!("mas{}n", concat!("to", "do"));
    assert_none(text(&[File::new("spec/a.md", &method)]));
}

#[test]
fn a_glob_of_the_parent_is_found() {
    assert_eq!(broken("mod tests { use super::*; }"), ["engine/a.rs:1: `use super::*`"]);
    assert_eq!(broken("use super::{b::*, *};").len(), 1);
    assert_none(broken("use super::Tag::*;"));
}

#[test]
fn names_that_say_nothing_are_found() {
    for text in [
        "struct RunManager;",
        "enum StepData {}",
        "fn handle_step() {}",
        "fn process_all() {}",
        "mod utils;",
    ] {
        assert_eq!(broken(text).len(), 1, "{text}");
    }
    assert_eq!(code(&[File::new("engine/lint/helpers.rs", "")]).len(), 1);
    assert_none(broken("struct Metadata; fn domain() {} enum Severity { Info }"));
}

#[test]
fn a_silenced_lint_is_found() {
    assert_eq!(broken("#[allow(dead_code)] fn f() {}"), ["engine/a.rs:1: `[ allow`"]);
    assert_eq!(broken("#![allow(missing_docs)]").len(), 1);
    assert_none(broken("#[expect(dead_code, reason = \"later\")] fn f() {}"));
}
