//! Links among the files of a project: what a person names is followed, and nothing is read twice.

use super::{bmad_in, folder_with};
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

const SKILL: &str = "---\nname: foo\ndescription: Does foo. Use it for foo.\n---\n\n# Foo\n\nRead `./nothere.md`.\n";
const ASTRAY: &str = "<workflow name=\"A\"><step n=\"1\" goal=\"g\"><goto step=\"9\"/></step></workflow>\n";

/// Makes a project in which a tool finds a skill through a link.
fn linked(more: &[(&str, &str)]) -> TempDir {
    let folder = folder_with(&[&[("skills/foo/SKILL.md", SKILL), (".claude/skills/keep", "")], more].concat());
    symlink("../../skills/foo", folder.path().join(".claude/skills/foo")).unwrap();
    folder
}

/// Returns how a check ended, and the last line of findings.
fn linted(folder: &Path, path: &str) -> (u8, String) {
    let ended = bmad_in(folder, &["lint", path]);
    let summary = ended.output.lines().find(|line| line.starts_with("1 error in "));
    (ended.code, summary.unwrap_or_default().to_owned())
}

#[test]
fn a_folder_that_is_named_is_followed_where_it_is_a_link() {
    let one = (1, "1 error in 1 file".to_owned());
    for more in [&[][..], &[(".git/HEAD", "ref: refs/heads/main\n")]] {
        let folder = linked(more);
        for path in [".claude/skills/foo", ".claude/skills/foo/", "skills/foo"] {
            assert_eq!(linted(folder.path(), path), one, "{path}");
        }
        assert_eq!(linted(&folder.path().join(".claude/skills"), "foo"), one);
        for command in ["graph", "plan", "explain"] {
            let ended = bmad_in(folder.path(), &[command, ".claude/skills/foo"]);
            assert_eq!(ended.code, 0, "{command}: {}", ended.errors);
        }
    }
}

#[test]
fn a_workflow_that_a_named_folder_links_to_is_looked_at_in_the_same_repository() {
    let folder = linked(&[(".git/HEAD", "ref: refs/heads/main\n")]);
    symlink("../../skills", folder.path().join(".claude/skills/all")).unwrap();
    let ended = bmad_in(folder.path(), &["lint", ".claude/skills"]);
    assert!(ended.output.contains("1 error in 1 file"), "{}", ended.output);
    assert!(ended.output.contains("skills/foo/SKILL.md:8"), "{}", ended.output);
    assert_eq!(bmad_in(folder.path(), &["graph", ".claude/skills"]).code, 0);
}

#[test]
fn a_link_that_leads_out_is_told_with_the_command_that_checks_it() {
    let outside = folder_with(&[("bar/SKILL.md", SKILL)]);
    let folder = linked(&[]);
    symlink(outside.path().join("bar"), folder.path().join("skills/bar")).unwrap();
    let ended = bmad_in(folder.path(), &["lint", "."]);
    assert!(ended.output.contains("1 error in 1 file"), "{}", ended.output);
    insta::assert_snapshot!(ended.errors, @"note: `skills/bar` is a link that leads out of what is checked and was not followed; `bmad lint skills/bar` checks it");
    let named = bmad_in(folder.path(), &["lint", "skills/bar"]);
    assert!(named.output.contains("1 error in 1 file"), "{}", named.output);
    assert_eq!(named.errors, "");
}

#[test]
fn a_file_is_read_once_however_many_links_lead_to_it() {
    let folder = folder_with(&[("wf/workflow.xml", ASTRAY)]);
    symlink("workflow.xml", folder.path().join("wf/again.xml")).unwrap();
    symlink("wf", folder.path().join("other")).unwrap();
    assert_eq!(linted(folder.path(), "."), (1, "1 error in 1 file".to_owned()));
    let formatted = bmad_in(folder.path(), &["fmt", "."]);
    assert!(
        formatted.output.starts_with("0 formatted, 1 as"),
        "{}",
        formatted.output
    );
}

#[test]
fn a_workflow_goes_on_in_a_step_that_is_a_link() {
    let folder = folder_with(&[
        (
            "skills/tea/workflow.md",
            "---\nname: tea\ndescription: Makes tea\n---\n\nRead fully and follow: `./steps/step-01-boil.md`\n",
        ),
        ("skills/shared/step-01-boil.md", "# Step 1: Boil\n\nBoil the water.\n"),
        ("skills/shared/SKILL.md", SKILL),
        ("skills/tea/steps/keep", ""),
        ("_bmad/core/config.yaml", "user_name: Bo\n"),
    ]);
    let steps = folder.path().join("skills/tea/steps");
    symlink("../../shared/step-01-boil.md", steps.join("step-01-boil.md")).unwrap();
    let drawn = bmad_in(folder.path(), &["graph", "skills/tea"]);
    assert!(drawn.output.contains("Boil"), "{}", drawn.output);
}
