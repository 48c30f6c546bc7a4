//! Engine tags that miss an attribute, have one too many, or name a built-in that is not there.

use crate::builtins;
use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::syntax::{Attribute, Child, Element, Tag};

pub(super) const RULE: Rule = Rule {
    code: Code("engine-tag"),
    severity: Severity::Error,
    summary: "one of the engine's own tags is written wrongly, so the workflow would not start",
    page: include_str!("../../../spec/rules/engine-tag.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.role.instructs() {
        walk(&unit.document.parsed.tree, findings);
    }
}

fn walk(children: &[Child], findings: &mut Findings) {
    for child in children {
        if let Child::Element(element) = child {
            if element.tag.is_engine() {
                attributes(element, findings);
            }
            if element.tag == Tag::Call {
                call(element, findings);
            }
            walk(&element.children, findings);
        }
    }
}

fn attributes(element: &Element, findings: &mut Findings) {
    let row = element.tag.row();
    for wanted in row.attributes.iter().filter(|wanted| wanted.required && element.attribute(wanted.name).is_none()) {
        findings
            .add(element.open, format!("`<{}>` needs `{}`", row.name, wanted.name))
            .help = Some(format!("`bmad explain {}` shows its attributes", row.name));
    }
    for attribute in &element.attributes {
        if row.attributes.iter().any(|known| known.name == &*attribute.name) {
            continue;
        }
        let found = findings.add(attribute.name_span, format!("`<{}>` has no attribute `{}`", row.name, attribute.name));
        found.help = nearest(&attribute.name, row.attributes.iter().map(|known| known.name)).map(|near| format!("did you mean `{near}`?"));
    }
}

fn call(element: &Element, findings: &mut Findings) {
    let targets: Vec<&Attribute> = ["builtin", "path", "skill"].iter().filter_map(|name| element.attribute(name)).collect();
    if targets.len() != 1 {
        findings
            .add(element.open, "`<call>` needs exactly one of `builtin`, `path` and `skill`".to_owned())
            .help = Some("`bmad explain call` shows all three".to_owned());
    }
    let Some(name) = element.attribute("builtin") else { return };
    let Some(builtin) = builtins::named(&name.value) else {
        let found = findings.add(name.value_span, format!("no built-in `{}`", name.value));
        found.help = nearest(&name.value, builtins::BUILTINS.iter().map(|builtin| builtin.name)).map(|near| format!("did you mean `{near}`?"));
        return;
    };
    for parameter in builtin.parameters.iter().filter(|parameter| parameter.required) {
        let given = element.elements().any(|child| child.tag == Tag::Param && child.value("name") == Some(parameter.name));
        if !given {
            findings
                .add(element.open, format!("built-in `{}` needs the parameter `{}`", builtin.name, parameter.name))
                .help = Some(format!("`bmad explain {}` shows its parameters", builtin.name));
        }
    }
}
