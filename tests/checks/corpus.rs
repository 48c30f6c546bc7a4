//! The checks on real documents: every Markdown file of the packages, each text once.
//!
//! What is found is written down in `corpus.txt`. Every finding was read in its document, and `verdicts.csv` says whether
//! a careful author would agree: nine of ten of every kind have to be true.

use super::{findings, part};
use crate::packages::{PACKAGES, fetched};
use bmad::machine::sha256;
use bmad::os::Disk;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../spec/18-checks.md");

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

/// How many findings of a kind were read, and how many of them are false.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    read: usize,
    wrong: usize,
}

/// Counts the verdicts by kind, and returns the kind and the place of each.
fn verdicts(text: &str) -> (BTreeMap<String, Count>, Vec<String>) {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut judged = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(4, ',').collect();
        let [check, verdict, place, why] = cells[..] else {
            panic!("not four cells: {line}");
        };
        assert!(
            matches!(verdict, "true" | "false") && !why.trim().is_empty(),
            "no verdict: {line}"
        );
        judged.push(format!("{check},{place}"));
        let count = counts.entry(check.to_owned()).or_default();
        count.read += 1;
        count.wrong += usize::from(verdict == "false");
    }
    judged.sort();
    (counts, judged)
}

/// Returns the kinds of which more than one finding of ten is false.
fn poor(counts: &BTreeMap<String, Count>) -> Vec<&str> {
    let is_poor = |count: &Count| count.wrong * 10 > count.read;
    let poor = counts.iter().filter(|(_, count)| is_poor(count));
    poor.map(|(check, _)| check.as_str()).collect()
}

#[test]
fn nine_of_ten_findings_of_every_kind_are_true() {
    let (counts, judged) = verdicts(&written("verdicts.csv"));
    let listed = listed(&written("corpus.txt"));
    let unread: Vec<&String> = listed.iter().filter(|it| !judged.contains(it)).collect();
    let gone: Vec<&String> = judged.iter().filter(|it| !listed.contains(it)).collect();
    assert!(
        unread.is_empty() && gone.is_empty(),
        "not read yet: {unread:#?}\nread and not found: {gone:#?}"
    );
    assert_eq!(judged, listed, "each finding has one verdict");
    for (check, Count { read, wrong }) in &counts {
        println!("{check:<22}{read:>4} read {wrong:>4} false");
    }
    assert_eq!(poor(&counts), Vec::<&str>::new(), "{counts:#?}");
}

#[test]
fn a_kind_with_two_false_findings_of_ten_is_poor() {
    let table = |wrong: usize| {
        let row = |at: usize| format!("dead-link,{},a.md:{at},x\n", at >= wrong);
        format!(
            "check,verdict,place,why\nopen-mark,true,a.md:1,x\n{}",
            (0..10).map(row).collect::<String>()
        )
    };
    assert_eq!(poor(&verdicts(&table(1)).0), Vec::<&str>::new());
    assert_eq!(poor(&verdicts(&table(2)).0), ["dead-link"]);
}

#[test]
fn the_page_tells_how_many_were_read_and_how_many_are_false() {
    let (counts, _) = verdicts(&written("verdicts.csv"));
    let (_, section) = PAGE.split_once("## Counted on real documents\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let row = |line: &str| {
        let [_, check, read, wrong, _] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            return None;
        };
        let (read, wrong) = (read.parse().ok()?, wrong.parse().ok()?);
        Some((check.trim_matches('`').to_owned(), Count { read, wrong }))
    };
    let told: BTreeMap<String, Count> = section.lines().filter_map(row).collect();
    let all = Count {
        read: counts.values().map(|count| count.read).sum(),
        wrong: counts.values().map(|count| count.wrong).sum(),
    };
    assert_eq!(told, counts);
    let documents = written("corpus.txt");
    let documents = documents.lines().next().unwrap().replace("documents: ", "");
    let sum = format!(
        "{documents} documents have {} findings; {} of them",
        all.read, all.wrong
    );
    assert!(section.contains(&sum), "the page does not say: {sum}");
}

/// Returns the kind and the place of every finding of the list.
fn listed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = "";
    for line in text.lines() {
        match line.strip_prefix("  ") {
            Some(finding) => found.push(format!("{check},{}", place(finding))),
            None => check = line.split(':').next().unwrap_or(""),
        }
    }
    found.sort();
    found
}

/// Returns the place of a line of the list: the path and the number.
fn place(finding: &str) -> String {
    let mut parts = finding.splitn(3, ':');
    let (path, line) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    format!("{path}:{line}")
}

fn written(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/checks")
}
