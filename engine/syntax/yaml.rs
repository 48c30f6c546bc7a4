//! YAML text in, values with their places out. The only door to the YAML parser.
//!
//! The parser hands out events one by one; `tree` builds values from them on a stack of its own, so no input can
//! make anything here recurse.

mod advice;
mod flow;
mod place;
mod plain;
mod scalar;
#[cfg(test)]
mod tests;
mod tree;

use super::Parsed;
use super::fault::{Fault, FaultKind};
use super::remark;
use super::value::Node;
use crate::source::{Source, Span};
use flow::Joins;
use place::Places;
use saphyr_parser::{Event, Input, Parser, ScalarStyle, ScanError};
use scalar::{Hint, Style};
use std::cell::Cell;
use tree::{Scalar, Stop, Tree};

/// The most steps the parser may take between two events. It holds a whole `[…]` back until it knows whether that is
/// a key, so without a bound a long one would fill the memory.
const MAX_STEPS: u32 = 200_000;

/// Reads a whole file.
pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let whole = source.span(0, source.text().len());
    let (node, faults) = node(source, whole);
    remark::read(source, whole, node.as_ref(), &mut parsed.comments);
    parsed.data = node;
    parsed.faults.extend(faults);
}

/// Reads the YAML under `span`, a part of `source`: its first document that says anything, and what is wrong. After an
/// error the value is what was read before it.
pub(super) fn node(source: &Source, span: Span) -> (Option<Node>, Vec<Fault>) {
    let text = source.slice(span);
    let marked = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let span = span.inner(marked, text.len());
    let text = source.slice(span);
    match plain::read(text, span) {
        Some(tree) => tree.finish(),
        None => parsed(text, span),
    }
}

/// Reads YAML of any kind.
fn parsed(text: &str, span: Span) -> (Option<Node>, Vec<Fault>) {
    let places = Places::new(text);
    let mut tree = Tree::new(text, span);
    let Err(first) = events(text, span, &places, &mut tree) else {
        return tree.finish();
    };
    let mut joins = Joins::default();
    let mut join = |text: &str, refused: &ScanError| {
        let at = places.byte(refused.marker().index());
        joins.join(text, at, refused.info())
    };
    let mut joined = join(text, &first);
    while let Some(again) = joined {
        let mut tree = Tree::new(text, span);
        match events(&again, span, &places, &mut tree) {
            Ok(()) => return tree.finish(),
            Err(refused) => joined = join(&again, &refused),
        }
    }
    tree.faults.push(refusal(text, span, &places, &first));
    tree.finish()
}

/// Feeds a tree what the parser reads, up to what it refuses.
fn events(text: &str, span: Span, places: &Places<'_>, tree: &mut Tree<'_>) -> Result<(), ScanError> {
    let steps = Cell::new(0);
    let mut parser = Parser::new(Characters {
        rest: text,
        steps: &steps,
    });
    while let Some(event) = parser.next_event() {
        let taken = steps.replace(0);
        let fed = match event {
            _ if taken > MAX_STEPS => Err(too_large(span)),
            Ok((event, mark)) => {
                let start = places.byte(mark.start.index());
                feed(tree, event, start, places.byte(mark.end.index()))
            }
            Err(error) => return Err(error),
        };
        if let Err(Stop(fault)) = fed {
            tree.faults.push(fault);
            break;
        }
    }
    Ok(())
}

fn feed(tree: &mut Tree<'_>, event: Event<'_>, start: usize, end: usize) -> Result<(), Stop> {
    match event {
        Event::Scalar(text, style, anchor, tag) => {
            let tagged = tag.is_some();
            let hint = tag.map_or(Hint::None, |tag| {
                if tag.is_yaml_core_schema() {
                    scalar::hint(&tag.suffix)
                } else if tag.handle.is_empty() && tag.suffix == "!" {
                    Hint::Text
                } else {
                    Hint::None
                }
            });
            let style = style_of(style);
            let dressed = tagged || anchor > 0;
            tree.scalar(
                Scalar {
                    text: &text,
                    style,
                    hint,
                    anchor,
                    dressed,
                },
                start..end,
            )
        }
        Event::SequenceStart(anchor, tag) => tree.open_list(anchor, start, tag.is_some()),
        Event::MappingStart(anchor, tag) => tree.open_map(anchor, start, tag.is_some()),
        Event::SequenceEnd | Event::MappingEnd => tree.close(start),
        Event::Alias(anchor) => tree.alias(anchor, start..end),
        Event::DocumentEnd => {
            tree.end_document();
            Ok(())
        }
        Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => Ok(()),
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    }
}

fn refusal(text: &str, span: Span, places: &Places<'_>, error: &ScanError) -> Fault {
    let at = places.byte(error.marker().index());
    let (kind, detail) = match error.info() {
        "recursion limit exceeded" => (FaultKind::NestedTooDeep, String::new()),
        message => (FaultKind::BadYaml, advice::reason(text, at, message)),
    };
    let end = advice::line(text, at).end;
    Fault {
        kind,
        span: span.inner(at, end),
        detail,
        related: None,
    }
}

fn too_large(span: Span) -> Stop {
    Stop(Fault {
        kind: FaultKind::FileTooLarge,
        span: span.inner(0, 0),
        detail: format!("one value takes more than {MAX_STEPS} steps to read"),
        related: None,
    })
}

/// The text as the parser reads it: one character after the other, and nothing more once it took too many steps.
struct Characters<'a> {
    rest: &'a str,
    steps: &'a Cell<u32>,
}

impl Input for Characters<'_> {
    fn lookahead(&mut self, count: usize) {
        // The scanner asks for four characters once for every token and for every word of a long scalar.
        if count == 4 {
            let steps = self.steps.get() + 1;
            self.steps.set(steps);
            if steps > MAX_STEPS {
                self.rest = "";
            }
        }
    }

    fn buflen(&self) -> usize {
        self.bufmaxlen()
    }

    fn bufmaxlen(&self) -> usize {
        16
    }

    fn raw_read_ch(&mut self) -> char {
        let character = self.peek();
        self.skip();
        character
    }

    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let character = self.peek_opt()?;
        if matches!(character, '\n' | '\r' | '\0' | '\u{feff}') {
            return None;
        }
        self.skip();
        Some(character)
    }

    #[inline]
    fn skip(&mut self) {
        let mut characters = self.rest.chars();
        characters.next();
        self.rest = characters.as_str();
    }

    #[inline]
    fn skip_n(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    #[inline]
    fn peek(&self) -> char {
        self.peek_opt().unwrap_or('\0')
    }

    #[inline]
    fn peek_nth(&self, n: usize) -> char {
        self.rest.chars().nth(n).unwrap_or('\0')
    }

    #[inline]
    fn peek_opt(&self) -> Option<char> {
        self.rest.chars().next()
    }
}
