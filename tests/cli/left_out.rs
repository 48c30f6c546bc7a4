//! What `bmad lint` is told to leave out, and what it cannot check.

use super::{bmad_in, folder_with};

/// A workflow with one mistake in it.
const ASTRAY: &str = "<workflow name=\"A\"><step n=\"1\" goal=\"g\"><goto step=\"9\"/></step></workflow>\n";

#[test]
fn a_pattern_that_leaves_nothing_out_is_told() {
    let folder = folder_with(&[("m/a.xml", ASTRAY), ("m/b/c.xml", ASTRAY)]);
    let lint = |pattern: &str, path: &str| bmad_in(folder.path(), &["lint", path, "--exclude", pattern]);
    let whole = folder.path().canonicalize().unwrap().join("m/b");
    for (pattern, path) in [("b", "."), ("m/b", "."), ("m/b", "m"), (whole.to_str().unwrap(), ".")] {
        let ended = lint(pattern, path);
        assert!(
            ended.output.contains("1 error in 1 file"),
            "{pattern}: {}",
            ended.output
        );
        assert_eq!(ended.errors, "", "{pattern}");
    }
    insta::assert_snapshot!(lint("[", ".").errors, @r"
    note: `--exclude [` matches no file; a pattern is a name or a path, with `*` in a name, `**` across folders and `?` for one letter
    ");
}

#[test]
fn only_files_that_were_asked_about_are_counted() {
    let names = ["a.xml", "b.xml", "c.xml", "d.xml", "e.xml", "f.xml"];
    let fine = "<workflow name=\"A\"><step n=\"1\" goal=\"g\"><output>Done.</output></step></workflow>\n";
    let folder = folder_with(&names.map(|name| (name, fine)));
    let ended = bmad_in(folder.path(), &["lint", "a.xml"]);
    assert_eq!(ended.output, "no findings in 1 file\n");
    let ended = bmad_in(folder.path(), &["lint", "a.xml", "b.xml"]);
    assert_eq!(ended.output, "no findings in 2 files\n");
    let ended = bmad_in(folder.path(), &["lint", "a.xml", "--format", "json"]);
    assert!(ended.output.contains("\"files\":1"), "{}", ended.output);
    assert_eq!(
        bmad_in(folder.path(), &["lint", "."]).output,
        "no findings in 6 files\n"
    );
}

#[test]
fn what_is_cut_off_is_counted_and_said() {
    let twice = ASTRAY.replace("<goto step=\"9\"/>", "<goto step=\"8\"/><goto step=\"9\"/>");
    let folder = folder_with(&[("a.xml", &twice)]);
    let ended = bmad_in(folder.path(), &["lint", "--max", "1", "a.xml"]);
    let summary = "2 errors in 1 file (1 of them not shown; a larger --max shows them)";
    assert!(ended.output.contains(summary), "{}", ended.output);
}

#[test]
fn an_empty_file_that_is_named_is_told() {
    let folder = folder_with(&[("empty.xml", ""), ("m/empty.xml", " \n")]);
    let ended = bmad_in(folder.path(), &["lint", "empty.xml"]);
    insta::assert_snapshot!(ended.errors, @"note: `empty.xml` is empty, so there was nothing in it to check");
    assert_eq!(bmad_in(folder.path(), &["lint", "m"]).errors, "");
    for command in ["graph", "plan", "explain"] {
        let ended = bmad_in(folder.path(), &[command, "m/empty.xml"]);
        assert_eq!((ended.code, ended.output.as_str()), (2, ""), "{command}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(ended.errors, @r"
            error: `m/empty.xml` is empty
              hint: write a workflow in it; `bmad new NAME` makes one to start from
            ");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_as_text_is_explained_by_nobody() {
    let folder = folder_with(&[]);
    std::fs::write(folder.path().join("old.xml"), b"caf\xe9").unwrap();
    std::fs::write(folder.path().join("picture.xml"), b"\x89PNG\0").unwrap();
    let large = std::fs::File::create(folder.path().join("large.xml")).unwrap();
    large.set_len(17 * 1024 * 1024).unwrap();
    for path in ["old.xml", "picture.xml", "large.xml"] {
        for command in ["graph", "plan", "explain"] {
            let ended = bmad_in(folder.path(), &[command, path]);
            assert_eq!(ended.code, 1, "{command}");
            assert!(ended.errors.contains("cannot be read as text"), "{}", ended.errors);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_and_not_waited_for() {
    let folder = folder_with(&[]);
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe.xml"))
        .status();
    assert!(made.unwrap().success());
    for command in ["lint", "graph", "explain", "fmt"] {
        let ended = bmad_in(folder.path(), &[command, "pipe.xml"]);
        assert_eq!(ended.code, 2, "{command}");
        assert!(
            ended.errors.contains("`pipe.xml` is no file and no folder"),
            "{}",
            ended.errors
        );
    }
}

#[test]
fn a_file_of_no_kind_that_is_read_is_nothing_to_check() {
    let folder = folder_with(&[("t.txt", ASTRAY), ("n.md", "# Notes\n")]);
    let ended = bmad_in(folder.path(), &["lint", "t.txt"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.errors.contains("there is nothing to check in `t.txt`"),
        "{}",
        ended.errors
    );
    let page = bmad_in(folder.path(), &["lint", "n.md"]);
    assert_eq!((page.code, page.errors.as_str()), (0, ""));
    insta::assert_snapshot!(page.output, @r"
    no findings in 1 file
    note: no workflow, agent, skill or module is among these files, as BMAD 6 has them; so little was checked
    ");
}
