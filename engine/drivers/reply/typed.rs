//! A JSON object in, an envelope out, or one sentence that says which part of it is wrong and what to write instead.

use crate::builtins::Value;
use crate::machine::{Acknowledged, Asked, Envelope, Evidence, Judgement, Status, Written};

/// The keys of an envelope; any other key is a field.
pub(in crate::drivers) const KEYS: &[&str] = &[
    "instructions",
    "judgements",
    "variables",
    "files",
    "sections",
    "findings",
    "asks",
    "fields",
    "text",
];

/// How much of a wrong value is shown.
const SHOWN: usize = 40;

type Read<T> = Result<T, String>;
type Pairs = Vec<(String, Value)>;

/// Reads an envelope from the keys of an object.
pub(in crate::drivers) fn envelope(pairs: Pairs) -> Read<Envelope> {
    let mut read = Envelope::default();
    for (key, value) in pairs {
        match key.as_str() {
            "instructions" => read.instructions = list(value, &key, acknowledged)?,
            "judgements" => read.judgements = list(value, &key, judgement)?,
            "variables" => read.variables = named(value, &key)?,
            "files" => read.files = list(value, &key, written)?,
            "sections" => read.sections = named(value, &key)?,
            "findings" => {
                let is_said = value != Value::Nothing;
                read.findings = list(value, &key, |value, _| Ok(value))?;
                if is_said && read.findings.is_empty() {
                    read.found_nothing();
                }
            }
            "asks" => read.asks = list(value, &key, asked)?,
            "fields" => read.fields.extend(named(value, &key)?),
            "text" => read.text = optional_text(value, &key)?,
            _ => read.fields.push((key, value)),
        }
    }
    Ok(read)
}

fn acknowledged(value: Value, path: &str) -> Read<Acknowledged> {
    let mut parts = Parts::of(value, path)?;
    Ok(Acknowledged {
        n: parts.number("n")?,
        status: status(parts.take("status"), &parts.at("status"))?,
        why: parts.optional_text("why")?,
        evidence: match parts.take("evidence") {
            // One piece of evidence without a list around it is clear enough.
            one @ (Value::Text(_) | Value::Map(_)) => vec![evidence(one, &parts.at("evidence"))?],
            several => list(several, &parts.at("evidence"), evidence)?,
        },
    })
}

fn status(value: Value, path: &str) -> Read<Status> {
    const USE: &str = "use done, blocked, skipped or gap";
    let Value::Text(word) = &value else {
        return Err(wrong(path, &value, USE));
    };
    match word.trim().to_ascii_lowercase().as_str() {
        "done" => Ok(Status::Done),
        "blocked" => Ok(Status::Blocked),
        "skipped" => Ok(Status::Skipped),
        "gap" => Ok(Status::Gap),
        _ => Err(wrong(path, &value, USE)),
    }
}

fn evidence(value: Value, path: &str) -> Read<Evidence> {
    if let Value::Text(text) = value {
        return Ok(Evidence::Said { text });
    }
    let mut parts = Parts::of(value, path)?;
    let kind = parts.take("kind");
    let Value::Text(word) = &kind else {
        return Err(wrong(&parts.at("kind"), &kind, KINDS));
    };
    match word.as_str() {
        "file" => Ok(Evidence::File {
            path: parts.text("path")?,
            sha256: parts.maybe_text("sha256")?,
        }),
        "quote" => Ok(Evidence::Quote {
            path: parts.text("path")?,
            quote: parts.text("quote")?,
        }),
        "command" => Ok(Evidence::Command {
            command: parts.text("command")?,
            exit: parts.exit("exit")?,
        }),
        "value" => Ok(Evidence::Value {
            value: parts.take("value"),
        }),
        "said" => Ok(Evidence::Said {
            text: parts.optional_text("text")?,
        }),
        _ => Err(wrong(&parts.at("kind"), &kind, KINDS)),
    }
}

const KINDS: &str = "use file, quote, command, value or said";

fn judgement(value: Value, path: &str) -> Read<Judgement> {
    let mut parts = Parts::of(value, path)?;
    let n = parts.number("n")?;
    let holds = match parts.take("holds") {
        Value::Bool(holds) => holds,
        other @ (Value::Nothing | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_)) => {
            return Err(wrong(&parts.at("holds"), &other, "use true or false"));
        }
    };
    Ok(Judgement {
        n,
        holds,
        evidence: parts.optional_text("evidence")?,
    })
}

fn written(value: Value, path: &str) -> Read<Written> {
    if let Value::Text(path) = value {
        return Ok(Written { path, sha256: None });
    }
    let mut parts = Parts::of(value, path)?;
    Ok(Written {
        path: parts.text("path")?,
        sha256: parts.maybe_text("sha256")?,
    })
}

fn asked(value: Value, path: &str) -> Read<Asked> {
    if let Value::Text(question) = value {
        return Ok(Asked {
            question,
            options: Vec::new(),
        });
    }
    let mut parts = Parts::of(value, path)?;
    Ok(Asked {
        question: parts.text("question")?,
        options: list(parts.take("options"), &parts.at("options"), text)?,
    })
}

/// The keys of one object, taken one by one.
struct Parts<'p> {
    pairs: Pairs,
    path: &'p str,
}

impl<'p> Parts<'p> {
    fn of(value: Value, path: &'p str) -> Read<Self> {
        match value {
            Value::Map(pairs) => Ok(Self { pairs, path }),
            other @ (Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) => {
                Err(wrong(path, &other, "use an object"))
            }
        }
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn take(&mut self, key: &str) -> Value {
        let found = self.pairs.iter_mut().rev().find(|(name, _)| name == key);
        found.map_or(Value::Nothing, |(_, value)| std::mem::take(value))
    }

    fn number(&mut self, key: &str) -> Read<u32> {
        let value = self.take(key);
        let whole = value.number().filter(|number| number.fract() == 0.0);
        match whole.filter(|number| (1.0..=f64::from(u32::MAX)).contains(number)) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole and in range, as was just tested"
            )]
            Some(number) => Ok(number as u32),
            None => Err(wrong(&self.at(key), &value, "use a number from 1")),
        }
    }

    fn exit(&mut self, key: &str) -> Read<i32> {
        let value = self.take(key);
        let whole = value.number().filter(|number| number.fract() == 0.0);
        match whole.filter(|number| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(number)) {
            #[expect(clippy::cast_possible_truncation, reason = "whole and in range, as was just tested")]
            Some(number) => Ok(number as i32),
            None => Err(wrong(&self.at(key), &value, "use the exit code")),
        }
    }

    fn text(&mut self, key: &str) -> Read<String> {
        let value = self.take(key);
        text(value, &self.at(key))
    }

    fn optional_text(&mut self, key: &str) -> Read<String> {
        let value = self.take(key);
        optional_text(value, &self.at(key))
    }

    fn maybe_text(&mut self, key: &str) -> Read<Option<String>> {
        let found = self.optional_text(key)?;
        Ok(Some(found).filter(|text| !text.is_empty()))
    }
}

fn list<T>(value: Value, path: &str, read: impl Fn(Value, &str) -> Read<T>) -> Read<Vec<T>> {
    match value {
        Value::Nothing => Ok(Vec::new()),
        Value::List(items) => items
            .into_iter()
            .enumerate()
            .map(|(index, item)| read(item, &format!("{path}[{index}]")))
            .collect(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_)) => {
            Err(wrong(path, &other, "use a list"))
        }
    }
}

fn named(value: Value, path: &str) -> Read<Pairs> {
    match value {
        Value::Nothing => Ok(Vec::new()),
        Value::Map(pairs) => Ok(pairs),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) => {
            Err(wrong(path, &other, "use an object of names and values"))
        }
    }
}

fn text(value: Value, path: &str) -> Read<String> {
    match value {
        Value::Text(text) => Ok(text),
        other @ (Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_)) => {
            Err(wrong(path, &other, "use text"))
        }
    }
}

fn optional_text(value: Value, path: &str) -> Read<String> {
    match value {
        Value::Nothing => Ok(String::new()),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_)) => {
            text(other, path)
        }
    }
}

fn wrong(path: &str, value: &Value, advice: &str) -> String {
    let is = match value {
        Value::Nothing => "missing".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => {
            let shown: String = text.chars().take(SHOWN).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            format!("{:?}", format!("{shown}{more}"))
        }
        Value::List(_) => "a list".to_owned(),
        Value::Map(_) => "an object".to_owned(),
    };
    format!("{path} is {is}; {advice}")
}
