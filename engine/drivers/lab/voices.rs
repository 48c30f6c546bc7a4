//! The stand-ins, one file for each agent.

mod claude_code;
mod command;

use super::voice::Voice;

/// Every stand-in, by the name of its driver.
pub(super) const VOICES: &[(&str, &dyn Voice)] = &[
    ("claude-code", &claude_code::ClaudeCode),
    ("command", &command::Command),
];
