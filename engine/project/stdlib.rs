//! The standard library, embedded: what a project does not override.

use crate::model::{Library, STANDARD};
use crate::source::ProjectPath;

/// One file of the standard library.
#[derive(Debug, Clone, Copy)]
pub struct StdlibFile {
    /// Its path below `stdlib/`.
    pub path: &'static str,
    /// What it says.
    pub text: &'static str,
}

macro_rules! stdlib {
    ($($path:literal)*) => {
        /// Every file of the standard library, sorted by path.
        pub const STDLIB: &[StdlibFile] = &[
            $(StdlibFile {
                path: $path,
                text: include_str!(concat!("../../stdlib/", $path)),
            },)*
        ];
    };
}

stdlib! {
    "agents/adversarial-reviewer.md"
    "agents/elicitation-expert.md"
    "agents/issue-fixer.md"
    "agents/party-facilitator.md"
    "module.yaml"
    "prompts/given.j2"
    "prompts/judge.j2"
    "prompts/reply.j2"
    "prompts/stop-hook.j2"
    "prompts/turn.j2"
    "prompts/who.j2"
    "tasks/advanced-elicitation.xml"
    "tasks/elicitation-methods.csv"
    "tasks/party-mode.xml"
    "tasks/review-loop.xml"
    "tasks/validation-loop.xml"
    "tasks/workflow.xml"
    "templates/issue-tracker.md"
    "templates/new/skill/SKILL.md"
    "templates/new/steps/steps/step-01-topic.md"
    "templates/new/steps/steps/step-02-draft.md"
    "templates/new/steps/workflow.md"
    "templates/new/xml/workflow.xml"
    "templates/plugin/hooks.json"
    "templates/plugin/plugin.json"
    "templates/plugin/stop.sh"
    "templates/review-loop-state.yaml"
    "templates/review-report.html"
}

/// Lists the embedded files that a project can name: all of them, unless it has a core module of its own.
pub(super) fn standard(library: &Library) -> Vec<ProjectPath> {
    if library.modules.iter().any(|module| module.code == "core") {
        return Vec::new();
    }
    let paths = STDLIB.iter().filter_map(|file| ProjectPath::new(file.path));
    paths.collect()
}

/// Returns the embedded files as documents of a project, in a folder that no project has.
pub(super) fn embedded() -> impl Iterator<Item = (ProjectPath, &'static str)> {
    STDLIB
        .iter()
        .filter(|file| !file.path.starts_with("templates/new/") && !file.path.starts_with("templates/plugin/"))
        .filter_map(|file| Some((ProjectPath::new(&format!("{STANDARD}/core/{}", file.path))?, file.text)))
}
