//! Somebody who interrupts a run: at a question, while it goes around, and while others are ended.

mod counting;

use super::aftermath::{AGENT, command, cut_off, process};
use super::folder_with;
use std::fs::{OpenOptions, read, read_to_string};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often it is looked whether a program has ended, and after how long each time.
const LOOKS: usize = 6000;
const GLANCE: Duration = Duration::from_millis(10);

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until something is so, while a program works.
fn wait_until(child: &mut Child, is_so: impl Fn() -> bool, said: impl Fn() -> String) {
    while !is_so() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before: {}", said());
        std::thread::sleep(GLANCE);
    }
}

/// Starts the program, waits until it says something, and signals it; answers how it ended and all that it said.
fn signalled(mut command: Command, until: &str, signal: &str) -> (Option<i32>, String) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let said = || read_to_string(file.path()).unwrap();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(file.reopen().unwrap())
        .stderr(OpenOptions::new().append(true).open(file.path()).unwrap())
        .spawn()
        .unwrap();
    wait_until(&mut child, || said().contains(until), said);
    send(signal, &child);
    // Nobody answers: its input stays open until it ended, or did not hear the signal for very long.
    let input = child.stdin.take();
    for _ in 0..LOOKS {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(GLANCE);
    }
    child.kill().ok();
    drop(input);
    (child.wait().unwrap().code(), said())
}

/// Ends the engine without a word and works on; notes that it was asked to end, and does not. Another one only waits.
const DEAF: &str = r#"cat > /dev/null
[ -e "$1/deaf" ] && exec sleep 60
exec 2> /dev/null
trap 'touch "$1/asked"' TERM
echo $$ > "$1/deaf"
kill -9 $PPID
while :; do sleep 0.05; done
"#;

#[test]
fn who_survived_the_engine_is_ended_also_where_somebody_interrupts_that() {
    let place = cut_off(DEAF);
    let deaf = read_to_string(place.path().join("deaf")).unwrap();
    let works = || read(format!("/proc/{}/cmdline", deaf.trim())).is_ok_and(|line| !line.is_empty());
    assert!(works());
    let mut resumed = command(&place, &["resume", "--non-interactive"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(&mut resumed, || place.path().join("asked").exists(), String::new);
    send("-INT", &resumed);
    let ended = resumed.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{errors}");
    assert!(errors.contains("bmad resume"), "{errors}");
    assert!(!works());
}

#[test]
fn the_question_what_becomes_of_files_can_be_interrupted_and_is_asked_again() {
    let place = cut_off(AGENT);
    for signal in ["-INT", "-TERM"] {
        let (code, said) = signalled(command(&place, &["resume"]), "What becomes of these files", signal);
        assert_eq!(code, Some(130), "{signal}: {said}");
        assert!(said.contains("bmad resume"), "{signal}: {said}");
    }
    let resumed = process(&place, &["resume", "--non-interactive", "--unfinished", "keep"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(
        read_to_string(place.path().join("project/end.md")).unwrap(),
        "found half\n"
    );
}

#[test]
fn the_question_what_becomes_of_a_hook_that_failed_can_be_interrupted_and_the_hook_runs_again() {
    let hooks = "[[hooks.before-step]]\ncommand = \"test -e allowed\"\ncritical = true\n";
    let flow = "<workflow name=\"Tea\"><step n=\"1\" goal=\"Pour\"><output>Poured.</output></step></workflow>\n";
    let place = folder_with(&[("project/workflow.xml", flow), ("project/bmad.toml", hooks)]);
    let trusted = process(&place, &["trust", "bmad.toml", "--yes"]);
    assert_eq!(trusted.code, 0, "{trusted:?}");
    let exec = command(&place, &["exec", "workflow.xml", "--agent", "offline"]);
    let (code, said) = signalled(exec, "What now?", "-TERM");
    assert_eq!(code, Some(130), "{said}");
    std::fs::write(place.path().join("project/allowed"), "").unwrap();
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(resumed.output.contains("Poured."), "{resumed:?}");
}

const TURN: &str = "<workflow name=\"Notes\"><step n=\"1\" goal=\"Write\">\
    <dispatch mode=\"fresh\" access=\"read\" into=\"reply\">Say it. Answer with text.</dispatch>\
    <output>{reply.text}</output></step></workflow>\n";

/// Notes who it is, and works until somebody lets it end.
const SLOW: &str = r#"cat > /dev/null
echo $$ > "$1/slow"
until [ -e "$1/enough" ]; do sleep 0.05; done
echo '{"text": "said"}'
"#;

/// Starts a run whose agent takes its time, from a shell that runs this first, and waits until the agent is at work.
fn at_work(first: &str) -> (tempfile::TempDir, Child, String) {
    at_work_on(TURN, SLOW, first)
}

fn at_work_on(flow: &str, agent: &str, first: &str) -> (tempfile::TempDir, Child, String) {
    let place = folder_with(&[("project/workflow.xml", flow), ("agent.sh", agent)]);
    let folder = place.path().display().to_string();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    let program = command(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    );
    let mut child = Command::new("sh")
        .args(["-c", &format!("{first} exec \"$@\""), "sh"])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(place.path().join("project"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let noted = || read_to_string(place.path().join("slow")).unwrap_or_default();
    wait_until(&mut child, || noted().ends_with('\n'), String::new);
    let agent = noted().trim().to_owned();
    (place, child, agent)
}

#[test]
fn a_terminal_that_is_closed_stops_the_run_in_order_and_ends_its_agents() {
    let (_place, child, agent) = at_work("");
    let agent: u32 = agent.parse().unwrap();
    assert!(!bmad::drivers::is_over(agent), "it is at work");
    send("-HUP", &child);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    // On a busy machine one that was killed takes a moment until it is gone.
    assert!(bmad::drivers::is_over(agent), "it outlived the run");
}

#[test]
fn a_program_that_was_started_to_outlive_its_terminal_goes_on() {
    let (place, child, _) = at_work("trap '' HUP;");
    send("-HUP", &child);
    std::fs::write(place.path().join("enough"), "").unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "said\n");
}

/// Leaves half of a file behind; the second time it says what it found.
const HALF: &str = r#"cat > /dev/null
if [ ! -e "$1/slow" ]; then
  echo half > half.md
  echo half > both.md
  echo $$ > "$1/slow"
  exec sleep 60
fi
echo "{\"text\": \"found $(cat half.md both.md mine.md 2>/dev/null | tr '\n' ' ')\"}"
"#;

/// Interrupts a turn that writes, and returns the place of the run.
fn interrupted_while_writing(signal: &str) -> tempfile::TempDir {
    let flow = TURN.replace("read", "write");
    let (place, child, _) = at_work_on(&flow, HALF, "");
    send(signal, &child);
    child.wait_with_output().unwrap();
    // The clock of files is a little behind.
    std::thread::sleep(GLANCE * 3);
    place
}

#[test]
fn what_a_person_wrote_since_a_run_stopped_in_order_is_left_alone() {
    let place = interrupted_while_writing("-TERM");
    let file = |name: &str| place.path().join("project").join(name);
    std::fs::write(file("mine.md"), "mine\n").unwrap();
    std::fs::write(file("both.md"), "half and mine\n").unwrap();
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(resumed.output, "found half and mine mine \n");
    let put_back = "was cut off and left behind:\n  added    half.md\n  put back";
    assert!(resumed.errors.contains(put_back), "{}", resumed.errors);
    let alone = "\n  changed since then, and left alone:\n  added    both.md\n  added    mine.md\n";
    assert!(resumed.errors.contains(alone), "{}", resumed.errors);
}

#[test]
fn a_workflow_that_was_edited_since_a_turn_was_cut_off_stays_edited() {
    for signal in ["-TERM", "-KILL"] {
        let place = interrupted_while_writing(signal);
        let flow = place.path().join("project/workflow.xml");
        let edited = TURN.replace("read", "write").replace("{reply.text}", "It {reply.text}");
        std::fs::write(&flow, &edited).unwrap();
        let resumed = process(&place, &["resume", "--non-interactive"]);
        assert_eq!(resumed.code, 0, "{signal}: {resumed:?}");
        assert_eq!(resumed.output, "It found\n", "{signal}: {resumed:?}");
        assert_eq!(read_to_string(&flow).unwrap(), edited, "{signal}: {resumed:?}");
    }
}

/// A git that says when it is asked, and takes its time.
const SLOW_GIT: &str = r#"#!/bin/sh
[ -e "$PLACE/asked" ] || { touch "$PLACE/asked"; sleep 0.5; }
PATH=/usr/bin:/bin exec git "$@"
"#;

#[test]
fn a_run_that_is_ended_during_its_first_snapshot_stops_in_order() {
    use std::os::unix::fs::PermissionsExt;
    let place = folder_with(&[
        ("project/workflow.xml", TURN),
        ("bin/git", SLOW_GIT),
        ("agent.sh", "cat > /dev/null\nsleep 60\n"),
    ]);
    let bin = place.path().join("bin");
    std::fs::set_permissions(bin.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let project = place.path().join("project");
    let made = Command::new("git")
        .arg("-C")
        .arg(&project)
        .args(["init", "-q"])
        .status();
    assert!(made.unwrap().success());
    let agent = format!("command:sh {}/agent.sh", place.path().display());
    let mut child = command(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    )
    .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
    .env("PLACE", place.path())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    wait_until(&mut child, || place.path().join("asked").exists(), String::new);
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let shown = process(&place, &["log", "last"]);
    assert!(shown.output.contains("interrupted"), "{shown:?}");
}

#[test]
fn where_only_a_person_wrote_since_nothing_is_put_back() {
    let place = interrupted_while_writing("-TERM");
    let file = |name: &str| place.path().join("project").join(name);
    for name in ["half.md", "both.md"] {
        std::fs::remove_file(file(name)).unwrap();
    }
    std::fs::write(file("mine.md"), "mine\n").unwrap();
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(resumed.output, "found mine \n", "{resumed:?}");
    let told = "a turn of step 1 was cut off, and since then changed:\n  added    mine.md\n  kept as they are\n";
    assert!(resumed.errors.contains(told), "{}", resumed.errors);
}

/// Makes a project whose runs may make two calls; the agent notes each of them, and is at work for long.
fn with_two_calls(agent: &str) -> (tempfile::TempDir, String) {
    let place = folder_with(&[
        ("project/workflow.xml", TURN),
        ("project/bmad.toml", "[limits.run]\ncalls = 2\n"),
        ("agent.sh", agent),
    ]);
    let folder = place.path().display();
    let agent = format!("command:sh {folder}/agent.sh {folder}");
    (place, agent)
}

/// Returns how often the agent was called.
fn calls(place: &tempfile::TempDir) -> usize {
    let noted = read_to_string(place.path().join("calls")).unwrap_or_default();
    noted.lines().count()
}

/// Looks that no third call is made, that the calls before are told, and that the journal is sound.
fn is_parked_after_two(place: &tempfile::TempDir) {
    let parked = process(place, &["resume", "--non-interactive"]);
    assert_eq!((parked.code, calls(place)), (5, 2), "{parked:?}");
    let why = "parked: the run may make 2 calls and made 2 calls: `limits.run.calls` in `bmad.toml`";
    assert!(parked.errors.contains(why), "{}", parked.errors);
    let log = process(place, &["log"]).output;
    let cut = |line: &&str| line.contains(" called ") && line.ends_with(", cut off");
    assert_eq!(log.lines().filter(cut).count(), 2, "{log}");
    let verified = process(place, &["verify"]);
    assert_eq!(verified.code, 0, "{verified:?}");
    std::fs::write(place.path().join("project/bmad.toml"), "[limits.run]\ncalls = 3\n").unwrap();
    std::fs::write(place.path().join("enough"), "").unwrap();
    let resumed = process(place, &["resume", "--non-interactive"]);
    assert_eq!((resumed.code, calls(place)), (0, 3), "{resumed:?}");
    let verified = process(place, &["verify"]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn calls_that_somebody_interrupted_count() {
    let agent = "cat > /dev/null\necho call >> \"$1/calls\"\n[ -e \"$1/enough\" ] || exec sleep 60\n\
        echo '{\"text\": \"said\"}'\n";
    let (place, agent) = with_two_calls(agent);
    let exec = ["exec", "workflow.xml", "--non-interactive", "--agent", &agent];
    let resume = ["resume", "--non-interactive"];
    for (n, (words, signal)) in [(&exec[..], "-INT"), (&resume[..], "-TERM")].into_iter().enumerate() {
        let mut child = command(&place, words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until(&mut child, || calls(&place) > n, String::new);
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
    }
    is_parked_after_two(&place);
}

#[test]
fn calls_that_were_killed_with_the_engine_count() {
    let agent = "cat > /dev/null\necho call >> \"$1/calls\"\n[ -e \"$1/enough\" ] || exec kill -9 $PPID\n\
        echo '{\"text\": \"said\"}'\n";
    let (place, agent) = with_two_calls(agent);
    for words in [
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent][..],
        &["resume", "--non-interactive"],
    ] {
        let killed = process(&place, words);
        assert_eq!(killed.code, 137, "{killed:?}");
    }
    is_parked_after_two(&place);
}

#[test]
fn a_run_whose_turn_is_interrupted_again_and_again_gets_nowhere() {
    // Whoever is called interrupts the one that started it.
    let agent = "cat > /dev/null\nkill -TERM $PPID\nexec sleep 60\n";
    let (place, agent) = with_two_calls(agent);
    std::fs::remove_file(place.path().join("project/bmad.toml")).unwrap();
    let exec = process(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    );
    assert_eq!(exec.code, 130, "{exec:?}");
    for _ in 0..3 {
        let resumed = process(&place, &["resume", "--non-interactive"]);
        assert_eq!(resumed.code, 130, "{resumed:?}");
    }
    let refused = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.errors.contains("was resumed 3 times and got nowhere"),
        "{refused:?}"
    );
}
