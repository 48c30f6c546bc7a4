//! What may be used: each ceiling stops a run, and without it the same run goes on.

use super::{BEGINNING, Team, attempt, done, fails, paused, spent, turn};
use crate::host::{Call, Called, Ceiling, Limits, Price, Spent, Staff, Tokens};
use crate::machine::FailureKind::Timeout;
use crate::runner::relay::Patience::{Park, Wait};
use std::time::Duration;

/// How many of ten turns are taken; each step holds two of them, each workflow four.
async fn taken(limits: Limits, calls: Vec<Call>, time: Duration) -> usize {
    let staff = Staff {
        limits,
        ..Staff::default()
    };
    let team = Team::new(staff, Park, vec![("a", calls)]);
    for n in 0..10 {
        let mut turn = turn(&n.to_string());
        turn.task.step = (n / 2).to_string();
        turn.task.workflow = (n / 4).to_string();
        if team.take(turn).await != "done" {
            return n;
        }
        tokio::time::sleep(time).await;
    }
    10
}

/// Says how far ten turns come with a ceiling over the run, over each workflow, over each step, and with none.
fn ablation(ceiling: Ceiling, call: fn() -> Call) -> [usize; 4] {
    let none = Limits::default();
    let all = [
        Limits {
            run: ceiling,
            ..none.clone()
        },
        Limits {
            workflow: ceiling,
            ..none.clone()
        },
        Limits {
            step: ceiling,
            ..none.clone()
        },
        none,
    ];
    all.map(|limits| paused(taken(limits, (0..10).map(|_| call()).collect(), Duration::ZERO)))
}

#[test]
fn money_is_a_ceiling_and_nothing_stops_a_run_without_it() {
    let ceiling = |money| Ceiling {
        money: Some(money),
        ..Ceiling::default()
    };
    assert_eq!(ablation(ceiling(0.3), || spent(10, Some(0.1))), [3, 3, 10, 10]);
    assert_eq!(ablation(ceiling(0.1), || spent(10, Some(0.1))), [1, 1, 1, 10]);
    assert_eq!(ablation(ceiling(9.0), || spent(10, Some(-5.0))), [1, 1, 1, 10]);
}

#[test]
fn tokens_are_a_ceiling_and_nothing_stops_a_run_without_it() {
    let ceiling = |tokens| Ceiling {
        tokens: Some(tokens),
        ..Ceiling::default()
    };
    assert_eq!(ablation(ceiling(30), || spent(10, None)), [3, 3, 10, 10]);
    assert_eq!(ablation(ceiling(10), || spent(10, None)), [1, 1, 1, 10]);
}

#[test]
fn calls_are_a_ceiling_and_nothing_stops_a_run_without_it() {
    let ceiling = |calls| Ceiling {
        calls: Some(calls),
        ..Ceiling::default()
    };
    assert_eq!(ablation(ceiling(3), done), [3, 3, 10, 10]);
    assert_eq!(ablation(ceiling(1), done), [1, 1, 1, 10]);
}

#[test]
fn calls_of_an_hour_are_a_ceiling_and_nothing_stops_a_run_without_it() {
    let ceiling = |hourly| Ceiling {
        hourly: Some(hourly),
        ..Ceiling::default()
    };
    assert_eq!(ablation(ceiling(3), done), [3, 3, 10, 10]);
    assert_eq!(ablation(ceiling(1), done), [1, 1, 1, 10]);
    let limits = Limits {
        run: ceiling(3),
        ..Limits::default()
    };
    let slowly = paused(taken(limits, Vec::new(), Duration::from_secs(1_201)));
    assert_eq!(slowly, 10, "what is an hour old does not count");
}

#[test]
fn time_of_agents_is_a_ceiling_and_waiting_is_not_work() {
    let limits = |time| Limits {
        run: Ceiling {
            time,
            ..Ceiling::default()
        },
        ..Limits::default()
    };
    for (time, far) in [(Some(30), 3), (None, 10)] {
        let count = paused(async {
            let staff = Staff {
                limits: limits(time),
                ..Staff::default()
            };
            let mut team = Team::new(staff, Park, vec![("a", Vec::new())]);
            slow(&mut team, Duration::from_secs(10));
            let mut count = 0;
            while count < 10 && team.take(turn(&count.to_string())).await == "done" {
                count += 1;
                tokio::time::sleep(Duration::from_secs(1_000)).await;
            }
            count
        });
        assert_eq!(count, far);
    }
}

pub(super) fn slow(team: &mut Team, takes: Duration) {
    let agent = super::Scripted {
        name: "a",
        calls: std::sync::Mutex::default(),
        turns: std::sync::Mutex::default(),
        began: team.began,
        takes,
    };
    let agent = std::sync::Arc::new(agent);
    team.relay.members[0].driver = agent.clone();
    team.agents[0] = agent;
}

#[test]
fn a_call_gets_no_more_time_than_is_left_and_the_ceiling_says_so_where_that_ends_it() {
    paused(async {
        let staff = Staff {
            limits: Limits {
                step: Ceiling {
                    time: Some(30),
                    ..Ceiling::default()
                },
                ..Limits::default()
            },
            ..Staff::default()
        };
        let mut team = Team::new(staff, Park, vec![("a", Vec::new())]);
        slow(&mut team, Duration::from_secs(20));
        assert_eq!(team.take(turn("t")).await, "done");
        team.agents[0].calls.lock().unwrap().push_back(fails(Timeout));
        assert_eq!(team.take(turn("u")).await, "held");
        let limits: Vec<Option<u32>> = team.turns(0).iter().map(|turn| turn.task.timeout).collect();
        assert_eq!(limits, [Some(30), Some(10)]);
    });
}

#[test]
fn a_hundred_calls_an_hour_are_made_where_nothing_is_set() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", Vec::new())]);
        for n in 0..100 {
            assert_eq!(team.take(turn(&n.to_string())).await, "done");
        }
        assert_eq!(team.take(turn("one more")).await, "held until 3600 s");
    });
}

#[test]
fn one_who_waits_goes_on_when_the_hour_is_over() {
    paused(async {
        let staff = Staff {
            limits: Limits {
                run: Ceiling {
                    hourly: Some(1),
                    ..Ceiling::default()
                },
                ..Limits::default()
            },
            ..Staff::default()
        };
        let team = Team::new(staff, Wait, vec![("a", Vec::new())]);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.take(turn("u")).await, "done");
        let called = team.called(0);
        assert!(matches!(called[..], [0, 3_605..=3_610]), "{called:?}");
    });
}

#[test]
fn lanes_that_begin_together_do_not_slip_below_a_ceiling_of_calls() {
    paused(async {
        let staff = Staff {
            limits: Limits {
                run: Ceiling {
                    calls: Some(2),
                    ..Ceiling::default()
                },
                ..Limits::default()
            },
            ..Staff::default()
        };
        let mut team = Team::new(staff, Park, vec![("a", Vec::new())]);
        slow(&mut team, Duration::from_secs(10));
        let three = tokio::join!(team.take(turn("t")), team.take(turn("u")), team.take(turn("v")));
        assert_eq!(three, ("done".to_owned(), "done".to_owned(), "held".to_owned()));
    });
}

fn money(estimate: Option<f64>, prices: Vec<(String, Price)>) -> Staff {
    Staff {
        limits: Limits {
            run: Ceiling {
                money: Some(1.0),
                ..Ceiling::default()
            },
            estimate,
            ..Limits::default()
        },
        prices,
        ..Staff::default()
    }
}

#[test]
fn a_cost_that_is_not_known_is_refused_below_a_ceiling_unless_it_is_estimated() {
    paused(async {
        let team = Team::new(money(None, Vec::new()), Park, vec![("a", Vec::new())]);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.take(turn("u")).await, "held");
        let team = Team::new(money(Some(0.4), Vec::new()), Park, vec![("a", Vec::new())]);
        for (digest, ended) in [("t", "done"), ("u", "done"), ("v", "done"), ("w", "held")] {
            assert_eq!(team.take(turn(digest)).await, ended);
        }
    });
}

#[test]
fn prices_of_the_person_count_where_the_agent_tells_none() {
    paused(async {
        let price = Price {
            input: Some(2.0),
            output: Some(10.0),
            ..Price::default()
        };
        let tokens = |input, cached, output| Call {
            model: Some("m".to_owned()),
            spent: Spent {
                tokens: Some(Tokens {
                    input,
                    cached,
                    output,
                    ..Tokens::default()
                }),
                cost: None,
            },
            ..done()
        };
        let calls = vec![tokens(100_000, 0, 20_000), tokens(0, 5, 0), spent(1, Some(0.25))];
        let team = Team::new(
            money(Some(0.1), vec![("m".to_owned(), price)]),
            Park,
            vec![("a", calls)],
        );
        for digest in ["t", "u", "v"] {
            assert_eq!(team.take(turn(digest)).await, "done");
        }
        let used = team.ledger.used();
        assert!((used.cost - 0.65).abs() < 1e-9, "{used:?}");
        assert_eq!(used.unknown, 1, "tokens of a kind without a price have no known cost");
    });
}

#[test]
fn the_message_names_the_setting_and_what_was_used() {
    paused(async {
        let staff = Staff {
            limits: Limits {
                step: Ceiling {
                    tokens: Some(1_500),
                    ..Ceiling::default()
                },
                ..Limits::default()
            },
            ..Staff::default()
        };
        let team = Team::new(staff, Park, vec![("a", vec![spent(2_000, None)])]);
        assert_eq!(team.take(turn("t")).await, "done");
        let call = crate::host::Driver::perform(&team.relay, std::sync::Arc::new(turn("u"))).await;
        let message = call.result.unwrap_err().message;
        assert_eq!(
            message,
            "step 1 of `dev` may use 1,500 tokens and used 2,000 tokens: `limits.step.tokens` in `bmad.toml`"
        );
    });
}

#[test]
fn what_an_earlier_process_used_counts_and_so_does_what_was_rolled_back() {
    paused(async {
        let staff = Staff {
            limits: Limits {
                run: Ceiling {
                    calls: Some(3),
                    ..Ceiling::default()
                },
                ..Limits::default()
            },
            ..Staff::default()
        };
        let team = Team::new(staff, Park, vec![("a", Vec::new())]);
        let earlier = |digest: &str| Called {
            at: BEGINNING - 1,
            key: super::key(&turn(digest)),
            step: "1".to_owned(),
            workflow: "dev".to_owned(),
            driver: "a".to_owned(),
            model: None,
            session: None,
            spent: Spent::default(),
            took: 5,
            class: None,
            cut: false,
            until: None,
        };
        team.ledger.replayed(&earlier("p"), false);
        team.ledger.replayed(&earlier("q"), true);
        assert_eq!(team.take(attempt("t", 1)).await, "done");
        assert_eq!(team.take(turn("u")).await, "held");
    });
}
