//! Who else is at work: a second process that resumes, and an agent that outlives its engine.

use super::after::{Tally, Undisturbed};
use super::case::{Case, Workflow, program};
use super::has_tools;
use super::sites::{inject, inject_on, words};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long something is waited for before the test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn of_two_processes_that_resume_one_works_and_the_other_says_who_holds_the_run() {
    if !has_tools(&["strace"]) {
        return;
    }
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    case.reset();
    case.run(&words(&inject("fdatasync", 8, "signal=SIGKILL")), &case.exec());
    // The first one is held still in the middle of a rename, by its tracer.
    let mut held = inject("rename", 1, "delay_enter=3000000");
    held.extend(case.resume());
    let mut first = Command::new(&held[0])
        .args(&held[1..])
        .current_dir(case.project())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lock = case.journal().unwrap().with_file_name("lock");
    let before = fs::read(&lock).unwrap();
    wait_until("the first one takes the lock", || {
        fs::read_to_string(&lock).is_ok_and(|text| text.as_bytes() != before && text.ends_with('}'))
    });
    let second = case.run(&[], &case.resume());
    assert_eq!(second.code, 1, "{second:?}");
    let holder: serde_json::Value = serde_json::from_slice(&fs::read(&lock).unwrap()).unwrap();
    let told = format!("held by process {} since ", holder["pid"]);
    assert!(second.errors.contains(&told), "{}", second.errors);
    assert!(second.errors.contains("hint: "), "{}", second.errors);
    assert!(first.wait().unwrap().success());
    assert_eq!(case.files(), wanted.files);
    assert_eq!(case.calls().len(), wanted.calls.len());
}

#[test]
fn a_run_is_never_resumed_by_two_at_once_however_often_it_is_tried() {
    if !has_tools(&["strace"]) {
        return;
    }
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    case.reset();
    case.run(&words(&inject("fdatasync", 3, "signal=SIGKILL")), &case.exec());
    let start = || {
        let command = case.resume();
        let mut child = Command::new(&command[0]);
        child.args(&command[1..]).current_dir(case.project());
        child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let ended: Vec<_> = [start(), start(), start()]
        .map(|child| child.wait_with_output().unwrap())
        .into();
    for output in &ended {
        let errors = String::from_utf8_lossy(&output.stderr);
        // One that comes when the run is over finds it completed.
        assert!(output.status.success() || errors.contains("held by"), "{errors}");
    }
    assert!(ended.iter().any(|output| output.status.success()));
    let mut tally = Tally::default();
    tally.settle("three at once", &case, &wanted);
    tally.assert_sound();
}

#[test]
fn an_agent_that_outlives_a_killed_engine_is_ended_before_anything_is_repeated() {
    if !has_tools(&["strace"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    fs::create_dir_all(&project).unwrap();
    let workflow = r#"<workflow name="Slow">
  <step n="1" goal="Take long">
    <dispatch mode="fresh" access="write" into="reply">Write it down. Answer with text.</dispatch>
    <output file="{project-root}/end.md">{reply.text}</output>
  </step>
</workflow>
"#;
    fs::write(project.join("workflow.xml"), workflow).unwrap();
    // The first time it takes for ever and goes on writing; the second time it is quick.
    let agent = r#"cat > /dev/null
echo call >> "$1/calls"
echo begun >> slow.md
if [ ! -e "$1/again" ]; then
  setsid sh -c 'while :; do echo alive >> slow.md; sleep 0.01; done' &
  echo $! > "$1/child"
  sleep 1000
fi
echo '{"text": "done"}'
"#;
    fs::write(folder.path().join("agent.sh"), agent).unwrap();
    let place = folder.path().display();
    let program = program();
    let run = |words: &[&str]| {
        let mut command = Command::new(&program);
        command
            .args(words)
            .args(["--non-interactive", "--clock", "1794723365000"]);
        command
            .arg("--state-dir")
            .arg(folder.path().join("state"))
            .current_dir(&project);
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let spec = format!("command:sh {place}/agent.sh {place}");
    let mut engine = run(&["exec", "workflow.xml", "--agent", &spec]).spawn().unwrap();
    let alive = || fs::read_to_string(project.join("slow.md")).is_ok_and(|text| text.contains("alive"));
    wait_until("the agent works", alive);
    engine.kill().unwrap();
    engine.wait().unwrap();
    let size = || fs::metadata(project.join("slow.md")).map_or(0, |file| file.len());
    let before = size();
    wait_until("the agent goes on without its engine", || size() > before);
    fs::write(folder.path().join("again"), "").unwrap();
    let resumed = run(&["resume"]).output().unwrap();
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("calls")).unwrap(), "call\ncall\n");
    assert_eq!(fs::read_to_string(project.join("slow.md")).unwrap(), "begun\n");
    assert_eq!(fs::read_to_string(project.join("end.md")).unwrap(), "done\n");
    let child = fs::read_to_string(folder.path().join("child")).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    assert!(status.is_empty() || status.contains(") Z "), "{status}");
}

#[test]
fn a_turn_that_was_cut_off_is_undone_before_it_is_taken_again() {
    if !has_tools(&["strace", "git"]) {
        return;
    }
    for workflow in [Workflow::Parallel, Workflow::CreatePrd] {
        let Some(case) = Case::new(workflow) else { return };
        let wanted = Undisturbed::of(&case);
        let journal = case.journal().unwrap();
        let mut tally = Tally::default();
        // An outcome that cannot be written: the agent is done, and nobody will ever know.
        for nth in [6, 9, 12] {
            case.reset();
            let ended = case.run(
                &words(&inject_on(&journal, "write", nth, "signal=SIGKILL")),
                &case.exec(),
            );
            assert!(ended.is_killed());
            tally.settle(&format!("{} at line {nth}", workflow.name()), &case, &wanted);
        }
        tally.assert_sound();
    }
}
