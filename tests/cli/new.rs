//! New workflows.

use super::{bmad_in, folder_with};

#[test]
fn every_style_checks_clean_and_draws() {
    for style in ["xml", "steps", "skill"] {
        let folder = folder_with(&[]);
        let made = bmad_in(folder.path(), &["new", "tea-time", "--style", style]);
        assert_eq!((made.code, made.errors.as_str()), (0, ""), "{style}");
        let linted = bmad_in(folder.path(), &["lint", "--level", "hint", "tea-time"]);
        assert_eq!((linted.code, linted.output.as_str()), (0, expected(style)), "{style}");
        let drawn = bmad_in(folder.path(), &["graph", "tea-time"]);
        assert_eq!((drawn.code, drawn.errors.as_str()), (0, ""), "{style}");
        let told = bmad_in(folder.path(), &["explain", "tea-time"]);
        assert!(
            told.output.starts_with("workflow `tea-time`, read as "),
            "{}",
            told.output
        );
    }
}

fn expected(style: &str) -> &'static str {
    match style {
        "steps" => "no findings in 3 files\n",
        _ => "no findings in 1 file\n",
    }
}

#[test]
fn what_was_made_is_said_with_the_next_command() {
    let folder = folder_with(&[]);
    insta::assert_snapshot!(bmad_in(folder.path(), &["new", "tea-time", "--style", "steps"]).output, @r"
    made tea-time
      tea-time/steps/step-01-topic.md
      tea-time/steps/step-02-draft.md
      tea-time/workflow.md
    next: bmad lint tea-time
    ");
}

#[test]
fn what_could_not_be_made_is_not_said_to_be() {
    // Nothing can be made in a folder that is gone and whose place is taken.
    let folder = folder_with(&[("file", "")]);
    let ended = bmad_in(&folder.path().join("file"), &["new", "tea-time"]);
    assert_eq!((ended.code, ended.output.as_str()), (1, ""));
    assert!(
        ended.errors.contains("`tea-time/workflow.xml` could not be written"),
        "{}",
        ended.errors
    );
}

#[test]
fn the_name_stands_everywhere_in_the_files() {
    let folder = folder_with(&[]);
    bmad_in(folder.path(), &["new", "tea-time"]);
    let text = std::fs::read_to_string(folder.path().join("tea-time/workflow.xml")).unwrap();
    assert!(text.contains("<workflow name=\"tea-time\">"), "{text}");
    assert!(!text.contains("{{"), "{text}");
}

#[test]
fn what_exists_is_never_overwritten() {
    let folder = folder_with(&[("tea/workflow.xml", "mine"), ("cup", "mine")]);
    for name in ["tea", "cup"] {
        let ended = bmad_in(folder.path(), &["new", name]);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{name}");
    }
    insta::assert_snapshot!(bmad_in(folder.path(), &["new", "tea"]).errors, @r"
    error: `tea` is already there
      hint: choose another name, or make the workflow in another folder
    ");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("tea/workflow.xml")).unwrap(),
        "mine"
    );
}

#[test]
fn a_name_is_small_letters_digits_and_hyphens() {
    for name in ["Tea", "tea time", "tea_time", "../tea", "a/b", "tea-", "тест", ""] {
        let folder = folder_with(&[]);
        let ended = bmad_in(folder.path(), &["new", name]);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{name}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn a_name_that_no_folder_can_have_makes_nothing() {
    let folder = folder_with(&[]);
    let ended = bmad_in(folder.path(), &["new", &"a".repeat(300)]);
    assert_eq!((ended.code, ended.output.as_str()), (2, ""));
    insta::assert_snapshot!(ended.errors, @r"
    error: the name has 300 characters, and 64 are the most
      hint: choose a shorter one, such as `release-notes`
    ");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
