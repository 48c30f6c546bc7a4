//! What a dispatch yields: the fields of a reply, or that there was none.

use super::envelope::Envelope;
use super::task::Task;
use crate::builtins::Value;

/// The field that reviewers report in.
const FINDINGS: &str = "findings";

/// What a dispatch yields when its agent failed.
pub(super) fn failed(task: &Task, why: &str) -> Value {
    Value::Map(vec![
        ("agent".to_owned(), Value::from(whose(task))),
        ("status".to_owned(), Value::Text("failed".to_owned())),
        ("text".to_owned(), Value::Text(why.to_owned())),
    ])
}

/// Returns whose turn it is: the agent that was named, or the one that performs the workflow.
fn whose(task: &Task) -> &str {
    task.agent.as_deref().unwrap_or("performer")
}

pub(super) fn reply(task: &Task, envelope: Envelope) -> Value {
    let mut entries = vec![
        ("agent".to_owned(), Value::from(whose(task))),
        ("status".to_owned(), Value::Text("done".to_owned())),
        ("text".to_owned(), Value::Text(envelope.text)),
    ];
    if !envelope.findings.is_empty() {
        entries.push((FINDINGS.to_owned(), Value::List(envelope.findings)));
    }
    let parts = envelope
        .fields
        .into_iter()
        .chain(envelope.variables)
        .chain(envelope.sections);
    for (name, value) in parts {
        if entries.iter().all(|(known, _)| *known != name) {
            entries.push((name, value));
        }
    }
    Value::Map(entries)
}

/// Says whether somebody was to report findings and said nothing about them: that is no review that found nothing.
pub(super) fn tells_nothing(task: &Task, reply: &Value) -> bool {
    let is_wanted = task.wanted.fields.iter().any(|field| field == FINDINGS);
    let is_told = match reply.get(FINDINGS) {
        Some(Value::List(_) | Value::Map(_)) => true,
        Some(Value::Text(text)) => !text.trim().is_empty(),
        Some(Value::Nothing | Value::Bool(_) | Value::Number(_)) | None => false,
    };
    is_wanted && !is_told
}

#[cfg(test)]
mod tests {
    use super::{Envelope, Task, Value, reply};

    #[test]
    fn findings_in_another_place_of_a_reply_are_not_lost() {
        let mut task = Task::default();
        task.wanted.fields.push("findings".to_owned());
        let given = |envelope: Envelope| reply(&task, envelope).get("findings").cloned();
        let found = Value::List(vec![Value::from("a gap")]);
        let elsewhere = Envelope {
            fields: vec![("findings".to_owned(), found.clone())],
            ..Envelope::default()
        };
        assert_eq!(given(elsewhere), Some(found));
        let mut none = Envelope::default();
        none.found_nothing();
        assert_eq!(given(none), Some(Value::List(Vec::new())));
        assert_eq!(given(Envelope::default()), None);
    }

    #[test]
    fn a_reply_says_whose_it_is() {
        let whose = |agent: Option<&str>| {
            let task = Task {
                agent: agent.map(str::to_owned),
                ..Task::default()
            };
            reply(&task, Envelope::default()).get("agent").map(Value::to_string)
        };
        assert_eq!(whose(Some("clerk")).as_deref(), Some("clerk"));
        assert_eq!(whose(None).as_deref(), Some("performer"));
    }
}
