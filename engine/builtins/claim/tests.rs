//! Pairs of reports that a person labelled: the same finding, or two. They go through the merge as a whole.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

const PAIRS: &str = include_str!("pairs.txt");
/// Pairs that were written before the words of the thesaurus were chosen, and that no word was chosen for.
const UNSEEN: &str = include_str!("unseen.txt");

/// A labelled pair.
#[derive(Debug)]
struct Pair<'t> {
    is_same: bool,
    is_hard: bool,
    what: &'t str,
    paragraphs: Vec<&'t str>,
    reports: Vec<&'t str>,
}

fn pairs(text: &str) -> Vec<Pair<'_>> {
    text.split("\n\n")
        .filter(|block| !block.trim().is_empty())
        .map(pair)
        .collect()
}

fn pair(block: &str) -> Pair<'_> {
    let mut lines = block.trim().lines();
    let (label, what) = lines.next().unwrap().split_once(": ").unwrap();
    let (same, hard) = label.split_once(' ').unwrap();
    let (paragraphs, reports): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("| "));
    assert!(
        matches!((same, hard), ("same" | "different", "easy" | "hard")),
        "{label}"
    );
    assert_eq!(reports.len(), 2, "{what}");
    Pair {
        is_same: same == "same",
        is_hard: hard == "hard",
        what,
        paragraphs: paragraphs.into_iter().map(|line| &line[2..]).collect(),
        reports,
    }
}

/// Makes a report of `a gap @2: claim`: the place is the first paragraph, the one after `@`, words in quotes, or with
/// `@s` the section.
fn report(line: &str, paragraphs: &[&str]) -> serde_json::Value {
    let (head, claim) = line[2..].split_once(": ").unwrap();
    let place = |quote: &str| j!({"section": "The section", "quote": quote});
    let (category, place) = match head.split_once([' ', '"']) {
        _ if head.ends_with("@s") => (head.trim_end_matches("@s"), j!({"section": "The section"})),
        Some((category, rest)) if rest.starts_with('@') => {
            let at: usize = rest[1..].parse().unwrap();
            (category, place(paragraphs[at - 1]))
        }
        Some((category, rest)) if rest.contains('"') => (category, place(rest.trim_matches('"'))),
        Some(_) | None => (head, place(paragraphs[0])),
    };
    j!({"severity": "high", "category": category.trim(), "claim": claim, "place": place})
}

/// Says whether the merge makes one finding of a pair, whichever of them comes first.
fn is_one(pair: &Pair<'_>) -> bool {
    let text = format!("# The section\n\n{}\n", pair.paragraphs.join("\n\n"));
    let reports: Vec<serde_json::Value> = pair.reports.iter().map(|line| report(line, &pair.paragraphs)).collect();
    let count = |found: serde_json::Value| {
        let given = [
            ("found", json(found)),
            ("content", Value::from(text.as_str())),
            ("round", Value::Number(1.0)),
        ];
        let merged = run("merge-findings", &given).unwrap();
        assert!(merged.get("set_aside").unwrap().is_empty(), "{merged}");
        let Some(Value::List(findings)) = merged.get("findings") else {
            panic!()
        };
        findings.len()
    };
    let count = [count(j!(reports)), count(j!([reports[1], reports[0]]))];
    assert_eq!(count[0], count[1], "{}", pair.what);
    count[0] == 1
}

fn wrong(pairs: &[Pair<'_>]) -> Vec<String> {
    let wrong = pairs.iter().filter(|pair| is_one(pair) != pair.is_same);
    wrong
        .map(|pair| format!("same: {} for {}: {:?}", pair.is_same, pair.what, pair.reports))
        .collect()
}

#[test]
fn every_labelled_pair_is_told_as_a_person_tells_it() {
    let pairs = pairs(PAIRS);
    let hard = pairs.iter().filter(|pair| pair.is_hard).count();
    assert!(
        pairs.len() >= 40 && hard * 2 >= pairs.len(),
        "{hard} of {}",
        pairs.len()
    );
    assert_eq!(wrong(&pairs), Vec::<String>::new());
}

#[test]
fn of_the_pairs_that_nothing_was_fitted_to_nine_in_ten_are_told_right() {
    let pairs = pairs(UNSEEN);
    let wrong = wrong(&pairs);
    assert!(wrong.len() * 10 <= pairs.len(), "{wrong:?}");
}

#[test]
fn every_line_of_the_thesaurus_is_understood() {
    let lines = include_str!("thesaurus.txt").lines();
    let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in entries {
        let (head, words) = line.split_once(':').unwrap_or_else(|| panic!("{line}"));
        assert!(super::Lexicon::default().learn(head, words).is_some(), "{line}");
        assert!(!words.trim().is_empty(), "{line}");
    }
}
