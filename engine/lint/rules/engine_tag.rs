//! Engine tags that miss an attribute, have one too many, or name a built-in that is not there.

mod asked;
mod lack;
mod menu;
mod name;
mod value;

use crate::builtins::{self, BuiltinError};
use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::model::{CommandText, DefinedBy, Refusal, commands};
use crate::source::{Source, Span};
use crate::syntax::{Attribute, Child, Element, Tag, trim};

pub(super) const RULE: Rule = Rule {
    code: Code("engine-tag"),
    severity: Severity::Error,
    summary: "one of the engine's own tags is written wrongly, so the workflow would not start",
    page: include_str!("../../../spec/rules/engine-tag.md"),
    check: Check::File(check),
};

/// More attributes than any tag has.
const MANY: usize = 16;

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.role.instructs() {
        let source = &unit.document.source;
        let mut seen = Seen::default();
        walk(source, &unit.document.parsed.tree, None, &mut seen, findings);
        name::anchors(&seen.anchors, findings);
        if seen.runs {
            foreign_commands(unit, findings);
        }
    }
}

/// What the tags of a file are about together.
#[derive(Default)]
struct Seen<'a> {
    /// Whether one of them runs a command.
    runs: bool,
    /// The names of its anchors.
    anchors: Vec<&'a Attribute>,
}

/// Checks that every command is written out or is one value of the configuration: nothing else is ever run.
fn foreign_commands(unit: &FileUnit<'_>, findings: &mut Findings) {
    let here = unit.document.source.id();
    let Some(workflow) = unit.facts.workflow else { return };
    for command in commands(workflow).iter().filter(|command| command.span.source == here) {
        let CommandText::Refused(refusal) = &command.text else {
            continue;
        };
        let message = match refusal {
            Refusal::Mixed(name) => format!("`{{{name}}}` is put into a command: one day its value is one of its own"),
            Refusal::Given(name, by) => {
                format!(
                    "`{{{name}}}` {}, and nothing of that kind is ever run as a command",
                    given(*by)
                )
            }
            Refusal::System(name) => format!("`{{{name}}}` is made by the engine, and is no command"),
        };
        findings.add(command.span, message).help = Some(
            "write the whole command out, or name one value of the configuration, or an item of a list in it"
                .to_owned(),
        );
    }
}

/// Says what gives a name its value, after the name.
fn given(by: DefinedBy) -> &'static str {
    match by {
        DefinedBy::Key => "is a key of the workflow",
        DefinedBy::Frontmatter => "is a key of the frontmatter",
        DefinedBy::Assignment => "is set in a step",
        DefinedBy::Section => "is a section of the document",
        DefinedBy::Answer => "is an answer",
        DefinedBy::Input => "is an input",
        DefinedBy::Loop => "is an item of a loop that does not go over a list of the configuration",
        DefinedBy::Result => "is the result of a call, of a command or of an agent",
        DefinedBy::Pattern => "is the text of files",
        DefinedBy::Prose => "is given a value in prose",
    }
}

/// Checks each tag by itself, and notes what is checked together.
fn walk<'a>(source: &Source, children: &'a [Child], parent: Option<Tag>, seen: &mut Seen<'a>, findings: &mut Findings) {
    for child in children {
        if let Child::Element(element) = child {
            tag(source, element, parent, findings);
            match element.tag {
                Tag::Run => seen.runs = true,
                Tag::Anchor => seen.anchors.extend(element.attribute("id")),
                _ => {}
            }
            walk(source, &element.children, Some(element.tag), seen, findings);
        }
    }
}

fn tag(source: &Source, element: &Element, parent: Option<Tag>, findings: &mut Findings) {
    if element.attributes.is_empty() && !is_judged(element.tag) {
        return;
    }
    twice(element, findings);
    if element.tag == Tag::Menu {
        name::check(element, findings);
        return menu::check(source, element, findings);
    }
    if element.tag == Tag::Choice && parent != Some(Tag::Menu) {
        return menu::loose_option(element, findings);
    }
    if element.tag == Tag::Inputs {
        name::inputs(element, findings);
    }
    if matches!(element.tag, Tag::Inputs | Tag::Input) {
        return value::input(element, parent, findings);
    }
    value::bound(element, findings);
    value::time(element, findings);
    name::check(element, findings);
    lack::check(source, element, findings);
    if matches!(element.tag, Tag::Loop | Tag::Output | Tag::Goto) {
        either(element, Tag::Goto, &["step", "anchor"], findings);
        either(element, Tag::Loop, &["for", "over"], findings);
        return misspelt(element, findings);
    }
    if !element.tag.is_engine() {
        return;
    }
    unread(source, element, findings);
    name::params(element, findings);
    call(source, element, findings);
    asked::check(source, element, findings);
    either(element, Tag::Dispatch, &["agent", "agents"], findings);
    either(element, Tag::Set, &["value", "file", "glob"], findings);
    attributes(element, findings);
}

/// Says whether something may be wrong with a tag that has no attributes.
fn is_judged(tag: Tag) -> bool {
    let is_plain = matches!(
        tag,
        Tag::Inputs
            | Tag::Goto
            | Tag::Anchor
            | Tag::InvokeTask
            | Tag::InvokeWorkflow
            | Tag::InvokeProtocol
            | Tag::Menu
            | Tag::Choice
            | Tag::Ask
            | Tag::TemplateOutput
    );
    is_plain || tag.is_engine()
}

/// Counts the attributes that stand before this one under the same name.
fn earlier(element: &Element, at: usize) -> usize {
    let name = &element.attributes[at].name;
    element.attributes[..at.min(MANY)]
        .iter()
        .filter(|first| first.name == *name)
        .count()
}

/// Finds the attributes that a tag has already, each name once.
fn twice(element: &Element, findings: &mut Findings) {
    let severity = match element.tag.is_engine() {
        true => Severity::Error,
        false => Severity::Warning,
    };
    for (at, attribute) in element.attributes.iter().enumerate().skip(1) {
        if earlier(element, at) == 1 {
            let message = format!("`{}` is written twice, and only the first one is read", attribute.name);
            findings.add_as(severity, attribute.name_span, message).help = Some("remove one of them".to_owned());
        }
    }
}

fn attributes(element: &Element, findings: &mut Findings) {
    let row = element.tag.row();
    for wanted in row.attributes.iter().filter(|wanted| wanted.required) {
        if element.value(wanted.name).is_none_or(|value| value.trim().is_empty()) {
            findings
                .add(element.open, format!("`<{}>` needs `{}`", row.name, wanted.name))
                .help = Some(explain(row.name, "attributes"));
        }
    }
    for (at, attribute) in element.attributes.iter().enumerate() {
        if earlier(element, at) > 0 {
            continue;
        }
        if row.attributes.iter().any(|known| known.name == &*attribute.name) {
            value::check(element.tag, attribute, findings);
            continue;
        }
        unknown(element, attribute, findings).get_or_insert_with(|| explain(row.name, "attributes"));
    }
}

/// Says that a tag has no such attribute, and which one may be meant; answers the help.
fn unknown<'f>(element: &Element, attribute: &Attribute, findings: &'f mut Findings) -> &'f mut Option<String> {
    let row = element.tag.row();
    let near = nearest(&attribute.name, row.attributes.iter().map(|known| known.name));
    let message = format!("`<{}>` has no attribute `{}`", row.name, attribute.name);
    let found = findings.add(attribute.name_span, message);
    found.help = near.map(|near| format!("did you mean `{near}`?"));
    &mut found.help
}

/// Checks the attributes of a tag that authors also use in their own way: only one that is nearly another is wrong.
fn misspelt(element: &Element, findings: &mut Findings) {
    let names = || element.tag.row().attributes.iter().map(|known| known.name);
    for attribute in &element.attributes {
        let is_known = names().any(|known| known == &*attribute.name);
        if !is_known && nearest(&attribute.name, names()).is_some() {
            unknown(element, attribute, findings);
        }
    }
}

/// Checks that a value is given where it is read.
fn unread(source: &Source, element: &Element, findings: &mut Findings) {
    let param = element.child(Tag::Param);
    let value = element.attribute("value");
    if let (Tag::Return, Some(value), Some(_)) = (element.tag, value, param) {
        findings
            .add(
                value.name_span,
                "`<return>` takes `value` or `<param>`, not both: the value is lost",
            )
            .help = Some("remove one of them".to_owned());
    }
    let said = match element.tag {
        Tag::Set => ["value", "file", "glob"]
            .iter()
            .find_map(|name| element.attribute(name)),
        Tag::Halt => element.attribute("reason"),
        Tag::Param => value,
        // A word about what is given back may stand beside it.
        Tag::Return if value.is_none() => None,
        _ => return,
    };
    let text = element.children.iter().find_map(|child| match child {
        Child::Text(span) => {
            Some(trim(source, *span)).filter(|(_, text)| !text.is_empty() && !text.starts_with("<!--"))
        }
        Child::Element(_) => None,
    });
    let Some((text, _)) = text else { return };
    let name = element.tag.name();
    if let Some(said) = said {
        let message = format!("the text of `<{name}>` is not read: `{}` says it", said.name);
        findings.add_as(Severity::Warning, text, message).help = Some("remove one of them".to_owned());
    } else if element.tag == Tag::Return && param.is_none() {
        findings
            .add(text, "the text of `<return>` is not read, so nothing is given back")
            .help = Some("put what is given back into `value`".to_owned());
    }
}

fn explain(name: &str, what: &str) -> String {
    format!("`bmad explain {name}` shows its {what}")
}

/// Checks that a tag is given at most one of several attributes.
fn either(element: &Element, tag: Tag, names: &[&str], findings: &mut Findings) {
    if element.tag != tag {
        return;
    }
    let given: Vec<&Attribute> = names.iter().filter_map(|name| element.attribute(name)).collect();
    if let [first, second, ..] = given.as_slice() {
        let severity = match tag.is_engine() {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let found = findings.add_as(
            severity,
            second.name_span,
            format!(
                "`<{}>` takes `{}` or `{}`, not both",
                element.tag.name(),
                first.name,
                second.name
            ),
        );
        found.labels.push(Label {
            span: first.name_span,
            text: "the other one".to_owned(),
        });
        found.help = Some("remove one of them".to_owned());
    }
}

/// Checks what a call calls, and what it hands to a built-in.
fn call(source: &Source, element: &Element, findings: &mut Findings) {
    if element.tag != Tag::Call {
        return;
    }
    let targets = ["builtin", "path", "skill"]
        .iter()
        .filter(|name| element.attribute(name).is_some())
        .count();
    if targets != 1 {
        findings
            .add(
                element.open,
                "`<call>` needs exactly one of `builtin`, `path` and `skill`",
            )
            .help = Some("`bmad explain call` shows all three".to_owned());
    }
    let Some(name) = element.attribute("builtin") else {
        return;
    };
    let Some(builtin) = builtins::named(&name.value) else {
        let near = nearest(&name.value, builtins::BUILTINS.iter().map(|builtin| builtin.name));
        findings
            .add(name.value_span, format!("no built-in is named `{}`", name.value))
            .help = Some(near.map_or_else(
            || "`bmad explain builtins` says what there is".to_owned(),
            |near| format!("did you mean `{near}`?"),
        ));
        return;
    };
    let given: Vec<(&str, Span)> = element
        .elements()
        .filter_map(|child| parameter(source, child))
        .collect();
    let errors = builtin.check(given.iter().map(|(name, _)| *name));
    for error in &errors {
        if is_given_misspelt(error, &errors) {
            continue;
        }
        let place = match error {
            BuiltinError::UnknownParameter { parameter, .. } => given
                .iter()
                .find(|(name, _)| name == parameter)
                .map_or(element.open, |(_, span)| *span),
            BuiltinError::MissingParameter { .. }
            | BuiltinError::Unknown { .. }
            | BuiltinError::NotRunnable { .. }
            | BuiltinError::BadValue { .. }
            | BuiltinError::Refused { .. } => element.open,
        };
        findings.add(place, error.to_string()).help = Some(explain(builtin.name, "parameters"));
    }
}

/// Says whether a parameter is missing only because another one is its misspelling.
fn is_given_misspelt(error: &BuiltinError, errors: &[BuiltinError]) -> bool {
    let BuiltinError::MissingParameter { parameter: missing, .. } = error else {
        return false;
    };
    errors
        .iter()
        .any(|other| matches!(other, BuiltinError::UnknownParameter { nearest: Some(near), .. } if near == missing))
}

/// Returns the name of a parameter, written as an attribute or before a colon.
fn parameter<'a>(source: &'a Source, element: &'a Element) -> Option<(&'a str, Span)> {
    if element.tag != Tag::Param {
        return None;
    }
    if let Some(name) = element.attribute("name") {
        return Some((&name.value, name.value_span));
    }
    let (span, text) = element.inner_text(source);
    let (name, _) = text.split_once(':')?;
    Some((name.trim_end(), span.inner(0, name.trim_end().len())))
}
