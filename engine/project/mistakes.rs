//! The files that configure an installation in, entries that set nothing out.

use super::agents::Mistake;
use super::hooks::SETTINGS;
use super::load::Loaded;
use crate::lint::{review_block, wrong_review};
use crate::model::{Document, Role};
use crate::source::{ProjectPath, Span};
use crate::syntax::{Node, Value};

/// Returns every entry of a block `review_loop` that sets nothing, and what keeps a file that has one from being read.
pub fn wrong_configuration(loaded: &Loaded) -> Vec<Mistake> {
    let documents = loaded.library.documents();
    let files = documents.filter(|document| matches!(document.role, Role::ConfigYaml | Role::ConfigToml));
    let own = ProjectPath::new(SETTINGS).and_then(|path| loaded.library.at(&path));
    files
        .flat_map(wrong)
        .chain(own.map(idle_in_settings).unwrap_or_default())
        .collect()
}

/// Returns the entries of `review_loop` in the settings of a project that set nothing although they are what is expected.
fn idle_in_settings(document: &Document) -> Vec<Mistake> {
    let block = document.parsed.data.as_ref().and_then(|data| data.get("review_loop"));
    block.map_or_else(Vec::new, |block| idle(document, block, "review_loop"))
}

/// The numbers of a block of which nothing is none.
const AT_LEAST_ONE: &[&[&str]] = &[
    &["subagents", "adversarial", "timeout"],
    &["subagents", "party", "timeout"],
    &["subagents", "elicitation", "timeout"],
    &["subagents", "fixer", "timeout"],
    &["subagents", "fixer", "max_issues_per_agent"],
    &["limits", "max_concurrent_fixers"],
    &["check_timeout"],
];

fn idle(document: &Document, block: &Node, name: &str) -> Vec<Mistake> {
    let is_zero = |node: &Node| matches!(&node.value, Value::Number(number) if number.parse() == Ok(0.0));
    let zeros = AT_LEAST_ONE.iter().filter_map(|way| {
        let node = way.iter().try_fold(block, |node, key| node.get(key))?;
        let message = format!("`{name}.{}` sets nothing: it is 0", way.join("."));
        is_zero(node).then(|| {
            mistake(
                document,
                node.span,
                message,
                "write 1 or more, or take it out".to_owned(),
            )
        })
    });
    let severities = block.get("material_severities");
    let empty = severities.filter(|node| matches!(&node.value, Value::List(items) if items.is_empty()));
    let empty = empty.map(|node| {
        let message = format!("`{name}.material_severities` sets nothing: it is empty");
        mistake(
            document,
            node.span,
            message,
            "name a severity, or take it out".to_owned(),
        )
    });
    zeros.chain(empty).collect()
}

fn wrong(document: &Document) -> Vec<Mistake> {
    if let Some((block, name)) = review_block(document) {
        let wrong = wrong_review(block, name).into_iter();
        return wrong
            .map(|wrong| mistake(document, wrong.span, wrong.message, wrong.help))
            .chain(idle(document, block, name))
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
