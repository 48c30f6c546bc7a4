//! Hooks for the tools of an agent in, the settings out by which Claude Code runs them inside its turns.

use crate::host::{InsideHook, Turn};
use crate::machine::escape::shell;
use serde_json::{Value as Json, json};

/// Returns the settings for the hooks of a turn; none where it has none.
pub(super) fn settings(turn: &Turn) -> Option<Json> {
    let of = |before: bool| -> Vec<Json> {
        let fitting = turn.hooks.iter().filter(|hook| hook.before == before);
        fitting.filter_map(|hook| entry(hook, turn)).collect()
    };
    let (before, after) = (of(true), of(false));
    let is_empty = before.is_empty() && after.is_empty();
    (!is_empty).then(|| json!({"hooks": {"PreToolUse": before, "PostToolUse": after}}))
}

fn entry(hook: &InsideHook, turn: &Turn) -> Option<Json> {
    let command = line(hook, turn)?;
    let seconds = hook.timeout.div_ceil(1000);
    let mut entry = json!({"hooks": [{"type": "command", "command": command, "timeout": seconds}]});
    if !matches!(hook.matcher.as_str(), "" | "*") {
        entry["matcher"] = json!(hook.matcher);
    }
    Some(entry)
}

/// Wraps a command so that it gets what it would get from the engine: the variables, an environment without the agent's
/// keys, and no say in what the agent may do, unless it is critical and fails.
fn line(hook: &InsideHook, turn: &Turn) -> Option<String> {
    let quoted = |text: &str| shell(text).ok();
    let (step, workflow) = (quoted(&turn.task.step)?, quoted(&turn.task.workflow)?);
    let agent = quoted(turn.task.agent.as_deref().unwrap_or_default())?;
    let command = quoted(&hook.command)?;
    let code = if hook.before { "" } else { "0" };
    let refusal = if hook.critical && hook.before { 2 } else { 1 };
    // The agent tells of the tool in JSON, on standard input. Of what the hook writes nothing is read as a decision.
    Some(format!(
        "j=$(head -c 10240; cat >/dev/null); n=; \
         case $j in *'\"tool_name\":\"'*) n=${{j#*'\"tool_name\":\"'}}; n=${{n%%'\"'*}};; esac; \
         env -i PATH=\"$PATH\" HOME=\"$HOME\" LANG=\"$LANG\" \
         BMAD_RUN_TOKEN=\"$BMAD_RUN_TOKEN\" BMAD_CALL_TOKEN=\"$BMAD_CALL_TOKEN\" \
         TOOL_NAME=\"$n\" TOOL_ARGS=\"$j\" EXIT_CODE={code} STEP={step} WORKFLOW={workflow} AGENT={agent} \
         sh -c {command} </dev/null >&2 || exit {refusal}"
    ))
}

#[cfg(test)]
mod tests {
    use super::settings;
    use crate::host::{InsideHook, Turn};
    use crate::machine::Task;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    fn turn(hook: InsideHook) -> Turn {
        Turn {
            task: Task {
                step: "it's 2".to_owned(),
                workflow: "$(touch w)".to_owned(),
                ..Task::default()
            },
            hooks: vec![hook],
            ..Turn::default()
        }
    }

    fn hook(command: &str) -> InsideHook {
        InsideHook {
            before: true,
            command: command.to_owned(),
            matcher: "Write|Edit".to_owned(),
            critical: false,
            timeout: 1500,
        }
    }

    /// Runs the wrapped command as the agent does; answers its exit code and what it wrote for people.
    #[expect(clippy::disallowed_methods, reason = "the test looks at real processes and files")]
    fn ran(hook: InsideHook, input: &str) -> (i32, String) {
        let settings = settings(&turn(hook)).unwrap();
        let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
            .as_str()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("sh")
            .args(["-c", line])
            .env("ANTHROPIC_API_KEY", "key")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.stdout.is_empty());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    #[test]
    fn a_hook_keeps_its_tools_and_its_time() {
        let settings = settings(&turn(hook("true"))).unwrap();
        let entry = &settings["hooks"]["PreToolUse"][0];
        assert_eq!(
            (&entry["matcher"], &entry["hooks"][0]["timeout"]),
            (&"Write|Edit".into(), &2.into())
        );
        assert_eq!(settings["hooks"]["PostToolUse"].as_array().unwrap().len(), 0);
    }

    #[test]
    fn the_variables_are_what_the_agent_tells_and_nothing_is_run_but_the_command() {
        let input =
            r#"{"session_id":"s","tool_name":"Write","tool_input":{"tool_name":"No","file_path":"$(touch x)"}}"#;
        let (code, said) = ran(
            hook("echo \"$TOOL_NAME|$STEP|$WORKFLOW|$ANTHROPIC_API_KEY|$TOOL_ARGS\""),
            input,
        );
        assert_eq!((code, said), (0, format!("Write|it's 2|$(touch w)||{input}\n")));
    }

    #[test]
    fn a_long_input_is_cut_and_read_to_its_end() {
        let input = format!("{{\"tool_name\":\"Write\",\"x\":\"{}\"}}", "y".repeat(1_000_000));
        let (code, said) = ran(hook("echo ${#TOOL_ARGS}"), &input);
        assert_eq!((code, said.as_str()), (0, "10240\n"));
    }

    #[test]
    fn only_a_critical_hook_keeps_a_tool_from_running() {
        assert_eq!(ran(hook("exit 2"), "{}").0, 1);
        let critical = InsideHook {
            critical: true,
            ..hook("exit 7")
        };
        assert_eq!(ran(critical, "{}").0, 2);
    }
}
