//! A run that nobody can go on with now: what is told of it, and how it goes on.

use super::place::Place;
use std::fs;
use std::io::{BufRead, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

const FLOW: &str = "<workflow name=\"One\">\
    <step n=\"1\"><dispatch mode=\"fresh\" access=\"write\">Work. Answer with text.</dispatch></step></workflow>";

/// Speaks like Gemini CLI at a limit: its message has several lines, the first of which says all that counts.
const GEMINI: &str = r#"#!/bin/sh
cat > /dev/null
printf '%s\n' '{"type":"init","session_id":"s","model":"m"}'
printf '%s\n' '{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: This request would exceed your rate limit.]\nPlease wait and try again later.\nTo increase your limits, ask for more."}}'
exit 173
"#;

/// Is at its limit for as long as a file says so.
const LIMITED: &str = r#"cat > /dev/null
echo call >> calls.log
if [ -f limit ]; then echo 'usage limit reached, try again in 20 minutes' >&2; exit 1; fi
echo '{"text": "fine"}'
"#;

#[test]
fn what_a_service_says_in_many_lines_is_one_line_and_the_rest_is_in_the_log() {
    let toml = "[agents.gemini]\nprogram = \"./gemini.sh\"\n";
    let place = Place::with(&[("one.xml", FLOW), ("gemini.sh", GEMINI), ("bmad.toml", toml)]);
    let program = place.project.path().join("gemini.sh");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    place.call(&["trust", "bmad.toml", "--yes"]);
    let ended = place.exec("one.xml", "gemini");
    assert_eq!(ended.code, 5, "{}", ended.errors);
    let at = ended.errors.find("parked").unwrap();
    insta::assert_snapshot!(ended.errors[at..], @r"
    parked: Gemini CLI: [API Error: This request would exceed your rate limit.]
      all that was said: bmad log 20261115-061605-0000
      what was done is kept; once the cause is gone, go on with: bmad resume 20261115-061605-0000
    ");
    let log = place.call(&["log"]).output;
    assert!(log.contains("To increase your limits, ask for more."), "{log}");
}

#[test]
fn a_run_that_is_interrupted_while_it_waits_is_parked_and_goes_on_at_no_cost() {
    let place = Place::with(&[
        ("one.xml", FLOW),
        ("agent.sh", LIMITED),
        ("limit", ""),
        ("mine.md", "before\n"),
    ]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_bmad"))
        .args([
            "exec",
            "one.xml",
            "--agent",
            "command:sh agent.sh",
            "--non-interactive",
            "--wait",
        ])
        .current_dir(place.project.path())
        .env_clear()
        .envs([
            ("PATH", "/usr/bin:/bin"),
            ("HOME", place.state.path().to_str().unwrap()),
        ])
        .env("XDG_STATE_HOME", place.state.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("; waiting for ") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0, "it never waited");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let mut told = String::new();
    errors.read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(5), "{told}");
    assert!(told.contains("parked: `sh` ended with exit code 1"), "{told}");
    assert!(told.contains("nobody can be asked before"), "{told}");

    // What a person does meanwhile is nothing that a turn left behind.
    place.write("mine.md", "after\n");
    fs::remove_file(place.project.path().join("limit")).unwrap();
    let ended = place.resume();
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(!ended.errors.contains("cut off"), "{}", ended.errors);
    assert_eq!(place.read("mine.md").as_deref(), Some("after\n"));
    assert_eq!(place.read("calls.log").unwrap().lines().count(), 2);
    assert_eq!(place.call(&["verify"]).code, 0);
}
