//! Mistakes that are planted into clean documents: nearly all of them are found, and the clean documents have none.

mod links;
mod names;
mod seed;
mod shape;
mod words;

use super::{findings, part};
use bmad::machine::sha256;
use seed::Seed;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The clean documents.
pub(super) const DOCUMENTS: &[(&str, &str)] = &[
    ("prd.md", include_str!("base/prd.md")),
    ("architecture.md", include_str!("base/architecture.md")),
    ("epics.md", include_str!("base/epics.md")),
    ("story.md", include_str!("base/story.md")),
    ("readme.md", include_str!("base/readme.md")),
    ("runbook.md", include_str!("base/runbook.md")),
    ("decision.md", include_str!("base/decision.md")),
];

/// What the documents lead to.
const BESIDE: &[&str] = &[
    "brief.md",
    "glossary.md",
    "interviews/2026-02.md",
    "decisions/0001-one-program.md",
    "images/day-page.png",
    "images/parts.svg",
    "images/license.png",
    "ops/roster.md",
    "docs/handbook.md",
    "docs/handbook.fr.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE",
];

/// Plants one mistake at every place of a document where it can be made.
type Planter = fn(&str) -> Vec<Seed>;

/// Every check with what plants its mistakes.
pub(super) const PLANTERS: &[(&str, Planter)] = &[
    ("dead-link", links::dead_link),
    ("dead-image", links::dead_image),
    ("dead-anchor", links::dead_anchor),
    ("undefined-reference", links::undefined_reference),
    ("undefined-footnote", links::undefined_footnote),
    ("unused-footnote", links::unused_footnote),
    ("contents-entry", links::contents_entry),
    ("undefined-id", names::undefined),
    ("duplicate-id", names::duplicate),
    ("missing-criteria", names::missing_criteria),
    ("conflicting-values", names::conflicting_values),
    ("unfinished-task", names::unfinished_task),
    ("impossible-date", names::impossible_date),
    ("placeholder", words::placeholder),
    ("open-mark", words::open_mark),
    ("empty-section", shape::empty_section),
    ("heading-jump", shape::heading_jump),
    ("duplicate-heading", shape::duplicate_heading),
    ("unbalanced-fence", shape::unbalanced_fence),
    ("ragged-table", shape::ragged_table),
    ("misnumbered-list", shape::misnumbered_list),
    ("unclosed-bold", words::unclosed_bold),
    ("unclosed-code", words::unclosed_code),
    ("doubled-word", words::doubled_word),
    ("merge-conflict", words::merge_conflict),
    ("bad-frontmatter", shape::bad_frontmatter),
];

/// The most mistakes of one kind in one document that are tried.
const MOST: usize = 10;
/// The fewest mistakes of one kind.
const FEWEST: usize = 10;

/// Makes a project whose folder `docs` holds the documents and everything that they lead to.
pub(super) fn harbour() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let documents = DOCUMENTS.iter().copied();
    for (path, text) in documents.chain(BESIDE.iter().map(|path| (*path, "x\n"))) {
        write(folder.path(), path, text);
    }
    folder
}

pub(super) fn write(root: &Path, path: &str, text: &str) {
    let place = root.join("docs").join(path);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(place, text).unwrap();
}

/// Returns planted mistakes of a kind by document, drawn from all places of each.
pub(super) fn planted(planter: Planter) -> Vec<(&'static str, Seed)> {
    let mut found = Vec::new();
    for (path, text) in DOCUMENTS {
        let mut seeds = planter(text);
        seeds.sort_by_key(|seed| sha256(seed.text.as_bytes()));
        found.extend(seeds.into_iter().take(MOST).map(|seed| (*path, seed)));
    }
    found
}

#[test]
fn clean_documents_have_no_findings() {
    let folder = harbour();
    for (path, _) in DOCUMENTS {
        assert_eq!(findings(folder.path(), &format!("docs/{path}")), [], "{path}");
    }
}

#[test]
fn nine_of_ten_planted_mistakes_of_every_kind_are_found() {
    let folder = harbour();
    let mut table = String::from("kind                  planted  found  on clean documents\n");
    let mut missed = String::new();
    let mut poor = Vec::new();
    let mut clean: BTreeMap<String, usize> = BTreeMap::new();
    for (path, _) in DOCUMENTS {
        for finding in findings(folder.path(), &format!("docs/{path}")) {
            *clean.entry(part(&finding, "check")).or_default() += 1;
        }
    }
    for (kind, planter) in PLANTERS {
        let seeds = planted(*planter);
        let mut count = 0;
        for (path, seed) in &seeds {
            write(folder.path(), path, &seed.text);
            let found = findings(folder.path(), &format!("docs/{path}"));
            if found.iter().any(|finding| part(finding, "check") == *kind) {
                count += 1;
            } else {
                writeln!(missed, "{kind} in {path}: {}", seed.what).unwrap();
            }
        }
        for (path, text) in DOCUMENTS {
            write(folder.path(), path, text);
        }
        let wrong = clean.get(*kind).copied().unwrap_or(0);
        writeln!(table, "{kind:<22}{:>6}{count:>7}{wrong:>8}", seeds.len()).unwrap();
        if seeds.len() < FEWEST || count * 10 < seeds.len() * 9 || wrong > 0 {
            poor.push(*kind);
        }
    }
    println!("{table}\nmissed:\n{missed}");
    assert!(poor.is_empty(), "{poor:?}\n{table}\nmissed:\n{missed}");
}
