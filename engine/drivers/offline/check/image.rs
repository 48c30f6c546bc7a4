//! Images that are not there.

use super::link::{is_dead, links};
use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;

/// Images without a file.
pub(super) const CHECK: Check = Check {
    name: "dead-image",
    claims: &[DEAD],
    needs: "the author says which image is meant, or adds it",
    about: About::Content,
    find,
};

const DEAD: &str = "the image {} is not there";

fn find(page: &Page, exists: Exists<'_>) -> Vec<Finding> {
    let dead = links(page)
        .into_iter()
        .filter(|link| link.is_image && is_dead(&link.target, exists));
    dead.map(|link| Finding {
        check: CHECK.name,
        severity: Severity::High,
        range: link.range,
        message: say(DEAD, [&link.target]),
        evidence: format!(
            "seen from the folder of the document there is no file `{}`",
            link.target
        ),
        suggestion: "add the image, or take its place out of the text".to_owned(),
        repair: Vec::new(),
    })
    .collect()
}
