//! A text and edits in, the edited text out.
//!
//! Every edit is found in the text as it was given, so that one edit never moves, hides or makes the place of another.

mod edit;

use super::document::{Document, Documents};
use super::given::{items, plain};
use super::{Arguments, Builtin, BuiltinError, Value, required};
use edit::Edit;
use std::ops::Range;

pub(super) const APPLY_EDITS: Builtin = Builtin {
    name: "apply-edits",
    parameters: &[
        required("text", "the text, or several as a list of `path` and `text`"),
        required("edits", "a list of edits"),
    ],
    returns: "a map: `text`, `files`, `applied`, `rejected`",
    summary: "applies edits to a text",
    page: include_str!("../../spec/builtins/apply-edits.md"),
    body: Some(apply),
};

/// An edit that found its place.
#[derive(Debug, PartialEq)]
struct Placed {
    file: usize,
    range: Range<usize>,
    /// The lines that it changes.
    lines: Range<usize>,
    new: String,
}

fn apply(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let documents = Documents::read(arguments.get("text"));
    let mut placed: Vec<Placed> = Vec::new();
    let mut applied = Vec::new();
    let mut rejected = Vec::new();
    for item in items(arguments.get("edits")) {
        let found = Edit::read(&item)
            .map_err(Rejected::from)
            .and_then(|edit| place(&edit, &documents, &placed));
        match found {
            Ok(edit) => {
                placed.push(edit);
                applied.push(item);
            }
            Err(Rejected { why, is_repeated }) => rejected.push(with_why(item, why, is_repeated)),
        }
    }
    placed.sort_by_key(|edit| (edit.file, edit.range.start));
    let mut texts: Vec<String> = documents.files.iter().map(|file| file.text.clone()).collect();
    for edit in placed.iter().rev() {
        if let Some(text) = texts.get_mut(edit.file) {
            text.replace_range(edit.range.clone(), &edit.new);
        }
    }
    let text = if documents.is_one {
        texts.concat()
    } else {
        String::new()
    };
    let changed = documents
        .files
        .iter()
        .zip(&texts)
        .filter(|(file, text)| !documents.is_one && file.text != **text);
    let files = changed.map(|(file, text)| {
        Value::of([
            ("path", Value::Text(file.path.clone())),
            ("text", Value::Text(text.clone())),
        ])
    });
    Ok(Value::of([
        ("text", Value::Text(text)),
        ("files", Value::List(files.collect())),
        ("applied", Value::List(applied)),
        ("rejected", Value::List(rejected)),
    ]))
}

/// Why an edit is not applied.
struct Rejected {
    why: String,
    /// Whether the very same edit is applied already.
    is_repeated: bool,
}

impl From<String> for Rejected {
    fn from(why: String) -> Self {
        Self {
            why,
            is_repeated: false,
        }
    }
}

/// Finds the place of an edit and refuses one that another edit was faster with.
fn place(edit: &Edit, documents: &Documents, placed: &[Placed]) -> Result<Placed, Rejected> {
    let file = edit.file(documents)?;
    let Some(document) = documents.files.get(file) else {
        return Err("there is no text to change".to_owned().into());
    };
    let (range, new) = edit.find(document)?;
    let edit = Placed {
        file,
        lines: lines(document, &range),
        range,
        new,
    };
    if placed.contains(&edit) {
        return Err(Rejected {
            why: "the same edit was already made".to_owned(),
            is_repeated: true,
        });
    }
    let meets = |other: &Placed| other.lines.start < edit.lines.end && edit.lines.start < other.lines.end;
    if placed.iter().any(|other| other.file == file && meets(other)) {
        return Err("another edit already changed the same lines".to_owned().into());
    }
    Ok(edit)
}

/// Returns the bytes of the lines that a range touches.
fn lines(document: &Document, range: &Range<usize>) -> Range<usize> {
    let text = document.text.as_bytes();
    let start = memchr::memrchr(b'\n', &text[..range.start]).map_or(0, |at| at + 1);
    // A range that ends with its line does not touch the next one.
    let last = range.end.max(range.start + 1) - 1;
    let end = memchr::memchr(b'\n', text.get(last..).unwrap_or_default()).map_or(text.len(), |at| last + at + 1);
    start..end
}

/// Adds the reason to an edit that was not applied.
fn with_why(item: Value, why: String, is_repeated: bool) -> Value {
    let mut entries = match item {
        Value::Map(entries) => entries,
        other => vec![("old".to_owned(), Value::Text(plain(&other)))],
    };
    entries.retain(|(name, _)| !matches!(name.as_str(), "why" | "repeated"));
    entries.push(("why".to_owned(), Value::Text(why)));
    entries.push(("repeated".to_owned(), Value::Bool(is_repeated)));
    Value::Map(entries)
}

#[cfg(test)]
mod tests;
