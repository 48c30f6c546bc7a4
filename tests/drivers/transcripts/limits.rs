//! Limits: one that is near is no failure, one that is reached says when it ends, where it does.

use super::{Case, NOW};

/// Puts a line before the last one of a run.
fn before_the_last(case: &Case, line: &str) -> Case {
    let mut lines = case.lines();
    lines.insert(lines.len() - 1, line.to_owned());
    case.with_out(lines.join("\n"))
}

fn limit(status: &str) -> String {
    format!(
        r#"{{"type":"rate_limit_event","rate_limit_info":{{"status":"{status}","resetsAt":1794747600,"rateLimitType":"five_hour"}}}}"#
    )
}

#[test]
fn a_warning_that_a_limit_is_near_fails_nothing() {
    let case = before_the_last(&Case::named("claude-code/02-text-stream"), &limit("allowed_warning"));
    let told = case.told();
    assert_eq!(told.ended, Ok(()));
    assert_eq!(told.call.notes, ["a usage limit of the account is near"]);
}

#[test]
fn a_limit_that_was_hit_and_paid_for_otherwise_fails_nothing() {
    let case = before_the_last(&Case::named("claude-code/02-text-stream"), &limit("rejected"));
    assert_eq!(case.told().ended, Ok(()));
}

#[test]
fn a_limit_that_was_hit_says_when_it_ends() {
    let case = Case::named("claude-code/50-rate-max1");
    for at in 0..case.lines().len() {
        let mut lines = case.lines();
        lines.insert(at, limit("rejected"));
        let call = case.with_out(lines.join("\n")).told().call;
        assert_eq!(call.result.unwrap_err().kind.name(), "rate-limited");
        // What was told before the conversation began is not about it.
        assert_eq!(call.until, (at > 0).then_some(1_794_747_600_000), "at line {at}");
    }
}

#[test]
fn the_end_of_a_limit_is_none_where_none_is_stated() {
    for name in [
        "claude-code/50-rate-max1",
        "codex/31-rate-forever",
        "copilot/36-rate-forever",
        "gemini/36-rate-forever",
    ] {
        let case = Case::named(name);
        assert_eq!(case.class(), "rate-limited", "{name}");
        assert_eq!(case.told().call.until, None, "{name}");
    }
}

#[test]
fn opencode_hands_on_the_header_of_its_service() {
    let case = Case::named("opencode/36-rate-forever");
    assert_eq!(case.told().call.until, Some(NOW + 1000));
    let text = String::from_utf8(case.recorded.out.clone()).unwrap();
    let dated = text.replace(
        r#""retry-after":"1""#,
        r#""retry-after":"Sun, 15 Nov 2026 13:00:00 GMT""#,
    );
    assert_eq!(case.with_out(dated).told().call.until, Some(NOW + 3_600_000));
}

#[test]
fn codex_tells_a_time_of_day_where_the_person_is() {
    let until = Case::named("codex/40-usagelimit").told().call.until.unwrap();
    assert!(until > NOW && until <= NOW + 24 * 3_600_000);
    // Zones differ by quarters of an hour: 23 minutes past are 8 past a quarter everywhere.
    assert_eq!(until % 900_000, 8 * 60_000);
}

#[test]
fn gemini_tells_a_delay_inside_the_error_of_its_service() {
    let case = Case::named("gemini/36-rate-forever");
    let text = String::from_utf8(case.recorded.out.clone()).unwrap();
    for (words, seconds) in [
        (
            r#"{\"error\":{\"code\":429,\"details\":[{\"retryDelay\":\"32s\"}]}}"#,
            32,
        ),
        (
            "You exceeded your current quota, please check your plan and billing details. Please retry in 7.5s.",
            8,
        ),
    ] {
        let told = case
            .with_out(text.replace("This request would exceed your rate limit.", words))
            .told();
        let until = told.call.until.unwrap();
        assert_eq!((until - NOW + 999) / 1000, seconds, "{words}");
        assert_eq!(told.ended.unwrap_err().kind.name(), "rate-limited");
    }
}

#[test]
fn who_is_ended_while_it_tries_again_failed_at_what_it_waited_for() {
    let auth = Case::named("claude-code/44-401").told();
    assert_eq!(auth.ended.unwrap_err().kind.name(), "auth");
    let network = Case::named("codex/46-openai-envbase").told();
    assert_eq!(network.ended.unwrap_err().kind.name(), "overloaded");
    let hung = Case::named("claude-code/67-hang-api-timeout").told();
    assert_eq!(hung.ended.unwrap_err().kind.name(), "timeout");
}

#[test]
fn the_end_of_a_reply_says_whether_it_is_whole() {
    let case = Case::named("claude-code/02-text-stream");
    let text = String::from_utf8(case.recorded.out.clone()).unwrap();
    for (reason, class) in [("refusal", "refused"), ("max_tokens", "malformed")] {
        let other = text.replace(r#""stop_reason":"end_turn""#, &format!(r#""stop_reason":"{reason}""#));
        assert_ne!(other, text);
        assert_eq!(case.with_out(other).class(), class);
    }
    let case = Case::named("opencode/01-text");
    let text = String::from_utf8(case.recorded.out.clone()).unwrap();
    for (reason, class) in [
        ("length", "malformed"),
        ("content-filter", "refused"),
        ("tool-calls", "crashed"),
    ] {
        let other = text.replace(r#""reason":"stop""#, &format!(r#""reason":"{reason}""#));
        assert_eq!(case.with_out(other).class(), class, "{reason}");
    }
}

#[test]
fn a_success_of_gemini_after_an_error_that_ended_its_turn_is_none() {
    let case = Case::named("gemini/06-model");
    for (words, class) in [
        ("Loop detected, stopping execution", "crashed"),
        ("Maximum session turns exceeded", "limit"),
        ("The model response was blocked due to safety settings.", "refused"),
    ] {
        let line = format!(r#"{{"type":"error","severity":"warning","message":"{words}"}}"#);
        assert_eq!(before_the_last(&case, &line).class(), class, "{words}");
    }
}

#[test]
fn money_that_is_missing_is_no_login_that_is_missing() {
    let case = Case::named("claude-code/53-401-max1");
    let text = String::from_utf8(case.recorded.out.clone()).unwrap();
    let billed = text.replace("authentication_failed", "billing_error");
    assert_eq!(case.class(), "auth");
    assert_eq!(case.with_out(billed).class(), "limit");
}
