//! What part a file plays, told from its name and its content.

use super::lift::{SECTION, label_length};
use crate::source::{ProjectPath, Source};
use crate::syntax::{Child, Format, Parsed, Tag};

/// The part a file plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Declares a workflow in YAML.
    WorkflowYaml,
    /// A task or workflow in XML.
    TaskXml,
    /// Declares a workflow in Markdown.
    WorkflowMarkdown,
    /// A step of a workflow, one file each.
    StepFile,
    /// Declares a skill.
    Skill,
    /// Instructions of a workflow, in XML or Markdown with tags.
    Instructions,
    /// An agent in YAML.
    AgentYaml,
    /// An agent as an agent tool reads it: Markdown around `<agent>`.
    AgentMarkdown,
    /// Declares a module and its configuration.
    ModuleYaml,
    /// A module's configuration as installed.
    ConfigYaml,
    /// Layered configuration.
    ConfigToml,
    /// What a skill lets its users change.
    CustomizeToml,
    /// Lists agents, workflows, tasks, skills or files.
    Manifest,
    /// A document to start from.
    Template,
    /// Anything else.
    Other,
}

impl Role {
    /// Says whether the file gives instructions, so that tags in it count.
    pub fn instructs(self) -> bool {
        match self {
            Role::TaskXml
            | Role::WorkflowMarkdown
            | Role::StepFile
            | Role::Skill
            | Role::Instructions
            | Role::AgentMarkdown => true,
            Role::WorkflowYaml
            | Role::AgentYaml
            | Role::ModuleYaml
            | Role::ConfigYaml
            | Role::ConfigToml
            | Role::CustomizeToml
            | Role::Manifest
            | Role::Template
            | Role::Other => false,
        }
    }
}

/// Tells the role of a file.
pub fn classify(path: &ProjectPath, parsed: &Parsed) -> Role {
    match parsed.format {
        Format::Yaml => yaml_role(path, parsed),
        Format::Toml => toml_role(path),
        Format::Csv => csv_role(path),
        Format::Xml => xml_role(parsed),
        Format::Markdown => markdown_role(path, parsed),
    }
}

fn yaml_role(path: &ProjectPath, parsed: &Parsed) -> Role {
    let name = path.name();
    let has = |key: &str| parsed.data.as_ref().is_some_and(|data| data.get(key).is_some());
    if name.contains("template") {
        return Role::Template;
    }
    match name {
        "module.yaml" | "install-config.yaml" => Role::ModuleYaml,
        "config.yaml" => Role::ConfigYaml,
        "workflow.yaml" | "workflow.yml" => Role::WorkflowYaml,
        _ if name.ends_with(".agent.yaml") => Role::AgentYaml,
        _ if has("instructions") && (has("name") || has("installed_path")) => Role::WorkflowYaml,
        _ => Role::Other,
    }
}

fn toml_role(path: &ProjectPath) -> Role {
    match path.name() {
        "customize.toml" => Role::CustomizeToml,
        "config.toml" | "config.user.toml" => Role::ConfigToml,
        _ => Role::Other,
    }
}

fn csv_role(path: &ProjectPath) -> Role {
    let name = path.name();
    if name.ends_with("-manifest.csv") || name.ends_with("-help.csv") {
        Role::Manifest
    } else {
        Role::Other
    }
}

fn xml_role(parsed: &Parsed) -> Role {
    match first_tag(&parsed.tree) {
        Some(Tag::Workflow | Tag::Task | Tag::Tool) => Role::TaskXml,
        Some(Tag::Agent) => Role::AgentMarkdown,
        Some(_) if has_step(&parsed.tree) => Role::Instructions,
        _ => Role::Other,
    }
}

fn markdown_role(path: &ProjectPath, parsed: &Parsed) -> Role {
    let name = path.name();
    let lower = name.to_ascii_lowercase();
    if name == "SKILL.md" {
        return Role::Skill;
    }
    if lower.contains("template") {
        return Role::Template;
    }
    let matter = parsed.frontmatter.as_ref().and_then(|matter| matter.data.as_ref());
    let has = |key: &str| matter.is_some_and(|data| data.get(key).is_some());
    if lower == "workflow.md" || (lower.starts_with("workflow-") && has("name")) {
        return Role::WorkflowMarkdown;
    }
    if is_step_name(&lower) || is_step_of_folder(path, &lower) || has("nextStepFile") {
        return Role::StepFile;
    }
    page_role(&lower, parsed)
}

/// Tells the role of a page that is no step, no workflow and no skill.
fn page_role(lower: &str, parsed: &Parsed) -> Role {
    if lower.contains("instructions") {
        return Role::Instructions;
    }
    match first_tag(&parsed.tree) {
        Some(Tag::Agent) => Role::AgentMarkdown,
        _ => Role::Other,
    }
}

/// Tells the role of a file that no workflow stands beside: there only its name makes a step file.
pub fn classify_alone(path: &ProjectPath, parsed: &Parsed) -> Role {
    match classify(path, parsed) {
        Role::StepFile => {
            let lower = path.name().to_ascii_lowercase();
            match lower.starts_with("step") {
                true => Role::StepFile,
                false => page_role(&lower, parsed),
            }
        }
        role => role,
    }
}

/// Says whether a lower-case file name is that of a step file: `step-01-init.md`, `step-e-02-x.md`, `step-oneshot.md`.
fn is_step_name(name: &str) -> bool {
    name.strip_prefix("step-").is_some_and(|rest| rest.len() > 3)
}

/// Says whether a lower-case file name is that of a step in a folder of steps: `steps-e/e-01-load.md`, `steps/02-ask.md`.
fn is_step_of_folder(path: &ProjectPath, name: &str) -> bool {
    let mut parts = name.split('-');
    let mut first = parts.next().unwrap_or("");
    if first.len() == 1 && first.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        first = parts.next().unwrap_or("");
    }
    let counts = first.starts_with(|digit: char| digit.is_ascii_digit()) && first.len() <= 3;
    if !counts || parts.next().is_none() {
        return false;
    }
    let folder = path.folder();
    let folder = folder.name();
    folder == "steps" || folder.starts_with("steps-") || folder.ends_with("-steps")
}

/// The nouns that a numbered heading of a step has.
const STEP_NOUNS: [&str; 4] = ["Step", "STEP", "Stage", "Phase"];

/// Returns the noun and the label of a heading that numbers a step in words: `Step 3: Bake` → `Step` and `3`.
fn worded(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (noun, rest) = text.split_once(' ').filter(|(noun, _)| STEP_NOUNS.contains(noun))?;
    label_length(rest).map(|length| (noun, &rest[..length]))
}

/// Returns the label of a heading that numbers a step in words: `Step 3: Bake` → `3`.
pub(super) fn worded_label(text: &str) -> Option<&str> {
    worded(text).map(|(_, label)| label)
}

/// Says whether a title counts what stands below it: `3. Bake`, `Step 3: Bake`.
pub(super) fn is_counted(title: &str) -> bool {
    let bare = title.trim_start_matches(|at: char| !at.is_alphanumeric());
    bare.starts_with(|first: char| first.is_ascii_digit()) || worded_label(title).is_some()
}

/// Says whether one of several titles numbers a step with this noun, and no other one has its label; any may number a section.
pub(super) fn is_numbered<'a>(mut titles: impl Iterator<Item = &'a str>, noun: &str, label: &str) -> bool {
    if noun.eq_ignore_ascii_case(SECTION) {
        return titles.any(|title| is_section(title, noun, label));
    }
    let steps: Vec<(&str, &str)> = titles.filter_map(worded).collect();
    let mut same = steps.iter().filter(|(_, found)| *found == label);
    let is_it = same.next().is_some_and(|(found, _)| found.eq_ignore_ascii_case(noun));
    steps.len() > 1 && is_it && same.next().is_none()
}

/// Says whether a heading begins a section with a number: `4. Edit`, and with its noun `Step 4: Edit`, `Section A — Edit`.
pub(super) fn is_section(title: &str, noun: &str, label: &str) -> bool {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = title.get(..noun.len()).filter(|head| head.eq_ignore_ascii_case(noun));
    let named = head.and_then(|head| title[head.len()..].strip_prefix(' '));
    let rest = named.unwrap_or(title);
    let is_plain = noun.eq_ignore_ascii_case("step") || noun.eq_ignore_ascii_case(SECTION);
    let behind = rest.strip_prefix(label);
    behind.filter(|_| named.is_some() || is_plain).is_some_and(|behind| {
        let is_marked = behind.starts_with(['.', ')', ':']);
        let is_inner = behind
            .strip_prefix('.')
            .is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit()));
        (is_marked || named.is_some() && !behind.starts_with(char::is_alphanumeric)) && !is_inner
    })
}

/// Returns the label that the title of a page gives it, where it is one stage of several: `# Stage 2: The Letter` → `2`.
pub(super) fn titled_label<'a>(source: &'a Source, parsed: &Parsed) -> Option<&'a str> {
    let first = parsed.markdown.headings.first().filter(|first| first.level == 1)?;
    let title = source.slice(first.text);
    let label = worded_label(title)?;
    let end = label.as_ptr() as usize - title.as_ptr() as usize + label.len();
    let rest = title[end..].trim_start();
    rest.starts_with([':', '.', ')', '-', '–', '—']).then_some(label)
}

/// Returns the label that a step file's name gives it: `step-01b-continue.md` → `1b`, `step-e-02-x.md` → `e-2`.
pub fn step_label(stem: &str) -> String {
    let rest = stem.strip_prefix("step-").unwrap_or(stem);
    let mut parts = rest.split('-');
    let first = parts.next().unwrap_or(rest);
    if first.starts_with(|c: char| c.is_ascii_digit()) {
        return strip_zeros(first);
    }
    match parts.next() {
        Some(second) if first.len() == 1 && second.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{first}-{}", strip_zeros(second))
        }
        _ => rest.to_owned(),
    }
}

fn strip_zeros(number: &str) -> String {
    let stripped = number.trim_start_matches('0');
    if stripped.starts_with(|c: char| c.is_ascii_digit()) {
        stripped.to_owned()
    } else {
        format!("0{stripped}")
    }
}

fn first_tag(tree: &[Child]) -> Option<Tag> {
    tree.iter().find_map(|child| match child {
        Child::Element(element) => Some(element.tag),
        Child::Text(_) => None,
    })
}

fn has_step(tree: &[Child]) -> bool {
    tree.iter().any(|child| match child {
        Child::Element(element) => element.tag == Tag::Step || has_step(&element.children),
        Child::Text(_) => false,
    })
}

/// Says whether a tree holds a `<step>`.
pub fn holds_steps(parsed: &Parsed) -> bool {
    has_step(&parsed.tree)
}

#[cfg(test)]
mod tests {
    use super::{Role, classify, step_label};
    use crate::model::Document;
    use crate::source::{ProjectPath, Source, SourceId};
    use crate::syntax::{Format, parse};

    #[test]
    fn a_step_file_is_labelled_by_its_number() {
        assert_eq!(step_label("step-01-init"), "1");
        assert_eq!(step_label("step-01b-continue"), "1b");
        assert_eq!(step_label("step-e-02-review"), "e-2");
        assert_eq!(step_label("step-10-end"), "10");
        assert_eq!(step_label("step-00-start"), "0");
        assert_eq!(step_label("step-oneshot"), "oneshot");
        assert_eq!(step_label("e-03a-check"), "e-3a");
        assert_eq!(step_label("02-ask"), "2");
    }

    #[test]
    fn a_step_file_is_told_by_its_name_its_folder_its_next_or_its_title() {
        let role = |path: &str, text: &str| {
            let source = Source::new(SourceId(0), ProjectPath::new(path).unwrap(), text);
            classify(source.path(), &parse(&source, Format::Markdown))
        };
        for path in [
            "a/step-01-x.md",
            "a/steps-e/e-01-x.md",
            "a/steps/02-x.md",
            "a/tea-steps/v-02a-x.md",
        ] {
            assert_eq!(role(path, "# X"), Role::StepFile, "{path}");
        }
        assert_eq!(
            role("a/references/ask.md", "---\nnextStepFile: b.md\n---\n# X"),
            Role::StepFile
        );
        let titled = |title: &str| {
            let source = Source::new(SourceId(0), ProjectPath::new("a/references/ask.md").unwrap(), title);
            let parsed = parse(&source, Format::Markdown);
            Document::new(source, parsed).role
        };
        for title in ["# Stage 2: Ask", "# Step 2 — Ask", "# 🎯 Phase 2. Ask"] {
            assert_eq!(titled(title), Role::StepFile, "{title}");
        }
        for title in [
            "# Stage 2 of the plan",
            "## Stage 2: Ask",
            "# Ask\n# Stage 2: Ask",
            "# Stages: Ask",
        ] {
            assert_eq!(titled(title), Role::Other, "{title}");
        }
        for path in ["a/workflow.md", "a/workflow-plan.md"] {
            let text = "---\nname: a\nnextStepFile: b.md\n---\n# X";
            assert_eq!(role(path, text), Role::WorkflowMarkdown, "{path}");
        }
        for path in [
            "a/steps/terms.md",
            "a/02-x.md",
            "a/steps/2024-x.md",
            "a/steps/e-mail-x.md",
        ] {
            assert_eq!(role(path, "# X"), Role::Other, "{path}");
        }
    }
}
