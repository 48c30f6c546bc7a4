//! Skills that call themselves otherwise than their folder is called.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;

pub(super) const RULE: Rule = Rule {
    code: Code("skill-name-mismatch"),
    severity: Severity::Warning,
    summary: "a skill has another name than its folder, so it is not found by one of them",
    page: include_str!("../../../spec/rules/skill-name-mismatch.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    if document.role != Role::Skill {
        return;
    }
    let folder = document.source.path().folder();
    let matter = document.parsed.frontmatter.as_ref();
    let node = matter
        .and_then(|matter| matter.data.as_ref())
        .and_then(|data| data.get("name"));
    let Some((node, name)) = node.and_then(|node| Some((node, node.text()?.trim()))) else {
        return;
    };
    // A name with a hole in it is given when a skill is made of this; nobody knows what the top folder is called elsewhere,
    // and one that is called a skill is copied to where it has its name.
    let is_top = folder.as_str().is_empty() || folder.name() == "skill";
    let is_open = name.is_empty() || name.contains(['{', '[', '<']) || is_top;
    if is_open || name == folder.name() {
        return;
    }
    let found = findings.add(
        node.span,
        format!("this skill is called `{name}`, and its folder `{}`", folder.name()),
    );
    found.help = Some("give both one name: agents and installers look a skill up by either".to_owned());
    found.fix = is_plain(folder.name()).then(|| Fix {
        title: format!("call it `{}`", folder.name()),
        edits: vec![Edit {
            span: node.span,
            text: folder.name().to_owned(),
        }],
        safe: false,
    });
}

/// Says whether the name of a folder is one for a skill, and means itself in YAML.
fn is_plain(folder: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    folder.starts_with(|first: char| first.is_ascii_lowercase()) && folder.bytes().all(is_letter)
}
