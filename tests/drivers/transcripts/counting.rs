//! What a conversation used is counted once, however often it is gone on with.

use super::{Case, class, options};
use bmad::drivers::{Options, Told, hear};
use bmad::host::{Session, Spent, Tokens};
use std::fs;

/// Lets each run go on with the conversation of the one before it.
fn chain(names: &[&str]) -> Vec<Told> {
    let mut counted = Spent::default();
    let mut resume = None;
    let mut chain = Vec::new();
    for name in names {
        let mut case = Case::named(name);
        case.recorded.turn.session = Session {
            resume: resume.clone(),
            choose: String::new(),
            counted,
        };
        let told = case.told();
        assert_eq!(class(&told.ended), "done", "{name}");
        counted = counted.plus(told.call.spent);
        resume = told.call.session.clone();
        chain.push(told);
    }
    chain
}

fn tokens(input: u64, cached: u64, stored: u64, output: u64) -> Option<Tokens> {
    Some(Tokens {
        input,
        cached,
        stored,
        output,
    })
}

#[test]
fn codex_tells_the_tokens_of_the_whole_conversation_and_each_call_gets_its_own() {
    let names = [
        "codex/10-first",
        "codex/11-resume",
        "codex/12-resume-sandbox",
        "codex/13-resume-last",
    ];
    let used: Vec<_> = chain(&names).iter().map(|told| told.call.spent.tokens).collect();
    let one = tokens(1134, 100, 0, 56);
    assert_eq!(used, [one, one, tokens(2268, 200, 0, 112), one]);
}

#[test]
fn claude_code_tells_the_dollars_of_the_whole_conversation_and_the_tokens_of_the_call() {
    let names = [
        "claude-code/14-sessionid",
        "claude-code/15-resume",
        "claude-code/16-resume-snapshot-off",
    ];
    for told in chain(&names) {
        assert_eq!(told.call.spent.tokens, tokens(1234, 100, 20, 56));
        assert!(
            (told.call.spent.cost.unwrap() - 0.006_176).abs() < 1e-9,
            "{:?}",
            told.call.spent
        );
    }
}

#[test]
fn an_agent_that_tells_less_than_before_began_to_count_anew() {
    let mut case = Case::named("claude-code/76-resume-after-sigkill");
    let session = case.told().call.session;
    case.recorded.turn.session = Session {
        resume: session,
        choose: String::new(),
        counted: Spent {
            tokens: None,
            cost: Some(0.05),
        },
    };
    assert!((case.told().call.spent.cost.unwrap() - 0.006_176).abs() < 1e-9);
}

#[test]
fn a_conversation_that_is_not_the_one_asked_for_is_told_and_counted_from_nothing() {
    let mut case = Case::named("codex/14b-resume-badname");
    case.recorded.turn.session = Session {
        resume: Some("not-a-session".to_owned()),
        choose: String::new(),
        counted: Spent {
            tokens: tokens(1000, 0, 0, 0),
            cost: None,
        },
    };
    let call = case.told().call;
    assert_eq!(call.spent.tokens, tokens(1134, 100, 0, 56));
    assert!(
        call.notes.iter().any(|note| note.contains("not-a-session")),
        "{:?}",
        call.notes
    );
}

#[test]
fn opencode_tells_tokens_and_dollars_step_by_step() {
    let spent = Case::named("opencode/02-write").told().call.spent;
    assert_eq!(spent.tokens, tokens(2268, 200, 0, 112));
    assert!((spent.cost.unwrap() - 0.002_492).abs() < 1e-9);
}

#[test]
fn copilot_tells_tokens_in_a_file_for_the_whole_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let usage = r#"{"modelMetrics": {
        "one": {"usage": {"inputTokens": 1354, "outputTokens": 56, "cacheReadTokens": 100, "cacheWriteTokens": 20}},
        "two": {"usage": {"inputTokens": 10, "outputTokens": 1}}}}"#;
    fs::write(folder.path().join("call-usage.json"), usage).unwrap();
    let options = Options {
        scratch: folder.path().join("call"),
        ..options()
    };
    let mut case = Case::named("copilot/12-resume-usage");
    let spent = |case: &Case| hear("copilot", &case.recorded, &options).unwrap().call.spent;
    assert_eq!(spent(&case).tokens, tokens(1244, 100, 20, 57));
    case.recorded.turn.session = Session {
        resume: Some("44444444-2222-4333-8444-555555555555".to_owned()),
        choose: String::new(),
        counted: Spent {
            tokens: tokens(1000, 90, 10, 50),
            cost: None,
        },
    };
    assert_eq!(spent(&case).tokens, tokens(244, 10, 10, 7));
}

#[test]
fn a_run_that_was_killed_before_it_told_its_conversation_has_the_one_that_was_chosen() {
    let mut case = Case::named("copilot/43-native-shell-SIGKILL");
    assert_eq!(case.told().call.session, None);
    case.recorded.turn.session.choose = "chosen".to_owned();
    assert_eq!(case.told().call.session.as_deref(), Some("chosen"));
    let mut codex = Case::named("codex/51-shell-SIGKILL");
    codex.recorded.turn.session.choose = "chosen".to_owned();
    assert_ne!(
        codex.told().call.session.as_deref(),
        Some("chosen"),
        "it cannot be chosen there"
    );
}
