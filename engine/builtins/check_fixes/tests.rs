//! Claims of fixers.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

const BEFORE: &str = "# Goals\n\nIt is fast.\n\n# Retries\n\nA call is retried.\n\n# Costs\n\nIt costs 3.\n";
const AFTER: &str = "# Goals\n\nIt is fast.\n\n# Retries\n\nA call is retried.\n\nAfter four attempts it fails.\n\n# Costs\n\nIt costs 3.\n";

fn findings() -> serde_json::Value {
    j!([
        {"id": "F-1", "claim": "No number", "state": "in-progress", "place": {"section": "Goals", "quote": "It is fast."}},
        {"id": "F-2", "claim": "No end", "state": "in-progress", "place": {"section": "Retries", "quote": "A call is retried."}},
        {"id": "F-3", "claim": "No source", "state": "in-progress", "place": {"section": "Costs"}},
        {"id": "F-4", "claim": "Done", "state": "fixed", "place": {"section": "Costs"}}
    ])
}

fn check(given: serde_json::Value) -> Value {
    let serde_json::Value::Object(given) = given else {
        panic!()
    };
    let mut all = j!({"findings": findings(), "before": BEFORE, "after": AFTER});
    for (name, value) in given {
        all[name] = value;
    }
    let serde_json::Value::Object(all) = all else { panic!() };
    let given: Vec<(&str, Value)> = all
        .iter()
        .map(|(name, value)| (name.as_str(), json(value.clone())))
        .collect();
    run("check-fixes", &given).unwrap()
}

/// The entries of a list: identifier and reason.
fn list(claims: &Value, name: &str) -> Vec<String> {
    let Some(Value::List(entries)) = claims.get(name) else {
        panic!("{name}")
    };
    let text = |entry: &Value, field: &str| entry.get(field).map(Value::to_string).unwrap_or_default();
    entries
        .iter()
        .map(|entry| format!("{} {}", text(entry, "finding"), text(entry, "why")))
        .collect()
}

#[test]
fn a_claim_counts_only_where_its_section_changed() {
    let claims = check(j!({"fixes": [{"finding": "F-1", "status": "FIXED"}, {"finding": "f2", "status": "fixed"}]}));
    assert_eq!(list(&claims, "changed"), ["F-2 "]);
    assert_eq!(list(&claims, "refused"), ["F-1 nothing changed where the finding is"]);
}

#[test]
fn nothing_of_the_fixer_is_handed_to_the_judge() {
    let claims = check(
        j!({"fixes": [{"finding": "F-2", "status": "FIXED", "description": "trust me", "verification": "I did"}]}),
    );
    let changed = claims.get("changed").unwrap().to_string();
    assert!(!changed.contains("trust me") && !changed.contains("I did"), "{changed}");
    assert!(claims.get("said").unwrap().to_string().contains("trust me"));
}

#[test]
fn a_blocked_finding_says_what_is_missing() {
    let fixes = j!([{"finding": "F-3", "status": "BLOCKED", "description": "A decision is missing", "needs": "the owner"},
        {"finding": "F-1", "status": "Blocked"}]);
    let claims = check(j!({"fixes": fixes}));
    assert_eq!(
        list(&claims, "blocked"),
        [
            "F-3 A decision is missing; needed: the owner",
            "F-1 its fixer does not say what is missing"
        ]
    );
}

#[test]
fn what_was_not_given_to_a_fixer_is_refused_and_what_nobody_mentions_is_unanswered() {
    let wave = j!({"shares": [{"fixer": 1, "findings": [{"id": "F-2"}]}, {"fixer": 2, "findings": [{"id": "F-3"}]}]});
    let claims = check(
        j!({"wave": wave, "fixes": [{"finding": "F-2", "status": "FIXED"}, {"finding": "F-1", "status": "FIXED"}]}),
    );
    assert_eq!(list(&claims, "changed"), ["F-2 "]);
    assert_eq!(list(&claims, "refused"), ["F-1 it was not given to a fixer"]);
    assert_eq!(list(&claims, "unanswered"), ["F-3 no fixer answered for it"]);
    let without = check(j!({"fixes": [{"finding": "F-4", "status": "FIXED"}]}));
    assert_eq!(list(&without, "refused"), ["F-4 it was not given to a fixer"]);
    assert!(list(&without, "unanswered").is_empty());
}

#[test]
fn a_rejected_edit_refuses_its_claim() {
    let fixes = j!([{"finding": "F-2", "status": "FIXED"}]);
    let by_name = check(j!({"fixes": fixes, "rejected": [{"finding": "F-2", "old": "x", "why": "gone"}]}));
    assert_eq!(list(&by_name, "refused"), ["F-2 its edit was rejected: gone"]);
    let by_words = check(j!({"fixes": fixes, "rejected": [{"old": "A call is retried.", "why": "gone"}]}));
    assert_eq!(list(&by_words, "refused"), ["F-2 its edit was rejected: gone"]);
    let other = check(j!({"fixes": fixes, "rejected": [{"old": "It costs 3.", "why": "gone"}]}));
    assert_eq!(list(&other, "changed"), ["F-2 "]);
    let repeated =
        check(j!({"fixes": fixes, "rejected": [{"old": "A call is retried.", "why": "same", "repeated": true}]}));
    assert_eq!(list(&repeated, "changed"), ["F-2 "]);
}

#[test]
fn a_failed_check_refuses_every_claim_and_no_block() {
    let fixes = j!([{"finding": "F-2", "status": "FIXED"}, {"finding": "F-3", "status": "BLOCKED", "needs": "x"}]);
    let claims = check(j!({"fixes": fixes, "checks": [
        {"command": "make lint", "ok": true}, {"command": "make test", "ok": false, "output": "2 failed"}]}));
    assert_eq!(list(&claims, "refused"), ["F-2 the check `make test` failed: 2 failed"]);
    assert_eq!(list(&claims, "blocked").len(), 1);
    let unrun = check(j!({"fixes": fixes, "checks": [
        {"command": "make test", "ok": false, "output": "", "how": "not run: nobody trusted it"}]}));
    assert_eq!(
        list(&unrun, "refused"),
        ["F-2 the check `make test` failed (not run: nobody trusted it)"]
    );
    for (checks, passes) in [
        (j!([]), true),
        (j!([{"command": "a", "ok": true}]), true),
        (j!([{"command": "a", "exit": 0}]), true),
        (j!([{"command": "a", "exit": 1}]), false),
        (j!([{"command": "a"}]), false),
        (j!(["make test"]), false),
    ] {
        let claims = check(j!({"fixes": fixes, "checks": checks}));
        assert_eq!(list(&claims, "changed").len() == 1, passes, "{checks}");
    }
}

#[test]
fn a_listed_file_counts_only_where_something_shows_that_it_changed() {
    let fixes = j!([{"finding": "F-1", "status": "FIXED", "files_modified": ["src/a.rs"]}]);
    let claims = check(j!({"fixes": fixes}));
    assert_eq!(
        list(&claims, "refused"),
        ["F-1 nothing changed where the finding is, and nothing shows that src/a.rs changed"]
    );
    let seen = check(j!({"fixes": fixes, "touched": ["./src/a.rs"]}));
    assert_eq!(list(&seen, "changed"), ["F-1 "]);
    assert_eq!(seen.get("outside").unwrap().to_string(), "./src/a.rs");
}

#[test]
fn files_that_no_finding_is_about_are_reported() {
    let findings = j!([{"id": "F-1", "claim": "c", "place": {"file": "a.md", "quote": "one"}}]);
    let before =
        j!([{"path": "a.md", "text": "one"}, {"path": "b.md", "text": "two"}, {"path": "c.md", "text": "three"}]);
    let after = j!([{"path": "a.md", "text": "1"}, {"path": "b.md", "text": "2"}, {"path": "c.md", "text": "three"}]);
    let claims = check(
        j!({"findings": findings, "before": before, "after": after, "fixes": [{"finding": "F-1", "status": "FIXED"}]}),
    );
    assert_eq!(list(&claims, "changed"), ["F-1 "]);
    assert_eq!(claims.get("outside").unwrap().to_string(), "b.md");
}

#[test]
fn what_is_no_fix_is_set_aside_and_nothing_is_lost() {
    let fixes = j!(["done", 7, null, {}, {"status": "FIXED"}, {"finding": "F-99", "status": "FIXED"},
        {"finding": "F-2", "status": "PARTLY"}, {"finding": "F-2", "status": "FIXED"}, {"finding": "F-3"}]);
    let claims = check(j!({"fixes": fixes}));
    let whys = claims.get("set_aside").unwrap();
    let Value::List(whys) = whys else { panic!() };
    assert_eq!(whys.len(), 7);
    assert_eq!(
        list(&claims, "refused"),
        [
            "F-2 its status `PARTLY` is neither FIXED nor BLOCKED",
            "F-3 it says neither FIXED nor BLOCKED"
        ]
    );
}

#[test]
fn a_change_of_white_space_is_no_change() {
    let after = BEFORE.replace("A call is", "A   call\nis");
    let claims = check(j!({"after": after, "fixes": [{"finding": "F-2", "status": "FIXED"}]}));
    assert_eq!(list(&claims, "refused"), ["F-2 nothing changed where the finding is"]);
}

#[test]
fn no_value_is_too_odd() {
    for odd in [j!(null), j!(7), j!("x"), j!([[]]), j!({"a": {"b": 1}})] {
        for name in [
            "findings", "fixes", "before", "after", "rejected", "wave", "checks", "touched",
        ] {
            check(j!({"fixes": [{"finding": "F-1", "status": "FIXED"}], name: odd}));
        }
    }
}

#[test]
fn a_new_heading_below_the_section_is_a_change_and_one_elsewhere_is_not() {
    let fixes = j!([{"finding": "F-2", "status": "FIXED"}]);
    let below = BEFORE.replace("# Costs", "## Limits of retrying\n\nFour attempts.\n\n# Costs");
    assert_eq!(list(&check(j!({"fixes": fixes, "after": below})), "changed"), ["F-2 "]);
    let elsewhere = format!("{BEFORE}\n## Discounts\n\nNone.\n");
    assert!(list(&check(j!({"fixes": fixes, "after": elsewhere})), "changed").is_empty());
}

#[test]
fn of_two_equal_sections_either_may_be_the_one_that_changed() {
    let twice = "# Notes\n\nThe same.\n\n# Notes\n\nThe same.\n";
    let findings = j!([{"id": "F-1", "claim": "c", "place": {"section": "Notes", "quote": "The same."}}]);
    let fixes = j!([{"finding": "F-1", "status": "FIXED"}]);
    let changed = |after: &str| {
        list(
            &check(j!({"findings": findings, "fixes": fixes, "before": twice, "after": after})),
            "changed",
        )
        .len()
    };
    assert_eq!(changed(twice), 0);
    assert_eq!(changed("# Notes\n\nThe same.\n\n# Notes\n\nAnother.\n"), 1);
}
