//! The tag table as a RELAX NG schema, for editors.

use super::tag::{Content, TAGS, TagRow};
use std::fmt::Write as _;

/// Writes the schema of engine-style XML: every tag of the table with its attributes.
pub fn schema() -> String {
    let mut text = String::from(HEAD);
    for row in TAGS {
        define(row, &mut text);
    }
    text.push_str("  <define name=\"any-tag\">\n    <choice>\n");
    for row in TAGS {
        writeln!(text, "      <ref name=\"{}\"/>", row.name).unwrap_or_default();
    }
    text.push_str("    </choice>\n  </define>\n</grammar>\n");
    text
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<grammar xmlns="http://relaxng.org/ns/structure/1.0"
         xmlns:a="http://relaxng.org/ns/compatibility/annotations/1.0">
  <start>
    <choice>
      <ref name="workflow"/>
      <ref name="task"/>
      <ref name="tool"/>
      <ref name="agent"/>
    </choice>
  </start>
"#;

fn define(row: &TagRow, text: &mut String) {
    let name = row.name;
    writeln!(text, "  <define name=\"{name}\">\n    <element name=\"{name}\">").unwrap_or_default();
    writeln!(text, "      <a:documentation>{}</a:documentation>", row.summary).unwrap_or_default();
    for attribute in row.attributes {
        let tag = format!("<attribute name=\"{}\"/>", attribute.name);
        if attribute.required {
            writeln!(text, "      {tag}").unwrap_or_default();
        } else {
            writeln!(text, "      <optional>{tag}</optional>").unwrap_or_default();
        }
    }
    if row.attributes.is_empty() && row.name == "for-each" {
        text.push_str("      <zeroOrMore><attribute><anyName/></attribute></zeroOrMore>\n");
    }
    match row.content {
        Content::Empty => text.push_str("      <empty/>\n"),
        Content::Block | Content::Prose => {
            text.push_str("      <mixed><zeroOrMore><ref name=\"any-tag\"/></zeroOrMore></mixed>\n");
        }
    }
    text.push_str("    </element>\n  </define>\n");
}
