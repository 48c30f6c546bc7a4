//! What menus and their answers look like, by example.

mod answers;
mod pages;
mod passed;
mod questions;

use super::{Handled, Menu, Menus, options, read};
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, parse};

pub(super) fn source(text: &str) -> Source {
    Source::new(SourceId(0), ProjectPath::new("steps/step-01.md").unwrap(), text)
}

pub(super) fn menus(text: &str) -> Menus {
    let source = source(text);
    read(&source, &parse(&source, Format::Markdown).markdown)
}

pub(super) fn keys(menu: &Menu) -> Vec<&str> {
    menu.options.iter().map(|option| option.key.as_str()).collect()
}

pub(super) fn asked(text: &str) -> Vec<(String, String)> {
    let source = source(text);
    options(text, source.span(0, text.len()))
        .into_iter()
        .map(|option| (option.key, option.label))
        .collect()
}

pub(super) fn asked_keys(text: &str) -> Vec<String> {
    asked(text).into_iter().map(|(key, _)| key).collect()
}

pub(super) fn body<'a>(text: &'a str, handled: &Handled) -> &'a str {
    &text[handled.body.range()]
}
