//! Settings as people have them: the hook goes in and out, and nothing else moves.

use super::{commands, fresh, with_hook, without_hook};
use serde_json::Value;

const COMMAND: &str = "'/opt/it'\\''s here/bmad' hook stop";

/// Settings that have no hook of ours; the last ones hold nothing.
const SETTINGS: &[&str] = &[
    // Written by hand, two spaces.
    "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\"Bash(cargo *)\"],\n    \"deny\": []\n  }\n}\n",
    // Other hooks, and one at the same event.
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Write\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"./check.sh\"}\n        ]\n      }\n    ],\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say done\" }\n        ]\n      }\n    ]\n  },\n  \"zeta\": 1,\n  \"alpha\": 2\n}",
    // Tabs and no line end.
    "{\n\t\"env\": {\n\t\t\"A\": \"\\u00e9 \\\"x\\\" , }\"\n\t}\n}",
    // Line ends of Windows.
    "{\r\n    \"includeCoAuthoredBy\": false,\r\n    \"hooks\": {\r\n        \"Notification\": []\r\n    }\r\n}\r\n",
    // One line.
    "{\"model\":\"opus\",\"hooks\":{\"SessionStart\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"a\"}]}]}}",
    // A hook of the same event by somebody else who also has a program named bmad.
    "{ \"hooks\": { \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"bmad lint\" } ] } ] } }\n",
    // Unknown things, odd spaces, and an order that makes no sense.
    "{\"b\" :1 ,\n\n   \"$schema\":\"https://json.schemastore.org/claude-code-settings.json\",\n   \"new-in-2030\": [ [ ], { } , null ]\n}\n\n",
    "{}",
    "{}\n",
];

/// Returns settings without the event.
fn others(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    if let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.remove("Stop");
        if hooks.is_empty() {
            value.as_object_mut().unwrap().remove("hooks");
        }
    }
    value
}

#[test]
fn what_goes_in_comes_out_and_nothing_else_moves() {
    for text in SETTINGS {
        let with = with_hook(text, COMMAND).unwrap().unwrap();
        assert_eq!(others(&with), others(text), "{text}");
        assert_eq!(commands(&with, COMMAND).unwrap(), [COMMAND], "{with}");
        assert_eq!(with_hook(&with, COMMAND).unwrap(), None, "{with}");
        assert_eq!(without_hook(&with, COMMAND).unwrap().as_deref(), Some(*text), "{with}");
        assert_eq!(without_hook(text, COMMAND).unwrap(), None, "{text}");
    }
}

#[test]
fn the_hook_is_written_in_the_form_that_is_there() {
    insta::assert_snapshot!(with_hook(SETTINGS[1], "bmad hook stop").unwrap().unwrap(), @r#"
    {
      "hooks": {
        "PreToolUse": [
          {
            "matcher": "Write",
            "hooks": [
              {"type": "command", "command": "./check.sh"}
            ]
          }
        ],
        "Stop": [
          {
            "hooks": [
              { "type": "command", "command": "say done" }
            ]
          },
          {
            "hooks": [
              {
                "type": "command",
                "command": "bmad hook stop",
                "timeout": 30
              }
            ]
          }
        ]
      },
      "zeta": 1,
      "alpha": 2
    }
    "#);
    insta::assert_snapshot!(with_hook(SETTINGS[4], "bmad hook stop").unwrap().unwrap(), @r#"{"model":"opus","hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"a"}]}], "Stop": [{"hooks": [{"type": "command", "command": "bmad hook stop", "timeout": 30}]}]}}"#);
    insta::assert_snapshot!(with_hook("{}", "bmad hook stop").unwrap().unwrap(), @r#"
    {
      "hooks": {
        "Stop": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "bmad hook stop",
                "timeout": 30
              }
            ]
          }
        ]
      }
    }
    "#);
    let tabs = with_hook(SETTINGS[2], "bmad hook stop").unwrap().unwrap();
    assert!(tabs.contains("\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n"), "{tabs}");
    let windows = with_hook(SETTINGS[3], "bmad hook stop").unwrap().unwrap();
    assert_eq!(
        windows.matches('\n').count(),
        windows.matches("\r\n").count(),
        "{windows}"
    );
}

#[test]
fn a_program_that_moved_takes_the_place_of_the_old_one() {
    for text in SETTINGS {
        let old = with_hook(text, "/old/bmad hook stop").unwrap().unwrap();
        let new = with_hook(&old, COMMAND).unwrap().unwrap();
        assert_eq!(new, with_hook(text, COMMAND).unwrap().unwrap());
    }
}

#[test]
fn a_hook_among_others_is_taken_out_alone() {
    let group =
        r#"{"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "bmad hook stop"}, {"command": "b"}]}]}}"#;
    let expected = r#"{"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}}"#;
    assert_eq!(without_hook(group, COMMAND).unwrap().as_deref(), Some(expected));
    let first = r#"{"hooks": {"Stop": [{"hooks": [{"command": "bmad hook stop"}]}, {"hooks": []}], "Other": []}}"#;
    let expected = r#"{"hooks": {"Stop": [{"hooks": []}], "Other": []}}"#;
    assert_eq!(without_hook(first, COMMAND).unwrap().as_deref(), Some(expected));
    let twice = r#"{"a": 1, "hooks": {"Stop": [{"hooks": [{"command": "bmad hook stop"}]}, {"hooks": [{"command": "\"C:\\x y\\bmad.exe\" hook stop"}]}]}, "b": 2}"#;
    assert_eq!(
        without_hook(twice, COMMAND).unwrap().as_deref(),
        Some(r#"{"a": 1, "b": 2}"#)
    );
}

#[test]
fn only_our_own_command_is_ours() {
    for other in [
        "bmad hook stop && x",
        "notbmad hook stop",
        "bmad hook stopp",
        "echo bmad hook",
        "'bmad' hook  stop",
    ] {
        let text = with_hook("{}", other).unwrap().unwrap();
        assert_eq!(commands(&text, COMMAND).unwrap(), Vec::<String>::new(), "{other}");
    }
}

#[test]
fn a_program_by_another_name_knows_its_own_hook_and_a_version_of_it_every_other() {
    for command in ["'/opt/bmad-0.1' hook stop", "/opt/reviewer hook stop"] {
        let text = with_hook("{}", command).unwrap().unwrap();
        assert_eq!(commands(&text, command).unwrap(), [command]);
        assert_eq!(with_hook(&text, command).unwrap(), None);
        assert_eq!(without_hook(&text, command).unwrap().as_deref(), Some("{}"));
    }
    let versioned = with_hook("{}", "'/opt/bmad-0.1' hook stop").unwrap().unwrap();
    let renewed = with_hook("{}", COMMAND).unwrap();
    assert_eq!(with_hook(&versioned, COMMAND).unwrap(), renewed);
}

#[test]
fn settings_that_are_wrong_say_where() {
    let rows = [
        ("{\n  \"a\": 1,\n}", "3:1: trailing comma"),
        ("{\n  // why\n}", "2:3: key must be a string"),
        ("[]", "1:1: the file is no object"),
        ("{\n  \"é\": 1, \"hooks\": []\n}", "2:20: `hooks` is no object"),
        ("{\"hooks\": {\"Stop\": {}}}", "1:20: `hooks.Stop` is no array"),
        ("{\"a\": \"\\q\"}", "1:9: invalid escape"),
        ("{} {}", "1:4: trailing characters"),
    ];
    for (text, expected) in rows {
        assert_eq!(with_hook(text, COMMAND).unwrap_err().to_string(), expected, "{text}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(with_hook(&deep, COMMAND).unwrap_err().to_string().contains("recursion"));
    assert!(without_hook("{", COMMAND).is_err());
}

#[test]
fn an_empty_file_is_as_good_as_none() {
    for text in ["", " \n"] {
        assert_eq!(with_hook(text, COMMAND).unwrap(), Some(fresh(COMMAND)));
        assert_eq!(without_hook(text, COMMAND).unwrap(), None);
    }
    assert_eq!(without_hook(&fresh(COMMAND), COMMAND).unwrap().as_deref(), Some("{}\n"));
}
