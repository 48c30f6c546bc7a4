//! Step files in, those whose frontmatter calls the file itself the next one out.

use crate::diagnostic::{Edit, Fix, Severity};
use crate::lint::{Findings, WorkflowUnit};
use crate::model::{Document, Place, Resolution, Role, Scope, step_label};
use crate::syntax::Node;

/// How many step files of one workflow are shown which step follows: its folder is gone through for each.
const MOST: usize = 64;

/// Finds the keys that say which step is next, and name the step they stand in.
pub(super) fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let files = unit.workflow.files.iter().map(|file| library.document(*file));
    let mut told = 0;
    for document in files.filter(|file| file.role == Role::StepFile) {
        let matter = document.parsed.frontmatter.as_ref();
        let data = matter.and_then(|matter| matter.data.as_ref());
        for pair in data.map_or(&[][..], Node::pairs) {
            if pair.key.starts_with("next")
                && let Some(value) = pair.node.text()
                && leads_here(unit, document, value)
            {
                told += 1;
                let next = (told <= MOST).then(|| following(unit, document)).flatten();
                report(document, (&pair.node, value), next, findings);
            }
        }
    }
}

/// Says whether a path leads to the file that it stands in.
fn leads_here(unit: &WorkflowUnit<'_>, document: &Document, value: &str) -> bool {
    let path = document.source.path();
    if value.rsplit('/').next() != Some(path.name()) {
        return false;
    }
    let library = unit.subject.library;
    let home = library.source(unit.workflow.home).path().folder();
    let place = Place {
        file: path,
        home: &home,
    };
    let scope = Scope::new(library, Some(unit.workflow), document.source.id());
    library.resolve(value, place, &scope) == Resolution::Found(path.clone())
}

/// Reports a step that is its own next one, with the file that follows it.
fn report(document: &Document, (node, value): (&Node, &str), next: Option<&str>, findings: &mut Findings) {
    let span = node.inner(&document.source);
    let message = "the next step is this step, so that no one gets further";
    let found = findings.add_as(Severity::Warning, span, message);
    let Some(next) = next else {
        found.help = Some("name the file of the step that follows, or remove the key where none does".to_owned());
        return;
    };
    let path = value.strip_suffix(document.source.path().name()).unwrap_or_default();
    let right = format!("{path}{next}");
    found.help = Some(format!("did you mean `{right}`?"));
    found.fix = Some(Fix {
        title: format!("write `{right}`"),
        edits: vec![Edit { span, text: right }],
        safe: false,
    });
}

/// Returns the name of the only step file beside this one whose number is the next.
fn following<'a>(unit: &WorkflowUnit<'a>, document: &Document) -> Option<&'a str> {
    let path = document.source.path();
    let own = step_label(path.stem());
    let (kind, number) = numbered(&own)?;
    let files = unit.subject.library.files_in(path.folder_str());
    let mut next = files.filter(|file| {
        let label = step_label(file.source.path().stem());
        file.role == Role::StepFile && numbered(&label) == Some((kind, number + 1))
    });
    next.next()
        .filter(|_| next.next().is_none())
        .map(|file| file.source.path().name())
}

/// Splits the label of a step into its kind and its number: `e-2` is 2 of `e-`, `1b` is 1.
fn numbered(label: &str) -> Option<(&str, u32)> {
    let start = label.find(|at: char| at.is_ascii_digit())?;
    let (kind, rest) = label.split_at(start);
    let end = rest.find(|at: char| !at.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok().filter(|number| *number < u32::MAX)?;
    Some((kind, number))
}
