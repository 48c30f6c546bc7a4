//! Links that lead nowhere.

use super::anchor::{anchors, attributes, normal};
use super::{Exists, Finding, Severity};
use crate::drivers::offline::page::Page;
use std::ops::Range;

/// What a link without an extension may stand for.
const ENDINGS: &[&str] = &["", ".md", ".mdx", ".html", "/index.md", "/index.mdx", "/README.md"];

/// The longest target that is read.
const LONGEST: usize = 2000;

/// A link or an image.
struct Link {
    target: String,
    range: Range<usize>,
}

/// Finds links and images to files that are not there.
pub(super) fn files(page: &Page, exists: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for link in links(page) {
        let Some(path) = file_of(&link.target) else { continue };
        let trimmed = path.trim_end_matches('/');
        let known: Vec<bool> = ENDINGS
            .iter()
            .filter_map(|ending| exists(&format!("{trimmed}{ending}")))
            .collect();
        if !known.is_empty() && !known.contains(&true) {
            found.push(Finding {
                check: "dead-link",
                severity: Severity::High,
                range: link.range,
                message: format!("the link to {} leads to no file", link.target),
            });
        }
    }
    found
}

/// Finds links to headings of the same page that it does not have.
pub(super) fn headings(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let known = anchors(page);
    let mut found = Vec::new();
    for link in links(page) {
        let Some(anchor) = link.target.strip_prefix('#') else {
            continue;
        };
        let wanted = normal(&decoded(anchor));
        let is_free = wanted.is_empty() || wanted == "top" || wanted.starts_with(":~:");
        if !is_free && !is_template(anchor) && !known.contains(&wanted) {
            found.push(Finding {
                check: "dead-anchor",
                severity: Severity::Medium,
                range: link.range,
                message: format!("no heading of this document has the anchor #{anchor}"),
            });
        }
    }
    found
}

/// Returns the path of a target that is a file of the same project, as seen from the page.
fn file_of(target: &str) -> Option<String> {
    let end = target.find(['#', '?']).unwrap_or(target.len());
    let path = &target[..end];
    let scheme = path.split_once(':').is_some_and(|(name, _)| {
        name.len() > 1
            && name
                .chars()
                .all(|each| each.is_ascii_alphanumeric() || "+.-".contains(each))
    });
    // A target from the root belongs to a site, whose routes are no files.
    let is_foreign = path.is_empty() || path.starts_with(['/', '\\', '~']) || scheme || path.contains('@');
    (!is_foreign && !is_template(path)).then(|| decoded(path).replace('\\', "/"))
}

fn is_template(path: &str) -> bool {
    path.contains(['{', '}', '$', '*', '<', '>', '|', '…']) || path.contains("...")
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut made = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text
            .get(at + 1..at + 3)
            .filter(|_| *byte == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        made.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&made).into_owned()
}

fn links(page: &Page) -> Vec<Link> {
    let prose = page.prose.as_str();
    let mut found: Vec<Link> = prose
        .match_indices("](")
        .filter_map(|(at, _)| inline(prose, at + 2))
        .collect();
    found.extend(definitions(prose));
    for name in ["src=", "href="] {
        found.extend(attributes(prose, name).map(|(at, value)| Link {
            target: value.to_owned(),
            range: at..at + value.len(),
        }));
    }
    found.retain(|link| !link.target.is_empty());
    found
}

/// Reads `target)`, `target "title")` and `<target>)` from `start`.
fn inline(text: &str, start: usize) -> Option<Link> {
    let rest = text.get(start..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let inside = &rest[blanks..];
    let start = start + blanks;
    if let Some(bare) = inside.strip_prefix('<') {
        let length = bare.find(['>', '\n']).filter(|at| bare[*at..].starts_with('>'))?;
        return Some(Link {
            target: bare[..length].to_owned(),
            range: start + 1..start + 1 + length,
        });
    }
    let mut depth = 0usize;
    let mut end = None;
    for (at, each) in inside.char_indices().take(LONGEST) {
        match each {
            '(' => depth += 1,
            ')' if depth == 0 => {
                end = Some(at);
                break;
            }
            ')' => depth -= 1,
            '[' | ']' => break,
            each if each.is_whitespace() => {
                // A blank inside a target makes it no link, unless what follows is its title.
                let after = inside[at..].trim_start();
                end = after.starts_with(['"', '\'', '(', ')']).then_some(at);
                break;
            }
            _ => {}
        }
    }
    let end = end?;
    Some(Link {
        target: inside[..end].to_owned(),
        range: start..start + end,
    })
}

/// Reads `[name]: target` at the start of lines.
fn definitions(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start();
        let Some(close) = trimmed.strip_prefix('[').and_then(|rest| rest.find("]:")) else {
            continue;
        };
        // A footnote is text, not a target.
        if trimmed.starts_with("[^") || line.len() - trimmed.len() > 3 {
            continue;
        }
        let after = &trimmed[close + 3..];
        let target = after.split_whitespace().next().unwrap_or("");
        let offset = start + (line.len() - trimmed.len()) + close + 3 + (after.len() - after.trim_start().len());
        let bare = target.trim_start_matches('<').trim_end_matches('>');
        // Words after the target that are no title, or a target that is a word, make it a remark in brackets.
        let more = after.trim_start()[target.len()..].trim();
        let is_title = more.is_empty() || more.starts_with(['"', '\'', '(']);
        if is_title && bare.contains(['/', '.', '#']) {
            found.push(Link {
                target: bare.to_owned(),
                range: offset..offset + target.len(),
            });
        }
    }
    found
}
