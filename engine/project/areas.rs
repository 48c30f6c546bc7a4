//! What was walked in, the folders that hold workflows out.

use super::walk::Walked;
use crate::host::{ReadError, Workspace};
use crate::model::SETTINGS;
use crate::source::{ProjectPath, QuickSet, near_last};
use rayon::prelude::*;
use std::path::Path;

/// Finds the folders that hold workflows, so that a project's other documents are left alone.
pub(super) fn areas(walked: &Walked, roots: &[ProjectPath]) -> QuickSet<ProjectPath> {
    let mut areas: QuickSet<ProjectPath> = roots.iter().cloned().collect();
    for path in &walked.files {
        match path.name() {
            "module.yaml" | "SKILL.md" | "workflow.md" | "workflow.yaml" | "workflow.xml" => {
                areas.insert(path.folder());
            }
            "install-config.yaml" => {
                areas.insert(path.folder().folder());
            }
            name if name.ends_with(".agent.yaml") => {
                areas.insert(path.folder());
            }
            _ => {}
        }
    }
    let beside = furniture(walked, &areas);
    areas.extend(beside);
    areas
}

/// Finds where the tasks and agents of workflows are kept: beside the folder of one, or beside the folder of all workflows.
fn furniture(walked: &Walked, areas: &QuickSet<ProjectPath>) -> Vec<ProjectPath> {
    let mut around: QuickSet<&str> = QuickSet::default();
    for area in areas {
        let above = area.folder_str();
        around.insert(above);
        if above.rsplit('/').next() == Some("workflows") {
            around.insert(folder_of(above));
        }
    }
    let is_furniture = |folder: &&ProjectPath| {
        matches!(folder.name(), "tasks" | "agents" | "protocols") && around.contains(folder.folder_str())
    };
    walked.folders.iter().filter(is_furniture).cloned().collect()
}

/// Says whether a folder is one of the areas, or lies in one.
pub(super) fn is_below(mut folder: &str, areas: &QuickSet<ProjectPath>) -> bool {
    while !areas.contains(folder) {
        if folder.is_empty() {
            return false;
        }
        folder = folder_of(folder);
    }
    true
}

/// Returns the folder that a path is in; that of a name alone is the root.
fn folder_of(path: &str) -> &str {
    near_last(b'/', path.as_bytes()).map_or("", |slash| &path[..slash])
}

/// Drops the files that lie in none of the areas, but for the project's own settings.
pub(super) fn keep_inside(files: &mut Vec<ProjectPath>, areas: &QuickSet<ProjectPath>) {
    // Files of one folder stand together, and where one of them is, all are.
    let mut last: Option<(ProjectPath, usize, bool)> = None;
    files.retain(|path| {
        let folder = folder_of(path.as_str());
        let is_inside = match &last {
            Some((other, length, is_inside)) if other.as_str()[..*length] == *folder => *is_inside,
            Some(_) | None => {
                let is_inside = is_below(folder, areas);
                last = Some((path.clone(), folder.len(), is_inside));
                is_inside
            }
        };
        is_inside || path.as_str() == SETTINGS
    });
}

/// Finds the files outside of the areas that are workflows by themselves: XML with the root of one.
pub(super) fn declared_outside(
    host: &dyn Workspace,
    root: &Path,
    files: &[ProjectPath],
    areas: &QuickSet<ProjectPath>,
) -> Vec<ProjectPath> {
    let is_other = |path: &&ProjectPath| {
        // A name that begins with its only dot has no extension.
        let is_xml = path.name().strip_suffix(".xml").is_some_and(|stem| !stem.is_empty());
        is_xml && !is_below(folder_of(path.as_str()), areas)
    };
    let others: Vec<&ProjectPath> = files.iter().filter(is_other).collect();
    let declares = |path: &&&ProjectPath| {
        match host.read(&root.join(path.as_str())) {
            Ok(text) => matches!(root_tag(&String::from_utf8_lossy(&text)), "workflow" | "task" | "tool"),
            // What nobody may read may be one.
            Err(error) => matches!(error, ReadError::Refused(_)),
        }
    };
    others.par_iter().filter(declares).map(|path| (*path).clone()).collect()
}

/// Returns the name of the first tag; nothing where something else than a declaration or a comment comes before it.
fn root_tag(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else {
            return "";
        };
        rest = after.trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or("");
    let end = name.find(|letter: char| letter.is_whitespace() || matches!(letter, '>' | '/'));
    end.map_or("", |end| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::{areas, folder_of, is_below, keep_inside, root_tag};
    use crate::project::walk::Walked;
    use crate::source::ProjectPath;

    #[test]
    fn files_of_a_folder_are_kept_together() {
        let names = [
            "a/SKILL.md",
            "a/steps/step-01-go.md",
            "a.md",
            "agents/x.md",
            "b/c/d.md",
            "b/c/workflow.xml",
            "b/tasks/t.xml",
            "b/x.md",
            "bmad.toml",
            "c.md",
        ];
        let folders = ["a", "a/steps", "agents", "b", "b/c", "b/tasks"];
        let walked = Walked {
            files: names.iter().filter_map(|name| ProjectPath::new(name)).collect(),
            folders: folders.iter().filter_map(|name| ProjectPath::new(name)).collect(),
            ..Walked::default()
        };
        let areas = areas(&walked, &[]);
        let one_by_one: Vec<ProjectPath> = walked
            .files
            .iter()
            .filter(|path| is_below(folder_of(path.as_str()), &areas) || path.as_str() == "bmad.toml")
            .cloned()
            .collect();
        let mut kept = walked.files;
        keep_inside(&mut kept, &areas);
        assert_eq!(kept, one_by_one);
        assert!(kept.iter().any(|path| path.as_str() == "b/tasks/t.xml"));
        assert!(!kept.iter().any(|path| matches!(path.as_str(), "b/x.md" | "c.md")));
    }

    #[test]
    fn tasks_and_agents_are_kept_beside_a_workflow_or_beside_all_of_them() {
        let folders = [
            "agents",
            "m",
            "m/agents",
            "m/other",
            "m/protocols",
            "m/workflows",
            "m/workflows/deep",
            "m/workflows/deep/tasks",
            "m/workflows/deep/w",
            "m/workflows/tasks",
            "n",
            "n/tasks",
        ];
        let found = |file: &str| {
            let walked = Walked {
                files: ProjectPath::new(file).into_iter().collect(),
                folders: folders.iter().filter_map(|name| ProjectPath::new(name)).collect(),
                ..Walked::default()
            };
            let areas = areas(&walked, &[]);
            let mut found: Vec<String> = areas.iter().map(|area| area.as_str().to_owned()).collect();
            found.sort();
            found
        };
        assert_eq!(
            found("m/workflows/deep/w/workflow.md"),
            ["m/workflows/deep/tasks", "m/workflows/deep/w"]
        );
        assert_eq!(
            found("m/workflows/deep/workflow.md"),
            ["m/agents", "m/protocols", "m/workflows/deep", "m/workflows/tasks"]
        );
        assert_eq!(found("n/SKILL.md"), ["agents", "n"]);
    }

    #[test]
    fn the_root_of_a_file_is_its_first_tag_and_no_other() {
        for (text, root) in [
            ("<workflow name=\"A\">", "workflow"),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- a <tool> -->\n\n<task>", "task"),
            ("<tool/>", "tool"),
            ("<project><task>", "project"),
            ("<workflow-app>", "workflow-app"),
            ("Write <task> here", ""),
            ("<!-- <task>", ""),
            ("<task", ""),
            ("", ""),
        ] {
            assert_eq!(root_tag(text), root, "{text}");
        }
    }
}
