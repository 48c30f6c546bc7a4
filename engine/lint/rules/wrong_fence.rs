//! Fences that hold the rest of a step file, with all that leads on from it.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Document, Lift, LiftKind, Role, lifts};
use crate::source::Span;
use crate::syntax::{Fence, Format};

pub(super) const RULE: Rule = Rule {
    code: Code("wrong-fence"),
    severity: Severity::Warning,
    summary: "a part of a step file with all that leads on stands between fences, where it is an example",
    page: include_str!("../../../spec/rules/wrong-fence.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if document.role != Role::StepFile || document.parsed.format != Format::Markdown {
        return;
    }
    let mut plain = document
        .parsed
        .markdown
        .fences
        .iter()
        .filter(|fence| is_part(document, fence));
    let found = plain.find_map(|fence| Some((fence, way_on(unit, fence)?)));
    let Some((fence, way_on)) = found.filter(|_| !leads_on(unit)) else {
        return;
    };
    let last = document.source.position(fence.span.end).line;
    let found = findings.add(
        fence.span.inner(0, 3),
        format!("from here to line {last} everything is an example, and with it all that leads on from this step"),
    );
    found.labels.push(Label {
        span: way_on,
        text: "nothing else leads on".to_owned(),
    });
    found.help = Some(
        "this mark was most likely to end what stands above it: take it away, or close what it opens before the next heading"
            .to_owned(),
    );
}

/// Says whether a fence names no language and holds headings, as a part of the file does.
fn is_part(document: &Document, fence: &Fence) -> bool {
    let is_heading = |line: &str| {
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        (1..7).contains(&marks) && line[marks..].starts_with(' ')
    };
    fence.language.is_empty() && document.source.slice(fence.body).lines().any(is_heading)
}

/// Returns the order in a fence that leads to another step file beside this one.
fn way_on(unit: &FileUnit<'_>, fence: &Fence) -> Option<Span> {
    let found = lifts(unit.document.source.slice(fence.body), fence.body);
    let mut found = found.into_iter().filter(|lift| follows_step(unit, lift));
    found.next().map(|lift| lift.span)
}

fn follows_step(unit: &FileUnit<'_>, lift: &Lift) -> bool {
    lift.kind.followed().is_some_and(|(target, _)| is_step(unit, target))
}

/// Says whether a path, or a name that stands for one, leads to another step file beside this one.
fn is_step(unit: &FileUnit<'_>, target: &str) -> bool {
    let own = &unit.document.source;
    let name = named(unit.document, target).and_then(|path| path.rsplit('/').next());
    let path = name.and_then(|name| own.path().beside(name));
    let file = path.and_then(|path| unit.subject.library.at(&path));
    file.is_some_and(|file| file.role == Role::StepFile && file.source.id() != own.id())
}

/// Returns the path that an order leads to; a name stands for what the frontmatter says.
fn named<'d>(document: &'d Document, target: &'d str) -> Option<&'d str> {
    let Some(name) = target.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return Some(target);
    };
    document.parsed.frontmatter.as_ref()?.data.as_ref()?.get(name)?.text()
}

/// Says whether anything outside of fences leads to another step, or away.
fn leads_on(unit: &FileUnit<'_>) -> bool {
    let document = unit.document;
    let leads = |lift: &Lift| {
        let leaves = lift.kind.leaves() && !matches!(lift.kind, LiftKind::Halt { .. });
        leaves || follows_step(unit, lift)
    };
    let names_step = || {
        let mut mentions = document.mentions_in(document.body());
        mentions.any(|mention| !mention.fenced && is_step(unit, &mention.text))
    };
    names_step() || !document.lifts_in(document.body(), leads).is_empty()
}
