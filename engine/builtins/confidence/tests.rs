//! Every signal, every case and every edge.

mod bounds;
mod cases;

use crate::builtins::{Value, run};

/// Computes the score of a tier from some parameters.
fn confidence(tier: f64, given: &[(&'static str, Value)]) -> Value {
    let mut all = vec![("tier", Value::from(tier))];
    all.extend_from_slice(given);
    run("confidence", &all).unwrap()
}

fn score(given: &[(&'static str, Value)]) -> f64 {
    confidence(0.0, given).get("score").unwrap().number().unwrap()
}

fn text(answer: &Value, name: &str) -> String {
    answer.get(name).unwrap().to_string()
}

fn validation(verdict: &str) -> (&'static str, Value) {
    ("validation", Value::from(verdict))
}

fn memory(known: &str) -> (&'static str, Value) {
    ("memory", Value::from(known))
}

fn reviewers(aligned: f64, count: f64) -> (&'static str, Value) {
    let agreement = [
        ("reviewer_count", Value::from(count)),
        ("aligned_count", Value::from(aligned)),
    ];
    ("reviewers", Value::of(agreement))
}

fn party(consensus: &str) -> (&'static str, Value) {
    ("party", Value::from(consensus))
}

/// What one source gives, as the answer lists it.
fn points(parameter: (&'static str, Value)) -> f64 {
    let name = parameter.0;
    let answer = confidence(0.0, &[parameter]);
    let signals = answer.get("signals").unwrap().items();
    let own = signals
        .iter()
        .find(|signal| signal.get("source") == Some(&Value::from(name)));
    own.unwrap().get("points").unwrap().number().unwrap()
}

#[test]
fn every_signal_gives_the_points_of_the_table() {
    for (verdict, wanted) in [
        ("PASS", 35.0),
        ("WAIVED", 35.0),
        ("READY", 35.0),
        ("Approve", 35.0),
        ("CONCERNS", 15.0),
        ("NEEDS WORK", 15.0),
        ("Changes Requested", 15.0),
        ("FAIL", 0.0),
        ("NOT READY", 0.0),
        ("Blocked", 0.0),
        ("0", 35.0),
        ("1", 20.0),
        ("2", 20.0),
        ("3", 5.0),
        ("8/8", 35.0),
        ("7/8", 0.0),
    ] {
        assert_eq!(points(validation(verdict)), wanted, "{verdict}");
    }
    for (known, wanted) in [("exact", 25.0), ("similar", 15.0), ("weak", 8.0), ("none", 0.0)] {
        assert_eq!(points(memory(known)), wanted, "{known}");
    }
    for (aligned, count, wanted) in [
        (3.0, 3.0, 25.0),
        (2.0, 2.0, 25.0),
        (2.0, 3.0, 15.0),
        (4.0, 6.0, 15.0),
        (1.0, 2.0, 5.0),
        (1.0, 3.0, 5.0),
        (3.0, 5.0, 5.0),
        (0.0, 3.0, 5.0),
        (1.0, 1.0, 10.0),
        (0.0, 1.0, 10.0),
    ] {
        assert_eq!(points(reviewers(aligned, count)), wanted, "{aligned} of {count}");
    }
    for (consensus, wanted) in [("full", 15.0), ("partial", 8.0), ("majority", 8.0), ("none", 0.0)] {
        assert_eq!(points(party(consensus)), wanted, "{consensus}");
    }
}

#[test]
fn all_signals_at_their_best_are_a_hundred() {
    let best = [validation("PASS"), memory("exact"), reviewers(3.0, 3.0), party("full")];
    let answer = confidence(0.0, &best);
    assert_eq!(text(&answer, "score"), "100");
    assert_eq!(text(&answer, "threshold"), "high");
    assert_eq!(text(&answer, "presentation"), "minimal");
    assert_eq!(answer.get("edge_case"), Some(&Value::Nothing));
    assert_eq!(answer.get("action"), Some(&Value::Nothing));
    assert_eq!(answer.get("capped"), Some(&Value::Bool(false)));
    assert_eq!(
        text(&answer, "reason"),
        "validation: PASS (35 of 35); memory: exact match (25 of 25); reviewers: 3 of 3 agree (25 of 25); party: full consensus (15 of 15)"
    );
}

#[test]
fn a_source_that_is_not_configured_is_left_out() {
    let given = [validation("PASS"), memory("similar"), reviewers(2.0, 3.0)];
    assert_eq!(score(&given), 76.0);
    assert_eq!(score(&[validation("CONCERNS"), memory("exact")]), 66.0);
    assert_eq!(score(&[memory("exact"), reviewers(2.0, 2.0), party("full")]), 100.0);
}

#[test]
fn a_source_that_is_configured_and_silent_counts_nothing_and_is_named() {
    let given = [validation("PASS"), reviewers(3.0, 3.0), memory("silent")];
    let answer = confidence(0.0, &given);
    assert_eq!(text(&answer, "score"), "70");
    assert!(
        text(&answer, "reason").contains("memory: configured and did not answer (0 of 25)"),
        "{answer}"
    );
    assert_eq!(score(&given[..2]), 100.0);
    assert_eq!(score(&[validation("PASS"), memory("exact"), reviewers(0.0, 0.0)]), 70.0);
}

#[test]
fn each_tier_takes_its_points() {
    let given = [validation("PASS"), memory("exact"), reviewers(3.0, 3.0)];
    for (tier, wanted, taken) in [
        (0.0, 100.0, 0.0),
        (1.0, 100.0, 0.0),
        (2.0, 95.0, -5.0),
        (3.0, 90.0, -10.0),
        (4.0, 85.0, -15.0),
    ] {
        let answer = confidence(tier, &given);
        assert_eq!(answer.get("score"), Some(&Value::from(wanted)), "tier {tier}");
        assert_eq!(answer.get("tier_adjustment"), Some(&Value::from(taken)), "tier {tier}");
    }
}

#[test]
fn what_other_programs_write_down_can_be_read() {
    let words = |pairs: &[(&str, Value)]| {
        Value::Map(
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
        )
    };
    let result = words(&[("source", Value::from("validation")), ("verdict", Value::from("PASS"))]);
    assert_eq!(points(("validation", result)), 35.0);
    for (given, wanted) in [
        (words(&[("match_type", Value::from("similar"))]), 15.0),
        (words(&[("similarity_score", Value::from(1.0))]), 25.0),
        (words(&[("similarity_score", Value::from(0.85))]), 15.0),
        (words(&[("similarity_score", Value::from(0.8))]), 8.0),
        (words(&[("similarity_score", Value::from(0.5))]), 8.0),
        (words(&[("similarity_score", Value::from(0.49))]), 0.0),
    ] {
        assert_eq!(points(("memory", given.clone())), wanted, "{given}");
    }
    for (given, wanted) in [
        (words(&[("agreement_level", Value::from("majority"))]), 8.0),
        (words(&[("consensus_reached", Value::Bool(true))]), 15.0),
        (words(&[("consensus_reached", Value::Bool(false))]), 0.0),
        (Value::List(vec![Value::from("partial")]), 8.0),
        (Value::List(vec![Value::from("full"), Value::from("partial")]), 8.0),
    ] {
        assert_eq!(points(("party", given.clone())), wanted, "{given}");
    }
}

#[test]
fn better_signals_never_lower_the_score_where_nothing_contradicts() {
    let verdicts = ["FAIL", "CONCERNS", "PASS"];
    let known = ["none", "weak", "similar"];
    let agreed = [2.0, 3.0];
    for tier in 0..5 {
        for (better, verdict) in verdicts.iter().enumerate().skip(1) {
            for (nearer, memories) in known.iter().enumerate().skip(1) {
                for aligned in agreed {
                    let at = |verdict: &str, memories: &str, aligned: f64| {
                        let given = [validation(verdict), memory(memories), reviewers(aligned, 3.0)];
                        let answer = confidence(f64::from(tier), &given);
                        answer.get("score").unwrap().number().unwrap()
                    };
                    let here = at(verdict, memories, aligned);
                    assert!(here >= at(verdicts[better - 1], memories, aligned));
                    assert!(here >= at(verdict, known[nearer - 1], aligned));
                    assert!(here >= at(verdict, memories, 2.0));
                    assert!((0.0..=100.0).contains(&here) && here.fract() == 0.0);
                }
            }
        }
    }
}
