//! Fences that hold the rest of a step file, with all that leads on from it.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Document, Lift, LiftKind, Role, lifts};
use crate::source::Span;
use crate::syntax::{Fence, Format, LineKind, Phrases};

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
    let Some((fence, way_on)) = found.filter(|_| !leads_on(unit) && !speaks_of_next(document)) else {
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
    if !fence.language.is_empty() || !document.source.slice(fence.span).starts_with('`') {
        return false;
    }
    let body = document.source.slice(fence.body).as_bytes();
    let is_heading = |at: usize| {
        let marks = body[at..].iter().take_while(|byte| **byte == b'#').count();
        let begins = at == 0 || body[at - 1] == b'\n';
        begins && marks < 7 && body.get(at + marks) == Some(&b' ')
    };
    // Few examples have one.
    let has_heading = memchr::memchr_iter(b'#', body).any(is_heading);
    has_heading && !(fence.is_closed() && is_shown(document, fence))
}

/// Says whether the line above a fence leads to what it shows: `Show this:`.
fn is_shown(document: &Document, fence: &Fence) -> bool {
    let before = document.source.text()[..fence.span.start as usize].trim_end();
    before.trim_end_matches(['*', '_']).ends_with(':')
}

/// Says whether the text outside of fences says to go on to the next step, without saying where that is.
fn speaks_of_next(document: &Document) -> bool {
    static NEXT: Phrases = Phrases::new(&[
        "then load the next step",
        "then load next step",
        "then proceed to the next step",
        "then go on to the next step",
    ]);
    let mut lines = document.parsed.markdown.lines.iter();
    lines.any(|line| line.kind != LineKind::Code && NEXT.is_in(document.source.slice(line.span(&document.source))))
}

/// Says whether the page that declares the workflow names a step file itself.
fn is_listed(unit: &FileUnit<'_>, step: &Document) -> bool {
    let home = unit
        .facts
        .workflow
        .map(|workflow| unit.subject.library.document(workflow.home));
    let page = home.filter(|home| home.parsed.format == Format::Markdown);
    let name = step.source.path().name().as_bytes();
    page.is_some_and(|page| memchr::memmem::find(page.source.text().as_bytes(), name).is_some())
}

/// Returns the order in a fence that leads to another step file beside this one.
fn way_on(unit: &FileUnit<'_>, fence: &Fence) -> Option<Span> {
    let found = lifts(unit.document.source.slice(fence.body), fence.body);
    let is_only_here = |lift: &Lift| followed(unit, lift).is_some_and(|step| !is_listed(unit, step));
    let mut found = found.into_iter().filter(is_only_here);
    found.next().map(|lift| lift.span)
}

/// Returns the other step file that an order leads to.
fn followed<'a>(unit: &FileUnit<'a>, lift: &Lift) -> Option<&'a Document> {
    lift.kind.followed().and_then(|(target, _)| step(unit, target))
}

/// Returns the other step file beside this one that a path, or a name that stands for one, leads to.
fn step<'a>(unit: &FileUnit<'a>, target: &str) -> Option<&'a Document> {
    let own = &unit.document.source;
    let name = named(unit.document, target).and_then(|path| path.rsplit('/').next());
    let path = name.and_then(|name| own.path().beside(name));
    let file = path.and_then(|path| unit.subject.library.at(&path));
    file.filter(|file| file.role == Role::StepFile && file.source.id() != own.id())
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
        leaves || followed(unit, lift).is_some()
    };
    let names_step = || {
        let mut mentions = document.mentions_in(document.body());
        mentions.any(|mention| !mention.fenced && step(unit, &mention.text).is_some())
    };
    names_step() || !document.lifts_in(document.body(), leads).is_empty()
}
