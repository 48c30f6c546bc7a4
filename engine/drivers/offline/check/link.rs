//! Links that lead nowhere.

use super::anchor::{anchors, attributes, normal, slugs};
use super::{About, Change, Check, Exists, Finding, Severity};
use crate::diagnostic::nearest;
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use std::collections::HashSet;
use std::ops::Range;

/// What a link without an extension may stand for.
const ENDINGS: &[&str] = &["", ".md", ".mdx", ".html", "/index.md", "/index.mdx", "/README.md"];

/// Targets that stand for any target.
const WORDS: &[&str] = &["url", "URL", "link", "href", "path", "target", "file", "image"];
/// The longest target that is read.
const LONGEST: usize = 2000;

/// A link or an image.
pub(super) struct Link {
    pub(super) target: String,
    pub(super) range: Range<usize>,
    pub(super) is_image: bool,
}

/// Links to files that are not there.
pub(super) const FILES: Check = Check {
    name: "dead-link",
    claims: &[DEAD_FILE],
    needs: "the author says which file is meant, or adds it",
    about: About::Content,
    find: files,
};

/// Links to headings of the same page that it does not have.
pub(super) const HEADINGS: Check = Check {
    name: "dead-anchor",
    claims: &[DEAD_ANCHOR],
    needs: "the author says which heading is meant",
    about: About::Form,
    find: headings,
};

const DEAD_FILE: &str = "the link to {} leads to no file";
const DEAD_ANCHOR: &str = "no heading of this document has the anchor #{}";

fn files(page: &Page, exists: Exists<'_>) -> Vec<Finding> {
    let dead = links(page)
        .into_iter()
        .filter(|link| !link.is_image && is_dead(&link.target, exists));
    dead.map(|link| Finding {
        check: FILES.name,
        severity: Severity::High,
        range: link.range,
        message: say(DEAD_FILE, [&link.target]),
        evidence: format!(
            "seen from the folder of the document there is no file `{}`",
            link.target
        ),
        suggestion: "write the path of the file that is meant, or take the link out".to_owned(),
        repair: Vec::new(),
    })
    .collect()
}

/// Says whether a target is a file of the project that is not there.
pub(super) fn is_dead(target: &str, exists: Exists<'_>) -> bool {
    let Some(path) = file_of(target) else { return false };
    let trimmed = path.trim_end_matches('/');
    let known: Vec<bool> = ENDINGS
        .iter()
        .filter_map(|ending| exists(&format!("{trimmed}{ending}")))
        .collect();
    !known.is_empty() && !known.contains(&true)
}

fn headings(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let known = anchors(page);
    let slugs = slugs(page);
    let mut found = Vec::new();
    for link in links(page) {
        let Some(anchor) = link.target.strip_prefix('#') else {
            continue;
        };
        let wanted = normal(&decoded(anchor));
        let is_free = wanted.is_empty() || wanted == "top" || wanted.starts_with(":~:");
        if is_free || is_template(anchor) || known.contains(&wanted) {
            continue;
        }
        let near = only_near(&wanted, &slugs);
        let suggestion = match &near {
            Some(slug) => format!("write #{slug}: no other heading is near"),
            None => "write the anchor of the heading that is meant".to_owned(),
        };
        let repair = near.map(|new| Change {
            start: link.range.start,
            end: link.range.end,
            new: format!("#{new}"),
        });
        found.push(Finding {
            check: HEADINGS.name,
            severity: Severity::Medium,
            range: link.range.clone(),
            message: say(DEAD_ANCHOR, [anchor]),
            evidence: format!("{} anchors of this document were compared", known.len()),
            suggestion,
            repair: repair.into_iter().collect(),
        });
    }
    found
}

/// Returns the one anchor that a misspelt one can mean.
fn only_near(wanted: &str, slugs: &[String]) -> Option<String> {
    let near = nearest(wanted, slugs.iter().map(String::as_str))?.to_owned();
    let others = slugs.iter().map(String::as_str).filter(|slug| *slug != near);
    let is_only = nearest(wanted, others).is_none();
    let is_plain = near
        .chars()
        .all(|each| each.is_alphanumeric() || matches!(each, '-' | '_'));
    (is_only && is_plain).then_some(near)
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
    // A target from the root belongs to a site, whose routes are no files; a bare word such as `url` stands for any.
    let is_foreign =
        WORDS.contains(&path) || path.is_empty() || path.starts_with(['/', '\\', '~']) || scheme || path.contains('@');
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

/// Returns every link and image of a page.
pub(super) fn links(page: &Page) -> Vec<Link> {
    let prose = page.prose.as_str();
    let images = images(prose);
    let mut found: Vec<Link> = prose
        .match_indices("](")
        .filter_map(|(at, _)| {
            let link = inline(prose, at + 2)?;
            let is_image = images.contains(&at);
            Some(Link { is_image, ..link })
        })
        .collect();
    found.extend(definitions(prose));
    for (name, is_image) in [("src=", true), ("href=", false)] {
        found.extend(attributes(prose, name).map(|(at, value)| Link {
            target: value.to_owned(),
            range: at..at + value.len(),
            is_image,
        }));
    }
    found.retain(|link| !link.target.is_empty());
    found.sort_by_key(|link| link.range.start);
    found
}

/// Returns where the texts of images end: the `]` that belongs to each `![`.
fn images(text: &str) -> HashSet<usize> {
    let mut open: Vec<bool> = Vec::new();
    let mut found = HashSet::new();
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'[' => open.push(at > 0 && bytes[at - 1] == b'!'),
            b']' if open.pop() == Some(true) => {
                found.insert(at);
            }
            // An image does not reach over a paragraph.
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => open.clear(),
            _ => {}
        }
    }
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
            is_image: false,
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
        is_image: false,
    })
}

/// Returns the names that lines such as `[name]: target` define, whatever they lead to.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let inside = line.trim_start_matches([' ', '>']).strip_prefix('[')?;
        let (name, _) = inside.split_once("]:")?;
        (!name.is_empty() && !name.starts_with('^')).then_some(name)
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
                is_image: false,
            });
        }
    }
    found
}
