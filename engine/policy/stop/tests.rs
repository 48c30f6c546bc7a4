//! Every row of the table in `spec/20-stop-hook.md`, and files that are not as they should be.

use super::{Facts, Limit, LoopState, Release, Signal, Tally, Verdict, decide, last_message, tally};

const STATE: &str = r#"# Where a review loop stands.
---
active: true
tracker_path: "reviews/issues.md"

# Rounds
current_round: 1 # of three
max_rounds: 3
blocks_in_a_row: 0
pending_count: 2
consecutive_failures: 0
max_consecutive_failures: 5
max_runtime_seconds: 1800
started_at: "2026-11-15T06:16:05Z"
last_updated: "2026-11-15T06:16:05Z"
completion_promise: ALL_ISSUES_RESOLVED
---
Finish the review.
---
And check it.
"#;

/// The moment at which the review began.
const BEGAN: i64 = 1_794_723_365_000;

fn state(changes: &[(&str, &str)]) -> LoopState {
    LoopState::read(&changed(changes)).unwrap()
}

/// Returns the state file with other values.
fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = STATE.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn decided(state: &LoopState, said: &str, tally: Tally) -> Verdict {
    decide(&Facts {
        state,
        said,
        tally,
        now: BEGAN,
        is_again: false,
        cap: None,
    })
}

const OPEN: Tally = Tally { open: 2, blocked: 0 };
const CLEAR: Tally = Tally { open: 0, blocked: 0 };
const WAITING: Tally = Tally { open: 0, blocked: 1 };
const PROMISE: &str = "Done.\n<review-complete>ALL_ISSUES_RESOLVED</review-complete>";

#[test]
fn what_is_said_and_what_is_open_decide() {
    let state = state(&[]);
    let hold = Verdict::Hold { promised: false };
    let rows = [
        ("Done.", OPEN, hold.clone()),
        ("Done.", CLEAR, Verdict::Release(Release::NothingOpen)),
        ("Done.", WAITING, Verdict::Release(Release::NothingOpen)),
        (PROMISE, CLEAR, Verdict::Release(Release::Complete)),
        (PROMISE, OPEN, Verdict::Hold { promised: true }),
        (PROMISE, WAITING, Verdict::Hold { promised: true }),
        ("<review-complete>DONE</review-complete>", OPEN, hold.clone()),
        (
            "<review-blocked>no key</review-blocked>",
            OPEN,
            Verdict::Release(Release::Blocked("no key".to_owned())),
        ),
        (
            "<review-timeout>\n 30  minutes\n</review-timeout>",
            OPEN,
            Verdict::Release(Release::TimedOut("30 minutes".to_owned())),
        ),
        ("<review-blocked></review-blocked>", OPEN, hold.clone()),
        ("<review-blocked>…</review-blocked>", OPEN, hold.clone()),
        ("review-blocked: no key", OPEN, hold),
    ];
    for (said, tally, expected) in rows {
        assert_eq!(decided(&state, said, tally), expected, "{said}");
    }
    let both = format!("{PROMISE}\n<review-blocked>no key</review-blocked>");
    let blocked = Verdict::Release(Release::Blocked("no key".to_owned()));
    assert_eq!(decided(&state, &both, OPEN), blocked);
}

#[test]
fn a_limit_lets_go_whatever_is_open() {
    let rows = [
        ("current_round: 1", "current_round: 3", Limit::Rounds(3)),
        ("consecutive_failures: 0", "consecutive_failures: 5", Limit::Failures(5)),
        ("max_runtime_seconds: 1800", "max_runtime_seconds: 0", Limit::Runtime(0)),
    ];
    for (from, to, limit) in rows {
        let state = state(&[(from, to)]);
        for said in ["Done.", PROMISE] {
            let expected = Verdict::Release(Release::Limit(limit));
            assert_eq!(decided(&state, said, OPEN), expected, "{to}");
        }
    }
}

#[test]
fn time_is_up_at_the_second() {
    let state = state(&[]);
    let at = |now| {
        decide(&Facts {
            state: &state,
            said: "Done.",
            tally: OPEN,
            now,
            is_again: false,
            cap: None,
        })
    };
    assert_eq!(at(BEGAN + 1_799_999), Verdict::Hold { promised: false });
    let over = Verdict::Release(Release::Limit(Limit::Runtime(1800)));
    assert_eq!(at(BEGAN + 1_800_000), over);
    assert_eq!(at(i64::MAX), over);
    assert_eq!(at(i64::MIN), Verdict::Hold { promised: false });
}

#[test]
fn the_program_of_an_agent_is_never_made_to_override() {
    let many = state(&[("max_rounds: 3", "max_rounds: 99"), ("in_a_row: 0", "in_a_row: 8")]);
    let at = |is_again, cap| {
        decide(&Facts {
            state: &many,
            said: "Done.",
            tally: OPEN,
            now: BEGAN,
            is_again,
            cap,
        })
    };
    let capped = Release::Capped(8);
    assert!(!capped.is_end());
    assert_eq!(at(true, Some(8)), Verdict::Release(capped));
    assert_eq!(at(true, Some(9)), Verdict::Hold { promised: false });
    assert_eq!(at(false, Some(8)), Verdict::Hold { promised: false });
    assert_eq!(at(true, None), Verdict::Hold { promised: false });
}

#[test]
fn a_tag_is_a_signal_only_when_it_is_closed() {
    let all = |message: &str| Signal::all(message, "ALL DONE");
    for nothing in [
        "",
        "<review-complete>ALL DONE",
        "ALL DONE</review-complete>",
        "<review-complete>all done</review-complete>",
        "<review-complete>ALL DONE!</review-complete>",
        "<Review-Complete>ALL DONE</Review-Complete>",
        "</review-complete><review-complete>",
    ] {
        assert_eq!(all(nothing), [], "{nothing}");
    }
    for complete in [
        "<review-complete>ALL DONE</review-complete>",
        "<review-complete>\n  ALL\tDONE\r\n</review-complete> and more",
        "I would say <review-complete> if I could: <review-complete>ALL DONE</review-complete>",
        "<review-complete>no</review-complete> é <review-complete>ALL DONE</review-complete>",
        "&lt;review-complete&gt;ALL DONE&lt;/review-complete&gt;",
    ] {
        assert_eq!(all(complete), [Signal::Complete], "{complete}");
    }
    let mixed = "<review-timeout>late</review-timeout> <review-blocked>stuck</review-blocked>";
    let expected = [Signal::Timeout("late".to_owned()), Signal::Blocked("stuck".to_owned())];
    assert_eq!(all(mixed), expected);
}

#[test]
fn a_promise_may_hold_anything() {
    let promise = "*?[a] $(b) \"c\"";
    let message = format!("<review-complete>{promise}</review-complete>");
    assert_eq!(Signal::all(&message, promise), [Signal::Complete]);
    assert_eq!(Signal::all(&message, "*"), []);
}

#[test]
fn a_round_changes_three_values_and_nothing_else() {
    let state = state(&[("in_a_row: 0", "in_a_row: 4")]);
    let later = |is_again| state.one_round_later("2026-11-15T07:00:00Z", is_again).unwrap();
    let expected = changed(&[
        ("current_round: 1", "current_round: 2"),
        (
            "last_updated: \"2026-11-15T06:16:05Z\"",
            "last_updated: \"2026-11-15T07:00:00Z\"",
        ),
        ("in_a_row: 0", "in_a_row: 5"),
    ]);
    assert_eq!(later(true), expected);
    assert_eq!(later(false), expected.replace("in_a_row: 5", "in_a_row: 1"));
}

#[test]
fn what_is_not_there_is_not_written() {
    let seed = changed(&[
        ("blocks_in_a_row: 0\n", ""),
        ("last_updated: \"2026-11-15T06:16:05Z\"\n", ""),
        ("tracker_path: \"reviews/issues.md\"\n", ""),
        ("max_runtime_seconds: 1800\n", ""),
    ]);
    let seed = seed.replace('\n', "\r\n");
    let state = LoopState::read(&seed).unwrap();
    assert_eq!((state.pending, &state.tracker, state.runtime), (2, &None, None));
    let later = state.one_round_later("2026-11-15T07:00:00Z", true).unwrap();
    assert_eq!(later, seed.replace("current_round: 1", "current_round: 2"));
}

#[test]
fn rules_in_the_prompt_belong_to_it() {
    assert_eq!(state(&[]).prompt, "Finish the review.\n---\nAnd check it.");
}

/// What is changed, into what, and what is then wrong.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "# Where a review loop stands.",
        "active: true",
        "the keys do not stand between two lines `---`",
    ),
    (
        "active: true",
        "active: yes please",
        "`active` is neither true nor false",
    ),
    ("active: true\n", "", "`active` is not there"),
    ("active: true", "- active", "line 4 is no YAML"),
    (
        "current_round: 1",
        "current_round: \"1\"",
        "`current_round` is not a whole number",
    ),
    (
        "current_round: 1",
        "current_round: -1",
        "`current_round` is not a whole number",
    ),
    (
        "current_round: 1",
        "current_round: 1.5",
        "`current_round` is not a whole number",
    ),
    (
        "current_round: 1",
        "current_round: 99999999999999999999",
        "`current_round` is not a whole number",
    ),
    (
        "current_round: 1",
        "current_round: 1\ncurrent_round: 1",
        "line 8 is no YAML",
    ),
    ("max_rounds: 3", "max_rounds: [3]", "`max_rounds` is not a whole number"),
    (
        "started_at: \"2026-11-15T06:16:05Z\"",
        "started_at: soon",
        "`started_at` is no time",
    ),
    ("ALL_ISSUES_RESOLVED", "\"\"", "`completion_promise` is not there"),
    ("ALL_ISSUES_RESOLVED", "{a: b}", "`completion_promise` is no text"),
    (
        "tracker_path: \"reviews/issues.md\"",
        "tracker_path: [a]",
        "`tracker_path` is no text",
    ),
    (
        "active: true",
        "active: {{ active }}",
        "`active` is neither true nor false",
    ),
];

#[test]
fn a_file_that_is_not_as_it_should_be_is_an_error() {
    for (from, to, expected) in WRONG {
        let error = LoopState::read(&changed(&[(from, to)])).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{to}: {error}");
    }
    for text in [
        "",
        "---",
        "---\n---\n",
        "---\n- a\n---\n",
        "---\nactive: true\n",
        "\0",
        "\u{feff}---\n\u{feff}",
    ] {
        assert!(LoopState::read(text).is_err(), "{text:?}");
    }
    let neither = changed(&[
        ("tracker_path: \"reviews/issues.md\"\n", ""),
        ("pending_count: 2\n", ""),
    ]);
    assert!(LoopState::read(&neither).unwrap_err().to_string().contains("neither"));
}

#[test]
fn a_time_over_several_lines_is_replaced_too() {
    let lines = (
        "last_updated: \"2026-11-15T06:16:05Z\"",
        "last_updated: |\n  now\n  then",
    );
    let later = state(&[lines]).one_round_later("2026-11-15T07:00:00Z", false).unwrap();
    let expected = changed(&[
        ("current_round: 1", "current_round: 2"),
        ("in_a_row: 0", "in_a_row: 1"),
        (lines.0, "last_updated: |\n  \"2026-11-15T07:00:00Z\""),
    ]);
    assert_eq!(later, expected);
}

#[test]
fn issues_are_counted_by_their_state() {
    let tracker = "# Issue tracker\n### F-9 · low · open\n<!-- ISSUES_START -->\n\
        ### F-1 · high · open\n\nclaim ### F-9 · high · open\n### F2 · low · Fixed\n### F-3 · low · in-progress\n\
        ### F-4 · low · blocked\n### F-5 · low · regressed\n### F-6 · low · dismissed\n### F-7 · low · deferred\n\
        <!-- ISSUES_END -->\n### F-10 · low · open\n";
    assert_eq!(tally(tracker), Ok(Tally { open: 3, blocked: 1 }));
    let nothing = "<!-- ISSUES_START -->\nNothing was found so far.\n<!-- ISSUES_END -->";
    assert_eq!(tally(nothing), Ok(CLEAR));
    let escaped = "&lt;!-- ISSUES_START --&gt;\n### F-1 · high · open\n&lt;!-- ISSUES_END --&gt;";
    assert_eq!(tally(escaped), Ok(Tally { open: 1, blocked: 0 }));
    for text in [
        "",
        "### F-1 · high · open",
        "<!-- ISSUES_START -->\n### F-1 · high · open\n",
        "<!-- ISSUES_START -->\n### F-1 · high · done\n<!-- ISSUES_END -->",
    ] {
        assert!(tally(text).is_err(), "{text}");
    }
}

#[test]
fn the_last_message_is_found_in_the_transcript_of_each_agent() {
    let claude = r#"{"type":"assistant","isSidechain":false,"message":{"id":"m0","role":"assistant","content":[{"type":"text","text":"before"}]}}
{"type":"user","message":{"role":"user","content":"assistant"}}
{"type":"assistant","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one\ntwo"}]}}
{"type":"assistant","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"three"},{"type":"tool_use","name":"Bash"}]}}
{"type":"assistant","isSidechain":true,"message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"a helper"}]}}
{"type":"api-request-blob","message":{"role":"assistant","content":[{"type":"text","text":"a copy"}]}}
{"type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}}
not JSON assistant
"#;
    assert_eq!(last_message(claude).as_deref(), Some("one\ntwo\nthree"));
    let codex = r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"FIRST"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"assistant"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"SECOND"}]}}
{"type":"event_msg","payload":{"type":"token_count","of":"assistant"}}"#;
    assert_eq!(last_message(codex).as_deref(), Some("SECOND"));
    let seed = r#"{"role":"assistant","message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}"#;
    assert_eq!(last_message(seed).as_deref(), Some("a\nb"));
    let plain = r#"{"role":"assistant","content":"as text"}"#;
    assert_eq!(last_message(plain).as_deref(), Some("as text"));
    for nothing in [
        "",
        "\n",
        "assistant",
        r#"{"role":"assistant"}"#,
        r#"{"role":"user","content":"assistant"}"#,
    ] {
        assert_eq!(last_message(nothing), None, "{nothing}");
    }
}
