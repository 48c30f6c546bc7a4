//! The schema for editors.

use super::bmad;
use bmad::syntax::TAGS;
use quick_xml::events::Event;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Returns the `name` of every element of a kind.
fn names(schema: &str, element: &str) -> BTreeSet<String> {
    let mut reader = quick_xml::Reader::from_str(schema);
    let mut found = BTreeSet::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) if tag.name().into_inner() == element => {
                let name = tag.try_get_attribute("name").unwrap();
                found.extend(name.map(|name| name.value.to_string()));
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn every_tag_and_attribute_of_the_table_is_in_the_schema() {
    let schema = bmad(&["schema"]).output;
    let tags: BTreeSet<String> = TAGS.iter().map(|row| row.name.to_owned()).collect();
    assert_eq!(names(&schema, "element"), tags);
    let attributes = TAGS
        .iter()
        .flat_map(|row| row.attributes)
        .map(|attribute| attribute.name.to_owned());
    assert_eq!(names(&schema, "attribute"), attributes.collect());
}

#[test]
fn everything_the_schema_refers_to_is_defined() {
    let schema = bmad(&["schema"]).output;
    assert_eq!(names(&schema, "ref"), names(&schema, "define"));
}

/// Says what xmllint has to say about a file; none where there is no xmllint.
fn judged(schema: &Path, file: &Path) -> Option<(bool, String)> {
    let output = Command::new("xmllint")
        .arg("--noout")
        .arg("--relaxng")
        .arg(schema)
        .arg(file)
        .output()
        .ok()?;
    Some((
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
}

#[test]
fn the_files_of_this_repository_are_valid_and_a_misspelt_attribute_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("bmad.rng");
    std::fs::write(&schema, bmad(&["schema"]).output).unwrap();
    let wrong = folder.path().join("wrong.xml");
    std::fs::write(&wrong, "<workflow><step n=\"1\"><set nme=\"a\"/></step></workflow>").unwrap();
    let Some((valid, _)) = judged(&schema, &wrong) else {
        println!("skipped: there is no xmllint");
        return;
    };
    assert!(!valid, "a misspelt attribute is valid");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["stdlib", "workflows"]
        .map(|name| crate::corpus::files(&top.join(name)))
        .concat();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "xml"))
    {
        let (valid, errors) = judged(&schema, file).unwrap();
        assert!(valid, "{errors}");
    }
}
