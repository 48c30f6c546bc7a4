//! A source and some spans in, the few lines a person needs to see out, cut to width and safe to print.
//!
//! The cost depends on the lines shown, never on the size of the source.

use crate::source::printable;
use crate::source::{Source, Span};

/// How far the ends of a line are looked for; a longer line is cut there anyway.
const REACH: usize = 4096;
/// What stands for text that was cut off.
const CUT: &str = "...";

/// Lines of one source, joined; marks are offsets into `text`.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// The lines, each with its line feed.
    pub(super) text: String,
    /// Where each line is in `text`.
    pub(super) rows: Vec<Row>,
    /// Where each span is in `text`, in the order the spans were given.
    pub(super) marks: Vec<Mark>,
}

/// One line, or a part of a long one.
#[derive(Debug)]
pub(super) struct Row {
    /// Its number in the source, from one.
    pub(super) line: u32,
    /// Where it starts in the excerpt.
    pub(super) start: usize,
    /// Where it ends in the excerpt, after its line feed.
    pub(super) end: usize,
    /// Which bytes of the source it shows.
    shown: std::ops::Range<usize>,
    /// Where the first of them is in the excerpt.
    from: usize,
}

/// One span in an excerpt; a span over several lines is marked on its first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// The first byte.
    pub(super) start: usize,
    /// How many bytes are marked.
    pub(super) len: usize,
    /// The column in the source, from one.
    pub(super) column: u32,
}

impl Excerpt {
    /// Cuts out the lines that `spans` start on; `width` is in characters.
    pub(super) fn new(source: &Source, spans: &[Span], width: usize) -> Self {
        let mut excerpt = Self {
            text: String::new(),
            rows: Vec::new(),
            marks: vec![
                Mark {
                    start: 0,
                    len: 0,
                    column: 1
                };
                spans.len()
            ],
        };
        let mut order: Vec<(usize, Span)> = spans.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, span)| (span.start, span.end));
        for (at, span) in order {
            let mark = excerpt.mark(source, span, width);
            if let Some(slot) = excerpt.marks.get_mut(at) {
                *slot = mark;
            }
        }
        excerpt
    }

    fn mark(&mut self, source: &Source, span: Span, width: usize) -> Mark {
        let text = source.text();
        let first = text.floor_char_boundary(span.start as usize);
        let position = source.position(first as u32);
        let fits = |row: &Row| row.shown.contains(&first) || row.shown.end == first;
        if !self
            .rows
            .last()
            .is_some_and(|row| row.line == position.line && fits(row))
        {
            self.push(text, position.line, first, width);
        }
        let Some(row) = self.rows.last() else {
            return Mark {
                start: 0,
                len: 0,
                column: position.column,
            };
        };
        let last = text
            .floor_char_boundary(span.end as usize)
            .clamp(first, row.shown.end.max(first));
        let before = text.get(row.shown.start..first).unwrap_or("");
        let marked = text.get(first..last).unwrap_or("");
        Mark {
            start: row.from + printable_len(before),
            len: printable_len(marked),
            column: position.column,
        }
    }

    fn push(&mut self, text: &str, line: u32, at: usize, width: usize) {
        let whole = line_around(text, at);
        let before = text.get(whole.start..at).unwrap_or("");
        let lead = if before.chars().count() + width / 4 <= width {
            before.len()
        } else {
            last_chars(before, width / 3).len()
        };
        let shown_start = at - lead;
        let rest = text.get(shown_start..whole.end).unwrap_or("");
        let shown_end = shown_start + first_chars(rest, width).len();
        let start = self.text.len();
        if shown_start > 0 && !text.get(..shown_start).unwrap_or("").ends_with('\n') {
            self.text.push_str(CUT);
        }
        let from = self.text.len();
        let shown = text.get(shown_start..shown_end).unwrap_or("");
        if is_plain(shown) {
            self.text.push_str(shown);
        } else {
            self.text.extend(shown.chars().map(printable));
        }
        if !is_line_end(text.get(shown_end..).unwrap_or("")) {
            self.text.push_str(CUT);
        }
        self.text.push('\n');
        self.rows.push(Row {
            line,
            start,
            end: self.text.len(),
            shown: shown_start..shown_end,
            from,
        });
    }
}

/// Returns the line around a byte without its end, trimmed and cut where it is very long.
pub(super) fn line_at(source: &Source, offset: u32) -> &str {
    let text = source.text();
    let range = line_around(text, text.floor_char_boundary(offset as usize));
    text.get(range).unwrap_or("").trim()
}

fn printable_len(text: &str) -> usize {
    match is_plain(text) {
        true => text.len(),
        false => text.chars().map(|each| printable(each).len_utf8()).sum(),
    }
}

/// Says whether a text is shown as it is, character for byte; nearly all are.
fn is_plain(text: &str) -> bool {
    let is_shown = |byte: u8| (byte == b'\t') | (b' '..=b'~').contains(&byte);
    text.bytes().fold(true, |plain, byte| plain & is_shown(byte))
}

fn line_around(text: &str, at: usize) -> std::ops::Range<usize> {
    let bytes = text.as_bytes();
    let low = text.floor_char_boundary(at.saturating_sub(REACH));
    let high = text.floor_char_boundary(at.saturating_add(REACH));
    let behind = bytes.get(low..at).unwrap_or(&[]);
    let ahead = bytes.get(at..high).unwrap_or(&[]);
    let start = memchr::memrchr(b'\n', behind).map_or(low, |found| low + found + 1);
    let end = memchr::memchr(b'\n', ahead).map_or(high, |found| at + found);
    let end = match end.checked_sub(1) {
        Some(last) if last >= at && bytes.get(last) == Some(&b'\r') => last,
        Some(_) | None => end,
    };
    start..end
}

fn is_line_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
}

fn first_chars(text: &str, count: usize) -> &str {
    if let Some(first) = text.get(..count.min(text.len())).filter(|first| first.is_ascii()) {
        return first;
    }
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

fn last_chars(text: &str, count: usize) -> &str {
    let skip = text.chars().count().saturating_sub(count);
    let start = text.char_indices().nth(skip).map_or(text.len(), |(at, _)| at);
    text.get(start..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, first_chars, is_plain, line_at, printable, printable_len};
    use crate::source::{ProjectPath, Source, SourceId};

    fn source(text: &str) -> Source {
        Source::new(SourceId(0), ProjectPath::new("a.xml").unwrap(), text)
    }

    /// Cuts out `needle` and returns the excerpt's text and what is marked in it.
    fn cut(text: &str, needle: &str, width: usize) -> (String, String, u32) {
        let start = text.find(needle).unwrap();
        let source = source(text);
        let excerpt = Excerpt::new(&source, &[source.span(start, start + needle.len())], width);
        let mark = excerpt.marks[0];
        let marked = excerpt.text[mark.start..mark.start + mark.len].to_owned();
        (excerpt.text, marked, mark.column)
    }

    #[test]
    fn plain_text_is_shown_character_for_byte() {
        for at in 0..0x3000 {
            let Some(letter) = char::from_u32(at) else { continue };
            for text in [format!("a{letter}"), format!("{letter}b c"), letter.to_string()] {
                let shown: String = text.chars().map(printable).collect();
                assert!(!is_plain(&text) || shown == text && text.is_ascii(), "{text:?}");
                assert_eq!(printable_len(&text), shown.len(), "{text:?}");
                for count in 0..5 {
                    let first: String = text.chars().take(count).collect();
                    assert_eq!(first_chars(&text, count), first, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let (text, marked, column) = cut("one\n<goto step=\"7\"/>\nthree", "step", 80);
        assert_eq!(
            (text.as_str(), marked.as_str(), column),
            ("<goto step=\"7\"/>\n", "step", 7)
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let line = format!("{}HERE{}", "a".repeat(5000), "b".repeat(5000));
        let (text, marked, column) = cut(&line, "HERE", 40);
        assert_eq!(text, format!("...{}HERE{}...\n", "a".repeat(13), "b".repeat(23)));
        assert_eq!((marked.as_str(), column), ("HERE", 5001));
    }

    #[test]
    fn a_span_over_lines_is_marked_on_its_first() {
        let (text, marked, _) = cut("x <ask>\r\none\r\n</ask>", "<ask>\r\none\r\n</ask>", 80);
        assert_eq!((text.as_str(), marked.as_str()), ("x <ask>\n", "<ask>"));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let (text, marked, _) = cut("a\u{1b}[31mred\u{202e} bad\u{7}", "bad\u{7}", 80);
        assert_eq!(text, "a\u{fffd}[31mred\u{fffd} bad\u{fffd}\n");
        assert_eq!(marked, "bad\u{fffd}");
    }

    #[test]
    fn spans_on_one_line_share_a_row_and_far_ones_do_not() {
        let text = format!("ab cd{}ef\ngh", "-".repeat(500));
        let source = source(&text);
        let at = |needle: &str| {
            let start = text.find(needle).unwrap();
            source.span(start, start + needle.len())
        };
        let excerpt = Excerpt::new(&source, &[at("gh"), at("ef"), at("cd"), at("ab")], 40);
        let lines: Vec<u32> = excerpt.rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [1, 1, 2]);
        let marked: Vec<&str> = excerpt
            .marks
            .iter()
            .map(|mark| &excerpt.text[mark.start..mark.start + mark.len])
            .collect();
        assert_eq!(marked, ["gh", "ef", "cd", "ab"]);
    }

    #[test]
    fn a_span_past_the_end_or_inside_a_character_is_brought_back() {
        let source = source("aü");
        let spans = [source.span(2, 2), source.span(9, 12)];
        let excerpt = Excerpt::new(&source, &spans, 40);
        assert_eq!(excerpt.text, "aü\n");
        assert_eq!(excerpt.marks[0].start, 1);
        assert_eq!(excerpt.marks[1].start, 3);
    }

    #[test]
    fn an_empty_source_has_one_empty_row() {
        let source = source("");
        let excerpt = Excerpt::new(&source, &[source.span(0, 0)], 40);
        assert_eq!((excerpt.text.as_str(), excerpt.rows.len()), ("\n", 1));
    }

    #[test]
    fn the_line_of_a_place_is_trimmed() {
        assert_eq!(line_at(&source("a\n  bc \r\nd"), 5), "bc");
    }
}
