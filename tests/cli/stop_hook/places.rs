//! Where the hook finds the project, the last words of the agent, and whether it is asked at all.

use super::{Desk, PROMISE, STATE, feed, round, state, tracker};
use serde_json::{Value, json};
use std::fs;

fn message(text: &str) -> Value {
    json!({"hook_event_name": "Stop", "last_assistant_message": text})
}

#[test]
fn the_project_is_the_one_that_the_program_names() {
    let desk = Desk::reviewing(&["open"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let stop = |folder: &str, root: Option<&str>| {
        let mut question = message("Done.");
        question["cwd"] = json!(folder);
        let mut command = desk.program(&["hook", "stop"]);
        command.current_dir(elsewhere.path());
        command.envs(root.map(|root| ("CLAUDE_PROJECT_DIR", root)));
        feed(command, question.to_string().as_bytes()).holds()
    };
    let root = desk.folder.path().to_str().unwrap();
    let other = elsewhere.path().to_str().unwrap();
    assert!(stop(other, Some(root)));
    assert!(stop(root, None));
    assert!(!stop(root, Some(other)));
    assert!(!stop(other, None));
}

#[test]
fn without_a_word_the_project_is_where_the_hook_is_started() {
    let desk = Desk::reviewing(&["open"]);
    assert!(desk.ask(&message("Done.")).holds());
    let mut gone = message("Done.");
    gone["cwd"] = json!("/nowhere/at/all");
    assert!(desk.ask(&gone).holds());
}

#[test]
fn a_folder_inside_a_repository_belongs_to_it() {
    let desk = Desk::reviewing(&["open"]);
    fs::create_dir_all(desk.path("src/deep")).unwrap();
    let mut question = message("Done.");
    question["cwd"] = json!(desk.path("src/deep"));
    desk.write(".git/HEAD", "");
    assert!(desk.ask(&question).holds());
    // Another repository inside is a project of its own.
    fs::create_dir_all(desk.path("src/.git")).unwrap();
    assert!(desk.ask(&question).holds(), "an empty folder is none");
    desk.write("src/.git/HEAD", "");
    assert!(!desk.ask(&question).holds());
}

#[test]
fn the_state_file_is_where_the_configuration_says() {
    let set = |path: &str| format!("review_loop:\n  state_file: \"{path}\"\n");
    let config = "_bmad/core/config.yaml";
    let desk = Desk::with(&[
        (config, &set("{project-root}/run/loop.yaml")),
        ("run/loop.yaml", &state(&[])),
        ("reviews/issues.md", &tracker(&["open"])),
    ]);
    assert!(desk.stop("Done.").holds());
    assert_eq!(round(&desk.read("run/loop.yaml").unwrap()), 2);
    // What is no state file of this project is neither read nor removed.
    let outside = tempfile::tempdir().unwrap();
    let stranger = outside.path().join("loop.yaml");
    fs::write(&stranger, state(&[])).unwrap();
    desk.write("keep.md", "mine");
    for path in [
        stranger.to_str().unwrap(),
        "{project-root}/../loop.yaml",
        "{project-root}/keep.md",
    ] {
        desk.write(config, set(path));
        let said = desk.stop("Done.");
        assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{path}");
    }
    assert!(stranger.exists());
    assert_eq!(desk.read("keep.md").as_deref(), Some("mine"));
}

#[test]
fn the_state_file_is_where_the_project_itself_says() {
    let desk = Desk::with(&[
        (
            "bmad.toml",
            "[review_loop]\nstate_file = \"{project-root}/run/loop.yaml\"\n",
        ),
        ("run/loop.yaml", &state(&[])),
        ("reviews/issues.md", &tracker(&["open"])),
    ]);
    assert!(desk.stop("Done.").holds());
    assert_eq!(round(&desk.read("run/loop.yaml").unwrap()), 2);
}

#[test]
fn an_agent_that_the_engine_sent_to_work_may_end_its_turn() {
    let desk = Desk::reviewing(&["open"]);
    let before = desk.read(STATE);
    let mut command = desk.program(&["hook", "stop"]);
    command.env("BMAD_RUN_TOKEN", "token");
    let said = feed(command, desk.question("Done.").to_string().as_bytes());
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    assert_eq!(desk.read(STATE), before);
}

#[test]
fn the_end_of_a_helper_is_not_the_end_of_the_agent() {
    let desk = Desk::reviewing(&["open"]);
    let before = desk.read(STATE);
    let mut question = desk.question(PROMISE);
    question["hook_event_name"] = json!("SubagentStop");
    assert_eq!(desk.ask(&question).out, "");
    assert_eq!(desk.read(STATE), before);
}

/// Transcripts of agents, each with its last message over two lines.
fn transcripts(last: &str) -> [(&'static str, String); 3] {
    let claude = |id: &str, text: &str| {
        json!({"type": "assistant", "isSidechain": false, "message": {"id": id, "role": "assistant", "content": [
            {"type": "text", "text": "One block."}, {"type": "text", "text": text}]}})
    };
    let codex = |text: &str| {
        json!({"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": text}]}})
    };
    let user = json!({"type": "user", "message": {"role": "user", "content": "go on"}});
    let seed = |text: &str| json!({"role": "assistant", "message": {"content": [{"type": "text", "text": text}]}});
    [
        (
            "claude",
            format!("{}\n{user}\n{}\n", claude("m1", "before"), claude("m2", last)),
        ),
        ("codex", format!("{}\n{user}\n{}\n", codex("before"), codex(last))),
        ("seed", format!("{}\n{user}\n{}\n", seed("before"), seed(last))),
    ]
}

#[test]
fn where_the_program_hands_over_no_message_the_transcript_is_read() {
    for (name, text) in transcripts("I cannot.\n<review-blocked>\nno key\n</review-blocked>") {
        let desk = Desk::reviewing(&["open"]);
        desk.write("t.jsonl", &text);
        for message in [json!(null), json!(""), json!(5)] {
            let mut question = desk.question("");
            question["transcript_path"] = json!(desk.path("t.jsonl"));
            question["last_assistant_message"] = message;
            desk.write(STATE, state(&[]));
            let said = desk.ask(&question);
            assert!(said.told().contains("The review needs you: no key"), "{name}: {said:?}");
        }
    }
    for (name, text) in transcripts("Done.") {
        let desk = Desk::reviewing(&["open"]);
        desk.write("t.jsonl", &text);
        let question = json!({"transcript_path": desk.path("t.jsonl")});
        assert!(desk.ask(&question).holds(), "{name}");
    }
}

#[test]
fn an_agent_whose_last_words_nobody_knows_may_stop() {
    for transcript in [
        "",
        "not JSON\n",
        "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
    ] {
        let desk = Desk::reviewing(&["open"]);
        desk.write("t.jsonl", transcript);
        for path in ["t.jsonl", "none.jsonl", "."] {
            desk.write(STATE, state(&[]));
            let said = desk.ask(&json!({"transcript_path": desk.path(path)}));
            assert_eq!(said.code, Some(0));
            assert!(!said.holds() && desk.is_over(), "{said:?}");
            assert!(
                said.err.contains("the last message of the agent is not known"),
                "{said:?}"
            );
        }
    }
}

#[test]
fn a_project_may_have_its_own_words_for_the_agent() {
    let own = "_bmad/core/prompts/stop-hook.j2";
    let desk = Desk::reviewing(&["open"]);
    desk.write(own, "{{ left }}! {{ prompt }}");
    assert_eq!(
        desk.stop("Done.").reason(),
        "1 issue is open! Finish the review of docs/prd.md."
    );
    // Words that cannot be read, or say nothing, are no words.
    for broken in ["{% if %}", " \n"] {
        desk.write(own, broken);
        desk.write(STATE, state(&[]));
        assert!(desk.stop("Done.").reason().contains("<review-complete>"), "{broken}");
    }
}
