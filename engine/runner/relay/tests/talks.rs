//! Conversations and models.

use super::{Team, attempt, done, fails, key, paused, turn};
use crate::host::{Call, Called, Spent, Staff, Tokens, Turn};
use crate::machine::FailureKind::{Crashed, Malformed, TooLong};
use crate::machine::Mode;
use crate::runner::relay::Patience::Park;

fn says(session: &str) -> Call {
    Call {
        session: Some(session.to_owned()),
        ..done()
    }
}

fn after(digest: &str, before: &str) -> Turn {
    let mut turn = turn(digest);
    turn.task.after = Some(before.to_owned());
    turn
}

fn resumed(team: &Team, at: usize) -> Vec<Option<String>> {
    team.turns(at).into_iter().map(|turn| turn.session.resume).collect()
}

#[test]
fn a_turn_goes_on_with_the_conversation_before_it_unless_it_starts_fresh() {
    paused(async {
        let team = Team::new(
            Staff::default(),
            Park,
            vec![("a", vec![says("s1"), says("s1"), says("s2")])],
        );
        team.take(turn("t")).await;
        team.take(after("u", "t")).await;
        let mut fresh = after("v", "u");
        fresh.task.mode = Mode::Fresh;
        team.take(fresh).await;
        assert_eq!(resumed(&team, 0), [None, Some("s1".to_owned()), None]);
    });
}

#[test]
fn a_conversation_of_another_agent_or_lane_is_not_gone_on_with() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![says("s1")])]);
        team.take(turn("t")).await;
        let mut beside = after("u", "t");
        beside.lane = "0.1.1".to_owned();
        team.take(beside).await;
        assert_eq!(resumed(&team, 0), [None, None]);
        let called = Called {
            at: 0,
            key: key(&turn("x")),
            step: "1".to_owned(),
            workflow: "dev".to_owned(),
            driver: "other".to_owned(),
            model: None,
            session: Some("s9".to_owned()),
            spent: Spent::default(),
            took: 0,
            class: None,
            cut: false,
            until: None,
        };
        team.ledger.replayed(&called, false);
        team.take(after("y", "x")).await;
        assert_eq!(resumed(&team, 0)[2], None);
    });
}

#[test]
fn a_call_that_broke_off_leaves_the_conversation_before_it() {
    paused(async {
        let broken = Call {
            session: Some("s1".to_owned()),
            ..fails(Crashed)
        };
        let team = Team::new(
            Staff::default(),
            Park,
            vec![("a", vec![says("s1"), broken, says("s1")])],
        );
        team.take(turn("t")).await;
        team.take(after("u", "t")).await;
        let mut again = after("u2", "u");
        again.task.attempt = 2;
        team.take(again).await;
        let s1 = || Some("s1".to_owned());
        assert_eq!(resumed(&team, 0), [None, s1(), s1()]);
    });
}

#[test]
fn a_reply_in_the_wrong_form_is_repaired_in_the_same_conversation() {
    paused(async {
        let wrong = Call {
            session: Some("s1".to_owned()),
            ..fails(Malformed)
        };
        let team = Team::new(Staff::default(), Park, vec![("a", vec![wrong])]);
        team.take(turn("t")).await;
        let mut again = after("t2", "t");
        again.task.attempt = 2;
        team.take(again).await;
        assert_eq!(resumed(&team, 0), [None, Some("s1".to_owned())]);
    });
}

#[test]
fn a_conversation_that_became_too_long_is_begun_anew_once() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![says("s1"), fails(TooLong)])]);
        team.take(turn("t")).await;
        assert_eq!(team.take(after("u", "t")).await, "done");
        assert_eq!(resumed(&team, 0), [None, Some("s1".to_owned()), None]);
        let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(TooLong)])]);
        assert_eq!(team.take(turn("t")).await, "too-long");
    });
}

#[test]
fn every_call_gets_a_name_of_its_own_for_a_new_conversation_and_the_same_in_every_process() {
    paused(async {
        let names = || async {
            let team = Team::new(Staff::default(), Park, vec![("a", vec![fails(Crashed)])]);
            team.take(turn("t")).await;
            team.take(attempt("t", 2)).await;
            let mut cut_off = turn("t");
            cut_off.session.choose = "token 1".to_owned();
            team.take(cut_off).await;
            let turns = team.turns(0);
            turns.into_iter().map(|turn| turn.session.choose).collect::<Vec<_>>()
        };
        let first = names().await;
        let different: std::collections::HashSet<&String> = first.iter().collect();
        assert_eq!(different.len(), 3, "{first:?}");
        assert_eq!(first, names().await);
    });
}

#[test]
fn what_a_conversation_counted_is_handed_to_agents_that_count_from_its_beginning() {
    paused(async {
        let spent = |input| Call {
            spent: Spent {
                tokens: Some(Tokens {
                    input,
                    ..Tokens::default()
                }),
                cost: None,
            },
            ..says("s1")
        };
        let team = Team::new(Staff::default(), Park, vec![("a", vec![spent(5), spent(7), spent(1)])]);
        team.take(turn("t")).await;
        team.take(after("u", "t")).await;
        team.take(after("v", "u")).await;
        let counted: Vec<u64> = team
            .turns(0)
            .iter()
            .map(|turn| turn.session.counted.tokens.unwrap_or_default().input)
            .collect();
        assert_eq!(counted, [0, 5, 12]);
    });
}

#[test]
fn a_conversation_that_knows_of_what_was_rolled_back_is_left() {
    paused(async {
        let team = Team::new(Staff::default(), Park, vec![("a", vec![says("s1")])]);
        team.take(turn("t")).await;
        let void = Called {
            at: 0,
            key: key(&turn("gone")),
            step: "1".to_owned(),
            workflow: "dev".to_owned(),
            driver: "a".to_owned(),
            model: None,
            session: Some("s1".to_owned()),
            spent: Spent::default(),
            took: 0,
            class: None,
            cut: false,
            until: None,
        };
        team.ledger.replayed(&void, true);
        team.take(after("u", "t")).await;
        assert_eq!(resumed(&team, 0), [None, None]);
    });
}

#[test]
fn two_failures_lead_to_a_stronger_model_and_a_name_the_agent_lacks_is_left_out() {
    paused(async {
        let mut team = Team::new(Staff::default(), Park, vec![("a", Vec::new())]);
        for n in 1..=3 {
            let mut turn = attempt(&n.to_string(), n);
            turn.task.model = Some("haiku".to_owned());
            team.take(turn).await;
        }
        team.relay.members[0].models.clear();
        let mut bare = turn("4");
        bare.task.model = Some("haiku".to_owned());
        team.take(bare).await;
        let models: Vec<Option<String>> = team.turns(0).into_iter().map(|turn| turn.task.model).collect();
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(models, [named("haiku"), named("haiku"), named("sonnet"), None]);
    });
}
