//! Everything that repeats, from attributes, tags and prose.

use super::tags::{body, condition, words};
use crate::model::condition::Condition;
use crate::model::instruction::{Act, Instruction};
use crate::model::workflow::{Repeat, RepeatKind};
use crate::source::{Source, Span};
use crate::syntax::{Attribute, Child, Element, Tag};

/// Reads how a step repeats.
pub(super) fn of_step(element: &Element) -> Option<Repeat> {
    let bound = element.value("max").map(str::to_owned);
    if let Some(list) = element.attribute("for-each") {
        return Some(Repeat { bound, ..over(list) });
    }
    let attribute = element.attribute("repeat")?;
    Some(Repeat {
        kind: repeated(attribute),
        also: Vec::new(),
        bound,
        is_exact: false,
        span: attribute.value_span,
    })
}

/// Repeats what one element does for every item of a list.
pub(super) fn around(act: Act, element: &Element, list: &Attribute) -> Act {
    let inner = Instruction {
        act,
        span: element.span,
        condition: None,
    };
    Act::Loop {
        repeat: Box::new(over(list)),
        index: None,
        body: vec![inner],
    }
}

fn over(list: &Attribute) -> Repeat {
    each_of(each(&list.value), list.value_span)
}

fn each_of(kind: RepeatKind, span: Span) -> Repeat {
    Repeat {
        kind,
        also: Vec::new(),
        bound: None,
        is_exact: false,
        span,
    }
}

/// Reads `5`, `for-each-item` and `until-approved`.
fn repeated(attribute: &Attribute) -> RepeatKind {
    let value = attribute.value.trim();
    if value.parse::<u32>().is_ok() {
        return RepeatKind::Times(value.to_owned());
    }
    if let Some(item) = value
        .strip_prefix("for-each-")
        .or_else(|| value.strip_prefix("for each "))
    {
        return RepeatKind::Each {
            item: item.to_owned(),
            list: item.to_owned(),
        };
    }
    let until = value
        .strip_prefix("until-")
        .or_else(|| value.strip_prefix("until "))
        .unwrap_or(value);
    RepeatKind::Until(Condition::parse(&until.replace('-', " "), attribute.value_span))
}

/// Reads `item in list`, `each item in list` and a bare list.
fn each(text: &str) -> RepeatKind {
    let text = text.trim();
    let text = text.strip_prefix("each ").unwrap_or(text);
    match text.split_once(" in ") {
        Some((item, list)) => RepeatKind::Each {
            item: item.trim().to_owned(),
            list: list.trim().to_owned(),
        },
        None => RepeatKind::Each {
            item: "item".to_owned(),
            list: text.to_owned(),
        },
    }
}

/// Reads `<for-each>`, `<repeat>`, `<loop>` and an `<iterate>` that holds what repeats.
pub(super) fn block(source: &Source, element: &Element) -> Act {
    let inner = body(source, &element.children);
    let kind = kind(element);
    let is_exact = element.tag == Tag::Loop && matches!(&kind, RepeatKind::Each { list, .. } if is_exact(list));
    let repeat = Repeat {
        also: conditions(element).filter(|other| *other != kind).collect(),
        kind,
        bound: element.value("max").map(str::to_owned),
        is_exact,
        span: element.open,
    };
    Act::Loop {
        repeat: Box::new(repeat),
        index: words(element, "index").map(|index| index.text),
        body: inner,
    }
}

/// Says whether a list is a name or written out, and not told in words.
fn is_exact(list: &str) -> bool {
    list.contains(',') || !list.trim().contains(' ')
}

fn kind(element: &Element) -> RepeatKind {
    if element.tag == Tag::ForEach
        && let Some(first) = element.attributes.first()
    {
        return RepeatKind::Each {
            item: first.name.to_string(),
            list: first.value.trim().to_owned(),
        };
    }
    if let Some(list) = element.value("over") {
        let own = element.value("item").filter(|_| element.tag == Tag::Iterate);
        let item = element.value("as").or(own).unwrap_or("item");
        return RepeatKind::Each {
            item: item.to_owned(),
            list: list.to_owned(),
        };
    }
    for name in ["for", "for-each"] {
        if let Some(value) = element.value(name) {
            return each(value);
        }
    }
    conditions(element).next().unwrap_or(RepeatKind::Bounded)
}

/// Reads the conditions that a loop has besides what it goes over.
fn conditions(element: &Element) -> impl Iterator<Item = RepeatKind> {
    let read = |name: &str| {
        let attribute = element.attribute(name)?;
        Some(Condition::parse(&attribute.value, attribute.value_span))
    };
    let before = read("while").map(RepeatKind::While);
    before.into_iter().chain(read("until").map(RepeatKind::Until))
}

/// Says whether an `<iterate>` has its list in an attribute, and holds what repeats. Words that end in a colon lead to
/// what follows.
pub(super) fn is_block(source: &Source, element: &Element) -> bool {
    let is_over = element.attribute("over").is_some();
    let text = element.inner_text(source).1;
    let holds_tags = element.elements().next().is_some();
    let holds_words = !text.is_empty() && !text.ends_with(':');
    is_over && (holds_tags || holds_words) || element.attribute("for").is_some() && holds_tags
}

/// Reads `<iterate>For each x:</iterate>`: the siblings after it repeat, bounded by the list it names.
pub(super) fn iterate(source: &Source, element: &Element, siblings: &[Child]) -> Instruction {
    let repeat = match (element.attribute("over"), element.attribute("for")) {
        (Some(list), _) => each_of(kind(element), list.value_span),
        (None, Some(list)) => over(list),
        (None, None) => {
            let (span, text) = element.inner_text(source);
            let list = text.strip_prefix("For each ").unwrap_or(text).trim_end_matches(':');
            each_of(each(list), span)
        }
    };
    let end = siblings.last().map_or(element.span, Child::span);
    Instruction {
        act: Act::Loop {
            repeat: Box::new(repeat),
            index: words(element, "index").map(|index| index.text),
            body: body(source, siblings),
        },
        span: element.span.to(end),
        condition: condition(source, element).map(Box::new),
    }
}
