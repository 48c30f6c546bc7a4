//! `installed_path` that is not the folder the workflow is in.

use crate::diagnostic::{Code, Edit, Fix, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::{Place, Resolution, Role, Scope};
use crate::source::ProjectPath;
use crate::syntax::Node;

pub(super) const RULE: Rule = Rule {
    code: Code("wrong-installed-path"),
    severity: Severity::Warning,
    summary: "installed_path names another folder than the workflow's own",
    page: include_str!("../../../spec/rules/wrong-installed-path.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.role != Role::WorkflowYaml {
        return;
    }
    let Some(data) = &unit.document.parsed.data else {
        return;
    };
    let Some(node) = data.get("installed_path") else {
        return;
    };
    let Some(text) = node.text() else { return };
    let library = unit.subject.library;
    let source = &unit.document.source;
    let own = source.path().folder();
    let scope = Scope::new(library, unit.facts.workflow, source.id());
    let named = match library.resolve(
        text,
        Place {
            file: source.path(),
            home: &own,
        },
        &scope,
    ) {
        Resolution::Found(path) | Resolution::Missing(path) => path,
        Resolution::Dynamic | Resolution::Outside | Resolution::UnknownModule(_) | Resolution::Escapes => return,
    };
    let files = files(data);
    let held = |folder: &ProjectPath| {
        files
            .iter()
            .all(|file| folder.join(file).is_some_and(|path| library.exists(&path)))
    };
    let borrowed = !held(&own) && held(&named);
    if named == own || named.is_in(&own) || own.is_in(&named) || borrowed {
        return;
    }
    let found = findings.add(
        node.inner(source),
        format!("`installed_path` is `{named}`, but this workflow is in `{own}`"),
    );
    match corrected(text, &named, &own) {
        Some(right) => {
            found.help = Some(format!("write `{right}`"));
            found.fix = Some(Fix {
                title: "name the workflow's own folder".to_owned(),
                edits: vec![Edit {
                    span: node.inner(source),
                    text: right,
                }],
                safe: held(&own),
            });
        }
        None => found.help = Some("paths below `{installed_path}` are looked for in the wrong folder".to_owned()),
    }
}

/// Returns what the file names below `{installed_path}`.
fn files(data: &Node) -> Vec<&str> {
    let values = data.pairs().iter().filter_map(|pair| pair.node.text());
    values
        .filter_map(|text| text.strip_prefix("{installed_path}/"))
        .filter(|file| !file.contains(['{', '*']))
        .collect()
}

/// Replaces the part of the text that differs, where both folders share their beginning.
fn corrected(text: &str, named: &ProjectPath, own: &ProjectPath) -> Option<String> {
    let shared = named.parts().zip(own.parts()).take_while(|(a, b)| a == b).count();
    let wrong: Vec<&str> = named.parts().skip(shared).collect();
    let right: Vec<&str> = own.parts().skip(shared).collect();
    let head = text.trim_end_matches('/').strip_suffix(&wrong.join("/"))?;
    (shared > 0 && !wrong.is_empty()).then(|| format!("{head}{}", right.join("/")))
}
