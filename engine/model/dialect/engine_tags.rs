//! The engine's own tags to instructions.

use super::tags::{body, condition, verbatim, words, words_or_empty};
use super::targets::params;
use crate::model::instruction::{Act, Branch, Collect, Dispatch, Invoke, Invoked, Menu, Parallel, Run, SetFrom, Words};
use crate::model::menu::MenuOption;
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag, decode, trim};

/// Reads a `<collect>`.
pub(super) fn collect(element: &Element) -> Act {
    Act::Collect(Box::new(Collect {
        from: words_or_empty(element, "from"),
        field: words(element, "field"),
        into: words_or_empty(element, "into"),
        failed: words(element, "failed"),
    }))
}

/// Reads a `<run>`.
pub(super) fn run(element: &Element) -> Act {
    Act::Run(Run {
        command: words_or_empty(element, "command"),
        timeout: words(element, "timeout"),
        into: words(element, "into"),
    })
}

/// Reads a `<parallel>`.
pub(super) fn parallel(source: &Source, element: &Element) -> Act {
    Act::Parallel(Box::new(Parallel {
        body: body(source, &element.children),
        into: words(element, "into"),
        each: words(element, "for").map(each),
        index: words(element, "index").map(|index| index.text),
        max: words(element, "max"),
    }))
}

/// Splits `item in {list}`; a bare list binds `item`.
fn each(written: Words) -> (String, Words) {
    match written.text.split_once(" in ") {
        Some((item, list)) => {
            let list = Words {
                text: list.trim().to_owned(),
                span: written.span,
            };
            (item.trim().to_owned(), list)
        }
        None => ("item".to_owned(), written),
    }
}

/// Reads a `<return>`.
pub(super) fn ret(source: &Source, element: &Element) -> Act {
    Act::Return {
        value: verbatim(element, "value"),
        params: params(source, element),
    }
}

/// Returns why a `<halt>` stops the run.
pub(super) fn reason(source: &Source, element: &Element) -> String {
    match element.value("reason") {
        Some(reason) => reason.to_owned(),
        None => decode(element.inner_text(source).1).into_owned(),
    }
}

/// Reads a `<set>`.
pub(super) fn set(source: &Source, element: &Element) -> Act {
    let (span, text) = element.inner_text(source);
    let read = [("file", SetFrom::File), ("glob", SetFrom::Glob)];
    let read = read
        .into_iter()
        .find_map(|(name, from)| Some((from, words(element, name)?)));
    let (from, value) = read.unwrap_or_else(|| {
        let own = verbatim(element, "value").unwrap_or_else(|| Words {
            text: decode(text).into_owned(),
            span,
        });
        (SetFrom::Value, own)
    });
    Act::Set {
        name: words_or_empty(element, "name"),
        value,
        from,
    }
}

/// Reads a `<menu>`.
pub(super) fn menu(source: &Source, element: &Element) -> Act {
    let branches = element
        .elements()
        .filter(|child| child.tag == Tag::Choice)
        .map(|choice| Branch {
            option: Some(MenuOption {
                key: choice.value("key").unwrap_or_default().to_owned(),
                label: choice.value("label").unwrap_or_default().to_owned(),
                span: choice.open,
            }),
            body: body(source, &choice.children),
            again: choice.value("again").is_some_and(|value| value == "true"),
            onward: false,
            past: false,
            retold: false,
            default: choice.value("default").is_some_and(|value| value == "true"),
            aliases: words(choice, "aliases").map(|list| names(&list)).unwrap_or_default(),
            condition: condition(source, choice),
        })
        .collect();
    Act::Menu(Box::new(Menu {
        name: words(element, "name"),
        text: words(element, "text"),
        branches,
        into: words(element, "into"),
        stops: true,
    }))
}

/// Reads a `<dispatch>`.
pub(super) fn dispatch(source: &Source, element: &Element) -> Act {
    let agents = match words(element, "agents") {
        Some(list) => split(&list),
        None => words(element, "agent").into_iter().collect(),
    };
    Act::Dispatch(Box::new(Dispatch {
        agents,
        params: params(source, element),
        into: words(element, "into"),
        text: prompt(source, element),
        several: element.attribute("agents").is_some(),
        mode: words(element, "mode"),
        access: words(element, "access"),
        model: words(element, "model"),
        timeout: words(element, "timeout"),
        max: words(element, "max"),
    }))
}

/// Returns the text around the parameters.
fn prompt(source: &Source, element: &Element) -> Span {
    let mut whole: Option<Span> = None;
    for child in &element.children {
        if let Child::Text(span) = child {
            let (span, text) = trim(source, *span);
            if !text.is_empty() {
                whole = Some(whole.map_or(span, |before| before.to(span)));
            }
        }
    }
    whole.unwrap_or(element.open)
}

fn names(list: &Words) -> Vec<String> {
    split(list).into_iter().map(|name| name.text).collect()
}

/// Splits a list of names at its commas.
fn split(list: &Words) -> Vec<Words> {
    let mut names = Vec::new();
    let mut at = 0;
    for part in list.text.split(',') {
        let name = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        if !name.is_empty() {
            names.push(Words {
                text: name.to_owned(),
                span: list.span.inner(start, start + name.len()),
            });
        }
        at += part.len() + 1;
    }
    names
}

/// Reads a `<call>`.
pub(super) fn call(source: &Source, element: &Element) -> Act {
    let (what, target) = [
        ("builtin", Invoked::Builtin),
        ("path", Invoked::File),
        ("skill", Invoked::Skill),
    ]
    .into_iter()
    .find_map(|(name, what)| words(element, name).map(|target| (what, target)))
    .unwrap_or((Invoked::Prose, words_or_empty(element, "path")));
    Act::Invoke(Box::new(Invoke {
        what,
        target,
        params: params(source, element),
        into: words(element, "into"),
        timeout: words(element, "timeout"),
        halt: false,
    }))
}
