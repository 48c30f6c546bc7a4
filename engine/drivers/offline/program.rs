//! A file in, whether it tells an agent what to do out: then its holes and its examples are meant.

use super::ground::Ground;
use super::page::Page;
use crate::model::{Role, classify_alone, holds_steps};
use crate::source::{ProjectPath, SourceId, Span};
use crate::syntax::{HoleKind, Node, holes};

/// Files that make a folder the folder of a workflow or a skill.
const DECLARATIONS: &[&str] = &["workflow.yaml", "workflow.md", "SKILL.md"];

/// Names that workflows fill in; a document for people has none of them.
const VARIABLES: &[&str] = &[
    "project-root",
    "project_root",
    "installed_path",
    "output_folder",
    "user_name",
    "communication_language",
    "document_output_language",
    "planning_artifacts",
    "implementation_artifacts",
    "project_knowledge",
    "skill-root",
    "workflow_path",
    "bmad_folder",
    "config_source",
];

/// Says whether a file is a workflow, a step, a skill, an agent or a template and not a document made with one.
pub(super) fn is_program(path: &ProjectPath, page: &Page, ground: &Ground<'_>) -> bool {
    let by_role = match classify_alone(path, &page.parsed) {
        Role::WorkflowMarkdown | Role::StepFile | Role::Skill | Role::AgentMarkdown | Role::Template => true,
        // A file for people may be called instructions too.
        Role::Instructions
        | Role::WorkflowYaml
        | Role::TaskXml
        | Role::AgentYaml
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Other => false,
    };
    by_role || holds_steps(&page.parsed) || introduces(page) || has_variable(page) || is_part(path, ground)
}

/// Says whether a file lies in a folder of templates, in that of what an agent knows and remembers, or in that of a
/// workflow or a skill: checklists, prompts and data.
fn is_part(path: &ProjectPath, ground: &Ground<'_>) -> bool {
    let is_named = |part: &str| {
        let lower = part.to_ascii_lowercase();
        matches!(lower.as_str(), "template" | "templates")
            || lower.ends_with("_template")
            || lower.ends_with("-sidecar")
    };
    if path.folder().parts().any(is_named) {
        return true;
    }
    let mut folder = path.folder();
    // The top folder holds everything, also where it is a skill itself.
    while !folder.as_str().is_empty() {
        let holds = |name: &&str| ground.leads_somewhere(&folder, name) == Some(true);
        if DECLARATIONS.iter().any(holds) {
            return true;
        }
        folder = folder.folder();
    }
    false
}

/// Says whether the frontmatter is that of a skill or an agent: it has a name and says when to use it.
fn introduces(page: &Page) -> bool {
    let data = page.parsed.frontmatter.as_ref().and_then(|matter| matter.data.as_ref());
    let has = |key: &str| data.is_some_and(|data: &Node| data.get(key).is_some());
    has("name") && has("description")
}

fn has_variable(page: &Page) -> bool {
    let whole = Span::new(SourceId(0), 0, page.visible.len());
    let mut all = holes(&page.visible, whole).into_iter();
    all.any(|hole| hole.kind == HoleKind::Single && VARIABLES.contains(&hole.name))
}
