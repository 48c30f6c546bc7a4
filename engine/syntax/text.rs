//! Holes in text: `{x}`, `{{x}}`, handlebars blocks. Text is read once; a value never becomes syntax.

use crate::source::Span;

/// What kind of hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoleKind {
    /// `{x}`: a variable.
    Single,
    /// `{{x}}`: a variable if anything defines it, otherwise something the agent fills in.
    Double,
    /// `{{#if x}}`, `{{else}}`, `{{/if}}`, `{{@index}}`: a handlebars mark.
    Block,
    /// `{{.x}}`: replaced when a skill is rendered, before the engine sees it.
    Rendered,
}

/// A hole in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// What kind.
    pub kind: HoleKind,
    /// The name inside the braces, trimmed.
    pub name: String,
    /// The whole hole with its braces.
    pub span: Span,
}

/// Finds the holes of `text`, which stands at `span`.
pub fn holes(_text: &str, _span: Span) -> Vec<Hole> {
    Vec::new()
}
