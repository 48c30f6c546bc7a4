//! Fences that open and never close.

use super::{Exists, Finding, Severity};
use crate::drivers::offline::page::Page;

pub(super) fn check(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let open = page.parsed.markdown.fences.iter().filter(|fence| !fence.is_closed());
    open.map(|fence| {
        let start = fence.span.range().start;
        let end = page.text()[start..]
            .find('\n')
            .map_or(page.text().len(), |at| start + at);
        Finding {
            check: "unbalanced-fence",
            severity: Severity::High,
            range: start..end,
            message: "this code fence is opened and never closed: all that follows reads as code".to_owned(),
        }
    })
    .collect()
}
