//! Parts of a workflow in, what a drawing calls them out: one short line each.

use crate::model::{Branch, Dispatch, Library, Menu, Produce, Repeat, RepeatKind, Step};
use crate::source::Span;
use crate::syntax::{Format, decode, without_ends};

/// The most characters of a line.
const LENGTH: usize = 48;

/// Shortens text to one line that fits a drawing.
pub(super) fn short(text: &str) -> String {
    if let Some(start) = plain_start(text) {
        return [start, "…"].concat();
    }
    let room = text.len().min(2 * LENGTH);
    if text.is_ascii() {
        line(ascii_words(text), room)
    } else {
        line(text.split_whitespace(), room)
    }
}

/// Returns what is kept of a long text that begins with plain words, one space apart, as most do: they need no joining.
fn plain_start(text: &str) -> Option<&str> {
    let head = text.as_bytes().get(..=LENGTH)?;
    let single = |pair: &[u8]| pair.iter().any(u8::is_ascii_graphic);
    let plain = |byte: &u8| *byte == b' ' || byte.is_ascii_graphic();
    let ends = head.first()?.is_ascii_graphic() && head.last()?.is_ascii_graphic();
    if !ends || !head.iter().all(plain) || !head.windows(2).all(single) {
        return None;
    }
    text.get(..LENGTH - 1)
}

/// Joins words until the line is full; `room` bytes are enough for most.
fn line<'a>(words: impl Iterator<Item = &'a str>, room: usize) -> String {
    let mut line = String::with_capacity(room);
    let mut length = 0;
    for word in words {
        if !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += if word.is_ascii() {
            word.len()
        } else {
            word.chars().count()
        };
        if length > LENGTH {
            line.truncate(place(&line, LENGTH - 1));
            line.push('…');
            break;
        }
    }
    line
}

/// Returns where the letter after so many others begins, or the end of a line that has no more.
fn place(line: &str, letters: usize) -> usize {
    if line.is_ascii() {
        return letters.min(line.len());
    }
    line.char_indices().nth(letters).map_or(line.len(), |(at, _)| at)
}

/// Splits a text of nothing but ASCII at white space, byte by byte.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.bytes().position(|byte| !is_space(&byte))?;
        rest = &rest[start..];
        let end = rest.bytes().position(|byte| is_space(&byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// Returns the text at a span in one line, as a reader of the file means it.
pub(super) fn words(library: &Library, span: Span) -> String {
    let text = without_ends(library.slice(span));
    match library.document(span.source).parsed.format {
        Format::Xml => short(&decode(&text)),
        Format::Markdown | Format::Yaml | Format::Toml | Format::Csv => short(&text),
    }
}

/// Names a step: its label and its goal, the label once, and when it is done.
pub(super) fn step(step: &Step) -> String {
    let name = match step.title() {
        "" => step.label.clone(),
        goal => short(&format!("{}: {goal}", step.label)),
    };
    match &step.condition {
        Some(condition) => format!("{name} (if {})", short(&condition.text)),
        None => name,
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

/// Returns the key of each branch of a menu; one without an option is what else may be said.
pub(super) fn keys(menu: &Menu) -> Vec<String> {
    let key = |branch: &Branch| match &branch.option {
        Some(option) => short(&option.key),
        None => "other".to_owned(),
    };
    menu.branches.iter().map(key).collect()
}

/// Names what is saved by its sections; answers nothing where only prose says.
pub(super) fn produce(produce: &Produce) -> String {
    let names: Vec<&str> = produce.names.iter().map(|name| name.text.as_str()).collect();
    short(&names.join(", "))
}

/// Names a turn by its agents.
pub(super) fn dispatch(dispatch: &Dispatch) -> String {
    let names: Vec<&str> = dispatch.agents.iter().map(|agent| agent.text.as_str()).collect();
    short(&names.join(", "))
}

/// Says how something repeats.
pub(super) fn repeat(repeat: &Repeat) -> String {
    let said = |kind: &RepeatKind| match kind {
        RepeatKind::Times(times) => format!("{times} times"),
        RepeatKind::Each { item, list } if item == list => format!("each {item}"),
        RepeatKind::Each { item, list } => format!("each {item} in {list}"),
        RepeatKind::While(condition) => format!("while {}", condition.text),
        RepeatKind::Until(condition) => format!("until {}", condition.text),
        RepeatKind::Bounded => String::new(),
    };
    let text = repeat.kinds().map(said).collect::<Vec<_>>().join(", ");
    match (&repeat.bound, text.as_str()) {
        (Some(bound), "") => short(&format!("at most {bound}")),
        (_, text) => short(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{ascii_words, line, short};

    #[test]
    fn bytes_are_split_where_letters_are() {
        for text in ["", " ", "a", " a b\n\tc\r\n", "a\u{b}b\u{c}c", "a\u{1c}b", "one  two "] {
            let words: Vec<&str> = ascii_words(text).collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn a_plain_start_is_cut_where_joined_words_are() {
        let long = "one two three four five six seven eight nine ten eleven";
        for at in 0..long.len() {
            for other in [" ", "\n", "é", "x"] {
                let text = format!("{}{other}{}", &long[..at], &long[at..]);
                assert_eq!(short(&text), line(text.split_whitespace(), 0), "{text:?}");
                let cut = &text[..text.floor_char_boundary(at + 2)];
                assert_eq!(short(cut), line(cut.split_whitespace(), 0), "{cut:?}");
            }
        }
    }

    #[test]
    fn a_long_line_is_cut_by_letters_not_bytes() {
        let wide = "é".repeat(60);
        assert_eq!(short(&wide), format!("{}…", "é".repeat(47)));
        assert_eq!(short(&"ab ".repeat(30)), format!("{}ab…", "ab ".repeat(15)));
    }
}
