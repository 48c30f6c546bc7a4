//! Paths that lead nowhere: in keys, frontmatter, invokes, menus, manifests and prose.

mod absence;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Reference, ReferenceKind, Rule, nearest};
use crate::model::{Document, Mention, MentionRole, MentionStyle, Place, Resolution, Role, agent};
use crate::source::{ProjectPath, Span};

pub(super) const RULE: Rule = Rule {
    code: Code("broken-reference"),
    severity: Severity::Error,
    summary: "a path leads to a file that is not there",
    page: include_str!("../../../spec/rules/broken-reference.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    skills(unit, findings);
    for reference in &unit.facts.references {
        let Resolution::Missing(expected) = &reference.resolution else {
            continue;
        };
        if !is_meant(unit, reference) || has_broken_root(unit, reference) || is_in_examples(unit) {
            continue;
        }
        let is_prose = reference.kind == ReferenceKind::Prose;
        if is_prose && (is_written_first(unit, reference) || may_be_absent(unit, reference)) {
            continue;
        }
        let found = findings.add(reference.span, format!("`{}` leads to no file", reference.text));
        let folder = expected.folder();
        found.help = Some(match alike(unit, expected) {
            Some(path) => format!("expected at `{expected}`; did you mean `{path}`?"),
            None if folder.as_str().is_empty() => format!("expected at `{expected}`"),
            None => format!("expected at `{expected}`; the folder holds no file of that name"),
        });
    }
}

/// Finds skills that a manifest or an agent's menu names and that no folder declares.
fn skills(unit: &FileUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    if library.skills.is_empty() || library.module_of(unit.document.source.path()).is_none() {
        return;
    }
    for (name, span) in named_skills(unit) {
        if library.skills.iter().any(|(skill, _)| *skill == name) {
            continue;
        }
        let found = findings.add(span, format!("no skill `{name}` is declared in this project"));
        found.help = Some(
            match nearest(&name, library.skills.iter().map(|(skill, _)| skill.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a skill is a folder with a `SKILL.md` in it".to_owned(),
            },
        );
    }
}

fn named_skills(unit: &FileUnit<'_>) -> Vec<(String, Span)> {
    if let Some(agent) = agent(unit.document) {
        return agent
            .menu
            .into_iter()
            .filter_map(|item| item.skill)
            .map(|skill| (skill.text, skill.span))
            .collect();
    }
    let rows = &unit.document.parsed.rows;
    let column = rows
        .first()
        .and_then(|head| head.cells.iter().position(|cell| cell.text.trim() == "skill"));
    let (Some(column), Role::Manifest) = (column, unit.document.role) else {
        return Vec::new();
    };
    rows[1..]
        .iter()
        .filter_map(|row| row.cells.get(column))
        .filter(|cell| !cell.text.trim().is_empty() && !cell.text.starts_with('_'))
        .map(|cell| (cell.text.trim().to_owned(), cell.span))
        .collect()
}

/// Says whether the author means a file that must be there now.
fn is_meant(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    match reference.kind {
        ReferenceKind::Invoke | ReferenceKind::AgentMenu => true,
        ReferenceKind::Manifest => !is_declared_elsewhere(unit, reference),
        ReferenceKind::Key => {
            is_input_key(&reference.key)
                && !matches!(unit.document.role, Role::Other | Role::ModuleYaml | Role::ConfigYaml)
        }
        ReferenceKind::Frontmatter => is_input_key(&reference.key) && unit.document.role.instructs(),
        ReferenceKind::Prose => is_meant_in_prose(unit, reference),
    }
}

/// Says whether the row of a table that names a file also names a skill that is declared: an installer moves skills to the
/// folders of agent tools.
fn is_declared_elsewhere(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let declared = &unit.subject.library.skills;
    let names_skill = |text: &str| declared.iter().any(|(skill, _)| skill == text.trim());
    let mut rows = unit.document.parsed.rows.iter();
    let row = rows.find(|row| row.cells.iter().any(|cell| cell.span == reference.span));
    row.is_some_and(|row| row.cells.iter().any(|cell| names_skill(&cell.text)))
}

/// Keys that name what will be written, what a run keeps, or patterns of what may be there, are no promises.
fn is_input_key(key: &str) -> bool {
    const KEPT: &[&str] = &[
        "state", "log", "logs", "progress", "status", "journal", "history", "cache",
    ];
    let lower = key.to_lowercase();
    lower != "id"
        && !key_words(key).any(|word| KEPT.contains(&word.as_str()))
        && ![
            "output",
            "report",
            "destination",
            "artifact",
            "save",
            "generated",
            "pattern",
            "whole",
            "sharded",
            "example",
            "wip",
            "default",
        ]
        .iter()
        .any(|word| lower.contains(word))
}

/// Splits a key into its words: `stateFile`, `state_file` and `state-file` have the same two.
fn key_words(key: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in key.chars() {
        let begins = letter.is_uppercase() && was_small;
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        was_small = !letter.is_uppercase();
    }
    words.into_iter()
}

fn is_meant_in_prose(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let Some((style, role)) = reference.mention else {
        return false;
    };
    if !unit.document.role.instructs() || role == MentionRole::Write || is_sample(&reference.text) {
        return false;
    }
    let name = reference.text.rsplit('/').next().unwrap_or("");
    if reference.text.starts_with('.') && !name.contains('.') {
        // A program or a folder: installers place those.
        return false;
    }
    let anchored = is_anchored(unit, &reference.text);
    let step = is_renumbered(unit, &reference.text);
    match style {
        MentionStyle::Link => role == MentionRole::Load && (anchored || step),
        MentionStyle::Quoted if role != MentionRole::Load => step,
        MentionStyle::Quoted | MentionStyle::Backticked | MentionStyle::Bare => {
            anchored || step || (role == MentionRole::Load && is_below_known_folder(unit, &reference.text))
        }
        MentionStyle::Snapshot => true,
        MentionStyle::Braced => false,
    }
}

/// Says whether a path begins where only one place can be meant.
fn is_anchored(unit: &FileUnit<'_>, path: &str) -> bool {
    const ROOTS: &[&str] = &[
        "{project-root}",
        "{installed_path}",
        "{skill-root}",
        "{_bmad}",
        "{bmad_folder}",
    ];
    let first = path.split('/').next().unwrap_or(path);
    path.starts_with("./")
        || path.starts_with("../")
        || ROOTS.iter().any(|root| path.starts_with(root))
        || path.contains('/') && unit.subject.library.is_install_root(first)
}

/// Returns the folder a path is in, as text.
fn folder(path: &ProjectPath) -> &str {
    let end = path.as_str().len() - path.name().len();
    path.as_str()[..end].trim_end_matches('/')
}

/// Returns what the name of a step file says behind its number.
fn topic(name: &str) -> Option<&str> {
    let (number, topic) = name.strip_prefix("step-")?.split_once('-')?;
    number.starts_with(|at: char| at.is_ascii_digit()).then_some(topic)
}

/// Says whether a path is the name of a step file beside this one, with another number.
fn is_renumbered(unit: &FileUnit<'_>, path: &str) -> bool {
    let Some(wanted) = topic(path.rsplit('/').next().unwrap_or(path)) else {
        return false;
    };
    let here = folder(unit.document.source.path());
    unit.subject.library.documents().any(|document| {
        let other = document.source.path();
        folder(other) == here && topic(other.name()).is_some_and(|topic| topic == wanted)
    })
}

/// Says whether a path without a root begins with a folder that is there, beside the file or the workflow.
fn is_below_known_folder(unit: &FileUnit<'_>, path: &str) -> bool {
    let Some((first, _)) = path.split_once('/') else {
        return false;
    };
    [unit.document.source.path().folder(), unit.facts.home.clone()]
        .iter()
        .filter_map(|folder| folder.join(first))
        .any(|folder| unit.subject.library.exists(&folder))
}

/// Says whether the variable that a path begins with leads nowhere itself: then that is the finding.
fn has_broken_root(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let Some(name) = reference
        .text
        .strip_prefix('{')
        .and_then(|rest| rest.split_once("}/"))
        .map(|(name, _)| name)
    else {
        return false;
    };
    let scope = unit.facts.scope(unit);
    let place = Place {
        file: unit.document.source.path(),
        home: &unit.facts.home,
    };
    scope.value(name).is_some_and(|value| {
        matches!(
            unit.subject.library.resolve(value, place, &scope),
            Resolution::Missing(_)
        )
    })
}

/// Says whether the same path is written by an earlier sentence of the file, or by a file beside it: then it need not be
/// there before.
fn is_written_first(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let own = unit.document.source.path();
    let here = folder(own);
    let beside = |document: &&Document| {
        let path = document.source.path();
        folder(path) == here && (path == own || document.role.instructs())
    };
    unit.subject.library.documents().filter(beside).any(|document| {
        let is_earlier = |mention: &Mention| document.source.path() != own || mention.span.start < reference.span.start;
        let writes = |mention: &Mention| mention.role == MentionRole::Write && mention.text == reference.text;
        let mut mentions = document.mentions().iter();
        mentions.any(|mention| writes(mention) && !mention.example && is_earlier(mention))
    })
}

/// Says whether this sentence or an earlier one of the file says that the file at this path may be absent.
fn may_be_absent(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let text = unit.document.source.text();
    unit.facts
        .references
        .iter()
        .take_while(|other| other.span.start <= reference.span.start)
        .filter(|other| other.text == reference.text)
        .any(|other| absence::may_be_absent(text, other.span.start as usize..other.span.end as usize))
}

/// Says whether the file is there to show how files look.
fn is_in_examples(unit: &FileUnit<'_>) -> bool {
    unit.document
        .source
        .path()
        .parts()
        .any(|part| part.ends_with("examples") || part == "example")
}

/// Says whether a path only shows how a path looks.
fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    [
        "something",
        "example",
        "path/to",
        "relative/path",
        "filename",
        "your-",
        "/my-",
        "some-",
        "foo",
        "placeholder",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Finds a file of almost the same name: in the same folder, or of the same name elsewhere.
fn alike(unit: &FileUnit<'_>, expected: &ProjectPath) -> Option<ProjectPath> {
    let paths = || unit.subject.library.documents().map(|document| document.source.path());
    let folder = expected.folder();
    let beside = paths().filter(|path| self::folder(path) == folder.as_str());
    let names: Vec<&str> = beside.map(ProjectPath::name).collect();
    if let Some(name) = nearest(expected.name(), names.into_iter()) {
        return expected.beside(name);
    }
    let same: Vec<&ProjectPath> = paths().filter(|path| path.name() == expected.name()).collect();
    match same.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    }
}
