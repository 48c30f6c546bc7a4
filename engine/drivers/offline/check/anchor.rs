//! Headings in, the anchors that links can name out.

use crate::drivers::offline::page::Page;
use std::collections::{HashMap, HashSet};

/// The longest heading that is a tag.
const LONGEST: usize = 1000;

/// Returns every anchor of a page, in the form that `normal` gives.
pub(super) fn anchors(page: &Page) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for text in titles(page) {
        let (title, own) = own_id(&text);
        if let Some(own) = own {
            found.insert(normal(own));
        }
        let slug = normal(&slug(title));
        let before = seen.entry(slug.clone()).or_default();
        if *before > 0 {
            found.insert(format!("{slug}-{before}"));
        }
        *before += 1;
        found.insert(slug);
    }
    for attribute in ["id=", "name="] {
        found.extend(attributes(page.text(), attribute).map(|(_, value)| normal(value)));
    }
    found
}

/// Returns the anchors of headings as hosts of documents write them, once each.
pub(super) fn slugs(page: &Page) -> Vec<String> {
    let mut found: Vec<String> = titles(page).iter().map(|text| slug(own_id(text).0)).collect();
    found.sort();
    found.dedup();
    found.retain(|slug| !slug.is_empty());
    found
}

/// Returns the headings by the anchors that lead to them, in the form that `normal` gives.
pub(super) fn headings(page: &Page) -> HashMap<String, &str> {
    let mut found = HashMap::new();
    for heading in &page.headings {
        let (title, own) = own_id(&heading.text);
        let anchors = [Some(normal(&slug(title))), own.map(normal)];
        for anchor in anchors.into_iter().flatten() {
            found.entry(anchor).or_insert(heading.text.as_str());
        }
    }
    found
}

/// Returns an anchor without the differences between those who make anchors: case, and marks that leave hyphens.
pub(super) fn normal(anchor: &str) -> String {
    // Some hosts keep the mark that makes a sign an emoji, others do not.
    let lower = anchor.to_lowercase().replace('\u{fe0f}', "");
    let parts: Vec<&str> = lower.split(['-', '_']).filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

/// Returns what stands between the quotes after each `name=`, with its place.
pub(super) fn attributes<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back()?;
        let rest = &text[at + name.len()..];
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let length = rest[1..].find([quote, '\n'])?;
        (before.is_whitespace()).then(|| (at + name.len() + 1, &rest[1..=length]))
    })
}

/// Headings of all forms: with marks, underlined, and as tags.
fn titles(page: &Page) -> Vec<String> {
    let mut found: Vec<(usize, String)> = page
        .headings
        .iter()
        .map(|heading| (heading.range.start, heading.text.clone()))
        .collect();
    let text = page.text();
    let lines = &page.parsed.markdown.lines;
    for pair in lines.windows(2) {
        let under = text.get(pair[1].range()).unwrap_or("").trim();
        let is_line =
            !under.is_empty() && (under.bytes().all(|byte| byte == b'=') || under.bytes().all(|byte| byte == b'-'));
        let over = text.get(pair[0].range()).unwrap_or("").trim();
        if is_line && !over.is_empty() {
            found.push((pair[0].range().start, over.to_owned()));
        }
    }
    for level in 1..=6 {
        let (open, close) = (format!("<h{level}"), format!("</h{level}>"));
        for (at, _) in text.match_indices(&open) {
            let near = &text[at..text.floor_char_boundary(at + LONGEST)];
            if let Some(length) = near.find(&close)
                && let Some(inside) = near[..length].find('>')
            {
                found.push((at, without_tags(&near[inside + 1..length])));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, title)| title).collect()
}

/// Splits `Title {#own}` into the title and the anchor it asks for.
fn own_id(title: &str) -> (&str, Option<&str>) {
    let cut = title.trim().strip_suffix('}').and_then(|rest| rest.rsplit_once("{#"));
    cut.map_or((title, None), |(title, own)| (title.trim(), Some(own)))
}

/// Makes an anchor the way hosts of documents do: small letters, no marks, hyphens for blanks.
fn slug(title: &str) -> String {
    let plain = without_tags(&link_texts(title));
    let mut made = String::new();
    for each in plain.trim().to_lowercase().chars() {
        if each.is_alphanumeric() || matches!(each, '-' | '_') {
            made.push(each);
        } else if each.is_whitespace() {
            made.push('-');
        }
    }
    made
}

/// Replaces `[text](target)` by its text.
fn link_texts(title: &str) -> String {
    let mut kept = String::new();
    let mut rest = title;
    while let Some(at) = rest.find("](") {
        kept.push_str(&rest[..at]);
        rest = rest[at..].find(')').map_or("", |end| &rest[at + end + 1..]);
    }
    kept.push_str(rest);
    kept
}

fn without_tags(text: &str) -> String {
    let mut kept = String::new();
    let mut is_tag = false;
    for each in text.chars() {
        match each {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            each if !is_tag => kept.push(each),
            _ => {}
        }
    }
    kept
}
