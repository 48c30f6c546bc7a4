//! The engine's own tags to instructions.

use super::tags::{body, words, words_or_empty};
use super::targets::params;
use crate::model::instruction::{Act, Branch, Dispatch, Invoke, Invoked, Menu, Words};
use crate::model::menu::MenuOption;
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag, trim};

/// Reads a `<collect>`.
pub(super) fn collect(element: &Element) -> Act {
    Act::Collect {
        from: words_or_empty(element, "from"),
        into: words_or_empty(element, "into"),
        failed: words(element, "failed"),
    }
}

/// Reads a `<parallel>`.
pub(super) fn parallel(source: &Source, element: &Element) -> Act {
    Act::Parallel {
        body: body(source, &element.children),
        into: words(element, "into"),
    }
}

/// Reads a `<return>`.
pub(super) fn ret(source: &Source, element: &Element) -> Act {
    Act::Return {
        value: words(element, "value"),
        params: params(source, element),
    }
}

/// Returns why a `<halt>` stops the run.
pub(super) fn reason(source: &Source, element: &Element) -> String {
    element
        .value("reason")
        .unwrap_or_else(|| element.inner_text(source).1)
        .to_owned()
}

/// Reads a `<set>`.
pub(super) fn set(source: &Source, element: &Element) -> Act {
    let (span, text) = element.inner_text(source);
    Act::Set {
        name: words_or_empty(element, "name"),
        value: words(element, "value").unwrap_or(Words {
            text: text.to_owned(),
            span,
        }),
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
        })
        .collect();
    Act::Menu(Menu {
        branches,
        into: words(element, "into"),
        stops: true,
    })
}

/// Reads a `<dispatch>`.
pub(super) fn dispatch(source: &Source, element: &Element) -> Act {
    let agents = match words(element, "agents") {
        Some(list) => split(&list),
        None => words(element, "agent").into_iter().collect(),
    };
    Act::Dispatch(Dispatch {
        agents,
        params: params(source, element),
        into: words(element, "into"),
        text: prompt(source, element),
    })
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
    Act::Invoke(Invoke {
        what,
        target,
        params: params(source, element),
        into: words(element, "into"),
    })
}
