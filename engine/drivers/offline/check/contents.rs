//! Tables of contents that do not say what the headings say.

use super::anchor::{headings, normal};
use super::link::{Link, links};
use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::{Head, Page, PageLine};
use crate::syntax::LineKind;
use std::collections::{HashMap, HashSet};

/// Entries of a table of contents that match no heading.
pub(super) const CHECK: Check = Check {
    name: "contents-entry",
    claims: &[NO_HEADING, OTHER_HEADING],
    needs: "the author says which heading is meant",
    about: About::Form,
    find,
};

const NO_HEADING: &str = "the table of contents lists \"{}\" and no heading says that";
const OTHER_HEADING: &str = "the table of contents lists \"{}\" and leads to the heading \"{}\"";
/// How a heading says that a table of contents follows.
const TITLES: &[&str] = &["table of contents", "contents", "toc", "index of sections"];
/// The fewest entries that have to match before one that does not is wrong.
const FEWEST: usize = 2;

/// An entry of a table of contents.
struct Entry<'p> {
    line: PageLine<'p>,
    title: String,
    /// The heading it leads to, where it is a link that leads to one.
    leads_to: Option<&'p str>,
    is_link: bool,
}

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let known: HashSet<String> = page.headings.iter().map(|heading| plain(&heading.text)).collect();
    let mut found = Vec::new();
    for entries in tables(page) {
        let matches = |entry: &Entry<'_>| match entry.leads_to {
            Some(heading) => is_same(&entry.title, heading),
            None => entry.is_link || known.contains(&plain(&entry.title)),
        };
        let right = entries.iter().filter(|entry| matches(entry)).count();
        let wrong: Vec<&Entry<'_>> = entries.iter().filter(|entry| !matches(entry)).collect();
        if right < FEWEST || wrong.len() > right {
            continue;
        }
        for entry in wrong {
            found.push(finding(entry));
        }
    }
    found
}

fn finding(entry: &Entry<'_>) -> Finding {
    let (message, evidence) = match entry.leads_to {
        Some(heading) => (
            say(OTHER_HEADING, [&entry.title, heading]),
            format!("its anchor is that of \"{heading}\""),
        ),
        None => (
            say(NO_HEADING, [&entry.title]),
            "the other entries say what headings say".to_owned(),
        ),
    };
    Finding {
        check: CHECK.name,
        severity: Severity::Low,
        range: entry.line.start..entry.line.end(),
        message,
        evidence,
        suggestion: "let the entry say what the heading says".to_owned(),
        repair: Vec::new(),
    }
}

/// Returns the entries of every table of contents.
fn tables(page: &Page) -> Vec<Vec<Entry<'_>>> {
    let is_table = |heading: &&Head| TITLES.contains(&plain(&heading.text).as_str());
    let tables: Vec<&Head> = page.headings.iter().filter(is_table).collect();
    if tables.is_empty() {
        return Vec::new();
    }
    let (links, headings) = (links(page), headings(page));
    let lines: Vec<PageLine<'_>> = page.lines().collect();
    let entries = |heading: &Head| {
        let below = lines.get(heading.line + 1..).unwrap_or_default();
        let own = below
            .iter()
            .take_while(|line| !matches!(line.kind, LineKind::Heading(_)));
        let items = own.filter(|line| line.kind == LineKind::Item);
        items.filter_map(|line| entry(*line, &links, &headings)).collect()
    };
    tables.into_iter().map(entries).collect()
}

fn entry<'p>(line: PageLine<'p>, links: &[Link], headings: &HashMap<String, &'p str>) -> Option<Entry<'p>> {
    let mark = line.visible.trim_start();
    let text = mark.split_once(' ').map_or("", |(_, rest)| rest).trim();
    let range = line.start..line.end();
    let first = links.partition_point(|link| link.range.start < range.start);
    let mut own = links[first..]
        .iter()
        .take_while(|link| range.contains(&link.range.start));
    let (link, more) = (own.next(), own.next());
    if more.is_some() || text.is_empty() {
        return None;
    }
    let Some(link) = link else {
        // A sentence is a remark about the contents.
        let is_title = text.split_whitespace().count() <= 10 && !text.ends_with('.');
        return is_title.then(|| Entry {
            line,
            title: text.to_owned(),
            leads_to: None,
            is_link: false,
        });
    };
    let (_, inside) = text.split_once('[')?;
    let (title, _) = inside.split_once("](")?;
    let anchor = link.target.strip_prefix('#');
    Some(Entry {
        line,
        title: title.to_owned(),
        leads_to: anchor.and_then(|anchor| headings.get(&normal(anchor)).copied()),
        is_link: true,
    })
}

/// Says whether an entry means a heading: one says all the words of the other, or is its initials.
fn is_same(title: &str, heading: &str) -> bool {
    let (one, other) = (plain(title), plain(heading));
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<HashSet<String>>();
    let (left, right) = (words(&one), words(&other));
    let initials: String = other.split(' ').filter_map(|word| word.chars().next()).collect();
    let is_initials = one.len() > 1 && initials.starts_with(&one);
    one.is_empty() || other.is_empty() || left.is_subset(&right) || right.is_subset(&left) || is_initials
}

/// Returns the words of a title: without marks, numbers before them and differences of case.
fn plain(title: &str) -> String {
    let lower = title.to_lowercase().replace('&', " and ");
    let words = lower
        .split(|each: char| !each.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let number = words
        .iter()
        .take_while(|word| word.chars().all(|each| each.is_ascii_digit()))
        .count();
    let rest = if number < words.len() {
        &words[number..]
    } else {
        &words[..]
    };
    rest.join(" ")
}
