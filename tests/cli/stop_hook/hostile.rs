//! Whatever comes in, the agent may stop, at once, with exit code 0.

use super::{Desk, PROMISE, STATE, Said, feed, round, state, tracker};
use serde_json::json;
use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Longer than the hook may take on a slow machine, shorter than an agent waits.
const SOON: Duration = Duration::from_secs(20);

fn timed(ask: impl FnOnce() -> Said) -> Said {
    let start = Instant::now();
    let said = ask();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(!said.err.contains("panicked"), "{said:?}");
    said
}

#[test]
fn a_state_file_that_is_damaged_is_told_and_removed() {
    let whole = state(&[]);
    let large = format!("{whole}{}", "x".repeat(2 * 1024 * 1024));
    let nested = whole.replace("active: true", &format!("active: {}", "[".repeat(5000)));
    let cut = &whole[..whole.len() / 2];
    let texts: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\xff\xfe\x00".to_vec(),
        b"just words".to_vec(),
        b"---\n---\n".to_vec(),
        cut.as_bytes().to_vec(),
        whole.replace("active: true", "active: maybe").into_bytes(),
        whole.replace("max_rounds: 3\n", "").into_bytes(),
        whole.replace("max_rounds: 3", "max_rounds: three").into_bytes(),
        whole.replace("max_rounds: 3", "max_rounds: -3").into_bytes(),
        whole
            .replace(
                "current_round: 1",
                "current_round: 340282366920938463463374607431768211456",
            )
            .into_bytes(),
        whole.replace("---\n", "===\n").into_bytes(),
        whole.replace("active: true", "active: true\n  bad: [").into_bytes(),
        whole.replace("active: true", "active: *nobody").into_bytes(),
        whole.replace(PROMPT_LINE, "completion_promise: [1]").into_bytes(),
        [whole.as_bytes(), b"\xff"].concat(),
        large.into_bytes(),
        nested.into_bytes(),
    ];
    for text in texts {
        let desk = Desk::reviewing(&["open"]);
        desk.write(STATE, &text);
        let said = timed(|| desk.stop("Done."));
        let shown = String::from_utf8_lossy(&text[..text.len().min(300)]).into_owned();
        assert!(!said.holds() && desk.is_over(), "{shown}: {said:?}");
        assert!(
            said.err
                .starts_with("warning: The stop hook of the review lets the agent go: "),
            "{said:?}"
        );
        assert!(
            said.told()
                .starts_with("The stop hook of the review lets the agent go: "),
            "{said:?}"
        );
    }
}

const PROMPT_LINE: &str = "completion_promise: ALL_ISSUES_RESOLVED";

#[cfg(unix)]
#[test]
fn a_state_file_that_leads_out_of_the_project_is_removed_and_what_it_leads_to_is_not() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("state.yaml");
    fs::write(&target, state(&[])).unwrap();
    let desk = Desk::with(&[("reviews/issues.md", &tracker(&["open"]))]);
    fs::create_dir_all(desk.path(".claude")).unwrap();
    symlink(&target, desk.path(STATE)).unwrap();
    let said = timed(|| desk.stop("Done."));
    assert!(!said.holds() && desk.is_over(), "{said:?}");
    assert!(said.err.contains("leads out of the project"), "{said:?}");
    assert_eq!(round(&fs::read_to_string(&target).unwrap()), 1);
    // The whole folder is elsewhere: nothing there is touched.
    fs::remove_dir(desk.path(".claude")).unwrap();
    fs::rename(&target, outside.path().join("review-loop-state.yaml")).unwrap();
    symlink(outside.path(), desk.path(".claude")).unwrap();
    let said = timed(|| desk.stop("Done."));
    assert!(!said.holds(), "{said:?}");
    assert_eq!(round(&desk.read(STATE).unwrap()), 1);
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_project_is_followed() {
    let desk = Desk::with(&[
        ("run/state.yaml", &state(&[])),
        ("reviews/issues.md", &tracker(&["open"])),
    ]);
    fs::create_dir_all(desk.path(".claude")).unwrap();
    std::os::unix::fs::symlink("../run/state.yaml", desk.path(STATE)).unwrap();
    assert!(desk.stop("Done.").holds());
    assert_eq!(round(&desk.read("run/state.yaml").unwrap()), 2);
    desk.write("reviews/issues.md", tracker(&[]));
    assert!(desk.stop(PROMISE).told().contains("complete"));
    assert!(desk.is_over() && desk.read("run/state.yaml").is_none());
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_waited_for() {
    let pipe = |desk: &Desk, path: &str| {
        let made = std::process::Command::new("mkfifo").arg(desk.path(path)).status();
        assert!(made.unwrap().success());
    };
    let desk = Desk::empty();
    fs::create_dir_all(desk.path(STATE)).unwrap();
    let said = timed(|| desk.stop("Done."));
    assert!(!said.holds() && said.err.contains("it is no file"), "{said:?}");
    let desk = Desk::empty();
    fs::create_dir_all(desk.path(".claude")).unwrap();
    pipe(&desk, STATE);
    assert!(!timed(|| desk.stop("Done.")).holds() && desk.is_over());
    let desk = Desk::with(&[(STATE, &state(&[])), ("reviews/x", "")]);
    pipe(&desk, "reviews/issues.md");
    assert!(timed(|| desk.stop(PROMISE)).reason().contains("cannot be read"));
    let desk = Desk::reviewing(&["open"]);
    pipe(&desk, "pipe");
    for path in [
        desk.path("pipe"),
        "/dev/zero".into(),
        "/dev/stdin".into(),
        desk.path(""),
    ] {
        desk.write(STATE, state(&[]));
        assert!(!timed(|| desk.ask(&json!({"transcript_path": path}))).holds());
    }
}

#[cfg(unix)]
#[test]
fn a_state_file_that_may_not_be_read_or_changed_holds_nobody() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let stop = |desk: &Desk| {
        let mut command = desk.program(&["hook", "stop"]);
        if is_root {
            // Nothing is forbidden to root; nobody may do what others may.
            command.uid(65534).gid(65534);
        }
        timed(|| feed(command, desk.question("Done.").to_string().as_bytes()))
    };
    let mode = |desk: &Desk, path: &str, mode: u32| {
        fs::set_permissions(desk.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let desk = Desk::reviewing(&["open"]);
    mode(&desk, "", 0o755);
    mode(&desk, ".claude", 0o555);
    let said = stop(&desk);
    assert!(!said.holds() && said.err.contains("cannot be written"), "{said:?}");
    assert_eq!(round(&desk.read(STATE).unwrap()), 1);
    mode(&desk, STATE, 0o000);
    let said = stop(&desk);
    assert!(!said.holds() && said.err.contains("permission denied"), "{said:?}");
    mode(&desk, ".claude", 0o755);
}

#[test]
fn a_question_that_is_none_lets_the_agent_go() {
    let deep = "[".repeat(200_000);
    let nested = format!("{{\"a\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let inputs: Vec<&[u8]> = vec![
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{} {}",
        deep.as_bytes(),
        nested.as_bytes(),
    ];
    for input in inputs {
        let desk = Desk::reviewing(&["open"]);
        let said = timed(|| feed(desk.program(&["hook", "stop"]), input));
        assert!(!said.holds() && desk.is_over(), "{said:?}");
        assert!(said.err.contains("what it was given cannot be read"), "{said:?}");
    }
}

#[test]
fn a_person_who_tries_the_command_harms_nothing() {
    let desk = Desk::reviewing(&["open"]);
    let before = desk.read(STATE);
    for input in ["", "\n"] {
        let said = timed(|| feed(desk.program(&["hook", "stop"]), input.as_bytes()));
        assert_eq!((said.out.as_str(), desk.read(STATE)), ("", before.clone()));
    }
}

#[test]
fn words_that_this_version_does_not_know_hold_nobody() {
    let desk = Desk::reviewing(&["open"]);
    let question = desk.question("Done.").to_string();
    let program = desk.program(&["hook", "stop", "--new-flag=1", "--other", "word"]);
    let said = timed(|| feed(program, question.as_bytes()));
    assert!(said.holds() && said.err.contains("they are passed over"), "{said:?}");
}

#[test]
fn a_very_long_message_is_read() {
    let desk = Desk::reviewing(&["open"]);
    let long = "all work and no play ".repeat(500_000);
    assert!(timed(|| desk.stop(&format!("{long}<review-complete>"))).holds());
    let said = timed(|| desk.stop(&format!("{long}\n<review-blocked>no key</review-blocked>{long}")));
    assert!(said.told().contains("no key"), "{}", said.told());
    // More than anybody says.
    desk.write(STATE, state(&[]));
    let flood = vec![b' '; 65 * 1024 * 1024];
    let said = timed(|| feed(desk.program(&["hook", "stop"]), &flood));
    assert!(!said.holds() && said.err.contains("bytes came in"), "{said:?}");
}

#[test]
fn bytes_that_are_no_text_are_no_reason_to_give_up() {
    let desk = Desk::reviewing(&["open"]);
    let said = timed(|| {
        feed(
            desk.program(&["hook", "stop"]),
            b"{\"last_assistant_message\": \"Done \xff\xfe\"}",
        )
    });
    assert!(said.holds(), "{said:?}");
}

#[test]
fn only_the_end_of_a_transcript_is_read() {
    let desk = Desk::reviewing(&["open"]);
    let path = desk.path("long.jsonl");
    let mut file = File::create(&path).unwrap();
    // A hole: as long as it says, and nothing that could be read through in time were it all parsed.
    file.seek(SeekFrom::Start(100 * 1024 * 1024)).unwrap();
    let last = json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "content": [
        {"type": "text", "text": "<review-blocked>no key</review-blocked>"}]}});
    write!(file, "\n{last}\n").unwrap();
    drop(file);
    let said = timed(|| desk.ask(&json!({"transcript_path": path})));
    assert!(said.told().contains("no key"), "{said:?}");
}

#[test]
fn a_pipe_that_nobody_closes_is_not_waited_for() {
    let desk = Desk::reviewing(&["open"]);
    for (input, holds) in [(desk.question("Done.").to_string(), true), (String::new(), false)] {
        let mut child = desk
            .program(&["hook", "stop"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        let said = timed(|| child.wait_with_output().unwrap().into());
        drop(stdin);
        assert_eq!(said.holds(), holds, "{said:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_nobody_can_take_is_no_failure() {
    let desk = Desk::reviewing(&["open"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = desk.program(&["hook", "stop"]);
    let mut child = command.stdin(Stdio::piped()).stdout(full).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(desk.question("Done.").to_string().as_bytes()).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
