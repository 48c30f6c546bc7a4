//! Links that a project brings along lead none of the engine's own files out of it.

use super::place::Place;
use std::fs;
use std::os::unix::fs::symlink;

const FLOW: &str = "<workflow name=\"W\"><step n=\"1\" goal=\"a\"><ask response=\"x\">Who?</ask></step></workflow>";
const PRECIOUS: &str = "alias x=y\n\nexport A=1\n";

#[test]
fn a_list_of_runs_that_is_a_link_is_neither_read_nor_written() {
    let place = Place::with(&[("one.xml", FLOW), ("_bmad-output/keep", "")]);
    let precious = place.state.path().join("precious");
    fs::write(
        &precious,
        format!("{PRECIOUS}- {{run: 20200101-000000-0000, workflow: a}}\n"),
    )
    .unwrap();
    symlink(&precious, place.project.path().join("_bmad-output/.crash_flag")).unwrap();
    let ended = place.call(&["exec", "one.xml", "--non-interactive"]);
    assert_eq!(ended.code, 3, "{}", ended.errors);
    assert!(!ended.errors.contains("20200101"), "{}", ended.errors);
    assert!(fs::read_to_string(&precious).unwrap().starts_with(PRECIOUS));
}

#[test]
fn notes_about_a_run_go_nowhere_where_their_folder_is_a_link() {
    let place = Place::with(&[("one.xml", FLOW), ("_bmad-output/keep", "")]);
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), place.project.path().join("_bmad-output/awaiting-human")).unwrap();
    let ended = place.call(&["exec", "one.xml", "--non-interactive"]);
    assert_eq!(ended.code, 3, "{}", ended.errors);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn what_a_list_of_runs_names_is_told_only_where_it_is_the_name_of_a_run() {
    let list = "- {run: 20200101-000000-0000; touch x, workflow: a}\n- {run: 20200202-000000-0000, workflow: a}\n";
    let place = Place::with(&[("one.xml", FLOW), ("_bmad-output/.crash_flag", list)]);
    let told = place.call(&["exec", "one.xml", "--non-interactive"]).errors;
    assert!(!told.contains("touch x"), "{told}");
    assert!(
        told.contains("run 20200202-000000-0000 did not stop in order"),
        "{told}"
    );
}

#[test]
fn a_review_begins_in_no_state_file_that_is_a_link_out_of_the_project() {
    let place = Place::with(&[(".claude/keep", "")]);
    let precious = place.state.path().join("precious");
    fs::write(&precious, PRECIOUS).unwrap();
    symlink(&precious, place.project.path().join(".claude/review-loop-state.yaml")).unwrap();
    let mut run = super::Run::default();
    run.environment.folder = place.project.path().to_path_buf();
    let ended = run.call(&["hook", "start", "--tracker", "issues.md"]);
    assert_eq!(ended.code, 2, "{}", ended.errors);
    assert!(ended.errors.contains("leads out of the project"), "{}", ended.errors);
    assert_eq!(fs::read_to_string(&precious).unwrap(), PRECIOUS);
}
