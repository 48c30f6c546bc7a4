//! Where jumps and calls lead, from attributes, content and prose.

use super::tags::{verbatim, words, words_or_empty};
use crate::model::instruction::{Act, Invoke, Invoked, Param, Target, Words};
use crate::model::lift::{LiftKind, lifts};
use crate::model::mention::mentions;
use crate::source::{Source, Span};
use crate::syntax::{Element, Tag, decode};

/// The attributes of a call that are handed over under their own names.
const VALUES: &[&str] = &["data", "techniques", "input"];

/// Reads a `<goto>`.
pub(super) fn goto(source: &Source, element: &Element) -> Act {
    let (span, text) = element.inner_text(source);
    let says = (!text.is_empty()).then(|| Words {
        text: text.to_owned(),
        span,
    });
    let target = if let Some(step) = words(element, "step") {
        Target::Step(step)
    } else if let Some(anchor) = words(element, "anchor") {
        Target::Anchor(anchor)
    } else {
        prose_target(text, span)
    };
    let says = says.filter(|_| !element.attributes.is_empty() && !is_when(element, text));
    Act::Goto { target, says }
}

/// Says whether the text of a `<goto>` says when to jump: `<goto step="1">If changes are wanted</goto>`.
pub(super) fn is_when(element: &Element, text: &str) -> bool {
    let leads = element.attribute("step").is_some() || element.attribute("anchor").is_some();
    let first = text.split_whitespace().next().unwrap_or("");
    let opens = ["if", "when", "unless"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word));
    leads && opens && element.attribute("if").is_none()
}

/// Reads `<goto>step 3</goto>`, `<goto>step_3</goto>` and `<goto>3</goto>`.
fn prose_target(text: &str, span: Span) -> Target {
    let number = text
        .strip_prefix("step")
        .or_else(|| text.strip_prefix("Step"))
        .unwrap_or(text)
        .trim_start_matches([' ', '_']);
    if !number.is_empty() && number.len() < 6 && number.starts_with(|c: char| c.is_ascii_digit()) {
        let start = text.len() - number.len();
        return Target::Step(Words {
            text: number.to_owned(),
            span: span.inner(start, text.len()),
        });
    }
    lifts(text, span)
        .into_iter()
        .find_map(|lift| match lift.kind {
            LiftKind::Goto { label, label_span, .. } => Some(Target::Step(Words {
                text: label,
                span: label_span,
            })),
            LiftKind::Section { .. }
            | LiftKind::Halt { .. }
            | LiftKind::Exit
            | LiftKind::Return
            | LiftKind::Set { .. }
            | LiftKind::Store { .. }
            | LiftKind::Follow { .. }
            | LiftKind::Skill { .. }
            | LiftKind::Ask
            | LiftKind::Wait => None,
        })
        .unwrap_or(Target::Prose)
}

/// Reads an `<invoke-workflow>` or `<invoke-task>`.
pub(super) fn invoke(source: &Source, element: &Element) -> Act {
    let (span, text) = element.inner_text(source);
    let target = words(element, "path").or_else(|| invoked_path(source, text, span));
    let what = if target.is_some() {
        Invoked::File
    } else {
        Invoked::Prose
    };
    Act::Invoke(Box::new(Invoke {
        what,
        target: target.unwrap_or(Words {
            text: text.to_owned(),
            span,
        }),
        params: handed(source, element),
        into: words(element, "into"),
        timeout: words(element, "timeout"),
        halt: element.value("halt").is_some_and(|value| value == "true"),
    }))
}

/// Reads what a call hands over: its `<param>` elements, and the attributes that are values too.
fn handed(source: &Source, element: &Element) -> Vec<Param> {
    let mut params = params(source, element);
    for name in VALUES {
        if let Some(attribute) = element.attribute(name)
            && params.iter().all(|param| param.name.text != *name)
        {
            params.push(Param {
                name: Words {
                    text: (*name).to_owned(),
                    span: attribute.name_span,
                },
                value: Words {
                    text: attribute.value.trim().to_owned(),
                    span: attribute.value_span,
                },
            });
        }
    }
    params
}

/// Reads an `<invoke-protocol>`.
pub(super) fn protocol(element: &Element) -> Act {
    Act::Invoke(Box::new(Invoke {
        what: Invoked::Protocol,
        target: words_or_empty(element, "name"),
        params: Vec::new(),
        into: None,
        timeout: None,
        halt: false,
    }))
}

/// Finds the path in `<invoke-task>path</invoke-task>`, or the first path in its prose.
fn invoked_path(source: &Source, text: &str, span: Span) -> Option<Words> {
    if !text.is_empty() && !text.starts_with('<') && !text.contains(char::is_whitespace) {
        return Some(Words {
            text: text.to_owned(),
            span,
        });
    }
    mentions(source, span, None).into_iter().next().map(|mention| Words {
        text: mention.text,
        span: mention.span,
    })
}

/// Reads `<param name="k">v</param>`, `<param name= value=/>` and `<param>k: v</param>`.
pub(super) fn params(source: &Source, element: &Element) -> Vec<Param> {
    element
        .elements()
        .filter(|child| child.tag == Tag::Param)
        .filter_map(|child| {
            let (span, text) = child.inner_text(source);
            if let Some(name) = words(child, "name") {
                let value = verbatim(child, "value").unwrap_or(Words {
                    text: decode(text).into_owned(),
                    span,
                });
                return Some(Param { name, value });
            }
            let (name, value) = text.split_once(':')?;
            let start = text.len() - value.trim_start().len();
            Some(Param {
                name: Words {
                    text: name.trim().to_owned(),
                    span: span.inner(0, name.len()),
                },
                value: Words {
                    text: decode(value.trim()).into_owned(),
                    span: span.inner(start, text.len()),
                },
            })
        })
        .collect()
}
