//! The hook in the settings of agents: in once, out without a trace, and proven by running it.

use super::{Desk, STATE, Said, feed, state, tracker};
use serde_json::Value;
use std::fs;
use std::process::Command;

const CLAUDE: &str = ".claude/settings.json";
const CODEX: &str = ".codex/hooks.json";

/// Settings as people have them, some with nothing in them.
const SETTINGS: &[&str] = &[
    "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(npm run lint)\",\n      \"Read(~/.zshrc)\"\n    ],\n    \"deny\": [\"Read(./.env)\"]\n  },\n  \"env\": { \"TZ\": \"UTC\" }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"afplay /System/Library/Sounds/Glass.aiff\"\n          }\n        ]\n      }\n    ],\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit|Write\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"npx prettier --write .\", \"timeout\": 20 }]\n      }\n    ]\n  },\n  \"model\": \"opus\"\n}",
    "{\"$schema\":\"https://json.schemastore.org/claude-code-settings.json\",\"cleanupPeriodDays\":20}\n",
    "{\n\t\"statusLine\": {\n\t\t\"type\": \"command\",\n\t\t\"command\": \"~/.claude/statusline.sh\"\n\t}\n}\n",
    "{\r\n  \"enableAllProjectMcpServers\": true,\r\n  \"hooks\": {}\r\n}\r\n",
    "{\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"x-unknown\": [1, 2.50, 1e3, null, \"\\u00e9\\/\"]\n}\n",
    "{}",
    "{\n}\n",
    " { } \n",
    "",
    "\n",
];

fn install(desk: &Desk, agent: &str) -> Said {
    desk.run(&["hook", "install", "--agent", agent])
}

fn uninstall(desk: &Desk, agent: &str) -> Said {
    desk.run(&["hook", "uninstall", "--agent", agent])
}

/// Returns the commands at the end of a turn.
fn commands(text: &str) -> Vec<String> {
    let settings: Value = serde_json::from_str(text).unwrap();
    let groups = settings["hooks"]["Stop"].as_array().unwrap().iter();
    let hooks = groups.flat_map(|group| group["hooks"].as_array().unwrap());
    hooks.map(|hook| hook["command"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_installed_is_taken_out_byte_for_byte() {
    for (agent, file) in [("claude-code", CLAUDE), ("codex", CODEX)] {
        for text in SETTINGS {
            let desk = Desk::with(&[(file, text)]);
            let said = install(&desk, agent);
            assert_eq!(said.code, Some(0), "{text}: {said:?}");
            let with = desk.read(file).unwrap();
            assert!(commands(&with).last().unwrap().ends_with("bmad' hook stop"), "{with}");
            let said = install(&desk, agent);
            assert!(said.out.starts_with("installed already: "), "{said:?}");
            assert_eq!(desk.read(file).unwrap(), with);
            assert_eq!(uninstall(&desk, agent).code, Some(0));
            assert_eq!(desk.read(file).as_deref(), Some(*text));
            assert!(uninstall(&desk, agent).out.contains("is not in"));
            assert_eq!(desk.read(file).as_deref(), Some(*text));
        }
    }
}

#[test]
fn a_file_that_was_not_there_is_gone_again() {
    for (agent, file) in [("claude-code", CLAUDE), ("codex", CODEX)] {
        for forgets in [false, true] {
            let desk = Desk::empty();
            assert_eq!(install(&desk, agent).code, Some(0));
            if forgets {
                fs::remove_dir_all(desk.home.path().join(".local")).unwrap();
            }
            assert_eq!(uninstall(&desk, agent).code, Some(0));
            assert!(desk.read(file).is_none());
            assert_eq!(super::names(desk.folder.path()), Vec::<String>::new());
        }
    }
}

#[test]
fn what_others_changed_meanwhile_stays() {
    let desk = Desk::with(&[(CLAUDE, SETTINGS[1])]);
    install(&desk, "claude-code");
    let with = desk.read(CLAUDE).unwrap();
    desk.write(CLAUDE, with.replace("\"opus\"", "\"haiku\""));
    uninstall(&desk, "claude-code");
    assert_eq!(desk.read(CLAUDE).unwrap(), SETTINGS[1].replace("\"opus\"", "\"haiku\""));
}

#[test]
fn settings_that_cannot_be_read_are_left_alone() {
    for (text, place) in [
        ("{\n  \"a\": 1,\n}\n", "settings.json:3:1: trailing comma"),
        ("// mine\n{}\n", "settings.json:1:1: expected value"),
        ("{\"hooks\": []}", "settings.json:1:11: `hooks` is no object"),
        (
            "{\"hooks\": {\"Stop\": null}}",
            "settings.json:1:20: `hooks.Stop` is no array",
        ),
        ("[1]", "settings.json:1:1: the file is no object"),
    ] {
        let desk = Desk::with(&[(CLAUDE, text)]);
        let said = install(&desk, "claude-code");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(
            said.err.contains(place) && said.err.contains("nothing was changed"),
            "{said:?}"
        );
        assert_eq!(desk.read(CLAUDE).as_deref(), Some(text));
    }
    let desk = Desk::empty();
    desk.write(CLAUDE, b"{\"a\": \"\xff\"}");
    assert_eq!(install(&desk, "claude-code").code, Some(1));
    assert_eq!(fs::read(desk.path(CLAUDE)).unwrap(), b"{\"a\": \"\xff\"}");
}

#[test]
fn it_says_what_it_did() {
    let desk = Desk::empty();
    let told = |said: Said| said.out.replace(env!("CARGO_BIN_EXE_bmad"), "/opt/bmad");
    insta::assert_snapshot!(told(install(&desk, "claude-code")), @r"
    installed: .claude/settings.json
      command   '/opt/bmad' hook stop
      answers   as it should
      fires     yes
    next: bmad hook start
    ");
    insta::assert_snapshot!(told(install(&desk, "codex")), @r"
    installed: .codex/hooks.json
      command   '/opt/bmad' hook stop
      answers   as it should
      fires     not known: Codex is not here, and it passes over hooks that nobody trusts
      first     start `codex` in this folder, trust the folder, then the hook; `/hooks` lists it there
    next: bmad hook start
    ");
    desk.run(&["hook", "start"]);
    insta::assert_snapshot!(told(desk.run(&["hook", "check"])), @r"
    claude-code: .claude/settings.json
      command   '/opt/bmad' hook stop
      answers   as it should
      fires     yes
    codex: .codex/hooks.json
      command   '/opt/bmad' hook stop
      answers   as it should
      fires     not known: Codex is not here, and it passes over hooks that nobody trusts
      first     start `codex` in this folder, trust the folder, then the hook; `/hooks` lists it there
    a review is on: round 1 of 3, 1 open
    ");
}

#[cfg(unix)]
#[test]
fn the_command_works_wherever_the_program_is() {
    // Next to the program, so that it is the same disk.
    let parent = std::path::Path::new(env!("CARGO_BIN_EXE_bmad")).parent().unwrap();
    let folder = tempfile::tempdir_in(parent).unwrap();
    let odd = folder.path().join("it's \"here\" $(touch x) ; é");
    fs::create_dir(&odd).unwrap();
    let program = odd.join("bmad");
    fs::hard_link(env!("CARGO_BIN_EXE_bmad"), &program).unwrap();
    let desk = Desk::with(&[(STATE, &state(&[])), ("reviews/issues.md", &tracker(&["open"]))]);
    let installed = Command::new(&program)
        .args(["hook", "install", "--agent", "claude-code"])
        .current_dir(desk.folder.path())
        .env_clear()
        .env("HOME", desk.home.path())
        .output()
        .unwrap();
    assert_eq!(installed.status.code(), Some(0), "{installed:?}");
    let command = commands(&desk.read(CLAUDE).unwrap()).remove(0);
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &command]).current_dir("/").env_clear();
    assert!(feed(shell, desk.question("Done.").to_string().as_bytes()).holds());
    assert!(!desk.path("x").exists());
    // The program moved: the new place takes the place of the old one.
    assert_eq!(install(&desk, "claude-code").code, Some(0));
    let moved = desk.read(CLAUDE).unwrap();
    assert_eq!(
        commands(&moved),
        [format!("'{}' hook stop", env!("CARGO_BIN_EXE_bmad"))]
    );
    assert_eq!(uninstall(&desk, "claude-code").code, Some(0));
    assert!(desk.read(CLAUDE).is_none());
}

#[test]
fn a_hook_that_does_not_answer_is_found() {
    let desk = Desk::empty();
    assert_eq!(desk.run(&["hook", "check"]).code, Some(1));
    install(&desk, "claude-code");
    assert_eq!(desk.run(&["hook", "check"]).code, Some(0));
    let text = desk.read(CLAUDE).unwrap();
    desk.write(CLAUDE, text.replace(env!("CARGO_BIN_EXE_bmad"), "/gone/bmad"));
    let said = desk.run(&["hook", "check"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("answers   no: exit code 127"), "{said:?}");
    desk.write(CLAUDE, text);
    desk.write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    let said = desk.run(&["hook", "check"]);
    assert_eq!(said.code, Some(1));
    assert!(
        said.out.contains("fires     no: `disableAllHooks` is set in"),
        "{said:?}"
    );
    let said = desk.run(&["hook", "check", "--agent", "codex"]);
    assert!(said.code == Some(1) && said.out.contains("not installed"), "{said:?}");
}

#[test]
fn settings_of_ones_own_are_a_file_of_their_own() {
    let desk = Desk::empty();
    let own = ".claude/settings.local.json";
    assert_eq!(
        desk.run(&["hook", "install", "--agent", "claude-code", "--local"]).code,
        Some(0)
    );
    assert!(desk.read(own).is_some() && desk.read(CLAUDE).is_none());
    assert_eq!(
        desk.run(&["hook", "uninstall", "--agent", "claude-code", "--local"])
            .code,
        Some(0)
    );
    assert!(desk.read(own).is_none());
    for flag in ["--local", "--plugin"] {
        assert_eq!(
            desk.run(&["hook", "install", "--agent", "codex", flag]).code,
            Some(2),
            "{flag}"
        );
    }
}

#[test]
fn it_is_taken_out_of_all_settings_unless_one_is_named() {
    let desk = Desk::empty();
    let own = ".claude/settings.local.json";
    let hook = |words: &[&str]| desk.run(&[&["hook", words[0], "--agent", "claude-code"], &words[1..]].concat());
    for words in [&["install"][..], &["install", "--local"]] {
        assert_eq!(hook(words).code, Some(0), "{words:?}");
    }
    assert!(
        hook(&["uninstall", "--project"])
            .out
            .contains("taken out of .claude/settings.json")
    );
    assert!(desk.read(own).is_some());
    // What is left is found without being named.
    let said = hook(&["uninstall"]);
    assert_eq!(said.out, "taken out of .claude/settings.local.json\n");
    assert!(desk.read(own).is_none());
    assert_eq!(hook(&["uninstall"]).out, "the hook is not in .claude/settings.json\n");
}

#[cfg(unix)]
#[test]
fn a_plugin_in_its_usual_folder_is_looked_at_and_told_of() {
    let desk = Desk::empty();
    assert_eq!(desk.run(&["hook", "check"]).code, Some(1));
    assert_eq!(
        desk.run(&["hook", "install", "--agent", "claude-code", "--plugin"])
            .code,
        Some(0)
    );
    let said = desk.run(&["hook", "check"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains(".claude/plugins/bmad-stop-hook"), "{said:?}");
    assert_eq!(desk.run(&["hook", "check", "--agent", "codex"]).code, Some(1));
    let said = desk.run(&["hook", "uninstall", "--agent", "claude-code"]);
    assert!(said.out.contains("it is in a plugin, too"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_plugin_holds_everything_it_needs() {
    let desk = Desk::reviewing(&["open"]);
    let plugin =
        |command: &str, folder: &str| desk.run(&["hook", command, "--agent", "claude-code", "--plugin", folder]);
    let said = plugin("install", "my plugin");
    assert_eq!(said.code, Some(0), "{said:?}");
    let hooks = desk.read("my plugin/hooks/hooks.json").unwrap();
    let manifest: Value = serde_json::from_str(&desk.read("my plugin/.claude-plugin/plugin.json").unwrap()).unwrap();
    assert_eq!(
        (&manifest["name"], &manifest["version"]),
        (&"bmad-stop-hook".into(), &env!("CARGO_PKG_VERSION").into())
    );
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &commands(&hooks)[0]])
        .env_clear()
        .env("CLAUDE_PLUGIN_ROOT", desk.path("my plugin"));
    assert!(feed(shell, desk.question("Done.").to_string().as_bytes()).holds());
    assert_eq!(desk.run(&["hook", "check", "--plugin", "my plugin"]).code, Some(0));
    assert_eq!(plugin("install", "my plugin").code, Some(0));
    assert_eq!(plugin("uninstall", "my plugin").code, Some(0));
    assert!(!desk.path("my plugin").exists());
    // What is somebody else's is neither overwritten nor removed.
    desk.write("other/.claude-plugin/plugin.json", "{\"name\": \"other\"}");
    assert_eq!(plugin("install", "other").code, Some(2));
    assert!(plugin("uninstall", "other").out.contains("is not in"));
    assert_eq!(super::names(&desk.path("other")), [".claude-plugin"]);
}

#[cfg(unix)]
#[test]
fn a_plugin_whose_program_is_gone_lets_the_agent_stop() {
    let desk = Desk::reviewing(&["open"]);
    desk.run(&["hook", "install", "--agent", "claude-code", "--plugin", "p"]);
    let script = desk.read("p/hooks/stop.sh").unwrap();
    desk.write(
        "p/hooks/stop.sh",
        script.replace(env!("CARGO_BIN_EXE_bmad"), "/gone/bmad"),
    );
    let mut shell = Command::new("/bin/sh");
    shell
        .arg(desk.path("p/hooks/stop.sh"))
        .env_clear()
        .env("PATH", "/usr/bin:/bin");
    let said = feed(shell, b"{}");
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    assert!(said.err.contains("bmad is not installed"), "{said:?}");
    let said = desk.run(&["hook", "check", "--plugin", "p"]);
    assert!(said.code == Some(1) && said.out.contains("answers   no"), "{said:?}");
}
