//! The tag table in, a RELAX NG schema for editors out.
//!
//! It knows every tag with its attributes, and lets any of them stand in any other: where a tag means something is the
//! linter's to say. Names that are not in the table are text to the engine; only its own tags do not hold them.

use super::tag::{Content, TAGS, Tag, TagRow};
use std::fmt::Write as _;

/// Writes the schema of engine-style XML, in the XML syntax of RELAX NG.
pub fn schema() -> String {
    let mut text = String::from(HEAD);
    text.push_str("  <start>\n    <choice>\n");
    for row in TAGS.iter().filter(|row| row.tag.is_root()) {
        writeln!(text, "      <ref name=\"{}\"/>", row.name).unwrap_or_default();
    }
    text.push_str("    </choice>\n  </start>\n");
    for row in TAGS {
        define(row, &mut text);
    }
    text.push_str("  <define name=\"any-tag\">\n    <choice>\n");
    for row in TAGS {
        writeln!(text, "      <ref name=\"{}\"/>", row.name).unwrap_or_default();
    }
    text.push_str("    </choice>\n  </define>\n");
    text.push_str("  <define name=\"other-tag\">\n    <element>\n      <anyName>\n        <except>\n");
    for row in TAGS {
        writeln!(text, "          <name>{}</name>", row.name).unwrap_or_default();
    }
    text.push_str(OTHER);
    text
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<grammar xmlns="http://relaxng.org/ns/structure/1.0"
         xmlns:a="http://relaxng.org/ns/compatibility/annotations/1.0">
"#;

const OTHER: &str = r#"        </except>
      </anyName>
      <zeroOrMore><attribute><anyName/></attribute></zeroOrMore>
      <ref name="text"/>
    </element>
  </define>
  <define name="tags">
    <mixed><zeroOrMore><ref name="any-tag"/></zeroOrMore></mixed>
  </define>
  <define name="text">
    <mixed><zeroOrMore><choice><ref name="any-tag"/><ref name="other-tag"/></choice></zeroOrMore></mixed>
  </define>
</grammar>
"#;

fn define(row: &TagRow, text: &mut String) {
    let name = row.name;
    writeln!(text, "  <define name=\"{name}\">\n    <element name=\"{name}\">").unwrap_or_default();
    writeln!(
        text,
        "      <a:documentation>{}</a:documentation>",
        escaped(row.summary)
    )
    .unwrap_or_default();
    for attribute in row.attributes {
        let tag = format!("<attribute name=\"{}\"/>", attribute.name);
        if attribute.required {
            writeln!(text, "      {tag}").unwrap_or_default();
        } else {
            writeln!(text, "      <optional>{tag}</optional>").unwrap_or_default();
        }
    }
    if row.tag == Tag::ForEach {
        // The name of its attribute is the name of the item.
        text.push_str("      <zeroOrMore><attribute><anyName/></attribute></zeroOrMore>\n");
    }
    if row.tag.is_root() {
        others(row, text);
    }
    text.push_str(match row.content {
        Content::Empty => "      <empty/>\n",
        Content::Block if is_strict(row.tag) => "      <ref name=\"tags\"/>\n",
        Content::Block | Content::Prose => "      <ref name=\"text\"/>\n",
    });
    text.push_str("    </element>\n  </define>\n");
}

/// Lets a root carry what other programs read from it.
fn others(row: &TagRow, text: &mut String) {
    text.push_str("      <zeroOrMore><attribute><anyName><except>\n");
    for attribute in row.attributes {
        writeln!(text, "        <name>{}</name>", attribute.name).unwrap_or_default();
    }
    text.push_str("      </except></anyName></attribute></zeroOrMore>\n");
}

/// Says whether a tag holds other tags and nothing that the engine does not know.
fn is_strict(tag: Tag) -> bool {
    tag.is_engine() || matches!(tag, Tag::Menu | Tag::Loop | Tag::Inputs | Tag::Protocols)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
