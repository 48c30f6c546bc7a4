//! What a run did, step by step.

use super::place::Place;
use std::fs;

#[test]
fn a_run_is_told_step_by_step() {
    let place = Place::with_run();
    let ended = place.call(&["show"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000
      workflow  flow/workflow.yaml
      began     2026-11-15 06:16:05 UTC with script:--ack, nothing confirmed
      stopped   2026-11-15 06:16:05 UTC, completed
    step 1  Ask  (1 question)
      asked 1-7c71bea8: What is your name? → Ada (by the answers file)
    step 2  Summarise  (1 turn, 2 writes)
      turn 1 of script: Read the notes → 1 done, 1 section
      wrote docs/page.md (new, 9979aced1136)
      wrote docs/page.md (11cbaca1ba06)
    step 3  Find risks  (1 turn, 1 write)
      turn 2 of script: Think about risks → 1 done, 1 section
      wrote docs/page.md (e7cbe6bfdbb9)
    step 4  Note  (1 write)
      wrote note.md (new, bd21efcc9e77)
    instructions: 2 said to be done
    files:
      docs/page.md  7034d107fd43  same
      note.md  bd21efcc9e77  same
    ");
}

#[test]
fn files_and_sources_that_changed_or_went_are_told() {
    let place = Place::with_run();
    place.write("docs/page.md", "mine now");
    fs::remove_file(place.project.path().join("note.md")).unwrap();
    place.write("flow/template.md", "# Another\n");
    let told = place.call(&["show"]).output;
    let (_, files) = told.split_once("files:\n").unwrap();
    insta::assert_snapshot!(files, @r"
      docs/page.md  7034d107fd43  changed since
      note.md  bd21efcc9e77  gone
    files of the workflow that changed since the run began:
      flow/template.md
    ");
}

#[test]
fn a_question_that_waits_is_told_with_its_words() {
    let place = Place::with(&[("answers.yaml", "")]);
    assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 3);
    let told = place.call(&["show"]).output;
    let (_, open) = told.split_once("open questions:\n").unwrap();
    insta::assert_snapshot!(open, @"  1-7c71bea8  What is your name?");
}

const JUDGED: &str = "<workflow name=\"Judged\"><step n=\"1\">\
    <check if=\"the sky is blue\"><output>Yes.</output></check></step></workflow>";

#[test]
fn a_judgement_is_told_with_its_evidence() {
    let place = Place::with(&[("judged.xml", JUDGED)]);
    assert_eq!(place.exec("judged.xml", "script:--ack --judge=true").code, 0);
    let told = place.call(&["show"]).output;
    let judged: Vec<&str> = told.lines().filter(|line| line.contains("judged:")).collect();
    insta::assert_snapshot!(judged.join("\n"), @"  judged: the sky is blue → holds: decided by the script");
}

#[test]
fn a_turn_is_shown_in_full() {
    let place = Place::with_run();
    let ended = place.call(&["show", "--turn", "2"]);
    assert_eq!(ended.code, 0);
    for part in [
        "turn 2 of script",
        "Think about risks",
        "# Your reply",
        "\"risks\": \"Acknowledged: risks\"",
    ] {
        assert!(ended.output.contains(part), "{part}\n{}", ended.output);
    }
    assert!(!ended.output.contains("Read the notes"), "{}", ended.output);
    let json = place.call(&["show", "--prompt", "2", "--json"]).output;
    let turn: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(turn["task"]["instructions"][0]["text"], "Think about risks");
    assert_eq!(turn["outcome"]["is"], "replied");
}

#[test]
fn a_turn_that_never_was_is_told() {
    let place = Place::with_run();
    let ended = place.call(&["show", "--turn", "3"]);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    error: run 20261115-061605-0000 has no turn 3
      hint: it has 2; `bmad show 20261115-061605-0000` lists them
    ");
}

#[test]
fn a_program_reads_the_same_as_one_object() {
    let place = Place::with_run();
    let json = place.call(&["show", "--json"]).output;
    let account: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(account["stopped"]["how"], "completed");
    assert_eq!(account["steps"].as_array().unwrap().len(), 4);
    assert_eq!(account["files"][1]["path"], "note.md");
    assert_eq!(account["files"][1]["now"], "same");
    assert_eq!(account["instructions"]["said"], 2);
}

#[test]
fn a_project_without_runs_is_told() {
    let place = Place::with(&[]);
    let ended = place.call(&["show"]);
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("this project has no runs"), "{}", ended.errors);
}

#[test]
fn what_follows_a_call_is_told_in_the_step_that_called() {
    let inner = "<workflow name=\"Inner\"><step n=\"1\" goal=\"In\"><action>Work inside</action></step></workflow>";
    let outer = "<workflow name=\"Outer\"><step n=\"1\" goal=\"Out\"><call path=\"./inner.xml\"/>\
        <action>Work outside</action><output file=\"{project-root}/a.md\">A</output></step></workflow>";
    let place = Place::with(&[("inner.xml", inner), ("outer.xml", outer)]);
    let ended = place.exec("outer.xml", "script:--ack");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let told = place.call(&["show"]).output;
    let (_, steps) = told.split_once("completed\n").unwrap();
    insta::assert_snapshot!(steps, @r"
    step 1  Out  (1 turn, 1 write)
      turn 2 of script: Work outside → 1 done
      wrote a.md (new, 06f961b802bc)
      step 1  In  (1 turn)
        turn 1 of script: Work inside → 1 done
    instructions: 2 said to be done
    files:
      a.md  06f961b802bc  same
    ");
}

#[test]
fn what_is_missing_is_told_wherever_a_run_is_told_of() {
    let flow = r#"<workflow name="Sent"><step n="1" goal="a"><dispatch mode="fresh" access="read" into="r">Look.</dispatch><output>{r.status}</output></step></workflow>"#;
    let place = Place::with(&[("sent.xml", flow)]);
    let ended = place.exec("sent.xml", "command:false");
    assert!(ended.errors.contains("completed with gaps"), "{}", ended.errors);
    let shown = place.call(&["show"]).output;
    assert!(shown.contains("UTC, completed: with 1 gap\n"), "{shown}");
    assert!(
        shown.contains("gaps:\n  Sent step 1: the turn of the agent ("),
        "{shown}"
    );
    let json: serde_json::Value = serde_json::from_str(&place.call(&["show", "--json"]).output).unwrap();
    assert_eq!(json["gaps"].as_array().map(Vec::len), Some(1), "{json}");
    let runs = place.call(&["runs"]).output;
    assert!(runs.trim_end().ends_with("sent.xml: with 1 gap"), "{runs}");
    let log = place.call(&["log"]).output;
    assert!(log.contains("completed: with 1 gap"), "{log}");
}

#[test]
fn lanes_beyond_the_most_are_a_gap() {
    let numbers: Vec<String> = (0..10_001).map(|n| n.to_string()).collect();
    let flow = format!(
        r#"<workflow name="Many"><step n="1" goal="a"><set name="list" value="{}"/><parallel for="n in {{list}}" max="50"><set name="x" value="{{n}}"/></parallel></step></workflow>"#,
        numbers.join(", ")
    );
    let place = Place::with(&[("many.xml", flow.as_str())]);
    let ended = place.call(&["exec", "many.xml", "--fuel", "100000"]);
    let gap = "  gap: 1 of 10001 items: a fork has at most 10000 lanes (many.xml:1)\n";
    assert!(ended.errors.contains(gap), "{}", ended.errors);
}

#[test]
fn what_happened_in_lanes_is_told_with_their_items() {
    let flow = r#"<workflow name="L"><step n="1" goal="Build"><parallel for="pkg in core, api" into="r"><output file="{project-root}/{pkg}.md">x</output><call path="./task.xml"><param name="of" value="{pkg}"/></call></parallel></step></workflow>"#;
    let task = r#"<task id="task.xml" name="T"><inputs><input name="of" desc="a package"/></inputs><flow><step n="1" title="Look"><output file="{project-root}/{of}.txt">x</output><ask response="q">Go?</ask></step></flow></task>"#;
    let place = Place::with(&[("l.xml", flow), ("task.xml", task)]);
    assert_eq!(place.call(&["exec", "l.xml", "--non-interactive"]).code, 3);
    let shown = place.call(&["show"]).output;
    let (_, shown) = shown.split_once("step 1").unwrap();
    insta::assert_snapshot!(shown, @r"
      Build  (2 writes)
      wrote core.md (new, 73cb3858a687)  (lane 1 of 2: core)
      wrote api.md (new, 73cb3858a687)  (lane 2 of 2: api)
      step 1  Look  (1 write)  (lane 1 of 2: core)
        wrote core.txt (new, 73cb3858a687)
      step 1  Look  (1 write)  (lane 2 of 2: api)
        wrote api.txt (new, 73cb3858a687)
    files:
      core.md  73cb3858a687  same
      api.md  73cb3858a687  same
      core.txt  73cb3858a687  same
      api.txt  73cb3858a687  same
    open questions:
      1-4cd0e21a@1.1  Go?  (lane 1 of 2: core)
      1-4cd0e21a@1.2  Go?  (lane 2 of 2: api)
    ");
    let json: serde_json::Value = serde_json::from_str(&place.call(&["show", "--json"]).output).unwrap();
    let lane = serde_json::json!({"id": "1.2", "item": "api"});
    assert_eq!(json["steps"][0]["events"][1]["lane"], lane, "{json}");
    assert_eq!(json["steps"][2]["lane"], lane, "{json}");
    // What another workflow would do in its lanes is not told.
    place.write("l.xml", &flow.replace("core, api", "api, core"));
    let shown = place.call(&["show"]).output;
    assert!(shown.contains("  wrote core.md (new, 73cb3858a687)\n"), "{shown}");
}
