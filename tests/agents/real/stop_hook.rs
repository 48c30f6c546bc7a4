//! The stop hook in real agents: they are sent back to work while an issue is open, and let go when none is. What the
//! model was asked shows it.

use super::shop::{Ended, Shop, Who};
use crate::agents::install::install;
use crate::agents::model::{Scenario, Step};
use crate::agents::stage::{Run, point, prompt};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

const PROMISE: &str = "<review-complete>ALL_ISSUES_RESOLVED</review-complete>";
const STATE: &str = ".claude/review-loop-state.yaml";

/// Returns the promise as an agent reads it: Codex escapes what a hook says.
fn said_to(who: Who) -> String {
    match who {
        Who::Codex => PROMISE.replace('<', "&lt;").replace('>', "&gt;"),
        Who::Claude | Who::Gemini | Who::Copilot => PROMISE.to_owned(),
    }
}

fn tracker(state: &str) -> String {
    format!("<!-- ISSUES_START -->\n### F-1 · high · {state}\n\nIt is not right.\n<!-- ISSUES_END -->\n")
}

/// Says that it is done, promises what is not true, mends the issue and promises it again.
fn script(who: Who, shop_path: &str) -> Scenario {
    let mend = match who {
        // It writes over no file that it has not read.
        Who::Claude => vec![
            Step::call("Read", json!({"file_path": shop_path})),
            Step::write(shop_path, &tracker("fixed")),
        ],
        Who::Codex | Who::Gemini | Who::Copilot => vec![Step::shell(&format!("sed -i s/open/fixed/ '{shop_path}'"))],
    };
    // It says what it read.
    let end = Step::text(&format!("It is mended.\n\n{}", said_to(who)));
    let mended = mend.into_iter().chain([end]);
    Scenario::new()
        .on("This is round 2 of 4", [Step::text(PROMISE)])
        .on("This is round 3 of 4", mended.collect::<Vec<_>>())
        .on("please review", [Step::text("I am done.")])
        .otherwise([Step::text("what?")])
}

/// Opens a project with a review of four rounds and an open issue.
fn review(who: Who, rounds: &str, script: impl FnOnce(&str) -> Scenario) -> Option<Shop> {
    let shop = Shop::open(who, "<workflow name=\"W\"><step n=\"1\"/></workflow>", "", |stage| {
        script(&stage.path("issues.md"))
    })?;
    shop.put("issues.md", &tracker("open"));
    let start = [
        "hook",
        "start",
        "--tracker",
        "issues.md",
        "--prompt",
        "Mend the fence.",
        "--max-rounds",
        rounds,
    ];
    assert_eq!(shop.run(&start).code, Some(0));
    Some(shop)
}

/// Returns the prompts that the model was asked to answer from a request on, each once.
fn prompts_since(shop: &Shop, first: usize) -> Vec<String> {
    let requests = shop.model.requests().into_iter().skip(first);
    let mut prompts: Vec<String> = requests.map(|request| request.prompt).collect();
    prompts.dedup();
    prompts
}

fn prompts(shop: &Shop) -> Vec<String> {
    prompts_since(shop, 0)
}

/// Checks that the agent was asked, sent back, sent back for a promise that was not true, and let go.
fn is_held_and_let_go(shop: &Shop, first: usize, run: &Run) {
    let prompts = prompts_since(shop, first);
    assert_eq!(prompts.len(), 3, "{prompts:#?}\n{run}");
    assert!(prompts[0].contains("please review"), "{prompts:#?}");
    for (prompt, round) in prompts[1..].iter().zip(2..) {
        assert!(prompt.contains("Mend the fence."), "{prompt}");
        assert!(prompt.contains(&format!("This is round {round} of 4")), "{prompt}");
        assert!(prompt.contains("1 issue is open"), "{prompt}");
        assert!(prompt.contains(&said_to(shop.who)), "{prompt}");
    }
    assert!(
        !prompts[1].contains("You said that everything is resolved"),
        "{prompts:#?}"
    );
    assert!(
        prompts[2].contains("You said that everything is resolved"),
        "{prompts:#?}"
    );
    assert_eq!(shop.stage.text("issues.md"), tracker("fixed"), "{run}");
    assert_eq!(shop.stage.text(STATE), "", "{run}");
}

/// Returns what Claude Code told the person.
fn told(run: &Run) -> Vec<String> {
    let events = run
        .of("system")
        .into_iter()
        .filter(|event| event["subtype"] == "informational");
    events
        .map(|event| event["content"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
#[ignore = "drives real agents"]
fn claude_is_held_until_the_review_is_finished() {
    let Some(shop) = review(Who::Claude, "4", |path| script(Who::Claude, path)) else {
        return;
    };
    let installed = shop.run(&["hook", "install", "--agent", "claude-code"]);
    assert!(
        installed.code == Some(0) && installed.out.contains("fires     yes"),
        "{installed}"
    );
    let run = prompt("claude-code", &shop.stage, &shop.model, "please review it").unwrap();
    is_held_and_let_go(&shop, 0, &run);
    let result = run.of("result").pop().unwrap();
    assert_eq!((run.code, &result["is_error"]), (Some(0), &json!(false)), "{run}");
    assert!(result["result"].as_str().unwrap().ends_with(PROMISE), "{run}");
    let told = told(&run);
    assert!(
        told.iter().any(|line| line.contains("round 2 of 4: 1 issue is open")),
        "{told:?}"
    );
    assert!(
        told.iter().any(|line| line.contains("The review is complete")),
        "{told:?}"
    );
}

#[test]
#[ignore = "drives real agents"]
fn claude_is_held_by_a_plugin() {
    let Some(shop) = review(Who::Claude, "4", |path| script(Who::Claude, path)) else {
        return;
    };
    let plugin = ["hook", "install", "--agent", "claude-code", "--plugin", "a plugin"];
    assert_eq!(shop.run(&plugin).code, Some(0));
    let mut command = shop.stage.command(&install("claude-code").unwrap());
    point("claude-code", &mut command, &shop.stage, &shop.model);
    command
        .args([
            "-p",
            "please review it",
            "--output-format",
            "stream-json",
            "--verbose",
            "--strict-mcp-config",
        ])
        .args(["--permission-mode", "acceptEdits", "--setting-sources", "project"])
        .arg("--plugin-dir")
        .arg(shop.stage.work().join("a plugin"));
    let run = shop.stage.run(command);
    assert_eq!(run.code, Some(0), "{run}");
    is_held_and_let_go(&shop, 0, &run);
}

#[test]
#[ignore = "drives real agents"]
fn claude_is_let_go_at_a_limit() {
    let done = |_: &str| Scenario::new().otherwise([Step::text("I am done.")]);
    let Some(shop) = review(Who::Claude, "3", done) else {
        return;
    };
    shop.run(&["hook", "install", "--agent", "claude-code"]);
    let run = prompt("claude-code", &shop.stage, &shop.model, "please review it").unwrap();
    assert_eq!((run.code, prompts(&shop).len()), (Some(0), 3), "{run}");
    let told = told(&run);
    assert!(
        told.iter()
            .any(|line| line.contains("3 rounds are used up; 1 issue is open")),
        "{told:?}"
    );
    assert_eq!(shop.stage.text(STATE), "");
}

#[test]
#[ignore = "drives real agents"]
fn claude_is_let_go_before_it_overrides_the_hook() {
    let done = |_: &str| Scenario::new().otherwise([Step::text("I am done.")]);
    let Some(shop) = review(Who::Claude, "99", done) else {
        return;
    };
    shop.run(&["hook", "install", "--agent", "claude-code"]);
    let run = prompt("claude-code", &shop.stage, &shop.model, "please review it").unwrap();
    assert_eq!((run.code, prompts(&shop).len()), (Some(0), 9), "{run}");
    assert!(!run.out.contains("stop-hook-block-cap"), "{run}");
    assert_eq!(run.of("result").pop().unwrap()["result"], "I am done.", "{run}");
    assert!(
        told(&run)
            .iter()
            .any(|line| line.contains("sent back 8 times in a row")),
        "{run}"
    );
    assert!(shop.stage.text(STATE).contains("current_round: 9\n"));
}

#[test]
#[ignore = "drives real agents"]
fn claude_is_not_held_in_a_turn_of_a_run() {
    let reply = json!({"instructions": [], "files": [], "asks": [], "text": "it is fine"});
    let flow = "<workflow name=\"W\"><step n=\"1\"><dispatch mode=\"fresh\">Judge it. Answer with text.</dispatch></step></workflow>";
    let script = |_: &_| Scenario::new().on("Judge it", [Who::Claude.reply(&reply)]);
    let Some(shop) = Shop::open(Who::Claude, flow, "", script) else {
        return;
    };
    shop.put("issues.md", &tracker("open"));
    shop.run(&["hook", "start", "--tracker", "issues.md"]);
    assert_eq!(shop.run(&["hook", "install", "--agent", "claude-code"]).code, Some(0));
    let before = shop.stage.text(STATE);
    let ended: Ended = shop.exec();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert!(
        shop.model
            .requests()
            .iter()
            .all(|request| !request.prompt.contains("Stop hook")),
        "{ended}"
    );
    assert_eq!(shop.stage.text(STATE), before);
}

#[test]
#[ignore = "drives real agents"]
fn codex_passes_over_a_hook_until_a_person_trusts_it() {
    let Some(shop) = review(Who::Codex, "4", |path| script(Who::Codex, path)) else {
        return;
    };
    let installed = shop.run(&["hook", "install", "--agent", "codex"]);
    assert_eq!(installed.code, Some(0), "{installed}");
    assert!(
        installed
            .out
            .contains("fires     no: Codex finds no hook here: nobody trusts the folder yet"),
        "{installed}"
    );
    assert!(
        installed.out.contains("first     start `codex` in this folder"),
        "{installed}"
    );
    // It says so, and so it is: the agent stops with the issue open.
    let run = prompt("codex", &shop.stage, &shop.model, "please review it").unwrap();
    assert_eq!((run.code, prompts(&shop).len()), (Some(0), 1), "{run}");
    assert!(shop.stage.text(STATE).contains("current_round: 1\n"), "{run}");
    // The person trusts the folder, and not yet the hook.
    let config = shop.stage.home().join("config.toml");
    let folder = json!(shop.stage.work());
    let trusted = format!("[projects.{folder}]\ntrust_level = \"trusted\"\n");
    fs::write(&config, &trusted).unwrap();
    let checked = shop.run(&["hook", "check"]);
    assert!(
        checked.code == Some(1) && checked.out.contains("fires     no: nobody trusts it"),
        "{checked}"
    );
    let hook = listed(&shop);
    let state = format!(
        "[hooks.state.{}]\ntrusted_hash = {}\n",
        hook["key"], hook["currentHash"]
    );
    fs::write(&config, trusted + &state).unwrap();
    let checked = shop.run(&["hook", "check"]);
    assert!(
        checked.code == Some(0) && checked.out.contains("fires     yes"),
        "{checked}"
    );
    shop.model.change(script(Who::Codex, &shop.stage.path("issues.md")));
    let before = shop.model.requests().len();
    let run = prompt("codex", &shop.stage, &shop.model, "please review it again").unwrap();
    assert_eq!(run.code, Some(0), "{run}");
    is_held_and_let_go(&shop, before, &run);
}

/// Asks Codex for the hook, as its own screen does before it shows it to the person.
fn listed(shop: &Shop) -> Value {
    let mut command = shop.stage.command(&install("codex").unwrap());
    command.arg("app-server").env("CODEX_HOME", shop.stage.home());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for message in [
        json!({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "t", "version": "1"}}}),
        json!({"method": "initialized"}),
        json!({"id": 2, "method": "hooks/list", "params": {"cwds": [shop.stage.work()]}}),
    ] {
        writeln!(stdin, "{message}").unwrap();
    }
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut messages = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let answer = messages.find(|message| message["id"] == 2).unwrap();
    drop(stdin);
    child.wait().unwrap();
    answer["result"]["data"][0]["hooks"][0].clone()
}
