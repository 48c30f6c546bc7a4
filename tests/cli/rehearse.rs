//! Workflows that run many times on a copy.

use super::place::Place;
use super::{Ended, folder_with};
use std::fs;
use std::path::Path;

/// Returns every file below a folder with its text.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn rehearse(place: &Place, args: &[&str]) -> Ended {
    let scratch = tempfile::tempdir().unwrap();
    let run = place.program().with("TMPDIR", scratch.path().to_str().unwrap());
    let ended = run.call(&[&["rehearse"], args].concat());
    assert_eq!(files(scratch.path()), [], "the copy is gone");
    ended
}

#[test]
fn what_may_happen_is_told_and_nothing_is_touched() {
    let place = Place::with(&[("docs/page.md", "mine\n")]);
    let before = files(place.project.path());
    let ended = rehearse(&place, &["flow/workflow.yaml", "--seeds", "12"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    for part in [
        "12 rehearsals of flow/workflow.yaml on a copy of 5 files\n",
        "ends:\n",
        "What is your name?",
        "the engine never failed\n",
    ] {
        assert!(ended.output.contains(part), "{part}\n{}", ended.output);
    }
    assert_eq!(files(place.project.path()), before);
    assert_eq!(files(place.state.path()), []);
}

#[test]
fn the_same_seed_is_the_same_rehearsal() {
    let place = Place::with(&[]);
    let told = |seed: &str| rehearse(&place, &["flow/workflow.yaml", "--seed", seed, "--json"]).output;
    assert_eq!(told("3"), told("3"));
    let different: std::collections::BTreeSet<String> = ["1", "2", "3", "4"].map(told).into();
    assert!(different.len() > 1, "{different:?}");
}

#[test]
fn each_rehearsal_begins_with_the_files_of_the_project() {
    let flow = "<workflow name=\"Once\"><step n=\"1\">\
        <check if=\"file seen.md exists\"><halt>It was there.</halt></check>\
        <output file=\"{project-root}/seen.md\">Here</output></step></workflow>";
    let place = Place::with(&[("once.xml", flow)]);
    let ended = rehearse(&place, &["once.xml", "--seeds", "5"]);
    assert!(ended.output.contains("   5 × completed\n"), "{}", ended.output);
}

#[test]
fn steps_without_a_way_and_loops_without_an_end_are_told_with_their_place() {
    let flow = "<workflow name=\"Odd\">\n\
        <step n=\"1\"><loop max=\"3\" until=\"1 == 2\" on-max=\"halt\"><output>Again</output></loop></step>\n\
        <step n=\"2\"><goto step=\"4\"/></step>\n\
        <step n=\"3\" goal=\"Nobody comes here\"><output>Never</output></step>\n\
        <step n=\"4\"><goto step=\"2\"/></step>\n\
        </workflow>\n";
    let place = Place::with(&[("odd.xml", flow)]);
    let ended = rehearse(&place, &["odd.xml", "--seeds", "2"]);
    assert_eq!(ended.code, 0);
    insta::assert_snapshot!(ended.output, @r"
    2 rehearsals of odd.xml on a copy of 5 files
    ends:
         2 × limit
             2 × the workflow goes in a circle and nothing changes (odd.xml:5), seeds 0, 1
    steps never reached:
      Odd step 3  Nobody comes here  (odd.xml:4)
    stopped by a bound or by fuel:
      odd.xml:5  the workflow goes in a circle and nothing changes, seeds 0, 1
    the engine never failed
    ");
}

#[test]
fn an_input_that_is_needed_has_to_be_given() {
    let flow = "<workflow name=\"Needs\"><inputs><input name=\"file\" required=\"true\">A file</input></inputs>\
        <step n=\"1\"><output>{file}</output></step></workflow>";
    let place = Place::with(&[("needs.xml", flow)]);
    assert_eq!(rehearse(&place, &["needs.xml"]).code, 2);
    let given = rehearse(&place, &["needs.xml", "--input", "file=a.md", "--seeds", "1"]);
    assert_eq!(given.code, 0, "{}", given.errors);
}

#[test]
fn the_examples_of_the_engine_can_be_rehearsed() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows/hello/workflow.xml");
    let text = fs::read_to_string(top).unwrap();
    let place = Place {
        project: folder_with(&[("hello.xml", &text)]),
        state: tempfile::tempdir().unwrap(),
    };
    let ended = rehearse(&place, &["hello.xml"]);
    assert_eq!(ended.code, 0);
    assert!(ended.output.contains("20 rehearsals of hello.xml"), "{}", ended.output);
    assert!(!ended.output.contains("never reached"), "{}", ended.output);
}

#[test]
fn a_rehearsal_takes_words_as_a_run_does() {
    let flow = "<workflow name=\"Needs\"><inputs><input name=\"request\" required=\"true\"/></inputs>\
        <step n=\"1\"><output>{request}</output></step></workflow>";
    let place = Place::with(&[("needs.xml", flow)]);
    assert_eq!(rehearse(&place, &["needs.xml"]).code, 2);
    let given = rehearse(&place, &["needs.xml", "A sundial", "--seeds", "1"]);
    assert_eq!(given.code, 0, "{}", given.errors);
}
