//! TOML text in, values with their places out. The only door to the TOML parser.

use super::fault::{Fault, FaultKind};
use super::remark;
use super::value::{Node, Pair, Value};
use super::{MAX_DEPTH, Parsed};
use crate::source::{Source, Span};
use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue, Error};
use std::ops::Range;
use std::vec;

/// The most bytes that are read: the parser keeps a token for every few of them.
const MAX_BYTES: usize = 1024 * 1024;
/// The most bytes that are read again to keep what stands around an error: a parser that goes on keeps every error.
const MAX_RECOVERED: usize = 64 * 1024;

/// Reads a whole file. What stands around an error is kept.
pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let text = source.text();
    if text.len() > MAX_BYTES {
        let detail = format!("{} bytes of TOML, at most {MAX_BYTES} are read", text.len());
        parsed
            .faults
            .push(fault(FaultKind::FileTooLarge, source.span(0, 0), detail));
        return;
    }
    let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let whole = source.span(start, text.len());
    let text = source.slice(whole);
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            parsed.faults.push(refusal(&error, whole, text));
            if text.len() > MAX_RECOVERED {
                return;
            }
            DeTable::parse_recoverable(text).0
        }
    };
    let node = build(table.into_inner(), whole, source, &mut parsed.faults);
    remark::read(source, whole, Some(&node), &mut parsed.comments);
    parsed.data = Some(node);
}

fn refusal(error: &Error, whole: Span, text: &str) -> Fault {
    let place = error.span().unwrap_or(0..0);
    if let Some(key) = key_alone(text, place.start) {
        let detail = format!("`{key}` has no value");
        return fault(FaultKind::BadToml, within(whole, place), detail);
    }
    let message = error.message();
    let (kind, detail) = match message.contains("recurs") {
        true => (FaultKind::NestedTooDeep, ""),
        false => (FaultKind::BadToml, message.trim_end_matches('.')),
    };
    fault(kind, within(whole, place), detail.to_owned())
}

/// Returns the key of a line that ends behind its `=`, where a place is the end of that line.
fn key_alone(text: &str, place: usize) -> Option<&str> {
    let (before, after) = text.split_at_checked(place)?;
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let rest = after.lines().next().unwrap_or_default().trim_start();
    let key = line.trim_end().strip_suffix('=')?.trim();
    let is_plain = !key.is_empty() && !key.contains(['=', '"', '\'', '{', '#']);
    (is_plain && (rest.is_empty() || rest.starts_with('#'))).then_some(key)
}

fn fault(kind: FaultKind, span: Span, detail: String) -> Fault {
    Fault {
        kind,
        span,
        detail,
        related: None,
    }
}

fn within(whole: Span, place: Range<usize>) -> Span {
    let length = whole.len();
    whole.inner(place.start.min(length), place.end.min(length))
}

/// A table or array whose entries are being moved over, one by one: dotted keys nest deeper than the parser's own cap.
struct Frame<'a> {
    key: Option<(String, Span)>,
    node: Node,
    rest: vec::IntoIter<(Option<Spanned<Key<'a>>>, Spanned<DeValue<'a>>)>,
}

type Key<'a> = std::borrow::Cow<'a, str>;

fn build(table: DeTable<'_>, whole: Span, source: &Source, faults: &mut Vec<Fault>) -> Node {
    let mut root = Node {
        value: Value::Map(Vec::new()),
        span: whole,
    };
    let mut open = vec![Frame {
        key: None,
        node: root.clone(),
        rest: entries(table),
    }];
    let mut too_deep = None;
    while let Some(frame) = open.last_mut() {
        if let Some((key, child)) = frame.rest.next() {
            let key = key.map(|key| (key.get_ref().to_string(), within(whole, key.span())));
            let span = within(whole, child.span());
            let (value, rest) = match child.into_inner() {
                DeValue::Table(table) => (Value::Map(Vec::new()), Some(entries(table))),
                DeValue::Array(items) => (Value::List(Vec::new()), Some(elements(items))),
                DeValue::String(text) => (Value::Text(text.into_owned()), None),
                DeValue::Boolean(truth) => (Value::Bool(truth), None),
                DeValue::Integer(_) | DeValue::Float(_) => (Value::Number(source.slice(span).to_owned()), None),
                DeValue::Datetime(_) => (Value::Text(source.slice(span).to_owned()), None),
            };
            let node = Node { value, span };
            match rest {
                Some(rest) => open.push(Frame { key, node, rest }),
                None => put(&mut frame.node, key, node),
            }
            continue;
        }
        let Some(Frame { key, node, .. }) = open.pop() else {
            break;
        };
        let node = in_order(node);
        let depth = open.len();
        match open.last_mut() {
            Some(_) if depth >= MAX_DEPTH => too_deep = Some(node.span),
            Some(parent) => put(&mut parent.node, key, node),
            None => root = node,
        }
    }
    faults.extend(too_deep.map(|span| fault(FaultKind::NestedTooDeep, span, String::new())));
    root
}

fn entries(table: DeTable<'_>) -> vec::IntoIter<(Option<Spanned<Key<'_>>>, Spanned<DeValue<'_>>)> {
    let entries = table.into_iter().map(|(key, value)| (Some(key), value));
    entries.collect::<Vec<_>>().into_iter()
}

fn elements<'a>(
    items: impl IntoIterator<Item = Spanned<DeValue<'a>>>,
) -> vec::IntoIter<(Option<Spanned<Key<'a>>>, Spanned<DeValue<'a>>)> {
    let items = items.into_iter().map(|item| (None, item));
    items.collect::<Vec<_>>().into_iter()
}

fn put(parent: &mut Node, key: Option<(String, Span)>, node: Node) {
    // A table's own place is its header; it reaches to the end of the last thing in it.
    parent.span.end = parent.span.end.max(node.span.end);
    match (&mut parent.value, key) {
        (Value::Map(pairs), Some((key, key_span))) => pairs.push(Pair { key, key_span, node }),
        (Value::List(items), _) => items.push(node),
        (Value::Map(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_), _) => {}
    }
}

/// Puts the entries of a map back in the order they are written in; the parser sorts them by name.
fn in_order(mut node: Node) -> Node {
    if let Value::Map(pairs) = &mut node.value {
        pairs.sort_by_key(|pair| pair.key_span.start);
    }
    node
}

#[cfg(test)]
mod tests {
    use crate::source::{ProjectPath, Source, SourceId};
    use crate::syntax::{FaultKind, Format, Node, Parsed, Value, parse};

    fn read(text: &str) -> (Source, Parsed) {
        let source = Source::new(SourceId(0), ProjectPath::root(), text);
        let parsed = parse(&source, Format::Toml);
        (source, parsed)
    }

    fn at<'a>(parsed: &'a Parsed, path: &str) -> &'a Node {
        let mut node = parsed.data.as_ref().unwrap();
        for key in path.split('.') {
            node = match key.parse::<usize>() {
                Ok(number) => &node.items()[number],
                Err(_) => node.get(key).unwrap(),
            };
        }
        node
    }

    #[test]
    fn every_value_keeps_its_place() {
        let text =
            "\u{feff}[workflow]\nname = \"é\" # why\nsteps = [\n  'a', # one\n  'b',\n]\ndepth = 1_000\non = true\n";
        let (source, parsed) = read(text);
        assert!(parsed.faults.is_empty());
        let place = |path| source.slice(at(&parsed, path).span);
        assert_eq!(place("workflow.name"), "\"é\"");
        assert_eq!(place("workflow.steps.1"), "'b'");
        assert_eq!(at(&parsed, "workflow.depth").value, Value::Number("1_000".into()));
        assert_eq!(at(&parsed, "workflow.on").value, Value::Bool(true));
        assert!(place("workflow").starts_with("[workflow]\nname") && place("workflow").ends_with("true"));
    }

    #[test]
    fn entries_stay_in_written_order() {
        let (_, parsed) = read("z = 1\na = 2\n[m.y]\n[m.x]\n");
        let keys = |node: &Node| node.pairs().iter().map(|pair| pair.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(parsed.data.as_ref().unwrap()), ["z", "a", "m"]);
        assert_eq!(keys(at(&parsed, "m")), ["y", "x"]);
    }

    #[test]
    fn tables_in_an_array_are_items() {
        let (source, parsed) = read("[[agent.menu]]\ncode = 'A'\n\n[[agent.menu]]\ncode = 'B'\n");
        assert_eq!(at(&parsed, "agent.menu").items().len(), 2);
        assert_eq!(
            source.slice(at(&parsed, "agent.menu.1").span),
            "[[agent.menu]]\ncode = 'B'"
        );
    }

    #[test]
    fn a_date_is_text() {
        let (_, parsed) = read("a = 2025-01-02T03:04:05Z\n");
        assert_eq!(at(&parsed, "a").text(), Some("2025-01-02T03:04:05Z"));
    }

    #[test]
    fn an_error_has_a_place_and_the_rest_is_read() {
        let (source, parsed) = read("a = 1\nb = \"open\nc = 3\n");
        let fault = parsed.faults.first().unwrap();
        assert_eq!(fault.kind, FaultKind::BadToml);
        assert_eq!(source.position(fault.span.start).line, 2);
        assert_eq!(fault.detail, "invalid basic string, expected `\"`");
        assert_eq!(at(&parsed, "a").text(), Some("1"));
    }

    #[test]
    fn a_repeated_key_is_an_error_at_its_second_place() {
        let (source, parsed) = read("a = 1\na = 2\n");
        let fault = parsed.faults.first().unwrap();
        assert_eq!(
            (fault.kind, fault.detail.as_str()),
            (FaultKind::BadToml, "duplicate key")
        );
        assert_eq!(source.position(fault.span.start).line, 2);
    }

    #[test]
    fn comments_to_the_engine_are_kept() {
        let (source, parsed) =
            read("# bmad: allow(a)\nx = '# bmad: no' # bmad: allow(b)\r\ny = '''\n# bmad: no\n'''\n");
        let comments: Vec<&str> = parsed.comments.iter().map(|span| source.slice(*span)).collect();
        assert_eq!(comments, [" bmad: allow(a)", " bmad: allow(b)"]);
    }

    #[test]
    fn deep_nesting_is_cut_off() {
        let key = vec!["a"; 70].join(".");
        let text = format!(
            "{}1{}\n",
            format!("{key} = {{").repeat(60) + &key + " = ",
            "}".repeat(60)
        );
        let (_, parsed) = read(&text);
        assert!(parsed.faults.iter().any(|fault| fault.kind == FaultKind::NestedTooDeep));
        let (_, parsed) = read(&format!("a = {}", "[".repeat(100_000)));
        assert_eq!(parsed.faults.first().unwrap().kind, FaultKind::NestedTooDeep);
    }

    #[test]
    fn a_very_large_file_is_refused() {
        let (_, parsed) = read(&"# x\n".repeat(300_000));
        assert_eq!(parsed.faults.first().unwrap().kind, FaultKind::FileTooLarge);
    }
}
