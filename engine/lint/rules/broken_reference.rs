//! Paths that lead nowhere: in keys, frontmatter, invokes, menus, manifests and prose.

mod absence;
mod called;
mod commands;
mod expected;
mod page;
mod prose;
mod reader;
mod skills;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Reference, ReferenceKind, Rule, nearest};
use crate::model::{Document, Place, Resolution, Role};
use crate::source::near_byte;
use crate::syntax::{Child, Element, Tag};
use page::Page;

pub(super) const RULE: Rule = Rule {
    code: Code("broken-reference"),
    severity: Severity::Error,
    summary: "a path leads to a file that is not there",
    page: include_str!("../../../spec/rules/broken-reference.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    skills::check(unit, findings);
    prompts(unit, findings);
    let page = Page::new(unit);
    if !is_in_examples(unit) {
        commands::check(&page, findings);
    }
    for reference in &unit.facts.references {
        let expected = match &reference.resolution {
            Resolution::Missing(expected) => expected.clone(),
            Resolution::Outside => match called::expected(unit, reference) {
                Some(expected) => expected,
                None => continue,
            },
            Resolution::Found(_) | Resolution::Dynamic | Resolution::UnknownModule(_) | Resolution::Escapes => continue,
        };
        if is_in_examples(unit) || !is_meant(&page, reference) || has_broken_root(unit, reference) {
            continue;
        }
        let is_prose = reference.kind == ReferenceKind::Prose || unit.document.role == Role::CustomizeToml;
        if is_prose && (page.is_written_first(reference) || page.may_be_absent(reference)) {
            continue;
        }
        let what = if reference.key == "installed_path" {
            "folder"
        } else {
            "file"
        };
        let found = findings.add(reference.span, format!("`{}` leads to no {what}", reference.text));
        let is_bare = !reference.text.contains('/');
        found.help = Some(match is_bare.then(|| page.near_part(reference)).flatten() {
            Some(near) => format!("did you mean `{near}`?"),
            None => expected::help(unit, &expected::place(unit, reference, &expected)),
        });
    }
}

/// Finds prompts that an agent's menu names and that the agent does not have.
fn prompts(unit: &FileUnit<'_>, findings: &mut Findings) {
    let named = |role: Role| matches!(role, Role::AgentYaml | Role::AgentMarkdown);
    let Some(agent) = unit.facts.agent.as_ref().filter(|_| named(unit.document.role)) else {
        return;
    };
    let declared = declared_prompts(unit.document);
    for prompt in agent.menu.iter().filter_map(|item| item.prompt.as_ref()) {
        if prompt.text.contains(['{', ' ']) || declared.contains(&prompt.text.as_str()) {
            continue;
        }
        let found = findings.add(prompt.span, format!("no prompt `{}` in this agent", prompt.text));
        found.help = Some(match nearest(&prompt.text, declared.iter().copied()) {
            Some(near) => format!("did you mean `#{near}`?"),
            None => "a prompt is an entry of `prompts` with this `id`".to_owned(),
        });
    }
}

/// Returns the names of the prompts that an agent has.
fn declared_prompts(document: &Document) -> Vec<&str> {
    fn tagged<'a>(tree: &'a [Child], found: &mut Vec<&'a str>) {
        for child in tree {
            let Child::Element(element) = child else { continue };
            let element: &Element = element;
            found.extend(element.value("id").filter(|_| element.tag == Tag::Prompt));
            tagged(&element.children, found);
        }
    }
    let root = document.parsed.data.as_ref();
    let lists = [root, root.and_then(|root| root.get("agent"))].into_iter().flatten();
    let prompts = lists
        .filter_map(|node| node.get("prompts"))
        .flat_map(|node| node.items());
    let mut found: Vec<&str> = prompts.filter_map(|prompt| prompt.get("id")?.text()).collect();
    tagged(&document.parsed.tree, &mut found);
    found
}

/// Says whether the author means a file that must be there now.
fn is_meant(page: &Page<'_>, reference: &Reference<'_>) -> bool {
    let unit = page.unit;
    match reference.kind {
        ReferenceKind::Invoke | ReferenceKind::AgentMenu => true,
        ReferenceKind::Manifest => !page.is_declared_elsewhere(reference),
        ReferenceKind::Table => page.leads_mostly_to_files(reference.key),
        ReferenceKind::Key => {
            is_input_key(reference.key)
                && !matches!(unit.document.role, Role::Other | Role::ModuleYaml | Role::ConfigYaml)
        }
        ReferenceKind::Frontmatter => is_input_key(reference.key) && unit.document.role.instructs(),
        ReferenceKind::Prose => prose::is_meant(page, reference),
    }
}

/// Keys that name what will be written, what a run keeps, or patterns of what may be there, are no promises.
fn is_input_key(key: &str) -> bool {
    const KEPT: &[&str] = &[
        "state", "log", "logs", "progress", "status", "journal", "history", "cache",
    ];
    let lower = key.to_lowercase();
    // What is written later is made from a template, which is there before.
    if key_words(key).last().is_some_and(|word| word == "template") {
        return !["generated", "example"].iter().any(|word| lower.contains(word));
    }
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

/// Says whether the variable that a path begins with leads nowhere itself: then that is the finding.
fn has_broken_root(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
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

/// Says whether the file is there to show how files look.
fn is_in_examples(unit: &FileUnit<'_>) -> bool {
    let path = unit.document.source.path();
    // Hardly any path has the letter.
    let may_be = near_byte(b'x', path.as_str().as_bytes()).is_some();
    may_be && path.parts().any(|part| part.ends_with("examples") || part == "example")
}
