//! Answers to the questions of a run that waits, one command at a time.

use super::Ended;
use super::place::{CLOCK, Place};

const WORDS: &str = "<workflow name=\"Words\"><step n=\"1\" goal=\"Ask\">\
    <loop name=\"words\" max=\"3\" index=\"i\"><ask response=\"word\">Next word?</ask>\
    <output>{i}: {word}</output></loop></step></workflow>";

const LANES: &str = "<workflow name=\"Lanes\"><step n=\"1\" goal=\"Ask\">\
    <parallel for=\"name in one, two, three\" max=\"3\" into=\"words\">\
    <ask response=\"word\">Next word?</ask><return value=\"{name} {word}\"/></parallel>\
    <loop name=\"told\" for=\"word in {words}\" max=\"9\"><output>{word}</output></loop></step></workflow>";

/// The question of both workflows.
const ID: &str = "1-2318b7c1";

fn begin(place: &Place) -> Ended {
    let args = ["exec", "ask.xml", "--agent", "offline", "--non-interactive"];
    place.call(&[&args[..], &["--clock", CLOCK]].concat())
}

fn answer(place: &Place, answer: &str) {
    let ended = place.call(&["answer", "last", ID, answer]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
}

fn resume(place: &Place) -> Ended {
    place.call(&["resume", "--non-interactive", "--clock", CLOCK])
}

#[test]
fn a_question_that_is_asked_again_and_again_is_answered_each_time() {
    let place = Place::with(&[("ask.xml", WORDS)]);
    let mut ended = begin(&place);
    for word in ["alpha", "beta", "gamma"] {
        assert_eq!(ended.code, 3, "{}", ended.errors);
        answer(&place, word);
        ended = resume(&place);
        assert!(ended.output.contains(word), "{}{}", ended.output, ended.errors);
    }
    assert_eq!(ended.code, 0, "{}", ended.errors);
}

#[test]
fn lanes_that_ask_the_same_get_the_answers_in_their_order() {
    let place = Place::with(&[("ask.xml", LANES)]);
    assert_eq!(begin(&place).code, 3);
    answer(&place, "first");
    answer(&place, "second");
    let waiting = resume(&place);
    assert_eq!(waiting.code, 3, "{}", waiting.errors);
    answer(&place, "third");
    let ended = resume(&place);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    insta::assert_snapshot!(ended.output, @r"
    one first
    two second
    three third
    ");
}

#[test]
fn an_answer_too_many_is_refused() {
    let place = Place::with(&[("ask.xml", LANES)]);
    assert_eq!(begin(&place).code, 3);
    for word in ["first", "second", "third"] {
        answer(&place, word);
    }
    let ended = place.call(&["answer", "last", ID, "fourth"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended
            .errors
            .contains("each time that `1-2318b7c1` is asked has its answer"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_run_that_is_over_takes_no_answer() {
    let place = Place::with(&[("ask.xml", LANES)]);
    assert_eq!(begin(&place).code, 3);
    for word in ["first", "second", "third"] {
        answer(&place, word);
    }
    assert_eq!(resume(&place).code, 0);
    let ended = place.call(&["answer", "last", ID, "fourth"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    insta::assert_snapshot!(ended.errors, @r"
    error: run 20261115-061605-0000 waits for no answer: it has completed
      hint: `bmad runs` tells what each run waits for
    ");
}

#[test]
fn a_run_whose_file_for_answers_is_gone_writes_it_again() {
    let place = Place::with(&[("ask.xml", WORDS)]);
    assert_eq!(begin(&place).code, 3);
    let file = place.run().join("answers.yaml");
    std::fs::remove_file(&file).unwrap();
    let ended = place.call(&["answer", "last", ID, "alpha"]);
    insta::assert_snapshot!(ended.errors, @r"
    error: the file for the answers of run 20261115-061605-0000 cannot be read: it is not there
      hint: `bmad resume 20261115-061605-0000` asks again, and writes it
    ");
    assert_eq!(resume(&place).code, 3);
    answer(&place, "alpha");
}

#[test]
fn a_run_that_cannot_be_kept_says_so() {
    let place = Place::with(&[("ask.xml", WORDS)]);
    assert_eq!(begin(&place).code, 3);
    let tries = place.run().join("attempts");
    std::fs::remove_file(&tries).ok();
    std::fs::create_dir_all(tries.join("full")).unwrap();
    let ended = resume(&place);
    assert_eq!(ended.code, 1, "{ended:?}");
    let told = format!("error: the run cannot be kept: `{}`: ", tries.display());
    assert!(ended.errors.starts_with(&told), "{}", ended.errors);
}

#[test]
fn the_command_to_go_on_with_names_the_folder_of_the_runs() {
    let place = Place::with(&[("ask.xml", WORDS)]);
    let state = tempfile::tempdir().unwrap();
    let folder = state.path().to_str().unwrap();
    let kept = ["--state-dir", folder];
    let begun = ["exec", "ask.xml", "--agent", "offline", "--non-interactive"];
    assert_eq!(place.call(&[&begun[..], &kept].concat()).code, 3);
    let ended = place.call(&[&["answer", "last", ID, "alpha"][..], &kept].concat());
    assert!(
        ended.output.ends_with(&format!(" --state-dir {folder}\n")),
        "{}",
        ended.output
    );
}

const MENU: &str = "<workflow name=\"Menu\"><step n=\"1\" goal=\"Ask\">\
    <menu name=\"m\" text=\"Keep it?\" into=\"kept\"><option key=\"k\" label=\"Keep\"/><option key=\"d\" label=\"Drop\"/></menu>\
    <output>{kept}</output></step></workflow>";

#[test]
fn an_answer_that_fits_no_choice_is_refused_at_once() {
    let place = Place::with(&[("ask.xml", MENU)]);
    let waiting = begin(&place);
    assert_eq!(waiting.code, 3, "{}", waiting.errors);
    let id = waiting
        .errors
        .split_whitespace()
        .find(|word| word.starts_with("1-"))
        .unwrap();
    let refused = place.call(&["answer", "last", id, "zzz"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.errors.contains("`zzz` is none of k, d"), "{}", refused.errors);
    assert_eq!(place.call(&["answer", "last", id, "drop"]).code, 0);
    let ended = resume(&place);
    assert_eq!((ended.code, ended.output.as_str()), (0, "d\n"), "{}", ended.errors);
}

#[test]
fn an_answer_that_waits_is_used_beside_an_answers_file() {
    let asks = "<workflow name=\"Two\"><step n=\"1\" goal=\"Ask\"><ask response=\"one\">One?</ask>\
        <ask response=\"two\">Two?</ask><output>{one} {two}</output></step></workflow>";
    let place = Place::with(&[("ask.xml", asks), ("more.yaml", "two: B\n")]);
    let begun = begin(&place);
    assert_eq!(begun.code, 3, "{}", begun.errors);
    let id = begun
        .errors
        .lines()
        .find_map(|line| line.trim().strip_suffix("  One?"))
        .unwrap();
    assert_eq!(place.call(&["answer", "last", id, "A"]).code, 0);
    let args = [
        "resume",
        "--non-interactive",
        "--answers",
        "more.yaml",
        "--clock",
        CLOCK,
    ];
    let ended = place.call(&args);
    assert_eq!((ended.code, ended.output.trim()), (0, "A B"), "{}", ended.errors);
    assert!(!ended.errors.contains("nothing was asked"), "{}", ended.errors);
}

#[test]
fn a_file_that_was_left_half_filled_does_not_stop_one_that_is_given() {
    let asks = "<workflow name=\"One\"><step n=\"1\" goal=\"Ask\"><ask response=\"one\">One?</ask>\
        <output>{one}</output></step></workflow>";
    let files = [("ask.xml", asks), ("good.yaml", "one: A\n")];
    let given = ["--answers", "good.yaml", "--clock", CLOCK];
    let going = [&["resume", "--non-interactive"], &given[..]].concat();
    let place = Place::with(&files);
    assert_eq!(begin(&place).code, 3);
    std::fs::write(place.run().join("answers.yaml"), "one: \"A\ntwo: [\n").unwrap();
    assert_eq!(resume(&place).code, 2);
    let ended = place.call(&going);
    assert_eq!((ended.code, ended.output.trim()), (0, "A"), "{}", ended.errors);
    assert!(ended.errors.contains("; this file is left aside\n"), "{}", ended.errors);
    let place = Place::with(&files);
    assert_eq!(begin(&place).code, 3);
    std::fs::write(place.run().join("answers.yaml"), "onee: B\n").unwrap();
    let ended = place.call(&going);
    assert_eq!((ended.code, ended.output.trim()), (0, "A"), "{}", ended.errors);
    let told = "answers.yaml:1: nothing was asked that is called `onee`\n";
    assert!(ended.errors.contains(told), "{}", ended.errors);
}

#[test]
fn an_answer_that_waits_for_its_question_outlives_another_stop() {
    let asks = "<workflow name=\"Three\"><step n=\"1\" goal=\"Ask\"><ask response=\"one\">One?</ask>\
        <ask response=\"two\">Two?</ask><ask response=\"three\">Three?</ask><output>{one} {two} {three}</output>\
        </step></workflow>";
    let place = Place::with(&[("ask.xml", asks), ("more.yaml", "two: B\n")]);
    assert_eq!(begin(&place).code, 3);
    let file = place.run().join("answers.yaml");
    std::fs::write(&file, "three: |\n  C\n\n  D\none: A\nfour: # none\n").unwrap();
    let waiting = resume(&place);
    assert_eq!(waiting.code, 3, "{}", waiting.errors);
    let left = std::fs::read_to_string(&file).unwrap();
    let ahead = "\n# Answered before it was asked\nthree: |\n  C\n\n  D\n";
    assert!(left.ends_with(ahead) && left.contains("# Two?"), "{left}");
    let more = ["--answers", "more.yaml", "--clock", CLOCK];
    let ended = place.call(&[&["resume", "--non-interactive"][..], &more].concat());
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "A B C\n\nD\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn answers_in_json_outlive_another_stop() {
    let asks = "<workflow name=\"Three\"><step n=\"1\" goal=\"Ask\"><ask response=\"one\">One?</ask>\
        <ask response=\"two\">Two?</ask><ask response=\"three\">Three?</ask><output>{one} {two} {three}</output>\
        </step></workflow>";
    for json in [
        "{\"one\": \"A\", \"three\": \"C\"}",
        "{\"one\": \"A\",\n \"three\": \"C\"}\n",
    ] {
        let place = Place::with(&[("ask.xml", asks), ("more.yaml", "two: B\n")]);
        assert_eq!(begin(&place).code, 3);
        std::fs::write(place.run().join("answers.yaml"), json).unwrap();
        let waiting = resume(&place);
        assert_eq!(waiting.code, 3, "{}", waiting.errors);
        let more = ["--answers", "more.yaml", "--clock", CLOCK];
        let ended = place.call(&[&["resume", "--non-interactive"][..], &more].concat());
        assert_eq!((ended.code, ended.output.as_str()), (0, "A B C\n"), "{}", ended.errors);
    }
}

#[test]
fn answers_that_are_given_at_the_same_time_are_all_kept() {
    let names: Vec<String> = (0..8).map(|n| format!("lane{n}")).collect();
    let lanes = LANES.replace("one, two, three", &names.join(", "));
    let place = Place::with(&[("ask.xml", &lanes.replace("max=\"3\"", "max=\"8\""))]);
    assert_eq!(begin(&place).code, 3);
    let state = place.state.path().to_str().unwrap();
    let answering = names.iter().map(|name| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_bmad"));
        program.args(["answer", "last", ID, name]).env("XDG_STATE_HOME", state);
        program
            .current_dir(place.project.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    });
    let answering: Vec<std::process::Child> = answering.collect();
    for mut one in answering {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
    let text = std::fs::read_to_string(place.run().join("answers.yaml")).unwrap();
    let missing: Vec<&String> = names.iter().filter(|name| !text.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?} of {text}");
}

const TWICE: &str = "<workflow name=\"Twice\"><step n=\"1\" goal=\"Ask\">\
    <parallel for=\"name in one, two\" max=\"2\" into=\"words\">\
    <ask response=\"first\">Next word?</ask><ask response=\"word\">Next word?</ask>\
    <return value=\"{name} {first} {word}\"/></parallel>\
    <loop name=\"told\" for=\"word in {words}\" max=\"9\"><output>{word}</output></loop></step></workflow>";

#[test]
fn lanes_that_ask_the_same_twice_get_an_answer_each() {
    let place = Place::with(&[("ask.xml", TWICE)]);
    assert_eq!(begin(&place).code, 3);
    answer(&place, "a");
    answer(&place, "b");
    assert_eq!(resume(&place).code, 3);
    answer(&place, "c");
    answer(&place, "d");
    assert_eq!(place.call(&["answer", "last", ID, "e"]).code, 2);
    let ended = resume(&place);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "one a c\ntwo b d\n"),
        "{}",
        ended.errors
    );
}
