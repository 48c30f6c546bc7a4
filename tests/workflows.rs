//! What comes with the engine: the standard library and the examples lint clean, are laid out, draw and run.

mod golden;
mod people;
pub(crate) mod stage;
mod validation;

use crate::cli::{bmad_in, folder_with};
use crate::corpus;
use bmad::project::STDLIB;
use std::path::Path;

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_standard_library_and_the_workflows_have_no_errors_and_no_warnings() {
    for folder in ["stdlib", "workflows"] {
        let ended = bmad_in(top(), &["lint", folder]);
        assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{}", ended.output);
    }
}

#[test]
fn the_standard_library_and_the_workflows_are_formatted() {
    let ended = bmad_in(top(), &["fmt", "--check", "stdlib", "workflows"]);
    assert_eq!(ended.code, 0, "{}", ended.output);
}

#[test]
fn every_task_and_every_workflow_draws_and_is_explained() {
    let tasks = corpus::files(&top().join("stdlib/tasks"));
    let workflows = std::fs::read_dir(top().join("workflows"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let tasks = tasks
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"));
    for path in tasks.chain(workflows) {
        let path = path.to_str().unwrap();
        for args in [
            &["graph", path][..],
            &["graph", path, "--format", "svg"],
            &["explain", path],
        ] {
            let ended = bmad_in(top(), args);
            assert_eq!((ended.code, ended.errors.as_str()), (0, ""), "{args:?}");
        }
    }
}

#[test]
fn every_file_of_the_standard_library_is_embedded() {
    let folder = top().join("stdlib");
    let mut there: Vec<String> = corpus::files(&folder)
        .iter()
        .map(|path| path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    there.sort();
    let embedded: Vec<&str> = STDLIB.iter().map(|file| file.path).collect();
    assert_eq!(embedded, there);
}

#[test]
fn a_project_without_a_core_module_can_count_on_the_standard_library() {
    let text = r#"<workflow name="Review">
  <step n="1" goal="Ask around">
    <dispatch agent="adversarial-reviewer">Look at it.</dispatch>
    <dispatch agent="core:issue-fixer">Mend it.</dispatch>
    <call path="{project-root}/_bmad/core/tasks/party-mode.xml"/>
  </step>
</workflow>
"#;
    let folder = folder_with(&[("workflow.xml", text)]);
    let ended = bmad_in(folder.path(), &["lint"]);
    assert_eq!((ended.code, ended.output.as_str()), (0, "no findings in 1 file\n"));
    let own = folder_with(&[("workflow.xml", text), ("core/module.yaml", "code: core\n")]);
    let ended = bmad_in(own.path(), &["lint", "--format", "github"]);
    let found: Vec<&str> = ended
        .output
        .lines()
        .filter(|line| line.contains("unknown-agent"))
        .collect();
    assert_eq!(found.len(), 2, "{}", ended.output);
}

#[test]
fn an_agent_of_the_standard_library_is_suggested() {
    let text = "<workflow><step n=\"1\"><dispatch agent=\"adversarial-reviewr\">Look.</dispatch></step></workflow>";
    let folder = folder_with(&[("workflow.xml", text)]);
    let ended = bmad_in(folder.path(), &["lint"]);
    assert!(
        ended.output.contains("did you mean `adversarial-reviewer`?"),
        "{}",
        ended.output
    );
}
