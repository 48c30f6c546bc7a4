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
    let (node, faults) = yaml::node(source, body);
    let is_broken = faults.iter().any(|fault| fault.kind == FaultKind::BadYaml);
    let is_lost = is_broken || !is_closed;
    let page = is_lost.then(|| page(source.slice(body), is_closed)).flatten();
    match page {
        Some(page) => cut(source, (span, body), page, parsed),
        None if is_closed => keep(source, (span, body), (node, faults), parsed),
        None => {
            keep(source, (span, body), (node, faults), parsed);
            let fence = source.span(span.start as usize, body.start as usize - 1);
            parsed
                .faults
                .push(unclosed(fence, "no `---` closes it below its last key"));
        }
    }
}

/// Takes a block that ends where the page begins.
fn cut(source: &Source, (span, body): (Span, Span), page: usize, parsed: &mut Parsed) {
    let end = body.start as usize + page;
    let (span, body) = (source.span(span.start as usize, end), body.inner(0, page));
    keep(source, (span, body), yaml::node(source, body), parsed);
    let line = source.span(end, line_break(source.text().as_bytes(), end));
    parsed
        .faults
        .push(unclosed(line, "the `---` that closes it is missing above this line"));
}

fn unclosed(span: Span, detail: &str) -> Fault {
    Fault {
        kind: FaultKind::BadFrontmatter,
        span,
        detail: detail.to_owned(),
        related: None,
    }
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

/// Finds the line at which the page begins in a block: behind an empty line, prose, or a heading before prose. One that a
/// line closes has more of the page than of keys behind that.
fn page(block: &str, is_closed: bool) -> Option<usize> {
    let (mut page, mut prose, mut keys) = (None, 0, 0);
    let (mut at, mut after_blank) = (0, true);
    for line in block.split_inclusive('\n') {
        let is_prose = !line.starts_with([' ', '\t', '-', '#', '\r', '\n']) && !is_key(line);
        match page {
            Some(_) if is_key(line) => keys += 1,
            None if after_blank && (is_prose || is_heading(line)) => page = Some(at),
            None if is_prose => return None,
            Some(_) | None => {}
        }
        prose += usize::from(is_prose);
        if prose == 0 && keys > 0 {
            // What looked like a heading was a remark about the keys.
            (page, keys) = (None, 0);
        }
        after_blank = line.trim().is_empty();
        at += line.len();
    }
    page.filter(|_| prose > keys || !is_closed && keys == 0)
}

/// Says whether a line begins with a key as frontmatter has them.
fn is_key(line: &str) -> bool {
    let Some((key, rest)) = line.split_once(':') else {
        return false;
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(is_name)
        && rest.starts_with([' ', '\t', '\r', '\n'])
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
mod tests {
    use super::Frontmatter;
    use crate::source::{ProjectPath, Source, SourceId};
    use crate::syntax::{FaultKind, Format, Parsed, Value, parse};

    fn read(text: &str) -> (Source, Parsed) {
        let source = Source::new(SourceId(0), ProjectPath::root(), text);
        let parsed = parse(&source, Format::Markdown);
        (source, parsed)
    }

    fn block(text: &str) -> (Source, Frontmatter) {
        let (source, parsed) = read(text);
        (source, parsed.frontmatter.unwrap())
    }

    /// Returns the kinds, places and reasons of what is wrong with a frontmatter.
    fn complaint(text: &str) -> (FaultKind, String, String) {
        let (source, parsed) = read(text);
        let fault = parsed.faults.first().unwrap();
        (fault.kind, source.slice(fault.span).to_owned(), fault.detail.clone())
    }

    #[test]
    fn the_block_ends_at_the_second_fence() {
        let (source, block) = block("---\nname: a\n---\n# Title\n\n---\n");
        assert_eq!(source.slice(block.span), "---\nname: a\n---");
        assert_eq!(source.slice(block.body), "name: a\n");
        assert_eq!(block.data.unwrap().get("name").unwrap().text(), Some("a"));
    }

    #[test]
    fn three_dots_end_the_block_too() {
        let (source, block) = block("---\na: 1\n...\nrest");
        assert_eq!(source.slice(block.body), "a: 1\n");
    }

    #[test]
    fn a_mark_and_windows_line_ends_do_not_matter() {
        let (source, block) = block("\u{feff}--- \r\nname: 'é'\r\n---\r\nrest");
        let data = block.data.unwrap();
        let name = data.get("name").unwrap();
        assert_eq!(name.text(), Some("é"));
        assert_eq!(source.slice(name.span), "'é'");
    }

    #[test]
    fn an_empty_block_is_an_empty_map() {
        for text in ["---\n---\n", "---\n\n---", "---\n# nothing yet\n---\n"] {
            assert_eq!(block(text).1.data.unwrap().value, Value::Map(Vec::new()));
        }
    }

    #[test]
    fn a_rule_across_the_page_is_no_frontmatter() {
        for text in [
            "---\nName: a\n",
            "---\n\nname: a\n",
            "---",
            "",
            "----\na: 1\n---\n",
            "\n---\na: 1\n---\n",
            "--- a\n---\n",
        ] {
            let (_, parsed) = read(text);
            assert!(parsed.frontmatter.is_none(), "{text}");
            assert!(parsed.faults.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_block_that_nothing_closes_ends_where_the_page_begins() {
        for (text, body, place) in [
            ("---\nname: a\n\n# Title\n\nGo.\n", "name: a\n\n", "# Title"),
            ("---\nname: a\n\nGo on.\n", "name: a\n\n", "Go on."),
            ("---\nname: a\n", "name: a\n", "---"),
            (
                "---\nname: a\n# b\nc: d\n\n## Title\n\nGo.\n1. Do this: now.\n\n---\n\nMore.\n",
                "name: a\n# b\nc: d\n\n",
                "## Title",
            ),
            (
                "---\nname: a\n\n# Title\n\nGo: on.\nLike\nthis\n\n---\n",
                "name: a\n\n",
                "# Title",
            ),
        ] {
            let (source, block) = block(text);
            assert_eq!(source.slice(block.body), body, "{text}");
            assert_eq!(block.data.unwrap().get("name").unwrap().text(), Some("a"), "{text}");
            let (kind, at, _) = complaint(text);
            assert_eq!((kind, at.as_str()), (FaultKind::BadFrontmatter, place), "{text}");
        }
    }

    #[test]
    fn a_bad_line_among_keys_begins_no_page() {
        for text in [
            "---\nname: a\n\n# References\nfile: {x}/y\n\nother: b\n---\nGo.\n",
            "---\nname: a\n\nno key\nother: b\n---\nGo.\n",
            "---\nname: 'a\nb'\n\n# c\n---\nGo.\n",
        ] {
            let (source, block) = block(text);
            assert!(source.slice(block.span).ends_with("---"), "{text}");
        }
    }

    #[test]
    fn an_indented_fence_belongs_to_the_text_above_it() {
        let (source, block) = block("---\na: |\n  x\n  ---\n  y\nb: 1\n---\n");
        let data = block.data.unwrap();
        assert_eq!(data.get("a").unwrap().text(), Some("x\n---\ny\n"));
        assert_eq!(source.slice(data.get("b").unwrap().span), "1");
    }

    #[test]
    fn a_backslash_does_not_escape_an_apostrophe() {
        let text = "---\nname: 'x'\ndescription: 'Goals that don\\'t leak'\nnext: './b.md'\n---\n";
        let (kind, place, reason) = complaint(text);
        assert_eq!(kind, FaultKind::BadFrontmatter);
        assert_eq!(place, "t leak'");
        assert_eq!(
            reason,
            r"`description`: the text ends at `\'`: `\` does not escape inside single quotes; write `''`"
        );
    }

    #[test]
    fn a_path_that_starts_with_a_brace_must_be_quoted() {
        let (_, place, reason) = complaint("---\nfile: {output_folder}/x.md\nb: 1\n---\n");
        assert_eq!(place, "/x.md");
        assert_eq!(
            reason,
            "`file`: an unquoted `{` starts a map or list, and this one does not end with it; quote the value"
        );
    }

    #[test]
    fn a_pattern_that_starts_with_a_star_must_be_quoted() {
        let (_, place, reason) = complaint("---\nfiles: **/*.md\n---\n");
        assert_eq!(place, "**/*.md");
        assert_eq!(
            reason,
            "`files`: an unquoted `*` starts an alias, and nothing has that name; quote the value"
        );
    }

    #[test]
    fn a_list_is_no_frontmatter() {
        let (kind, place, reason) = complaint("---\n- a\n- b\n---\n");
        assert_eq!((kind, place.as_str()), (FaultKind::BadFrontmatter, "- a\n- b"));
        assert_eq!(reason, "a list where keys are expected, each written `key: value`");
    }

    #[test]
    fn a_repeated_key_keeps_the_rest() {
        let (_, parsed) = read("---\na: 1\na: 2\nb: 3\n---\n");
        assert_eq!(parsed.faults.first().unwrap().kind, FaultKind::DuplicateKey);
        assert!(parsed.frontmatter.unwrap().data.unwrap().get("b").is_some());
    }

    #[test]
    fn a_comment_to_the_engine_is_kept() {
        let (source, parsed) = read("---\n# bmad: allow(x)\na: '# bmad: no'\n---\n");
        let comments: Vec<&str> = parsed.comments.iter().map(|span| source.slice(*span)).collect();
        assert_eq!(comments, [" bmad: allow(x)"]);
    }

    #[test]
    fn one_bad_line_does_not_undo_the_others() {
        let (_, block) = block("---\nname: 'it\\'s'\nnextStepFile: './b.md'\n---\n");
        let data = block.data.unwrap();
        assert_eq!(data.get("nextStepFile").unwrap().text(), Some("./b.md"));
        assert!(data.get("name").is_none());
    }
}
