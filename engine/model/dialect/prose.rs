//! Markdown without tags to steps: step files, numbered headings, or one step of prose.

use super::around::{says, without};
use super::choice::instructions;
use crate::model::instruction::Instruction;
use crate::model::library::Document;
use crate::model::lift::label_length;
use crate::model::role::{step_label, titled_label, worded_label};
use crate::model::workflow::{Origin, Step, Term};
use crate::source::{Source, Span};
use crate::syntax::Heading;

/// The most digits that the number of a step has; a longer one is a year or an amount.
const MAX_DIGITS: usize = 3;

/// The label of what stands before the first step.
const START: &str = "start";

/// Reads a Markdown file as steps: one for each numbered heading, or a single one of prose. What stands in `rules` is no part
/// of them.
pub(super) fn steps(document: &Document, rules: &[Span]) -> Vec<Step> {
    let whole = document.body();
    let found = headed(document, whole, rules);
    if found.is_empty() {
        return vec![whole_file(document, Origin::Prose, rules)];
    }
    found
}

/// Reads a step file as one step.
pub(super) fn step_file(document: &Document, terms: &[Term]) -> Step {
    let terms: Vec<Span> = terms.iter().map(|term| term.span).collect();
    whole_file(document, Origin::File, &terms)
}

/// Reads the numbered headings inside `span` as steps, with what stands before the first as a step of its own.
///
/// What stands in `rules` is read elsewhere.
pub(super) fn headed(document: &Document, span: Span, rules: &[Span]) -> Vec<Step> {
    let source = &document.source;
    let all: Vec<&Heading> = headings(document, span).collect();
    let numbered = numbered(source, &all);
    let Some(first) = numbered.first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let before = Span {
        end: first.1.span.start,
        ..span
    };
    let has_sections = all
        .iter()
        .any(|heading| heading.level > 1 && before.contains(heading.span));
    if has_sections {
        found.push(section(document, before, START.to_owned(), all[0], rules));
    }
    for (at, (label, heading)) in numbered.iter().enumerate() {
        let end = numbered.get(at + 1).map_or(span.end, |(_, next)| next.span.start);
        let part = Span {
            start: heading.span.start,
            end,
            ..span
        };
        found.push(section(document, part, label.clone(), heading, rules));
    }
    found
}

/// Reads text before tags as one step, if it says anything.
pub(super) fn opening(document: &Document, span: Span, rules: &[Span]) -> Option<Step> {
    let source = &document.source;
    let body = told(document, span, rules, Origin::Heading);
    let first = body.iter().find(|one| says(source.slice(one.span)))?.span;
    let title = headings(document, span).next();
    Some(Step {
        label: START.to_owned(),
        label_span: title.map_or(first, |title| title.text),
        goal: title
            .map_or("before the first step", |title| source.slice(title.text))
            .to_owned(),
        span,
        head: title.map_or(first, |title| title.span),
        origin: Origin::Heading,
        condition: None,
        optional: false,
        loose: true,
        repeat: None,
        body,
    })
}

fn section(document: &Document, span: Span, label: String, heading: &Heading, rules: &[Span]) -> Step {
    let source = &document.source;
    Step {
        label,
        label_span: heading.text,
        goal: source.slice(heading.text).to_owned(),
        span,
        head: heading.span,
        origin: Origin::Heading,
        condition: None,
        optional: false,
        loose: false,
        repeat: None,
        body: told(document, span, rules, Origin::Heading),
    }
}

/// Reads a stretch without the rules in it.
fn told(document: &Document, span: Span, rules: &[Span], origin: Origin) -> Vec<Instruction> {
    let parts = without(span, rules);
    if let [whole] = parts[..] {
        return instructions(document, whole, origin);
    }
    let read = parts.into_iter().flat_map(|part| instructions(document, part, origin));
    // A rule may leave nothing but a title before it.
    read.filter(|one| says(document.source.slice(one.span))).collect()
}

fn headings(document: &Document, span: Span) -> impl Iterator<Item = &Heading> {
    let all = document.parsed.markdown.headings.iter();
    all.filter(move |heading| span.contains(heading.span))
}

/// Returns the last of the numbered headings that make the steps of a file.
pub(super) fn last_numbered(document: &Document) -> Option<&Heading> {
    let all: Vec<&Heading> = headings(document, document.body()).collect();
    numbered(&document.source, &all).last().map(|(_, heading)| *heading)
}

/// Finds "Step 3: …" headings, or else a run of "3. …" headings at one level; two make a sequence.
fn numbered<'a>(source: &Source, all: &[&'a Heading]) -> Vec<(String, &'a Heading)> {
    let worded: Vec<_> = all
        .iter()
        .filter_map(|heading| Some((worded_label(source.slice(heading.text))?.to_owned(), *heading)))
        .collect();
    if worded.len() > 1 {
        return worded;
    }
    for level in 2..=4 {
        let plain: Vec<_> = all
            .iter()
            .filter(|heading| heading.level == level)
            .filter_map(|heading| Some((plain_label(source.slice(heading.text))?, *heading)))
            .collect();
        if plain.len() > 1 {
            return plain;
        }
    }
    Vec::new()
}

/// Returns the label of a heading that begins with the number of a step: `3. Bake` → `3`.
pub(super) fn plain_label(text: &str) -> Option<String> {
    // Without a word before it, `2D: …` counts nothing.
    let found = label(text).filter(|found| !found.ends_with(|at: char| at.is_ascii_uppercase()))?;
    let rest = &text[found.len()..];
    let is_marked =
        rest.starts_with(['.', ')', ':']) || found.contains('.') && !rest.starts_with(char::is_alphanumeric);
    let whole = found.split('.').next().unwrap_or("");
    (is_marked && whole.len() <= MAX_DIGITS).then_some(found)
}

/// Reads a leading label: digits, maybe a letter or parts behind dots.
fn label(text: &str) -> Option<String> {
    label_length(text).map(|length| text[..length].to_owned())
}

fn whole_file(document: &Document, origin: Origin, rules: &[Span]) -> Step {
    let source = &document.source;
    let span = document.body();
    let title = document.parsed.markdown.headings.first();
    let label = match origin {
        Origin::File => labelled(document),
        Origin::Tag | Origin::Heading | Origin::Prose => "1".to_owned(),
    };
    let goal = title.map_or(source.path().stem(), |heading| source.slice(heading.text));
    Step {
        label,
        label_span: source.span(0, 0),
        goal: goal.to_owned(),
        span,
        head: title.map_or(source.span(0, 0), |heading| heading.span),
        origin,
        condition: None,
        optional: false,
        loose: false,
        repeat: None,
        body: told(document, span, rules, origin),
    }
}

/// Returns the label of a step file: the number in its name, or else in its title.
fn labelled(document: &Document) -> String {
    let named = step_label(document.source.path().stem());
    let titled = || titled_label(&document.source, &document.parsed);
    let counts = named.contains(|at: char| at.is_ascii_digit());
    let titled = if counts { None } else { titled() };
    titled.map_or(named, str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{plain_label, worded_label};

    #[test]
    fn a_heading_has_all_of_its_number() {
        let labels = [
            "3. Bake",
            "10.5 Bake",
            "1.10 Bake",
            "2a) Bake",
            "3: Bake",
            "1.2.3. Bake",
        ]
        .map(plain_label);
        let found: Vec<&str> = labels.iter().flatten().map(String::as_str).collect();
        assert_eq!(found, ["3", "10.5", "1.10", "2a", "3", "1.2.3"]);
        assert_eq!(worded_label("Step 1.10: Bake"), Some("1.10"));
        assert_eq!(worded_label("Step 3B: Bake"), Some("3B"));
        assert_eq!(worded_label("Step 1-B：Bake"), Some("1-B"));
        assert_eq!(worded_label("Step 1-Bake"), Some("1"));
    }

    #[test]
    fn a_heading_that_begins_with_an_amount_has_none() {
        for title in ["3 loaves", "2.5x more", "2D: Draw", "20000. Bake more", "Bake 3"] {
            assert_eq!(plain_label(title), None, "{title}");
        }
    }
}
