//! Runs that failed because of what an agent replied, and what was said at a resume: both count for the resumes after it.

use super::aftermath::process;
use super::{Ended, folder_with};
use std::fs;
use tempfile::TempDir;

const TURN: &str = r#"<workflow name="W">
  <step n="1" goal="First"><action>Do the first thing.</action></step>
  <step n="2" goal="Second"><action>Do the second thing.</action></step>
</workflow>
"#;
const ASKS: &str = r#"<workflow name="W">
  <step n="1" goal="First"><ask response="name">Which name?</ask></step>
  <step n="2" goal="Second"><action>Greet {name}.</action></step>
  <step n="3" goal="Third"><ask response="more">And then?</ask></step>
  <step n="4" goal="Fourth"><output>The end.</output></step>
</workflow>
"#;
/// Counts its calls; what it does in each is a line of a script.
const AGENT: &str = r#"cat > /dev/null
n=$(($(cat "$1/calls" 2>/dev/null || echo 0) + 1))
echo $n > "$1/calls"
case "$(sed -n "${n}p" "$1/plan")" in
  empty) echo '{"instructions":[]}' ;;
  claim) echo '{"instructions":[{"n":1,"status":"done","evidence":[{"kind":"file","path":"note.md"}]}]}' ;;
  ask) echo '{"asks":[{"question":"Which colour?"}]}' ;;
  kill) kill -9 $PPID ;;
  *) echo '{"instructions":[{"n":1,"status":"done"}]}' ;;
esac
"#;

/// A project with a workflow, and an agent whose calls go as planned.
fn place(flow: &str, plan: &str) -> TempDir {
    let plan = plan.replace(' ', "\n");
    folder_with(&[
        ("project/workflow.xml", flow),
        ("project/answers.yaml", "name: Ada\nmore: nothing\n"),
        ("agent.sh", AGENT),
        ("plan", &plan),
    ])
}

fn agent(place: &TempDir) -> String {
    let folder = place.path().display();
    format!("command:sh {folder}/agent.sh {folder}")
}

fn exec(place: &TempDir, words: &[&str]) -> Ended {
    let agent = agent(place);
    let exec = ["exec", "workflow.xml", "--non-interactive", "--agent", &agent];
    process(place, &[&exec, words].concat())
}

fn resume(place: &TempDir, words: &[&str]) -> Ended {
    process(place, &[&["resume", "--non-interactive"], words].concat())
}

fn calls(place: &TempDir) -> String {
    fs::read_to_string(place.path().join("calls"))
        .unwrap()
        .trim()
        .to_owned()
}

fn assert_true(place: &TempDir) {
    let verified = process(place, &["verify"]);
    assert_eq!(verified.code, 0, "{}", verified.output);
}

#[test]
fn a_turn_whose_replies_were_not_taken_is_asked_for_anew() {
    let place = place(TURN, "fine empty empty empty empty empty empty fine");
    assert_eq!(exec(&place, &[]).code, 1);
    let plan = resume(&place, &["--plan"]).output;
    assert!(plan.contains("next: dispatch in step 2 (paid)"), "{plan}");
    // The cause is not gone: all its tries are made once more, and nothing else.
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (1, "7"));
    assert_true(&place);
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "8"), "{}", ended.errors);
    assert_true(&place);
    let shown = process(&place, &["show"]).output;
    assert!(shown.contains("instructions: 2 said to be done"), "{shown}");
    // It is over: nobody is asked once more.
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (0, "8"));
}

#[test]
fn a_file_that_was_claimed_too_early_may_be_claimed_again() {
    let place = place(TURN, "claim claim claim claim fine");
    let failed = exec(&place, &[]);
    assert!(
        failed.errors.contains("`note.md` was claimed and is not there"),
        "{}",
        failed.errors
    );
    fs::write(place.path().join("project/note.md"), "now").unwrap();
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "5"), "{}", ended.errors);
    assert_true(&place);
}

#[test]
fn a_kill_while_a_turn_is_asked_for_anew_loses_no_try() {
    let place = place(TURN, "empty empty empty empty kill fine fine");
    assert_eq!(exec(&place, &[]).code, 1);
    assert_eq!(resume(&place, &[]).code, 137);
    assert_true(&place);
    // The first of the new tries counts, and the old ones do not.
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "7"), "{}", ended.errors);
    assert!(ended.errors.contains("works, attempt 2"), "{}", ended.errors);
    assert_true(&place);
    assert_eq!(process(&place, &["rollback", "last", "--to", "1", "--yes"]).code, 0);
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (0, "9"));
    assert_true(&place);
}

#[test]
fn what_a_person_answered_in_a_turn_that_failed_stays_answered() {
    let place = place(TURN, "ask empty empty empty fine fine");
    let colour = ["--answers", "colour.yaml"];
    fs::write(place.path().join("project/colour.yaml"), "\"Which colour?\": red\n").unwrap();
    assert_eq!(exec(&place, &colour).code, 1);
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "6"), "{}", ended.errors);
    assert_true(&place);
}

/// A project whose workflow calls a task, and a person who stops where that does not work.
fn calling(plan: &str, why: &str) -> TempDir {
    let flow = r#"<workflow name="W">
  <step n="1" goal="First"><action>Do the first thing.</action><call path="./inner.xml"/></step>
</workflow>
"#;
    let place = place(flow, plan);
    let stop = format!("\"A call did not work: {why}. What now?\": a\n");
    fs::write(place.path().join("project/stop.yaml"), stop).unwrap();
    place
}

const INNER: &str = r#"<task id="inner" name="Inner"><flow>
  <step n="1" title="Inside"><action>Do the inner thing.</action></step>
</flow></task>
"#;

#[test]
fn a_call_at_which_a_person_stopped_is_tried_anew() {
    let why = "asked 3 times and still: instruction 1 is not acknowledged";
    let place = calling("fine empty empty empty fine", why);
    fs::write(place.path().join("project/inner.xml"), INNER).unwrap();
    let failed = exec(&place, &["--answers", "stop.yaml"]);
    assert_eq!((failed.code, calls(&place).as_str()), (1, "4"), "{}", failed.errors);
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "5"), "{}", ended.errors);
    assert_true(&place);
}

#[test]
fn a_call_that_could_not_begin_is_asked_about_anew_and_costs_no_turn() {
    let place = calling("fine fine", "the workflow calls `./inner.xml`, which is not there");
    assert_eq!(exec(&place, &["--answers", "stop.yaml"]).code, 1);
    // It is still not there, and nobody answers.
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "1"));
    assert_true(&place);
    fs::write(place.path().join("project/inner.xml"), INNER).unwrap();
    let ended = resume(&place, &[]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "2"), "{}", ended.errors);
}

#[test]
fn another_agent_may_take_the_turn_that_failed() {
    let place = place(TURN, "empty empty empty");
    assert_eq!(exec(&place, &[]).code, 1);
    let ended = resume(&place, &["--agent", "script:--ack"]);
    assert_eq!((ended.code, calls(&place).as_str()), (0, "3"), "{}", ended.errors);
    assert_true(&place);
}

#[test]
fn the_agent_that_was_named_at_a_resume_goes_on() {
    let place = place(ASKS, "fine");
    let offline = process(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", "offline"],
    );
    assert_eq!(offline.code, 3, "{}", offline.errors);
    let agent = agent(&place);
    let name = ["--answers", "name.yaml"];
    assert_eq!(resume(&place, &["--agent", &agent]).code, 3);
    fs::write(place.path().join("project/name.yaml"), "name: Ada\n").unwrap();
    assert_eq!((resume(&place, &name).code, calls(&place).as_str()), (3, "1"));
    let log = process(&place, &["log"]).output;
    assert!(log.contains("with command:sh"), "{log}");
    let shown = process(&place, &["show"]).output;
    assert!(shown.contains("UTC with offline"), "{shown}");
    assert_true(&place);
}

#[test]
fn that_nothing_is_confirmed_counts_from_the_resume_that_says_so() {
    let menu = r#"<workflow name="W">
  <step n="1" goal="First"><ask response="name">Which name?</ask></step>
  <step n="2" goal="Second">
    <menu text="Go on?" into="on"><option key="c" label="Continue"/><option key="a" label="Again" again="true"/></menu>
    <output>{on}</output>
  </step>
</workflow>
"#;
    let place = place(menu, "");
    assert_eq!(exec(&place, &[]).code, 3);
    assert_eq!(resume(&place, &["--yolo"]).code, 3);
    let ended = resume(&place, &["--answers", "answers.yaml"]);
    assert_eq!((ended.code, ended.output.as_str()), (0, "c\n"), "{}", ended.errors);
    assert_true(&place);
}

#[test]
fn more_nodes_stay_more_nodes() {
    let place = place(ASKS, "fine");
    let answers = ["--answers", "answers.yaml"];
    let ended = exec(&place, &[&answers[..], &["--fuel", "3"]].concat());
    assert_eq!(ended.code, 5);
    assert!(ended.errors.contains("--fuel NODES"), "{}", ended.errors);
    assert_eq!(resume(&place, &[&answers[..], &["--fuel", "100"]].concat()).code, 0);
    assert_true(&place);
    let ended = resume(&place, &["--agent", "script:--ack"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_true(&place);
}

#[test]
fn a_run_in_a_circle_is_offered_no_more_nodes() {
    let circle = "<workflow name=\"Circle\">\n<step n=\"1\" goal=\"Turn\">\n<goto step=\"1\"/>\n</step>\n</workflow>\n";
    let ended = exec(&place(circle, "fine"), &[]);
    assert_eq!(ended.code, 5);
    assert!(ended.errors.contains("goes in a circle"), "{}", ended.errors);
    assert!(!ended.errors.contains("--fuel"), "{}", ended.errors);
}

const GATE: &str = r#"<workflow name="W">
  <step n="1" goal="First">
    <dispatch mode="fresh" access="read" into="r">Do it. Answer with label.</dispatch>
    <menu name="m" text="What now?" into="k" if="{r.status} == 'failed'">
      <option key="s" label="Skip"/>
      <option key="a" label="Abort"><halt reason="aborted"/></option>
    </menu>
    <output>went on with {r.label}</output>
  </step>
</workflow>
"#;

#[test]
fn an_answer_that_was_given_behind_a_failure_counts_and_nothing_is_tried_again() {
    let place = place(GATE, "");
    fs::write(place.path().join("agent.sh"), "echo x >> \"$1/calls\"; exit 1\n").unwrap();
    assert_eq!(exec(&place, &[]).code, 3);
    assert_true(&place);
    assert_eq!(calls(&place), "x\nx");
    fs::write(
        place.path().join("agent.sh"),
        "echo '{\"label\":\"good\"}'; echo y >> \"$1/calls\"\n",
    )
    .unwrap();
    fs::write(place.path().join("project/answers.yaml"), "m: a\n").unwrap();
    let resumed = resume(&place, &["--answers", "answers.yaml"]);
    assert!(resumed.errors.contains("halted: aborted"), "{}", resumed.errors);
    assert_eq!((resumed.code, calls(&place).as_str()), (1, "x\nx"));
    assert_true(&place);
}

const FILLED: &str = r#"<workflow name="W">
  <step n="1" goal="First"><action>Do the first thing.</action></step>
  <step n="2" goal="Second"><output file="{project-root}/out.md" template="{project-root}/t/page.md"/></step>
</workflow>
"#;

#[test]
fn a_template_that_was_not_there_is_read_anew() {
    let place = place(FILLED, "done done");
    let failed = exec(&place, &[]);
    assert_eq!(failed.code, 1, "{}", failed.output);
    assert_eq!(resume(&place, &[]).code, 1);
    fs::create_dir(place.path().join("project/t")).unwrap();
    fs::write(place.path().join("project/t/page.md"), "It is {% if %}\n").unwrap();
    let broken = resume(&place, &[]);
    assert!(broken.errors.contains("cannot be rendered"), "{}", broken.errors);
    fs::write(place.path().join("project/t/page.md"), "It is done.\n").unwrap();
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 0, "{}{}", resumed.output, resumed.errors);
    let written = fs::read_to_string(place.path().join("project/out.md")).unwrap();
    assert_eq!((written.as_str(), calls(&place).as_str()), ("It is done.\n", "1"));
    assert_true(&place);
}

const COMMAND: &str = r#"<workflow name="W">
  <step n="1" goal="First">
    <run command="echo here" into="r"/>
    <ask response="name">Which name?</ask>
    <output>{name} is {r.output}</output>
  </step>
</workflow>
"#;

#[test]
fn a_command_that_was_trusted_since_it_was_refused_is_run() {
    let place = place(COMMAND, "");
    assert_eq!(exec(&place, &[]).code, 3);
    let not_yet = resume(&place, &["--plan"]);
    assert!(not_yet.output.contains("used again: 3 effects"), "{}", not_yet.output);
    assert_eq!(process(&place, &["trust", "workflow.xml", "--yes"]).code, 0);
    let resumed = resume(&place, &["--answers", "answers.yaml"]);
    assert_eq!(resumed.code, 0, "{}{}", resumed.output, resumed.errors);
    assert!(resumed.output.contains("Ada is here"), "{}", resumed.output);
    assert_true(&place);
}

const EDITED: &str = r#"<workflow name="W">
  <step n="1" goal="First">
    <action>Write the code.</action>
    <ask response="name">Which name?</ask>
    <check if="the sky is blue"><action>Say so.</action></check>
    <ask response="more">And then?</ask>
  </step>
</workflow>
"#;

#[test]
fn a_comment_above_what_was_done_changes_nothing() {
    let place = place(EDITED, "");
    fs::write(place.path().join("project/answers.yaml"), "name: Ada\n").unwrap();
    let agent = [
        "exec",
        "workflow.xml",
        "--non-interactive",
        "--agent",
        "script:--ack",
        "--answers",
        "answers.yaml",
    ];
    assert_eq!(process(&place, &agent).code, 3);
    let before = resume(&place, &["--plan"]).output;
    let edited = EDITED.replace("  <step", "  <!-- soon -->\n\n  <step");
    fs::write(place.path().join("project/workflow.xml"), edited).unwrap();
    let after = resume(&place, &["--plan"]).output;
    assert_eq!(before, after);
    assert!(after.contains("2 of them turns"), "{after}");
}

const SHIP: &str = r#"<workflow name="Ship"><step n="1" goal="one">
  <menu name="go" text="Ship?" into="g"><option key="y" label="Yes"/><option key="n" label="No"/></menu>
  <output file="{project-root}/shipped.txt">{g}</output>
</step></workflow>
"#;

#[test]
fn an_answer_that_was_taken_back_is_asked_for_again() {
    let place = place(SHIP, "");
    let waiting = exec(&place, &[]);
    assert_eq!(waiting.code, 3);
    let id = waiting
        .errors
        .split_whitespace()
        .find(|word| word.starts_with("1-"))
        .unwrap();
    let answered = process(&place, &["answer", "last", id, "y"]);
    assert_eq!(answered.code, 0, "{}", answered.errors);
    assert_eq!(resume(&place, &[]).code, 0);
    assert_eq!(process(&place, &["rollback", "last", "--to", "1", "--yes"]).code, 0);
    let again = resume(&place, &[]);
    assert_eq!(again.code, 3, "{}{}", again.output, again.errors);
    assert!(!place.path().join("project/shipped.txt").exists());
}
