//! Events in, a tree of values out, on a stack of its own.

use super::place;
use super::scalar::{self, Hint, Style};
use crate::source::{QuickMap, Span};
use crate::syntax::MAX_DEPTH;
use crate::syntax::fault::{Fault, FaultKind};
use crate::syntax::value::{MAX_VALUES, Node, Pair, Value};
use std::collections::HashMap;
use std::ops::Range;

/// The most values that anchors and aliases may copy.
const MAX_COPIES: usize = 100_000;
/// The most repeated keys that are reported.
const MAX_REPEATS: usize = 100;

/// Reading ends here; this is why.
pub(super) struct Stop(pub(super) Fault);

/// One scalar as the parser gives it.
pub(super) struct Scalar<'a> {
    pub(super) text: &'a str,
    pub(super) style: Style,
    pub(super) hint: Hint,
    /// The number of its anchor; zero for none.
    pub(super) anchor: usize,
    /// Whether an anchor or a tag stands before it.
    pub(super) dressed: bool,
}

/// The values read so far.
pub(super) struct Tree<'a> {
    text: &'a str,
    span: Span,
    open: Vec<Frame>,
    root: Option<Node>,
    /// Whether a document was read that says something; the ones after it are only checked.
    found: bool,
    anchors: HashMap<usize, Part>,
    /// Whether anything can refer to an anchor at all.
    aliased: bool,
    values: usize,
    copies: usize,
    repeats: usize,
    pub(super) faults: Vec<Fault>,
}

/// A list or map that is not closed yet.
struct Frame {
    value: Value,
    key: Option<(String, Span)>,
    anchor: usize,
    start: usize,
    end: usize,
    height: usize,
    size: usize,
}

/// A whole value, and what it takes to copy it.
#[derive(Clone)]
struct Part {
    node: Node,
    height: usize,
    size: usize,
}

impl<'a> Tree<'a> {
    /// Starts a tree for `text`, which stands at `span`.
    pub(super) fn new(text: &'a str, span: Span) -> Self {
        Self {
            text,
            span,
            open: Vec::new(),
            root: None,
            found: false,
            anchors: HashMap::new(),
            aliased: memchr::memchr(b'*', text.as_bytes()).is_some(),
            values: 0,
            copies: 0,
            repeats: 0,
            faults: Vec::new(),
        }
    }

    pub(super) fn scalar(&mut self, scalar: Scalar<'_>, mark: Range<usize>) -> Result<(), Stop> {
        let blank = match scalar.style {
            Style::Plain => scalar.text.is_empty(),
            Style::Quoted => false,
            Style::Block => scalar.text.trim().is_empty(),
        };
        let place = if blank {
            self.nothing(mark.start)
        } else {
            place::scalar(self.text, mark, scalar.style, scalar.dressed)
        };
        let span = self.span.inner(place.start, place.end);
        let is_key = self.awaits_key();
        if is_key && scalar.anchor == 0 {
            self.count(1)?;
            self.set_key(scalar.text.to_owned(), span);
            return Ok(());
        }
        let value = scalar::resolve(scalar.text, scalar.style, scalar.hint);
        let node = Node { value, span };
        self.keep(scalar.anchor, &node, 0, 1)?;
        self.count(1)?;
        if is_key {
            self.set_key(scalar.text.to_owned(), span);
            return Ok(());
        }
        self.put(
            Part {
                node,
                height: 0,
                size: 1,
            },
            place.end,
        );
        Ok(())
    }

    pub(super) fn open_list(&mut self, anchor: usize, mark: usize, tagged: bool) -> Result<(), Stop> {
        let start = self.content(mark, anchor > 0 || tagged);
        let start = place::list_start(self.text, start);
        self.push(Value::List(Vec::new()), anchor, start)
    }

    pub(super) fn open_map(&mut self, anchor: usize, mark: usize, tagged: bool) -> Result<(), Stop> {
        let start = self.content(mark, anchor > 0 || tagged);
        self.push(Value::Map(Vec::new()), anchor, start)
    }

    /// Closes the innermost list or map; `mark` is where its bracket stands, or where what follows it starts.
    pub(super) fn close(&mut self, mark: usize) -> Result<(), Stop> {
        let Some(mut frame) = self.open.pop() else {
            return Ok(());
        };
        let bytes = self.text.as_bytes();
        let closes = match bytes.get(frame.start) {
            Some(b'[') => bytes.get(mark) == Some(&b']'),
            Some(b'{') => bytes.get(mark) == Some(&b'}'),
            _ => false,
        };
        if closes {
            frame.end = frame.end.max(mark + 1);
        }
        self.report_repeats(&frame.value);
        let end = frame.end;
        let anchor = frame.anchor;
        let part = self.whole(frame);
        self.keep(anchor, &part.node, part.height, part.size)?;
        if self.awaits_key() {
            let text = self.text.get(self.relative(part.node.span)).unwrap_or("");
            self.set_key(text.to_owned(), part.node.span);
        } else {
            self.put(part, end);
        }
        Ok(())
    }

    /// Puts a copy of what `anchor` names.
    pub(super) fn alias(&mut self, anchor: usize, mark: Range<usize>) -> Result<(), Stop> {
        let span = self.span.inner(mark.start, mark.end);
        let written = self.text.get(mark.clone()).unwrap_or("");
        let Some(part) = self.anchors.get(&anchor) else {
            let detail = format!("`{written}` stands inside what it names");
            return Err(stop(FaultKind::BadYaml, span, detail));
        };
        if self.open.len() + part.height > MAX_DEPTH {
            return Err(stop(FaultKind::NestedTooDeep, span, String::new()));
        }
        if self.copies + part.size > MAX_COPIES {
            return Err(stop(FaultKind::AliasBomb, span, written.to_owned()));
        }
        self.copies += part.size;
        let part = part.clone();
        self.count(part.size)?;
        if self.awaits_key() {
            let text = part.node.text().unwrap_or(written).to_owned();
            self.set_key(text, span);
        } else {
            self.put(part, mark.end);
        }
        Ok(())
    }

    pub(super) fn end_document(&mut self) {
        self.found = self.root.as_ref().is_some_and(|root| root.value != Value::Null);
    }

    /// Closes whatever is open and hands out the first document that says anything.
    pub(super) fn finish(mut self) -> (Option<Node>, Vec<Fault>) {
        while let Some(frame) = self.open.pop() {
            let end = frame.end;
            let part = self.whole(frame);
            if !self.awaits_key() {
                self.put(part, end);
            }
        }
        (self.root, self.faults)
    }

    fn push(&mut self, value: Value, anchor: usize, start: usize) -> Result<(), Stop> {
        if self.open.len() >= MAX_DEPTH {
            let span = self.span.inner(start, start);
            return Err(stop(FaultKind::NestedTooDeep, span, String::new()));
        }
        self.count(1)?;
        self.open.push(Frame {
            value,
            key: None,
            anchor,
            start,
            end: start,
            height: 1,
            size: 1,
        });
        Ok(())
    }

    fn count(&mut self, size: usize) -> Result<(), Stop> {
        self.values += size;
        if self.values <= MAX_VALUES {
            return Ok(());
        }
        let detail = format!("more than {MAX_VALUES} values");
        Err(stop(FaultKind::FileTooLarge, self.span.inner(0, 0), detail))
    }

    fn keep(&mut self, anchor: usize, node: &Node, height: usize, size: usize) -> Result<(), Stop> {
        if anchor == 0 || !self.aliased {
            return Ok(());
        }
        self.copies += size;
        if self.copies > MAX_COPIES {
            return Err(stop(FaultKind::AliasBomb, node.span, String::new()));
        }
        let part = Part {
            node: node.clone(),
            height,
            size,
        };
        self.anchors.insert(anchor, part);
        Ok(())
    }

    fn awaits_key(&self) -> bool {
        let frame = self.open.last();
        frame.is_some_and(|frame| matches!(frame.value, Value::Map(_)) && frame.key.is_none())
    }

    fn set_key(&mut self, text: String, span: Span) {
        let end = self.relative(span).end;
        if let Some(frame) = self.open.last_mut() {
            frame.end = frame.end.max(end);
            frame.key = Some((text, span));
        }
    }

    fn put(&mut self, part: Part, end: usize) {
        let Some(frame) = self.open.last_mut() else {
            if !self.found {
                self.root = Some(part.node);
            }
            return;
        };
        frame.end = frame.end.max(end);
        frame.height = frame.height.max(part.height + 1);
        frame.size += part.size;
        match &mut frame.value {
            Value::List(items) => items.push(part.node),
            Value::Map(pairs) => {
                if let Some((key, key_span)) = frame.key.take() {
                    pairs.push(Pair {
                        key,
                        key_span,
                        node: part.node,
                    });
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
        }
    }

    fn whole(&self, frame: Frame) -> Part {
        let span = self.span.inner(frame.start, frame.end);
        Part {
            node: Node {
                value: frame.value,
                span,
            },
            height: frame.height,
            size: frame.size,
        }
    }

    fn content(&self, mark: usize, dressed: bool) -> usize {
        if dressed { place::undress(self.text, mark) } else { mark }
    }

    /// Returns the place of a value that is not written: behind its colon.
    fn nothing(&self, mark: usize) -> Range<usize> {
        let colon = self.text.as_bytes().get(mark) == Some(&b':');
        let at = mark + usize::from(colon);
        at..at
    }

    fn relative(&self, span: Span) -> Range<usize> {
        let base = self.span.start as usize;
        (span.start as usize).saturating_sub(base)..(span.end as usize).saturating_sub(base)
    }

    fn report_repeats(&mut self, value: &Value) {
        let Value::Map(pairs) = value else {
            return;
        };
        for (first, again) in repeats(pairs) {
            self.repeats += 1;
            if self.repeats > MAX_REPEATS {
                return;
            }
            self.faults.push(Fault {
                kind: FaultKind::DuplicateKey,
                span: again.key_span,
                detail: again.key.clone(),
                related: Some(first.key_span),
            });
        }
    }
}

fn stop(kind: FaultKind, span: Span, detail: String) -> Stop {
    Stop(Fault {
        kind,
        span,
        detail,
        related: None,
    })
}

/// Finds keys that are given again. The merge key `<<` may be.
fn repeats(pairs: &[Pair]) -> Vec<(&Pair, &Pair)> {
    // Most maps are small, and looking through them costs less than hashing their keys.
    let is_small = pairs.len() <= 12;
    let room = if is_small { 0 } else { pairs.len() };
    let mut seen: QuickMap<&str, &Pair> = QuickMap::with_capacity_and_hasher(room, Default::default());
    let mut found = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        let first = if is_small {
            let before = pairs.get(..number).unwrap_or(&[]);
            before.iter().find(|other| other.key == pair.key)
        } else {
            let first = *seen.entry(&pair.key).or_insert(pair);
            (!std::ptr::eq(first, pair)).then_some(first)
        };
        if let Some(first) = first
            && pair.key != "<<"
        {
            found.push((first, pair));
        }
    }
    found
}
