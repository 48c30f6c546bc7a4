//! Retries, waiting, taking over and parking.

use super::{Team, attempt, fails, limited, paused, review, turn, with_fallback};
use crate::host::{Chosen, Staff, TaskSettings};
use crate::machine::FailureKind::{Auth, Crashed, Limit, Malformed, Overloaded, RateLimited, Refused, Timeout};
use crate::runner::relay::Patience::{Park, Wait};

#[test]
fn a_busy_service_is_asked_three_times_with_longer_waits_and_every_call_is_told() {
    paused(async {
        let calls = vec![fails(Overloaded), fails(Overloaded)];
        let team = Team::new(Staff::default(), Park, vec![("a", calls)]);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.told(), ["overloaded", "overloaded", "done"]);
        let called = team.called(0);
        assert!(matches!(called[..], [0, 2, 6..=7]), "{called:?}");
    });
}

#[test]
fn after_three_calls_in_vain_a_run_is_parked() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(RateLimited); 9])]);
        assert_eq!(team.take(turn("t")).await, "held");
        assert_eq!(team.called(0).len(), 3);
        assert_eq!(team.take(turn("u")).await, "held");
        assert_eq!(team.called(0).len(), 3, "who is left alone is not asked");
    });
}

#[test]
fn a_stated_moment_within_a_minute_is_waited_for_and_a_later_one_is_not() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![limited(45)])]);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.called(0), [0, 45]);
        let team = Team::new(Staff::default(), Park, vec![("a", vec![limited(61)])]);
        assert_eq!(team.take(turn("t")).await, "held until 61 s");
        assert_eq!(team.called(0), [0]);
    });
}

#[test]
fn one_who_is_told_to_wait_waits_for_the_stated_moment_and_goes_on() {
    paused(async {
        let team = Team::new(Staff::default(), Wait, vec![("a", vec![limited(7_200)])]);
        assert_eq!(team.take(turn("t")).await, "done");
        let called = team.called(0);
        assert!(matches!(called[..], [0, 7_205..=7_210]), "{called:?}");
    });
}

#[test]
fn without_a_stated_moment_it_is_probed_by_a_schedule() {
    paused(async {
        let team = Team::new(Staff::default(), Wait, vec![("a", vec![fails(RateLimited); 6])]);
        assert_eq!(team.take(turn("t")).await, "done");
        let called = team.called(0);
        let waits: Vec<u64> = called.windows(2).map(|two| (two[1] - two[0]) / 60).collect();
        assert_eq!(waits, [0, 0, 1, 2, 5, 10], "{called:?}");
    });
}

#[test]
fn lanes_that_wait_together_send_one_to_find_out() {
    paused(async {
        let calls = vec![limited(600), limited(1_200)];
        let team = Team::new(Staff::default(), Wait, vec![("a", calls)]);
        let (one, two) = tokio::join!(team.take(turn("t")), team.take(review("u", 1)));
        assert_eq!((one.as_str(), two.as_str()), ("done", "done"));
        let called = team.called(0);
        let between = called.iter().filter(|at| (600..1_200).contains(*at)).count();
        assert_eq!((between, called.len()), (1, 4), "{called:?}");
    });
}

#[test]
fn somebody_else_takes_over_at_a_limit_and_the_first_is_asked_again_in_time() {
    paused(async {
        let team = Team::new(
            with_fallback(&["b"]),
            Park,
            vec![("a", vec![limited(300)]), ("b", Vec::new())],
        );
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.take(turn("u")).await, "done");
        assert_eq!((team.called(0).len(), team.called(1).len()), (1, 2));
        tokio::time::sleep(std::time::Duration::from_secs(301)).await;
        assert_eq!(team.take(turn("v")).await, "done");
        assert_eq!((team.called(0).len(), team.called(1).len()), (2, 2));
    });
}

#[test]
fn with_nobody_left_at_a_limit_the_earliest_moment_counts() {
    paused(async {
        let agents = vec![("a", vec![limited(900)]), ("b", vec![limited(400)])];
        let team = Team::new(with_fallback(&["b"]), Park, agents);
        assert_eq!(team.take(turn("t")).await, "held until 400 s");
    });
}

#[test]
fn a_crash_is_repeated_by_the_workflow_and_the_relay_waits_before_that() {
    paused(async {
        let team = Team::new(
            Staff::default(),
            Park,
            vec![("a", vec![fails(Crashed), fails(Crashed)])],
        );
        assert_eq!(team.take(turn("t")).await, "crashed");
        assert_eq!(team.take(attempt("t2", 2)).await, "crashed");
        assert_eq!(team.take(attempt("t3", 3)).await, "done");
        let called = team.called(0);
        assert!(matches!(called[..], [0, 2, 6..=7]), "{called:?}");
    });
}

#[test]
fn a_reply_in_the_wrong_form_is_asked_for_again_at_once() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Malformed)])]);
        assert_eq!(team.take(turn("t")).await, "malformed");
        assert_eq!(team.take(attempt("t2", 2)).await, "done");
        assert_eq!(team.seconds(), 0);
    });
}

#[test]
fn after_three_failures_somebody_else_is_asked_for_the_same_turn() {
    paused(async {
        let agents = vec![("a", vec![fails(Crashed); 9]), ("b", Vec::new())];
        let team = Team::new(with_fallback(&["b"]), Park, agents);
        assert_eq!(team.take(turn("t")).await, "crashed");
        assert_eq!(team.take(attempt("t2", 2)).await, "crashed");
        assert_eq!(team.take(attempt("t3", 3)).await, "done");
        assert_eq!((team.called(0).len(), team.called(1).len()), (3, 1));
    });
}

#[test]
fn one_who_failed_is_asked_all_the_same_where_there_is_nobody_else() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Crashed); 3])]);
        for n in 1..=3 {
            assert_eq!(team.take(attempt("t", n)).await, "crashed");
        }
        assert_eq!(team.take(turn("u")).await, "done");
    });
}

#[test]
fn what_took_too_long_is_not_repeated_and_somebody_else_may_try() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Timeout)])]);
        assert_eq!(team.take(turn("t")).await, "timeout");
        assert_eq!(team.called(0).len(), 1);
        let agents = vec![("a", vec![fails(Timeout)]), ("b", Vec::new())];
        let team = Team::new(with_fallback(&["b"]), Park, agents);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!((team.called(0).len(), team.called(1).len()), (1, 1));
    });
}

#[test]
fn a_review_is_called_once_and_again_after_five_seconds_where_the_workflow_asks() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Overloaded); 2])]);
        assert_eq!(team.take(review("r", 1)).await, "overloaded");
        assert_eq!(team.take(review("r2", 2)).await, "overloaded");
        assert_eq!(team.called(0), [0, 5]);
    });
}

#[test]
fn one_who_does_not_let_us_in_is_asked_once_and_not_again() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Auth); 2])]);
        assert_eq!(team.take(turn("t")).await, "auth");
        assert_eq!(team.take(turn("u")).await, "auth");
        assert_eq!(team.called(0).len(), 1);
    });
}

#[test]
fn with_nothing_left_to_spend_a_run_is_parked_even_where_it_may_wait() {
    paused(async {
        let team = Team::new(Staff::default(), Wait, vec![("a", vec![fails(Limit)])]);
        assert_eq!(team.take(turn("t")).await, "held");
    });
}

#[test]
fn a_refusal_is_an_answer_and_nobody_else_is_asked() {
    paused(async {
        let agents = vec![("a", vec![fails(Refused)]), ("b", Vec::new())];
        let team = Team::new(with_fallback(&["b"]), Park, agents);
        assert_eq!(team.take(turn("t")).await, "refused");
        assert_eq!(team.called(1).len(), 0);
    });
}

#[test]
fn work_that_is_switched_off_is_denied_and_nobody_is_called() {
    paused(async {
        let off = TaskSettings {
            agent: Some(Chosen::Nobody),
            ..TaskSettings::default()
        };
        let staff = Staff {
            tasks: vec![("review".to_owned(), off)],
            ..Staff::default()
        };
        let team = Team::new(staff, Park, vec![("a", Vec::new())]);
        assert_eq!(team.take(review("r", 1)).await, "denied");
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.called(0).len(), 1);
    });
}
