//! The settings of an agent in, the same settings with the hook or without it out. Everything else keeps its place,
//! its order and its form.

use super::layout::{Placed, What, Wrong, read};

/// How long an agent waits for the hook, in seconds.
pub(super) const TIMEOUT: u32 = 30;

/// Where the hook stands: which group, which command of the group, and the command.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found<'p> {
    group: usize,
    entry: usize,
    command: &'p Placed,
}

/// Returns settings that hold nothing but the hook.
pub(super) fn fresh(command: &str) -> String {
    let shape = Shape::Object(vec![("hooks", Shape::hooks(command))]);
    format!("{}\n", shape.text(Some(("", "  ", "\n"))))
}

/// Returns settings with the hook; none where it is there already, just so.
///
/// # Errors
/// Answers where the settings are not what they should be.
pub(super) fn with_hook(text: &str, command: &str) -> Result<Option<String>, Wrong> {
    if text.trim().is_empty() {
        return Ok(Some(fresh(command)));
    }
    let root = read(text)?;
    is_object(&root, text, "the file")?;
    let Some(hooks) = root.get("hooks") else {
        return Ok(Some(insert(text, &root, &Shape::hooks(command).under("hooks"))));
    };
    is_object(hooks, text, "`hooks`")?;
    let Some(stop) = hooks.get("Stop") else {
        return Ok(Some(insert(text, hooks, &Shape::stop(command).under("Stop"))));
    };
    is_array(stop, text, "`hooks.Stop`")?;
    match ours(stop, command).first() {
        None => Ok(Some(insert(text, stop, &Shape::group(command)))),
        Some(found) if found.command.text() == Some(command) => Ok(None),
        Some(found) => {
            let mut changed = text.to_owned();
            changed.replace_range(found.command.at.clone(), &quoted(command));
            Ok(Some(changed))
        }
    }
}

/// Returns settings without the hook; none where it is not there. `own` is the command that this program would put
/// down. What was there only for it goes with it.
///
/// # Errors
/// Answers where the settings are no JSON.
pub(super) fn without_hook(text: &str, own: &str) -> Result<Option<String>, Wrong> {
    let mut changed: Option<String> = None;
    loop {
        let now = changed.as_deref().unwrap_or(text);
        if now.trim().is_empty() {
            return Ok(changed);
        }
        let root = read(now)?;
        let Some(next) = without_one(now, &root, own) else {
            return Ok(changed);
        };
        changed = Some(next);
    }
}

/// Returns the commands in settings that are the hook. `own` is the command that this program would put down.
///
/// # Errors
/// Answers where the settings are no JSON.
pub(super) fn commands(text: &str, own: &str) -> Result<Vec<String>, Wrong> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = read(text)?;
    let stop = root.get("hooks").and_then(|hooks| hooks.get("Stop"));
    let found = stop.map(|stop| ours(stop, own)).unwrap_or_default();
    Ok(found
        .iter()
        .filter_map(|found| found.command.text())
        .map(str::to_owned)
        .collect())
}

/// Says whether settings turn all hooks off.
pub(super) fn are_off(text: &str) -> bool {
    let settings = serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
    settings["disableAllHooks"] == true
}

fn without_one(text: &str, root: &Placed, own: &str) -> Option<String> {
    let hooks = root.get("hooks")?;
    let stop = hooks.get("Stop")?;
    let found = ours(stop, own).into_iter().next()?;
    let (group, entry) = (found.group, found.entry);
    let What::Array(groups) = &stop.what else {
        return None;
    };
    let entries = groups.get(group)?.get("hooks")?;
    let only = |placed: &Placed| placed.parts().len() == 1;
    let member = |object: &Placed, key: &str| match &object.what {
        What::Object(members) => members.iter().rposition(|member| member.key == key),
        What::Array(_) | What::Text(_) | What::Other => None,
    };
    Some(match (only(entries), only(stop), only(hooks)) {
        (false, _, _) => remove(text, entries, entry),
        (true, false, _) => remove(text, stop, group),
        (true, true, false) => remove(text, hooks, member(hooks, "Stop")?),
        (true, true, true) => remove(text, root, member(root, "hooks")?),
    })
}

/// Finds the hook among the groups of an event.
fn ours<'p>(stop: &'p Placed, own: &str) -> Vec<Found<'p>> {
    let mut found = Vec::new();
    let What::Array(groups) = &stop.what else {
        return found;
    };
    for (group, hooks) in groups.iter().enumerate() {
        let Some(What::Array(entries)) = hooks.get("hooks").map(|hooks| &hooks.what) else {
            continue;
        };
        for (entry, hook) in entries.iter().enumerate() {
            if let Some(command) = hook
                .get("command")
                .filter(|command| command.text().is_some_and(|text| is_ours(text, own)))
            {
                found.push(Found { group, entry, command });
            }
        }
    }
    found
}

/// Says whether a command is the hook: the one this program would put down, or one of any version of it, wherever it is.
fn is_ours(command: &str, own: &str) -> bool {
    if command == own {
        return true;
    }
    let Some(program) = command.trim().strip_suffix(" hook stop") else {
        return false;
    };
    let program = program.trim().trim_matches(['\'', '"']);
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let version = name.strip_prefix("bmad");
    version.is_some_and(|version| version.is_empty() || version.starts_with(['-', '_', '.']))
}

fn is_object(placed: &Placed, text: &str, name: &str) -> Result<(), Wrong> {
    match placed.what {
        What::Object(_) => Ok(()),
        What::Array(_) | What::Text(_) | What::Other => {
            Err(Wrong::at(text, placed.at.start, &format!("{name} is no object")))
        }
    }
}

fn is_array(placed: &Placed, text: &str, name: &str) -> Result<(), Wrong> {
    match placed.what {
        What::Array(_) => Ok(()),
        What::Object(_) | What::Text(_) | What::Other => {
            Err(Wrong::at(text, placed.at.start, &format!("{name} is no array")))
        }
    }
}

/// Puts something behind the last part of an object or array, in the form that its parts have.
fn insert(text: &str, into: &Placed, shape: &Shape) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let unit = unit(text);
    let parts = into.parts();
    let mut changed = text.to_owned();
    match (parts.first(), parts.last()) {
        (Some(first), Some(last)) if text[into.at.start..first.start].contains('\n') => {
            let indent = indentation(text, last.start);
            let written = shape.text(Some((indent, unit, newline)));
            changed.insert_str(last.end, &format!(",{newline}{indent}{written}"));
        }
        (Some(_), Some(last)) => changed.insert_str(last.end, &format!(", {}", shape.text(None))),
        (_, _) => {
            let indent = indentation(text, into.at.start);
            let inner = format!("{indent}{unit}");
            let written = shape.text(Some((&inner, unit, newline)));
            let between = into.at.start + 1..into.at.end - 1;
            changed.replace_range(between, &format!("{newline}{inner}{written}{newline}{indent}"));
        }
    }
    changed
}

/// Takes a part of an object or array away, with the comma that came with it.
fn remove(text: &str, from: &Placed, part: usize) -> String {
    let parts = from.parts();
    let cut = match (part.checked_sub(1).map(|before| &parts[before]), parts.get(part + 1)) {
        (None, None) => from.at.start + 1..from.at.end - 1,
        (_, Some(next)) => parts[part].start..next.start,
        (Some(before), None) => before.end..parts[part].end,
    };
    let mut changed = text.to_owned();
    changed.replace_range(cut, "");
    changed
}

/// Returns the white space at the beginning of the line that a place is on.
fn indentation(text: &str, place: usize) -> &str {
    let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let line = &text[start..place];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns what one step of indentation is in a file.
fn unit(text: &str) -> &str {
    let mut lines = text.lines().map(|line| &line[..line.len() - line.trim_start().len()]);
    lines.find(|indent| !indent.is_empty()).unwrap_or("  ")
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// JSON that is to be written, in the order it is read.
enum Shape {
    Object(Vec<(&'static str, Shape)>),
    Array(Vec<Shape>),
    /// A key with its value, as a part of an object that is there.
    Member(&'static str, Box<Shape>),
    Text(String),
    Number(u32),
}

impl Shape {
    fn hooks(command: &str) -> Self {
        Self::Object(vec![("Stop", Self::stop(command))])
    }

    fn stop(command: &str) -> Self {
        Self::Array(vec![Self::group(command)])
    }

    fn group(command: &str) -> Self {
        let entry = Self::Object(vec![
            ("type", Self::Text("command".to_owned())),
            ("command", Self::Text(command.to_owned())),
            ("timeout", Self::Number(TIMEOUT)),
        ]);
        Self::Object(vec![("hooks", Self::Array(vec![entry]))])
    }

    fn under(self, key: &'static str) -> Self {
        Self::Member(key, Box::new(self))
    }

    /// Writes it over several lines with an indentation, one step of it and a line end; or on one line.
    fn text(&self, lines: Option<(&str, &str, &str)>) -> String {
        match self {
            Shape::Object(members) => {
                let parts = members.iter().map(|(key, value)| (Some(*key), value));
                block(parts.collect(), ['{', '}'], lines)
            }
            Shape::Array(items) => block(items.iter().map(|item| (None, item)).collect(), ['[', ']'], lines),
            Shape::Member(key, value) => format!("{}: {}", quoted(key), value.text(lines)),
            Shape::Text(text) => quoted(text),
            Shape::Number(number) => number.to_string(),
        }
    }
}

fn block(parts: Vec<(Option<&str>, &Shape)>, [open, close]: [char; 2], lines: Option<(&str, &str, &str)>) -> String {
    let inner = lines.map(|(indent, unit, newline)| (format!("{indent}{unit}"), unit, newline));
    let inner = inner
        .as_ref()
        .map(|(indent, unit, newline)| (indent.as_str(), *unit, *newline));
    let write = |(key, value): (Option<&str>, &Shape)| match key {
        Some(key) => format!("{}: {}", quoted(key), value.text(inner)),
        None => value.text(inner),
    };
    let written: Vec<String> = parts.into_iter().map(write).collect();
    match (lines, inner) {
        (Some((outer, _, newline)), Some((indent, _, _))) => {
            let between = format!(",{newline}{indent}");
            format!(
                "{open}{newline}{indent}{}{newline}{outer}{close}",
                written.join(&between)
            )
        }
        (_, _) => format!("{open}{}{close}", written.join(", ")),
    }
}

#[cfg(test)]
mod tests;
