//! Every workflow runs headless by the command of its README, and does what its trace says.

use super::stage::Stage;
use super::top;
use std::fmt::Write as _;

/// Returns the names of all workflows that come with the engine.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(top().join("workflows")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Returns the command that a README marks as the one whose trace is kept.
fn command(workflow: &str) -> Vec<String> {
    let path = top().join("workflows").join(workflow).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (_, after) = text.split_once("<!-- trace -->\n```sh\nbmad ").unwrap();
    let line = after.lines().next().unwrap();
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_workflow_does_what_its_trace_says() {
    let mut wrong = String::new();
    for workflow in names() {
        let stage = Stage::with(&workflow);
        let command = command(&workflow);
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let ended = stage.run_at(&args, "");
        let mut trace = stage.trace();
        if trace.is_empty() {
            trace = ended.errors;
        }
        writeln!(trace, "exit code {}", ended.code).unwrap();
        trace.push_str(&stage.made());
        let path = top().join("workflows").join(&workflow).join("trace.txt");
        if std::env::var_os("BMAD_BLESS").is_some() {
            std::fs::write(&path, &trace).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        if committed != trace {
            writeln!(wrong, "{}: the run was\n{trace}", path.display()).unwrap();
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}set BMAD_BLESS=1 to write the traces anew, then read the difference"
    );
}

#[test]
fn what_a_page_shows_of_a_run_is_what_it_prints() {
    let mut shown = 0;
    for workflow in names() {
        let page = std::fs::read_to_string(top().join("workflows").join(&workflow).join("README.md")).unwrap();
        let Some((_, after)) = page.split_once("```text\n") else {
            continue;
        };
        let stage = Stage::with(&workflow);
        let command = command(&workflow);
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let printed = stage.run_at(&args, "").output;
        for line in after
            .lines()
            .take_while(|line| *line != "```")
            .filter(|line| *line != "…")
        {
            assert!(printed.lines().any(|it| it == line), "{workflow}: {line}\n{printed}");
            shown += 1;
        }
    }
    assert!(shown > 0);
}

#[test]
fn every_workflow_has_a_page_and_answers() {
    for workflow in names() {
        let folder = top().join("workflows").join(&workflow);
        let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(page.starts_with("# "), "{workflow}");
        assert!(folder.join("answers.yaml").exists(), "{workflow}");
    }
}

#[test]
fn every_command_of_a_workflows_page_is_understood() {
    for workflow in names() {
        let page = std::fs::read_to_string(top().join("workflows").join(&workflow).join("README.md")).unwrap();
        let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("bmad ")).collect();
        assert!(!lines.is_empty(), "{workflow}");
        for line in lines {
            let outcome = bmad::cli::grammar().try_get_matches_from(line.split_whitespace());
            assert!(outcome.is_ok(), "{line}\n{}", outcome.unwrap_err());
        }
    }
}
