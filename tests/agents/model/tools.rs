//! What is to be done and the tools a client declares in, a call of one of them out.

use serde_json::{Value, json};

/// A tool that a client declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) name: String,
    /// Whether it takes text instead of an object.
    pub(super) free: bool,
}

impl Tool {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            free: false,
        }
    }
}

/// A call of a tool; its arguments are an object, or text for a free-form tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Value,
}

impl Call {
    /// Returns the arguments as the text that some APIs want.
    pub(super) fn text(&self) -> String {
        match &self.arguments {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// Writes a file: with a tool for files, with a patch, or else with a command.
pub(super) fn write(path: &str, content: &str, tools: &[Tool]) -> Call {
    let forms = [
        ("Write", json!({"file_path": path, "content": content})),
        ("write_file", json!({"file_path": path, "content": content})),
        ("write", json!({"filePath": path, "content": content})),
        ("create", json!({"path": path, "file_text": content})),
    ];
    if let Some(call) = first(forms, tools) {
        return call;
    }
    if let Some(tool) = tools.iter().find(|tool| tool.name == "apply_patch") {
        let added: String = content.lines().map(|line| format!("+{line}\n")).collect();
        let patch = format!("*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch\n");
        return Call {
            name: tool.name.clone(),
            arguments: if tool.free {
                patch.into()
            } else {
                json!({"input": patch})
            },
        };
    }
    shell(&format!("printf %s {} > {}", quoted(content), quoted(path)), tools)
}

/// Runs a command.
pub(super) fn shell(command: &str, tools: &[Tool]) -> Call {
    let forms = [
        ("Bash", json!({"command": command, "description": "run"})),
        ("run_shell_command", json!({"command": command, "description": "run"})),
        ("exec_command", json!({"cmd": command})),
        ("shell_command", json!({"command": command})),
        ("shell", json!({"command": ["bash", "-lc", command]})),
        ("bash", json!({"command": command, "description": "run"})),
    ];
    let [(name, arguments), ..] = forms.clone();
    first(forms, tools).unwrap_or(Call {
        name: name.to_owned(),
        arguments,
    })
}

/// Answers by a schema, where the client has a tool for that.
pub(super) fn structured(value: &Value, tools: &[Tool]) -> Option<Call> {
    first([("StructuredOutput", value.clone())], tools)
}

fn first<const N: usize>(forms: [(&str, Value); N], tools: &[Tool]) -> Option<Call> {
    let mut forms = forms.into_iter();
    let (name, arguments) = forms.find(|(name, _)| tools.iter().any(|tool| tool.name == *name))?;
    Some(Call {
        name: name.to_owned(),
        arguments,
    })
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn named(names: &[&str]) -> Vec<Tool> {
    names.iter().map(|name| Tool::new(name)).collect()
}

#[test]
fn a_file_is_written_with_the_tool_that_the_client_has() {
    for (name, key) in [
        ("Write", "file_path"),
        ("write_file", "file_path"),
        ("write", "filePath"),
        ("create", "path"),
    ] {
        let call = write("a.txt", "hi", &named(&["bash", name]));
        assert_eq!((call.name.as_str(), &call.arguments[key]), (name, &json!("a.txt")));
    }
}

#[test]
fn a_patch_is_text_for_a_free_form_tool_and_an_object_for_another() {
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n";
    let tool = |free| Tool {
        free,
        ..Tool::new("apply_patch")
    };
    assert_eq!(write("a.txt", "one\ntwo\n", &[tool(true)]).arguments, json!(patch));
    assert_eq!(
        write("a.txt", "one\ntwo\n", &[tool(false)]).arguments,
        json!({"input": patch})
    );
}

#[test]
fn a_client_without_a_tool_for_files_runs_a_command() {
    let call = write("a b", "it's", &named(&["exec_command"]));
    assert_eq!(call.arguments, json!({"cmd": r"printf %s 'it'\''s' > 'a b'"}));
}

#[test]
fn a_command_is_run_with_the_tool_that_the_client_has() {
    for name in [
        "Bash",
        "run_shell_command",
        "exec_command",
        "shell_command",
        "shell",
        "bash",
    ] {
        assert_eq!(shell("ls", &named(&[name])).name, name);
    }
    let call = shell("ls", &named(&["shell"]));
    assert_eq!(call.arguments, json!({"command": ["bash", "-lc", "ls"]}));
}
