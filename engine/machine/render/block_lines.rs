//! A template of the engine's own in, the same template out whose lines of blocks leave no line behind.
//!
//! The end of such a line moves into a comment, so that every block keeps the number of its line.

use std::ops::Range;

/// How many bytes open or close a mark.
const BRACES: usize = 2;

/// Makes lines vanish that hold nothing but blocks and comments; every other line keeps its indent and its end.
pub fn without_block_lines(template: &str) -> String {
    let marks = marks(template);
    let mut made = String::with_capacity(template.len());
    let mut done = 0;
    let mut at = 0;
    while let Some(first) = marks.get(at) {
        let begin = template[..first.start].rfind('\n').map_or(0, |end| end + 1);
        let line = (begin >= done && is_blank(&template[begin..first.start]))
            .then(|| alone(template, &marks[at..]))
            .flatten();
        let Some((count, end)) = line else {
            made.push_str(&template[done..first.end]);
            done = first.end;
            at += 1;
            continue;
        };
        made.push_str(&template[done..begin]);
        for mark in &marks[at..at + count - 1] {
            made.push_str(&template[mark.clone()]);
        }
        let last = &marks[at + count - 1];
        push_closed(
            &mut made,
            &template[last.clone()],
            template[last.end..end].trim_start_matches([' ', '\t']),
        );
        done = end;
        at += count;
    }
    made.push_str(&template[done..]);
    made
}

/// Returns how many marks are all that is left of a line, and where the line ends.
fn alone(template: &str, marks: &[Range<usize>]) -> Option<(usize, usize)> {
    let mut count = 0;
    loop {
        let mark = marks.get(count)?;
        let text = &template[mark.clone()];
        // A plus says that white space stays as it is written.
        let stays = text[BRACES..].starts_with('+') || text[..text.len() - BRACES].ends_with('+');
        if stays || text.starts_with("{{") {
            return None;
        }
        count += 1;
        let rest = &template[mark.end..];
        let line = rest.find('\n').map_or(rest, |end| &rest[..=end]);
        if is_blank(line) {
            return Some((count, mark.end + line.len()));
        }
        let next = marks.get(count)?;
        if next.start > mark.end + line.len() || !is_blank(&template[mark.end..next.start]) {
            return None;
        }
    }
}

/// Adds the last mark of a line, and the end of that line where it is not shown.
fn push_closed(made: &mut String, mark: &str, end: &str) {
    let (open, close) = mark.split_at(mark.len() - BRACES);
    let trims = open.len() > BRACES && open.ends_with('-');
    if word(mark) == Some("raw") {
        // What follows is shown as it is, comments too.
        let (open, sign) = open.split_at(open.len() - usize::from(trims));
        made.extend([open, end, sign, close]);
    } else {
        made.push_str(mark);
        if !end.is_empty() {
            made.extend(["{#", end, if trims { "-#}" } else { "#}" }]);
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Lists the marks of a template in order, up to one that is never closed; what is raw has none inside.
fn marks(template: &str) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(start) = next_open(template, from) {
        let Some(end) = end_of(template, start) else { break };
        marks.push(start..end);
        from = match word(&template[start..end]) {
            Some("raw") => end_raw(template, end).unwrap_or(template.len()),
            Some(_) | None => end,
        };
    }
    marks
}

fn next_open(template: &str, from: usize) -> Option<usize> {
    let opens = template[from..].match_indices('{').map(|(at, _)| from + at);
    let mut marks = opens.filter(|at| matches!(template.as_bytes().get(at + 1), Some(b'%' | b'#' | b'{')));
    marks.next()
}

/// Returns where a mark ends; a text in quotes inside it does not end it.
fn end_of(template: &str, start: usize) -> Option<usize> {
    let bytes = template.as_bytes();
    let close: &[u8] = match bytes.get(start + 1)? {
        b'#' => return Some(start + template[start..].find("#}")? + BRACES),
        b'%' => b"%}",
        _ => b"}}",
    };
    let mut at = start + BRACES;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while *bytes.get(at)? != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            _ if bytes[at..].starts_with(close) => return Some(at + BRACES),
            _ => at += 1,
        }
    }
    None
}

/// Returns the only word of a block, such as `raw`.
fn word(mark: &str) -> Option<&str> {
    let inner = mark.strip_prefix("{%")?.strip_suffix("%}")?;
    let inner = inner.strip_prefix(['-', '+']).unwrap_or(inner);
    Some(inner.strip_suffix(['-', '+']).unwrap_or(inner).trim())
}

/// Returns where the block begins that ends what is raw.
fn end_raw(template: &str, from: usize) -> Option<usize> {
    let mut blocks = template[from..].match_indices("{%").map(|(at, _)| from + at);
    blocks.find(|start| {
        let end = template[*start..].find("%}").map(|end| start + end + BRACES);
        end.is_some_and(|end| word(&template[*start..end]) == Some("endraw"))
    })
}

#[cfg(test)]
mod tests {
    use super::without_block_lines;

    fn same(template: &str) {
        assert_eq!(without_block_lines(template), template);
    }

    #[test]
    fn the_end_of_a_line_of_blocks_moves_into_a_comment() {
        assert_eq!(
            without_block_lines("a\n  {% if x %} {# why #}  \r\nb\n{% endif -%}\n"),
            "a\n{% if x %}{# why #}{#\r\n#}b\n{% endif -%}{#\n-#}"
        );
        assert_eq!(without_block_lines("a\n\t{% endif %}"), "a\n{% endif %}");
        assert_eq!(
            without_block_lines("{% set x = [\n1] %}\nb"),
            "{% set x = [\n1] %}{#\n#}b"
        );
    }

    #[test]
    fn other_lines_stay() {
        same("a: {% if x %}yes{% endif %}\nb\n");
        same("  {% if x %}yes{% endif %}\nb");
        same("{{ x }}\n{{ '{%' }}\n");
        same("{%+ if x %}\n{% endif +%}\n");
        same("{% if '%}\n");
    }

    #[test]
    fn what_is_raw_holds_no_blocks() {
        assert_eq!(
            without_block_lines("{% raw %}\n{% if x %}\n{% endraw %}\n"),
            "{% raw \n%}{% if x %}\n{% endraw %}{#\n#}"
        );
    }
}
