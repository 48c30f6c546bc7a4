//! A hundred findings, drawn by a fixed seed from the written summaries, read by hand: nearly all must be true.

use crate::packages::PACKAGES;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How many findings are read.
const SIZE: usize = 100;
/// Where the drawing starts.
const SEED: u64 = 20_261_115;

/// One finding: package, severity and rule, and place.
type Finding = (String, String, String);

#[test]
fn at_least_95_of_100_findings_are_true() {
    let drawn: BTreeSet<Finding> = drawn().into_iter().collect();
    let text = std::fs::read_to_string(folder().join("verdicts.csv")).unwrap();
    let mut judged = BTreeSet::new();
    let mut wrong = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(5, ',').collect();
        let [package, rule, place, verdict, why] = cells[..] else {
            panic!("not five cells: {line}");
        };
        assert!(
            matches!(verdict, "true" | "false") && !why.trim().is_empty(),
            "no verdict: {line}"
        );
        judged.insert((package.to_owned(), rule.to_owned(), place.to_owned()));
        if verdict == "false" {
            wrong.push(line);
        }
    }
    let missing: Vec<&Finding> = drawn.difference(&judged).collect();
    assert!(missing.is_empty(), "not read yet: {missing:#?}");
    let share = (drawn.len() - wrong.len()) * 100;
    assert!(
        share >= 95 * drawn.len(),
        "{} of {} are false: {wrong:#?}",
        wrong.len(),
        drawn.len()
    );
}

#[test]
#[ignore = "prints the sample to be read"]
fn sample_of_findings_to_read() {
    for (package, rule, place) in drawn() {
        println!("{package},{rule},{place}");
    }
}

/// Draws findings of warning and above, as evenly over the rules as their numbers allow.
fn drawn() -> Vec<Finding> {
    let mut by_rule: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for package in PACKAGES {
        for finding in written(&package.name()) {
            by_rule.entry(finding.1.clone()).or_default().push(finding);
        }
    }
    let mut state = SEED;
    for findings in by_rule.values_mut() {
        for at in (1..findings.len()).rev() {
            findings.swap(at, next(&mut state) as usize % (at + 1));
        }
    }
    let mut drawn = Vec::new();
    let mut turn = 0;
    while drawn.len() < SIZE && by_rule.values().any(|findings| findings.len() > turn) {
        for findings in by_rule.values() {
            if let Some(finding) = findings.get(turn).filter(|_| drawn.len() < SIZE) {
                drawn.push(finding.clone());
            }
        }
        turn += 1;
    }
    drawn.sort();
    drawn
}

/// Reads the errors and warnings of a written summary.
fn written(package: &str) -> Vec<Finding> {
    let text = std::fs::read_to_string(folder().join(format!("{package}.txt"))).unwrap();
    let mut rule = None;
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(place) = line.strip_prefix("  ") {
            if let Some(rule) = &rule {
                found.push((package.to_owned(), String::clone(rule), place.to_owned()));
            }
            continue;
        }
        let head = line
            .split_once(' ')
            .filter(|(severity, _)| matches!(*severity, "error" | "warning"));
        rule = head
            .and_then(|(_, rest)| rest.split_once(':'))
            .map(|(rule, _)| rule.to_owned());
    }
    found
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) >> 1
}
