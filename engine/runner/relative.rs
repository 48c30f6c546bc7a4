//! Reports that name files from the root of the disk in, the same by their paths in the project out. Only here it is
//! known where the project is: whoever places a report later can tell a file of the project from another of its name.

use super::crew::Crew;
use crate::builtins::Value;
use crate::machine::Envelope;
use std::path::{MAIN_SEPARATOR, Path};

/// The parts of a reply that are about places in files.
const REPORTS: &[&str] = &["findings", "edits", "fixes"];
/// The names that a file has in them.
const NAMES: &[&str] = &["file", "path", "location", "place"];

/// Makes the paths of what an agent found and wants changed relative to the project.
pub(super) fn in_project(mut envelope: Envelope, crew: &Crew) -> Envelope {
    let real = crew.workspace.resolve(&crew.root).map(|root| root.path);
    let roots: Vec<String> = [Some(&crew.root), real.as_ref()]
        .into_iter()
        .flatten()
        .map(prefix)
        .collect();
    let fields = envelope.fields.iter_mut();
    let fields = fields.filter(|(name, _)| REPORTS.contains(&name.as_str()));
    for report in envelope.findings.iter_mut().chain(fields.map(|(_, value)| value)) {
        shorten(report, &roots);
    }
    envelope
}

fn prefix(root: impl AsRef<Path>) -> String {
    let root = root.as_ref().to_string_lossy();
    format!("{}{MAIN_SEPARATOR}", root.trim_end_matches(MAIN_SEPARATOR))
}

fn shorten(value: &mut Value, roots: &[String]) {
    match value {
        Value::List(items) => items.iter_mut().for_each(|item| shorten(item, roots)),
        Value::Map(entries) => {
            for (name, value) in entries {
                match value {
                    Value::Text(text) if NAMES.contains(&name.as_str()) => *text = shortened(text, roots),
                    value => shorten(value, roots),
                }
            }
        }
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
    }
}

fn shortened(text: &str, roots: &[String]) -> String {
    let path = text.trim_start();
    let (mark, path) = path.strip_prefix('`').map_or(("", path), |path| ("`", path));
    let inside = roots.iter().find_map(|root| path.strip_prefix(root.as_str()));
    inside.map_or_else(|| text.to_owned(), |inside| format!("{mark}{inside}"))
}

#[cfg(test)]
mod tests {
    use super::{prefix, shorten};
    use crate::builtins::Value;

    #[test]
    fn only_files_of_the_project_get_shorter_names() {
        let told = r#"[{"claim": "/p/a.md is wrong", "place": {"file": "/p/docs/a.md", "line": 3}},
            {"place": {"file": "/private/p/b.md"}}, {"location": "`/p/c.md:7`"}, {"file": "/pp/d.md"}]"#;
        let mut value: Value = serde_json::from_str(told).unwrap();
        shorten(&mut value, &[prefix("/p"), prefix("/private/p/")]);
        let expected = r#"[{"claim":"/p/a.md is wrong","place":{"file":"docs/a.md","line":3}},{"place":{"file":"b.md"}},{"location":"`c.md:7`"},{"file":"/pp/d.md"}]"#;
        assert_eq!(serde_json::to_string(&value).unwrap(), expected);
    }
}
