//! The lines of a run, as a person and a program read them.

use super::place::{CLOCK, Place};
use bmad::cli::{Streams, run};
use bmad::host::{Durability, Journal as _, Line, Resumed};
use bmad::os::journal::FileJournal;
use bmad::os::lock::RunLock;
use std::fs;
use std::io::{self, Write};
use std::sync::mpsc::{Sender, channel};

#[test]
fn a_run_is_told_line_by_line() {
    let place = Place::with_run();
    let ended = place.call(&["log"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    insta::assert_snapshot!(ended.output, @r"
    2026-11-15 06:16:05        begun       flow/workflow.yaml with script:--ack
    2026-11-15 06:16:05        now         2026-11-15 06:16:05 UTC
    2026-11-15 06:16:05   1    checkpoint  page, step 1: Ask
    2026-11-15 06:16:05   1    ask         What is your name? → Ada (by the answers file)
    2026-11-15 06:16:05   2    checkpoint  page, step 2: Summarise
    2026-11-15 06:16:05   2    dispatch    script begins: Read the notes
    2026-11-15 06:16:05   2    dispatch    1 done, 1 section
    2026-11-15 06:16:05   2    write       docs/page.md → new, 9979aced1136
    2026-11-15 06:16:05   2    write       docs/page.md → changed, 11cbaca1ba06
    2026-11-15 06:16:05   2    show        Acknowledged: summary
    2026-11-15 06:16:05   3    checkpoint  page, step 3: Find risks → changed, f3371fa1bae0
    2026-11-15 06:16:05   3    dispatch    script begins: Think about risks
    2026-11-15 06:16:05   3    dispatch    1 done, 1 section
    2026-11-15 06:16:05   3    write       docs/page.md → unchanged, f3371fa1bae0
    2026-11-15 06:16:05   3    write       docs/page.md → changed, e7cbe6bfdbb9
    2026-11-15 06:16:05   3    show        Acknowledged: risks
    2026-11-15 06:16:05   4    checkpoint  page, step 4: Note → changed, fa48545575e1
    2026-11-15 06:16:05   4    write       note.md → new, bd21efcc9e77
    2026-11-15 06:16:05   4    checkpoint  page ends → changed, 7034d107fd43
    2026-11-15 06:16:05        stopped     completed
    ");
}

#[test]
fn json_prints_the_lines_as_they_are() {
    let place = Place::with_run();
    let ended = place.call(&["log", "last", "--json"]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.output, fs::read_to_string(place.journal()).unwrap());
}

/// An agent that claims a file that is not there, then fails, then does it.
const LIAR: &str = "
- attempt: 1
  reply: {instructions: [{n: 1, status: done, evidence: [{kind: file, path: no.md}]}]}
- attempt: 2
  fail: crashed
- attempt: 3
  reply: {instructions: [{n: 1, status: done, evidence: [{kind: value, value: 3}]}]}
";
const ONE_TURN: &str = "<workflow name=\"One\"><step n=\"1\"><action>Count</action></step></workflow>";

#[test]
fn failures_and_refused_claims_are_marked() {
    let place = Place::with(&[("one.xml", ONE_TURN), ("liar.yaml", LIAR)]);
    assert_eq!(place.exec("one.xml", "script:liar.yaml").code, 0);
    let told = place.call(&["log"]).output;
    let marked: Vec<&str> = told
        .lines()
        .filter_map(|line| Some(line.split_once(" ! ")?.1))
        .collect();
    insta::assert_snapshot!(marked.join("\n"), @r"
    1    verify      1 claim → refused: `no.md` was claimed and is not there
    1    dispatch    failed (crashed): the script says so
    ");
}

/// An agent that leaves one of two instructions out, until it is told.
const FORGETFUL: &str = "
- attempt: 1
  ack: false
  reply: {instructions: [{n: 1, status: done}]}
- attempt: 2
  reply: {}
";
const TWO: &str = "<workflow name=\"Two\"><step n=\"1\"><action>Count</action><action>Sum</action></step></workflow>";

#[test]
fn why_a_reply_was_not_taken_is_told() {
    let place = Place::with(&[("two.xml", TWO), ("forgetful.yaml", FORGETFUL)]);
    let ended = place.exec("two.xml", "script:forgetful.yaml");
    assert_eq!(ended.code, 0, "{ended:?}");
    let works: Vec<&str> = ended.errors.lines().filter(|line| line.contains("works")).collect();
    assert_eq!(
        works,
        [
            "  agent works",
            "  agent works, attempt 2: instruction 2 is not acknowledged"
        ]
    );
    let told = place.call(&["log"]).output;
    let again = "(attempt 2, since instruction 2 is not acknowledged)";
    assert!(told.contains(again), "{told}");
}

#[test]
fn a_reply_that_was_never_taken_did_nothing() {
    let always = FORGETFUL
        .split("- attempt: 2")
        .next()
        .unwrap()
        .replace("attempt: 1", "step: 1");
    let place = Place::with(&[("two.xml", TWO), ("forgetful.yaml", &always)]);
    assert_eq!(place.exec("two.xml", "script:forgetful.yaml").code, 1);
    let told = place.call(&["show"]).output;
    assert!(told.contains("\ninstructions: 2 not settled\n"), "{told}");
}

#[test]
fn what_was_rolled_back_is_marked() {
    let place = Place::with_run();
    assert_eq!(place.call(&["rollback", "last", "--to", "4", "--yes"]).code, 0);
    let told = place.call(&["log"]).output;
    let void = told.lines().filter(|line| line.contains(" ~ ")).count();
    assert_eq!(void, 4, "{told}");
    assert!(told.lines().last().unwrap().contains("rolled-back"), "{told}");
}

#[test]
fn a_damaged_journal_is_told_up_to_the_damage() {
    let place = Place::with_run();
    let text = fs::read_to_string(place.journal()).unwrap();
    fs::write(place.journal(), text.replace("\"text\":\"Ada\"", "\"text\":\"Eve\"")).unwrap();
    let ended = place.call(&["log"]);
    assert_eq!((ended.code, ended.output.lines().count()), (4, 3));
    assert!(ended.errors.contains("journal line 4 is damaged"), "{}", ended.errors);
}

/// Hands on what is written, piece by piece.
struct Pipe(Sender<String>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(String::from_utf8_lossy(bytes).into_owned()).unwrap();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn following_goes_on_until_the_run_stops() {
    let place = Place::with_run();
    let lock = RunLock::take(&place.run().join("lock"), 0).unwrap();
    let environment = place.program().environment;
    let (sender, told) = channel();
    let follower = std::thread::spawn(move || {
        let args = ["bmad", "log", "--follow"].map(Into::into).to_vec();
        let streams = Streams {
            input: &mut io::empty(),
            output: &mut Pipe(sender),
            errors: &mut io::sink(),
            terminal: false,
            live: false,
            width: 100,
            last: false,
            environment,
        };
        run(args, streams)
    });
    let mut text = String::new();
    while !text.contains("stopped     completed") {
        text.push_str(&told.recv().unwrap());
    }
    let mut journal = FileJournal::open_for_append(&place.journal()).unwrap().journal;
    let at = CLOCK.parse().unwrap();
    let resumed = Resumed {
        at,
        pid: 7,
        ..Resumed::default()
    };
    journal
        .append(&Line::Resumed(Box::new(resumed)), Durability::Synced)
        .unwrap();
    drop(lock);
    assert_eq!(follower.join().unwrap(), 0);
    let rest: String = told.iter().collect();
    assert!(rest.contains("resumed     by process 7"), "{rest}");
}
