//! A command in the middle of which the engine ends without a word: it runs again, alone.

use super::{Ended, folder_with};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The first time it leaves somebody behind and ends the engine; the second time it looks whether somebody is there.
const SCRIPT: &str = r#"echo run >> "$1/times"
test -e half.md && echo "half is there" || echo "half is gone"
echo half > half.md
if test "$(wc -l < "$1/times")" -eq 1; then
  sleep 600 & echo $! > "$1/left"
  kill -9 $PPID
  sleep 600
fi
grep -q sleep "/proc/$(cat "$1/left")/cmdline" 2>/dev/null && echo "somebody is left" || echo "nobody is left"
"#;

fn process(place: &TempDir, words: &[&str]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_bmad"))
        .args(words)
        .arg("--state-dir")
        .arg(place.path().join("state"))
        .current_dir(place.path().join("project"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ended {
        code: output.status.code().unwrap_or(137) as u8,
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Makes a project with a workflow whose command ends the engine, and returns the command too.
fn place() -> (TempDir, String) {
    let place = folder_with(&[("script.sh", SCRIPT)]);
    let folder = place.path().display();
    let command = format!("exec sh {folder}/script.sh {folder}");
    let flow = format!(
        "<workflow name=\"Build\"><step n=\"1\" goal=\"Check\"><run command=\"{command}\" into=\"it\"/><output>{{it.how}}\n{{it.output}}</output></step></workflow>\n"
    );
    std::fs::create_dir(place.path().join("project")).unwrap();
    std::fs::write(place.path().join("project/workflow.xml"), flow).unwrap();
    (place, command)
}

/// Runs a workflow whose command ends the engine, and resumes it.
fn cut_off_and_resumed(more: &[&str]) -> (Ended, TempDir) {
    let (place, _) = place();
    assert_eq!(process(&place, &["trust", "workflow.xml", "--yes"]).code, 0);
    let killed = process(&place, &["exec", "workflow.xml", "--non-interactive"]);
    assert_eq!(killed.code, 137, "{killed:?}");
    let resumed = process(&place, &[&["resume", "--non-interactive"], more].concat());
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert_eq!(times(place.path()), 2);
    assert_eq!(process(&place, &["verify"]).code, 0);
    (resumed, place)
}

fn times(place: &Path) -> usize {
    std::fs::read_to_string(place.join("times")).unwrap().lines().count()
}

#[test]
fn what_it_started_is_ended_and_what_it_left_is_put_back_before_it_runs_again() {
    let (resumed, place) = cut_off_and_resumed(&[]);
    assert_eq!(
        resumed.output, "exit code 0\nhalf is gone\nnobody is left\n",
        "{}",
        resumed.errors
    );
    let told = "of step 1 was cut off and left behind:\n  added    half.md\n  put back as they were before it";
    assert!(
        resumed.errors.contains("the command `exec sh ") && resumed.errors.contains(told),
        "{}",
        resumed.errors
    );
    let log = process(&place, &["log"]).output;
    let settled = "settled     a command was cut off; the files are what they were before it";
    assert!(log.contains(settled), "{log}");
    // Resumed once more, it does not run again.
    let again = process(&place, &["resume", "--non-interactive"]);
    assert_eq!((again.code, times(place.path())), (0, 2), "{again:?}");
}

#[test]
fn what_it_left_is_kept_where_that_is_said() {
    let (resumed, _) = cut_off_and_resumed(&["--unfinished", "keep"]);
    assert_eq!(
        resumed.output, "exit code 0\nhalf is there\nnobody is left\n",
        "{}",
        resumed.errors
    );
}

#[test]
fn what_was_allowed_when_the_run_began_is_allowed_when_it_goes_on() {
    let (place, command) = place();
    let words = ["exec", "workflow.xml", "--non-interactive", "--allow", &command];
    assert_eq!(process(&place, &words).code, 137);
    let resumed = process(&place, &["resume", "--non-interactive"]);
    assert_eq!(
        resumed.output, "exit code 0\nhalf is gone\nnobody is left\n",
        "{}",
        resumed.errors
    );
    // It is allowed for that run and for no other.
    let other = process(&place, &["exec", "workflow.xml", "--non-interactive"]);
    assert!(
        other.output.starts_with("not run: nobody trusted it"),
        "{}",
        other.output
    );
}
