//! Requests for permission in, choices out.

use super::Permit;
use crate::host::{AgentSettings, Permission};
use serde_json::{Value as Json, json};
use std::path::Path;

/// The options are in no order, and their names say nothing.
fn request(call: Json) -> Json {
    json!({"toolCall": call, "options": [
        {"optionId": "a", "kind": "reject_always"},
        {"optionId": "b", "kind": "allow_always"},
        {"optionId": "c", "kind": "something_new"},
        {"optionId": "d", "kind": "reject_once"},
        {"optionId": "e", "kind": "allow_once"},
    ]})
}

fn settings(permission: Permission, allow: &[&str], deny: &[&str]) -> AgentSettings {
    let texts = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
    AgentSettings {
        permission,
        allow: texts(allow),
        deny: texts(deny),
        ..AgentSettings::default()
    }
}

fn permit(settings: &AgentSettings, is_reading: bool) -> Permit<'_> {
    Permit {
        is_reading,
        settings,
        root: Path::new("/work/project"),
    }
}

/// Says whether a call is allowed, and what was noted.
fn asked(permit: &Permit<'_>, call: Json) -> (bool, Option<String>) {
    let (answer, denied) = permit.answer(&request(call));
    let chosen = answer["outcome"]["optionId"].as_str().unwrap();
    assert!(["d", "e"].contains(&chosen), "{answer}");
    (chosen == "e", denied)
}

fn run(line: &str) -> Json {
    json!({"kind": "execute", "title": "run it", "rawInput": {"command": line}})
}

#[test]
fn a_reading_turn_may_read_search_think_and_fetch_and_nothing_else() {
    let all = settings(Permission::All, &["cargo test"], &[]);
    let permit = permit(&all, true);
    for kind in ["read", "search", "think", "fetch"] {
        assert!(asked(&permit, json!({"kind": kind})).0, "{kind}");
    }
    for kind in ["edit", "delete", "move", "execute", "switch_mode", "other", "", "new"] {
        assert!(!asked(&permit, json!({"kind": kind})).0, "{kind}");
    }
    assert!(!asked(&permit, run("cargo test")).0);
}

#[test]
fn files_of_the_project_may_be_changed_and_no_others() {
    let edit = settings(Permission::Edit, &[], &[]);
    let permit = permit(&edit, false);
    let change = |path: &str| json!({"kind": "edit", "locations": [{"path": path}]});
    assert!(asked(&permit, change("/work/project/a.md")).0);
    assert!(asked(&permit, change("b/c.md")).0);
    assert!(!asked(&permit, change("/work/project/../other/a.md")).0);
    assert!(!asked(&permit, change("/work/projects/a.md")).0);
    let behind = json!({"kind": "edit", "content": [{"type": "diff", "path": "/etc/passwd"}]});
    assert_eq!(asked(&permit, behind), (false, Some("edit `/etc/passwd`".to_owned())));
}

#[test]
fn a_command_is_run_only_where_a_list_names_all_of_it() {
    let some = settings(Permission::Edit, &["cargo test *", "make; make test"], &[]);
    let permit = permit(&some, false);
    assert!(asked(&permit, run("cargo test --lib")).0);
    assert!(asked(&permit, run("make; make test")).0);
    for line in [
        "cargo test; rm -rf x",
        "cargo test > x",
        "cargo test $(rm x)",
        "cargo testing",
        "make",
    ] {
        assert_eq!(asked(&permit, run(line)), (false, Some(format!("execute `{line}`"))));
    }
}

#[test]
fn what_is_denied_is_denied_whatever_else_allows_it() {
    let all = settings(Permission::All, &["git push *"], &["git push *", "Write", "fetch"]);
    let permit = permit(&all, false);
    assert!(asked(&permit, run("git status")).0);
    assert!(!asked(&permit, run("git push --force")).0);
    assert!(!asked(&permit, run("cd x && git push")).0);
    assert!(!asked(&permit, json!({"kind": "edit", "name": "Write"})).0);
    assert!(!asked(&permit, json!({"kind": "fetch"})).0);
}

#[test]
fn a_command_is_found_however_an_agent_writes_it() {
    let some = settings(Permission::Edit, &["cargo test"], &[]);
    let permit = permit(&some, false);
    for call in [
        json!({"kind": "execute", "title": "cargo test"}),
        json!({"kind": "execute", "title": "x", "rawInput": {"cmd": "cargo test"}}),
        json!({"kind": "execute", "rawInput": {"command": ["cargo", "test"]}}),
        json!({"kind": "execute", "rawInput": {"command": ["/bin/bash", "-lc", "cargo test"]}}),
    ] {
        assert!(asked(&permit, call.clone()).0, "{call}");
    }
    assert!(
        !asked(
            &permit,
            json!({"kind": "execute", "rawInput": {"command": ["cargo test"]}})
        )
        .0
    );
}

#[test]
fn a_request_that_offers_no_fitting_choice_is_cancelled() {
    let edit = settings(Permission::Edit, &[], &[]);
    let only = json!({"toolCall": {"kind": "edit"}, "options": [{"optionId": "no", "kind": "reject_once"}]});
    let (answer, denied) = permit(&edit, false).answer(&only);
    assert_eq!(answer, json!({"outcome": {"outcome": "cancelled"}}));
    assert_eq!(denied, None);
    let (answer, denied) = permit(&edit, false).answer(&json!({}));
    assert_eq!(answer, json!({"outcome": {"outcome": "cancelled"}}));
    assert_eq!(denied, Some("a tool".to_owned()));
}
