//! `{x}` that nothing defines, where its value is needed or where it is a near miss of a name that is defined.

mod compared;
mod customized;
mod list;
mod names;
mod tested;

use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Lift, Resolution};
use crate::source::{QuickMap, SourceId, Span};
use crate::syntax::{Hole, HoleKind};
use names::Names;

pub(super) const RULE: Rule = Rule {
    code: Code("undefined-variable"),
    severity: Severity::Error,
    summary: "a variable is used and nothing defines it",
    page: include_str!("../../../spec/rules/undefined-variable.md"),
    check: Check::File(check),
};

/// How a name gets a value.
const DEFINE: &str = "set it in a step before this one, let a tag bind it with `into`, or name it as an `<input>`";

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    customized::check(unit, findings);
    let role = unit.document.role;
    if !role.instructs() && unit.facts.workflow.is_none() {
        return;
    }
    let known = Names::of(unit);
    if role.instructs() {
        list::check(unit, &known, findings);
        tested::check(unit, &known, findings);
        compared::check(unit, &known, findings);
    }
    if known.is_empty() {
        return;
    }
    let mut judged = Judged {
        first: Vec::with_capacity(FEW.min(unit.facts.holes.len())),
        others: QuickMap::default(),
    };
    let mut paths = None;
    for hole in unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single) {
        match judged.of(hole.name, &known) {
            Verdict::Fine => {}
            Verdict::Undefined { near, told } => {
                let paths = paths.get_or_insert_with(|| open_paths(unit));
                let needed = path_of(paths, hole);
                let near = near.filter(|near| !known.defines(near, hole));
                report(unit, hole, (near, needed), told, findings);
            }
        }
    }
}

/// What is known of a name, wherever the file uses it.
enum Verdict<'a> {
    /// Something gives it a value.
    Fine,
    /// Nothing does, unless prose does.
    Undefined {
        /// The defined name that it is a near miss of.
        near: Option<&'a str>,
        /// Whether prose does: asked where something would be said of the name, as files are searched for it.
        told: Option<bool>,
    },
}

/// How many names are looked for one by one among those that were judged.
const FEW: usize = 24;

/// What is known of the names that were asked for.
struct Judged<'n, 'a> {
    /// The first ones, as nearly all files have few.
    first: Vec<(&'n str, Verdict<'a>)>,
    others: QuickMap<&'n str, Verdict<'a>>,
}

impl<'n, 'a> Judged<'n, 'a> {
    /// Returns what is known of a name; found out once.
    fn of(&mut self, name: &'n str, known: &Names<'_, 'a>) -> &mut Verdict<'a> {
        let place = self.first.iter().position(|(judged, _)| *judged == name);
        if place.is_none() && self.first.len() == FEW {
            return self.others.entry(name).or_insert_with(|| judge(name, known));
        }
        let place = place.unwrap_or_else(|| {
            self.first.push((name, judge(name, known)));
            self.first.len() - 1
        });
        &mut self.first[place].1
    }
}

fn judge<'a>(name: &str, known: &Names<'_, 'a>) -> Verdict<'a> {
    if known.knows(name) || known.is_shouted(name) {
        return Verdict::Fine;
    }
    Verdict::Undefined {
        near: known.near(name).or_else(|| known.twin(name)),
        told: None,
    }
}

/// Reports a name with the one it is a near miss of, or because a path needs it.
fn report(
    unit: &FileUnit<'_>,
    hole: &Hole,
    (near, path): (Option<&str>, Option<Span>),
    told: &mut Option<bool>,
    findings: &mut Findings,
) {
    if near.is_none() && path.is_none() || *told.get_or_insert_with(|| is_told(unit, hole.name)) {
        return;
    }
    if let Some(near) = near {
        misspelt_hole(hole.span, hole.name, near, findings);
    } else {
        let is_whole = path == Some(hole.span);
        let (severity, why) = match is_followed(unit, hole) {
            true => (Severity::Warning, "a path needs its value"),
            false if is_whole => (Severity::Hint, "by its name it is a path"),
            false => (Severity::Hint, "a path needs its value"),
        };
        let message = format!("`{{{}}}` is not defined, and {why}", hole.name);
        let found = findings.add_as(severity, hole.span, message);
        found.help =
            Some("define it in the workflow's keys or frontmatter, or set it in a step before this one".to_owned());
    }
}

/// Says whether the text says to follow the file that the variable names: without a value the run comes to a stop there.
fn is_followed(unit: &FileUnit<'_>, hole: &Hole) -> bool {
    let is_it = |(target, span): (&str, Span)| span.contains(hole.span) && target.trim_matches(['{', '}']) == hole.name;
    let follows = |lift: &Lift| lift.kind.followed().is_some_and(is_it);
    let document = unit.document;
    document.instructs_in_prose() && !document.lifts_in(document.body(), follows).is_empty()
}

/// Reports a name in braces with the one that is meant.
fn misspelt_hole(span: Span, name: &str, near: &str, findings: &mut Findings) {
    misspelt(span, (&format!("{{{name}}}"), &format!("{{{near}}}")), findings);
}

/// Reports a name with the one that is meant, both as they are written at that place.
fn misspelt<'f>(span: Span, (name, near): (&str, &str), findings: &'f mut Findings) -> &'f mut Diagnostic {
    let found = findings.add(span, format!("`{name}` is not defined"));
    found.help = Some(format!("did you mean `{near}`?"));
    found.fix = Some(Fix {
        title: format!("write `{near}`"),
        edits: vec![Edit {
            span,
            text: near.to_owned(),
        }],
        safe: false,
    });
    found
}

/// Collects where the paths stand that a variable decides, in order.
fn open_paths(unit: &FileUnit<'_>) -> Vec<Span> {
    let references = unit.facts.references.iter();
    let mut spans: Vec<Span> = references
        .filter(|reference| reference.resolution == Resolution::Dynamic && reference.text.starts_with('{'))
        .map(|reference| reference.span)
        .collect();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    spans
}

/// Returns the path that needs the value of a hole.
fn path_of(paths: &[Span], hole: &Hole) -> Option<Span> {
    let after = paths.partition_point(|span| span.start <= hole.span.start);
    // Paths stand side by side; only a key may hold the same one once more.
    let near = &paths[after.saturating_sub(4)..after];
    near.iter().copied().find(|span| span.contains(hole.span))
}

/// Says whether the workflow's files name the variable in another way than in braces, or a call hands it over: prose
/// defines it, or the caller.
fn is_told(unit: &FileUnit<'_>, name: &str) -> bool {
    is_told_besides(unit, name, &[])
}

/// Says the same, whatever stands in some parts of the file, in order.
fn is_told_besides(unit: &FileUnit<'_>, name: &str, parts: &[Span]) -> bool {
    let library = unit.subject.library;
    let own = unit.document.source.id();
    let tells = |file: SourceId| match file == own && !parts.is_empty() {
        true => unit.document.tells_outside(name, parts),
        false => library.document(file).tells(name),
    };
    // Where another step leads next says nothing of this one.
    let workflows = unit.workflows().filter(|_| !name.starts_with("next"));
    let others = workflows
        .flat_map(|workflow| &workflow.files)
        .filter(|file| **file != own);
    // Most are told in the file that uses them, so that is read first.
    let mut files = std::iter::once(own).chain(others.copied());
    files.any(tells) || unit.subject.program.is_handed(unit.subject.workflows, name)
}
