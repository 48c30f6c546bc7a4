//! Workflows that real agents do: files by their own tools, envelopes, documents, conversations, and what they used.

use super::shop::{Ended, Shop, Who, done};
use super::with_each_agent;
use crate::agents::model::{Scenario, Step};
use crate::agents::stage::Stage;
use serde_json::Value;
use std::time::Duration;

const NAMES: [&str; 3] = ["alpha", "beta", "gamma"];

const FLOW: &str = "<workflow name=\"Three\">\
    <step n=\"1\" goal=\"First\"><action>Put the word alpha into alpha.txt.</action></step>\
    <step n=\"2\" goal=\"Second\"><action>Put the word beta into beta.txt.</action></step>\
    <step n=\"3\" goal=\"Third\"><action>Put the word gamma into gamma.txt.</action></step></workflow>";

/// The words of an instruction by which the model knows the step.
fn words(name: &str) -> String {
    format!("Put the word {name} into")
}

/// Writes a file in every step, and says so; the second may take its time.
fn script(who: Who, stage: &Stage, slow: Duration) -> Scenario {
    NAMES.iter().fold(Scenario::new(), |scenario, name| {
        let file = format!("{name}.txt");
        let wait = if *name == "beta" { slow } else { Duration::ZERO };
        let write = Step::write(&stage.path(&file), &format!("{name}\n")).saying("I write it.");
        scenario.on(&words(name), [write.after(wait), who.reply(&done(&file))])
    })
}

fn three(who: Who, slow: Duration) -> Option<Shop> {
    Shop::open(who, FLOW, "", |stage| script(who, stage, slow))
}

fn is_whole(shop: &Shop, ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended}");
    for name in NAMES {
        assert_eq!(shop.stage.text(&format!("{name}.txt")), format!("{name}\n"), "{ended}");
    }
    let verified = shop.run(&["verify", "last"]);
    assert_eq!(verified.code, Some(0), "{verified}");
    assert_eq!(shop.left(), [""; 0]);
}

/// Every later step goes on with the conversation of the first: its request holds what was said before.
fn goes_on(shop: &Shop) {
    let last = shop
        .model
        .requests()
        .into_iter()
        .rfind(|it| it.prompt.contains(&words("gamma")));
    let body = last.unwrap().body.to_string();
    for name in NAMES {
        assert!(body.contains(&words(name)), "nothing of {name} in {body}");
    }
    let sessions: Vec<String> = shop.calls().iter().map(|call| call["session"].to_string()).collect();
    assert!(
        sessions.iter().all(|it| it.len() > 10 && *it == sessions[0]),
        "{sessions:?}"
    );
}

fn three_steps(who: Who) {
    let Some(shop) = three(who, Duration::ZERO) else { return };
    let ended = shop.exec();
    is_whole(&shop, &ended);
    assert_eq!(shop.classes(), ["done"; 3], "{ended}");
    goes_on(&shop);
    counts(&shop);
    // Codex notes the folders that it may write in as trusted, unless it is told something else.
    let own = std::fs::read_to_string(shop.stage.home().join("config.toml")).unwrap_or_default();
    assert!(!own.contains("trust_level"), "{own}");
}

/// What was used is counted once, whether the agent counts from the beginning of a call or of a conversation.
fn counts(shop: &Shop) {
    assert_eq!(shop.counted(), shop.handed_out());
    let shown: Value = serde_json::from_str(&shop.run(&["show", "last", "--json"]).out).unwrap();
    let all: u64 = shop.handed_out().iter().sum();
    assert_eq!(shown["used"]["tokens"], all, "{shown}");
    // Every step has the same tokens, so that it costs the same; who tells no dollars tells none in any.
    let costs: Vec<Option<f64>> = shop.calls().iter().map(|call| call["spent"]["cost"].as_f64()).collect();
    let first = costs[0].unwrap_or_default();
    assert_eq!(costs[0].is_some(), shop.who == Who::Claude, "{costs:?}");
    assert!(
        costs.iter().all(|cost| (cost.unwrap_or_default() - first).abs() < 1e-9),
        "{costs:?}"
    );
}

fn killed_between_steps(who: Who) {
    let Some(shop) = three(who, Duration::from_secs(2)) else {
        return;
    };
    let mut child = shop.start(&["exec", "flow.xml", "--agent", who.name(), "--non-interactive"]);
    let is_first_done = |line: &Value| line["line"] == "done" && line["outcome"]["is"] == "replied";
    shop.until("the end of the first step", |shop| {
        shop.journal().iter().any(is_first_done)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let ended = shop.resume();
    is_whole(&shop, &ended);
    goes_on(&shop);
    let most = shop.handed_out();
    assert!(
        shop.counted().iter().zip(most).all(|(counted, most)| *counted <= most),
        "nothing is counted twice"
    );
    let first = shop.model.requests().into_iter();
    let first = first.filter(|it| it.prompt.contains(&words("alpha"))).count();
    assert!(
        first <= 3,
        "the first step was paid for once, and not by {first} requests"
    );
}

/// A document with a section from every step.
fn document(who: Who) {
    let flow = "<workflow>\
        <step n=\"1\" goal=\"First\"><action>Put the word alpha into alpha.txt.</action>\
        <template-output>alpha</template-output></step>\
        <step n=\"2\" goal=\"Second\"><action>Put the word beta into beta.txt.</action>\
        <template-output>beta</template-output></step>\
        <step n=\"3\" goal=\"Third\"><action>Put the word gamma into gamma.txt.</action>\
        <template-output>gamma</template-output></step></workflow>";
    let shop = Shop::open(who, flow, "", |stage| {
        NAMES.iter().fold(Scenario::new(), |scenario, name| {
            let file = format!("{name}.txt");
            let mut envelope = done(&file);
            envelope["sections"][*name] = format!("All about {name}.").into();
            let write = Step::write(&stage.path(&file), &format!("{name}\n"));
            scenario.on(&words(name), [write, who.reply(&envelope)])
        })
    });
    let Some(shop) = shop else { return };
    shop.put(
        "flow.yaml",
        "name: note\ndescription: \"Writes a note\"\ninstalled_path: \".\"\n\
         instructions: \"{installed_path}/flow.xml\"\ntemplate: \"{installed_path}/template.md\"\n\
         default_output_file: \"{project-root}/note.md\"\n",
    );
    shop.put(
        "template.md",
        "---\nstepsCompleted: []\n---\n# Note\n\n{{alpha}}\n\n{{beta}}\n\n{{gamma}}\n",
    );
    let ended = shop.run(&[
        "exec",
        "flow.yaml",
        "--agent",
        who.name(),
        "--yolo",
        "--non-interactive",
    ]);
    is_whole(&shop, &ended);
    let note = shop.stage.text("note.md");
    for name in NAMES {
        assert!(note.contains(&format!("All about {name}.")), "{note}");
    }
    assert!(note.contains("stepsCompleted: [1, 2, 3]"), "{note}");
}

/// The reply has the form that was asked for, by whatever means the agent has.
fn envelope(who: Who) {
    let flow = "<workflow name=\"One\"><step n=\"1\" goal=\"First\">\
        <action>Put the word alpha into alpha.txt.</action></step></workflow>";
    let Some(shop) = Shop::open(who, flow, "", |stage| script(who, stage, Duration::ZERO)) else {
        return;
    };
    let ended = shop.exec();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert_eq!(shop.classes(), ["done"], "{ended}");
    let requests = shop.model.requests();
    match who {
        Who::Claude => assert!(requests[0].tools.iter().any(|tool| tool == "StructuredOutput")),
        Who::Codex => {
            let schema = &requests[0].body["text"]["format"]["schema"];
            assert_eq!(schema["additionalProperties"], false, "{}", requests[0].body);
        }
        Who::Gemini | Who::Copilot => assert!(requests[0].prompt.contains("```json"), "{}", requests[0].prompt),
    }
}

with_each_agent!(three_steps, killed_between_steps, document, envelope);
