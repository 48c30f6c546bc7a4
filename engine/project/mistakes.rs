//! The files that configure an installation in, entries that set nothing out.

use super::agents::Mistake;
use super::load::Loaded;
use crate::lint::{review_block, wrong_review};
use crate::model::{Document, Role};
use crate::source::Span;

/// Returns every entry of a block `review_loop` that sets nothing, and what keeps a file that has one from being read.
pub fn wrong_configuration(loaded: &Loaded) -> Vec<Mistake> {
    let documents = loaded.library.documents();
    let files = documents.filter(|document| matches!(document.role, Role::ConfigYaml | Role::ConfigToml));
    files.flat_map(wrong).collect()
}

fn wrong(document: &Document) -> Vec<Mistake> {
    if let Some((block, name)) = review_block(document) {
        let wrong = wrong_review(block, name).into_iter();
        return wrong
            .map(|wrong| mistake(document, wrong.span, wrong.message, wrong.help))
            .collect();
    }
    let faults = document.parsed.faults.iter();
    let faults = faults.filter(|_| document.source.text().contains("review_loop"));
    faults
        .map(|fault| {
            let message = format!("the file cannot be read: {}", fault.detail);
            mistake(document, fault.span, message, "repair it, or take it away".to_owned())
        })
        .collect()
}

fn mistake(document: &Document, span: Span, message: String, help: String) -> Mistake {
    let position = document.source.position(span.start);
    Mistake {
        place: format!("{}:{}:{}", document.source.path(), position.line, position.column),
        message,
        help,
    }
}
