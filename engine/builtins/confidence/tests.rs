//! Every signal, every case and every edge.

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
fn without_any_signal_the_score_is_a_quarter_and_a_person_is_asked() {
    for given in [
        vec![],
        vec![validation(""), memory("")],
        vec![memory("silent"), reviewers(0.0, 0.0)],
        vec![("party", Value::List(Vec::new()))],
    ] {
        let answer = confidence(4.0, &given);
        assert_eq!(text(&answer, "score"), "25", "{given:?}");
        assert_eq!(text(&answer, "threshold"), "low");
        assert_eq!(text(&answer, "presentation"), "full");
        assert_eq!(text(&answer, "edge_case"), "no_signals");
        assert_eq!(text(&answer, "action"), "ask_person");
        assert!(text(&answer, "reason").contains("no signal is there"), "{answer}");
    }
}

#[test]
fn a_score_on_the_line_belongs_to_the_better_side() {
    let at = |bonus: f64| {
        let answer = confidence(0.0, &[("bonus", Value::from(bonus))]);
        (
            text(&answer, "score"),
            text(&answer, "threshold"),
            text(&answer, "presentation"),
        )
    };
    let line = |score: &str, threshold: &str, shown: &str| (score.to_owned(), threshold.to_owned(), shown.to_owned());
    assert_eq!(at(55.0), line("80", "high", "minimal"));
    assert_eq!(at(54.0), line("79", "medium", "summary"));
    assert_eq!(at(54.9), line("79", "medium", "summary"));
    assert_eq!(at(25.0), line("50", "medium", "summary"));
    assert_eq!(at(24.9), line("49", "low", "full"));
}

#[test]
fn a_score_stays_between_zero_and_a_hundred() {
    let answer = confidence(4.0, &[validation("FAIL"), memory("weak")]);
    assert_eq!(text(&answer, "score"), "0");
    assert_eq!(answer.get("capped"), Some(&Value::Bool(true)));
    let good = [validation("PASS"), memory("exact"), ("bonus", Value::from(15.0))];
    let answer = confidence(0.0, &good);
    assert_eq!(text(&answer, "score"), "100");
    assert_eq!(answer.get("capped"), Some(&Value::Bool(true)));
}

#[test]
fn without_a_menu_the_score_is_computed_all_the_same() {
    let answer = confidence(
        0.0,
        &[validation("PASS"), memory("exact"), ("menu", Value::Bool(false))],
    );
    assert_eq!(text(&answer, "score"), "100");
    assert_eq!(text(&answer, "action"), "no_menu_detected");
    let answer = confidence(
        0.0,
        &[validation("PASS"), memory("exact"), ("menu", Value::from("true"))],
    );
    assert_eq!(text(&answer, "action"), "");
}

#[test]
fn one_signal_alone_gives_sixty_or_fifty_at_most() {
    for (given, wanted) in [
        (validation("PASS"), 60.0),
        (validation("CONCERNS"), 25.0),
        (validation("1"), 34.0),
        (validation("3"), 8.0),
        (memory("exact"), 50.0),
        (memory("similar"), 30.0),
        (memory("weak"), 16.0),
        (reviewers(3.0, 3.0), 50.0),
        (reviewers(2.0, 3.0), 30.0),
        (reviewers(1.0, 1.0), 20.0),
        (party("full"), 60.0),
        (party("partial"), 32.0),
    ] {
        let answer = confidence(0.0, std::slice::from_ref(&given));
        assert_eq!(answer.get("score"), Some(&Value::from(wanted)), "{given:?}");
        assert_eq!(text(&answer, "edge_case"), "single_source", "{given:?}");
    }
    let answer = confidence(2.0, &[validation("PASS")]);
    assert_eq!(text(&answer, "score"), "55");
}

#[test]
fn one_signal_among_silent_ones_gives_no_more_than_alone() {
    let answer = confidence(0.0, &[validation("PASS"), memory("silent")]);
    assert_eq!(text(&answer, "score"), "58");
    assert_eq!(text(&answer, "edge_case"), "single_source");
}

#[test]
fn where_validation_passes_and_reviewers_disagree_seventy_is_the_most() {
    let given = [validation("PASS"), memory("exact"), reviewers(1.0, 3.0)];
    let answer = confidence(0.0, &given);
    assert_eq!(text(&answer, "score"), "70");
    assert_eq!(text(&answer, "edge_case"), "conflict");
    assert_eq!(answer.get("capped"), Some(&Value::Bool(true)));
    let low = confidence(0.0, &[validation("PASS"), reviewers(1.0, 3.0)]);
    assert_eq!(text(&low, "score"), "66");
    assert_eq!(low.get("capped"), Some(&Value::Bool(false)));
    let most = confidence(0.0, &[validation("PASS"), memory("exact"), reviewers(2.0, 3.0)]);
    assert_eq!(text(&most, "score"), "88");
}

#[test]
fn where_validation_fails_and_memory_knows_the_fix_the_score_is_fifty() {
    for given in [
        vec![validation("FAIL"), memory("exact")],
        vec![
            validation("NOT READY"),
            memory("exact"),
            reviewers(3.0, 3.0),
            party("full"),
        ],
    ] {
        for tier in [0.0, 4.0] {
            let answer = confidence(tier, &given);
            assert_eq!(text(&answer, "score"), "50", "{given:?}");
            assert_eq!(text(&answer, "threshold"), "medium");
            assert_eq!(text(&answer, "edge_case"), "conflict");
        }
    }
    assert_eq!(score(&[validation("FAIL"), memory("similar")]), 25.0);
}

#[test]
fn a_discussion_without_consensus_makes_confidence_low_whatever_the_rest_says() {
    let best = [
        validation("PASS"),
        memory("exact"),
        reviewers(3.0, 3.0),
        party("none"),
        ("bonus", Value::from(15.0)),
    ];
    let answer = confidence(0.0, &best);
    assert_eq!(text(&answer, "score"), "49");
    assert_eq!(text(&answer, "threshold"), "low");
    assert_eq!(text(&answer, "edge_case"), "conflict");
    let known = [validation("FAIL"), memory("exact"), party("none")];
    assert_eq!(score(&known), 49.0);
}

#[test]
fn a_signal_that_cannot_be_read_counts_nothing_and_the_rest_counts() {
    for broken in [
        memory("perhaps"),
        ("memory", Value::Bool(true)),
        ("memory", Value::of([("similarity_score", Value::from(7.0))])),
        reviewers(4.0, 3.0),
        reviewers(-1.0, 3.0),
        ("reviewers", Value::from("all of them")),
        ("reviewers", Value::of([("reviewer_count", Value::from(3.0))])),
    ] {
        let answer = confidence(0.0, &[validation("PASS"), broken.clone(), party("full")]);
        assert_eq!(text(&answer, "score"), "66", "{broken:?}");
        assert_eq!(text(&answer, "edge_case"), "malformed_signal", "{broken:?}");
        assert!(text(&answer, "reason").contains("cannot be read (0 of 25)"), "{answer}");
    }
    let answer = confidence(0.0, &[validation("splendid"), memory("exact"), party("full")]);
    assert_eq!(text(&answer, "score"), "53");
    let answer = confidence(0.0, &[party("loud")]);
    assert_eq!(text(&answer, "score"), "0");
    assert_eq!(text(&answer, "edge_case"), "malformed_signal");
}

#[test]
fn a_score_that_cannot_be_computed_is_thirty_and_a_person_is_asked() {
    let wrong_tiers = [Value::from("high"), Value::from(5.0), Value::from(-1.0), Value::Nothing];
    for tier in wrong_tiers {
        let given = [("tier", tier), validation("PASS")];
        let answer = run("confidence", &given).unwrap();
        assert_eq!(text(&answer, "score"), "30");
        assert_eq!(text(&answer, "threshold"), "low");
        assert_eq!(text(&answer, "edge_case"), "calc_error");
        assert_eq!(text(&answer, "action"), "ask_person");
    }
    let answer = confidence(2.0, &[validation("PASS"), ("bonus", Value::from("a lot"))]);
    assert_eq!(text(&answer, "score"), "30");
    assert_eq!(
        text(&answer, "reason"),
        "the score could not be computed: `bonus` is `a lot` and not a number"
    );
}

#[test]
fn the_bonus_comes_after_everything_else() {
    let given = [validation("PASS"), reviewers(1.0, 3.0), memory("exact")];
    let mut with = given.to_vec();
    with.push(("bonus", Value::from("15")));
    assert_eq!(score(&given), 70.0);
    assert_eq!(score(&with), 85.0);
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
