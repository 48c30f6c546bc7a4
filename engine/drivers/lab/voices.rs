//! The stand-ins, one file for each agent.

mod acp;
mod claude_code;
mod codex;
mod command;
mod copilot;
mod cursor;
mod gemini;
mod opencode;

pub(in crate::drivers) use acp::Acp;
pub(in crate::drivers) use claude_code::ClaudeCode;
pub(in crate::drivers) use codex::Codex;
pub(in crate::drivers) use command::Command;
pub(in crate::drivers) use copilot::Copilot;
pub(in crate::drivers) use cursor::Cursor;
pub(in crate::drivers) use gemini::Gemini;
pub(in crate::drivers) use opencode::OpenCode;
