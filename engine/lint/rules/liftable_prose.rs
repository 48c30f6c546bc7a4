//! Control flow in prose that a tag would say for certain.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Instruction, Lift, LiftKind, Place, Resolution, Scope};
use crate::source::Span;
use crate::syntax::{Child, Element, Tag, decode};

pub(super) const RULE: Rule = Rule {
    code: Code("liftable-prose"),
    severity: Severity::Hint,
    summary: "a sentence directs the flow; a tag would say it for certain",
    page: include_str!("../../../spec/rules/liftable-prose.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    for (instruction, lift) in &unit.acts.lifts {
        suggest(unit, instruction, lift, findings);
    }
}

fn suggest(unit: &WorkflowUnit<'_>, instruction: &Instruction, lift: &Lift, findings: &mut Findings) {
    let Some(written) = tag(unit, lift) else {
        return;
    };
    let place = place(unit, lift.span);
    if written.tag.is_engine() && !place.below_root {
        return;
    }
    let short = written.text(&dependence(unit, lift));
    let are_read = findings.are_read();
    let found = findings.add(lift.span, format!("the engine reads this sentence as `{short}`"));
    if !are_read {
        return;
    }
    found.help = Some(format!("write `{short}`, and no reader has to guess"));
    let Some(condition) = place
        .innermost
        .and_then(|element| whole(unit, instruction, element, lift))
    else {
        return;
    };
    found.fix = Some(Fix {
        title: format!("write `{short}`"),
        edits: vec![Edit {
            span: instruction.span,
            text: written.text(condition),
        }],
        safe: written.same,
    });
}

/// Writes what the sentence depends on as an attribute.
fn dependence(unit: &WorkflowUnit<'_>, lift: &Lift) -> String {
    let Some(span) = lift.condition else {
        return String::new();
    };
    let written = unit.subject.library.slice(span).trim();
    let (first, rest) = written.split_once(char::is_whitespace).unwrap_or((written, ""));
    let plain = ["if", "when"].iter().any(|word| word.eq_ignore_ascii_case(first)) && rest.len() < 80;
    format!(
        "if=\"{}\"",
        if plain {
            quoted(rest.trim_end_matches([',', ':', '.']))
        } else {
            "…".to_owned()
        }
    )
}

/// A tag that says what a sentence says.
struct Written {
    tag: Tag,
    attributes: String,
    /// Whether the engine does the same for both.
    same: bool,
}

impl Written {
    fn text(&self, condition: &str) -> String {
        let space = if condition.is_empty() { "" } else { " " };
        format!("<{}{}{space}{condition}/>", self.tag.name(), self.attributes)
    }
}

/// Returns the tag for a lift; nothing where only a model could carry it out.
fn tag(unit: &WorkflowUnit<'_>, lift: &Lift) -> Option<Written> {
    let (tag, attributes, same) = match &lift.kind {
        LiftKind::Goto { label, .. } => {
            let known = unit.workflow.steps.iter().any(|step| step.label == *label);
            (Tag::Goto, format!(" step=\"{}\"", quoted(label)), known)
        }
        LiftKind::Halt { .. } if is_before_question(unit, lift.span) => return None,
        // What a person says decides, and no expression does: `ASK the user to clarify or HALT`.
        LiftKind::Halt { .. } if lift.condition == Some(lift.span) => return None,
        LiftKind::Halt { reason } if reason.trim().is_empty() => (Tag::Halt, String::new(), true),
        LiftKind::Halt { reason } => (Tag::Halt, format!(" reason=\"{}\"", quoted(reason)), true),
        LiftKind::Exit | LiftKind::Return => (Tag::Return, String::new(), true),
        LiftKind::Set {
            name,
            value,
            value_span,
        } => {
            let value = match value.as_str() {
                "" => "",
                _ => literal(unit.subject.library.source(value_span.source).text(), *value_span)?,
            };
            let attributes = format!(" name=\"{}\" value=\"{}\"", name, quoted(value));
            (Tag::Set, is_name(name).then_some(attributes)?, !value.contains('{'))
        }
        LiftKind::Follow { target, target_span } => {
            let called = !is_own(unit, target, *target_span);
            (
                Tag::Call,
                called.then(|| format!(" path=\"{}\"", quoted(target)))?,
                false,
            )
        }
        LiftKind::Skill { name } => (Tag::Call, format!(" skill=\"{}\"", quoted(name)), false),
        LiftKind::Section { .. } | LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => return None,
    };
    // A backtick in Markdown may begin code, and tags in code are only mentions.
    let same = same && lift.condition.is_none() && !attributes.contains('`');
    Some(Written { tag, attributes, same })
}

/// Says whether a question comes after the element that words stand in, with nothing but outputs between: a stop before
/// it means to wait.
fn is_before_question(unit: &WorkflowUnit<'_>, span: Span) -> bool {
    let text = unit.subject.library.source(span.source).text();
    let closed = text.get(span.range().end..).and_then(|rest| rest.split_once("</"));
    let mut rest = closed
        .and_then(|(_, rest)| rest.split_once('>'))
        .map_or("", |(_, rest)| rest);
    loop {
        let named = rest.trim_start().strip_prefix('<').unwrap_or_default();
        let name = named.split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/'));
        match name.into_iter().next().and_then(Tag::named) {
            Some(Tag::Ask | Tag::Menu | Tag::ElicitRequired) => return true,
            Some(Tag::Output) => rest = named.split_once("</output>").map_or("", |(_, rest)| rest),
            _ => return false,
        }
    }
}

/// Reads a value that needs nobody to think about it: quoted text, one word, one variable.
fn literal(text: &str, span: Span) -> Option<&str> {
    let written = text.get(span.range())?.trim();
    let before = text.get(..span.range().start)?.chars().next_back();
    let after = text.get(span.range().end..)?.chars().next();
    let quotes = ['"', '\'', '`'];
    let outside = before.filter(|mark| quotes.contains(mark) && after == Some(*mark));
    let inside = quotes.into_iter().find_map(|mark| {
        let inside = written.strip_prefix(mark)?.strip_suffix(mark)?;
        Some((mark, inside))
    });
    if let Some((mark, value)) = inside.or(outside.map(|mark| (mark, written))) {
        return (!value.contains([mark, '\n'])).then_some(value);
    }
    let bare = written.strip_suffix('.').unwrap_or(written);
    let name = bare.trim_start_matches('{').trim_end_matches('}');
    let word = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    word.then_some(bare)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// Says whether a path leads to a file of the workflow itself: going there is no call.
fn is_own(unit: &WorkflowUnit<'_>, target: &str, span: Span) -> bool {
    let library = unit.subject.library;
    let home = library.source(unit.workflow.home).path().folder();
    let scope = Scope::new(library, Some(unit.workflow), span.source);
    let place = Place {
        file: library.source(span.source).path(),
        home: &home,
    };
    match library.resolve(target, place, &scope) {
        Resolution::Found(path) => library
            .at(&path)
            .is_some_and(|document| unit.workflow.files.contains(&document.source.id())),
        Resolution::Missing(_)
        | Resolution::Dynamic
        | Resolution::Outside
        | Resolution::UnknownModule(_)
        | Resolution::Escapes => false,
    }
}

/// Where a sentence stands.
struct Standing<'a> {
    /// The innermost element around it.
    innermost: Option<&'a Element>,
    /// Whether a root is open there, so that the engine's tags are tags.
    below_root: bool,
}

fn place<'a>(unit: &WorkflowUnit<'a>, span: Span) -> Standing<'a> {
    let mut standing = Standing {
        innermost: None,
        below_root: false,
    };
    let mut children = unit.subject.library.document(span.source).parsed.tree.as_slice();
    loop {
        let after = children.partition_point(|child| child.span().start <= span.start);
        let Some(Child::Element(element)) = after.checked_sub(1).and_then(|at| children.get(at)) else {
            return standing;
        };
        if !element.span.contains(span) {
            return standing;
        }
        standing.below_root |= element.tag.is_root();
        standing.innermost = Some(element);
        children = &element.children;
    }
}

/// Says whether the sentence is all that an action says; answers its condition as written.
fn whole<'a>(unit: &WorkflowUnit<'a>, instruction: &Instruction, element: &Element, lift: &Lift) -> Option<&'a str> {
    let library = unit.subject.library;
    if element.tag != Tag::Action
        || element.span != instruction.span
        || element.close.is_none()
        || element.children.len() != 1
    {
        return None;
    }
    let inside = element.inside();
    let before = library.slice(Span {
        end: lift.span.start.max(inside.start),
        ..inside
    });
    let after = library.slice(Span {
        start: lift.span.end.min(inside.end),
        ..inside
    });
    if !before.trim().is_empty() || !matches!(after.trim(), "" | ".") {
        return None;
    }
    match element.attributes.as_slice() {
        [] => Some(""),
        [one] if &*one.name == "if" => {
            let end = one.value_span.end + 1;
            Some(library.slice(Span { end, ..one.name_span }))
        }
        _ => None,
    }
}

/// Makes text safe inside a quoted attribute.
fn quoted(text: &str) -> String {
    let text = decode(text);
    let mut quoted = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !quoted.is_empty() {
            quoted.push(' ');
        }
        for letter in word.chars() {
            match letter {
                '&' => quoted.push_str("&amp;"),
                '<' => quoted.push_str("&lt;"),
                '"' => quoted.push_str("&quot;"),
                _ => quoted.push(letter),
            }
        }
    }
    quoted
}
