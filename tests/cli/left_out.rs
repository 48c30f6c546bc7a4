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
