//! Where a finding says it is: a file, a section, a quote.

use crate::builtins::Value;
use crate::builtins::given::{plain, words};

/// Returns a place without the line in words behind it: `docs/a.md line 3`, `docs/a.md, lines 3-5`, `docs/a.md (L3)`.
///
/// A line alone is no place that could be found again, so that what stands before it counts.
pub(crate) fn without_line(text: &str) -> &str {
    let text = text.trim();
    let open = text.strip_suffix(')').unwrap_or(text);
    let word = open.trim_end_matches(|mark: char| mark.is_ascii_digit() || matches!(mark, '-' | '–' | ' '));
    if word.len() == open.len() || !open.ends_with(|mark: char| mark.is_ascii_digit()) {
        return text;
    }
    let lower = word.to_ascii_lowercase();
    let Some(before) = ["lines", "line", "l"].iter().find_map(|name| lower.strip_suffix(name)) else {
        return text;
    };
    let place = word[..before.len()].trim_end_matches([' ', ',', '(', ':']);
    if place.is_empty() || place.len() == before.len() {
        return text;
    }
    place
}

/// Where a finding is, in the words of its reviewer.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The file; empty where there is only one.
    pub(crate) file: String,
    /// The heading it stands under.
    pub(crate) section: String,
    /// Words copied from it.
    pub(crate) quote: String,
}

impl Place {
    /// Reads the place of a report: a map, a path, or fields beside its claim.
    pub(crate) fn read(report: &Value) -> Self {
        let named = ["place", "location", "where"].iter().find_map(|name| report.get(name));
        let inner = match named {
            Some(place @ Value::Map(_)) => Self::fields(place),
            Some(place) => Self::written(&plain(place)),
            None => Self::default(),
        };
        let beside = Self::fields(report);
        let or = |own: String, other: String| if own.is_empty() { other } else { own };
        Self {
            file: or(inner.file, beside.file),
            section: or(inner.section, beside.section),
            quote: or(inner.quote, beside.quote),
        }
    }

    fn fields(map: &Value) -> Self {
        Self {
            file: words(map, &["file", "path"]),
            section: words(map, &["section", "heading"]),
            quote: words(map, &["quote", "snippet"]),
        }
    }

    /// Reads a place that is written as one text: `docs/prd.md#Goals`, `src/a.rs:12`, `src/a.rs line 12` or a heading.
    fn written(text: &str) -> Self {
        let is_path = |text: &str| !text.contains(' ') && text.contains(['/', '.']);
        // A heading may end like that.
        let text = Some(without_line(text)).filter(|bare| is_path(bare)).unwrap_or(text);
        let (file, section) = match text.split_once('#') {
            Some((file, section)) if file.is_empty() || is_path(file) => (file, section.trim_start_matches('#')),
            Some(_) | None if is_path(text) => (text, ""),
            Some(_) | None => ("", text),
        };
        Self {
            file: file.trim().to_owned(),
            section: section.trim().to_owned(),
            quote: String::new(),
        }
    }

    /// Says whether it names nothing: the finding is about the text as a whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.section.is_empty() && self.quote.is_empty()
    }

    /// Returns it as a map.
    pub(crate) fn value(&self) -> Value {
        Value::of([
            ("file", Value::Text(self.file.clone())),
            ("section", Value::Text(self.section.clone())),
            ("quote", Value::Text(self.quote.clone())),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::Place;
    use crate::builtins::Value;

    fn place(file: &str, section: &str, quote: &str) -> Place {
        Place {
            file: file.to_owned(),
            section: section.to_owned(),
            quote: quote.to_owned(),
        }
    }

    #[test]
    fn a_place_reads_back_as_itself() {
        let whole = place("docs/a.md", "Goals", "It is fast.");
        assert_eq!(Place::read(&Value::of([("place", whole.value())])), whole);
    }

    #[test]
    fn fields_beside_the_claim_are_a_place_too() {
        let report = Value::of([("file", Value::from("a.md")), ("quote", Value::from("x"))]);
        assert_eq!(Place::read(&report), place("a.md", "", "x"));
    }

    #[test]
    fn one_text_is_a_path_or_a_heading() {
        let read = |text: &str| Place::read(&Value::of([("location", Value::from(text))]));
        assert_eq!(read("docs/a.md#Goals"), place("docs/a.md", "Goals", ""));
        assert_eq!(read("src/a.rs:12"), place("src/a.rs:12", "", ""));
        assert_eq!(read("Open questions"), place("", "Open questions", ""));
        for line in [
            "docs/a.md line 3",
            "docs/a.md, lines 3-5",
            "docs/a.md (L3)",
            "docs/a.md:line 3",
        ] {
            assert_eq!(read(line), place("docs/a.md", "", ""), "{line}");
        }
        assert_eq!(read("Bus line 3"), place("", "Bus line 3", ""));
    }

    #[test]
    fn a_place_that_is_no_place_names_nothing() {
        assert!(Place::read(&Value::of([("place", Value::Nothing)])).is_whole());
        assert!(Place::read(&Value::from(3.0)).file.is_empty());
    }
}
