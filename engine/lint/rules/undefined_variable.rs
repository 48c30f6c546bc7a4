//! `{x}` that nothing defines, where its value is needed or where it is a near miss of a name that is defined.

mod compared;
mod customized;
mod followed;
mod list;
mod names;
mod roots;
mod tested;

use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Resolution, Wanted};
use crate::source::{QuickMap, SourceId, Span};
use crate::syntax::{Hole, HoleKind};
use followed::Followed;
use names::Names;
use std::cell::LazyCell;

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
        return roots::check(unit, findings);
    }
    let known = Names::of(unit);
    if role.instructs() {
        list::check(unit, &known, findings);
        tested::check(unit, &known, findings);
        compared::check(unit, &known, findings);
    }
    let mut judged = Judged {
        first: Vec::with_capacity(FEW.min(unit.facts.holes.len())),
        others: QuickMap::default(),
    };
    let paths = LazyCell::new(|| open_paths(unit));
    let followed = LazyCell::new(|| Followed::of(unit));
    for hole in unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single) {
        match judged.of(hole.name, &known) {
            Verdict::Fine => {}
            Verdict::Undefined { near, told } => {
                // Where nothing is defined, only a root can be misspelt.
                let needed = if known.is_empty() { None } else { path_of(&paths, hole) };
                let is_followed = || needed.is_some() && followed.has(hole);
                // What a run follows has to be written as it is defined.
                let is_meant = |near: &&str| !known.is_alike(near, hole.name) || is_followed();
                let near = near.filter(|near| !known.defines(near, hole)).filter(is_meant);
                if (near.is_some() || needed.is_some()) && !*told.get_or_insert_with(|| is_told(unit, hole.name)) {
                    report(hole, (near, needed), is_followed(), findings);
                }
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
fn report(hole: &Hole, (near, path): (Option<&str>, Option<Span>), is_followed: bool, findings: &mut Findings) {
    if let Some(near) = near {
        misspelt_hole(hole.span, hole.name, near, findings);
    } else {
        let is_whole = path == Some(hole.span);
        let (severity, why) = match is_followed {
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
    let wanted = Wanted::new(name);
    let tells = |file: SourceId| match file == own && !parts.is_empty() {
        true => unit.document.tells_outside(&wanted, parts),
        false => library.document(file).tells(&wanted),
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
