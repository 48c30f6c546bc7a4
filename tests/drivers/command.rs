//! Real programs as agents.
#![cfg(unix)]

use super::{Yard, task, wait};
use bmad::drivers::named;
use bmad::host::{Reply, Turn};
use bmad::machine::{Failure, FailureKind, Task};
use std::sync::Arc;

/// Runs a shell script as an agent.
fn shell(yard: &Yard, script: &str) -> Result<Reply, String> {
    shell_within(yard, script, None)
}

fn shell_within(yard: &Yard, script: &str, timeout: Option<u32>) -> Result<Reply, String> {
    let outcome = yard.take(&spec(yard, script), Task { timeout, ..task(&[]) });
    outcome.map_err(|failure: Failure| format!("{}: {}", failure.kind.name(), failure.message))
}

fn spec(yard: &Yard, script: &str) -> String {
    std::fs::write(yard.root().join("agent.sh"), script).unwrap();
    "command:sh agent.sh".to_owned()
}

#[test]
fn the_prompt_goes_in_and_the_reply_comes_out() {
    let yard = Yard::new(&[]);
    let script = r#"read line; printf 'words\n```json\n{"text": "%s"}\n```\n' "$line""#;
    assert_eq!(shell(&yard, script).unwrap().envelope.text, "The prompt of step 1.");
}

#[test]
fn a_program_gets_the_folder_and_almost_no_environment() {
    let yard = Yard::new(&[]);
    let script = r#"printf '{"fields": {"secret": "%s", "token": "%s", "folder": "%s", "names": "%s"}}' "$SECRET" "$BMAD_RUN_TOKEN" "$(pwd -P)" "$(env | grep -v '^_\|^PWD\|^SHLVL\|^OLDPWD' | cut -d= -f1 | sort | tr '\n' ' ')""#;
    let reply = shell(&yard, script).unwrap();
    let field = |name: &str| {
        let found = reply.envelope.fields.iter().find(|(given, _)| given == name);
        found.unwrap().1.to_string()
    };
    assert_eq!(field("secret"), "");
    assert_eq!(field("token"), yard.turn(task(&[])).token);
    assert_eq!(field("folder"), yard.root().canonicalize().unwrap().to_str().unwrap());
    assert_eq!(field("names").trim(), "BMAD_CALL_TOKEN BMAD_RUN_TOKEN PATH");
}

#[test]
fn how_a_program_ends_is_told() {
    let yard = Yard::new(&[]);
    let ends = [
        shell(&yard, "exit 0").unwrap_err(),
        shell(&yard, "echo 'no key is set' >&2; exit 3").unwrap_err(),
        shell(&yard, "echo 'half an answer'; exit 3").unwrap_err(),
        shell(&yard, "kill -9 $$").unwrap_err(),
        shell(&yard, "echo 'only prose'").unwrap_err(),
    ];
    insta::assert_snapshot!(ends.join("\n"), @r"
    crashed: `sh` ended without a reply
    crashed: `sh` ended with exit code 3 and no envelope: no key is set
    crashed: `sh` ended with exit code 3 and no envelope
    crashed: `sh` was ended by a signal
    malformed: the reply has 10 characters of text and no json block; end it with one fenced block marked json
    ");
    let outcome = yard.take("command:./no-such-program", task(&[])).unwrap_err();
    assert!(
        outcome
            .message
            .starts_with("`./no-such-program` could not be started: no such file"),
        "{}",
        outcome.message
    );
}

#[test]
fn an_envelope_counts_however_the_program_ended() {
    let yard = Yard::new(&[]);
    assert_eq!(
        shell(&yard, "echo '{\"text\": \"done\"}'; exit 7")
            .unwrap()
            .envelope
            .text,
        "done"
    );
}

#[test]
fn a_program_that_reads_nothing_is_no_problem() {
    let yard = Yard::new(&[]);
    let turn = Turn {
        prompt: "x".repeat(4 * 1024 * 1024),
        ..yard.turn(task(&[]))
    };
    let driver = named(&spec(&yard, "exec 0<&-; echo '{\"text\": \"deaf\"}'"), &yard.options()).unwrap();
    assert_eq!(
        wait(driver.perform(Arc::new(turn))).result.unwrap().envelope.text,
        "deaf"
    );
}

#[test]
fn a_flood_is_ended() {
    let yard = Yard::new(&[]);
    let failure = shell(&yard, "yes").unwrap_err();
    assert_eq!(failure, "malformed: `sh` wrote more than 8388608 bytes and was ended");
}

#[test]
fn messages_are_drained_and_their_end_is_kept() {
    let yard = Yard::new(&[]);
    let script = "head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; echo >&2; echo 'the reason' >&2; exit 1";
    assert_eq!(
        shell(&yard, script).unwrap_err(),
        "crashed: `sh` ended with exit code 1 and no envelope: the reason"
    );
}

#[test]
fn a_program_that_takes_too_long_is_ended_with_all_it_started() {
    let yard = Yard::new(&[]);
    let turn = Turn {
        token: format!("late-{}", std::process::id()),
        ..yard.turn(Task {
            timeout: Some(1),
            ..task(&[])
        })
    };
    let token = turn.token.clone();
    let script = "setsid sleep 1000 & sleep 1000 & sleep 1000";
    let driver = named(&spec(&yard, script), &yard.options()).unwrap();
    let failure = wait(driver.perform(Arc::new(turn))).result.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(failure.message, "`sh` took longer than 1 s and was ended");
    assert_none_left(&token);
}

#[test]
fn what_a_program_leaves_in_its_group_is_ended() {
    let yard = Yard::new(&[]);
    let turn = Turn {
        token: format!("left-behind-{}", std::process::id()),
        ..yard.turn(task(&[]))
    };
    let token = turn.token.clone();
    let driver = named(
        &spec(&yard, "sleep 1000 > /dev/null 2>&1 & echo '{\"text\": \"x\"}'"),
        &yard.options(),
    )
    .unwrap();
    assert_eq!(wait(driver.perform(Arc::new(turn))).result.unwrap().envelope.text, "x");
    assert_none_left(&token);
}

#[test]
fn a_turn_that_is_dropped_takes_its_processes_along() {
    let yard = Yard::new(&[]);
    let turn = Turn {
        token: format!("dropped-{}", std::process::id()),
        ..yard.turn(task(&[]))
    };
    let token = turn.token.clone();
    let started = yard.root().join("started");
    let script = "setsid sh -c 'touch started; sleep 1000' & sleep 1000";
    let driver = named(&spec(&yard, script), &yard.options()).unwrap();
    wait(async {
        let turn = driver.perform(Arc::new(turn));
        let until = async {
            while !started.exists() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            outcome = turn => panic!("{outcome:?}"),
            () = until => {}
        }
    });
    assert_none_left(&token);
}

/// Fails where a process of a turn lives on; one that was ended may take a moment to go.
fn assert_none_left(token: &str) {
    let looks = 2000;
    assert!((0..looks).any(|_| alive(token).is_empty()), "{:?}", alive(token));
}

/// Returns the names of living processes that carry a token.
fn alive(token: &str) -> Vec<String> {
    let entry = format!("BMAD_RUN_TOKEN={token}");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let name = |path: std::path::PathBuf| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        let carries = environment.split(|byte| *byte == 0).any(|it| it == entry.as_bytes());
        let name = std::fs::read_to_string(path.join("comm")).unwrap_or_default();
        carries.then(|| name.trim().to_owned())
    };
    processes.filter_map(|process| name(process.path())).collect()
}
