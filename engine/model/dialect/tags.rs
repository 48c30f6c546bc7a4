//! Tags to instructions, for every front end whose text has tags in it.

use super::again::{lead_back, list_before, name_options};
use super::checks::{guarded, is_condition, is_text_check, lead, reach, stop_in_case, text_check};
use super::elicit::with_offer;
use super::loose::loose;
use super::{cases, engine_tags, repeat, targets};
use crate::model::condition::Condition;
use crate::model::instruction::{Act, Ask, Instruction, Produce, Words};
use crate::model::lift::{add, lifts};
use crate::model::menu::options;
use crate::model::workflow::{Origin, Step};
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag, trim};

/// Reads the children of an element, in order.
pub(super) fn body(source: &Source, children: &[Child]) -> Vec<Instruction> {
    // An instruction is large, and most bodies hold one or two: a list that grows by itself makes room for four.
    let elements = children.iter().filter(|child| matches!(child, Child::Element(_)));
    let mut read: Vec<Instruction> = Vec::with_capacity(elements.count());
    let mut left = children;
    while let [child, after @ ..] = left {
        left = after;
        match child {
            Child::Text(span) => loose(source, *span, &mut read),
            Child::Element(element) if element.tag == Tag::Iterate && !repeat::is_block(source, element) => {
                read.push(repeat::iterate(source, element, after));
                break;
            }
            Child::Element(element) if is_text_check(source, element) => {
                let (guarded, rest) = after.split_at(reach(source, element, after));
                read.push(text_check(source, element, guarded));
                left = rest;
            }
            Child::Element(element) if cases::is_open(element) => {
                let more = cases::reach(source, after);
                cases::add(source, child, &after[..more], &mut read);
                left = &after[more..];
            }
            Child::Element(element) => add_instruction(source, element, &mut read),
        }
    }
    list_before(source, &mut read);
    name_options(&mut read);
    lead_back(source, &mut read);
    read
}

/// Reads one element; some are no instruction and add nothing, `<flow>` adds what it holds.
pub(super) fn add_instruction(source: &Source, element: &Element, read: &mut Vec<Instruction>) {
    let act = match element.tag {
        Tag::Flow | Tag::Workflow | Tag::Task | Tag::Tool => return read.extend(body(source, &element.children)),
        Tag::Action | Tag::Item | Tag::Phase => action(source, element),
        Tag::Check | Tag::If => Act::Check {
            body: body(source, guarded(source, element)),
        },
        Tag::Ask => asked(source, element),
        Tag::Output => show(source, element),
        Tag::TemplateOutput => produce(source, element),
        Tag::ElicitRequired => Act::Elicit,
        Tag::Goto => targets::goto(source, element),
        Tag::Anchor => Act::Anchor {
            id: element.value("id").unwrap_or_default().to_owned(),
        },
        Tag::InvokeWorkflow | Tag::InvokeTask => targets::invoke(source, element),
        Tag::InvokeProtocol => targets::protocol(element),
        Tag::ForEach | Tag::Repeat | Tag::Loop => repeat::block(source, element),
        Tag::Iterate if repeat::is_block(source, element) => repeat::block(source, element),
        Tag::Step | Tag::Substep | Tag::Case => group(source, element),
        Tag::Menu => engine_tags::menu(source, element),
        Tag::Set => engine_tags::set(source, element),
        Tag::Dispatch => engine_tags::dispatch(source, element),
        Tag::Collect => engine_tags::collect(element),
        Tag::Call => engine_tags::call(source, element),
        Tag::Run => engine_tags::run(element),
        Tag::Parallel => engine_tags::parallel(source, element),
        Tag::Return => engine_tags::ret(source, element),
        Tag::Halt => Act::Halt {
            reason: engine_tags::reason(source, element),
        },
        Tag::Critical
        | Tag::Mandate
        | Tag::Note
        | Tag::Example
        | Tag::Rule
        | Tag::Objective
        | Tag::Llm
        | Tag::HaltConditions
        | Tag::ConditionTag => Act::Rule {
            text: element.inner_text(source).0,
        },
        Tag::Inputs
        | Tag::Input
        | Tag::Protocols
        | Tag::Protocol
        | Tag::Param
        | Tag::Iterate
        | Tag::Agent
        | Tag::Activation
        | Tag::Persona
        | Tag::MenuItem
        | Tag::Choice
        | Tag::Prompt => return,
    };
    read.push(instruction(source, element, act));
}

/// Puts what an element does with its condition.
fn instruction(source: &Source, element: &Element, mut act: Act) -> Instruction {
    let condition = condition(source, element).map(Box::new);
    if condition.is_some() {
        stop_in_case(source, &mut act);
    }
    Instruction {
        act,
        span: element.span,
        condition,
    }
}

/// Reads the condition of an element from whichever attribute carries it, or from the text of a check.
pub(super) fn condition(source: &Source, element: &Element) -> Option<Condition> {
    if element.tag == Tag::If && element.attribute("tag").is_some() {
        return None;
    }
    for name in ["if", "response", "selection", "condition"] {
        if name != "if" && element.tag != Tag::If {
            continue;
        }
        if let Some(attribute) = element.attribute(name) {
            return Some(Condition::parse(&attribute.value, attribute.value_span));
        }
    }
    if element.tag == Tag::Check {
        let (span, text) = lead(source, element);
        return is_condition(text).then(|| Condition::from_check_text(text, span));
    }
    if element.tag == Tag::Goto {
        let (span, text) = element.inner_text(source);
        return targets::is_when(element, text).then(|| Condition::from_check_text(text, span));
    }
    None
}

fn action(source: &Source, element: &Element) -> Act {
    let mut found = Vec::new();
    let mut inner = Vec::new();
    for child in &element.children {
        match child {
            Child::Text(span) => {
                let (span, text) = trim(source, *span);
                if !text.is_empty() {
                    add(&mut found, lifts(text, span));
                }
            }
            Child::Element(nested) => add_instruction(source, nested, &mut inner),
        }
    }
    let says = |child: &Child| matches!(child, Child::Text(span) if !source.slice(*span).trim().is_empty());
    let leads = |one: &Instruction| matches!(one.act, Act::Goto { .. } | Act::Invoke(_));
    if !inner.is_empty() && inner.iter().all(leads) && !element.children.iter().any(says) {
        // There is nothing for an agent to do around the tags.
        return Act::Check { body: inner };
    }
    Act::Do {
        text: element.inner_text(source).0,
        lifts: found,
        body: inner,
    }
}

fn show(source: &Source, element: &Element) -> Act {
    Act::Show {
        text: element.inner_text(source).0,
        file: words(element, "file"),
        template: words(element, "template"),
    }
}

/// Reads a question; one for each item of a list is a loop around it.
fn asked(source: &Source, element: &Element) -> Act {
    let ask = ask(source, element);
    match element.attribute("for_each") {
        Some(list) => repeat::around(ask, element, list),
        None => ask,
    }
}

fn ask(source: &Source, element: &Element) -> Act {
    let (text, written) = element.inner_text(source);
    let mut nested: Vec<Instruction> = Vec::new();
    for inner in element.elements() {
        add_instruction(source, inner, &mut nested);
    }
    let offered = match element.elements().next() {
        Some(first) => {
            let before = Span {
                end: first.span.start.max(text.start),
                ..text
            };
            options(source.slice(before), before)
        }
        None => options(written, text),
    };
    Act::Ask(Box::new(Ask {
        text,
        options: offered,
        listed: Vec::new(),
        into: words(element, "response"),
        body: nested,
    }))
}

/// Reads what is produced. Where an attribute names it, words inside that are no name say what to write.
fn produce(source: &Source, element: &Element) -> Act {
    let (span, text) = element.inner_text(source);
    let (mut names, value) = sections(text, span);
    let is_named = !names.is_empty();
    if !is_named {
        names = attributed(element);
    }
    let is_told = !is_named && !names.is_empty() && !text.is_empty();
    let produce = Act::Produce(Box::new(Produce {
        names,
        value,
        file: words(element, "file"),
    }));
    if !is_told {
        return produce;
    }
    let produced = Instruction {
        act: produce,
        span: element.span,
        condition: None,
    };
    Act::Check {
        body: vec![Instruction::prose(span, Vec::new()), produced],
    }
}

/// Reads the sections that an attribute names.
fn attributed(element: &Element) -> Vec<Words> {
    let named = ["section", "name", "id"]
        .into_iter()
        .find_map(|name| element.attribute(name));
    let read = named.map(|named| sections(&named.value, named.value_span));
    read.filter(|(_, value)| value.is_none())
        .map_or_else(Vec::new, |(names, _)| names)
}

/// Reads the five forms of content: one name, a list, `name = value`, a templated name, prose (no name).
fn sections(text: &str, span: Span) -> (Vec<Words>, Option<Words>) {
    if let Some((name, value)) = text.split_once('=')
        && is_section_name(name.trim())
    {
        let start = text.len() - value.trim_start().len();
        let value_span = span.inner(start, text.len());
        return (
            vec![Words {
                text: name.trim().to_owned(),
                span: span.inner(0, name.trim_end().len()),
            }],
            Some(Words {
                text: value.trim().to_owned(),
                span: value_span,
            }),
        );
    }
    let mut names = Vec::new();
    let mut at = 0;
    for part in text.split(',') {
        let name = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        if !is_section_name(name) {
            return (Vec::new(), None);
        }
        names.push(Words {
            text: name.to_owned(),
            span: span.inner(start, start + name.len()),
        });
        at += part.len() + 1;
    }
    (names, None)
}

fn is_section_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() < 100
        && !name.contains(char::is_whitespace)
        && name.chars().all(|c| c.is_alphanumeric() || "_-.{}*".contains(c))
}

fn group(source: &Source, element: &Element) -> Act {
    let title = element
        .value("goal")
        .or_else(|| element.value("title"))
        .unwrap_or_default();
    let body = with_offer(element, body(source, &element.children));
    let step = (element.tag == Tag::Step).then(|| Box::new(head(element, String::new())));
    Act::Group {
        label: words(element, "n"),
        title: title.to_owned(),
        body,
        step,
    }
}

/// Reads a `<step>` as a step of the workflow.
pub(super) fn step(source: &Source, element: &Element, position: usize) -> Step {
    let mut inner = with_offer(element, body(source, &element.children));
    if let (Some(_), Some(id)) = (element.attribute("n"), words(element, "id")) {
        inner.insert(
            0,
            Instruction {
                act: Act::Anchor { id: id.text },
                span: id.span,
                condition: None,
            },
        );
    }
    Step {
        condition: condition(source, element),
        body: inner,
        ..head(element, position.to_string())
    }
}

/// Reads what the open tag of a `<step>` says, but for its condition.
fn head(element: &Element, position: String) -> Step {
    let label = words(element, "n").or_else(|| words(element, "id"));
    let goal = element
        .value("goal")
        .or_else(|| element.value("title"))
        .unwrap_or_default();
    Step {
        label_span: label.as_ref().map_or(element.open, |label| label.span),
        label: label.map_or(position, |label| label.text),
        goal: goal.to_owned(),
        span: element.span,
        head: element.open,
        origin: Origin::Tag,
        condition: None,
        optional: element.value("optional").is_some_and(|value| value == "true"),
        repeat: repeat::of_step(element),
        body: Vec::new(),
        loose: false,
    }
}

/// Returns an attribute's value with its place.
pub(super) fn words(element: &Element, name: &str) -> Option<Words> {
    element.attribute(name).map(|attribute| Words {
        text: attribute.value.trim().to_owned(),
        span: attribute.value_span,
    })
}

/// Returns a value as it is written, with its place: texts are put together of such. One that is a variable, a number or
/// a truth has no white space around it, and neither has one that begins on a line of its own.
pub(super) fn verbatim(element: &Element, name: &str) -> Option<Words> {
    let attribute = element.attribute(name)?;
    let (text, inside) = (&*attribute.value, attribute.value.trim());
    let is_hole = inside.starts_with('{') && inside.ends_with('}') && !inside.trim_start_matches('{').contains('{');
    let is_plain = inside.parse::<f64>().is_ok() || matches!(inside, "true" | "false");
    let lead = &text[..text.len() - text.trim_start().len()];
    let kept = if is_hole || is_plain || lead.contains('\n') {
        inside
    } else {
        text
    };
    Some(Words {
        text: kept.to_owned(),
        span: attribute.value_span,
    })
}

/// Returns an attribute's value with its place, or nothing at the open tag.
pub(super) fn words_or_empty(element: &Element, name: &str) -> Words {
    words(element, name).unwrap_or(Words {
        text: String::new(),
        span: element.open,
    })
}
