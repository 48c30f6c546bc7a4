//! stub
use crate::source::{Source, Span};
use crate::syntax::Markdown;
/// s
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention { /// s
 pub span: Span, /// s
 pub text: String, /// s
 pub style: MentionStyle, /// s
 pub role: MentionRole, /// s
 pub fenced: bool, /// s
 pub example: bool }
/// s
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionStyle { /// s
 Quoted, /// s
 Backticked, /// s
 Link, /// s
 Bare, /// s
 Braced, /// s
 Snapshot }
/// s
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionRole { /// s
 Load, /// s
 Write, /// s
 Other }
/// s
pub fn mentions(_source: &Source, _span: Span, _markdown: Option<&Markdown>) -> Vec<Mention> { Vec::new() }
