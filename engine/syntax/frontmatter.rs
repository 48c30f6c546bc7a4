//! The YAML block at the top of a Markdown file.

use super::Parsed;
use super::value::Node;
use crate::source::{Source, Span};

/// The block between the first two `---` lines.
#[derive(Debug)]
pub struct Frontmatter {
    /// The whole block with its fences.
    pub span: Span,
    /// The text between the fences.
    pub body: Span,
    /// Its value; absent when it is not YAML. An empty block is an empty map.
    pub data: Option<Node>,
}

pub(super) fn read(_source: &Source, _parsed: &mut Parsed) {}
