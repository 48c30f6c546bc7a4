//! Hooks around the turns of agents.

use super::{Kitchen, folder_with};

const AGENT: &str = "cat > /dev/null\necho '```json'\necho '{\"text\":\"Fine.\"}'\necho '```'\n";

/// Two agents look at the same time and may only read.
const REVIEW: &str = r#"<workflow name="Tea">
  <step n="1" goal="Taste">
    <dispatch agents="ada,bea" mode="fresh" access="read" into="replies">Taste it.</dispatch>
  </step>
</workflow>
"#;

fn reviewing(hooks: &str, ada: &str) -> Kitchen {
    let files = [
        ("workflow.xml", REVIEW),
        ("bmad.toml", hooks),
        ("agent.sh", AGENT),
        ("agents/ada.md", ada),
        ("agents/bea.md", "---\nname: bea\n---\nYou are Bea.\n"),
    ];
    Kitchen {
        folder: folder_with(&files),
        state: tempfile::tempdir().unwrap(),
    }
}

fn review(kitchen: &Kitchen) -> super::Ended {
    kitchen.call(&[
        "exec",
        "workflow.xml",
        "--non-interactive",
        "--agent",
        "command:sh agent.sh",
    ])
}

#[test]
fn what_a_hook_writes_while_agents_read_is_not_blamed_on_them() {
    let hooks = "[[hooks.before-dispatch]]\ncommand = '''echo \"$AGENT\" >> log'''\n";
    let kitchen = reviewing(hooks, "---\nname: ada\n---\nYou are Ada.\n");
    kitchen.trust();
    let ended = review(&kitchen);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(!ended.errors.contains("may only read"), "{}", ended.errors);
    assert_eq!(kitchen.read("log"), "ada\nbea\n");
}

#[test]
fn the_hooks_of_an_agent_s_file_run_around_its_own_turns() {
    let ada = "---
name: ada
hooks:
  SessionStart:
    - command: echo \"start $AGENT\" >> log
  Stop:
    - command: echo \"stop $AGENT $EXIT_CODE\" >> log
---
You are Ada.
";
    let kitchen = reviewing("", ada);
    let trusted = kitchen.call(&["trust", "agents/ada.md", "--yes"]);
    assert_eq!(trusted.code, 0, "{}{}", trusted.output, trusted.errors);
    let ended = review(&kitchen);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(kitchen.read("log"), "start ada\nstop ada 0\n");
}

/// An agent without conversations: it keeps every prompt, its first reply is none, and it ends the run the third time.
const FORGETFUL: &str = r#"n=$(ls | grep -c '^prompt')
cat > "prompt.$n"
[ "$n" = 0 ] && { echo 'Not yet.'; exit 0; }
[ "$n" = 2 ] && { echo 'quota exceeded'; exit 1; }
echo '```json'
echo '{"instructions":[{"n":1,"status":"done"}]}'
echo '```'
"#;

#[test]
fn an_agent_without_conversations_gets_what_was_written_at_the_beginning_with_every_turn() {
    let flow = r#"<workflow name="Tea">
  <step n="1" goal="Boil"><action>Boil the water.</action></step>
  <step n="2" goal="Pour"><action>Pour the tea.</action></step>
</workflow>
"#;
    let hooks =
        "[[hooks.SessionStart]]\ncommand = '''echo ran >> ran.log; echo \"the kettle is red\"'''\nonce = true\n";
    let files = [("workflow.xml", flow), ("bmad.toml", hooks), ("agent.sh", FORGETFUL)];
    let kitchen = Kitchen {
        folder: folder_with(&files),
        state: tempfile::tempdir().unwrap(),
    };
    kitchen.trust();
    review(&kitchen);
    let resumed = kitchen.call(&["resume", "--non-interactive"]);
    assert_eq!(resumed.code, 0, "{}", resumed.errors);
    assert_eq!(kitchen.read("ran.log"), "ran\n");
    for n in 0..4 {
        let prompt = kitchen.read(&format!("prompt.{n}"));
        assert!(
            prompt.contains("context of the session: the kettle is red"),
            "{n}: {prompt}"
        );
    }
    assert_eq!(kitchen.call(&["verify"]).code, 0);
}
