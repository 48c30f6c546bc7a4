//! Runs that an earlier version began: what was paid then is not paid again.

use super::place::{CLOCK, Place};
use bmad::machine::{Digests, Effect, digest, sha256};
use bmad::source::{content_hash, hex};
use serde_json::Value;
use std::collections::HashMap;

const FLOW: &str = "<workflow name=\"Older\"><step n=\"1\" goal=\"Say\">\
    <dispatch mode=\"fresh\" access=\"read\" into=\"said\">Say something.</dispatch>\
    <ask response=\"name\">Who are you?</ask></step></workflow>";

/// Returns the field by which the lines of a form are known, and what it says of one.
fn proof(form: u32, line: &str) -> (&'static str, String) {
    let (field, mut hash) = match form {
        0..4 => ("hash", sha256(line.as_bytes())),
        _ => ("blake3", hex(&content_hash(line.as_bytes()))),
    };
    hash.truncate(32);
    (field, hash)
}

/// Writes a journal as an earlier form has it, with the digests of that form. Sums may be left out.
fn as_form(form: u32, journal: &str) -> String {
    let digest_of = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let effect: Effect = serde_json::from_value(line.get("effect")?.clone()).ok()?;
        let now = line["key"]["digest"].as_str().unwrap().to_owned();
        Some((now, digest(&effect, Digests::of(form)).to_string()))
    };
    let digests: HashMap<String, String> = journal.lines().filter_map(digest_of).collect();
    let (mut older, mut prev) = (String::new(), "0".repeat(32));
    for (seq, line) in (1..).zip(journal.lines()) {
        let mut line = line[..line.rfind(",\"seq\":").unwrap()].to_owned();
        line = line.replace("\"version\":6,", &format!("\"version\":{form},"));
        for (now, then) in &digests {
            line = line.replace(now, then);
        }
        let sealed = format!("{line},\"seq\":{seq},\"prev\":\"{prev}\"");
        let (field, hash) = proof(form, &sealed);
        older.push_str(&format!("{sealed},\"{field}\":\"{hash}\"}}\n"));
        prev = hash;
    }
    older
}

#[test]
fn a_run_that_an_earlier_version_began_goes_on_without_being_paid_again() {
    for form in [2, 3, 4, 5] {
        goes_on(form);
    }
}

fn goes_on(form: u32) {
    let place = Place::with(&[("older.xml", FLOW)]);
    let headless = ["--non-interactive", "--clock", CLOCK];
    let begun = ["exec", "older.xml", "--agent", "script:--ack"];
    assert_eq!(place.call(&[&begun[..], &headless].concat()).code, 3);
    let older = as_form(form, &std::fs::read_to_string(place.journal()).unwrap());
    assert!(older.contains(&format!("\"version\":{form},")), "{older}");
    std::fs::write(place.journal(), &older).unwrap();

    let verified = place.call(&["verify"]);
    assert_eq!(verified.code, 0, "{}{}", verified.output, verified.errors);
    let resumed = place.call(&[&["resume"][..], &headless].concat());
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    let journal = std::fs::read_to_string(place.journal()).unwrap();
    let paid = |text: &str| text.matches("{\"line\":\"intent\"").count();
    assert_eq!((paid(&older), paid(&journal)), (1, 1), "{journal}");
    let added = journal.strip_prefix(older.as_str()).unwrap();
    let (field, _) = proof(form, "");
    let proved = added.matches(&format!(",\"{field}\":\"")).count();
    assert_eq!(proved, added.lines().count(), "{added}");
    assert_eq!(place.call(&["verify"]).code, 0);
}

/// Takes out of a journal how workflows are read, and makes its turn another, as if it had been read otherwise.
fn otherwise_read(journal: &str) -> String {
    let plain = journal.replace(&format!(",\"reading\":{}", bmad::host::READING), "");
    as_form(6, &plain.replace("Say something.", "Say anything."))
}

#[test]
fn a_run_that_an_earlier_version_read_otherwise_is_paid_again_only_where_somebody_says_so() {
    let place = Place::with(&[("older.xml", FLOW)]);
    let headless = ["--non-interactive", "--clock", CLOCK];
    let begun = ["exec", "older.xml", "--agent", "script:--ack"];
    assert_eq!(place.call(&[&begun[..], &headless].concat()).code, 3);
    let older = otherwise_read(&std::fs::read_to_string(place.journal()).unwrap());
    std::fs::write(place.journal(), &older).unwrap();

    let resumed = place.call(&[&["resume"][..], &headless].concat());
    assert_eq!(resumed.code, 2, "{}", resumed.errors);
    assert!(
        resumed.errors.contains("an earlier version of bmad began this run"),
        "{}",
        resumed.errors
    );
    assert_eq!(std::fs::read_to_string(place.journal()).unwrap(), older);
    let anyway = place.call(&[&["resume", "--anyway"][..], &headless].concat());
    assert_eq!(anyway.code, 3, "{}", anyway.errors);
}

#[test]
fn a_question_that_nobody_answered_yet_is_not_missing_in_a_run_of_an_earlier_version() {
    let place = Place::with(&[("older.xml", FLOW)]);
    let headless = ["--non-interactive", "--clock", CLOCK];
    let begun = ["exec", "older.xml", "--agent", "script:--ack"];
    assert_eq!(place.call(&[&begun[..], &headless].concat()).code, 3);
    let journal = std::fs::read_to_string(place.journal()).unwrap();
    let plain = journal.replace(&format!(",\"reading\":{}", bmad::host::READING), "");
    // Something was done that nobody asks for any more, as after an edit that was taken back.
    let done = plain.lines().find(|line| line.contains("\"line\":\"done\"")).unwrap();
    let other = done.replace("\"n\":0", "\"n\":7");
    let older = as_form(6, &plain.replace(done, &format!("{done}\n{other}")));
    std::fs::write(place.journal(), &older).unwrap();
    let resumed = place.call(&[&["resume"][..], &headless].concat());
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
}
