//! One layout.

use super::{bmad_in, folder_with};
use crate::{corpus, packages};
use bmad::source::{ProjectPath, Source, SourceId};
use bmad::syntax::{Child, Format, is_well_formed, parse, tidy};

const LOOSE: &str = "<workflow name=\"a\">\n<step n=\"1\">\n   <output>\n# As it is\n</output>\n</step>\n</workflow>\n";
const TIDY: &str =
    "<workflow name=\"a\">\n  <step n=\"1\">\n    <output>\n# As it is\n    </output>\n  </step>\n</workflow>\n";

#[test]
fn files_are_formatted_and_named_and_the_others_are_counted() {
    let folder = folder_with(&[
        ("a.xml", LOOSE),
        ("b/b.xml", TIDY),
        ("notes.md", "# Notes\n"),
        ("page.xml", "<page>\n<p/>\n</page>\n"),
        ("broken.xml", "<workflow>\n<step n=\"1\">\n</workflow>\n"),
        ("two.xml", "<task/>\n   <task/>\n"),
    ]);
    insta::assert_snapshot!(bmad_in(folder.path(), &["fmt", "."]).output, @r"
    formatted a.xml
    left alone broken.xml: it is not well-formed XML; `bmad lint` says what it finds in it
    1 formatted, 1 as they should be, 4 left alone
    ");
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("a.xml"), TIDY);
    assert_eq!(text("broken.xml"), "<workflow>\n<step n=\"1\">\n</workflow>\n");
    insta::assert_snapshot!(bmad_in(folder.path(), &["fmt", "."]).output, @r"
    left alone broken.xml: it is not well-formed XML; `bmad lint` says what it finds in it
    0 formatted, 2 as they should be, 4 left alone
    ");
}

#[test]
fn a_file_that_is_named_and_cannot_be_formatted_fails_and_says_why() {
    let folder = folder_with(&[
        ("broken.xml", "<workflow>\n<step n=\"1\">\n</workflow>\n"),
        ("notes.md", "# Notes\n"),
        ("page.xml", "<page/>\n"),
    ]);
    std::fs::write(folder.path().join("old.xml"), b"<workflow name=\"caf\xe9\"/>\n").unwrap();
    for (name, why) in [
        ("broken.xml", "it is not well-formed XML"),
        ("notes.md", "only files whose name ends in `.xml`"),
        ("page.xml", "its root is not one `<workflow>`"),
        ("old.xml", "it is not UTF-8"),
    ] {
        let ended = bmad_in(folder.path(), &["fmt", "--check", name]);
        assert_eq!(ended.code, 1, "{name}");
        assert!(
            ended.output.starts_with(&format!("left alone {name}: {why}")),
            "{}",
            ended.output
        );
    }
    assert_eq!(bmad_in(folder.path(), &["fmt", "--check", "."]).code, 0);
}

#[test]
fn a_check_changes_nothing_and_fails_where_something_would_change() {
    let folder = folder_with(&[("a.xml", LOOSE)]);
    let ended = bmad_in(folder.path(), &["fmt", "--check", "a.xml"]);
    assert_eq!(ended.code, 1);
    insta::assert_snapshot!(ended.output, @r"
    would change a.xml
    1 would change, 0 as they should be, 0 left alone
    ");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.xml")).unwrap(), LOOSE);
    bmad_in(folder.path(), &["fmt", "a.xml"]);
    assert_eq!(bmad_in(folder.path(), &["fmt", "--check", "a.xml"]).code, 0);
}

#[test]
fn line_ends_and_the_byte_order_mark_survive() {
    let folder = folder_with(&[("a.xml", &format!("\u{feff}{}", LOOSE.replace('\n', "\r\n")))]);
    bmad_in(folder.path(), &["fmt", "a.xml"]);
    let text = std::fs::read_to_string(folder.path().join("a.xml")).unwrap();
    assert_eq!(text, format!("\u{feff}{}", TIDY.replace('\n', "\r\n")));
}

#[test]
fn a_path_that_is_not_there_is_a_usage_error() {
    let folder = folder_with(&[]);
    assert_eq!(bmad_in(folder.path(), &["fmt", "nope.xml"]).code, 2);
}

/// Returns the text without what a layout may change.
fn dense(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).collect()
}

/// Returns the tags of a text with their attributes, in order.
fn tags(source: &Source) -> Vec<String> {
    let parsed = parse(source, Format::Xml);
    let mut found = Vec::new();
    let mut waiting: Vec<&Child> = parsed.tree.iter().rev().collect();
    while let Some(child) = waiting.pop() {
        if let Child::Element(element) = child {
            let values = element
                .attributes
                .iter()
                .map(|attribute| (&attribute.name, &attribute.value));
            found.push(format!("{:?} {:?}", element.tag, values.collect::<Vec<_>>()));
            waiting.extend(element.children.iter().rev());
        }
    }
    found
}

#[test]
fn formatting_real_files_changes_white_space_only_and_only_once() {
    let Some(folder) = packages::fetched() else {
        return;
    };
    let mut seen = 0;
    for path in corpus::files(&folder) {
        if path.extension().is_none_or(|extension| extension != "xml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let source = |text: &str| Source::new(SourceId(0), ProjectPath::root(), text);
        if !is_well_formed(&source(&text)) {
            continue;
        }
        seen += 1;
        let once = tidy(&text);
        assert_eq!(tidy(&once), once, "{}", path.display());
        assert_eq!(dense(&once), dense(&text), "{}", path.display());
        let again = source(&once);
        assert!(is_well_formed(&again), "{}", path.display());
        assert_eq!(tags(&again), tags(&source(&text)), "{}", path.display());
    }
    assert!(seen > 50, "only {seen} files were well-formed");
}
