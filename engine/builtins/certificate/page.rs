//! Facts in, the document that a person reads out. The same facts give the same document.

use super::digest;
use crate::builtins::Value;
use crate::builtins::finding::State;
use crate::builtins::given::{items, words};
use crate::builtins::tracker::safe;
use std::fmt::Write as _;

/// What stands before and after the facts in the document.
pub(super) const FENCE: &str = "```";

/// Returns the document for facts that are written as JSON.
pub(super) fn text(json: &str) -> String {
    let facts: Value = serde_json::from_str(json).unwrap_or_default();
    let mut page = String::new();
    // Writing into a string does not fail.
    let _written = write(&mut page, &facts, json);
    page
}

fn write(page: &mut String, facts: &Value, json: &str) -> std::fmt::Result {
    let line = |name: &str| safe(&words(facts, &[name]));
    writeln!(page, "# Review certificate: {}\n", line("outcome"))?;
    writeln!(page, "- Why it ended: {}", line("reason"))?;
    writeln!(page, "- Decided by: {}", line("decided_by"))?;
    for (label, name) in [("Level", "level"), ("Confidence", "confidence")] {
        if !line(name).is_empty() {
            writeln!(page, "- {label}: {}", line(name))?;
        }
    }
    counters(page, facts)?;
    counts(page, facts)?;
    let findings = facts.get("findings").map(items).unwrap_or_default();
    let is_left = |finding: &&Value| State::read(&words(finding, &["state"])).is_none_or(|state| !state.is_done());
    writeln!(page, "\n## What is open\n")?;
    let left: Vec<&Value> = findings.iter().filter(is_left).collect();
    for finding in &left {
        writeln!(page, "{}. A person decides about it.", one(finding))?;
    }
    if left.is_empty() {
        writeln!(page, "Nothing is open.")?;
    }
    writeln!(page, "\n## What is done\n")?;
    let done: Vec<&Value> = findings.iter().filter(|finding| !is_left(finding)).collect();
    for finding in &done {
        writeln!(page, "{}", one(finding))?;
    }
    if done.is_empty() {
        writeln!(page, "Nothing.")?;
    }
    aside(page, facts)?;
    hashes(page, facts)?;
    writeln!(page, "\n## Facts\n")?;
    writeln!(
        page,
        "`bmad verify` compares the document with these facts, and the facts with their digest.\n"
    )?;
    writeln!(page, "Digest: `{}`\n", digest(json))?;
    writeln!(page, "{FENCE}json\n{json}\n{FENCE}")
}

fn counters(page: &mut String, facts: &Value) -> std::fmt::Result {
    let Some(metrics) = facts.get("metrics") else {
        return Ok(());
    };
    for (label, name) in [
        ("Rounds", "review_rounds"),
        ("Fix iterations", "fix_iterations"),
        ("Calls of agents", "subagent_invocations"),
        ("Seconds of work", "elapsed_seconds"),
    ] {
        let counted = safe(&words(metrics, &[name]));
        if !counted.is_empty() {
            writeln!(page, "- {label}: {counted}")?;
        }
    }
    Ok(())
}

fn counts(page: &mut String, facts: &Value) -> std::fmt::Result {
    writeln!(page, "\n## Findings\n\n| state | number |\n|---|---|")?;
    let Some(Value::Map(counts)) = facts.get("counts") else {
        return Ok(());
    };
    for (state, count) in counts {
        writeln!(page, "| {} | {} |", safe(state), safe(&count.to_string()))?;
    }
    Ok(())
}

fn one(finding: &Value) -> String {
    let line = |name: &str| safe(&words(finding, &[name]));
    let because = match line("because").as_str() {
        "" => String::new(),
        because => format!(" ({because})"),
    };
    format!(
        "- {} · {} · {}: {}{because}",
        line("id"),
        line("severity"),
        line("state"),
        line("claim")
    )
}

fn aside(page: &mut String, facts: &Value) -> std::fmt::Result {
    writeln!(page, "\n## Set aside\n")?;
    let aside = facts.get("set_aside").map(items).unwrap_or_default();
    for entry in &aside {
        let line = |name: &str| safe(&words(entry, &[name]));
        writeln!(page, "- {} ({})", line("claim"), line("why"))?;
    }
    if aside.is_empty() {
        writeln!(page, "Every report survived its check.")?;
    }
    let silent = facts.get("silent").map(items).unwrap_or_default();
    writeln!(page, "\n## Reviewers that were silent\n")?;
    for name in &silent {
        writeln!(page, "- {}", safe(&name.to_string()))?;
    }
    if silent.is_empty() {
        writeln!(page, "None.")?;
    }
    Ok(())
}

fn hashes(page: &mut String, facts: &Value) -> std::fmt::Result {
    writeln!(page, "\n## Reviewed text\n\n| file | before | after |\n|---|---|---|")?;
    for text in facts.get("texts").map(items).unwrap_or_default() {
        let line = |name: &str| safe(&words(&text, &[name]));
        writeln!(page, "| {} | {} | {} |", line("path"), line("before"), line("after"))?;
    }
    Ok(())
}
