//! What a workflow is, whichever front end read it.

use super::condition::Condition;
use super::instruction::{Instruction, Target};
use super::library::Library;
use super::names::CORE;
use crate::source::{QuickMap, QuickSet, SourceId, Span};
use std::sync::OnceLock;

/// The front end that read a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// `workflow.yaml` with an instructions file.
    Yaml,
    /// A task or workflow in XML.
    Xml,
    /// `workflow.md` with step files.
    Steps,
    /// `SKILL.md`.
    Skill,
}

impl Dialect {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Yaml => "workflow.yaml",
            Dialect::Xml => "xml",
            Dialect::Steps => "step files",
            Dialect::Skill => "skill",
        }
    }
}

/// How many definitions are worth an order of their own.
const MANY: usize = 64;

/// A program: steps, names and the files they come from.
#[derive(Debug)]
pub struct Workflow {
    /// Its name.
    pub name: String,
    /// The front end that read it.
    pub dialect: Dialect,
    /// The file that declares it.
    pub home: SourceId,
    /// Every file that is part of it, the declaring one first.
    pub files: Vec<SourceId>,
    /// Its steps, in document order.
    pub steps: Vec<Step>,
    /// Its reusable pieces.
    pub protocols: Vec<Protocol>,
    /// What gives names a value.
    pub definitions: Vec<Definition>,
    /// Rules that hold for the whole workflow.
    pub rules: Vec<Span>,
    /// Where one of these holds, nobody goes on.
    pub halts: Vec<Span>,
    /// Words that it says the meaning of.
    pub terms: Vec<Term>,
    /// The template its document starts from.
    pub template: Option<SourceId>,
    /// What a caller hands over.
    pub inputs: Vec<Input>,
    /// The first definition of each name, found where somebody asks for the names: step files repeat the same few. From
    /// then on the definitions do not change.
    pub(super) firsts: OnceLock<Vec<u32>>,
    /// The first definition with a value of each name, by name; none where they are few, or while they still change.
    pub(super) valued: Option<Vec<u32>>,
    /// The files that paths in its texts lead to for good, by the places of the paths, where reading came by them.
    pub(super) leads: QuickMap<Span, SourceId>,
    /// Where its steps name files that they send workers out with, and those files.
    pub(crate) workers: Vec<(Span, SourceId)>,
}

/// A word that a section says the meaning of: who is told the word is told that, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The word, in capitals.
    pub word: String,
    /// The section.
    pub span: Span,
}

/// A value that a workflow is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Whether the workflow cannot begin without it.
    pub required: bool,
    /// Its value where the caller gives none.
    pub default: Option<String>,
    /// What it is, for a person who is asked for it.
    pub about: String,
    /// What its value is.
    pub kind: InputKind,
}

impl Input {
    /// Says whether somebody has to give it a value.
    pub fn is_needed(&self) -> bool {
        self.required && self.default.is_none()
    }

    /// Says that it lacks a value, and what it is; `whose` input it is comes as a person reads it.
    pub fn lacking(&self, whose: &str) -> String {
        let about = match self.about.trim() {
            "" => String::new(),
            about => format!(": {about}"),
        };
        format!("`{}` of {whose} needs a value{about}", self.name)
    }
}

/// What the value of an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputKind {
    /// Any text.
    Text,
    /// The path of a file or a folder.
    File,
    /// Paths, one a line: a list of them.
    Files,
}

/// Where a step comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A `<step>` tag.
    Tag,
    /// A step file.
    File,
    /// A numbered heading.
    Heading,
    /// Prose without steps: the whole file is one.
    Prose,
}

/// One step.
#[derive(Debug)]
pub struct Step {
    /// Its label: text, never a number.
    pub label: String,
    /// Where the label stands.
    pub label_span: Span,
    /// What it is for.
    pub goal: String,
    /// The whole step.
    pub span: Span,
    /// The head of the step: its open tag, heading or first line.
    pub head: Span,
    /// Where it comes from.
    pub origin: Origin,
    /// When it runs.
    pub condition: Option<Condition>,
    /// Whether the person may skip it.
    pub optional: bool,
    /// How it repeats.
    pub repeat: Option<Repeat>,
    /// What is done in it.
    pub body: Vec<Instruction>,
    /// Whether nobody wrote it as a step: it holds instructions that stand in none.
    pub loose: bool,
}

/// How something repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// What decides about another pass.
    pub kind: RepeatKind,
    /// Conditions that decide too: whatever says so first ends the loop.
    pub also: Vec<RepeatKind>,
    /// The most passes, where one is written.
    pub bound: Option<String>,
    /// Whether its list is named or written out in a tag of the engine's own: one that nobody made is empty then. Any other
    /// may be one that only a reader knows.
    pub is_exact: bool,
    /// Where the repetition is written.
    pub span: Span,
}

impl Repeat {
    /// Returns everything that decides about another pass.
    pub fn kinds(&self) -> impl Iterator<Item = &RepeatKind> {
        [&self.kind].into_iter().chain(&self.also)
    }
}

/// What decides about another pass.
#[derive(Debug, Clone, PartialEq)]
pub enum RepeatKind {
    /// A number of passes.
    Times(String),
    /// One pass for each item of a list.
    Each {
        /// The name each item gets.
        item: String,
        /// The list.
        list: String,
    },
    /// A condition tested before each pass.
    While(Condition),
    /// A condition tested after each pass.
    Until(Condition),
    /// Nothing but the bound.
    Bounded,
}

/// A reusable piece, invoked by name.
#[derive(Debug)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// What gives a name its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinedBy {
    /// A key of `workflow.yaml`.
    Key,
    /// A key of a file's frontmatter.
    Frontmatter,
    /// A `<set>`, a "Set x = y" or a "Store … as".
    Assignment,
    /// A `template-output`.
    Section,
    /// The answer of an ask or a menu.
    Answer,
    /// An input of the workflow.
    Input,
    /// An item or index of a loop.
    Loop,
    /// The result of a call or a dispatch.
    Result,
    /// `input_file_patterns`: a pattern `x` defines `x_content`.
    Pattern,
    /// Prose that names it in backticks: "`x` = …". Only an item of a list has the value itself: "- `x` = `value`".
    Prose,
}

/// A name and what gives it a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// What defines it.
    pub by: DefinedBy,
    /// Where.
    pub span: Span,
    /// The value as written, where it is text.
    pub value: Option<String>,
    /// Where the value stands.
    pub value_span: Span,
}

impl Step {
    /// Returns what the step is for, without its label where a heading repeats it: `Step 2: Plan` is `Plan`.
    pub fn title(&self) -> &str {
        let told = ["Step ", "STEP "].iter().find_map(|word| self.goal.strip_prefix(word));
        match told.and_then(|rest| rest.strip_prefix(self.label.as_str())) {
            Some(rest) if !rest.starts_with(char::is_alphanumeric) => {
                rest.trim_start_matches(|between: char| !between.is_alphanumeric())
            }
            Some(_) | None => &self.goal,
        }
    }
}

impl Workflow {
    /// Returns its steps, those of its protocols last.
    pub fn all_steps(&self) -> impl Iterator<Item = &Step> {
        let of_protocols = self.protocols.iter().flat_map(|protocol| &protocol.steps);
        self.steps.iter().chain(of_protocols)
    }

    /// Returns the file that its steps begin in.
    pub fn first_file(&self) -> Option<SourceId> {
        let written = self.steps.iter().find(|step| !step.loose);
        written.or(self.steps.first()).map(|step| step.span.source)
    }

    /// Says whether any of its steps stands in a file.
    pub fn has_steps_in(&self, file: SourceId) -> bool {
        self.steps.iter().any(|step| step.span.source == file)
    }

    /// Returns the file that a path leads to which stands at a place, where that was found when the workflow was read.
    pub fn lead(&self, library: &Library, text: &str, place: Span) -> Option<SourceId> {
        let file = self.leads.get(&place)?;
        (library.slice(place) == text).then_some(*file)
    }

    /// Says whether it has a protocol of that name itself.
    pub fn has_protocol(&self, name: &str) -> bool {
        self.protocols.iter().any(|protocol| protocol.name == name)
    }

    /// Says whether this is the task that runs workflows, whose protocols all of them can invoke.
    pub fn is_core(&self, library: &Library) -> bool {
        let home = library.source(self.home).path().as_str();
        home.strip_suffix(CORE)
            .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    }

    /// Returns the names that something defines, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let firsts = self.firsts.get_or_init(|| {
            // Most of them are names that step files repeat.
            let mut seen: QuickSet<&str> = QuickSet::default();
            seen.reserve(self.definitions.len() / 2);
            let numbered = (0..).zip(&self.definitions);
            let new = numbered.filter(|(_, definition)| seen.insert(&definition.name));
            new.map(|(at, _)| at).collect()
        });
        firsts.iter().map(|at| self.definitions[*at as usize].name.as_str())
    }

    /// Takes note that the definitions do not change any more.
    pub(super) fn settle(&mut self) {
        let definitions = &self.definitions;
        if definitions.len() < MANY {
            return;
        }
        let numbered = (0..).zip(definitions);
        let mut valued: Vec<u32> = numbered
            .filter(|(_, definition)| definition.value.is_some())
            .map(|(at, _)| at)
            .collect();
        let name = |at: &u32| &definitions[*at as usize].name;
        valued.sort_by(|one, other| name(one).cmp(name(other)));
        valued.dedup_by(|later, first| name(later) == name(first));
        self.valued = Some(valued);
    }

    /// Returns the first value that is written for a name.
    pub fn value(&self, name: &str) -> Option<&str> {
        let Some(valued) = &self.valued else {
            let mut named = self.definitions.iter().filter(|definition| definition.name == name);
            return named.find_map(|definition| definition.value.as_deref());
        };
        let definition = |at: &u32| &self.definitions[*at as usize];
        let found = valued.binary_search_by(|at| definition(at).name.as_str().cmp(name));
        found.ok().and_then(|place| definition(&valued[place]).value.as_deref())
    }

    /// Returns the first value that is written for a name and holds in all of its files: where a step leads next only its
    /// own file says.
    pub fn shared(&self, name: &str) -> Option<&str> {
        if !name.starts_with("next") {
            return self.value(name);
        }
        let mut shared = self
            .definitions
            .iter()
            .filter(|definition| definition.name == name && self.is_shared(definition));
        shared.find_map(|definition| definition.value.as_deref())
    }

    /// Says whether a file is part of it whose text is gone through: what its document starts from is not.
    pub fn goes_through(&self, file: SourceId) -> bool {
        self.files.contains(&file) && self.template != Some(file)
    }

    /// Says whether a definition holds in all files of the workflow.
    pub fn is_shared(&self, definition: &Definition) -> bool {
        definition.by != DefinedBy::Frontmatter
            || definition.span.source == self.home
            || !definition.name.starts_with("next")
    }

    /// Finds what defines a name.
    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions.iter().find(|definition| definition.name == name)
    }

    /// Says whether a jump leaves the workflow: to a step `end` or `exit`, where none is called so.
    pub fn is_way_out(&self, target: &Target) -> bool {
        let Target::Step(label) = target else {
            return false;
        };
        matches!(label.text.as_str(), "exit" | "end") && !self.steps.iter().any(|step| step.label == label.text)
    }

    /// Says whether the workflow is a single step of prose.
    pub fn is_prose(&self) -> bool {
        self.steps.len() == 1 && self.steps[0].origin == Origin::Prose
    }
}
