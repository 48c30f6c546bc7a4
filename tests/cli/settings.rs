//! A `bmad.toml` that is wrong is told, whichever of the files around it is checked.

use super::{bmad_in, folder_with};

const FLOW: &str = "<workflow name=\"A\"><step n=\"1\" goal=\"g\"><goto step=\"9\"/></step></workflow>\n";

#[test]
fn wrong_settings_are_told_whatever_of_the_project_is_checked() {
    for (settings, rule) in [
        ("[lint]\ndead-gotoo = \"allow\"\n", "unknown-setting"),
        ("[lint\ndead-goto = \"allow\"\n", "bad-toml"),
    ] {
        let folder = folder_with(&[
            ("bmad.toml", settings),
            ("workflow.xml", FLOW),
            ("deep/er/workflow.xml", FLOW),
        ]);
        for path in [".", "workflow.xml", "deep/er", "deep/er/workflow.xml"] {
            let ended = bmad_in(folder.path(), &["lint", path]);
            assert_eq!(ended.code, 1, "{path}");
            let told = format!("  error {rule}");
            assert_eq!(ended.output.matches(&told).count(), 1, "{path}: {}", ended.output);
        }
    }
}

#[test]
fn settings_that_nobody_named_are_not_repaired() {
    let wrong = "[lint]\ndead-gotoo = \"allow\"\n";
    let folder = folder_with(&[
        ("bmad.toml", wrong),
        ("workflow.xml", FLOW),
        ("deep/workflow.xml", FLOW),
    ]);
    for path in ["workflow.xml", "deep"] {
        bmad_in(folder.path(), &["lint", "--fix", path]);
        assert_eq!(std::fs::read_to_string(folder.path().join("bmad.toml")).unwrap(), wrong);
    }
}

#[test]
fn settings_that_say_what_they_mean_are_no_file_that_was_checked() {
    let folder = folder_with(&[
        ("bmad.toml", "[lint]\ndead-goto = \"allow\"\n"),
        ("workflow.xml", FLOW),
        ("deep/er/workflow.xml", FLOW),
    ]);
    for path in ["workflow.xml", "deep/er/workflow.xml"] {
        let ended = bmad_in(folder.path(), &["lint", path]);
        assert_eq!(
            (ended.code, ended.output.as_str()),
            (0, "no findings in 1 file\n"),
            "{path}"
        );
    }
}
