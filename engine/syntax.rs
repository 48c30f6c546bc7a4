//! `Source` in, tree with places out. `parse` never fails and never panics; what it had to guess is a `Fault`.
//!
//! Everything here iterates: no input can make it recurse deeper than the caps.

mod breaks;
mod comment;
mod csv;
mod element;
mod fault;
mod frontmatter;
mod inline;
mod islands;
mod markdown;
#[cfg(test)]
mod outline;
mod phrases;
mod remark;
mod said;
mod scan;
mod schema;
mod tag;
mod text;
mod tidy;
mod toml;
mod tree;
mod value;
mod wordlist;
mod xml;
mod yaml;

pub use csv::{Cell, Row, rows};
pub use element::{Attribute, Child, Element, decode, trim, without_ends};
pub use fault::{Fault, FaultKind};
pub use frontmatter::Frontmatter;
pub use inline::inline_code;
pub use markdown::{Fence, Heading, Line, LineKind, Markdown};
pub use said::says;
pub use schema::schema;
pub use tag::{AttributeRow, Content, Stratum, TAGS, Tag, TagRow};
pub use text::{Hole, HoleKind, config_key, holes};
pub use tidy::tidy;
pub use value::{Node, Pair, Value};
pub use xml::is_well_formed;

pub(crate) use phrases::{Needles, Phrases, Pieces};
pub(crate) use text::{each_hole, is_name};
pub(crate) use wordlist::WordList;

use crate::source::{Source, Span};

/// The deepest nesting of tags or values that is kept.
pub const MAX_DEPTH: usize = 256;
/// The most attributes one tag may have.
pub const MAX_ATTRIBUTES: usize = 256;

/// How the text of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Tags, with text between them.
    Xml,
    /// Markdown, maybe with frontmatter and with tags in it.
    Markdown,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// Rows of comma-separated values.
    Csv,
}

impl Format {
    /// Tells the format from a file name; answers nothing for formats the engine does not read.
    pub fn of(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "xml" => Some(Format::Xml),
            "md" | "markdown" | "mdx" => Some(Format::Markdown),
            "yaml" | "yml" => Some(Format::Yaml),
            "toml" => Some(Format::Toml),
            "csv" => Some(Format::Csv),
            _ => None,
        }
    }
}

/// What was read from one file.
#[derive(Debug)]
pub struct Parsed {
    /// How it was read.
    pub format: Format,
    /// The frontmatter of a Markdown file.
    pub frontmatter: Option<Frontmatter>,
    /// Tags and the text between them, for XML and Markdown.
    pub tree: Vec<Child>,
    /// The lines of a Markdown file by kind; empty for others.
    pub markdown: Markdown,
    /// The value of a YAML or TOML file.
    pub data: Option<Node>,
    /// The rows of a CSV file.
    pub rows: Vec<Row>,
    /// The insides of `<!-- … -->`, and of `#` comments in YAML and TOML that start with `bmad:`.
    pub comments: Vec<Span>,
    /// What is wrong with the text.
    pub faults: Vec<Fault>,
}

/// Reads a file. Never fails: what could not be read is a fault, and the rest is there.
pub fn parse(source: &Source, format: Format) -> Parsed {
    parse_with(source, format, xml::read)
}

/// Reads a file like `parse`, but reads XML by the tolerant scanner only.
///
/// On well-formed XML both give the same tree; this door is there to show it.
pub fn parse_tolerant(source: &Source, format: Format) -> Parsed {
    parse_with(source, format, xml::read_tolerantly)
}

fn parse_with(source: &Source, format: Format, read_xml: fn(&Source, &mut Parsed)) -> Parsed {
    let mut parsed = Parsed {
        format,
        frontmatter: None,
        tree: Vec::new(),
        markdown: Markdown::default(),
        data: None,
        rows: Vec::new(),
        comments: Vec::new(),
        faults: Vec::new(),
    };
    if let Some(at) = memchr::memchr(0, source.text().as_bytes()) {
        parsed.faults.push(Fault {
            kind: FaultKind::NulByte,
            span: source.span(at, at + 1),
            detail: String::new(),
            related: None,
        });
        return parsed;
    }
    match format {
        Format::Xml => read_xml(source, &mut parsed),
        Format::Markdown => {
            frontmatter::read(source, &mut parsed);
            markdown::read(source, &mut parsed);
            islands::read(source, &mut parsed);
        }
        Format::Yaml => yaml::read(source, &mut parsed),
        Format::Toml => toml::read(source, &mut parsed),
        Format::Csv => csv::read(source, &mut parsed),
    }
    parsed
}
