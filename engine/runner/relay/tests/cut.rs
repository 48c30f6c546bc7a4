//! Calls that were cut off: they may have been paid for, and count.

use super::{BEGINNING, Team, done, fails, key, paused, turn};
use crate::host::{Call, Called, Ceiling, Driver as _, Limits, Spent, Staff, Tokens};
use crate::machine::FailureKind;
use crate::runner::ledger::News;
use crate::runner::relay::Patience::Park;
use std::sync::Arc;
use std::time::Duration;

/// Returns a staff that may make so many calls.
fn calls(most: u64) -> Staff {
    limited(Ceiling {
        calls: Some(most),
        ..Ceiling::default()
    })
}

fn limited(run: Ceiling) -> Staff {
    let limits = Limits {
        run,
        ..Limits::default()
    };
    Staff {
        limits,
        ..Staff::default()
    }
}

/// Begins a turn and leaves it after a while, as somebody does who stops the run.
async fn interrupt(team: &Team, digest: &str, after: Duration) {
    let waited = tokio::time::timeout(after, team.relay.perform(Arc::new(turn(digest)))).await;
    assert!(waited.is_err(), "it was over");
    team.ledger
        .cut_off(BEGINNING + i64::try_from(after.as_millis()).unwrap());
}

/// Takes the calls that the journal is told of.
fn told(team: &Team) -> Vec<Called> {
    let news = team.ledger.take_news().into_iter();
    news.filter_map(|news| match news {
        News::Called(called) => Some(*called),
        News::Told(_) => None,
    })
    .collect()
}

/// Returns a team of one agent that is at work for a minute.
fn slow(staff: Staff) -> Team {
    let mut team = Team::new(staff, Park, vec![("a", Vec::new())]);
    super::ceilings::slow(&mut team, Duration::from_secs(60));
    team
}

#[test]
fn a_call_that_was_cut_off_is_told_with_its_time_and_counts() {
    paused(async {
        let team = slow(calls(1));
        interrupt(&team, "t", Duration::from_secs(7)).await;
        let told = told(&team);
        let [called] = told.as_slice() else {
            panic!("{told:?}");
        };
        assert_eq!((called.cut, called.took, called.at), (true, 7000, BEGINNING + 7000));
        assert_eq!((called.driver.as_str(), called.spent.is_unknown()), ("a", true));
        assert!(team.ledger.is_cut());
        assert_eq!(team.take(turn("t")).await, "held");
    });
}

#[test]
fn a_call_that_ended_is_not_cut_off() {
    paused(async {
        let team = slow(calls(1));
        assert_eq!(team.take(turn("t")).await, "done");
        team.ledger.cut_off(BEGINNING);
        assert_eq!(told(&team).iter().filter(|called| called.cut).count(), 0);
        assert!(!team.ledger.is_cut());
    });
}

#[test]
fn calls_of_processes_that_were_killed_count_before_another_one_is_made() {
    paused(async {
        let team = slow(calls(3));
        team.ledger.lose(&key(&turn("t")), 2);
        assert_eq!(team.take(turn("t")).await, "done");
        let cut: Vec<bool> = told(&team).iter().map(|called| called.cut).collect();
        assert_eq!(cut, [true, true, false]);
        assert_eq!(team.take(turn("u")).await, "held");
    });
}

#[test]
fn below_a_ceiling_of_money_a_call_that_was_cut_off_is_the_last_one() {
    paused(async {
        let team = slow(limited(Ceiling {
            money: Some(5.0),
            ..Ceiling::default()
        }));
        team.ledger.lose(&key(&turn("t")), 1);
        assert_eq!(team.take(turn("t")).await, "held");
        assert_eq!(team.ledger.used().unknown, 1);
    });
}

#[test]
fn a_call_that_was_cut_off_counts_for_as_much_as_the_dearest_of_the_same_agent() {
    for (money, expected) in [(1.0, "done"), (0.7, "held")] {
        paused(async {
            let staff = limited(Ceiling {
                money: Some(money),
                ..Ceiling::default()
            });
            let costs = |cost| Call {
                spent: Spent {
                    cost: Some(cost),
                    ..Spent::default()
                },
                ..done()
            };
            let team = Team::new(staff, Park, vec![("a", vec![costs(0.4), costs(0.1)])]);
            assert_eq!(team.take(turn("t")).await, "done");
            team.ledger.lose(&key(&turn("u")), 1);
            assert_eq!(team.take(turn("u")).await, expected);
        });
    }
}

#[test]
fn below_a_ceiling_of_tokens_a_call_that_was_cut_off_counts_once_its_agent_told_how_many_it_uses() {
    let uses = |input| Call {
        spent: Spent {
            tokens: Some(Tokens {
                input,
                ..Tokens::default()
            }),
            ..Spent::default()
        },
        ..done()
    };
    let below = |tokens| {
        limited(Ceiling {
            tokens: Some(tokens),
            ..Ceiling::default()
        })
    };
    for (ceiling, expected) in [(1000, "done"), (700, "held")] {
        paused(async {
            let team = Team::new(below(ceiling), Park, vec![("a", vec![uses(400), uses(100)])]);
            team.ledger.lose(&key(&turn("t")), 1);
            assert_eq!(team.take(turn("t")).await, "done");
            assert_eq!(team.take(turn("u")).await, expected);
        });
    }
    paused(async {
        let team = Team::new(below(1000), Park, vec![("a", vec![done(), uses(100)])]);
        team.ledger.lose(&key(&turn("t")), 1);
        assert_eq!(team.take(turn("t")).await, "done");
        assert_eq!(team.take(turn("u")).await, "held", "a whole call told none");
    });
}

#[test]
fn a_call_that_was_cut_off_says_nothing_about_the_agent() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(FailureKind::Crashed)])]);
        assert_eq!(team.take(turn("t")).await, "crashed");
        team.ledger.lose(&key(&turn("u")), 1);
        let asked = turn("u");
        let lane = asked.lane.clone();
        assert_eq!(team.ledger.failures(&lane), 1);
        let [crashed] = told(&team).try_into().unwrap();
        team.ledger.tell_lost(&Called {
            key: key(&asked),
            class: None,
            cut: true,
            ..crashed
        });
        assert_eq!(team.ledger.failures(&lane), 1);
    });
}

#[test]
fn a_call_after_one_that_was_cut_off_has_a_conversation_of_its_own_name() {
    paused(async {
        let team = slow(Staff::default());
        interrupt(&team, "t", Duration::from_secs(1)).await;
        team.take(turn("t")).await;
        let turns = team.turns(0);
        assert_ne!(turns[0].session.choose, turns[1].session.choose);
    });
}
