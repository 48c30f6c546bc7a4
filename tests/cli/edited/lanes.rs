//! Lanes of a workflow that is edited.

use super::{CONF, SHIP, assert_true, calls, edit, exec, holds, place, process, resume, trust};
use std::fs;
use tempfile::TempDir;

#[test]
fn lanes_know_that_what_came_before_them_changed() {
    let body = format!(
        "{CONF}<run command=\"TOOL seq\"/><parallel into=\"r\"><run command=\"TOOL one\"/><run command=\"TOOL two\"/></parallel>{SHIP}"
    );
    let place = place(&body);
    trust(&place);
    assert_eq!(exec(&place).code, 3);
    edit(&place, &body.replace("debug", "release"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    for built in ["seq", "one", "two"] {
        assert_eq!(holds(&place, &format!("built-{built}.txt")), "release", "{built}");
    }
}

#[test]
fn what_follows_lanes_knows_that_one_of_them_changed() {
    let body = format!(
        "<parallel><output file=\"{{project-root}}/conf.txt\">debug</output><run command=\"TOOL beside\"/></parallel><run command=\"TOOL behind\"/>{SHIP}"
    );
    let place = place(&body);
    trust(&place);
    assert_eq!((exec(&place).code, calls(&place).as_str()), (3, "beside behind"));
    edit(&place, &body.replace("debug", "release"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(holds(&place, "built-behind.txt"), "release");
    // Lanes beside each other know nothing of each other.
    assert_eq!(calls(&place), "beside behind behind");
}

#[test]
fn what_the_run_wrote_again_is_not_written_over_when_another_lane_differs() {
    let file = |text: &str, more: &str| format!("<output file=\"{{project-root}}/x.md\"{more}>{text}</output>");
    let body = format!(
        "{}<parallel for=\"it in a, b, c, d\" into=\"r\"><run command=\"TOOL old\"/>{}</parallel>{SHIP}",
        file("one", ""),
        file("two", " if=\"{it} == a\"")
    );
    let place = place(&body);
    trust(&place);
    assert_eq!((exec(&place).code, holds(&place, "x.md").as_str()), (3, "two"));
    edit(&place, &body.replace("TOOL old", "TOOL new"));
    trust(&place);
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(holds(&place, "x.md"), "two");
}

/// Lanes that build an item and ask a person for it, each in the same words.
fn listed(items: &str) -> String {
    format!(
        "<parallel for=\"it in {items}\" into=\"r\">\
         <dispatch mode=\"fresh\" access=\"write\" into=\"d\">Build {{it}}. Answer with text.</dispatch><ask response=\"ok\">Ship it?</ask>\
         <output file=\"{{project-root}}/{{it}}.md\">{{ok}}</output></parallel>{SHIP}"
    )
}

fn answered(place: &TempDir, answers: &str) -> u8 {
    let file = place.path().join("answers.yaml");
    fs::write(&file, answers).unwrap();
    resume(place, &["--answers", &file.display().to_string()]).code
}

#[test]
fn an_item_more_in_a_list_is_built_and_asked_for_alone() {
    for (items, killed) in [("new, a, b", false), ("new, a, b", true), ("b, new, a", false)] {
        let place = place(&listed("a, b"));
        assert_eq!(exec(&place).code, 3);
        assert_eq!(answered(&place, "ok: [of a, of b]"), 3);
        edit(&place, &listed(items));
        if killed {
            fs::write(place.path().join("killed"), "").unwrap();
            assert_eq!(resume(&place, &[]).code, 137);
        }
        let resumed = resume(&place, &[]);
        assert_eq!(resumed.code, 3, "{}", resumed.errors);
        assert!(
            resumed.errors.contains("waiting for a person: 1 open question\n"),
            "{}",
            resumed.errors
        );
        let at = items.split(", ").position(|item| item == "new").unwrap() + 1;
        let told = process(&place, &["show"]).output;
        let (_, id) = told.split_once("open questions:\n  ").unwrap();
        let id = id.split(' ').next().unwrap();
        assert!(id.ends_with(&format!("@1.{at}")), "{told}");
        assert_eq!(answered(&place, &format!("{id}: of new")), 3);
        let mut calls: Vec<String> = calls(&place).split(' ').map(str::to_owned).collect();
        calls.sort_unstable();
        calls.dedup_by(|one, two| killed && *one == *two && one == "new");
        assert_eq!(calls, ["a", "b", "new"]);
        for item in ["a", "b", "new"] {
            assert_eq!(holds(&place, &format!("{item}.md")), format!("of {item}"), "{items}");
        }
    }
}

#[test]
fn an_item_that_is_twice_in_a_list_has_two_lanes() {
    let place = place(&listed("a, a"));
    assert_eq!(exec(&place).code, 3);
    assert_eq!((answered(&place, "ok: [one, two]"), calls(&place).as_str()), (3, "a a"));
    assert_eq!((resume(&place, &[]).code, calls(&place).as_str()), (3, "a a"));
}

/// A run of lanes that each build an item and write a file of it, two at a time; it was killed while the first one built.
fn killed_in_first(items: &str) -> TempDir {
    let place = place(&built(items));
    fs::write(place.path().join("killed"), "").unwrap();
    assert_eq!(exec(&place).code, 137);
    place
}

fn built(items: &str) -> String {
    format!(
        "<parallel for=\"it in {items}\" into=\"r\" max=\"2\">\
         <dispatch mode=\"fresh\" access=\"write\" into=\"d\">Build {{it}}. Answer with text.</dispatch>\
         <output file=\"{{project-root}}/{{it}}.md\">{{d.text}}</output></parallel>{SHIP}"
    )
}

fn assert_built(place: &TempDir, items: &str) {
    for item in items.split(", ") {
        for file in [format!("built-{item}.txt"), format!("{item}.md")] {
            assert!(place.path().join("project").join(&file).exists(), "{file} of {items}");
        }
    }
    assert_true(place);
}

#[test]
fn what_was_cut_off_in_a_lane_is_undone_before_a_lane_beside_it_begins() {
    let place = killed_in_first("a, b");
    edit(&place, &built("new, a, b"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert!(
        resumed
            .errors
            .contains("was cut off and left behind:\n  added    built-a.txt\n  put back"),
        "{}",
        resumed.errors
    );
    assert_built(&place, "new, a, b");
}

#[test]
fn what_was_cut_off_in_a_lane_is_not_undone_over_what_lanes_beside_it_did() {
    let place = killed_in_first("a, b, c");
    edit(&place, &built("new, c, b, a"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert!(resumed.errors.contains("others came after it"), "{}", resumed.errors);
    assert_built(&place, "new, c, b, a");
}

#[test]
fn what_was_cut_off_in_a_lane_is_not_undone_in_a_later_process_either() {
    let place = killed_in_first("a, b, c");
    edit(&place, &built("b, c"));
    assert_eq!(resume(&place, &[]).code, 3);
    assert_built(&place, "b, c");
    edit(&place, &built("b, c, a"));
    let resumed = resume(&place, &[]);
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert!(resumed.errors.contains("others came after it"), "{}", resumed.errors);
    assert_built(&place, "b, c, a");
}
