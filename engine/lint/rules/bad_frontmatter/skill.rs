//! A skill in, what its frontmatter lacks out: agents list a skill by its name and its description.

use crate::diagnostic::{Edit, Fix, Severity};
use crate::lint::{FileUnit, Findings, nearest};
use crate::model::{Document, Role};
use crate::source::Span;
use crate::syntax::{Fault, FaultKind, Format, Node, Pair, Value};

/// The keys that every skill has.
const KEYS: &[&str] = &["name", "description"];

/// Why a skill needs them.
const WHY: &str = "agents list a skill by its `name` and its `description`";

/// Finds a skill without a name or a description. One whose block is broken has that finding.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    // What could not be read may say it.
    let of_tags = |fault: &Fault| {
        matches!(
            fault.kind,
            FaultKind::UnclosedTag
                | FaultKind::StrayClose
                | FaultKind::TooManyAttributes
                | FaultKind::EntityDefinition
                | FaultKind::DuplicateKey
        )
    };
    if document.role != Role::Skill || !document.parsed.faults.iter().all(of_tags) {
        return;
    }
    let Some(matter) = &document.parsed.frontmatter else {
        return absent(unit, findings);
    };
    let lacking = |key: &&&str| matter.data.as_ref().is_none_or(|data| !has(data, key));
    if KEYS.iter().all(|key| !lacking(&key)) || is_sample(document) {
        return;
    }
    let pairs = matter.data.as_ref().map_or(&[][..], Node::pairs);
    let fence = matter.span.inner(0, "---".len());
    for key in KEYS.iter().filter(lacking) {
        match pairs.iter().find(|pair| pair.key == **key) {
            Some(pair) => {
                let message = format!("`{key}` is empty, and {WHY}");
                findings.add_as(Severity::Warning, pair.key_span, message).help =
                    Some(format!("write what the {key} is"));
            }
            None => missing(key, pairs, fence, findings),
        }
    }
}

/// Says whether a key has a value. One that is neither text nor nothing is somebody's own.
fn has(data: &Node, key: &str) -> bool {
    data.get(key).is_some_and(|node| match &node.value {
        Value::Text(text) => !text.trim().is_empty(),
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => true,
    })
}

/// Reports a key that is not there, at the one that is nearly it.
fn missing(key: &str, pairs: &[Pair], fence: Span, findings: &mut Findings) {
    let others = pairs.iter().map(|pair| pair.key.as_str());
    let near = nearest(key, others.filter(|other| !KEYS.contains(other)));
    let place = near.and_then(|near| pairs.iter().find(|pair| pair.key == near));
    let span = place.map_or(fence, |pair| pair.key_span);
    let found = findings.add_as(Severity::Warning, span, format!("the skill has no `{key}`, and {WHY}"));
    found.help = Some(match place {
        Some(_) => format!("did you mean the key `{key}`?"),
        None => format!("write `{key}: …` between the two `---` lines"),
    });
    found.fix = place.map(|pair| Fix {
        title: format!("call the key `{key}`"),
        edits: vec![Edit {
            span: pair.key_span,
            text: key.to_owned(),
        }],
        safe: false,
    });
}

/// Reports a skill that begins without the block.
fn absent(unit: &FileUnit<'_>, findings: &mut Findings) {
    let source = &unit.document.source;
    // A skill without a text has that finding.
    if source.text().trim().is_empty() || is_sample(unit.document) || is_handed_over(unit) {
        return;
    }
    let message = format!("the skill has no frontmatter, and {WHY}");
    findings.add_as(Severity::Warning, source.span(0, 0), message).help =
        Some("begin the file with `---`, `name: …`, `description: …` and `---`, each on a line of its own".to_owned());
}

/// Says whether the file shows how a skill looks, or is filled in before it is one.
fn is_sample(document: &Document) -> bool {
    let mut folders = document.source.path().parts();
    folders.any(|part| {
        ["template", "templates", "example", "sample", "samples", "fixtures"].contains(&part)
            || part.ends_with("examples")
    })
}

/// Says whether a page beside a skill, which is none of its own, tells what is done with the file: there a person hands
/// it to an agent, which lists nothing.
fn is_handed_over(unit: &FileUnit<'_>) -> bool {
    let source = &unit.document.source;
    let beside = || unit.subject.library.files_in(source.path().folder_str());
    if beside().any(|file| matches!(file.role, Role::StepFile | Role::CustomizeToml)) {
        return false;
    }
    let is_own = |page: &Document| {
        let mut files = unit.workflows().flat_map(|workflow| &workflow.files);
        let mut mentions = unit.document.mentions().iter();
        files.any(|own| *own == page.source.id())
            || mentions.any(|mention| mention.text.ends_with(page.source.path().name()))
    };
    let name = source.path().name().as_bytes();
    beside().any(|page| {
        let is_page = page.parsed.format == Format::Markdown && page.source.path().stem() != "README";
        is_page && memchr::memmem::find(page.source.text().as_bytes(), name).is_some() && !is_own(page)
    })
}
