//! `bmad.toml` at a project's root in, who works and what it may cost out.

use crate::host::{
    AgentSettings, Ceiling, Chosen, Described, Limits, Permission, Price, ReadError, Staff, TaskSettings, Workspace,
};
use crate::lint::wrong_settings;
use crate::model::SETTINGS;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Node, Pair, Value, parse};
use std::path::Path;

/// What was read.
#[derive(Debug, Default)]
pub struct Staffed {
    /// What is set.
    pub staff: Staff,
    /// Every agent that is named, and where.
    pub named: Vec<NamedAgent>,
    /// Every table that says how an agent is called, and where.
    pub tables: Vec<NamedAgent>,
}

/// An agent that a setting names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedAgent {
    /// The setting, such as `agents.default`.
    pub key: String,
    /// The agent: a spec such as `claude-code`, or the name of a table.
    pub agent: String,
    /// Where it stands: `bmad.toml:3:11`.
    pub place: String,
}

/// An entry that sets nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where it stands: `bmad.toml:3:1`.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
    /// What to write.
    pub help: String,
}

/// Reads what a project sets about agents; a project without the file sets nothing.
///
/// # Errors
/// Answers every entry that sets nothing, and what keeps the file from being read.
pub fn staff(host: &dyn Workspace, root: &Path) -> Result<Staffed, Vec<Mistake>> {
    let unread = |message: String| {
        vec![Mistake {
            place: SETTINGS.to_owned(),
            message,
            help: "repair the file, or take it away".to_owned(),
        }]
    };
    let bytes = match host.read(&root.join(SETTINGS)) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing) => return Ok(Staffed::default()),
        Err(error) => return Err(unread(error.to_string())),
    };
    let text = String::from_utf8(bytes).map_err(|_| unread("it is not UTF-8 text".to_owned()))?;
    let path = ProjectPath::new(SETTINGS).unwrap_or_else(ProjectPath::root);
    let file = File(Source::new(SourceId(0), path, text));
    let parsed = parse(&file.0, Format::Toml);
    let mut mistakes: Vec<Mistake> = Vec::new();
    for fault in &parsed.faults {
        mistakes.push(Mistake {
            place: file.place(fault.span.start),
            message: format!("the file cannot be read: {}", fault.detail),
            help: "`bmad explain bad-toml` says more".to_owned(),
        });
    }
    let Some(data) = parsed.data.as_ref().filter(|_| mistakes.is_empty()) else {
        return if mistakes.is_empty() {
            Ok(Staffed::default())
        } else {
            Err(mistakes)
        };
    };
    mistakes.extend(wrong_settings(data).into_iter().map(|wrong| Mistake {
        place: file.place(wrong.span.start),
        message: wrong.message,
        help: wrong.help,
    }));
    match mistakes.is_empty() {
        true => Ok(file.read(data)),
        false => Err(mistakes),
    }
}

struct File(Source);

impl File {
    fn place(&self, offset: u32) -> String {
        let position = self.0.position(offset);
        format!("{SETTINGS}:{}:{}", position.line, position.column)
    }

    fn read(&self, data: &Node) -> Staffed {
        let agents = data.get("agents");
        let get = |key: &str| agents.and_then(|agents| agents.get(key));
        let mut named = Vec::new();
        let staff = Staff {
            default: get("default").and_then(|node| self.one(node, "agents.default", &mut named)),
            fallback: get("fallback")
                .map(|node| self.all(node, "agents.fallback", &mut named))
                .unwrap_or_default(),
            tasks: pairs(get("tasks"))
                .map(|pair| (pair.key.clone(), self.task(pair, &mut named)))
                .collect(),
            agents: agents_of(data),
            tiers: pairs(data.get("tiers"))
                .filter_map(|pair| Some((pair.key.parse().ok()?, pair.node.text()?.to_owned())))
                .collect(),
            prices: pairs(data.get("prices"))
                .map(|pair| (pair.key.clone(), price(&pair.node)))
                .collect(),
            limits: data.get("limits").map(limits).unwrap_or_default(),
        };
        let tables = tables(data).map(|pair| NamedAgent {
            key: format!("agents.{}", pair.key),
            agent: pair.key.clone(),
            place: self.place(pair.key_span.start),
        });
        Staffed {
            staff,
            named,
            tables: tables.collect(),
        }
    }

    /// Reads the name of an agent.
    fn one(&self, node: &Node, key: &str, named: &mut Vec<NamedAgent>) -> Option<String> {
        let agent = node.text()?.trim().to_owned();
        named.push(NamedAgent {
            key: key.to_owned(),
            agent: agent.clone(),
            place: self.place(node.span.start),
        });
        Some(agent)
    }

    /// Reads one name or a list of them; `false` is nobody.
    fn all(&self, node: &Node, key: &str, named: &mut Vec<NamedAgent>) -> Vec<String> {
        match self.one(node, key, named) {
            Some(one) => vec![one],
            None => node
                .items()
                .iter()
                .filter_map(|item| self.one(item, key, named))
                .collect(),
        }
    }

    fn task(&self, pair: &Pair, named: &mut Vec<NamedAgent>) -> TaskSettings {
        let key = |what: &str| format!("agents.tasks.{}.{what}", pair.key);
        let agent = pair
            .node
            .get("agent")
            .map(|node| match node.value == Value::Bool(false) {
                true => Chosen::Nobody,
                false => Chosen::Agent(self.one(node, &key("agent"), named).unwrap_or_default()),
            });
        let fallback = pair.node.get("fallback");
        TaskSettings {
            agent,
            fallback: fallback.map(|node| self.all(node, &key("fallback"), named)),
            model: word(&pair.node, "model"),
        }
    }
}

/// Returns the tables that say how agents are called.
fn tables(data: &Node) -> impl Iterator<Item = &Pair> {
    let reserved = |pair: &&Pair| !matches!(pair.key.as_str(), "default" | "fallback" | "tasks");
    pairs(data.get("agents")).filter(reserved)
}

/// Reads how agents are called: a table for each, and their names for models.
fn agents_of(data: &Node) -> Vec<(String, AgentSettings)> {
    let table = |pair: &Pair| (pair.key.clone(), agent(&pair.node));
    let mut agents: Vec<(String, AgentSettings)> = tables(data).map(table).collect();
    for pair in pairs(data.get("models")) {
        let models = entries(Some(&pair.node));
        match agents.iter_mut().find(|(name, _)| *name == pair.key) {
            Some((_, settings)) => settings.models = models,
            None => agents.push((
                pair.key.clone(),
                AgentSettings {
                    models,
                    ..AgentSettings::default()
                },
            )),
        }
    }
    agents
}

fn agent(node: &Node) -> AgentSettings {
    AgentSettings {
        program: word(node, "program"),
        arguments: words(node, "arguments"),
        pass: words(node, "pass"),
        set: entries(node.get("set")),
        model: word(node, "model"),
        models: Vec::new(),
        permission: match word(node, "permission").as_deref() {
            Some("all") => Permission::All,
            Some(_) | None => Permission::Edit,
        },
        allow: words(node, "allow"),
        deny: words(node, "deny"),
        silence: count(node, "silence").map(seconds),
        linger: count(node, "linger").map(seconds),
        described: Described {
            with_model: words(node, "with-model"),
            with_session: words(node, "with-session"),
            when_reading: words(node, "when-reading"),
            find: entries(node.get("find")),
        },
    }
}

fn price(node: &Node) -> Price {
    Price {
        input: amount(node, "input"),
        cached: amount(node, "cached"),
        stored: amount(node, "stored"),
        output: amount(node, "output"),
    }
}

fn limits(node: &Node) -> Limits {
    let ceiling = |key: &str| node.get(key).map(ceiling).unwrap_or_default();
    Limits {
        run: ceiling("run"),
        workflow: ceiling("workflow"),
        step: ceiling("step"),
        estimate: amount(node, "estimate"),
    }
}

fn ceiling(node: &Node) -> Ceiling {
    Ceiling {
        money: amount(node, "money"),
        tokens: count(node, "tokens"),
        calls: count(node, "calls"),
        hourly: count(node, "calls-per-hour"),
        time: count(node, "time"),
    }
}

fn pairs(node: Option<&Node>) -> impl Iterator<Item = &Pair> {
    node.map(Node::pairs).unwrap_or_default().iter()
}

fn entries(node: Option<&Node>) -> Vec<(String, String)> {
    let entry = |pair: &Pair| Some((pair.key.clone(), pair.node.text()?.to_owned()));
    pairs(node).filter_map(entry).collect()
}

fn word(node: &Node, key: &str) -> Option<String> {
    node.get(key).and_then(Node::text).map(str::to_owned)
}

fn words(node: &Node, key: &str) -> Vec<String> {
    let items = node.get(key).map(Node::items).unwrap_or_default();
    items.iter().filter_map(Node::text).map(str::to_owned).collect()
}

fn amount(node: &Node, key: &str) -> Option<f64> {
    node.get(key)?.text()?.replace('_', "").parse().ok()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number that is not negative, or it would have been a mistake"
)]
fn count(node: &Node, key: &str) -> Option<u64> {
    amount(node, key).map(|number| number as u64)
}

fn seconds(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
