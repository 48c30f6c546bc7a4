//! Skills that a manifest, an agent's menu or a sentence names and that no folder declares.

use super::RULE;
use crate::diagnostic::{Diagnostic, Severity, is_misspelt};
use crate::lint::sentence::{around, words};
use crate::lint::{FileUnit, Findings, nearest};
use crate::model::{Library, Lift, LiftKind, Module, Role};
use crate::source::{QuickMap, Span, near_last};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// How many names of skills that are not here are compared with those that are, in one file.
const MOST_SKILLS: usize = 64;

/// Finds skills that a manifest, an agent's menu or a sentence names and that no folder declares.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.subject.library.skills.is_empty() {
        return;
    }
    // Outside of a module nobody knows which skills are installed beside these.
    if let Some(module) = unit.subject.library.module_of(unit.document.source.path()) {
        listed(unit, module, findings);
    }
    told(unit, findings);
}

/// Finds those of a list that is part of a module.
fn listed(unit: &FileUnit<'_>, module: &Module, findings: &mut Findings) {
    let library = unit.subject.library;
    for (name, span) in named_skills(unit) {
        if is_there(library, name) {
            continue;
        }
        let near = near(library, name);
        let is_own = name
            .strip_prefix(&module.code)
            .is_some_and(|rest| rest.starts_with('-'));
        if near.is_some() || is_own || has_core_skills(library) {
            no_skill(name, span, near, findings);
        }
    }
}

/// Finds those of sentences. What a sentence invokes may be installed anywhere; a misspelt name of a skill that is here is
/// meant to be that one.
fn told(unit: &FileUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let invoked = invoked_skills(unit).into_iter();
    let mut named: Vec<(String, Span, Severity)> = invoked.map(|(name, span)| (name, span, RULE.severity)).collect();
    named.extend(spoken_skills(unit).map(|(name, span)| (name.to_owned(), span, Severity::Warning)));
    // What is invoked stands before what is only spoken of at the same place.
    named.sort_by_key(|(_, span, severity)| (*span, *severity != RULE.severity));
    named.dedup_by_key(|(_, span, _)| *span);
    let mut asked: QuickMap<String, Option<&str>> = QuickMap::default();
    for (name, span, severity) in named {
        let is_full = asked.len() == MOST_SKILLS && !asked.contains_key(&name);
        if is_full || is_there(library, &name) {
            continue;
        }
        let meant = || near(library, &name).filter(|near| is_misspelt(&name, near));
        let meant = *asked.entry(name.clone()).or_insert_with(meant);
        if meant.is_some() {
            no_skill(&name, span, meant, findings).severity = severity;
        }
    }
}

fn is_there(library: &Library, name: &str) -> bool {
    library.skills.iter().any(|(skill, _)| skill == name)
}

fn near<'a>(library: &'a Library, name: &str) -> Option<&'a str> {
    nearest(name, library.skills.iter().map(|(skill, _)| skill.as_str()))
}

fn no_skill<'f>(name: &str, span: Span, near: Option<&str>, findings: &'f mut Findings) -> &'f mut Diagnostic {
    let found = findings.add(span, format!("no skill `{name}` is declared in this project"));
    found.help = Some(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a skill is a folder with a `SKILL.md` in it".to_owned(),
    });
    found
}

/// Returns the skills that the text says to invoke, with the place of the order.
fn invoked_skills(unit: &FileUnit<'_>) -> Vec<(String, Span)> {
    let document = unit.document;
    if !document.instructs_in_prose() {
        return Vec::new();
    }
    let is_skill = |lift: &Lift| matches!(lift.kind, LiftKind::Skill { .. });
    let lifts = document.lifts_in(document.body(), is_skill).into_iter();
    lifts
        .filter_map(|lift| {
            let LiftKind::Skill { name } = lift.kind else {
                return None;
            };
            let at = document.source.slice(lift.span).find(&name)?;
            let span = lift.span.inner(at, at + name.len());
            Some((name, span))
        })
        .collect()
}

/// Words of a sentence about a skill that may not be there.
const OPEN: &[&str] = &[
    "no", "not", "never", "yet", "if", "unless", "whether", "without", "build", "create", "make", "write", "add",
    "plan", "planned", "future", "later",
];

/// Says whether the sentence around a name lets the skill be absent: it is on a condition, or yet to be made.
fn may_be_absent(text: &str, start: usize, end: usize) -> bool {
    let sentence = around(text, 0, start);
    let mut said = words(text, sentence.start..start);
    said.extend(words(text, end..sentence.end.max(end)));
    said.iter().any(|word| word.is_in(OPEN))
}

/// What stands behind the name of a skill.
static SPOKEN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("` skill"));

/// Returns the names in backticks that the text calls skills, and does not let be absent: ``the `tea-taste` skill``.
fn spoken_skills<'a>(unit: &FileUnit<'a>) -> impl Iterator<Item = (&'a str, Span)> {
    let document = unit.document;
    let text = match document.role.instructs() {
        true => document.source.text(),
        false => "",
    };
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    SPOKEN.find_iter(text.as_bytes()).filter_map(move |end| {
        let start = near_last(b'`', &text.as_bytes()[..end])? + 1;
        let name = text
            .get(start..end)
            .filter(|name| !name.is_empty() && name.bytes().all(is_letter))?;
        let span = document.source.span(start, end);
        let is_remark = || document.parsed.comments.iter().any(|comment| comment.contains(span));
        let is_shown = document.parsed.markdown.is_fenced(start as u32) || is_remark();
        (!is_shown && !may_be_absent(text, start, end)).then_some((name, span))
    })
}

/// Says whether the skills of the core module are among those that were read. Where they are not, a module stands alone,
/// and a name that nothing resembles may be one of theirs.
fn has_core_skills(library: &Library) -> bool {
    let mut skills = library.skills.iter();
    skills.any(|(_, id)| {
        let module = library.module_of(library.source(*id).path());
        module.is_some_and(|module| module.code == "core")
    })
}

fn named_skills<'a>(unit: &FileUnit<'a>) -> Vec<(&'a str, Span)> {
    if let Some(agent) = &unit.facts.agent {
        let skills = agent.menu.iter().filter_map(|item| item.skill.as_ref());
        return skills.map(|skill| (skill.text.as_str(), skill.span)).collect();
    }
    let rows = &unit.document.parsed.rows;
    let (Some(head), Role::Manifest) = (rows.first(), unit.document.role) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (column, title) in head.cells.iter().enumerate() {
        let is_skill = match title.text.trim() {
            "skill" => true,
            "workflow-file" => false,
            _ => continue,
        };
        for cell in rows[1..].iter().filter_map(|row| row.cells.get(column)) {
            let written = cell.text.trim();
            // A file may stand there as well.
            let name = if is_skill {
                Some(written)
            } else {
                written.strip_prefix("skill:")
            };
            let name = name.filter(|name| !name.is_empty() && !name.starts_with('_'));
            found.extend(name.map(|name| (name, cell.span)));
        }
    }
    found
}
