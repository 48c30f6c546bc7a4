//! What is unusual: no signal, one signal, signals that contradict each other or cannot be read.

use super::{confidence, memory, party, reviewers, score, text, validation};
use crate::builtins::{Value, run};

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
    let wrong_tiers = ["high", "5", "-1", "1.5", ""].map(Value::from);
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
