//! What the outermost workflow says at its end, the value it returns or why it halts: who tells it, and how.

use super::place::{CLOCK, Place};

fn place(inside: &str) -> Place {
    let flow = format!("<workflow name=\"R\"><step n=\"1\" goal=\"G\">{inside}</step></workflow>");
    Place::with(&[("r.xml", &flow)])
}

const MAP: &str = "<return><param name=\"number\" value=\"3\"/><param name=\"kind\" value=\"odd\"/></return>";

#[test]
fn a_value_is_told_when_the_run_ends_and_when_it_is_shown() {
    let place = place("<return value=\"forty-two\"/>");
    let ended = place.exec("r.xml", "offline");
    assert!(
        ended.errors.contains("completed: 1 step\n  returned: forty-two\n"),
        "{}",
        ended.errors
    );
    let resumed = place.resume();
    assert!(resumed.errors.contains("  returned: forty-two\n"), "{}", resumed.errors);
    let shown = place.call(&["show"]).output;
    assert!(shown.contains("\n  returned  forty-two\n"), "{shown}");
}

#[test]
fn a_map_is_told_field_by_field() {
    let place = place(MAP);
    let errors = place.exec("r.xml", "offline").errors;
    assert!(
        errors.contains("  returned:\n    number: 3\n    kind: odd\n"),
        "{errors}"
    );
    let shown = place.call(&["show"]).output;
    assert!(
        shown.contains("\n  returned  number: 3\n            kind: odd\n"),
        "{shown}"
    );
}

#[test]
fn a_program_reads_the_value_in_the_last_event() {
    let place = place(MAP);
    let args = ["exec", "r.xml", "--agent", "offline", "--json", "--clock", CLOCK];
    let output = place.call(&args).output;
    let last: serde_json::Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "stopped");
    assert_eq!(last["value"]["kind"], "odd");
    let shown = place.call(&["show", "--json"]).output;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["value"], last["value"]);
}

#[test]
fn a_run_that_returns_nothing_tells_nothing() {
    let place = place("<output>done</output>");
    let ended = place.exec("r.xml", "offline");
    assert!(!ended.errors.contains("returned"), "{}", ended.errors);
    let shown = place.call(&["show"]).output;
    assert!(!shown.contains("returned"), "{shown}");
}

#[test]
fn a_value_that_was_changed_away_since_is_not_shown() {
    let place = place("<return value=\"forty-two\"/>");
    place.exec("r.xml", "offline");
    place.write("r.xml", "<workflow name=\"R\"><step n=\"1\" goal=\"G\"/></workflow>");
    let shown = place.call(&["show"]).output;
    assert!(!shown.contains("returned"), "{shown}");
}

#[test]
fn a_long_value_is_cut_and_a_secret_is_masked() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let place = place(&format!("<return value=\"{token} {}\"/>", "long ".repeat(100)));
    let errors = place.exec("r.xml", "offline").errors;
    let line = errors.lines().find(|line| line.contains("returned")).unwrap();
    assert!(line.ends_with('…') && line.contains("[masked: "), "{line}");
    let args = ["exec", "r.xml", "--agent", "offline", "--json", "--clock", CLOCK];
    for output in [place.call(&args).output, place.call(&["show", "--json"]).output] {
        assert!(!output.contains(&token), "{output}");
    }
}

#[test]
fn a_halt_without_a_reason_tells_none() {
    for inside in ["<halt/>", "<action>HALT</action>"] {
        let place = place(inside);
        let ended = place.exec("r.xml", "offline");
        assert_eq!(ended.code, 1, "{}", ended.errors);
        assert!(ended.errors.contains("halted (r.xml:1)\n"), "{}", ended.errors);
    }
    let ended = place("<halt reason=\"enough\"/>").exec("r.xml", "offline");
    assert!(ended.errors.contains("halted: enough (r.xml:1)\n"), "{}", ended.errors);
}
