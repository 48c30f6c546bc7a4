//! Parts of a workflow in, what a drawing calls them out: one short line each.

use crate::model::{Library, Menu, Produce, Repeat, RepeatKind, Step};
use crate::source::Span;
use crate::syntax::{Format, decode};

/// The most characters of a line.
const LENGTH: usize = 48;

/// Shortens text to one line that fits a drawing.
pub(super) fn short(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(2 * LENGTH));
    let (mut length, mut gap) = (0, false);
    for letter in text.chars() {
        if letter.is_whitespace() {
            gap = !line.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            length += 1;
        }
        line.push(letter);
        length += 1;
        if length > LENGTH {
            let cut = line.char_indices().nth(LENGTH - 1).map_or(line.len(), |(at, _)| at);
            line.truncate(cut);
            line.push('…');
            break;
        }
    }
    line
}

/// Returns the text at a span in one line, as a reader of the file means it.
pub(super) fn words(library: &Library, span: Span) -> String {
    let text = library.slice(span);
    match library.document(span.source).parsed.format {
        Format::Xml => short(&decode(text)),
        Format::Markdown | Format::Yaml | Format::Toml | Format::Csv => short(text),
    }
}

/// Names a step: its label and its goal, the label once.
pub(super) fn step(step: &Step) -> String {
    match step.title() {
        "" => step.label.clone(),
        goal => short(&format!("{}: {goal}", step.label)),
    }
}

/// Names a menu by its options.
pub(super) fn menu(menu: &Menu) -> String {
    let options = menu.branches.iter().filter_map(|branch| branch.option.as_ref());
    let names: Vec<String> = options
        .map(|option| match option.label.as_str() {
            "" => option.key.clone(),
            label if label == option.key => label.to_owned(),
            label => format!("[{}] {label}", option.key),
        })
        .collect();
    short(&names.join(" "))
}

/// Names what is saved by its sections; answers nothing where only prose says.
pub(super) fn produce(produce: &Produce) -> String {
    let names: Vec<&str> = produce.names.iter().map(|name| name.text.as_str()).collect();
    short(&names.join(", "))
}

/// Says how something repeats.
pub(super) fn repeat(repeat: &Repeat) -> String {
    let text = match &repeat.kind {
        RepeatKind::Times(times) => format!("{times} times"),
        RepeatKind::Each { item, list } if item == list => format!("each {item}"),
        RepeatKind::Each { item, list } => format!("each {item} in {list}"),
        RepeatKind::While(condition) => format!("while {}", condition.text),
        RepeatKind::Until(condition) => format!("until {}", condition.text),
        RepeatKind::Bounded => String::new(),
    };
    match (&repeat.bound, text.as_str()) {
        (Some(bound), "") => short(&format!("at most {bound}")),
        (_, text) => short(text),
    }
}
