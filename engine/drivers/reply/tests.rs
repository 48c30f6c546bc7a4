//! Replies of all kinds, good and bad.

use super::{MAX_REPLY, read};
use crate::builtins::Value;
use crate::machine::{Envelope, Evidence, FailureKind, Status};

fn envelope(text: &str) -> Envelope {
    read(text.as_bytes()).unwrap().envelope
}

/// Returns why a reply is no envelope.
fn refusal(bytes: &[u8]) -> String {
    let failure = read(bytes).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Malformed);
    failure.message
}

fn block(json: &str) -> String {
    format!("Some words.\n\n```json\n{json}\n```\n")
}

#[test]
fn a_whole_envelope_is_read() {
    let read = envelope(&block(
        r#"{"instructions": [
            {"n": 1, "status": "done", "evidence": [{"kind": "file", "path": "a.md", "sha256": "ab"},
              {"kind": "quote", "path": "a.md", "quote": "q"}, {"kind": "command", "command": "ls", "exit": 2},
              {"kind": "value", "value": [1]}, {"kind": "said", "text": "yes"}]},
            {"n": 2, "status": "blocked", "why": "no key"}],
          "judgements": [{"n": 1, "holds": true, "evidence": "line 3"}],
          "variables": {"x": 7}, "sections": {"intro": "Hello"}, "findings": [{"a": 1}],
          "files": [{"path": "out.md"}], "asks": [{"question": "Which?", "options": ["a", "b"]}],
          "fields": {"edits": []}, "text": "done"}"#,
    ));
    let json = serde_json::to_string(&read).unwrap();
    insta::assert_snapshot!(json, @r#"{"instructions":[{"n":1,"status":"done","evidence":[{"kind":"file","path":"a.md","sha256":"ab"},{"kind":"quote","path":"a.md","quote":"q"},{"kind":"command","command":"ls","exit":2},{"kind":"value","value":[1]},{"kind":"said","text":"yes"}]},{"n":2,"status":"blocked","why":"no key"}],"judgements":[{"n":1,"holds":true,"evidence":"line 3"}],"variables":{"x":7},"files":[{"path":"out.md"}],"sections":{"intro":"Hello"},"findings":[{"a":1}],"asks":[{"question":"Which?","options":["a","b"]}],"fields":{"edits":[]},"text":"done"}"#);
}

#[test]
fn the_last_block_that_is_an_envelope_counts() {
    let text = format!(
        "{}\nthen\n{}",
        block(r#"{"text": "first"}"#),
        block(r#"{"text": "second"}"#)
    );
    assert_eq!(envelope(&text).text, "second");
    let after = format!("{text}\n```json\n{{\"port\": 80}}\n```\n```json\nnot json\n```\n");
    assert_eq!(envelope(&after).text, "second");
}

#[test]
fn a_block_inside_a_block_of_another_language_is_no_reply() {
    let text = format!("````markdown\n{}\n````\n", block(r#"{"text": "shown"}"#));
    assert!(refusal(text.as_bytes()).contains("no json block"));
}

#[test]
fn a_whole_text_that_is_one_object_is_a_reply() {
    assert_eq!(envelope("  {\"text\": \"bare\"}\n").text, "bare");
}

#[test]
fn bare_json_counts_only_as_the_last_thing() {
    assert_eq!(envelope("I am done.\n{\n  \"text\": \"bare\"\n}\n").text, "bare");
    assert_eq!(envelope("I am done: {\"text\": \"bare\"}").text, "bare");
    assert!(refusal(b"{\"text\": \"bare\"}\nThat was it.").contains("no json block"));
}

#[test]
fn keys_that_no_envelope_has_become_fields() {
    let read = envelope(&block(r#"{"verdicts": [], "text": "t", "fields": {"a": 1}}"#));
    let names: Vec<&str> = read.fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["verdicts", "a"]);
    let only = envelope(&block(r#"{"vote": "yes"}"#));
    assert_eq!(only.fields, [("vote".to_owned(), Value::from("yes"))]);
}

#[test]
fn a_wrong_part_is_named_with_what_to_write() {
    for (json, message) in [
        (
            r#"{"instructions": [{"n": 1, "status": "done"}, {"n": 2, "status": "done"}, {"n": 3, "status": "finished"}]}"#,
            r#"instructions[2].status is "finished"; use done, blocked, skipped or gap"#,
        ),
        (r#"{"instructions": {"n": 1}}"#, "instructions is an object; use a list"),
        (
            r#"{"instructions": ["done"]}"#,
            r#"instructions[0] is "done"; use an object"#,
        ),
        (
            r#"{"instructions": [{"status": "done"}]}"#,
            "instructions[0].n is missing; use a number from 1",
        ),
        (
            r#"{"instructions": [{"n": 1.5, "status": "done"}]}"#,
            "instructions[0].n is 1.5; use a number from 1",
        ),
        (
            r#"{"instructions": [{"n": 1, "status": "done", "evidence": [{"kind": "proof"}]}]}"#,
            r#"instructions[0].evidence[0].kind is "proof"; use file, quote, command, value or said"#,
        ),
        (
            r#"{"instructions": [{"n": 1, "status": "done", "evidence": [{"kind": "command", "command": "ls"}]}]}"#,
            "instructions[0].evidence[0].exit is missing; use the exit code",
        ),
        (
            r#"{"judgements": [{"n": 1, "holds": "yes"}]}"#,
            r#"judgements[0].holds is "yes"; use true or false"#,
        ),
        (
            r#"{"variables": [1]}"#,
            "variables is a list; use an object of names and values",
        ),
        (
            r#"{"asks": [{"options": []}]}"#,
            "asks[0].question is missing; use text",
        ),
        (r#"{"text": 7}"#, "text is 7; use text"),
    ] {
        assert_eq!(refusal(block(json).as_bytes()), message);
    }
}

#[test]
fn a_wrong_last_envelope_is_not_replaced_by_an_earlier_one() {
    let text = format!("{}{}", block(r#"{"text": "draft"}"#), block(r#"{"text": 7}"#));
    assert_eq!(refusal(text.as_bytes()), "text is 7; use text");
}

#[test]
fn evidence_that_is_a_bare_sentence_is_only_said() {
    let read = envelope(&block(
        r#"{"instructions": [{"n": "1", "status": "Done", "evidence": "I looked"}]}"#,
    ));
    assert_eq!(read.instructions[0].status, Status::Done);
    assert_eq!(
        read.instructions[0].evidence,
        [Evidence::Said {
            text: "I looked".to_owned()
        }]
    );
}

#[test]
fn an_empty_reply_says_so() {
    assert_eq!(refusal(b" \n"), "the reply is empty");
}

#[test]
fn a_reply_that_was_cut_off_says_so() {
    let cut = "words\n```json\n{\"text\": \"hal";
    assert_eq!(
        refusal(cut.as_bytes()),
        "the reply ends inside its json block: it was cut off"
    );
}

#[test]
fn a_last_block_that_lacks_only_its_end_is_read() {
    assert_eq!(envelope("```json\n{\"text\": \"whole\"}\n").text, "whole");
}

#[test]
fn a_huge_reply_is_refused_by_its_size() {
    let huge = vec![b'a'; MAX_REPLY + 1];
    let message = refusal(&huge);
    assert!(
        message.starts_with("the reply has 8388609 bytes, the most that are read are 8388608"),
        "{message}"
    );
}

#[test]
fn bytes_that_are_no_text_matter_only_inside_the_envelope() {
    let mut before = b"log \xff\xfe line\n".to_vec();
    before.extend(block(r#"{"text": "fine"}"#).bytes());
    assert_eq!(read(&before).unwrap().envelope.text, "fine");
    let inside = b"```json\n{\"text\": \"caf\xe9\"}\n```\n";
    assert_eq!(refusal(inside), "the json block of the reply is not UTF-8");
}

#[test]
fn markup_is_data() {
    let read = envelope(&block(r#"{"text": "<step n=\"2\"><goto/></step> {{ 7*7 }} \u0000"}"#));
    assert_eq!(read.text, "<step n=\"2\"><goto/></step> {{ 7*7 }} \0");
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!(
        "{{\"fields\": {{\"a\": {}1{}}}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(
        refusal(block(&deep).as_bytes()),
        "the json block of the reply is nested too deep; 128 levels are read"
    );
}

#[test]
fn a_text_of_open_braces_is_read_once() {
    let braces = format!("words\n{}}}", "{\"a\":[\n".repeat(200_000));
    assert!(refusal(braces.as_bytes()).contains("no json block"));
    let fences = "```json\n{\n```\n".repeat(100_000);
    assert!(refusal(fences.as_bytes()).contains("not valid JSON"));
}

#[test]
fn a_secret_never_gets_past_the_door() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let reply = read(block(&format!("{{\"text\": \"use {token}\"}}")).as_bytes()).unwrap();
    assert_eq!(reply.envelope.text, "use [masked: GitHub token]");
    assert!(!reply.raw.contains(&token));
}

#[test]
fn an_envelope_that_was_written_by_us_reads_back() {
    let text = block(r#"{"instructions": [{"n": 1, "status": "gap", "why": "w"}], "variables": {"b": 1, "a": null}}"#);
    let first = envelope(&text);
    let again = block(&serde_json::to_string(&first).unwrap());
    assert_eq!(envelope(&again), first);
}
