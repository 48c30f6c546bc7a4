//! Names that have a value before any step runs, and the values of the others.

use super::library::Library;
use super::workflow::{Dialect, Workflow};
use crate::source::{SourceId, near_byte, near_last};
use crate::syntax::{HoleKind, WordList, config_key, each_hole};
use std::borrow::Cow;

/// Names that the engine itself gives a value.
pub const SYSTEM: &[&str] = &[
    "project-root",
    "project_root",
    "project_path",
    "bmad_folder",
    "bmad-root",
    "_bmad",
    "installed_path",
    "workflow_path",
    "workflow-path",
    "skill-root",
    "skill-name",
    "skill_root",
    "module_path",
    "module-root",
    "date",
    "time",
    "timestamp",
    "datetime",
    "current_date",
    "year",
    "directory_name",
    "value",
    "config_source",
    "workflow_name",
    "default_output_file",
    "agent",
    "workflow",
];

/// Keys of the core module, which have a value also where it is not installed.
pub const CORE_KEYS: &[&str] = &[
    "user_name",
    "project_name",
    "communication_language",
    "document_output_language",
    "output_folder",
    "input_order",
];

/// Folders in which agent tools keep skills.
pub const TOOL_FOLDERS: &[&str] = &[
    ".claude",
    ".agents",
    ".codex",
    ".cursor",
    ".opencode",
    ".gemini",
    ".github",
    ".windsurf",
    ".kiro",
    ".roo",
];

/// The input that the words are kept under which a person begins a run with.
pub const REQUEST: &str = "request";

/// The file of a project's own settings.
pub const SETTINGS: &str = "bmad.toml";

/// The folder that the embedded standard library is in while a project runs; no project has one of this name.
pub const STANDARD: &str = ".bmad-standard";

/// The task of a module that runs workflows: all of them can invoke its protocols.
pub const CORE: &str = "tasks/workflow.xml";

/// The protocols of the embedded task that runs workflows.
pub const STANDARD_PROTOCOLS: &[&str] = &["discover_inputs"];

/// The inputs of the embedded tasks, and whether somebody has to give them a value.
pub const STANDARD_INPUTS: &[(&str, &[(&str, bool)])] = &[
    (
        "tasks/advanced-elicitation.xml",
        &[("content", true), ("section_name", true)],
    ),
    (
        "tasks/party-mode.xml",
        &[("topic", true), ("content", false), ("max_rounds", false)],
    ),
    (
        "tasks/review-loop.xml",
        &[
            ("content_path", true),
            ("section_name", true),
            ("workflow_name", true),
            ("file_stem", false),
            ("tier", false),
            ("output_folder", false),
            ("requested", false),
            ("wanted_level", false),
            ("fix", false),
            ("changes", false),
            ("validation", false),
            ("memory", false),
        ],
    ),
    (
        "tasks/validation-loop.xml",
        &[
            ("content_path", true),
            ("criteria", true),
            ("verdicts", false),
            ("output_folder", false),
        ],
    ),
    (
        "tasks/workflow.xml",
        &[
            ("workflow_path", true),
            ("workflow_name", false),
            ("mode", false),
            ("tier", false),
            ("steps", false),
            ("current_section", false),
            ("current_output_file", false),
            ("section_content", false),
            ("input_file_patterns", false),
        ],
    ),
];

/// The names that the engine gives a value, to look one up in.
static SYSTEM_NAMES: WordList = WordList::new(SYSTEM);

/// Says whether the engine itself gives a name its value.
pub fn is_system(name: &str) -> bool {
    SYSTEM_NAMES.has_as_written(name) || name.starts_with("workflow.") || name.starts_with("agent.")
}

/// What a name in braces stands for in one file.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    library: &'a Library,
    workflow: Option<&'a Workflow>,
    file: SourceId,
}

/// The deepest chain of names that refer to names.
const MAX_CHAIN: usize = 16;

impl<'a> Scope<'a> {
    /// Makes the scope of one file, which may be part of a workflow.
    pub fn new(library: &'a Library, workflow: Option<&'a Workflow>, file: SourceId) -> Self {
        Self {
            library,
            workflow,
            file,
        }
    }

    /// Says whether `{installed_path}` means the folder of the workflow: a task is run from wherever its caller is.
    pub(super) fn is_installed(&self) -> bool {
        self.workflow.is_some_and(|workflow| workflow.dialect != Dialect::Xml)
    }

    /// Returns the value of a name as written: the file's own frontmatter first, then the workflow's keys.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        let own = self
            .library
            .document(self.file)
            .parsed
            .frontmatter
            .as_ref()
            .and_then(|matter| matter.data.as_ref())
            .and_then(|data| data.get(name))
            .and_then(|node| node.text());
        own.or_else(|| self.workflow?.shared(name))
    }

    /// Replaces the names in `text` that have a fixed value; the others stay as written.
    pub fn expand<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut expanded = Cow::Borrowed(text);
        for _ in 0..MAX_CHAIN {
            if is_settled(&expanded) {
                break;
            }
            let Some(next) = self.expand_once(&expanded) else {
                break;
            };
            if next.len() > 4096 {
                break;
            }
            expanded = Cow::Owned(next);
        }
        expanded
    }

    fn expand_once(&self, text: &str) -> Option<String> {
        let mut result = String::new();
        let mut last = 0;
        for (kind, name, place) in each_hole(text) {
            if kind != HoleKind::Single || keeps_its_name(name) {
                continue;
            }
            let Some(value) = self.value(name) else {
                continue;
            };
            if config_key(value).is_some() || has_name(value, &text[place.clone()]) {
                continue;
            }
            if last == 0 {
                result.reserve(text.len() + value.len());
            }
            result.push_str(&text[last..place.start]);
            result.push_str(value);
            last = place.end;
        }
        if last == 0 {
            return None;
        }
        result.push_str(&text[last..]);
        Some(result)
    }
}

/// Says whether no name in a text can be replaced: it has none, or begins with the only one, which stays. Most are so.
pub(super) fn is_settled(text: &str) -> bool {
    let only = match near_last(b'{', text.as_bytes()) {
        None => return true,
        Some(0) => near_byte(b'}', text.as_bytes()),
        Some(_) => None,
    };
    only.is_some_and(|close| keeps_its_name(&text[1..close]))
}

/// Says whether a value has a name in it, which is told with its braces; most have none.
fn has_name(value: &str, name: &str) -> bool {
    near_byte(b'{', value.as_bytes()).is_some() && value.contains(name)
}

/// Names that resolution itself knows the meaning of.
fn keeps_its_name(name: &str) -> bool {
    matches!(
        name,
        "project-root" | "project_root" | "bmad_folder" | "skill-root" | "_bmad"
    )
}

#[cfg(test)]
mod tests {
    use super::{SYSTEM, is_system};

    #[test]
    fn every_name_of_the_engine_is_known_and_no_other() {
        assert!(SYSTEM.iter().all(|name| is_system(name)));
        assert!(is_system("workflow.x") && is_system("agent.name"));
        let others = ["", "Date", "dates", "dat", "workflows", "agents.x", "project-Root", "x"];
        assert!(!others.iter().any(|name| is_system(name)));
    }
}
