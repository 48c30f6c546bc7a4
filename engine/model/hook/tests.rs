//! Hooks as files write them.

use super::{Hook, HookEvent, Hooks, hooks};
use crate::model::Document;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, parse};

fn read(path: &str, text: &str) -> Hooks {
    let path = ProjectPath::new(path).unwrap();
    let format = Format::of(path.name()).unwrap();
    let source = Source::new(SourceId(0), path, text);
    let parsed = parse(&source, format);
    hooks(&Document::new(source, parsed))
}

fn told(hook: &Hook) -> String {
    let flags = [(hook.once, " once"), (hook.critical, " critical")];
    let flags: String = flags
        .iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, word)| *word)
        .collect();
    format!("{} {} {}{flags}", hook.event.name(), hook.command.text, hook.timeout)
}

fn complaints(read: &Hooks) -> Vec<String> {
    let wrong = read.wrong.iter();
    wrong
        .map(|wrong| format!("{}; {}", wrong.message, wrong.help))
        .collect()
}

const STEP: &str = "---
step: 08a
hooks:
  SessionStart:
    - command: \"load-context.sh\"
      once: true
  PreToolUse:
    - command: \"validate-paths.sh $TOOL_ARGS\"
      critical: true
      timeout: 0.5
  Stop:
    - command: save.sh
      once: false
---
# Step
";

#[test]
fn a_step_file_names_its_hooks_in_the_frontmatter() {
    let read = read("flow/steps/step-08a-x.md", STEP);
    let all: Vec<String> = read.written.iter().map(told).collect();
    assert_eq!(
        all,
        [
            "SessionStart load-context.sh 5000 once",
            "PreToolUse validate-paths.sh $TOOL_ARGS 500 critical",
            "Stop save.sh 5000",
        ]
    );
    assert_eq!(read.wrong, []);
}

#[test]
fn the_place_of_a_command_is_inside_its_quotes() {
    let read = read("flow/steps/step-08a-x.md", STEP);
    let span = read.written[1].command.span;
    assert_eq!(
        &STEP[span.start as usize..span.end as usize],
        "validate-paths.sh $TOOL_ARGS"
    );
}

#[test]
fn project_workflow_and_agent_files_name_hooks_too() {
    let toml = read(
        "bmad.toml",
        "[[hooks.before-step]]\ncommand = \"a\"\n[[hooks.before-step]]\ncommand = \"b\"\n",
    );
    assert_eq!(toml.written.len(), 2);
    let yaml = read("flow/workflow.yaml", "name: x\nhooks:\n  on-end:\n    - command: a\n");
    assert_eq!(yaml.written[0].event, HookEvent::OnEnd);
    let agent = read(
        "x/agents/ada.agent.yaml",
        "agent:\n  hooks:\n    Stop:\n      - command: a\n",
    );
    assert_eq!(agent.written.len(), 1);
    let agent = read(
        "x/agents/ada.md",
        "---\nname: ada\nhooks:\n  Stop:\n    - command: a\n---\nYou are Ada.\n",
    );
    assert_eq!(agent.written.len(), 1);
}

#[test]
fn a_file_of_another_kind_has_no_hooks() {
    let text = "---\nhooks:\n  Stop:\n    - command: a\n---\nText.\n";
    assert_eq!(read("docs/notes.md", text), Hooks::default());
    assert_eq!(
        read("x/config.yaml", "hooks:\n  Stop:\n    - command: a\n"),
        Hooks::default()
    );
}

#[test]
fn hooks_may_stand_below_the_tools_they_are_for() {
    let text = "[[hooks.PreToolUse]]\nmatcher = \"Write|Edit\"\nhooks = [{ type = \"command\", command = \"a\" }]\n";
    let read = read("bmad.toml", text);
    let hook = &read.written[0];
    assert!(hook.is_for("Write") && hook.is_for("Edit") && !hook.is_for("Read"));
    assert_eq!(read.wrong, []);
}

#[test]
fn what_cannot_be_run_is_told_with_what_to_write() {
    let text = "hooks:
  PreTolUse:
    - command: a
  Stop:
    - comand: a
    - command: a
      once: \"yes\"
      timeout: 1000
    - command: \"a\\0b\"
    - type: prompt
      prompt: judge it
    - just words
";
    let read = read("flow/workflow.yaml", text);
    assert_eq!(
        complaints(&read),
        [
            "there is no event `PreTolUse`; did you mean `PreToolUse`?",
            "a hook has no `comand`; did you mean `command`?",
            "this hook has no command; write it as `command: \"…\"`",
            "`once` is true or false; write it without quotes",
            "a hook cannot take that long; write a number of seconds above 0 and up to 600",
            "this hook has no command; write it as `command: \"…\"`",
            "a hook has no `prompt`; a hook has `command`, `once`, `critical`, `timeout` and `matcher`",
            "only hooks of the type `command` are run; name a `command`",
            "this hook has no command; write it as `command: \"…\"`",
        ]
    );
    let all: Vec<String> = read.written.iter().map(told).collect();
    assert_eq!(all, ["Stop a 5000"]);
}
