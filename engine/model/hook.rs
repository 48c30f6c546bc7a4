//! `hooks:` of a file in, the commands it names out: read as data, each with its place. Nothing is run here.

use super::instruction::Words;
use super::library::Document;
use super::names::SETTINGS;
use super::role::Role;
use crate::diagnostic::nearest;
use crate::source::Span;
use crate::syntax::{Format, Node, Value};

/// The moment a hook runs at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookEvent {
    /// A conversation with an agent begins.
    SessionStart,
    /// A tool is about to be used.
    PreToolUse,
    /// A tool was used.
    PostToolUse,
    /// A step is over, or the turn of the agent whose file names the hook.
    Stop,
    /// A step is about to begin.
    BeforeStep,
    /// A step is over.
    AfterStep,
    /// An agent is about to take a turn.
    BeforeDispatch,
    /// A turn is over.
    AfterDispatch,
    /// Somebody is about to be asked.
    OnQuestion,
    /// The run is over.
    OnEnd,
}

impl HookEvent {
    /// Every event, in the order people are told about them.
    pub const ALL: &'static [HookEvent] = &[
        HookEvent::SessionStart,
        HookEvent::PreToolUse,
        HookEvent::PostToolUse,
        HookEvent::Stop,
        HookEvent::BeforeStep,
        HookEvent::AfterStep,
        HookEvent::BeforeDispatch,
        HookEvent::AfterDispatch,
        HookEvent::OnQuestion,
        HookEvent::OnEnd,
    ];

    /// Returns the name that is written.
    pub fn name(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "SessionStart",
            HookEvent::PreToolUse => "PreToolUse",
            HookEvent::PostToolUse => "PostToolUse",
            HookEvent::Stop => "Stop",
            HookEvent::BeforeStep => "before-step",
            HookEvent::AfterStep => "after-step",
            HookEvent::BeforeDispatch => "before-dispatch",
            HookEvent::AfterDispatch => "after-dispatch",
            HookEvent::OnQuestion => "on-question",
            HookEvent::OnEnd => "on-end",
        }
    }

    /// Finds an event by its name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|event| event.name() == name)
    }
}

/// A command that a file wants to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// When.
    pub event: HookEvent,
    /// What, for a shell.
    pub command: Words,
    /// The tools it is for, separated by `|`; none is all of them.
    pub matcher: Option<String>,
    /// Whether it runs only the first time.
    pub once: bool,
    /// Whether the run does not go on without it.
    pub critical: bool,
    /// How many milliseconds it may take.
    pub timeout: u64,
}

impl Hook {
    /// Says whether it is for a tool.
    pub fn is_for(&self, tool: &str) -> bool {
        match self.matcher.as_deref() {
            None | Some("" | "*") => true,
            Some(names) => names.split('|').any(|name| name.trim() == tool),
        }
    }
}

/// An entry that names no command that could be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongHook {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The hooks of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hooks {
    /// Those that can be run, in the order they are written.
    pub written: Vec<Hook>,
    /// Those that cannot.
    pub wrong: Vec<WrongHook>,
}

/// How long a hook may take where nothing is said, in milliseconds.
const TIMEOUT: u64 = 5_000;
/// The most seconds it may take whatever is said.
const LONGEST: f64 = 600.0;
const KEYS: &[&str] = &["command", "once", "critical", "timeout", "matcher", "type", "hooks"];

/// Reads the hooks of a file: frontmatter of Markdown, a key of YAML, the tables of `bmad.toml`.
pub fn hooks(document: &Document) -> Hooks {
    let mut read = Hooks::default();
    if let Some(table) = table(document) {
        let mut reader = Reader {
            document,
            read: &mut read,
        };
        reader.events(table);
    }
    read
}

fn table(document: &Document) -> Option<&Node> {
    let parsed = &document.parsed;
    let data = match parsed.format {
        Format::Markdown => parsed.frontmatter.as_ref()?.data.as_ref()?,
        Format::Yaml | Format::Toml => parsed.data.as_ref()?,
        Format::Csv | Format::Xml => return None,
    };
    match document.role {
        Role::AgentYaml => data
            .get("agent")
            .and_then(|agent| agent.get("hooks"))
            .or(data.get("hooks")),
        Role::WorkflowYaml
        | Role::WorkflowMarkdown
        | Role::StepFile
        | Role::Skill
        | Role::Instructions
        | Role::AgentMarkdown => data.get("hooks"),
        Role::Other => match document.source.path() {
            path if path.as_str() == SETTINGS => data.get("hooks"),
            path if path.folder().name() == "agents" && parsed.format == Format::Markdown => data.get("hooks"),
            _ => None,
        },
        Role::TaskXml
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Template => None,
    }
}

struct Reader<'a> {
    document: &'a Document,
    read: &'a mut Hooks,
}

impl Reader<'_> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.read.wrong.push(WrongHook {
            span,
            message: message.into(),
            help: help.into(),
        });
    }

    fn events(&mut self, table: &Node) {
        if !matches!(table.value, Value::Map(_) | Value::Null) {
            let help = "write the events below it, each with its hooks";
            return self.wrong(table.span, "`hooks` is no table of events", help);
        }
        for pair in table.pairs() {
            let Some(event) = HookEvent::named(&pair.key) else {
                let near = nearest(&pair.key, HookEvent::ALL.iter().map(|event| event.name()));
                let all: Vec<&str> = HookEvent::ALL.iter().map(|event| event.name()).collect();
                let help = near.map_or_else(
                    || format!("there are {}", all.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.wrong(pair.key_span, format!("there is no event `{}`", pair.key), help);
                continue;
            };
            match &pair.node.value {
                Value::List(entries) => entries.iter().for_each(|entry| self.entry(event, entry, None)),
                Value::Map(_) => self.entry(event, &pair.node, None),
                Value::Null => {}
                Value::Text(_) | Value::Number(_) | Value::Bool(_) => self.entry(event, &pair.node, None),
            }
        }
    }

    /// Reads one entry; one that holds `hooks` of its own names the tools they are for.
    fn entry(&mut self, event: HookEvent, entry: &Node, around: Option<&str>) {
        for pair in entry.pairs() {
            if !KEYS.contains(&pair.key.as_str()) {
                let near = nearest(&pair.key, KEYS.iter().copied());
                let help = near.map_or(
                    "a hook has `command`, `once`, `critical`, `timeout` and `matcher`".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                self.wrong(pair.key_span, format!("a hook has no `{}`", pair.key), help);
            }
        }
        let own = entry.get("matcher").and_then(Node::text);
        let matcher = own.or(around);
        if let Some(inner) = entry.get("hooks")
            && around.is_none()
        {
            for entry in inner.items() {
                self.entry(event, entry, Some(matcher.unwrap_or_default()));
            }
            return;
        }
        if entry.get("type").is_some_and(|kind| kind.text() != Some("command")) {
            return self.wrong(
                entry.span,
                "only hooks of the type `command` are run",
                "name a `command`",
            );
        }
        let Some(command) = self.command(entry) else {
            return self.wrong(entry.span, "this hook has no command", "write it as `command: \"…\"`");
        };
        let hook = Hook {
            event,
            command,
            matcher: matcher.map(str::to_owned),
            once: self.flag(entry, "once"),
            critical: self.flag(entry, "critical"),
            timeout: self.timeout(entry),
        };
        self.read.written.push(hook);
    }

    fn command(&mut self, entry: &Node) -> Option<Words> {
        let node = entry.get("command")?;
        let text = node.text()?.trim();
        let words = Words {
            text: text.to_owned(),
            span: node.inner(&self.document.source),
        };
        (!text.is_empty() && !text.contains('\0')).then_some(words)
    }

    fn flag(&mut self, entry: &Node, key: &str) -> bool {
        let Some(node) = entry.get(key) else {
            return false;
        };
        let Value::Bool(truth) = node.value else {
            self.wrong(
                node.span,
                format!("`{key}` is true or false"),
                "write it without quotes",
            );
            return false;
        };
        truth
    }

    fn timeout(&mut self, entry: &Node) -> u64 {
        let Some(node) = entry.get("timeout") else {
            return TIMEOUT;
        };
        let seconds = node.text().and_then(|text| text.parse::<f64>().ok());
        match seconds.filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST) {
            Some(seconds) => (seconds * 1000.0).ceil() as u64,
            None => {
                let help = format!("write a number of seconds above 0 and up to {LONGEST}");
                self.wrong(node.span, "a hook cannot take that long", help);
                TIMEOUT
            }
        }
    }
}

#[cfg(test)]
mod tests;
