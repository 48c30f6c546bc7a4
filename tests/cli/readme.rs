//! The README's commands are real.

use super::bmad_in;
use crate::corpus::files;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Returns the lines of the fenced blocks, without comments.
fn commands(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            let line = line.split(" # ").next().unwrap_or("").trim();
            let line = line.strip_prefix("- run: ").unwrap_or(line);
            lines.push(line.to_owned());
        }
    }
    lines
}

/// Parts a command into words, as a shell does with single quotes.
fn typed(args: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in args.split('\'').enumerate() {
        match at % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[test]
fn every_command_of_the_readme_is_understood() {
    let mut understood = 0;
    for line in commands(&readme()) {
        let Some((_, args)) = line
            .split_once("bmad ")
            .filter(|(before, _)| before.is_empty())
            .or_else(|| line.split_once("cargo run --release -- "))
        else {
            continue;
        };
        let args = args.split(" > ").next().unwrap_or("");
        let words = std::iter::once("bmad".to_owned()).chain(typed(args));
        let outcome = bmad::cli::grammar().try_get_matches_from(words);
        assert!(outcome.is_ok(), "{line}\n{}", outcome.unwrap_err());
        understood += 1;
    }
    assert!(understood >= 8, "{understood}");
}

#[test]
fn every_command_is_in_the_readme() {
    let lines = commands(&readme());
    for command in bmad::cli::grammar().get_subcommands() {
        let call = format!("bmad {}", command.get_name());
        assert!(lines.iter().any(|line| line.starts_with(&call)), "{call}");
    }
}

#[test]
fn the_first_command_of_the_readme_reviews_the_readme() {
    let text = readme();
    let (_, after) = text
        .split_once("<!-- main -->\n```sh\ncargo run --release -- ")
        .unwrap();
    let args: Vec<&str> = after.lines().next().unwrap().split_whitespace().collect();
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = tempfile::tempdir().unwrap();
    for path in [
        "README.md",
        "spec/15-running.md",
        "spec/19-review.md",
        "spec/20-stop-hook.md",
    ] {
        fs::create_dir_all(here.path().join(path).parent().unwrap()).unwrap();
        fs::copy(top.join(path), here.path().join(path)).unwrap();
    }
    for path in files(&top.join("workflows")) {
        let to = here.path().join(path.strip_prefix(top).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(path, to).unwrap();
    }
    let state = here.path().join("state");
    let rest = ["--non-interactive", "--state-dir", state.to_str().unwrap()];
    let ended = bmad_in(here.path(), &[&args[..], &rest].concat());
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(
        ended.output.lines().last(),
        Some("certificate: _bmad-output/reviews/readme-md-certificate.md"),
        "{}",
        ended.output
    );
}

#[cfg(unix)]
#[test]
fn the_test_command_of_the_readme_is_the_one_that_ci_runs() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ci = fs::read_to_string(top.join(".ci/run")).unwrap();
    let found = ci.lines().find(|line| line.starts_with("command="));
    let script = format!("{}; printf %s \"$command\"", found.unwrap());
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(top)
        .output()
        .unwrap();
    let runs = String::from_utf8(output.stdout).unwrap();
    assert!(commands(&readme()).contains(&runs), "{runs}");
    assert!(runs.starts_with("cargo test"), "{runs}");
}
