//! The stand-ins, one file for each agent.

mod claude_code;
mod codex;
mod command;
mod copilot;
mod cursor;
mod gemini;
mod opencode;

use super::voice::Voice;

/// Every stand-in, by the name of its driver.
pub(super) const VOICES: &[(&str, &dyn Voice)] = &[
    ("claude-code", &claude_code::ClaudeCode),
    ("codex", &codex::Codex),
    ("opencode", &opencode::OpenCode),
    ("gemini", &gemini::Gemini),
    ("copilot", &copilot::Copilot),
    ("cursor", &cursor::Cursor),
    ("command", &command::Command),
];
