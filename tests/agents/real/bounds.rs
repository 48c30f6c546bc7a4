//! Bounds of real agents: what they may not do, how long they may be silent, and that nothing of them stays.

use super::shop::{Shop, Who, done};
use super::with_each_agent;
use crate::agents::model::{Scenario, Step};
use serde_json::json;

/// A command that does not come to its end, and that no agent takes for a way to wait.
const TOOL: &str = "tail -f /dev/null";

/// A reviewer whose model insists on writing: nothing is written, and a reply comes all the same.
fn only_reads(who: Who) {
    let flow = "<workflow name=\"Review\"><step n=\"1\" goal=\"Look\">\
        <dispatch mode=\"fresh\" access=\"read\" into=\"review\">Look at seen.txt. Answer with verdict.</dispatch>\
        <output>The verdict is {review.verdict}.</output></step></workflow>";
    let shop = Shop::open(who, flow, "", |stage| {
        let reply = Step::text("```json\n{\"verdict\": \"sound\", \"text\": \"I looked.\"}\n```");
        Scenario::new().on("Look at seen.txt", [who.insist(&stage.path("written.txt")), reply])
    });
    let Some(shop) = shop else { return };
    shop.put("seen.txt", "seen\n");
    let ended = shop.exec();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert!(ended.out.contains("The verdict is sound."), "{ended}");
    assert!(
        shop.model.requests().iter().any(|it| it.results == 1),
        "the model was told"
    );
    assert!(!shop.stage.work().join("written.txt").exists());
    assert_eq!(shop.left(), [""; 0]);
}

/// A tool that is not allowed: it is not used, and the person is told which, and on what.
fn denied(who: Who) {
    let flow = "<workflow name=\"One\"><step n=\"1\" goal=\"First\">\
        <action>Put the word alpha into alpha.txt.</action></step></workflow>";
    let shop = Shop::open(who, flow, "", |stage| {
        let wish = match who {
            // It runs most commands, in a sandbox; this one it does not.
            Who::Codex => Step::shell("rm -rf denied.sh"),
            Who::Gemini => Step::call("run_shell_command", json!({"command": "sh denied.sh"})),
            Who::Claude | Who::Copilot => Step::shell("sh denied.sh"),
        };
        let write = Step::write(&stage.path("alpha.txt"), "alpha\n");
        Scenario::new().on("word alpha", [wish, write, who.reply(&done("alpha.txt"))])
    });
    let Some(shop) = shop else { return };
    shop.put("denied.sh", "touch denied.txt\n");
    let ended = shop.exec();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert_eq!(shop.stage.text("alpha.txt"), "alpha\n");
    assert!(!shop.stage.work().join("denied.txt").exists());
    assert!(shop.stage.work().join("denied.sh").exists());
    assert!(ended.err.contains("it was not allowed"), "{ended}");
    let what = if who == Who::Codex {
        "rm -rf denied.sh"
    } else {
        "sh denied.sh"
    };
    assert!(ended.err.contains(what), "{ended}");
}

/// A model that begins to answer and says nothing more.
fn silent(who: Who) {
    let flow = "<workflow name=\"One\"><step n=\"1\" goal=\"First\">\
        <dispatch mode=\"fresh\" access=\"read\" into=\"review\">Look at it. Answer with text.</dispatch>\
        <output>It is {review.status}.</output></step></workflow>";
    let shop = Shop::open(who, flow, "silence = 3", |_| {
        Scenario::new().on("Look at it", [Step::hang()])
    });
    let Some(shop) = shop else { return };
    let ended = shop.exec();
    assert!(ended.out.contains("It is failed."), "{ended}");
    assert_eq!(shop.classes(), ["stuck"; 2], "{ended}");
    assert_eq!(shop.left(), [""; 0]);
}

/// An agent whose tool does not come to its end, and whose time is over: the tool goes with it.
fn late(who: Who) {
    // On a busy machine some agents have hardly started when the shorter time is over.
    let ran = [15, 60].into_iter().any(|seconds| ends_in_time(who, seconds));
    assert!(ran, "the tool never ran");
}

/// Gives an agent so many seconds; says whether its tool ran before they were over.
fn ends_in_time(who: Who, seconds: u32) -> bool {
    let flow = format!(
        "<workflow name=\"One\"><step n=\"1\" goal=\"First\">\
        <dispatch mode=\"fresh\" timeout=\"{seconds}\" into=\"work\">Sleep well. Answer with text.</dispatch>\
        <output>It is {{work.status}}.</output></step></workflow>"
    );
    let shop = Shop::open(who, &flow, who.runs_commands(), |_| {
        Scenario::new().on("Sleep well", [who.toil(TOOL)])
    });
    let Some(shop) = shop else { return true };
    let mut child = shop.start(&["exec", "flow.xml", "--agent", who.name(), "--non-interactive"]);
    shop.until("the tool runs", |shop| {
        shop.left().iter().any(|it| it.ends_with(TOOL)) || !shop.calls().is_empty()
    });
    let ran = shop.calls().is_empty();
    let status = child.wait().unwrap();
    assert_eq!(shop.classes(), ["timeout"], "{status}");
    assert_eq!(shop.left(), [""; 0]);
    ran
}

/// The same where it is the engine that is ended, without a word: whoever is left goes when the run goes on.
fn orphaned(who: Who) {
    let flow = "<workflow name=\"One\"><step n=\"1\" goal=\"First\">\
        <action>Put the word alpha into alpha.txt.</action></step></workflow>";
    let shop = Shop::open(who, flow, who.runs_commands(), |_| {
        Scenario::new().on("word alpha", [who.toil(TOOL)])
    });
    let Some(shop) = shop else { return };
    let mut child = shop.start(&["exec", "flow.xml", "--agent", who.name(), "--non-interactive"]);
    shop.until("the tool runs", |shop| shop.left().iter().any(|it| it.ends_with(TOOL)));
    child.kill().unwrap();
    child.wait().unwrap();
    let write = Step::write(&shop.stage.path("alpha.txt"), "alpha\n");
    shop.model
        .change(Scenario::new().on("word alpha", [write, who.reply(&done("alpha.txt"))]));
    let ended = shop.resume();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert_eq!(shop.stage.text("alpha.txt"), "alpha\n");
    assert_eq!(shop.left(), [""; 0]);
}

with_each_agent!(only_reads, denied, silent, late, orphaned);
