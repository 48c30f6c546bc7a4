//! What check commands said in, why no fix counts out.

use crate::builtins::Value;
use crate::builtins::given::{items, truth, words};

/// How much of the output of a command is shown, in characters.
const SHOWN: usize = 300;

/// Returns why no fix of a wave counts: a command that failed, or one that does not say how it ended.
pub(in crate::builtins) fn failed(checks: &Value) -> Option<String> {
    items(checks).iter().find_map(|check| {
        let command = words(check, &["command", "name"]);
        let command = if command.is_empty() { check.to_string() } else { command };
        let ended = check.get("ok").and_then(truth);
        let ended = ended.or_else(|| Some(check.get("exit")?.number()? == 0.0));
        match ended {
            Some(true) => None,
            Some(false) => {
                let how = match words(check, &["how"]).as_str() {
                    "" => String::new(),
                    how => format!(" ({how})"),
                };
                let output = shown(&words(check, &["output"]));
                Some(format!("the check `{command}` failed{how}{output}"))
            }
            None => Some(format!("the check `{command}` does not say how it ended")),
        }
    })
}

/// Returns the end of an output: that is where commands say what went wrong.
fn shown(output: &str) -> String {
    let length = output.chars().count();
    let end: String = output.chars().skip(length.saturating_sub(SHOWN)).collect();
    match end.trim() {
        "" => String::new(),
        end if length > SHOWN => format!(": …{end}"),
        end => format!(": {end}"),
    }
}
