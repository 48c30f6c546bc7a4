//! Services that say no to real agents: for a moment, for ever, or to whoever comes without the right key.

use super::shop::{Shop, Who, done};
use super::with_each_agent;
use crate::agents::model::{Scenario, Step};
use crate::agents::stage::Stage;
use serde_json::json;
use std::time::{SystemTime, UNIX_EPOCH};

const FLOW: &str = "<workflow name=\"Two\">\
    <step n=\"1\" goal=\"First\"><action>Put the word alpha into alpha.txt.</action></step>\
    <step n=\"2\" goal=\"Second\"><action>Put the word beta into beta.txt.</action></step></workflow>";

fn write(who: Who, stage: &Stage, name: &str) -> [Step; 2] {
    let file = format!("{name}.txt");
    [
        Step::write(&stage.path(&file), &format!("{name}\n")),
        who.reply(&done(&file)),
    ]
}

/// Says no in the second step, in the way that is given.
fn refusing(who: Who, stage: &Stage, refusal: Step) -> Scenario {
    Scenario::new()
        .on("word beta", [refusal])
        .on("word alpha", write(who, stage, "alpha"))
}

fn working(who: Who, stage: &Stage) -> Scenario {
    Scenario::new()
        .on("word beta", write(who, stage, "beta"))
        .on("word alpha", write(who, stage, "alpha"))
}

fn is_done(shop: &Shop) {
    for name in ["alpha", "beta"] {
        assert_eq!(shop.stage.text(&format!("{name}.txt")), format!("{name}\n"));
    }
    assert_eq!(shop.left(), [""; 0]);
}

fn limited_once(who: Who) {
    let shop = Shop::open(who, FLOW, "", |stage| {
        let [write, reply] = write(who, stage, "beta");
        Scenario::new()
            .on("word beta", [Step::fault(429).times(1, write), reply])
            .on("word alpha", self::write(who, stage, "alpha"))
    });
    let Some(shop) = shop else { return };
    let ended = shop.exec();
    assert_eq!(ended.code, Some(0), "{ended}");
    is_done(&shop);
}

/// Parks a run, lets the model recover, and goes on.
fn parked(who: Who, refusal: Step) -> Option<(Shop, Option<i64>)> {
    let shop = Shop::open(who, FLOW, "", |stage| refusing(who, stage, refusal))?;
    let ended = shop.exec();
    assert_eq!(ended.code, Some(5), "{ended}");
    assert!(ended.err.contains("parked"), "{ended}");
    let classes = shop.classes();
    assert_eq!(classes[0], "done", "{classes:?}");
    assert!(classes[1..].iter().all(|class| class == "rate-limited"), "{classes:?}");
    assert_eq!(shop.left(), [""; 0]);
    let until = shop.calls().last().and_then(|call| call["until"].as_i64());
    assert_eq!(
        ended.err.contains("nobody can be asked before"),
        until.is_some(),
        "{ended}"
    );
    let before = shop.calls().len();
    let paid = shop.model.handed_out();
    shop.model.change(working(who, &shop.stage));
    let ended = shop.resume();
    assert_eq!(ended.code, Some(0), "{ended}");
    is_done(&shop);
    let more = shop.calls().len() - before;
    assert_eq!(more, 1, "only what was not taken is paid for: {ended}");
    assert!(shop.model.handed_out().output > paid.output);
    let again = shop.model.requests().into_iter();
    let again = again.filter(|it| it.prompt.contains("word alpha")).count();
    assert!(
        again <= 3,
        "the first step was paid for once, and not by {again} requests"
    );
    Some((shop, until))
}

fn limited_for_ever(who: Who) {
    let refusal = match who {
        // By itself it tries for a minute, unless it is told how long to wait.
        Who::Copilot => Step::fault(429).header("retry-after", "1"),
        Who::Claude | Who::Codex | Who::Gemini => Step::fault(429),
    };
    if let Some((_, until)) = parked(who, refusal) {
        assert_eq!(until, None, "nothing was stated");
    }
}

/// A limit whose end is stated, in the way that each service states it.
fn limited_until(who: Who) {
    let refusal = match who {
        Who::Claude => Step::fault(429).header("retry-after", "1200"),
        Who::Codex => Step::fault(429).body(json!({"error": {
            "type": "usage_limit_reached", "message": "The usage limit has been reached",
            "plan_type": "plus", "resets_at": now() / 1000 + 1200,
        }})),
        Who::Gemini => Step::fault(429).body(json!({"error": {
            "code": 429, "status": "RESOURCE_EXHAUSTED",
            "message": "You exceeded your current quota. Please retry in 1200s.",
        }})),
        Who::Copilot => Step::fault(429).header("retry-after", "1200"),
    };
    if let Some((_, until)) = parked(who, refusal) {
        let left = until.map(|until| (until - now()) / 1000);
        match who {
            Who::Codex | Who::Gemini => assert!(left.is_some_and(|left| (1000..1300).contains(&left)), "{left:?}"),
            // They keep to themselves what the service stated.
            Who::Claude | Who::Copilot => assert_eq!(left, None),
        }
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

fn locked_out(who: Who) {
    let Some(shop) = Shop::open(who, FLOW, "", |stage| refusing(who, stage, Step::fault(401))) else {
        return;
    };
    let ended = shop.exec();
    assert_eq!(shop.classes(), ["done", "auth"], "{ended}");
    assert_eq!(ended.code, Some(1), "{ended}");
    assert!(ended.err.contains("(auth)"), "{ended}");
    assert_eq!(shop.left(), [""; 0]);
}

with_each_agent!(limited_once, limited_for_ever, limited_until, locked_out);
