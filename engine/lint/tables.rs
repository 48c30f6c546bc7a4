//! The tables of `bmad.toml` that say who works and what it may cost in; entries that set nothing out.

mod review;

pub use review::{review_block, wrong_review};

use crate::diagnostic::nearest;
use crate::source::Span;
use crate::syntax::{Node, Pair, Value};

/// An entry that sets nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSetting {
    /// Where it stands.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
    /// What to write.
    pub help: String,
}

/// The agents there are, by the word that stands before the first `:` of their names.
pub const AGENTS_THERE_ARE: &[&str] = &[
    "offline",
    "script",
    "manual",
    "claude-code",
    "codex",
    "opencode",
    "gemini",
    "copilot",
    "cursor",
    "acp",
    "command",
    "record",
    "cassette",
    "chaos",
];

/// What an entry may be.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Another rule looks at it.
    Elsewhere,
    /// A text.
    Text,
    /// The name of an agent.
    Agent,
    /// The name of an agent, or `false`.
    AgentOrOff,
    /// The name of an agent, a list of them, or `false`.
    AgentsOrOff,
    /// A list of texts.
    Texts,
    /// True or false.
    Truth,
    /// A number from 0 to 100.
    Percent,
    /// A list of these words.
    Words(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number that is not negative.
    Amount,
    /// The same without a fraction.
    Count,
    /// The same, and not 0.
    Some,
    /// A table with these keys.
    Keys(&'static [(&'static str, Form)]),
    /// A table with these keys, and tables of this form under any other.
    KeysAnd(&'static [(&'static str, Form)], &'static Form),
    /// A table with any keys, each of this form.
    Names(&'static Form),
}

const CEILING: Form = Form::Keys(&[
    ("money", Form::Amount),
    ("tokens", Form::Count),
    ("calls", Form::Count),
    ("calls-per-hour", Form::Count),
    ("time", Form::Count),
]);

const AGENT: Form = Form::Keys(&[
    ("program", Form::Text),
    ("arguments", Form::Texts),
    ("pass", Form::Texts),
    ("set", Form::Names(&Form::Text)),
    ("model", Form::Text),
    ("permission", Form::Word(&["edit", "all"])),
    ("allow", Form::Texts),
    ("deny", Form::Texts),
    ("silence", Form::Count),
    ("linger", Form::Count),
    ("with-model", Form::Texts),
    ("with-session", Form::Texts),
    ("when-reading", Form::Texts),
    ("find", FIND),
]);

/// What may be found in the JSON that a program writes.
const FIND: Form = Form::Keys(&[
    ("text", Form::Text),
    ("session", Form::Text),
    ("model", Form::Text),
    ("input", Form::Text),
    ("cached", Form::Text),
    ("output", Form::Text),
    ("cost", Form::Text),
    ("error", Form::Text),
]);

const TASK: Form = Form::Keys(&[
    ("agent", Form::AgentOrOff),
    ("fallback", Form::AgentsOrOff),
    ("model", Form::Text),
]);

const AGENTS: Form = Form::KeysAnd(
    &[
        ("default", Form::Agent),
        ("fallback", Form::AgentsOrOff),
        ("tasks", Form::Names(&TASK)),
    ],
    &AGENT,
);

const TIERS: Form = Form::Keys(&[
    ("0", Form::Text),
    ("1", Form::Text),
    ("2", Form::Text),
    ("3", Form::Text),
    ("4", Form::Text),
]);

const PRICE: Form = Form::Keys(&[
    ("input", Form::Amount),
    ("cached", Form::Amount),
    ("stored", Form::Amount),
    ("output", Form::Amount),
]);

const LIMITS: Form = Form::Keys(&[
    ("run", CEILING),
    ("workflow", CEILING),
    ("step", CEILING),
    ("estimate", Form::Amount),
]);

/// Every table of the file.
const TABLES: Form = Form::Keys(&[
    ("lint", Form::Elsewhere),
    ("hooks", Form::Elsewhere),
    ("agents", AGENTS),
    ("models", Form::Names(&Form::Names(&Form::Text))),
    ("tiers", TIERS),
    ("prices", Form::Names(&PRICE)),
    ("limits", LIMITS),
    ("review_loop", review::REVIEW_LOOP),
]);

/// Finds entries that set nothing.
pub fn wrong_settings(data: &Node) -> Vec<WrongSetting> {
    let mut wrong = Vec::new();
    look(data, TABLES, "", &mut wrong);
    tables_of_nobody(data, &mut wrong);
    wrong
}

/// Finds tables about agents that there are not. A table with a program describes an agent of the person's own.
fn tables_of_nobody(data: &Node, wrong: &mut Vec<WrongSetting>) {
    let below = |table: &str| data.get(table).map(Node::pairs).unwrap_or_default();
    let is_table = |pair: &&Pair| matches!(pair.node.value, Value::Map(_)) && pair.key != "tasks";
    let is_described = |name: &str| {
        let own = below("agents").iter().find(|pair| pair.key == name);
        own.is_some_and(|pair| pair.node.get("program").is_some())
    };
    for pair in below("agents").iter().chain(below("models")).filter(is_table) {
        if !AGENTS_THERE_ARE.contains(&pair.key.as_str()) && !is_described(&pair.key) {
            wrong.push(nobody(&pair.key, pair.key_span));
        }
    }
}

/// Finds names of agents that there are not.
fn named_nobody(node: &Node, wrong: &mut Vec<WrongSetting>) {
    let texts = node.text().map(|text| (text, node.span));
    let listed = node.items().iter().filter_map(|item| Some((item.text()?, item.span)));
    for (text, span) in texts.into_iter().chain(listed) {
        let name = text.split(':').next().unwrap_or_default().trim();
        if !AGENTS_THERE_ARE.contains(&name) {
            wrong.push(nobody(name, span));
        }
    }
}

fn nobody(name: &str, span: Span) -> WrongSetting {
    let all = || AGENTS_THERE_ARE.iter().copied();
    let begun = || all().find(|own| !name.is_empty() && own.starts_with(name));
    WrongSetting {
        span,
        message: format!("no agent is named `{name}`"),
        help: match nearest(name, all()).or_else(begun) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", AGENTS_THERE_ARE.join(", ")),
        },
    }
}

fn look(node: &Node, form: Form, path: &str, wrong: &mut Vec<WrongSetting>) {
    let is_text = |node: &Node| matches!(node.value, Value::Text(_));
    let is_off = matches!(node.value, Value::Bool(false));
    let is_list = matches!(node.value, Value::List(_)) && node.items().iter().all(is_text);
    let fits = match form {
        Form::Elsewhere => true,
        Form::Text => is_text(node),
        Form::Agent => is_text(node),
        Form::AgentOrOff => is_text(node) || is_off,
        Form::AgentsOrOff => is_text(node) || is_list || is_off,
        Form::Texts => is_list,
        Form::Word(words) => node.text().is_some_and(|text| words.contains(&text)),
        Form::Truth => matches!(node.value, Value::Bool(_)),
        Form::Percent => amount(node).is_some_and(|number| number <= 100.0),
        Form::Words(words) => {
            is_list
                && !node.items().is_empty()
                && node
                    .items()
                    .iter()
                    .all(|item| item.text().is_some_and(|text| words.contains(&text)))
        }
        Form::Amount => amount(node).is_some(),
        Form::Count => amount(node).is_some_and(|number| number.fract() == 0.0),
        Form::Some => amount(node).is_some_and(|number| number.fract() == 0.0 && number > 0.0),
        Form::Keys(keys) => return table(node, keys, None, path, wrong),
        Form::KeysAnd(keys, rest) => return table(node, keys, Some(*rest), path, wrong),
        Form::Names(each) => return table(node, &[], Some(*each), path, wrong),
    };
    if !fits {
        wrong.push(WrongSetting {
            span: node.span,
            message: format!("`{path}` cannot be set to this, so that the entry changes nothing"),
            help: format!("write {}", wanted(form)),
        });
    } else if matches!(form, Form::Agent | Form::AgentOrOff | Form::AgentsOrOff) && !is_off {
        named_nobody(node, wrong);
    }
}

fn table(
    node: &Node,
    keys: &'static [(&'static str, Form)],
    rest: Option<Form>,
    path: &str,
    wrong: &mut Vec<WrongSetting>,
) {
    if !matches!(node.value, Value::Map(_)) {
        return wrong.push(WrongSetting {
            span: node.span,
            message: format!("`{path}` is no value but a table, so that the entry changes nothing"),
            help: match keys {
                [] => format!("write `[{path}]` and the entries below it"),
                keys => format!("write `[{path}]` and below it {}", listed(keys)),
            },
        });
    }
    for pair in node.pairs() {
        let known = keys.iter().find(|(key, _)| *key == pair.key);
        let is_table = matches!(pair.node.value, Value::Map(_));
        // Beside named entries only tables have free names: anything else is a name that is misspelt.
        let free = rest.filter(|_| keys.is_empty() || is_table);
        match known.map(|(_, form)| *form).or(free) {
            Some(form) => look(&pair.node, form, &joined(path, &pair.key), wrong),
            None => wrong.push(unknown(pair, keys, path)),
        }
    }
}

fn unknown(pair: &Pair, keys: &[(&'static str, Form)], path: &str) -> WrongSetting {
    let place = match path {
        "" => "`bmad.toml`".to_owned(),
        path => format!("`{path}`"),
    };
    let near = nearest(&pair.key, keys.iter().map(|(key, _)| *key));
    WrongSetting {
        span: pair.key_span,
        message: format!(
            "there is no setting `{}` in {place}, so that the entry changes nothing",
            pair.key
        ),
        help: match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there {}", listed(keys).replacen("one of ", "are ", 1)),
        },
    }
}

fn listed(keys: &[(&'static str, Form)]) -> String {
    let names: Vec<String> = keys.iter().map(|(key, _)| format!("`{key}`")).collect();
    format!("one of {}", names.join(", "))
}

fn joined(path: &str, key: &str) -> String {
    let plain = key
        .chars()
        .all(|each| each.is_ascii_alphanumeric() || "-_".contains(each));
    let key = if plain { key.to_owned() } else { format!("\"{key}\"") };
    match path {
        "" => key,
        path => format!("{path}.{key}"),
    }
}

fn amount(node: &Node) -> Option<f64> {
    let Value::Number(text) = &node.value else {
        return None;
    };
    let number: f64 = text.replace('_', "").parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}

fn wanted(form: Form) -> String {
    match form {
        Form::Elsewhere | Form::Keys(_) | Form::KeysAnd(..) | Form::Names(_) => "a table".to_owned(),
        Form::Text => "a text in quotes".to_owned(),
        Form::Agent => "the name of an agent in quotes".to_owned(),
        Form::AgentOrOff => "the name of an agent in quotes, or `false`".to_owned(),
        Form::AgentsOrOff => "the name of an agent in quotes, a list of them, or `false`".to_owned(),
        Form::Texts => "a list of texts, as in `[\"one\", \"two\"]`".to_owned(),
        Form::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(" or ")
        }
        Form::Truth => "`true` or `false`".to_owned(),
        Form::Percent => "a number from 0 to 100".to_owned(),
        Form::Words(words) => format!("a list of one or more of {}", words.join(", ")),
        Form::Amount => "a number that is not negative".to_owned(),
        Form::Count => "a whole number that is not negative".to_owned(),
        Form::Some => "a whole number of 1 or more".to_owned(),
    }
}
