//! Runs that only count, and wait for nobody.

use super::signalled;
use crate::cli::aftermath::{command, process};
use crate::cli::folder_with;

/// Interrupts a run that waits for nobody.
fn interrupted_while_counting(counts: &str, until: &str) -> tempfile::TempDir {
    let counting = format!(
        "<workflow name=\"Count\"><step n=\"1\" goal=\"Count\">\
         <loop name=\"all\" max=\"1000000000\" index=\"n\">{counts}</loop></step></workflow>\n"
    );
    let place = folder_with(&[("project/workflow.xml", &counting)]);
    let words = "exec workflow.xml --non-interactive --agent offline --fuel 1000000000000";
    let words: Vec<&str> = words.split(' ').collect();
    let (code, said) = signalled(command(&place, &words), until, "-INT");
    assert_eq!(code, Some(130), "{}", said.lines().count());
    place
}

#[test]
fn a_run_that_waits_for_nobody_can_be_interrupted() {
    interrupted_while_counting("<set name=\"last\" value=\"{n}\"/>", "step 1");
    let place = interrupted_while_counting("<output>{n} counted</output>", "100 counted");
    let verified = process(&place, &["verify"]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn what_a_run_did_is_told_that_was_interrupted_while_its_lanes_counted() {
    let lanes = "<parallel for=\"word in one, two\"><output>{word}</output>\
                 <loop name=\"more\" max=\"1000000000\" index=\"k\"><set name=\"last\" value=\"{k}\"/></loop></parallel>";
    let place = interrupted_while_counting(lanes, "two");
    let shown = process(&place, &["show"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert!(shown.output.contains("interrupted"), "{shown:?}");
}
