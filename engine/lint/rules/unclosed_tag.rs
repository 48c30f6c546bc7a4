//! Open tags without their close.

use crate::diagnostic::{Code, Edit, Fix, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::model::{Document, Role};
use crate::source::{Source, Span, near_last};
use crate::syntax::{Child, Content, Element, Fault, FaultKind, Tag};
use std::cell::LazyCell;

pub(super) const RULE: Rule = Rule {
    code: Code("unclosed-tag"),
    severity: Severity::Error,
    summary: "a tag is opened and never closed",
    page: include_str!("../../../spec/rules/unclosed-tag.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if !unit.document.role.instructs() && !is_gone_through(unit) {
        return;
    }
    let unknown = LazyCell::new(|| unknown_closes(unit.document));
    for fault in &unit.document.parsed.faults {
        if fault.kind == FaultKind::UnclosedTag {
            let (source, tree) = (&unit.document.source, &unit.document.parsed.tree);
            if let Some(misspelt) = misspelt(source, fault, &unknown) {
                report_misspelt(source, fault, misspelt, findings);
                continue;
            }
            match robbed(source, tree, fault.span) {
                Some((open, close)) => report_robbed(source, fault, (open, close), findings),
                None => report(source, fault, findings),
            }
        }
    }
}

/// How many close tags of no name of the language are compared with one that is missing.
const MOST: usize = 16;

/// Returns where a file closes tags whose names are none of the language, in order.
fn unknown_closes(document: &Document) -> Vec<Span> {
    let text = document.source.text();
    let closes = memchr::memmem::find_iter(text.as_bytes(), "</").filter_map(|at| {
        let rest = &text[at + 2..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')?;
        let is_close = rest[length..].starts_with('>') && !text[..at].ends_with('`');
        let is_unknown = Tag::named(&rest[..length]).is_none() && !document.parsed.markdown.is_fenced(at as u32);
        (is_close && is_unknown).then(|| document.source.span(at, at + 2 + length + 1))
    });
    closes.collect()
}

/// Finds the close tag behind an open one, and before the engine closes it, that is nearly its own.
fn misspelt(source: &Source, fault: &Fault, unknown: &[Span]) -> Option<Span> {
    let end = fault
        .related
        .map_or(source.text().len(), |closed| closed.start as usize);
    let first = unknown.partition_point(|close| close.start < fault.span.end);
    let inside = unknown[first..].iter().take_while(|close| (close.end as usize) <= end);
    let is_near = |close: &&Span| {
        let name = source.slice(close.inner(2, close.len() - 1));
        nearest(name, [fault.detail.as_str()].into_iter()).is_some()
    };
    inside.take(MOST).find(is_near).copied()
}

/// Reports a tag whose close tag is misspelt.
fn report_misspelt(source: &Source, fault: &Fault, close: Span, findings: &mut Findings) {
    let name = &fault.detail;
    let (written, line) = (source.slice(close), source.position(close.start).line);
    let found = findings.add(fault.span, format!("`<{name}>` is never closed"));
    found.help = Some(format!(
        "`{written}` on line {line} looks like its end: write `</{name}>`"
    ));
    found.labels.push(Label {
        span: close,
        text: "this closes nothing".to_owned(),
    });
    found.fix = Some(fix(name, close, format!("</{name}>")));
}

/// Says whether a workflow goes through the file, like the checklist that it is validated by.
fn is_gone_through(unit: &FileUnit<'_>) -> bool {
    let id = unit.document.source.id();
    let is_part = || unit.facts.workflow.is_some_and(|workflow| workflow.goes_through(id));
    unit.document.role != Role::Template && is_part()
}

fn report(source: &Source, fault: &Fault, findings: &mut Findings) {
    let name = &fault.detail;
    let found = findings.add(fault.span, format!("`<{name}>` is never closed"));
    let is_empty = Tag::named(name).is_some_and(|tag| tag.row().content == Content::Empty);
    if is_empty {
        let mark = Span {
            start: fault.span.end.saturating_sub(1),
            end: fault.span.end.saturating_sub(1),
            ..fault.span
        };
        found.help = Some(format!("it holds nothing, so write `<{name} …/>`"));
        found.fix = Some(fix(name, mark, "/".to_owned()));
        return;
    }
    found.help = Some(format!("write `</{name}>` where its content ends"));
    let Some(closed) = fault.related else { return };
    found.labels.push(Label {
        span: closed,
        text: format!("the engine closes `<{name}>` here"),
    });
    let at = Span {
        end: closed.start,
        ..closed
    };
    found.fix = Some(fix(name, at, close(source, name, at)));
}

/// Reports the tag inside an unclosed one that took its close tag: by its place it is the one that has none.
fn report_robbed(source: &Source, fault: &Fault, (open, close): (Span, Span), findings: &mut Findings) {
    let name = &fault.detail;
    let outer = source.position(fault.span.start).line;
    let found = findings.add(open, format!("`<{name}>` is never closed"));
    found.help = Some(format!("write `</{name}>` where its content ends"));
    found.labels.push(Label {
        span: close,
        text: format!("by its place this closes the `<{name}>` of line {outer}"),
    });
}

/// Finds the tag that took the close tag of an unclosed one around it, where both stand at the start of their lines: a close
/// tag stands below its open tag. Returns its open tag and the close tag.
fn robbed(source: &Source, tree: &[Child], unclosed: Span) -> Option<(Span, Span)> {
    let mut outer = opened_at(tree, unclosed)?;
    let mut found = None;
    while let Some((inner, close)) = taker(source, outer, outer) {
        found = Some((inner.open, close));
        outer = inner;
    }
    found
}

fn opened_at(tree: &[Child], open: Span) -> Option<&Element> {
    let around = |child: &Child| match child {
        Child::Element(element) => element.span.contains(open),
        Child::Text(_) => false,
    };
    let Child::Element(element) = tree.iter().find(|child| around(child))? else {
        return None;
    };
    match element.open == open {
        true => Some(element),
        false => opened_at(&element.children, open),
    }
}

/// Finds a tag inside `outer`, of the same name, whose close tag stands below the open tag of `outer`.
fn taker<'e>(source: &Source, outer: &Element, inside: &'e Element) -> Option<(&'e Element, Span)> {
    let own = indent(source, outer.open)?;
    let takes = |inner: &'e Element| {
        let close = inner.close.filter(|_| inner.tag == outer.tag)?;
        let is_taken = indent(source, close) == Some(own) && indent(source, inner.open).is_some_and(|it| it != own);
        is_taken.then_some((inner, close))
    };
    for inner in inside.elements() {
        // One that stands beside the outer tag in it says that the outer one is the open one.
        if inner.tag == outer.tag && indent(source, inner.open) == Some(own) {
            return None;
        }
        if let Some(found) = takes(inner).or_else(|| taker(source, outer, inner)) {
            return Some(found);
        }
    }
    None
}

/// Returns the white space before a tag that begins its line.
fn indent(source: &Source, tag: Span) -> Option<&str> {
    let before = source.text().get(..tag.start as usize)?;
    let line = near_last(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    Some(&before[line..]).filter(|indent| indent.trim().is_empty())
}

fn fix(name: &str, span: Span, text: String) -> Fix {
    Fix {
        title: format!("close `<{name}>`"),
        edits: vec![Edit { span, text }],
        safe: false,
    }
}

/// Returns the close tag: on a line of its own where the next tag has one.
fn close(source: &Source, name: &str, at: Span) -> String {
    match indent(source, at) {
        Some(indent) => format!("</{name}>\n{indent}"),
        None => format!("</{name}>"),
    }
}
