//! A document in, findings out: what can be shown to be wrong without understanding a word.
//!
//! Code, inline code and comments are left alone: what they say is shown, not meant.

mod anchor;
mod conflict;
mod contents;
mod date;
mod emphasis;
mod fence;
mod footnote;
mod heading;
mod identifier;
mod image;
mod link;
mod list;
mod mark;
mod matter;
mod measure;
mod placeholder;
mod reference;
mod story;
mod table;
mod task;
mod value;
mod word;

use super::claim::{is_said, say};
pub(super) use super::finding::{Change, Finding, Severity};
use super::page::Page;
use std::collections::{BTreeMap, HashMap};

/// The most findings of one document; a document with more is wrong in one way a thousand times.
const MOST: usize = 1000;
/// What the finding is called that counts those above the most.
const UNLISTED: &str = "unlisted";
const MORE: &str = "{} more findings of this document are not listed";
/// The most other lines that a finding names.
const MOST_LINES: usize = 10;

/// Words of a line that speaks about placeholders and marks.
const ABOUT: &[&str] = &[
    "placeholder",
    "marker",
    "remain",
    "search for",
    "look for",
    "unresolved",
];

/// One kind of mistake that can be shown.
#[derive(Clone, Copy)]
pub(super) struct Check {
    pub(super) name: &'static str,
    /// How its claims read; `{}` stands for words of the document.
    pub(super) claims: &'static [&'static str],
    /// What is missing where a mistake cannot be put right by rule, and who could give it.
    pub(super) needs: &'static str,
    pub(super) about: About,
    find: fn(&Page, Exists<'_>) -> Vec<Finding>,
}

/// What a check looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// How a page is written: fences, tables, lists, marks.
    Form,
    /// What a document says; a workflow or a template says it of documents to come.
    Content,
}

/// Says whether a path, as seen from the folder of the document, leads to something; none where that cannot be known.
pub(super) type Exists<'a> = &'a dyn Fn(&str) -> Option<bool>;

/// Every check, in the order its findings are told.
pub(super) const CHECKS: &[Check] = &[
    link::FILES,
    image::CHECK,
    link::HEADINGS,
    reference::CHECK,
    footnote::UNDEFINED,
    footnote::UNUSED,
    contents::CHECK,
    identifier::UNDEFINED,
    identifier::DUPLICATE,
    story::CHECK,
    value::CHECK,
    task::CHECK,
    date::CHECK,
    placeholder::CHECK,
    mark::CHECK,
    heading::EMPTY,
    heading::JUMP,
    heading::DUPLICATE,
    fence::CHECK,
    table::CHECK,
    list::CHECK,
    emphasis::BOLD,
    emphasis::CODE,
    word::CHECK,
    conflict::CHECK,
    matter::CHECK,
];

/// Runs checks over a Markdown document; findings come in the order of its lines, one for each place.
pub(super) fn every(page: &Page, exists: Exists<'_>, checks: &[&Check]) -> Vec<Finding> {
    let mut found: Vec<Finding> = checks.iter().flat_map(|check| (check.find)(page, exists)).collect();
    found.retain(|finding| !speaks_about(page, finding));
    found.sort_by_key(|finding| finding.range.start);
    found
}

/// Runs checks over a Markdown document; what is wrong in the same way twice in a section is told once.
pub(super) fn document(page: &Page, exists: Exists<'_>, checks: &[&Check]) -> Vec<Finding> {
    told_once(page, every(page, exists, checks))
}

/// Keeps those checks that make sense for any text.
pub(super) fn of_any_text(checks: &[&'static Check]) -> Vec<&'static Check> {
    let fits = |check: &&Check| [mark::CHECK.name, conflict::CHECK.name].contains(&check.name);
    checks.iter().copied().filter(fits).collect()
}

/// Returns the check that makes claims like this one; none where somebody else made it.
pub(super) fn author(claim: &str) -> Option<&'static Check> {
    let makes = |check: &&Check| check.claims.iter().any(|form| is_said(form, claim));
    CHECKS.iter().find(makes)
}

/// Keeps the first of findings that say the same of the same section, and lets it name the lines of the others.
///
/// A claim and a section are all that a finding is known by when it comes back to be judged.
fn told_once(page: &Page, found: Vec<Finding>) -> Vec<Finding> {
    let mut first: HashMap<(&'static str, String, String), usize> = HashMap::new();
    let mut others: Vec<Vec<u32>> = Vec::new();
    let mut told: Vec<Finding> = Vec::new();
    for finding in found {
        let key = (finding.check, finding.section(page).to_owned(), finding.message.clone());
        match first.get(&key) {
            Some(at) => others[*at].push(page.line(finding.range.start)),
            None => {
                first.insert(key, told.len());
                told.push(finding);
                others.push(Vec::new());
            }
        }
    }
    for (finding, mut lines) in told.iter_mut().zip(others) {
        let line = page.line(finding.range.start);
        lines.retain(|other| *other != line);
        lines.dedup();
        if !lines.is_empty() {
            let more = if lines.len() > MOST_LINES { " and more" } else { "" };
            let lines: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
            finding.evidence = format!("{}; again on line {}{more}", finding.evidence, lines.join(", "));
        }
    }
    let rest = told.split_off(told.len().min(MOST));
    told.extend(unlisted(&rest));
    told
}

/// Makes one finding of those that are too many to be listed, so that nobody takes the list for all there is.
fn unlisted(rest: &[Finding]) -> Option<Finding> {
    let first = rest.first()?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in rest {
        *counts.entry(finding.check).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{count} by {name}"))
        .collect();
    Some(Finding {
        check: UNLISTED,
        severity: rest
            .iter()
            .map(|finding| finding.severity)
            .max()
            .unwrap_or(first.severity),
        message: say(MORE, [&rest.len().to_string()]),
        evidence: format!("{MOST} are listed; found beside them: {}", counts.join(", ")),
        suggestion: "put right what is listed, then review the document again".to_owned(),
        repair: Vec::new(),
        range: first.range.clone(),
    })
}

/// Says whether the line of a finding speaks about such findings: "no [x] markers remain" is a rule, not a gap.
fn speaks_about(page: &Page, finding: &Finding) -> bool {
    if !matches!(finding.check, "placeholder" | "open-mark") {
        return false;
    }
    let (start, end) = page.near(finding.range.start);
    let before = page.text().get(start..finding.range.start).unwrap_or("");
    let after = page
        .text()
        .get(finding.range.end..end.max(finding.range.end))
        .unwrap_or("");
    let line = format!("{before} {after}").to_lowercase();
    ABOUT.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests;
