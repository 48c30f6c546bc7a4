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

/// What an entry may be.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Another rule looks at it.
    Elsewhere,
    /// A text.
    Text,
    /// A text, or `false`.
    TextOrOff,
    /// A text, a list of them, or `false`.
    TextsOrOff,
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
    ("agent", Form::TextOrOff),
    ("fallback", Form::TextsOrOff),
    ("model", Form::Text),
]);

const AGENTS: Form = Form::KeysAnd(
    &[
        ("default", Form::Text),
        ("fallback", Form::TextsOrOff),
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
    wrong
}

fn look(node: &Node, form: Form, path: &str, wrong: &mut Vec<WrongSetting>) {
    let is_text = |node: &Node| matches!(node.value, Value::Text(_));
    let is_off = matches!(node.value, Value::Bool(false));
    let is_list = matches!(node.value, Value::List(_)) && node.items().iter().all(is_text);
    let fits = match form {
        Form::Elsewhere => true,
        Form::Text => is_text(node),
        Form::TextOrOff => is_text(node) || is_off,
        Form::TextsOrOff => is_text(node) || is_list || is_off,
        Form::Texts => is_list,
        Form::Word(words) => node.text().is_some_and(|text| words.contains(&text)),
        Form::Truth => matches!(node.value, Value::Bool(_)),
        Form::Percent => amount(node).is_some_and(|number| number <= 100.0),
        Form::Words(words) => {
            is_list
                && node
                    .items()
                    .iter()
                    .all(|item| item.text().is_some_and(|text| words.contains(&text)))
        }
        Form::Amount => amount(node).is_some(),
        Form::Count => amount(node).is_some_and(|number| number.fract() == 0.0),
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
        Form::TextOrOff => "a text in quotes, or `false`".to_owned(),
        Form::TextsOrOff => "a text in quotes, a list of them, or `false`".to_owned(),
        Form::Texts => "a list of texts, as in `[\"one\", \"two\"]`".to_owned(),
        Form::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(" or ")
        }
        Form::Truth => "`true` or `false`".to_owned(),
        Form::Percent => "a number from 0 to 100".to_owned(),
        Form::Words(words) => format!("a list of {}", words.join(", ")),
        Form::Amount => "a number that is not negative".to_owned(),
        Form::Count => "a whole number that is not negative".to_owned(),
    }
}
