//! Secrets that an agent says: none is in any byte that the engine writes or prints.
//!
//! A file that the agent itself wrote stays as it is, and so does the copy that is kept to put it back.
#![cfg(unix)]

use super::{Ended, Run, folder_with};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const WORKFLOW: &str = r#"<workflow name="Leak">
  <step n="1" goal="Say it">
    <dispatch mode="fresh" access="write" into="first">Say all you know. Answer with text.</dispatch>
    <output>{first.text}</output>
    <output file="{project-root}/_bmad-output/told.md">{first.text}</output>
  </step>
  <step n="2" goal="Fail"><action>Do it</action></step>
  <step n="3" goal="Ask"><action>Do more</action></step>
</workflow>
"#;

/// Writes what it knows to a file and to its messages; its nth reply is a file, and without one it fails.
const AGENT: &str = r#"cat > /dev/null
n=$(($(cat "$1/count" 2>/dev/null || echo 0) + 1)); echo $n > "$1/count"
cp "$1/noise" leak.txt
cat "$1/noise" >&2
[ -e "$1/reply-$n.json" ] || { tr '\n' ' ' < "$1/noise" >&2; exit 3; }
cat "$1/reply-$n.json"
"#;

/// Made when it runs, so that no scanner takes this file for a leak: what comes before, the secret, what must not be seen.
fn planted() -> Vec<(String, String)> {
    let body = |length: usize| -> String { "a1B2c3D4e5F6g7H8".chars().cycle().take(length).collect() };
    let hex = |length: usize| -> String { "0a1b2c3d4e5f6789".chars().cycle().take(length).collect() };
    let capital = |length: usize| body(length).to_uppercase();
    let whole = |text: String| (text.clone(), text);
    let mut planted = vec![
        whole(format!("ghp_{}", body(36))),
        whole(format!("github_pat_{}", body(60))),
        whole(format!("glpat-{}", body(20))),
        whole(format!("sk_live_{}", body(24))),
        whole(format!("sk-proj-{}", body(48))),
        whole(format!("sk-ant-api03-{}", body(90))),
        whole(format!("xai-{}", body(80))),
        whole(format!("hf_{}", body(34))),
        whole(format!("AKIA{}", capital(16))),
        whole(format!("AIza{}", body(35))),
        whole(format!("dop_v1_{}", hex(64))),
        whole(format!("xoxb-{}", body(40))),
        whole(format!("hooks.slack.com/services/{}", body(40))),
        whole(format!("npm_{}", body(36))),
        whole(format!("pypi-{}", body(80))),
        whole(format!("SG.{}.{}", body(22), body(43))),
        whole(format!("SK{}", hex(32))),
        whole(format!("hvs.{}", body(90))),
        whole(format!("shpat_{}", hex(32))),
        whole(format!("lin_api_{}", body(40))),
        whole(format!("ntn_{}", body(46))),
        whole(format!("dapi{}", hex(32))),
        whole(format!("dp.pt.{}", body(43))),
        whole(format!("eyJ{}.eyJ{}.{}", body(30), body(40), body(43))),
        whole(format!("MT{}.{}.{}", body(24), body(6), body(27))),
        (format!("123456789:AA{}", body(33)), format!("AA{}", body(33))),
        (
            format!("aws_secret_access_key = {}", body(40)),
            format!("= {}", body(40)),
        ),
        (format!("AccountKey={}==;", body(86)), body(86)),
        ("value-of-the-variable".to_owned(), "value-of-the-variable".to_owned()),
    ];
    let lines = format!("{}\n{}", body(64), hex(64));
    let (begin, end) = (
        concat!("-----BEGIN PRIV", "ATE KEY-----"),
        concat!("-----END PRIV", "ATE KEY-----"),
    );
    planted.push((format!("{begin}\n{lines}\n{end}"), hex(64)));
    planted
}

fn leak(replies: &[(&str, serde_json::Value)], noise: &str) -> TempDir {
    let place = folder_with(&[
        ("project/workflow.xml", WORKFLOW),
        ("project/_bmad-output/notes.md", "# Notes\n"),
        ("agent/agent.sh", AGENT),
        ("agent/noise", noise),
    ]);
    for (n, reply) in replies {
        fs::write(place.path().join(format!("agent/reply-{n}.json")), reply.to_string()).unwrap();
    }
    place
}

fn call(place: &TempDir, words: &[&str]) -> Ended {
    let state = place.path().join("state");
    let mut run = Run::default().with("PATH", "/usr/bin:/bin");
    run.environment.folder = place.path().join("project");
    let secret = ("DEPLOY_TOKEN".to_owned(), "value-of-the-variable".to_owned());
    run.environment.others.extend([secret]);
    run.call(&[words, &["--state-dir", state.to_str().unwrap()]].concat())
}

/// Collects every file below a folder.
fn bytes(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            // What is kept to put files back is what they hold.
            if entry.file_name() != "kept" {
                bytes(&path, found);
            }
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}

#[test]
fn no_secret_that_an_agent_says_is_written_or_printed() {
    let planted = planted();
    let noise: String = planted.iter().map(|(text, _)| format!("{text}\n")).collect();
    let done = |evidence: serde_json::Value| serde_json::json!({"text": noise, "instructions": [{"n": 1, "status": "done", "note": noise, "evidence": [evidence]}]});
    let replies = [
        ("1", serde_json::json!({"text": noise, "fields": {"all": noise}})),
        ("3", done(serde_json::json!({"kind": "file", "path": "leak.txt"}))),
        (
            "4",
            serde_json::json!({"text": noise, "asks": [{"question": noise, "options": [noise]}]}),
        ),
    ];
    let place = leak(&replies, &noise);
    let agent = place.path().join("agent");
    let agent = format!("command:sh {0}/agent.sh {0}", agent.display());
    let exec = call(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent],
    );
    assert_eq!(exec.code, 3, "{exec:?}");
    let told = [
        exec,
        call(&place, &["log"]),
        call(&place, &["log", "--json"]),
        call(&place, &["show"]),
        call(&place, &["exec", "workflow.xml", "--json", "--agent", &agent]),
    ];
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    for (at, ended) in told.into_iter().enumerate() {
        found.push((format!("output {at}"), ended.output.into_bytes()));
        found.push((format!("errors {at}"), ended.errors.into_bytes()));
    }
    bytes(&place.path().join("state"), &mut found);
    bytes(&place.path().join("project/_bmad-output"), &mut found);
    let mut leaks = Vec::new();
    for (place, bytes) in &found {
        let text = String::from_utf8_lossy(bytes);
        let seen = planted.iter().filter(|(_, secret)| text.contains(secret.as_str()));
        leaks.extend(seen.map(|(_, secret)| format!("{place}: {secret}")));
    }
    assert_eq!(leaks, [""; 0]);
    let marked = |name: &str| {
        found
            .iter()
            .any(|(place, bytes)| place.contains(name) && String::from_utf8_lossy(bytes).contains("[masked: "))
    };
    for name in [
        "journal.jsonl",
        "told.md",
        "awaiting-human",
        "output 0",
        "errors 0",
        "output 1",
        "output 4",
    ] {
        assert!(marked(name), "{name} was never reached");
    }
    let own = fs::read_to_string(place.path().join("project/leak.txt")).unwrap();
    assert_eq!(own, noise);
}

#[test]
fn a_secret_in_the_name_of_an_agent_is_not_kept_and_has_to_be_named_again() {
    let asks = serde_json::json!({"asks": [{"question": "Which one?"}]});
    let place = leak(&[("1", asks)], "");
    let secret = planted().swap_remove(0).1;
    let dir = place.path().join("agent");
    let agent = |secret: &str| format!("command:sh {0}/agent.sh {0} --key {secret}", dir.display());
    let exec = call(
        &place,
        &["exec", "workflow.xml", "--non-interactive", "--agent", &agent(&secret)],
    );
    assert_eq!(exec.code, 3, "{exec:?}");
    let mut found = Vec::new();
    bytes(&place.path().join("state"), &mut found);
    let leaks = found
        .iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(&secret));
    assert_eq!(leaks.map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [""; 0]);

    let again = call(&place, &["resume", "--non-interactive"]);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(
        again.errors.contains("a secret in the name of an agent is not kept"),
        "{again:?}"
    );
    assert!(again.errors.contains("name it once more: bmad resume "), "{again:?}");
    let named = call(&place, &["resume", "--non-interactive", "--agent", &agent(&secret)]);
    assert_eq!(named.code, 3, "{named:?}");
    fs::write(
        place.path().join("project/bmad.toml"),
        format!("[agents]\ndefault = \"{}\"\n", agent(&secret)),
    )
    .unwrap();
    let untrusted = call(&place, &["resume", "--non-interactive"]);
    assert_eq!(untrusted.code, 2, "{untrusted:?}");
    assert!(!untrusted.errors.contains(&secret[..12]), "{untrusted:?}");
    let trusted = call(&place, &["trust", "bmad.toml", "--yes"]);
    assert!(!trusted.output.contains(&secret[..12]), "{trusted:?}");
    let by_setting = call(&place, &["resume", "--non-interactive"]);
    assert_eq!(by_setting.code, 3, "{by_setting:?}");
}
