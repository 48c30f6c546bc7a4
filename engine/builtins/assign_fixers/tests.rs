//! Who fixes what.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;
use std::collections::{BTreeMap, BTreeSet};

/// The identifiers of each share, by wave; a share is its fixer and its findings.
type Waves = Vec<Vec<(f64, Vec<u32>)>>;

fn assign(findings: serde_json::Value, bounds: &[(&str, f64)]) -> (Waves, Value) {
    let mut given = vec![("findings", json(findings))];
    given.extend(bounds.iter().map(|(name, bound)| (*name, Value::Number(*bound))));
    let answer = run("assign-fixers", &given).unwrap();
    let list = |value: &Value, name: &str| match value.get(name) {
        Some(Value::List(items)) => items.clone(),
        other => panic!("{name}: {other:?}"),
    };
    let id = |finding: &Value| finding.get("id").unwrap().to_string()[2..].parse().unwrap();
    let share = |share: &Value| {
        let fixer = share.get("fixer").unwrap().number().unwrap();
        (fixer, list(share, "findings").iter().map(id).collect())
    };
    let waves = list(&answer, "waves")
        .iter()
        .map(|wave| list(wave, "shares").iter().map(share).collect())
        .collect();
    (waves, answer)
}

/// Findings that are all about different sections.
fn apart(count: usize) -> serde_json::Value {
    let one = |at: usize| j!({"id": format!("F-{at}"), "claim": "c", "place": {"file": "a.md", "section": format!("S {at}")}});
    (1..=count).map(one).collect()
}

fn sizes(waves: &Waves) -> Vec<Vec<usize>> {
    waves
        .iter()
        .map(|wave| wave.iter().map(|(_, ids)| ids.len()).collect())
        .collect()
}

#[test]
fn the_number_of_fixers_follows_the_number_of_findings() {
    for (count, wanted) in [
        (1, vec![vec![1]]),
        (3, vec![vec![3]]),
        (4, vec![vec![2, 2]]),
        (7, vec![vec![3, 2, 2]]),
        (10, vec![vec![4, 3, 3]]),
        (15, vec![vec![5, 5, 5]]),
        (16, vec![vec![5, 5, 5], vec![1]]),
        (32, vec![vec![5, 5, 5], vec![5, 5, 5], vec![1, 1]]),
    ] {
        let (waves, answer) = assign(apart(count), &[]);
        assert_eq!(sizes(&waves), wanted, "{count}");
        let fixers = answer.get("fixers").unwrap().number().unwrap();
        assert_eq!(fixers, (count.div_ceil(3)).min(3) as f64);
    }
}

#[test]
fn bounds_are_those_of_the_caller() {
    let (waves, _) = assign(apart(6), &[("per_fixer", 1.0), ("at_once", 2.0)]);
    assert_eq!(sizes(&waves), [[1, 1], [1, 1], [1, 1]]);
    let error = run(
        "assign-fixers",
        &[("findings", Value::Nothing), ("per_fixer", Value::from("five"))],
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`per_fixer` of built-in `assign-fixers` must be a number"
    );
}

#[test]
fn nothing_open_needs_no_fixer() {
    let (waves, answer) = assign(
        j!([{"claim": "a", "state": "fixed"}, {"claim": "b", "state": "blocked"}]),
        &[],
    );
    assert!(waves.is_empty());
    assert_eq!(answer.get("fixers"), Some(&Value::Number(0.0)));
}

#[test]
fn the_most_severe_ones_are_dealt_first() {
    let severities = ["low", "critical", "medium", "high", "low", "critical"];
    let findings: serde_json::Value = severities
        .iter()
        .enumerate()
        .map(|(at, severity)| j!({"claim": "c", "severity": severity, "place": {"section": format!("S {at}")}}))
        .collect();
    let (waves, _) = assign(findings, &[("per_fixer", 1.0), ("at_once", 2.0)]);
    let order: Vec<u32> = waves.iter().flatten().flat_map(|(_, ids)| ids.clone()).collect();
    assert_eq!(order, [2, 6, 4, 3, 1, 5]);
}

#[test]
fn findings_about_one_place_are_never_with_two_fixers_at_a_time() {
    let place = |at: usize| match at % 4 {
        0 => j!({"file": "a.md", "section": "Shared"}),
        1 => j!({"file": "a.md", "quote": "the very same words"}),
        2 => j!({"file": "a.md", "quote": "very same"}),
        _ => j!({"file": "a.md", "section": format!("S {at}")}),
    };
    let findings: Vec<serde_json::Value> = (1..=40)
        .map(|at| j!({"id": format!("F-{at}"), "claim": "c", "place": place(at)}))
        .collect();
    let (waves, _) = assign(j!(findings), &[]);
    let mut all = BTreeSet::new();
    let mut fixers: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for wave in &waves {
        let mut with: BTreeMap<usize, f64> = BTreeMap::new();
        for (fixer, ids) in wave {
            assert!(ids.len() <= 5);
            for id in ids {
                assert!(all.insert(*id), "F-{id} was dealt twice");
                let group = match *id as usize % 4 {
                    0 => 0,
                    1 | 2 => 1,
                    _ => *id as usize + 2,
                };
                assert_eq!(*with.entry(group).or_insert(*fixer), *fixer);
                fixers.entry(group).or_default().insert(*fixer as u32);
            }
        }
    }
    assert_eq!(all.len(), 40, "none is skipped");
    assert!(
        fixers.values().all(|fixers| fixers.len() == 1),
        "the rest waits for the same fixer"
    );
}

#[test]
fn shared_findings_are_in_progress_and_the_others_as_they_were() {
    let findings = j!([{"claim": "a"}, {"claim": "b", "state": "regressed"}, {"claim": "c", "state": "deferred"}]);
    let (_, answer) = assign(findings, &[]);
    let Some(Value::List(findings)) = answer.get("findings") else {
        panic!()
    };
    let states: Vec<String> = findings
        .iter()
        .map(|finding| finding.get("state").unwrap().to_string())
        .collect();
    assert_eq!(states, ["in-progress", "in-progress", "deferred"]);
}

#[test]
fn ten_thousand_findings_are_shared_out_whole() {
    let one = |at: usize| j!({"claim": "c", "place": {"quote": format!("words number {at}")}});
    let (waves, _) = assign((0..10_000).map(one).collect(), &[]);
    let dealt: usize = waves.iter().flatten().map(|(_, ids)| ids.len()).sum();
    assert_eq!(dealt, 10_000);
}
