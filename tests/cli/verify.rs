//! Whether the journal of a run is whole and true.

use super::Ended;
use super::place::Place;
use bmad::host::{Durability, Journal as _, Line};
use bmad::os::journal::{FileJournal, read};
use std::fs;

#[test]
fn a_run_that_nobody_touched_holds() {
    let place = Place::with_run();
    let ended = place.call(&["verify"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000
      chain         whole: 20 lines, 16 effects, 2 turns
      instructions  2 said to be done
      file          docs/page.md  7034d107fd43  same
      file          note.md  bd21efcc9e77  same
      replay        the same: 16 effects
    everything holds
    ");
}

#[test]
fn a_file_that_somebody_changed_differs() {
    let place = Place::with_run();
    place.write("note.md", "mine now");
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 1);
    assert!(ended.output.contains("changed since\n"), "{}", ended.output);
    assert!(ended.output.ends_with("something differs\n"), "{}", ended.output);
}

#[test]
fn a_file_that_held_already_what_the_run_wrote_is_looked_at_too() {
    let place = Place::with(&[("note.md", "For Ada\n")]);
    assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 0);
    fs::remove_file(place.project.path().join("note.md")).unwrap();
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 1, "{}", ended.output);
    assert!(
        ended.output.contains("note.md  bd21efcc9e77  gone\n"),
        "{}",
        ended.output
    );
}

#[test]
fn a_changed_byte_is_damage_with_its_line() {
    let place = Place::with_run();
    let text = fs::read_to_string(place.journal()).unwrap();
    fs::write(place.journal(), text.replace("\"text\":\"Ada\"", "\"text\":\"Eve\"")).unwrap();
    let ended = place.call(&["verify"]);
    assert_eq!((ended.code, ended.output.as_str()), (4, ""));
    assert!(ended.errors.contains("journal line 4 is damaged"), "{}", ended.errors);
    let json: serde_json::Value = serde_json::from_str(&place.call(&["verify", "--json"]).output).unwrap();
    assert_eq!((&json["holds"], &json["damaged"]["line"]), (&false.into(), &4.into()));
}

#[test]
fn a_workflow_that_was_edited_is_not_replayed() {
    let place = Place::with_run();
    let text = place.read("flow/instructions.md").unwrap();
    place.write("flow/instructions.md", &text.replace("Think about", "Look for"));
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 0, "{}", ended.output);
    let told = "not tried: flow/instructions.md changed since the run began";
    assert!(ended.output.contains(told), "{}", ended.output);
}

/// Writes the journal again with only some of its lines; every hash is right.
fn forge(place: &Place, keep: impl Fn(&Line<'_>) -> bool) {
    let lines: Vec<Line<'static>> = read(&place.journal()).unwrap().map(|kept| kept.unwrap().line).collect();
    fs::remove_file(place.journal()).unwrap();
    let mut journal = FileJournal::create(&place.journal()).unwrap();
    for line in lines.iter().filter(|line| keep(line)) {
        journal.append(line, Durability::Synced).unwrap();
    }
}

fn is_of_step(line: &Line<'_>, label: &str) -> bool {
    matches!(line, Line::Done { step, .. } | Line::Intent { step, .. } if step == label)
}

#[test]
fn a_forged_journal_leads_elsewhere() {
    let place = Place::with_run();
    forge(&place, |line| !is_of_step(line, "2"));
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 1);
    let replay: Vec<&str> = ended.output.lines().filter(|line| line.contains("replay")).collect();
    insta::assert_snapshot!(replay.join("\n"), @r"
    replay        differs: asked for, and not recorded: checkpoint in step 2
    replay        differs: recorded, and never asked for: 8 effects
    replay        differs: it goes on, the run completed
    ");
}

#[test]
fn an_outcome_of_what_was_never_asked_is_found() {
    let place = Place::with_run();
    forge(&place, |line| !matches!(line, Line::Intent { .. }));
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 1);
    let told = "it is the outcome of a turn that was never begun";
    assert_eq!(ended.output.matches(told).count(), 2, "{}", ended.output);
}

#[test]
fn a_run_that_was_cut_off_holds_and_says_what_is_not_known() {
    let place = Place::with_run();
    let path = place.journal();
    let text = fs::read_to_string(&path).unwrap();
    let begun = text.find("{\"line\":\"intent\"").unwrap();
    let end = begun + text[begun..].find('\n').unwrap() + 1;
    fs::write(&path, &text[..end + 20]).unwrap();
    for written in ["docs/page.md", "note.md"] {
        fs::remove_file(place.project.path().join(written)).unwrap();
    }
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 0, "{}", ended.output);
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000
      chain         whole: 6 lines, 4 effects, 1 turn
                    20 bytes of an incomplete last line count as not written
      unknown       line 6 begins a turn whose end nobody knows
      instructions  none
      replay        the same: 4 effects
    everything holds
    ");
}

#[test]
fn every_instruction_is_counted() {
    let flow = "<workflow name=\"Four\"><step n=\"1\"><action>One</action><action>Two</action>\
        <action>Three</action><action if=\"it rains\">Four</action></step></workflow>";
    let replies = "
- attempt: 1
  reply:
    instructions:
      - {n: 1, status: done, evidence: [{kind: file, path: no.md}]}
      - {n: 2, status: done, evidence: [{kind: said, text: did it}]}
      - {n: 3, status: gap, why: too hard}
- reply:
    instructions:
      - {n: 1, status: done, evidence: [{kind: value, value: 1}]}
      - {n: 2, status: done, evidence: [{kind: said, text: did it}]}
      - {n: 3, status: gap, why: too hard}
";
    let place = Place::with(&[("four.xml", flow), ("replies.yaml", replies)]);
    let ended = place.exec("four.xml", "script:replies.yaml --ack --judge=false");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 0, "{}", ended.output);
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000
      chain         whole: 9 lines, 5 effects, 2 turns
      instructions  1 done with evidence, 1 said to be done, 1 left as gaps
                    gap: Four step 1, instruction 3: too hard
      refused       line 6, step 1: `no.md` was claimed and is not there
      replay        the same: 5 effects
    everything holds
    ");
}

#[test]
fn a_filled_gap_counts_as_what_filled_it() {
    let place = Place::with(&[]);
    assert_eq!(place.exec("flow/workflow.yaml", "offline").code, 0);
    let gaps = place.call(&["verify"]).output;
    assert!(gaps.contains("2 left as gaps"), "{gaps}");
    let args = ["resume", "--agent", "script:--ack", "--non-interactive", "--yolo"];
    assert_eq!(place.call(&args).code, 0);
    let filled = place.call(&["verify"]);
    assert_eq!(filled.code, 0, "{}", filled.output);
    assert!(
        filled.output.contains("instructions  2 said to be done\n"),
        "{}",
        filled.output
    );
    let again = place.call(&["resume", "--non-interactive"]);
    assert_eq!(again.code, 0, "{}", again.errors);
    assert!(!again.errors.contains("gap"), "{}", again.errors);
}

#[test]
fn a_run_whose_last_turn_nobody_took_holds() {
    let flow = "<workflow name=\"V\"><step n=\"1\" goal=\"g\"><dispatch mode=\"fresh\" access=\"read\" into=\"d\">\
                Say it. Answer with text.</dispatch></step></workflow>\n";
    let place = Place::with(&[("one.xml", flow)]);
    let ended = place.exec("one.xml", "offline");
    assert_eq!(
        (ended.code, ended.errors.contains("gap")),
        (0, true),
        "{}",
        ended.errors
    );
    let verified = place.call(&["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.output);
    fill(&place);
}

#[test]
fn a_turn_that_failed_last_is_tried_again_by_the_same_agent() {
    let flow = "<workflow name=\"V\"><step n=\"1\" goal=\"g\"><dispatch mode=\"fresh\" access=\"read\" into=\"d\">\
                Say it. Answer with text.</dispatch></step></workflow>\n";
    let agent = "cat > /dev/null; test -e up || exit 1; echo '{\"text\": \"said\"}'\n";
    let place = Place::with(&[("one.xml", flow), ("agent.sh", agent)]);
    let ended = place.exec("one.xml", "command:sh agent.sh");
    let has_gap = ended.errors.contains("gap");
    assert_eq!((ended.code, has_gap), (0, true), "{}", ended.errors);
    assert_eq!(place.call(&["verify"]).code, 0);
    place.write("up", "");
    let resumed = place.call(&["resume", "--non-interactive"]);
    let has_gap = resumed.errors.contains("gap");
    assert_eq!((resumed.code, has_gap), (0, false), "{}", resumed.errors);
    assert_eq!(place.call(&["verify"]).code, 0);
}

/// Begins a run that confirms nothing by itself.
fn begin(place: &Place) -> Ended {
    place.call(&["exec", "one.xml", "--agent", "script:replies.yaml", "--non-interactive"])
}

/// Answers the question that a run waits with, and goes on.
fn answer(place: &Place, waiting: &Ended, text: &str) -> Ended {
    assert_eq!(waiting.code, 3, "{}", waiting.errors);
    let mut lines = waiting.errors.lines().skip_while(|line| !line.starts_with("waiting"));
    let id = lines.nth(1).and_then(|line| line.split_whitespace().next()).unwrap();
    let answered = place.call(&["answer", "last", id, text]);
    assert_eq!(answered.code, 0, "{}", answered.errors);
    place.call(&["resume", "--non-interactive"])
}

/// Lets another agent go on, which leaves no gap.
fn fill(place: &Place) {
    let filled = place.call(&["resume", "--agent", "script:--ack", "--non-interactive"]);
    let has_gap = filled.errors.contains("gap");
    assert_eq!((filled.code, has_gap), (0, false), "{}", filled.errors);
}

#[test]
fn what_a_person_let_pass_is_filled_by_another_agent() {
    let flow = "<workflow name=\"One\"><step n=\"1\"><action>One</action></step></workflow>";
    let replies = "- reply:\n    instructions:\n      - {n: 1, status: blocked, why: no key}\n";
    let place = Place::with(&[("one.xml", flow), ("replies.yaml", replies)]);
    let passed = answer(&place, &begin(&place), "g");
    assert!(passed.errors.contains("completed with gaps"), "{}", passed.errors);
    fill(&place);
}

#[test]
fn a_call_that_a_person_skipped_is_tried_again_by_another_agent() {
    let flow = "<workflow name=\"One\"><step n=\"1\"><call path=\"./called.xml\"/></step></workflow>";
    let called = "<workflow name=\"Two\"><step n=\"1\"><action>Two</action></step></workflow>";
    let replies = "- reply:\n    instructions:\n      - {n: 1, status: done, evidence: [{kind: file, path: no.md}]}\n";
    let place = Place::with(&[("one.xml", flow), ("called.xml", called), ("replies.yaml", replies)]);
    let asked = answer(&place, &begin(&place), "s");
    let passed = answer(&place, &asked, "SKIP VALIDATION");
    assert!(passed.errors.contains("gap: UNVALIDATED"), "{}", passed.errors);
    fill(&place);
}

#[test]
fn a_run_that_waits_in_lanes_holds_and_tells_what_they_ask() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><parallel for="it in a, b" into="r"><ask response="when">When?</ask></parallel></step></workflow>"#;
    let place = Place::with(&[("w.xml", flow)]);
    assert_eq!(place.call(&["exec", "w.xml", "--non-interactive"]).code, 3);
    let ended = place.call(&["verify"]);
    assert_eq!(ended.code, 0, "{}", ended.output);
    let shown = place.call(&["show"]).output;
    assert_eq!(shown.matches("When?").count(), 2, "{shown}");
}

/// A workflow whose first instruction a person lets pass, with a command behind it.
fn with_work_behind(last: &str) -> Place {
    let flow = format!(
        "<workflow name=\"One\"><step n=\"1\"><action>One</action></step><step n=\"2\"><run command=\"echo a >> log\"/>\
         <output file=\"{{project-root}}/x.md\">x</output>{last}</step></workflow>"
    );
    let replies = "- reply:\n    instructions:\n      - {n: 1, status: blocked, why: no key}\n";
    Place::with(&[("one.xml", &flow), ("replies.yaml", replies)])
}

fn begin_allowed(place: &Place) -> Ended {
    let words = ["exec", "one.xml", "--agent", "script:replies.yaml", "--non-interactive"];
    place.call(&[&words[..], &["--allow", "echo a >> log"]].concat())
}

fn logged(place: &Place) -> String {
    fs::read_to_string(place.project.path().join("log")).unwrap()
}

#[test]
fn another_agent_fills_what_a_person_let_pass_and_does_nothing_else() {
    let place = with_work_behind("");
    let passed = answer(&place, &begin_allowed(&place), "g");
    assert!(passed.errors.contains("completed with gaps"), "{}", passed.errors);
    for _ in 0..2 {
        fill(&place);
        assert_eq!(logged(&place), "a\n");
        assert_eq!(place.call(&["verify"]).code, 0);
    }
}

#[test]
fn what_a_person_let_pass_counts_as_long_as_the_run_is_not_over() {
    let place = with_work_behind("<ask response=\"go\">Go?</ask>");
    let waiting = answer(&place, &begin_allowed(&place), "g");
    assert_eq!(waiting.code, 3, "{}", waiting.errors);
    let resumed = place.call(&["resume", "--agent", "script:--ack", "--non-interactive"]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(logged(&place), "a\n");
    assert!(!resumed.errors.contains("agent works"), "{}", resumed.errors);
}
