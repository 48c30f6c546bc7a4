//! A turn in, the text an agent gets out. The words are in `stdlib/prompts`; a project replaces any of them by name.
//!
//! Values reach a template as values only: nothing they say is read as template syntax, and a value of several lines
//! stands in a fence that is longer than any fence inside it.

use crate::builtins::Value;
use crate::machine::render::without_block_lines;
use crate::machine::{Access, Task};
use crate::project::STDLIB;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use std::fmt;

/// The names of the prompt files, by which a project replaces them.
pub const PROMPTS: &[&str] = &["turn.j2", "judge.j2", "who.j2", "given.j2", "reply.j2"];

/// The longest value that is shown on the line of its name.
const LONGEST_LINE: usize = 200;
/// Fields that an envelope has a place of its own for.
const OWN_PLACES: &[&str] = &["findings", "text"];

/// Why a prompt could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptError {
    /// The prompt file.
    pub name: String,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for PromptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PromptError { name, line, why } = self;
        match line {
            Some(line) => write!(formatter, "the prompt `{name}` fails at line {line}: {why}"),
            None => write!(formatter, "the prompt `{name}` fails: {why}"),
        }
    }
}

impl std::error::Error for PromptError {}

/// Makes the text of a turn; `overrides` gives the project's own text of a prompt file, where it has one.
pub fn prompt(task: &Task, overrides: &dyn Fn(&str) -> Option<String>) -> Result<String, PromptError> {
    let text = |name: &str| overrides(name).unwrap_or_else(|| standard(name).to_owned());
    let own: Vec<(&str, String)> = PROMPTS
        .iter()
        .map(|name| (*name, without_block_lines(&text(name))))
        .collect();
    let texts = own.iter().map(|(name, text)| (*name, text.as_str()));
    Prompts::of(environment(), texts)?.prompt(task)
}

/// Prompt files that are read once, for many turns.
#[derive(Debug)]
pub struct Prompts<'s>(Environment<'s>);

impl Prompts<'static> {
    /// Reads the prompts of a project that replaces none of them.
    ///
    /// # Errors
    /// Answers what is wrong with one of them.
    pub fn standard() -> Result<Self, PromptError> {
        let mut environment = environment();
        // No line of theirs ends in a block behind other text, so they can be read where they are.
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        Self::of(environment, PROMPTS.iter().map(|name| (*name, standard(name))))
    }
}

impl<'s> Prompts<'s> {
    fn of(
        mut environment: Environment<'s>,
        texts: impl Iterator<Item = (&'s str, &'s str)>,
    ) -> Result<Self, PromptError> {
        for (name, text) in texts {
            environment
                .add_template(name, text)
                .map_err(|error| failure(name, &error))?;
        }
        Ok(Self(environment))
    }

    /// Makes the text of a turn.
    ///
    /// # Errors
    /// Answers what is wrong with a prompt file.
    pub fn prompt(&self, task: &Task) -> Result<String, PromptError> {
        let name = if task.only_judges() { "judge.j2" } else { "turn.j2" };
        let made = self
            .0
            .get_template(name)
            .and_then(|template| template.render(Scene::of(task)))
            .map_err(|error| failure(name, &error))?;
        Ok(tidy(&made))
    }
}

fn environment<'s>() -> Environment<'s> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_keep_trailing_newline(true);
    environment.add_filter("item", item);
    environment.add_filter("line", |text: String| line(&text));
    environment.add_filter("shown", |text: String, name: String| shown(&text, &name));
    environment.add_filter("json", |text: String| serde_json::Value::from(text).to_string());
    environment
}

/// Everything a template can name; nothing is left out, so that a name that is not here is a mistake.
#[derive(Serialize)]
struct Scene<'t> {
    agent: &'t str,
    persona: &'t str,
    workflow: &'t str,
    step: &'t str,
    goal: &'t str,
    request: &'t str,
    prompt: &'t str,
    rules: &'t [String],
    instructions: Vec<Listed<'t>>,
    conditions: &'t [String],
    params: Vec<Named<'t>>,
    variables: Vec<Named<'t>>,
    files: &'t [String],
    answered: Vec<Answered<'t>>,
    again: &'t [String],
    attempt: u32,
    may_write: bool,
    wanted: Needed<'t>,
}

#[derive(Serialize)]
struct Listed<'t> {
    n: u32,
    text: &'t str,
    optional: bool,
    place: &'t str,
}

#[derive(Serialize)]
struct Named<'t> {
    name: &'t str,
    value: String,
}

#[derive(Serialize)]
struct Answered<'t> {
    question: &'t str,
    answer: &'t str,
}

#[derive(Serialize)]
struct Needed<'t> {
    variables: &'t [String],
    sections: &'t [String],
    findings: bool,
    fields: Vec<&'t str>,
}

impl<'t> Scene<'t> {
    fn of(task: &'t Task) -> Self {
        let wanted = task.wanted.fields.iter().map(String::as_str);
        Self {
            agent: task.agent.as_deref().unwrap_or(""),
            persona: task.persona.trim(),
            workflow: &task.workflow,
            step: &task.step,
            goal: &task.goal,
            request: task.request.trim(),
            prompt: task.prompt.trim(),
            rules: &task.rules,
            instructions: task.instructions.iter().map(Listed::of).collect(),
            conditions: &task.conditions,
            params: task.params.iter().map(|(name, value)| Named::of(name, value)).collect(),
            variables: task
                .variables
                .iter()
                .map(|(name, value)| Named {
                    name,
                    value: value.clone(),
                })
                .collect(),
            files: &task.files,
            answered: task
                .answered
                .iter()
                .map(|(question, answer)| Answered { question, answer })
                .collect(),
            again: &task.again,
            attempt: task.attempt,
            may_write: task.access == Access::Write && !task.only_judges(),
            wanted: Needed {
                variables: &task.wanted.variables,
                sections: &task.wanted.sections,
                findings: wanted.clone().any(|name| name == "findings"),
                fields: wanted.filter(|name| !OWN_PLACES.contains(name)).collect(),
            },
        }
    }
}

impl<'t> Listed<'t> {
    fn of(order: &'t crate::machine::Order) -> Self {
        Self {
            n: order.n,
            text: &order.text,
            optional: order.optional,
            place: &order.place,
        }
    }
}

impl<'t> Named<'t> {
    /// Lists and maps are shown as JSON: an agent can hand them back as they are.
    fn of(name: &'t str, value: &Value) -> Self {
        let value = match value {
            Value::List(_) | Value::Map(_) => serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => value.to_string(),
        };
        Self { name, value }
    }
}

fn standard(name: &str) -> &'static str {
    let is_it = |path: &str| path.strip_prefix("prompts/") == Some(name);
    STDLIB.iter().find(|file| is_it(file.path)).map_or("", |file| file.text)
}

/// Keeps a text of several lines inside its list item; one that holds fences is fenced itself.
fn item(text: String, indent: usize) -> String {
    let text = text.trim();
    let margin = " ".repeat(indent);
    let body = if text.contains("```") || text.contains("~~~") {
        format!("As follows:\n{}", fenced(text))
    } else {
        text.to_owned()
    };
    let mut lines = body.lines();
    let mut kept = lines.next().unwrap_or("").to_owned();
    for line in lines {
        kept.push('\n');
        if !line.trim().is_empty() {
            kept.push_str(&margin);
            kept.push_str(line);
        }
    }
    kept
}

/// Puts a text on one line.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Shows a value under its name: on the same line where it is short, in a fence otherwise.
fn shown(text: &str, name: &str) -> String {
    let name = line(name);
    let plain = text.trim();
    let short = plain.len() <= LONGEST_LINE && !plain.contains(['\n', '\r']);
    if plain.is_empty() {
        format!("- {name}: (empty)")
    } else if short && !plain.contains("```") && !plain.contains("~~~") {
        format!("- {name}: {plain}")
    } else {
        format!("- {name}:\n\n{}\n", fenced(text))
    }
}

/// Fences a text with more marks than any run of them inside it.
fn fenced(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for each in text.chars() {
        run = if each == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(3) + usize::from(longest >= 3));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}text\n{text}{end}{fence}")
}

/// Ends the text with one line break.
fn tidy(text: &str) -> String {
    let mut kept = text.trim().to_owned();
    kept.push('\n');
    kept
}

fn failure(name: &str, error: &minijinja::Error) -> PromptError {
    // An include that fails says so; the reason is below it.
    let mut cause = error;
    while let Some(below) = std::error::Error::source(cause).and_then(|it| it.downcast_ref::<minijinja::Error>()) {
        cause = below;
    }
    PromptError {
        name: cause.name().unwrap_or(name).to_owned(),
        line: cause.line(),
        why: match cause.detail() {
            Some(detail) => format!("{}: {detail}", cause.kind()),
            None => cause.kind().to_string(),
        },
    }
}

#[cfg(test)]
mod tests;
