//! The checks on real documents: every Markdown file of the packages, each text once.
//!
//! What is found is written down in `corpus.txt`. Of it a sample was drawn by a fixed seed and read by a person: most of
//! every kind has to be true.

use super::{findings, part};
use crate::packages::{PACKAGES, fetched};
use bmad::machine::sha256;
use bmad::os::Disk;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How many findings are read.
const SIZE: usize = 80;
/// Where the drawing starts.
const SEED: u64 = 20_260_611;

/// A kind and a place.
type Found = (String, String);

/// Returns the Markdown files below a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let files = bmad::project::files(&Disk, folder).into_iter();
    let is_page = |file: &PathBuf| file.extension().is_some_and(|it| it == "md" || it == "mdx");
    files.filter(is_page).collect()
}

/// Looks at every document; a text that several packages have is looked at once.
fn summary(corpus: &Path) -> String {
    let mut seen = HashSet::new();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for package in PACKAGES {
        let root = corpus.join(package.name()).join("package");
        for file in documents(&root) {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
            if !seen.insert(sha256(text.as_bytes())) {
                continue;
            }
            count += 1;
            for finding in findings(&root, &path) {
                let line: usize = part(&finding, "line").parse().unwrap();
                let quote = part(&finding, "quote");
                let written = text.lines().nth(line - 1).unwrap_or("");
                assert!(written.contains(&quote), "{path}:{line} has no {quote:?}");
                let place = format!("{}/{path}:{line}: {}", package.name(), part(&finding, "message"));
                found.entry(part(&finding, "check")).or_default().push(place);
            }
        }
    }
    let mut text = format!("documents: {count}\n");
    for (check, places) in &found {
        writeln!(text, "\n{check}: {}", places.len()).unwrap();
        for place in places {
            writeln!(text, "  {place}").unwrap();
        }
    }
    text
}

#[test]
fn what_is_found_in_real_documents_is_what_was_written_down() {
    let Some(corpus) = fetched() else { return };
    let text = summary(&corpus);
    let path = folder().join("corpus.txt");
    if std::env::var_os("BMAD_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let (new, old): (BTreeSet<&str>, BTreeSet<&str>) = (text.lines().collect(), written.lines().collect());
    let more: Vec<&&str> = new.difference(&old).collect();
    let less: Vec<&&str> = old.difference(&new).collect();
    assert!(
        more.is_empty() && less.is_empty(),
        "found and not written down: {more:#?}\nwritten down and not found: {less:#?}\n\
         set BMAD_BLESS=1 to write the list anew, then read the difference"
    );
}

#[test]
#[ignore = "its verdicts are still being written down"]
fn nine_of_ten_findings_of_every_kind_are_true() {
    let drawn: BTreeSet<Found> = drawn().into_iter().collect();
    let text = std::fs::read_to_string(folder().join("verdicts.csv")).unwrap();
    let mut judged = BTreeSet::new();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(4, ',').collect();
        let [check, verdict, place, why] = cells[..] else {
            panic!("not four cells: {line}");
        };
        assert!(
            matches!(verdict, "true" | "false") && !why.trim().is_empty(),
            "no verdict: {line}"
        );
        judged.insert((check.to_owned(), place.to_owned()));
        let (all, right) = counts.entry(check.to_owned()).or_default();
        *all += 1;
        *right += usize::from(verdict == "true");
    }
    let missing: Vec<&Found> = drawn.difference(&judged).collect();
    assert!(missing.is_empty(), "not read yet: {missing:#?}");
    for (check, (all, right)) in &counts {
        println!("{check:<22}{right:>4} of {all} true");
        assert!(right * 10 >= all * 9, "{check}: {right} of {all}");
    }
}

#[test]
#[ignore = "prints the sample to be read"]
fn sample_of_findings_of_checks_to_read() {
    for (check, place) in drawn() {
        println!("{check},,{place},");
    }
}

/// Draws findings from the list, as evenly over the kinds as their numbers allow.
fn drawn() -> Vec<Found> {
    let text = std::fs::read_to_string(folder().join("corpus.txt")).unwrap();
    let mut by_check: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    let mut check = String::new();
    for line in text.lines() {
        match line.strip_prefix("  ") {
            Some(finding) => {
                let place = place(finding);
                by_check.entry(check.clone()).or_default().push((check.clone(), place));
            }
            None => check = line.split(':').next().unwrap_or("").to_owned(),
        }
    }
    let order = |found: &Found| sha256(format!("{SEED} {} {}", found.0, found.1).as_bytes());
    for findings in by_check.values_mut() {
        findings.sort_by_key(order);
        findings.dedup();
    }
    let mut drawn = Vec::new();
    let mut turn = 0;
    while drawn.len() < SIZE && by_check.values().any(|findings| findings.len() > turn) {
        let next = by_check.values().filter_map(|findings| findings.get(turn));
        drawn.extend(next.cloned());
        turn += 1;
    }
    drawn.sort();
    drawn
}

/// Returns the place of a line of the list: the path and the number.
fn place(finding: &str) -> String {
    let mut parts = finding.splitn(3, ':');
    let (path, line) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    format!("{path}:{line}")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/checks")
}
