//! The standard library, embedded: what a project does not override.

use crate::model::{Library, STANDARD};
use crate::source::ProjectPath;
use crate::syntax::Phrases;

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

/// An embedded file: where it is in a project, and its text.
pub(super) type Embedded = (ProjectPath, &'static str);

/// Returns the embedded files as documents of a project, in a folder that no project has.
pub(super) fn all() -> Vec<Embedded> {
    let inside = |path: &str| ProjectPath::new(&format!("{STANDARD}/core/{path}"));
    STDLIB
        .iter()
        .filter(|file| !file.path.starts_with("templates/new/") && !file.path.starts_with("templates/plugin/"))
        .filter_map(|file| Some((inside(file.path)?, file.text)))
        .collect()
}

/// Returns the embedded file that has the settings of the core module, which every run has.
pub(super) fn settings() -> Vec<Embedded> {
    let mut settings = all();
    settings.retain(|(path, _)| path.name() == "module.yaml");
    settings
}

/// Says whether a run of files with these texts may come to an embedded one: whether they name one, call or follow
/// something, hand a turn to somebody by name, or leave a section to the task that handles sections.
pub(super) fn may_use<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    // What a turn may do to files says nothing of any: `access="read"`.
    let is_order = |from: &[u8]| !from[READ.len()..].starts_with(b"\"");
    texts.any(|text| USES.is_in(text) || READS.any_in(text, is_order))
}

const READ: &str = "read";

/// The order to read something, which may be to follow it.
static READS: Phrases = Phrases::new(&[READ]);

/// Words of which one stands wherever a file, a task or an agent is named, also where its name is a value.
static USES: Phrases = Phrases::new(&[
    "agent", "call", "core", "elicit", "execut", "exit", "file", "follow", "glob", "invoke", "load", "path", "party",
    "protocol", "review", "run", "skill", "task", "template", "validat",
]);

#[cfg(test)]
mod tests {
    use super::{STDLIB, may_use};
    use crate::model::{STANDARD_INPUTS, STANDARD_PROTOCOLS};

    #[test]
    fn every_protocol_is_known_where_the_library_is_not_read() {
        let core = STDLIB.iter().find(|file| file.path == "tasks/workflow.xml").unwrap();
        let parts = core.text.split("<protocol name=\"").skip(1);
        let names: Vec<&str> = parts.filter_map(|part| part.split('"').next()).collect();
        assert_eq!(names, STANDARD_PROTOCOLS);
    }

    #[test]
    fn every_input_is_known_where_the_library_is_not_read() {
        let attribute = |tag: &'static str, name: &str| {
            let (_, rest) = tag.split_once(&format!("{name}=\""))?;
            rest.split('"').next()
        };
        let input = |tag: &'static str| {
            let needed = attribute(tag, "required") == Some("true") && attribute(tag, "default").is_none();
            (attribute(tag, "name").unwrap(), needed)
        };
        let tags = |text: &'static str| text.split("<input ").skip(1).filter_map(|part| part.split("/>").next());
        let tasks = STDLIB
            .iter()
            .filter(|file| file.path.ends_with(".xml") && file.path.starts_with("tasks/"));
        let found: Vec<(&str, Vec<(&str, bool)>)> = tasks
            .map(|file| (file.path, tags(file.text).map(input).collect()))
            .collect();
        let known: Vec<(&str, Vec<(&str, bool)>)> = STANDARD_INPUTS
            .iter()
            .map(|(path, inputs)| (*path, inputs.to_vec()))
            .collect();
        assert_eq!(found, known);
    }

    #[test]
    fn what_names_calls_or_follows_something_may_use_it() {
        for text in [
            "<call path=\"{task}\"/>",
            "<dispatch agents=\"{who}\">Go</dispatch>",
            "<template-output>summary</template-output>",
            "<invoke-protocol name=\"discover_inputs\"/>",
            "[A] Advanced Elicitation [P] Party Mode",
            "Read fully and follow {next}",
            "Read {next} fully.",
            "Execute {next}",
            "Run the workflow {next}",
            "EARLY EXIT → {next}",
            "<set name=\"x\" file=\"{where}\"/>",
        ] {
            assert!(may_use([text].into_iter()), "{text}");
        }
        for file in STDLIB.iter().filter(|file| file.path.contains('/')) {
            let path = format!("{{project-root}}/_bmad/core/{}", file.path);
            assert!(may_use([path.as_str()].into_iter()), "{path}");
        }
    }

    #[test]
    fn what_only_asks_sets_shows_and_sends_does_not() {
        let text = "<workflow><step n=\"1\" goal=\"Greet\"><ask response=\"name\">Who?</ask>
            <dispatch mode=\"fresh\" access=\"read\">Greet {name}.</dispatch><output>Done.</output></step></workflow>";
        assert!(!may_use([text].into_iter()));
    }
}
