//! Runs that go back, and go on from there.

use super::place::{CLOCK, Place};
use bmad::os::lock::RunLock;
use std::fs;

/// What the command follows that has back what somebody changed.
const HAVE_BACK: &str = "have it back with: bmad ";

/// Returns what the workflow writes.
fn written(place: &Place) -> [Option<String>; 2] {
    ["docs/page.md", "note.md"].map(|path| place.read(path))
}

/// Returns what is written before a step, by a workflow that has only the steps before it.
fn before_step(label: &str) -> [Option<String>; 2] {
    let place = Place::with(&[]);
    let text = place.read("flow/instructions.md").unwrap();
    let (before, _) = text.split_once(&format!("<step n=\"{label}\"")).unwrap();
    // It stops there; at its end it would tell the document that the last step is done.
    let before = before.trim_end().strip_suffix("</step>").unwrap();
    let stops = format!("{before}<halt reason=\"here\"/></step></workflow>\n");
    place.write("flow/instructions.md", &stops);
    assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 1);
    written(&place)
}

#[test]
fn without_yes_it_is_only_said_what_would_happen() {
    let place = Place::with_run();
    let before = (written(&place), fs::read(place.journal()).unwrap());
    let ended = place.call(&["rollback", "last", "--to", "3"]);
    assert_eq!((ended.code, ended.errors.as_str()), (0, ""));
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000 back to the beginning of step 3
      10 of 20 lines void: those after line 10
      to be had again: 1 turn, 0 answers
      docs/page.md  back to 11cbaca1ba06
      note.md  goes: it was not there
    nothing was changed; --yes does it
    ");
    assert_eq!((written(&place), fs::read(place.journal()).unwrap()), before);
}

#[test]
fn files_are_what_they_were_and_the_run_ends_as_if_nothing_had_happened() {
    let undisturbed = written(&Place::with_run());
    for step in ["2", "3", "4"] {
        let place = Place::with_run();
        let ended = place.call(&["rollback", "last", "--to", step, "--yes"]);
        assert_eq!(ended.code, 0, "{}", ended.errors);
        assert_eq!(written(&place), before_step(step), "step {step}");
        assert_eq!(place.resume().code, 0);
        assert_eq!(written(&place), undisturbed, "step {step}");
        assert_eq!(place.call(&["verify"]).code, 0);
    }
}

#[test]
fn a_run_goes_back_as_often_as_it_is_asked_to() {
    let undisturbed = written(&Place::with_run());
    let place = Place::with_run();
    for step in ["4", "2", "3", "1"] {
        assert_eq!(place.call(&["rollback", "last", "--to", step, "--yes"]).code, 0);
        assert_eq!(place.resume().code, 0);
    }
    assert_eq!(written(&place), undisturbed);
    for step in ["4", "3", "2"] {
        assert_eq!(place.call(&["rollback", "last", "--to", step, "--yes"]).code, 0);
    }
    assert_eq!(written(&place), [None, None]);
    assert_eq!(place.call(&["verify"]).code, 0);
    assert_eq!(place.resume().code, 0);
    assert_eq!(written(&place), undisturbed);
}

#[test]
fn what_was_there_before_the_run_comes_back() {
    let mine = "---\ntitle: Mine\nstepsCompleted: [9] # kept\n---\n\nMine.\n";
    let place = Place::with(&[("docs/page.md", mine), ("note.md", "Mine too.\n")]);
    assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 0);
    assert_ne!(place.read("docs/page.md").as_deref(), Some(mine));
    assert_eq!(place.call(&["rollback", "last", "--to", "1", "--yes"]).code, 0);
    assert_eq!(written(&place), [Some(mine.to_owned()), Some("Mine too.\n".to_owned())]);
}

#[test]
fn a_file_that_somebody_edited_is_left_alone_and_told() {
    let place = Place::with_run();
    place.write("note.md", "edited by hand");
    fs::remove_file(place.project.path().join("docs/page.md")).unwrap();
    let ended = place.call(&["rollback", "last", "--to", "2", "--yes"]);
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000 back to the beginning of step 2
      16 of 20 lines void: those after line 4
      to be had again: 2 turns, 0 answers
      docs/page.md  is what it was
      note.md  left alone until the run writes it again: somebody changed it since
    done; go on with: bmad resume 20261115-061605-0000
    ");
    assert_eq!(written(&place), [None, Some("edited by hand".to_owned())]);
    // What somebody wrote is kept before the run writes there again, and the run says how to have it back.
    let resumed = place.resume();
    assert_eq!(resumed.code, 0);
    let told = "not as this run left it, and kept until the run writes it again: note.md";
    assert!(resumed.errors.contains(told), "{}", resumed.errors);
    assert!(resumed.errors.contains(HAVE_BACK), "{}", resumed.errors);
    assert_eq!(place.call(&["rollback", "last", "--to", "4", "--yes"]).code, 0);
    assert_eq!(place.read("note.md").as_deref(), Some("edited by hand"));
}

#[test]
fn what_somebody_changed_is_written_over_only_with_a_word_of_how_to_have_it_back() {
    let flow = "<workflow name=\"Files\"><step n=\"1\"><output file=\"a.md\">A</output></step>\
        <step n=\"2\"><output file=\"a.md\">B</output></step></workflow>";
    let place = Place::with(&[("files.xml", flow)]);
    assert_eq!(place.exec("files.xml", "script:--ack").code, 0);
    assert_eq!(place.call(&["rollback", "last", "--to", "2", "--yes"]).code, 0);
    place.write("a.md", "mine");
    insta::assert_snapshot!(place.resume().errors, @r"
    3 effects were done before and are not repeated
    not as this run left it, and kept until the run writes it again: a.md
    Files · step 2
      wrote a.md
      what somebody changed in it is kept; once the run has stopped, have it back with: bmad rollback 20261115-061605-0000 --take before:3fd30542fe3f --yes a.md
    answers.yaml:1: nothing was asked that is called `visitor`
    completed: 2 steps
    ");
    let back = ["rollback", "last", "--to", "2", "--yes"];
    assert_eq!(place.call(&back).code, 0);
    assert_eq!(place.read("a.md").as_deref(), Some("mine"));
    // What it went back to is not the run's own either.
    let resumed = place.resume();
    assert!(resumed.errors.contains(HAVE_BACK), "{}", resumed.errors);
}

/// Returns the arguments of the command that a message ends with.
fn told_command(errors: &str) -> Vec<String> {
    let line = errors.lines().find(|line| line.contains(HAVE_BACK)).unwrap();
    let (_, command) = line.split_once(HAVE_BACK).unwrap();
    command.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_command_that_is_told_has_back_what_was_written_over_and_voids_nothing() {
    let flow = "<workflow name=\"Files\"><step n=\"1\"><output file=\"a.md\">one</output>\
        <ask response=\"visitor\">Who?</ask><output file=\"a.md\">two</output></step></workflow>";
    let place = Place::with(&[("files.xml", flow)]);
    let begin = [
        "exec",
        "files.xml",
        "--agent",
        "offline",
        "--non-interactive",
        "--clock",
        CLOCK,
    ];
    assert_eq!(place.call(&begin).code, 3);
    place.write("a.md", "mine");
    let resumed = place.resume();
    assert_eq!(place.read("a.md").as_deref(), Some("two\n"));
    let journal = fs::read(place.journal()).unwrap();
    let command = told_command(&resumed.errors);
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let ended = place.call(&command);
    assert_eq!(place.read("a.md").as_deref(), Some("mine"));
    assert_eq!(fs::read(place.journal()).unwrap(), journal);
    // What that wrote over can be had back in its turn.
    let (_, again) = ended.output.split_once("as it was before: bmad ").unwrap();
    let again: Vec<&str> = again.trim_end().split(' ').collect();
    assert_eq!(place.call(&again).code, 0);
    assert_eq!(place.read("a.md").as_deref(), Some("two\n"));
}

#[test]
fn what_was_never_kept_before_a_write_is_told() {
    let place = Place::with_run();
    let ended = place.call(&["rollback", "last", "--take", "before:0123456789ab", "note.md"]);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    error: nothing of `note.md` was kept under `before:0123456789ab`
      hint: `bmad log 20261115-061605-0000` tells what the run wrote; paths are seen from the project
    ");
}

#[test]
fn what_was_written_last_is_undone_with_the_beginning_of_its_step() {
    let place = Place::with_run();
    let ended = place.call(&["rollback", "last", "--last", "--yes"]);
    insta::assert_snapshot!(ended.output, @r"
    run 20261115-061605-0000 back to the beginning of step 4
      4 of 20 lines void: those after line 16
      docs/page.md  back to e7cbe6bfdbb9
      note.md  goes: it was not there
    done; go on with: bmad resume 20261115-061605-0000
    ");
    assert_eq!(place.read("note.md"), None);
    assert!(place.read("docs/page.md").unwrap().contains("stepsCompleted: [1, 2]"));
}

#[test]
fn steps_that_only_write_are_undone_one_by_one() {
    let flow = "<workflow name=\"Files\"><step n=\"1\"><output file=\"a.md\">A</output></step>\
        <step n=\"2\"><output file=\"b.md\">B</output></step><step n=\"3\"><output>C</output></step></workflow>";
    let place = Place::with(&[("files.xml", flow)]);
    assert_eq!(place.exec("files.xml", "script:--ack").code, 0);
    for left in [[true, false], [false, false]] {
        assert_eq!(place.call(&["rollback", "last", "--last", "--yes"]).code, 0);
        assert_eq!(["a.md", "b.md"].map(|path| place.read(path).is_some()), left);
    }
}

#[cfg(unix)]
#[test]
fn what_an_agent_changed_by_itself_comes_back_only_where_that_is_asked_for() {
    let agent = "cat > prompt.txt\necho agent >> code.txt\n\
        printf '```json\\n{\"instructions\":[{\"n\":1,\"status\":\"done\"}]}\\n```\\n'\n";
    let flow = "<workflow name=\"Code\"><step n=\"1\"><action>Write the code</action></step>\
        <step n=\"2\"><output file=\"{project-root}/note.md\">Done</output></step></workflow>";
    let place = Place::with(&[("code.xml", flow), ("agent.sh", agent), ("code.txt", "mine\n")]);
    let ended = place.exec("code.xml", "command:sh agent.sh");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(place.read("code.txt").as_deref(), Some("mine\nagent\n"));
    let preview = place.call(&["rollback", "last", "--to", "1"]);
    insta::assert_snapshot!(preview.output, @r"
    run 20261115-061605-0000 back to the beginning of step 1
      7 of 9 lines void: those after line 2
      to be had again: 1 turn, 0 answers
      note.md  goes: it was not there
      not undone: turn 1 of command:sh in step 1 worked on files by itself
      differs from the snapshot before it; --snapshot puts it back:
        code.txt  changed
        prompt.txt  added
    nothing was changed; --yes does it
    ");
    assert_eq!(place.call(&["rollback", "last", "--to", "2", "--yes"]).code, 0);
    assert_eq!(place.read("code.txt").as_deref(), Some("mine\nagent\n"));
    let ended = place.call(&["rollback", "last", "--to", "1", "--snapshot", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(place.read("code.txt").as_deref(), Some("mine\n"));
    assert_eq!([place.read("prompt.txt"), place.read("note.md")], [None, None]);
}

#[test]
fn a_rollback_that_was_cut_off_can_be_done_again() {
    let place = Place::with_run();
    let lines = fs::read(place.journal()).unwrap();
    assert_eq!(place.call(&["rollback", "last", "--to", "2", "--yes"]).code, 0);
    // The files went back, and the line that says so was never written.
    fs::write(place.journal(), lines).unwrap();
    let ended = place.call(&["rollback", "last", "--to", "2", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(ended.output.matches("is what it was").count(), 2, "{}", ended.output);
    assert_eq!(place.resume().code, 0);
    assert_eq!(written(&place), written(&Place::with_run()));
}

#[test]
fn a_run_that_somebody_works_on_is_refused() {
    let place = Place::with_run();
    let _lock = RunLock::take(&place.run().join("lock"), 0).unwrap();
    let before = written(&place);
    let ended = place.call(&["rollback", "last", "--to", "2", "--yes"]);
    assert_eq!(ended.code, 1);
    assert!(ended.errors.contains("held by process"), "{}", ended.errors);
    assert_eq!(written(&place), before);
}

#[test]
fn a_step_that_never_came_is_told_with_those_that_did() {
    let place = Place::with_run();
    let ended = place.call(&["rollback", "last", "--to", "9"]);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    error: the run never came to step `9`
      hint: it came to 1, 2, 3, 4
    ");
}

#[test]
fn a_point_has_to_be_named() {
    let ended = Place::with(&[]).call(&["rollback", "last"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.errors.contains("<--to <STEP>|--last|--take <NAME>>"),
        "{}",
        ended.errors
    );
}

/// Begins a run that waits in the middle of a document, lets a person change it, and goes on.
fn edited_meanwhile() -> Place {
    let steps = "<workflow>\n<step n=\"1\" goal=\"Write\">\n<action>Write the summary</action>\n\
        <template-output>summary</template-output>\n<ask response=\"visitor\">Who?</ask>\n\
        <action>Write the risks</action>\n<template-output>risks</template-output>\n</step>\n</workflow>\n";
    let place = Place::with(&[("flow/instructions.md", steps), ("answers.yaml", "")]);
    assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 3);
    let text = place.read("docs/page.md").unwrap();
    place.write("docs/page.md", &text.replace("# Page", "# My page"));
    place.write("answers.yaml", "visitor: Ada\n");
    let ended = place.resume();
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(place.read("docs/page.md").unwrap().contains("# My page"));
    place
}

#[test]
fn a_file_that_somebody_changed_between_two_writes_is_left_alone_and_told() {
    let place = edited_meanwhile();
    let before = place.read("docs/page.md");
    let ended = place.call(&["rollback", "last", "--to", "1", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let told = "docs/page.md  left alone until the run writes it again: somebody changed it between lines 7 and 15; \
        --edited puts it back\n";
    assert!(ended.output.contains(told), "{}", ended.output);
    assert_eq!(place.read("docs/page.md"), before);
}

#[test]
fn what_somebody_changed_between_two_writes_goes_only_with_a_word_and_can_be_had_back() {
    let place = edited_meanwhile();
    let ended = place.call(&["rollback", "last", "--to", "1", "--edited", "--yes"]);
    assert_eq!(place.read("docs/page.md"), None, "{}", ended.output);
    let command = told_command(&ended.output);
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let ended = place.call(&command);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(place.read("docs/page.md").unwrap().contains("# My page"));
}

/// Begins a run that waits, answers its question beside it, and goes on to the end.
fn answered() -> Place {
    let flow = "<workflow name=\"Ask\"><step n=\"1\"><ask response=\"owner\">Next word?</ask></step>\
        <step n=\"2\"><output file=\"{project-root}/note.md\">For {owner}</output></step></workflow>";
    let place = Place::with(&[("ask.xml", flow)]);
    let rest = ["--non-interactive", "--clock", CLOCK];
    let begin = [&["exec", "ask.xml", "--agent", "offline"][..], &rest].concat();
    assert_eq!(place.call(&begin).code, 3);
    assert_eq!(place.call(&["answer", "last", "1-2318b7c1", "Ada"]).code, 0);
    let ended = place.call(&[&["resume"][..], &rest].concat());
    assert_eq!((ended.code, place.read("note.md").as_deref()), (0, Some("For Ada\n")));
    place
}

/// Says whether the answers of a run are there, and those that a rollback took back.
fn answers(place: &Place) -> [bool; 2] {
    ["answers.yaml", "answers.rolled-back.yaml"].map(|name| place.run().join(name).exists())
}

#[test]
fn answers_to_what_is_void_are_put_aside_and_the_question_comes_again() {
    let place = answered();
    let given = fs::read(place.run().join("answers.yaml")).unwrap();
    assert_eq!(place.call(&["rollback", "last", "--to", "1", "--yes"]).code, 0);
    assert_eq!(answers(&place), [false, true]);
    assert_eq!(fs::read(place.run().join("answers.rolled-back.yaml")).unwrap(), given);
    let ended = place.call(&["resume", "--non-interactive", "--clock", CLOCK]);
    assert_eq!(ended.code, 3, "{}", ended.errors);
}

#[test]
fn answers_stay_where_none_of_them_is_void() {
    let place = answered();
    assert_eq!(place.call(&["rollback", "last", "--to", "2", "--yes"]).code, 0);
    assert_eq!(answers(&place), [true, false]);
}
