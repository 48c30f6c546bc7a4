//! Rust text in, its words without comments and literals out. Small on purpose: enough to see paths and functions.

/// A word or a mark, and the line it is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

/// A path such as `std::fs::read`, with the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    /// Whether it starts with `::` and so names a crate whatever is in scope.
    pub(super) absolute: bool,
    /// Whether a `use` brings it into scope.
    pub(super) imported: bool,
}

/// A function: its name, where it starts, how many lines of code it has and how many parameters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
    pub(super) parameters: usize,
}

/// Replaces comments and literals by blanks; lines stay where they are.
pub(super) fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let skipped = literal_or_comment(rest, previous);
        if skipped > 0 {
            let (gone, after) = rest.split_at(skipped);
            // A literal leaves a mark: a line that holds nothing else is a line of code.
            let mark = if gone.starts_with('/') { ' ' } else { '"' };
            out.push(mark);
            out.extend(gone.chars().skip(1).map(hide));
            rest = after;
            previous = ' ';
        } else {
            out.push(first);
            previous = first;
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn hide(each: char) -> char {
    if each == '\n' { each } else { ' ' }
}

/// Returns the length of the comment or literal that `rest` starts with, or zero.
fn literal_or_comment(rest: &str, previous: char) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    if rest.starts_with('\'') {
        return character(rest);
    }
    if is_word(previous) {
        return 0;
    }
    let prefix = ["r", "br", "cr"].iter().find(|it| rest.starts_with(**it));
    prefix.map_or(0, |it| match raw_string(&rest[it.len()..]) {
        0 => 0,
        length => it.len() + length,
    })
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, each) in rest.char_indices().skip(1) {
        match each {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            each if each == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Tells a character from a lifetime: `'a'` and `'\n'` end with a quote, `'a` does not.
fn character(rest: &str) -> usize {
    let mut inside = rest.chars().skip(1);
    match (inside.next(), inside.next()) {
        (Some('\\'), _) => quoted(rest, '\''),
        (Some(each), Some('\'')) => each.len_utf8() + 2,
        _ => 0,
    }
}

fn raw_string(rest: &str) -> usize {
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    if !rest[hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    let found = rest[body..].find(&end);
    found.map_or(rest.len(), |at| body + at + end.len())
}

fn is_word(each: char) -> bool {
    each.is_alphanumeric() || each == '_'
}

/// Splits blanked text into words and marks; `::`, `->` and `=>` are one mark each.
pub(super) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        let length = if is_word(first) {
            rest.find(|each| !is_word(each)).unwrap_or(rest.len())
        } else if ["::", "->", "=>"].iter().any(|mark| rest.starts_with(mark)) {
            2
        } else {
            first.len_utf8()
        };
        if first == '\n' {
            line += 1;
        }
        if !first.is_whitespace() {
            let text = &rest[..length];
            found.push(Token { text, line });
        }
        at += length;
    }
    found
}

/// Removes what only tests see: the item after each `#[cfg(test)]`.
pub(super) fn without_tests(code: &str) -> String {
    let mut code = code.to_owned();
    while let Some(start) = code.find("#[cfg(test)]") {
        let end = item_end(&code, start + 1);
        let gone: String = code[start..end].chars().map(hide).collect();
        code.replace_range(start..end, &gone);
    }
    code
}

fn item_end(code: &str, from: usize) -> usize {
    let (mut depth, mut brackets) = (0usize, 0usize);
    for (at, each) in code[from..].char_indices() {
        match each {
            '[' | '(' => brackets += 1,
            ']' | ')' => brackets = brackets.saturating_sub(1),
            '{' => depth += 1,
            '}' if depth <= 1 => return from + at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 && brackets == 0 => return from + at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Returns every path, with those of `use` spelt out one by one.
pub(super) fn paths(tokens: &[Token<'_>]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.text == "use" {
            at = imports(tokens, at + 1, &mut found);
        } else if token.text.starts_with(is_word) || token.text == "::" {
            at = plain_path(tokens, at, &mut found);
        } else {
            at += 1;
        }
    }
    found
}

fn plain_path(tokens: &[Token<'_>], start: usize, found: &mut Vec<Path>) -> usize {
    let absolute = tokens[start].text == "::";
    let mut segments = Vec::new();
    let mut at = start + usize::from(absolute);
    while let Some(token) = tokens.get(at) {
        if !token.text.starts_with(is_word) {
            break;
        }
        segments.push(token.text.to_owned());
        if tokens.get(at + 1).is_none_or(|next| next.text != "::") {
            at += 1;
            break;
        }
        at += 2;
    }
    let line = tokens[start].line;
    // `value.method` and `Self` parts are no paths of their own; what follows a `>` belongs to it.
    let behind = start.checked_sub(1).map_or("", |before| tokens[before].text);
    if segments.len() > 1 && behind != "." && behind != ">" {
        found.push(Path {
            segments,
            line,
            absolute,
            imported: false,
        });
    }
    at.max(start + 1)
}

fn imports(tokens: &[Token<'_>], start: usize, found: &mut Vec<Path>) -> usize {
    let absolute = tokens.get(start).is_some_and(|token| token.text == "::");
    let mut stack: Vec<Vec<String>> = Vec::new();
    let mut current: Vec<String> = Vec::new();
    let mut open = false;
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" => {
                stack.push(current.clone());
                open = false;
            }
            "," | "}" | ";" => {
                if open {
                    let segments = current.clone();
                    found.push(Path {
                        segments,
                        line: token.line,
                        absolute,
                        imported: true,
                    });
                }
                open = false;
                if token.text == "}" {
                    stack.pop();
                }
                current = stack.last().cloned().unwrap_or_default();
            }
            "::" => {}
            "as" => at += 1,
            "self" if !current.is_empty() => open = true,
            segment => {
                current.push(segment.to_owned());
                open = true;
            }
        }
        at += 1;
        if token.text == ";" {
            break;
        }
    }
    at
}

/// Returns every function with a body or a signature.
pub(super) fn functions(tokens: &[Token<'_>]) -> Vec<Function> {
    let is_fn = |at: &usize| tokens[*at].text == "fn";
    let starts = (0..tokens.len()).filter(is_fn);
    starts.filter_map(|at| function(tokens, at)).collect()
}

fn function(tokens: &[Token<'_>], at: usize) -> Option<Function> {
    let name = tokens.get(at + 1).filter(|token| token.text != "(")?;
    let mut cursor = at + 2;
    if tokens.get(cursor)?.text == "<" {
        cursor = closing(tokens, cursor)? + 1;
    }
    let end = closing(tokens, cursor)?;
    let parameters = count_items(&tokens[cursor + 1..end]);
    let mut depth = 0usize;
    let body = (end + 1..tokens.len()).find(|at| match tokens[*at].text {
        "(" | "[" => {
            depth += 1;
            false
        }
        ")" | "]" => {
            depth = depth.saturating_sub(1);
            false
        }
        "{" | ";" => depth == 0,
        _ => false,
    })?;
    let lines = match tokens[body].text {
        "{" => count_lines(&tokens[body + 1..closing(tokens, body)?]),
        _ => 0,
    };
    let given = is_given(tokens, at);
    Some(Function {
        name: name.text.to_owned(),
        line: tokens[at].line,
        lines,
        parameters: if given { 0 } else { parameters },
    })
}

/// Says whether a function stands in `impl Trait for Type`: the trait gives its parameters.
fn is_given(tokens: &[Token<'_>], at: usize) -> bool {
    (0..at)
        .rev()
        .filter(|start| tokens[*start].text == "impl")
        .any(|start| {
            let open = (start..at).find(|place| matches!(tokens[*place].text, "{" | ";"));
            let inside = open.and_then(|open| closing(tokens, open)).is_some_and(|end| end > at);
            inside && open.is_some_and(|open| tokens[start..open].iter().any(|token| token.text == "for"))
        })
}

/// Returns the place of the mark that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let (opens, closes) = match tokens.get(open)?.text {
        "(" => ("(", ")"),
        "<" => ("<", ">"),
        "{" => ("{", "}"),
        _ => return None,
    };
    let mut depth = 0usize;
    (open..tokens.len()).find(|at| {
        if tokens[*at].text == opens {
            depth += 1;
        } else if tokens[*at].text == closes {
            depth -= 1;
        }
        depth == 0
    })
}

fn count_items(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0usize;
    let mut items = 0;
    let mut open = false;
    for token in tokens {
        match token.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                open = false;
                continue;
            }
            _ => {}
        }
        items += usize::from(!open);
        open = true;
    }
    items
}

fn count_lines(tokens: &[Token<'_>]) -> usize {
    let mut lines: Vec<usize> = tokens.iter().map(|token| token.line).collect();
    lines.dedup();
    lines.len()
}
