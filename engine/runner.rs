//! Effects to outcomes: the loop that performs what the machine asks for, and the texts that agents get.

mod prompt;

pub use prompt::{PROMPTS, PromptError, prompt};
