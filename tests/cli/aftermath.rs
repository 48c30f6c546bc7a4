//! What a run leaves when it stops, and what a resume makes of it: files of a turn that was cut off, questions that
//! wait, marks where a check was skipped.

use super::{Ended, Run, folder_with};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const TURN: &str = r#"<workflow name="Notes">
  <step n="1" goal="Write">
    <dispatch mode="fresh" access="write" into="reply">Write it down. Answer with text.</dispatch>
    <output file="{project-root}/end.md">{reply.text}</output>
  </step>
</workflow>
"#;

/// Writes half of something and ends the engine without a word; the second time it says what it found.
pub(super) const AGENT: &str = r#"cat > /dev/null
found=$(cat half.md 2>/dev/null || echo nothing)
if [ ! -e "$1/again" ]; then
  touch "$1/again"
  echo half > half.md
  kill -9 $PPID
  exit 1
fi
echo "{\"text\": \"found $found\"}"
"#;

/// Returns the program as a process of its own, in the project of a place.
pub(super) fn command(place: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
    command
        .args(words)
        .arg("--state-dir")
        .arg(place.path().join("state"))
        .current_dir(place.path().join("project"))
        .stdin(Stdio::null());
    command
}

/// Runs the program as a process of its own.
pub(super) fn process(place: &TempDir, words: &[&str]) -> Ended {
    let output = command(place, words).output().unwrap();
    Ended {
        code: output.status.code().unwrap_or(137) as u8,
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs a workflow whose agent ends the engine in the middle of its turn.
pub(super) fn cut_off(agent: &str) -> TempDir {
    let place = folder_with(&[
        ("project/workflow.xml", TURN),
        ("project/keep.yaml", "unfinished: k\n"),
        ("agent.sh", agent),
    ]);
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    let killed = process(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    );
    assert_eq!(killed.code, 137, "{killed:?}");
    place
}

/// Resumes such a run.
fn cut_off_and_resumed(words: &[&str]) -> (Ended, String) {
    let place = cut_off(AGENT);
    let resumed = process(&place, &[&["resume", "--non-interactive"], words].concat());
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let end = std::fs::read_to_string(place.path().join("project/end.md")).unwrap();
    (resumed, end)
}

#[test]
fn where_nobody_answers_the_files_of_a_turn_that_was_cut_off_are_put_back_and_named() {
    let (resumed, end) = cut_off_and_resumed(&[]);
    assert_eq!(end, "found nothing\n");
    let told = "a turn of step 1 was cut off and left behind:\n  added    half.md\n  put back as they were";
    assert!(resumed.errors.contains(told), "{}", resumed.errors);
}

#[test]
fn what_a_person_wrote_meanwhile_is_put_back_too_and_can_be_had_back() {
    let place = cut_off(AGENT);
    let mine = place.path().join("project/my notes.md");
    std::fs::write(&mine, "written meanwhile\n").unwrap();
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(!mine.exists());
    let told = resumed
        .errors
        .lines()
        .find_map(|line| line.trim().strip_prefix("bmad rollback "));
    let (before, paths) = told.unwrap().split_once(" --yes ").unwrap();
    assert_eq!(paths, "half.md 'my notes.md'");
    // The folder of runs is named by who calls it here.
    let words = before.split(' ').filter(|word| !word.contains("state"));
    let words: Vec<&str> = ["rollback"].into_iter().chain(words).collect();
    let taken = process(&place, &[&words[..], &["--yes", "my notes.md"]].concat());
    assert_eq!(taken.code, 0, "{taken:?}");
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "written meanwhile\n");
}

#[test]
fn they_are_kept_where_that_is_said() {
    let (resumed, end) = cut_off_and_resumed(&["--unfinished", "keep"]);
    assert_eq!(end, "found half\n");
    assert!(resumed.errors.contains("added    half.md"), "{}", resumed.errors);
}

#[test]
fn what_becomes_of_them_is_a_question_like_any_other() {
    let (_, end) = cut_off_and_resumed(&["--answers", "keep.yaml"]);
    assert_eq!(end, "found half\n");
}

const ASKING: &str = r#"<workflow name="Asking">
  <step n="1" goal="Ask"><ask response="name">What is "it" called?</ask><output>{name}</output></step>
</workflow>
"#;

/// Runs the program in this process.
fn called(folder: &Path, state: &TempDir, args: &[&str]) -> Ended {
    let mut run = Run::default();
    run.environment.folder = folder.to_path_buf();
    run.call(&[args, &["--state-dir", state.path().to_str().unwrap()]].concat())
}

/// Runs the program in this process and asks nobody.
fn unattended(folder: &Path, state: &TempDir, args: &[&str]) -> Ended {
    called(folder, state, &[args, &["--non-interactive"]].concat())
}

#[test]
fn questions_that_wait_are_listed_in_the_output_folder_until_they_are_answered() {
    let project = folder_with(&[("workflow.xml", ASKING), ("_bmad-output/kept.md", "kept\n")]);
    let state = tempfile::tempdir().unwrap();
    let waiting = unattended(project.path(), &state, &["exec", "workflow.xml", "--clock", "0"]);
    assert_eq!(waiting.code, 3, "{waiting:?}");
    let listed = project
        .path()
        .join("_bmad-output/awaiting-human/19700101-000000-0000.yaml");
    let list = std::fs::read_to_string(&listed).unwrap();
    insta::assert_snapshot!(list.replace(state.path().to_str().unwrap(), "STATE"), @r#"
    status: awaiting_human_decision
    run: "19700101-000000-0000"
    workflow: workflow.xml
    questions:
      - id: "1-6e8563f6"
        text: "What is \"it\" called?"
    answer: bmad answer 19700101-000000-0000 ID ANSWER --state-dir STATE
    resume: bmad resume 19700101-000000-0000 --state-dir STATE
    "#);
    std::fs::write(project.path().join("answers.yaml"), "name: Ada\n").unwrap();
    let done = unattended(project.path(), &state, &["resume", "--answers", "answers.yaml"]);
    assert_eq!((done.code, done.output.as_str()), (0, "Ada\n"), "{}", done.errors);
    assert!(!listed.exists());
}

#[test]
fn a_run_that_nobody_worked_on_for_a_day_says_so() {
    let project = folder_with(&[("workflow.xml", ASKING)]);
    let state = tempfile::tempdir().unwrap();
    let hours = |count: i64| (count * 60 * 60 * 1000).to_string();
    unattended(project.path(), &state, &["exec", "workflow.xml", "--clock", "0"]);
    let soon = unattended(project.path(), &state, &["resume", "--clock", &hours(24)]);
    assert!(!soon.errors.contains("nobody worked"), "{}", soon.errors);
    let late = unattended(project.path(), &state, &["resume", "--clock", &hours(49)]);
    let anew = format!("bmad exec workflow.xml --state-dir {}", state.path().display());
    let told = format!("note: nobody worked on this run for 25 hours; `{anew}` starts over");
    assert!(late.errors.contains(&told), "{}", late.errors);
}

#[test]
fn a_run_that_did_not_stop_in_order_is_named_with_the_folder_only_where_it_is_kept_there() {
    let place = folder_with(&[
        ("project/workflow.xml", TURN),
        ("project/asking.xml", ASKING),
        ("project/_bmad-output/kept.md", "kept\n"),
        ("agent.sh", AGENT),
    ]);
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    let words = ["exec", "workflow.xml", "--non-interactive", "--agent", &agent];
    assert_eq!(process(&place, &words).code, 137);
    let asking = ["exec", "asking.xml", "--non-interactive"];
    let same = process(&place, &asking).errors;
    let elsewhere = tempfile::tempdir().unwrap();
    let other = unattended(&place.path().join("project"), &elsewhere, &asking[..2]).errors;
    let note = |said: &str| said.lines().next().unwrap_or_default().to_owned();
    let resume = note(&same).split_once("did not stop in order; ").unwrap().1.to_owned();
    assert!(resume.ends_with(&format!(" --state-dir {folder}/state")), "{same}");
    let plain = resume.split(" --state-dir").next().unwrap();
    assert!(
        note(&other).ends_with(&format!("did not stop in order; {plain}")),
        "{other}"
    );
}

const SKIPPING: &str = r##"<workflow name="Skipping">
  <step n="1" goal="Write">
    <output file="{project-root}/out/plan.md"># Plan</output>
    <output file="{project-root}/out/status.yaml">open: 3</output>
    <output file="{project-root}/out/run.sh">#!/bin/sh
true</output>
    <output file="{project-root}/out/titled.md">---
title: T
---
# T</output>
    <output file="{project-root}/out/data.json">{"a": 1}</output>
    <invoke-task path="./tasks/check.xml"/>
  </step>
  <step n="2" goal="Wait"><ask response="name">Who reads it?</ask></step>
</workflow>
"##;

#[test]
fn everything_that_was_written_says_that_its_check_was_skipped() {
    let answers = "\"A call did not work: the workflow calls `./tasks/check.xml`, which is not there. What now?\": s\n\
        To go on without it, type SKIP VALIDATION. What it would have checked stays unchecked.: SKIP VALIDATION\n";
    let project = folder_with(&[("workflow.xml", SKIPPING), ("answers.yaml", answers)]);
    let state = tempfile::tempdir().unwrap();
    let args = ["exec", "workflow.xml", "--answers", "answers.yaml"];
    let ended = unattended(project.path(), &state, &args);
    assert_eq!(ended.code, 3, "{ended:?}");
    let text = |name: &str| std::fs::read_to_string(project.path().join("out").join(name)).unwrap();
    assert_eq!(
        text("plan.md"),
        "<!-- UNVALIDATED - ./tasks/check.xml skipped -->\n# Plan\n"
    );
    assert_eq!(
        text("status.yaml"),
        "# UNVALIDATED - ./tasks/check.xml skipped\nopen: 3\n"
    );
    assert_eq!(
        text("run.sh"),
        "#!/bin/sh\n# UNVALIDATED - ./tasks/check.xml skipped\ntrue\n"
    );
    assert!(
        text("titled.md").contains("\nvalidation_skipped: true\n"),
        "{}",
        text("titled.md")
    );
    assert_eq!(text("data.json"), "{\"a\": 1}\n");
    // The marks are the run's own: only what somebody else changed is told.
    let verified = called(project.path(), &state, &["verify"]);
    assert!(!verified.output.contains("changed since"), "{}", verified.output);
    let back = called(project.path(), &state, &["rollback", "last", "--to", "1"]);
    assert_eq!(
        back.output.matches("goes: it was not there").count(),
        5,
        "{}",
        back.output
    );
    std::fs::write(project.path().join("out/data.json"), "{}").unwrap();
    let again = unattended(project.path(), &state, &["resume"]);
    let drifted: Vec<&str> = again
        .errors
        .lines()
        .filter(|line| line.contains("not as this run left it"))
        .collect();
    assert_eq!(
        drifted,
        ["not as this run left it, and kept until the run writes it again: out/data.json"]
    );
}

/// Three at once, twice, and nothing in between that the journal would note.
const ROUNDS: &str = r#"<workflow name="Rounds">
  <step n="1" goal="Send">
    <set name="seats" value="a,b,c"/>
    <loop name="rounds" max="2" index="round">
      <parallel for="seat in {seats}" max="3" into="replies">
        <dispatch mode="fresh" access="read">Round {round}, seat {seat}. Answer with text.</dispatch>
      </parallel>
    </loop>
    <ask response="more">More?</ask>
  </step>
</workflow>
"#;

/// Notes that it was called; whoever sits on b fails.
const SEATED: &str = r#"asked=$(cat)
echo "$asked" | grep -o 'Round ., seat .' | head -1 >> "$1/calls"
case "$asked" in *"seat b"*) exit 1 ;; esac
echo '{"text": "fine"}'
"#;

#[test]
fn what_failed_in_a_round_that_is_over_is_not_paid_again() {
    let place = folder_with(&[
        ("project/workflow.xml", ROUNDS),
        ("agent.sh", SEATED),
        ("other.sh", &SEATED.replace("exit 1", "true")),
    ]);
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    let waiting = process(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    );
    assert_eq!(waiting.code, 3, "{waiting:?}");
    let calls = || std::fs::read_to_string(place.path().join("calls")).unwrap();
    let before = calls();
    assert!(before.contains("Round 1, seat b"), "{before}");
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(resumed.code, 3, "{resumed:?}");
    assert_eq!(calls(), before);
    let verified = process(&place, &["verify"]);
    assert!(verified.output.contains("everything holds"), "{}", verified.output);
    let other = format!("command:sh {folder}/other.sh {folder}");
    let filled = process(&place, &["resume", "--non-interactive", "--agent", &other]);
    assert_eq!(filled.code, 3, "{filled:?}");
    let more = calls().strip_prefix(&before).unwrap().to_owned();
    assert_eq!(more, "Round 1, seat b\nRound 2, seat b\n", "only the gaps are filled");
    let verified = process(&place, &["verify"]);
    assert!(verified.output.contains("everything holds"), "{}", verified.output);
}

#[test]
fn the_runs_of_a_project_that_was_moved_come_along() {
    for is_trusted in [false, true] {
        come_along(is_trusted);
    }
}

fn come_along(is_trusted: bool) {
    let place = folder_with(&[
        ("one/ask.xml", ASKING),
        ("one/bmad.toml", "[agents]\ndefault = \"command:a\"\n"),
    ]);
    let state = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("it's two"));
    let words = ["exec", "ask.xml", "--agent", "offline"];
    assert_eq!(unattended(&one, &state, &words).code, 3);
    std::fs::rename(&one, &two).unwrap();
    if is_trusted {
        assert_eq!(called(&two, &state, &["trust", "bmad.toml", "--yes"]).code, 0);
    }
    let listed = called(&two, &state, &["runs"]).output;
    let hint = format!("`{}` is not there any more; if it was moved here", one.display());
    assert!(listed.contains(&hint), "{listed}");
    let refused = unattended(&two, &state, &["resume"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let along = refused.errors.split_once("come along with: ").unwrap().1;
    assert!(
        Command::new("sh").args(["-c", along]).status().unwrap().success(),
        "{along}"
    );
    // Another project with a file of that name is not told to take them away.
    let three = place.path().join("three");
    std::fs::create_dir(&three).unwrap();
    std::fs::copy(two.join("ask.xml"), three.join("ask.xml")).unwrap();
    assert_eq!(
        called(&three, &state, &["runs"]).output.matches("come along").count(),
        0
    );
    let resumed = unattended(&two, &state, &["resume"]);
    assert_eq!(resumed.code, 3, "{resumed:?}");
    std::fs::write(two.join("answers.yaml"), "name: Owl\n").unwrap();
    let resumed = unattended(&two, &state, &["resume", "--answers", "answers.yaml"]);
    assert_eq!((resumed.code, resumed.output.as_str()), (0, "Owl\n"), "{resumed:?}");
    let verified = called(&two, &state, &["verify"]).output;
    assert!(verified.contains("everything holds"), "{verified}");
}
