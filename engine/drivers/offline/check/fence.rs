//! Fences that open and never close.

use super::{About, Change, Check, Exists, Finding, Severity};
use crate::drivers::offline::page::Page;
use crate::syntax::Fence;

/// Fences that open and never close.
pub(super) const CHECK: Check = Check {
    name: "unbalanced-fence",
    claims: &[OPEN, SWALLOWS],
    needs: "the author says where the code ends",
    about: About::Form,
    find,
};

const OPEN: &str = "this code fence is opened and never closed: all that follows reads as code";
const SWALLOWS: &str = "this code fence is not closed before the next one opens: what stands between reads as code";

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let fences = &page.parsed.markdown.fences;
    let mut found = Vec::new();
    for fence in fences {
        let (message, evidence, repair) = if !fence.is_closed() {
            let evidence = "no line up to the end closes it".to_owned();
            (OPEN, evidence, closing(page, fence))
        } else if let Some(line) = swallowed(page, fence) {
            (SWALLOWS, format!("line {line} opens another"), None)
        } else {
            continue;
        };
        let start = fence.span.range().start;
        found.push(Finding {
            check: CHECK.name,
            severity: Severity::High,
            range: start..page.line_range(start).1,
            message: message.to_owned(),
            evidence,
            suggestion: "close the fence where the code ends".to_owned(),
            repair: repair.into_iter().collect(),
        });
    }
    found
}

/// Closes a fence at the end of the document, where all that follows can only be code.
fn closing(page: &Page, fence: &Fence) -> Option<Change> {
    let text = page.text();
    let body = text.get(fence.body.range())?;
    let start = fence.span.range().start;
    let before = &text[page.line_range(start).0..start];
    if !before.trim().is_empty() || fence.body.range().end < text.len() || reads_as_text(body) {
        return None;
    }
    let mark: String = text[start..]
        .chars()
        .take_while(|each| matches!(each, '`' | '~'))
        .collect();
    let end = text.trim_end_matches(['\n', '\r', ' ']).len();
    Some(Change {
        start: end,
        end,
        new: format!("\n{before}{mark}"),
    })
}

/// Says whether what a fence runs over may be more than its code: headings, items or other fences after a blank line.
fn reads_as_text(body: &str) -> bool {
    let mut after_blank = false;
    for line in body.lines() {
        let begins = line.trim_start();
        let is_title = begins.starts_with("## ") || begins.starts_with("### ");
        let is_fence = begins.starts_with("```") || begins.starts_with("~~~");
        let is_text = after_blank && !line.starts_with([' ', '\t']) && reads(begins);
        if is_title || is_fence || is_text {
            return true;
        }
        after_blank = begins.is_empty();
    }
    false
}

/// Says whether a line reads as a sentence, an item or a row of a table.
fn reads(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let is_mark = ["- ", "* ", "| ", "> ", "1. ", "# "]
        .iter()
        .any(|mark| line.starts_with(mark));
    let is_sentence = line.starts_with(char::is_uppercase) && words >= 4 && !line.contains(['{', ';', '=']);
    is_mark || is_sentence
}

/// Returns the line inside a fence that opens another fence of the same kind.
fn swallowed(page: &Page, fence: &Fence) -> Option<u32> {
    let text = page.text();
    let range = fence.span.range();
    let mark = text.get(range.start..)?.chars().take_while(|each| *each == '`').count();
    // A page about pages shows fences inside a fence.
    let language = text.get(fence.language.range()).unwrap_or("").to_lowercase();
    if mark == 0 || matches!(language.as_str(), "markdown" | "md" | "mdx") {
        return None;
    }
    let indent = range.start - page.line_range(range.start).0;
    let mut at = fence.body.range().start;
    for line in text.get(fence.body.range())?.split_inclusive('\n') {
        let begins = line.trim_start();
        let count = begins.chars().take_while(|each| *each == '`').count();
        let opens = begins[count..].starts_with(|each: char| each.is_ascii_lowercase());
        if count == mark && opens && line.len() - begins.len() == indent && !begins[count..].contains('`') {
            return Some(page.line(at));
        }
        at += line.len();
    }
    None
}
