//! Loops of validations, each by what its validations find.

use crate::builtins::{Value, run};

/// Runs validations one after the other; a letter is a set of issues, `+` passes. Answers the last answer.
fn validated(results: &str) -> Value {
    with(results, "", &Value::Nothing)
}

fn with(results: &str, consensus: &str, limits: &Value) -> Value {
    let mut answer = Value::Nothing;
    for result in results.chars() {
        let passed = result == '+';
        let given = [
            ("verdict", Value::from(if passed { "PASS" } else { "FAIL" })),
            (
                "issues",
                Value::from(if passed { String::new() } else { result.to_string() }),
            ),
            ("history", answer.clone()),
            ("consensus", Value::from(consensus)),
            ("limits", limits.clone()),
        ];
        answer = run("check-attempts", &given).unwrap();
    }
    answer
}

fn decision(answer: &Value) -> String {
    answer.get("decision").unwrap().to_string()
}

fn count(answer: &Value, name: &str) -> f64 {
    answer.get(name).unwrap().number().unwrap()
}

fn reason(answer: &Value) -> String {
    answer.get("reason").unwrap().to_string()
}

#[test]
fn what_passes_is_done_and_what_fails_is_fixed() {
    assert_eq!(decision(&validated("+")), "done");
    let answer = validated("a");
    assert_eq!(decision(&answer), "fix");
    assert_eq!(count(&answer, "validations"), 1.0);
    assert_eq!(count(&answer, "attempts"), 0.0);
    assert_eq!(count(&validated("ab"), "attempts"), 1.0);
}

#[test]
fn a_verdict_that_a_person_decides_goes_to_a_person_at_once() {
    for verdict in ["NEEDS WORK", "CONCERNS", "Blocked", "no idea"] {
        let answer = run("check-attempts", &[("verdict", Value::from(verdict))]).unwrap();
        assert_eq!(decision(&answer), "person", "{verdict}");
    }
    let answer = run("check-attempts", &[("verdict", Value::from("no idea"))]).unwrap();
    assert_eq!(reason(&answer), "nobody knows the verdict `no idea`");
    let answer = run("check-attempts", &[("verdict", Value::from("Blocked"))]).unwrap();
    assert_eq!(reason(&answer), "Blocked is for a person to decide");
}

#[test]
fn what_verdict_answered_is_as_good_as_the_verdict_itself() {
    let judged = |said: &str| run("verdict", &[("said", Value::from(said))]).unwrap();
    for (said, wanted) in [
        ("READY", "done"),
        ("NOT READY", "fix"),
        ("WAIVED", "person"),
        ("", "person"),
    ] {
        let answer = run("check-attempts", &[("verdict", judged(said))]).unwrap();
        assert_eq!(decision(&answer), wanted, "{said}");
    }
    for nothing in [Value::Nothing, judged("")] {
        let answer = run("check-attempts", &[("verdict", nothing)]).unwrap();
        assert_eq!(reason(&answer), "the validation said nothing");
    }
    let waived = run("check-attempts", &[("verdict", judged("WAIVED"))]).unwrap();
    assert_eq!(reason(&waived), "it is waived and nobody said why");
}

#[test]
fn issues_that_stay_the_same_are_discussed_after_two_attempts() {
    let second = validated("aa");
    assert_eq!(decision(&second), "fix");
    assert_eq!(second.get("stalled"), Some(&Value::Bool(true)));
    let third = validated("aaa");
    assert_eq!(decision(&third), "party");
    assert_eq!(count(&third, "same_error"), 3.0);
    assert_eq!(reason(&third), "the same issues came 3 times in a row");
    assert_eq!(decision(&validated("abb")), "party");
    assert_eq!(count(&validated("abb"), "attempts"), 2.0);
}

#[test]
fn other_issues_each_time_are_not_stalled() {
    let answer = validated("abcd");
    assert_eq!(decision(&answer), "fix");
    assert_eq!(answer.get("stalled"), Some(&Value::Bool(false)));
    assert_eq!(count(&answer, "same_error"), 1.0);
}

#[test]
fn five_attempts_are_made_and_then_a_person_is_asked() {
    let fifth = validated("abcde");
    assert_eq!((decision(&fifth).as_str(), count(&fifth, "attempts")), ("fix", 4.0));
    let sixth = validated("abcdef");
    assert_eq!((decision(&sixth).as_str(), count(&sixth, "attempts")), ("person", 5.0));
    assert_eq!(reason(&sixth), "5 attempts did not solve it");
}

#[test]
fn the_tenth_validation_runs_and_the_eleventh_does_not() {
    let many = Value::of([
        ("max_fix_attempts", Value::from(100.0)),
        ("max_oscillations", Value::from("100")),
    ]);
    let ninth = with("abcdefghi", "", &many);
    assert_eq!((decision(&ninth).as_str(), count(&ninth, "validations")), ("fix", 9.0));
    let tenth = with("abcdefghij", "", &many);
    assert_eq!(
        (decision(&tenth).as_str(), count(&tenth, "validations")),
        ("stop", 10.0)
    );
    assert_eq!(reason(&tenth), "10 validations are used up");
    assert_eq!(decision(&with("abcdefghi+", "", &many)), "done");
}

#[test]
fn attempts_begin_anew_after_a_validation_that_passed() {
    let answer = validated("abcd+e");
    assert_eq!((decision(&answer).as_str(), count(&answer, "attempts")), ("fix", 0.0));
    assert_eq!(count(&answer, "validations"), 6.0);
}

#[test]
fn what_passes_and_fails_in_turn_is_stopped_the_second_time() {
    let first = validated("+a");
    assert_eq!((decision(&first).as_str(), count(&first, "oscillations")), ("fix", 1.0));
    let second = validated("+a+b");
    assert_eq!(
        (decision(&second).as_str(), count(&second, "oscillations")),
        ("stop", 2.0)
    );
    assert_eq!(reason(&second), "fixes undo each other: 2 times something came back");
}

#[test]
fn two_fixes_that_undo_each_other_are_stopped() {
    let back = validated("aba");
    assert_eq!((decision(&back).as_str(), count(&back, "oscillations")), ("fix", 1.0));
    let again = validated("abab");
    assert_eq!(
        (decision(&again).as_str(), count(&again, "oscillations")),
        ("stop", 2.0)
    );
    assert_eq!(count(&validated("aabb"), "oscillations"), 0.0);
}

#[test]
fn a_discussion_that_came_to_nothing_is_not_held_again() {
    let limits = Value::of([("max_fix_attempts", Value::from(100.0))]);
    let again = with("aaaa", "", &limits);
    assert_eq!(decision(&again), "person");
    let hash = again.get("hash").unwrap();
    assert_eq!(
        reason(&again),
        format!("the same issues came 4 times in a row, and a discussion about them came to nothing ({hash})")
    );
    let others = with("aaabb", "full", &limits);
    assert_eq!(decision(&others), "party");
}

#[test]
fn a_discussion_without_consensus_is_remembered_even_where_the_issues_changed() {
    let limits = Value::of([
        ("max_fix_attempts", Value::from(100.0)),
        ("max_oscillations", Value::from(100.0)),
    ]);
    assert_eq!(decision(&with("aaabaa", "none", &limits)), "person");
    assert_eq!(decision(&with("aaabaa", "full", &limits)), "party");
}

#[test]
fn the_order_of_issues_does_not_matter_and_their_words_do() {
    let hash = |issues: &[&str]| {
        let issues = Value::List(issues.iter().map(|issue| Value::from(*issue)).collect());
        let given = [("verdict", Value::from("FAIL")), ("issues", issues)];
        run("check-attempts", &given).unwrap().get("hash").unwrap().to_string()
    };
    assert_eq!(hash(&["a", "b"]), hash(&["b", "a", "b"]));
    assert_ne!(hash(&["a", "b"]), hash(&["a", "c"]));
    assert_eq!(hash(&["a"]).len(), 16);
    assert_ne!(hash(&[]), hash(&["a"]));
}

#[test]
fn where_no_issues_are_named_the_number_of_errors_is_compared() {
    let errors = |before: &Value, errors: f64| {
        let given = [("verdict", Value::from(errors)), ("history", before.clone())];
        run("check-attempts", &given).unwrap()
    };
    let first = errors(&Value::Nothing, 3.0);
    assert_eq!(count(&errors(&first, 3.0), "same_error"), 2.0);
    assert_eq!(count(&errors(&first, 2.0), "same_error"), 1.0);
}

#[test]
fn the_history_survives_being_written_down() {
    let before = validated("aab");
    let written = serde_json::to_string(&before).unwrap();
    let restored: Value = serde_json::from_str(&written).unwrap();
    let after = |history: Value| {
        let given = [
            ("verdict", Value::from("FAIL")),
            ("issues", Value::from("b")),
            ("history", history),
        ];
        run("check-attempts", &given).unwrap()
    };
    assert_eq!(after(restored), after(before));
}

#[test]
fn no_loop_of_validations_goes_on_for_ever() {
    let mut seed = 1_u64;
    for _ in 0..300 {
        let mut answer = Value::Nothing;
        let mut rounds = 0;
        loop {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let issue = (seed >> 33) % 3;
            let given = [
                ("verdict", Value::from("NOT READY")),
                ("issues", Value::from(issue as f64)),
                ("history", answer),
            ];
            answer = run("check-attempts", &given).unwrap();
            rounds += 1;
            assert!(rounds <= 10);
            match decision(&answer).as_str() {
                "fix" | "party" => {}
                "person" | "stop" => break,
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn a_limit_that_is_no_number_is_refused() {
    let limits = Value::of([("max_fix_attempts", Value::from("several"))]);
    let given = [("verdict", Value::from("PASS")), ("limits", limits)];
    let error = run("check-attempts", &given).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`limits` of built-in `check-attempts` must be a map of numbers"
    );
}
