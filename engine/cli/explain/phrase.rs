//! Parts of instructions in, the words that explain them out.

use super::rows::line;
use crate::model::{Condition, Decider, Dispatch, MenuOption, Produce, Repeat, RepeatKind, Run, Test, Words};

/// Says what a condition is and who decides it.
pub(super) fn condition_text(word: &str, condition: &Condition) -> String {
    let who = match (&condition.test, condition.decider()) {
        (Test::Otherwise, _) => "engine: whatever is left".to_owned(),
        (_, Decider::Expression) => "engine: expression".to_owned(),
        (_, Decider::Choice) => "engine: answer".to_owned(),
        (_, Decider::Existence) => "engine: existence".to_owned(),
        (_, Decider::Judged) => match condition.suggestion() {
            Some(expression) => format!("agent: judged; the engine could decide `{}`", line(&expression)),
            None => "agent: judged".to_owned(),
        },
    };
    format!("{word} {} ({who})", line(&condition.text))
}

/// Says how something repeats and who decides about another pass.
pub(super) fn repeated(repeat: &Repeat) -> String {
    let how = |kind: &RepeatKind| match kind {
        RepeatKind::Times(times) => format!("{} times", line(times)),
        RepeatKind::Each { item, list } => format!("for each {{{}}} of {}", line(item), line(list)),
        RepeatKind::While(condition) => condition_text("while", condition),
        RepeatKind::Until(condition) => condition_text("until", condition),
        RepeatKind::Bounded => String::new(),
    };
    let bound = repeat
        .bound
        .as_ref()
        .map_or_else(String::new, |bound| format!("at most {} times", line(bound)));
    let parts = repeat.kinds().map(how).chain([bound]);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// Says what a section is and where it goes.
pub(super) fn produced(produce: &Produce, prose: &str) -> String {
    let names: Vec<String> = produce
        .names
        .iter()
        .map(|name| format!("`{}`", line(&name.text)))
        .collect();
    let what = if names.is_empty() {
        format!("what prose names: {prose}")
    } else {
        names.join(", ")
    };
    let value = produce
        .value
        .as_ref()
        .map_or_else(String::new, |value| format!(" = {}", quoted(&value.text)));
    let file = produce
        .file
        .as_ref()
        .map_or_else(String::new, |file| format!(" in {}", line(&file.text)));
    format!("produce and save {what}{value}{file}")
}

/// Says what is shown or written.
pub(super) fn shown(text: &str, file: Option<&Words>, template: Option<&Words>) -> String {
    let from = template.map_or_else(String::new, |template| format!(" from {}", line(&template.text)));
    match file {
        Some(file) => format!("write {}{from}: {text}", line(&file.text)),
        None => format!("show{from}: {text}"),
    }
}

/// Says who gets a turn.
pub(super) fn dispatched(dispatch: &Dispatch, prompt: &str) -> String {
    let names: Vec<String> = dispatch
        .agents
        .iter()
        .map(|agent| format!("`{}`", line(&agent.text)))
        .collect();
    let to = if names.is_empty() {
        "the agent that performs this".to_owned()
    } else {
        names.join(", ")
    };
    format!("dispatch to {to}{}: {prompt}", into(dispatch.into.as_ref()))
}

/// Says what is gathered from replies.
pub(super) fn collected(from: &Words, into: &Words, failed: Option<&Words>) -> String {
    let failed = failed.map_or_else(String::new, |name| format!(", failed ones in {{{}}}", line(&name.text)));
    format!("collect {{{}}} into {{{}}}{failed}", line(&from.text), line(&into.text))
}

/// Says which command is run.
pub(super) fn commanded(run: &Run) -> String {
    let most = run
        .timeout
        .as_ref()
        .map_or_else(String::new, |seconds| format!(", {} s at most", line(&seconds.text)));
    let command = line(&run.command.text);
    format!("run `{command}` once it is trusted{most}{}", into(run.into.as_ref()))
}

/// Returns an option as it is offered.
pub(super) fn offered(option: &MenuOption) -> String {
    match line(&option.label).as_str() {
        "" => format!("[{}]", line(&option.key)),
        label if label == option.key => format!("[{label}]"),
        label => format!("[{}] {label}", line(&option.key)),
    }
}

/// Returns a label and a title, or the one there is.
pub(super) fn named(label: Option<&Words>, title: &str) -> String {
    let label = label.map_or_else(String::new, |label| line(&label.text));
    match (label.as_str(), line(title).as_str()) {
        ("", title) => title.to_owned(),
        (label, "") => label.to_owned(),
        (label, title) => format!("{label}: {title}"),
    }
}

/// Says which name gets the result.
pub(super) fn into(name: Option<&Words>) -> String {
    name.map_or_else(String::new, |name| {
        format!(" into {{{}}}", line(name.text.trim_matches(['{', '}'])))
    })
}

/// Returns somebody's text in quotes that do not stand in it; what is quoted already stays as it is.
pub(super) fn quoted(text: &str) -> String {
    let text = line(text);
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if inside.is_some_and(|inside| !inside.contains('"')) {
        return text;
    }
    match (text.contains('"'), text.contains('`')) {
        (false, _) => format!("\"{text}\""),
        (true, false) => format!("`{text}`"),
        (true, true) => format!("“{text}”"),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_are_never_doubled() {
        let said = ["open", "\"open\"", "say \"open\"", "set `door` = \"open\""].map(quoted);
        let expected = ["\"open\"", "\"open\"", "`say \"open\"`", "“set `door` = \"open\"”"];
        assert_eq!(said, expected);
    }
}
