//! Text in, the paths it names out, each with how it is written and what the sentence does with it.
//!
//! A mention is what a person would take for a path of this project; globs, placeholders, addresses and paths of the
//! machine are none. Nothing is looked up here.

mod context;
mod path;
mod token;
mod words;

pub(crate) use context::loads;
pub(crate) use path::is_packed;

#[cfg(test)]
mod tests;

use crate::source::{Source, Span};
use crate::syntax::Markdown;

/// A path that text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The path and nothing else.
    pub span: Span,
    /// The path as written.
    pub text: String,
    /// How it is written.
    pub style: MentionStyle,
    /// What the sentence does with it.
    pub role: MentionRole,
    /// Whether it stands in a code fence.
    pub fenced: bool,
    /// Whether it is only an example, or the sentence says not to.
    pub example: bool,
}

/// How a path is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MentionStyle {
    /// Between quotes.
    Quoted,
    /// In backticks.
    Backticked,
    /// The target of a link.
    Link,
    /// In plain text.
    Bare,
    /// One variable that holds a path: `{nextStepFile}`.
    Braced,
    /// `[[bmad-snapshot:f.md]]`.
    Snapshot,
}

/// What a sentence does with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MentionRole {
    /// Reads, follows, executes or invokes it.
    Load,
    /// Saves, writes, creates or appends to it.
    Write,
    /// Anything else.
    Other,
}

/// Finds the paths named under `span`, in order.
pub(super) fn mentions(source: &Source, span: Span, markdown: Option<&Markdown>) -> Vec<Mention> {
    let text = source.slice(span);
    token::tokens(text)
        .into_iter()
        .filter_map(|token| {
            let path = text.get(token.start..token.end)?;
            let needs_verb = token.form == token::Form::Variable && !token::holds_path(path);
            if needs_verb && !context::may_be_loaded(text, token.start) {
                return None;
            }
            let around = context::Around::new(text, token.start);
            if needs_verb && !around.is_loaded() {
                return None;
            }
            let place = span.inner(token.start, token.end);
            Some(Mention {
                span: place,
                text: path.to_owned(),
                style: style(text, &token, &around),
                role: around.role(),
                fenced: markdown.is_some_and(|markdown| markdown.is_fenced(place.start)),
                example: around.is_example() || path::is_sample(path),
            })
        })
        .collect()
}

fn style(text: &str, token: &token::Token, around: &context::Around<'_>) -> MentionStyle {
    let before = text.get(..token.start).unwrap_or("");
    match token.form {
        token::Form::Variable => MentionStyle::Braced,
        token::Form::Snapshot => MentionStyle::Snapshot,
        token::Form::File | token::Form::Folder => {
            if before.ends_with("](") || before.ends_with("](<") {
                MentionStyle::Link
            } else if before.ends_with(['"', '\'', '“', '‘']) {
                MentionStyle::Quoted
            } else if around.is_code() {
                MentionStyle::Backticked
            } else {
                MentionStyle::Bare
            }
        }
    }
}
