//! What one review keeps for the next.

use crate::builtins::document::text_hash as hash;
use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

const RULE: &str = "A failed booking is retried.";
const TEXT: &str = "# Plan\n\n## Schedule\n\nA failed booking is retried.\n\n## Price\n\nIt is free.\n";

/// Findings of which two are dismissed, one of them without a file.
fn findings() -> Value {
    let by_design = j!([
        {"round": 1, "state": "open", "reason": "reported"},
        {"round": 2, "state": "dismissed", "reason": "a person decided so: by design"}
    ]);
    let price = j!({"file": "plan.md", "section": "Price", "quote": "It is free."});
    let schedule = j!({"file": "", "section": "Schedule", "quote": RULE});
    json(j!([
        {"id": "F-1", "claim": "no end is named", "state": "dismissed", "place": schedule, "history": by_design, "anchor": hash(RULE)},
        {"id": "F-2", "claim": "nobody says who pays", "state": "open", "place": price},
        {"id": "F-3", "claim": "it is never free", "state": "dismissed", "place": price, "history": by_design, "anchor": hash("It is free.")},
        {"id": "F-4", "claim": "it can wait", "state": "deferred", "place": price}
    ]))
}

fn content(path: &str, text: &str) -> (&'static str, Value) {
    ("content", json(j!([{"path": path, "text": text}])))
}

fn remembered(text: &str) -> (&'static str, Value) {
    ("remembered", Value::from(text))
}

fn call(given: &[(&str, Value)]) -> Value {
    run("dismissals", given).unwrap()
}

fn text(answer: &Value, name: &str) -> String {
    answer.get(name).unwrap().to_string()
}

fn claims(answer: &Value) -> Vec<String> {
    let Some(Value::List(findings)) = answer.get("findings") else {
        panic!("{answer:?}")
    };
    findings.iter().map(|finding| text(finding, "claim")).collect()
}

/// Returns what is kept of the findings.
fn kept() -> String {
    text(&call(&[content("plan.md", TEXT), ("findings", findings())]), "text")
}

#[test]
fn what_was_dismissed_is_known_to_the_next_review_and_nothing_else_is() {
    let first = call(&[content("plan.md", TEXT), ("findings", findings())]);
    assert_eq!(text(&first, "changed"), "true");
    let before = remembered(&format!("\u{feff}{}\n", text(&first, "text")));
    let next = call(&[content("plan.md", TEXT), before.clone()]);
    assert_eq!(claims(&next), ["no end is named", "it is never free"]);
    let known = next.get("findings").unwrap().clone();
    let again = call(&[content("plan.md", TEXT), before, ("findings", known)]);
    assert_eq!(text(&again, "changed"), "false");
    assert_eq!(text(&again, "text"), text(&first, "text"));
}

#[test]
fn why_it_was_dismissed_is_kept_and_the_file_it_is_about() {
    let kept = kept();
    assert_eq!(kept.matches("a person decided so: by design").count(), 2);
    assert_eq!(kept.matches("\"file\": \"plan.md\"").count(), 2, "{kept}");
    assert!(!kept.contains("reported") && !kept.contains("F-"), "{kept}");
    let next = call(&[content("plan.md", TEXT), remembered(&kept)]);
    let Some(Value::List(known)) = next.get("findings") else {
        panic!()
    };
    let state = |finding: &Value| (text(finding, "id"), text(finding, "state"));
    let states: Vec<(String, String)> = known.iter().map(state).collect();
    let dismissed = |id: &str| (id.to_owned(), "dismissed".to_owned());
    assert_eq!(states, [dismissed("F-1"), dismissed("F-2")]);
    let history = known[0].get("history").unwrap().to_string();
    assert!(history.contains("a person decided so: by design"), "{history}");
}

#[test]
fn it_holds_only_where_the_text_is_as_it_was_and_is_not_thrown_away_elsewhere() {
    for now in [
        TEXT.replace(RULE, "A failed booking is retried. For ever."),
        TEXT.replace(RULE, "A booking that failed is retried."),
        "# Plan\n\n## Price\n\nIt is free.\n".to_owned(),
    ] {
        let next = call(&[content("plan.md", &now), remembered(&kept())]);
        assert_eq!(claims(&next), ["it is never free"], "{now}");
        let known = next.get("findings").unwrap().clone();
        let saved = call(&[content("plan.md", &now), remembered(&kept()), ("findings", known)]);
        assert_eq!(
            (text(&saved, "changed"), text(&saved, "text")),
            ("false".to_owned(), kept())
        );
    }
}

#[test]
fn what_is_about_other_files_stays_as_it_is() {
    let odd = kept().replacen("\"claim\"", "\"by\": \"ada\",\n    \"claim\"", 1);
    for path in ["notes.md", "docs/plan.md", "an.md"] {
        let next = call(&[content(path, TEXT), remembered(&odd)]);
        assert_eq!(
            (claims(&next), text(&next, "changed")),
            (Vec::new(), "false".to_owned()),
            "{path}"
        );
        let other = j!([{"claim": "no notes", "state": "dismissed", "place": {"section": "Price"}, "anchor": "a",
            "history": [{"state": "dismissed", "reason": "none needed"}]}]);
        let saved = call(&[content(path, TEXT), remembered(&odd), ("findings", json(other))]);
        let saved = text(&saved, "text");
        let start = odd.trim_end_matches(['\n', ']']);
        assert!(saved.starts_with(start) && saved.contains("no notes"), "{saved}");
    }
    let plain = ("content", Value::from(TEXT));
    assert!(claims(&call(&[plain, remembered(&kept())])).is_empty());
}

#[test]
fn several_documents_of_one_name_are_told_apart() {
    let two = |one: &str, other: &str| {
        let files = j!([{"path": "a/plan.md", "text": one}, {"path": "b/plan.md", "text": other}]);
        ("content", json(files))
    };
    let next = call(&[two(TEXT, TEXT), remembered(&kept())]);
    assert!(claims(&next).is_empty(), "{next:?}");
    let elsewhere = kept().replace("plan.md", "b/plan.md");
    let next = call(&[two(TEXT, TEXT), remembered(&elsewhere)]);
    assert_eq!(claims(&next).len(), 2);
    assert!(text(&next, "findings").contains("b/plan.md") && !text(&next, "findings").contains("a/plan.md"));
}

#[test]
fn about_a_whole_text_it_holds_as_long_as_the_text_is_the_same() {
    let whole = j!([{"claim": "nobody is responsible", "state": "dismissed", "place": {"file": "plan.md"},
        "history": [{"state": "dismissed", "reason": "everybody is"}]}]);
    let kept = text(&call(&[content("plan.md", TEXT), ("findings", json(whole))]), "text");
    let known = |now: &str| claims(&call(&[content("plan.md", now), remembered(&kept)]));
    assert_eq!(known(TEXT), ["nobody is responsible"]);
    assert_eq!(known(&TEXT.replace('\n', "\r\n")), ["nobody is responsible"]);
    assert!(known("# Another plan\n").is_empty());
}

#[test]
fn what_is_found_open_is_taken_out_and_what_a_person_took_out_is_not_put_back() {
    let next = call(&[content("plan.md", TEXT), remembered(&kept())]);
    let known = next.get("findings").unwrap().clone();
    let removed = call(&[content("plan.md", TEXT), remembered("[]"), ("findings", known.clone())]);
    assert_eq!(
        (text(&removed, "text"), text(&removed, "changed")),
        ("[]".to_owned(), "false".to_owned())
    );
    let decision = [
        ("findings", known),
        ("finding", Value::from("F-1")),
        ("decision", Value::from("reopen")),
        ("reason", Value::from("it is needed")),
    ];
    let reopened = run("record-decision", &decision).unwrap();
    let saved = call(&[content("plan.md", TEXT), remembered(&kept()), ("findings", reopened)]);
    assert_eq!(text(&saved, "changed"), "true");
    let saved = text(&saved, "text");
    assert!(
        !saved.contains("no end is named") && saved.contains("it is never free"),
        "{saved}"
    );
}

/// Returns what is kept once a finding about the price has come to a state, in a text that hashes so where it is.
fn price_in(state: &str, anchor: &str, reason: &str) -> String {
    let place = j!({"file": "plan.md", "section": "Price", "quote": "It is free."});
    let history = j!([{"state": state, "reason": reason}]);
    let finding =
        j!({"claim": "it is never free", "state": state, "place": place, "anchor": anchor, "history": history});
    let given = [
        content("plan.md", TEXT),
        remembered(&kept()),
        ("findings", json(j!([finding]))),
    ];
    text(&call(&given), "text")
}

#[test]
fn a_later_word_about_the_same_text_counts_and_one_about_another_text_does_not() {
    let now = hash("It is free.");
    assert!(!price_in("open", &now, "reported").contains("it is never free"));
    assert_eq!(price_in("open", "of another text", "reported"), kept());
    for anchor in [&*now, "of another text"] {
        let again = price_in("dismissed", anchor, "for another reason");
        assert_eq!(again.matches("it is never free").count(), 1, "{again}");
        assert!(
            again.contains("for another reason") && again.contains("no end is named"),
            "{again}"
        );
    }
}

#[test]
fn what_two_reviews_dismiss_is_kept_of_both() {
    let dismissed = |claim: &str| {
        json(
            j!([{"claim": claim, "state": "dismissed", "place": {"file": "plan.md", "section": "Price"}, "anchor": "a",
            "history": [{"state": "dismissed", "reason": "by design"}]}]),
        )
    };
    let first = call(&[content("plan.md", TEXT), ("findings", dismissed("too dear"))]);
    let first = remembered(&text(&first, "text"));
    let both = call(&[content("plan.md", TEXT), first, ("findings", dismissed("too cheap"))]);
    let both = text(&both, "text");
    assert!(both.contains("too dear") && both.contains("too cheap"), "{both}");
}

/// Dismisses what was found in the text, and returns its states in a review of the text as it is now.
fn states(now: &str) -> Vec<String> {
    let found = |known: Value, quote: &str| {
        let place = j!({"file": "plan.md", "section": "Schedule", "quote": quote});
        let report = j!([{"severity": "high", "claim": "no end is named", "place": place}]);
        let given = [
            ("found", json(report)),
            ("known", known),
            content("plan.md", &TEXT.replace(RULE, quote)),
            ("round", Value::from(1.0)),
        ];
        run("merge-findings", &given).unwrap().get("findings").unwrap().clone()
    };
    let decision = [
        ("findings", found(Value::Nothing, RULE)),
        ("decision", Value::from("dismiss")),
        ("reason", Value::from("by design")),
        content("plan.md", TEXT),
    ];
    let dismissed = run("record-decision", &decision).unwrap();
    let kept = text(&call(&[content("plan.md", TEXT), ("findings", dismissed)]), "text");
    let known = call(&[content("plan.md", &TEXT.replace(RULE, now)), remembered(&kept)]);
    let Value::List(found) = found(known.get("findings").unwrap().clone(), now) else {
        panic!()
    };
    found.iter().map(|finding| text(finding, "state")).collect()
}

#[test]
fn what_was_dismissed_is_open_again_only_where_its_text_changed() {
    assert_eq!(states(RULE), ["dismissed"]);
    assert_eq!(states("A failed booking is retried. For ever."), ["open"]);
    assert_eq!(states("A booking that failed is retried for ever."), ["open"]);
}

#[test]
fn what_cannot_be_read_is_told_and_left_as_it_is() {
    let answer = call(&[
        content("plan.md", TEXT),
        remembered("[{\"claim\": "),
        ("findings", findings()),
    ]);
    assert_eq!(
        (text(&answer, "changed"), text(&answer, "unkept")),
        ("false".to_owned(), "2".to_owned())
    );
    assert!(text(&answer, "problem").starts_with("it is no list in JSON, so what was dismissed before is asked"));
    let unclear = r#"[{"claim": "a", "place": {"file": "plan.md"}}, 4]"#;
    let answer = call(&[content("plan.md", TEXT), remembered(unclear), ("findings", findings())]);
    assert_eq!(
        text(&answer, "problem"),
        "2 entries name no claim or no reason, and are passed over"
    );
    assert_eq!((claims(&answer), text(&answer, "unkept")), (Vec::new(), "0".to_owned()));
    assert!(
        text(&answer, "text").starts_with("[\n  {\n    \"claim\": \"a\","),
        "{answer:?}"
    );
    let nothing = call(&[content("plan.md", TEXT)]);
    assert_eq!(
        (
            text(&nothing, "text"),
            text(&nothing, "changed"),
            text(&nothing, "problem")
        ),
        ("[]".to_owned(), "false".to_owned(), String::new())
    );
}
