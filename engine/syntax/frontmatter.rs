//! Markdown in, the YAML block at its top out.

use super::Parsed;
use super::breaks::line_break;
use super::fault::{Fault, FaultKind};
use super::remark;
use super::value::{Node, Value};
use super::yaml;
use crate::source::{Source, Span};

/// The block between the first two `---` lines.
#[derive(Debug)]
pub struct Frontmatter {
    /// The whole block with its fences.
    pub span: Span,
    /// The text between the fences.
    pub body: Span,
    /// Its value: the lines that can be read alone, where the whole cannot; absent when it is no map. An empty block is an empty map.
    pub data: Option<Node>,
}

/// Reads the block. Where nothing closes it, or a rule far below seems to, it ends where the page begins; a `---` without
/// keys below it is a rule across the page.
pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let Some(Block { span, body, is_closed }) = find(source) else {
        return;
    };
    if !is_closed {
        let page = page(source.slice(body), is_closed).unwrap_or(body.len());
        return cut(source, (span, body), page, parsed);
    }
    let (node, faults) = yaml::node(source, body);
    let is_broken = faults.iter().any(|fault| fault.kind == FaultKind::BadYaml);
    match is_broken.then(|| page(source.slice(body), is_closed)).flatten() {
        Some(page) => cut(source, (span, body), page, parsed),
        None => keep(source, (span, body), (node, faults), parsed),
    }
}

/// Takes a block that ends where the page begins, or the text ends.
fn cut(source: &Source, (span, body): (Span, Span), page: usize, parsed: &mut Parsed) {
    let end = body.start as usize + page;
    let (span, body) = (source.span(span.start as usize, end), body.inner(0, page));
    keep(source, (span, body), yaml::node(source, body), parsed);
    let (span, detail) = if end < source.text().len() {
        let line = source.span(end, line_break(source.text().as_bytes(), end));
        (line, "the `---` that closes it is missing above this line")
    } else {
        let fence = source.span(span.start as usize, span.start as usize + "---".len());
        (fence, "no `---` closes it below its last key")
    };
    parsed.faults.push(Fault {
        kind: FaultKind::BadFrontmatter,
        span,
        detail: detail.to_owned(),
        related: None,
    });
}

fn keep(source: &Source, (span, body): (Span, Span), read: (Option<Node>, Vec<Fault>), parsed: &mut Parsed) {
    let (node, faults) = read;
    remark::read(source, body, node.as_ref(), &mut parsed.comments);
    let mut broken = false;
    for mut fault in faults {
        if fault.kind == FaultKind::BadYaml {
            fault.kind = FaultKind::BadFrontmatter;
            broken = true;
        }
        parsed.faults.push(fault);
    }
    let data = if broken {
        Some(salvage(source, body))
    } else {
        keys(node, body, parsed)
    };
    parsed.frontmatter = Some(Frontmatter { span, body, data });
}

/// Finds the line at which the page begins in a block. Where a line far below closes it, only a heading behind an empty line
/// with prose behind it begins one, and more prose than keys must follow.
fn page(block: &str, is_closed: bool) -> Option<usize> {
    let mut found = None;
    let mut behind = Behind::default();
    let mut start = block.len();
    let mut lines = block.split_inclusive('\n').rev().peekable();
    while let Some(line) = lines.next() {
        start -= line.len();
        let is_apart = lines.peek().is_some_and(|before| before.trim().is_empty());
        let begins = match is_closed {
            true => is_apart && is_heading(line) && behind.is_page(),
            false => behind.is_begun_by(line, is_apart),
        };
        if begins {
            found = Some(start);
        }
        behind.add(line);
    }
    found
}

/// What stands behind a line of a block.
#[derive(Default)]
struct Behind<'t> {
    /// The next line that is not empty.
    next: &'t str,
    prose: usize,
    keys: usize,
}

impl<'t> Behind<'t> {
    fn add(&mut self, line: &'t str) {
        if line.trim().is_empty() {
            return;
        }
        let may_be_key = line.starts_with(|first: char| first.is_alphabetic() || matches!(first, '"' | '\''));
        self.next = line;
        self.prose += usize::from(is_prose(line));
        self.keys += usize::from(may_be_key && line.contains(':'));
    }

    /// Says whether it is a page: prose comes first, and there is more of it than of keys.
    fn is_page(&self) -> bool {
        is_prose(self.next) && self.prose > self.keys
    }

    /// Says whether a line begins the page in a block that nothing closes: prose, a heading over no key, or a list behind
    /// an empty line.
    fn is_begun_by(&self, line: &str, is_apart: bool) -> bool {
        let is_over_key = is_key(self.next) || self.next.starts_with([' ', '#']);
        match line.as_bytes().first() {
            Some(b'#') => is_heading(line) && (!is_over_key || is_apart && is_heading(self.next)),
            Some(b'-') => is_apart,
            Some(b' ' | b'\t' | b'\r' | b'\n') | None => false,
            Some(_) => !is_key(line),
        }
    }
}

/// Says whether a line may be prose, and no part of a value.
fn is_prose(line: &str) -> bool {
    !line.is_empty() && !line.starts_with([' ', '\t', '-', '#', '"', '\'']) && !line.contains(':')
}

/// Says whether a line begins with a key as frontmatter has them.
fn is_key(line: &str) -> bool {
    let Some((key, rest)) = line.split_once(':') else {
        return false;
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(is_name)
        && (rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && rest.starts_with(' ')
}

/// Reads the lines `key: value` that are YAML by themselves, so that one bad line does not undo the others.
fn salvage(source: &Source, body: Span) -> Node {
    let mut pairs = Vec::new();
    let mut start = 0;
    for line in source.slice(body).split_inclusive('\n') {
        let span = body.inner(start, start + line.len());
        start += line.len();
        if line.starts_with([' ', '\t', '-', '#']) || !line.contains(':') {
            continue;
        }
        let (node, faults) = yaml::node(source, span);
        if let (Some(Value::Map(read)), true) = (node.map(|node| node.value), faults.is_empty()) {
            pairs.extend(read);
        }
    }
    Node {
        value: Value::Map(pairs),
        span: body,
    }
}

/// What stands between the line at the top and the one that closes the block, or the end of the text.
struct Block {
    span: Span,
    body: Span,
    is_closed: bool,
}

fn find(source: &Source) -> Option<Block> {
    let text = source.text();
    let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let bytes = text.as_bytes();
    let mut end = line_break(bytes, start);
    if !is_fence(text.get(start..end)?, &["---"]) {
        return None;
    }
    let body = end + 1;
    loop {
        let line = end + 1;
        if line >= bytes.len() {
            let is_block = text.get(body..).is_some_and(is_key);
            return is_block.then(|| Block {
                span: source.span(start, text.len()),
                body: source.span(body, text.len()),
                is_closed: false,
            });
        }
        end = line_break(bytes, line);
        let written = text.get(line..end)?;
        if is_fence(written, &["---", "..."]) {
            let fence = line + written.trim_end().len();
            return Some(Block {
                span: source.span(start, fence),
                body: source.span(body, line),
                is_closed: true,
            });
        }
    }
}

fn is_fence(line: &str, fences: &[&str]) -> bool {
    // Most lines begin with a letter.
    matches!(line.as_bytes(), [b'-' | b'.', ..]) && fences.contains(&line.trim_end_matches([' ', '\t', '\r']))
}

/// Takes a map, makes one of nothing, and reports anything else.
fn keys(node: Option<Node>, body: Span, parsed: &mut Parsed) -> Option<Node> {
    let nothing = Node {
        value: Value::Map(Vec::new()),
        span: body,
    };
    let node = node.unwrap_or_else(|| nothing.clone());
    let what = match &node.value {
        Value::Map(_) => return Some(node),
        Value::Null => return Some(nothing),
        Value::List(_) => "a list",
        Value::Text(_) => "text",
        Value::Number(_) => "a number",
        Value::Bool(_) => "true or false",
    };
    parsed.faults.push(Fault {
        kind: FaultKind::BadFrontmatter,
        span: node.span,
        detail: format!("{what} where keys are expected, each written `key: value`"),
        related: None,
    });
    None
}

#[cfg(test)]
mod tests;
