//! Everything that was read of one project, as values: the files, the modules, and what exists beside them.

use super::agent::agent_names;
use super::lift::{Lift, lifts_under};
use super::mention::{Mention, mentions};
use super::menu::{self, Menus};
use super::module::{self, Module};
use super::role::{Role, classify, classify_alone, holds_steps, titled_label};
use super::told::{Told, Wanted};
use crate::source::{ProjectPath, QuickMap, QuickSet, Source, SourceId, Span};
use crate::syntax::{Format, Node, Parsed, Value};
use std::fmt;
use std::sync::OnceLock;

/// Says whether a file or folder of the project exists.
pub type Existing = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// Answers whether a path that a file of the project names, and that leads out of it, leads to something around it.
pub type Around = Box<dyn Fn(&ProjectPath, &str) -> bool + Send + Sync>;

/// Files that were read; they are large, and each stays where it was read when lists of them are put together.
pub type Documents = Vec<Box<Document>>;

/// One file that was read.
#[derive(Debug)]
pub struct Document {
    /// Its text.
    pub source: Source,
    /// What was read from it.
    pub parsed: Parsed,
    /// The part it plays.
    pub role: Role,
    /// The part it plays where no workflow stands beside it.
    alone: Role,
    menus: OnceLock<Menus>,
    mentions: OnceLock<Vec<Mention>>,
    lifts: OnceLock<Vec<Lift>>,
    told: Told,
}

impl Document {
    /// Makes a document and tells the part it plays.
    pub fn new(source: Source, parsed: Parsed) -> Self {
        let role = match classify(source.path(), &parsed) {
            Role::Other if titled_label(&source, &parsed).is_some() => Role::StepFile,
            role => role,
        };
        let sure = Some(role).filter(|role| *role != Role::StepFile);
        let alone = sure.unwrap_or_else(|| classify_alone(source.path(), &parsed));
        Self {
            source,
            parsed,
            role,
            alone,
            menus: OnceLock::new(),
            mentions: OnceLock::new(),
            lifts: OnceLock::new(),
            told: Told::default(),
        }
    }

    /// Returns the text after the frontmatter.
    pub fn body(&self) -> Span {
        let start = self
            .parsed
            .frontmatter
            .as_ref()
            .map_or(0, |matter| matter.span.end as usize);
        self.source.span(start, self.source.text().len())
    }

    /// Says whether the file is for a worker that a step sends out: no step leads to it, and it leads nowhere.
    pub fn is_worker(&self) -> bool {
        let matter = self.parsed.frontmatter.as_ref().and_then(|matter| matter.data.as_ref());
        let node = matter.and_then(|data| data.get("subagent"));
        node.is_some_and(|node| node.value == Value::Bool(true))
    }

    /// Says whether the file gives its instructions in prose, so that its menus and answers are read from the text.
    pub fn instructs_in_prose(&self) -> bool {
        let told = matches!(
            self.role,
            Role::StepFile | Role::Skill | Role::WorkflowMarkdown | Role::Instructions
        );
        told && !holds_steps(&self.parsed)
    }

    /// Returns the menus of a Markdown file and what answers them; read once.
    pub fn menus(&self) -> &Menus {
        self.menus
            .get_or_init(|| menu::read(&self.source, &self.parsed.markdown))
    }

    /// Returns the paths that the text names, in order; read once.
    pub fn mentions(&self) -> &[Mention] {
        self.mentions.get_or_init(|| {
            let markdown = (self.parsed.format == Format::Markdown).then_some(&self.parsed.markdown);
            let mut found = mentions(&self.source, self.body(), markdown);
            found.sort_by_key(|mention| mention.span);
            found
        })
    }

    /// Returns the control flow in a part of a text without tags, as far as it is wanted; what a sentence depends on
    /// outside the part is left out.
    pub fn lifts_in(&self, span: Span, wanted: impl Fn(&Lift) -> bool) -> Vec<Lift> {
        let all = self.lifts();
        let first = all.partition_point(|lift| lift.span.start < span.start);
        let inside = all[first..].iter().take_while(|lift| lift.span.start < span.end);
        let found: Vec<&Lift> = inside
            .filter(|lift| lift.span.end <= span.end && wanted(lift))
            .collect();
        let cut = |lift: &&Lift| Lift {
            condition: lift.condition.filter(|condition| span.contains(*condition)),
            ..Lift::clone(lift)
        };
        found.iter().map(cut).collect()
    }

    /// Returns the control flow in the whole text; read once.
    fn lifts(&self) -> &[Lift] {
        let read = || lifts_under(&self.source, self.body(), &self.parsed.markdown.headings);
        self.lifts.get_or_init(read)
    }

    /// Says whether the text speaks of a name otherwise than in braces.
    pub fn tells(&self, wanted: &Wanted<'_>) -> bool {
        self.told.names(self.source.text(), wanted)
    }

    /// Says whether the text speaks of a name otherwise than in braces, outside of some parts of it, in order.
    pub fn tells_outside(&self, wanted: &Wanted<'_>, parts: &[Span]) -> bool {
        let text = self.source.text();
        let starts = std::iter::once(0).chain(parts.iter().map(|part| part.end as usize));
        let ends = parts.iter().map(|part| part.start as usize).chain([text.len()]);
        let between = starts.zip(ends).filter_map(|(start, end)| text.get(start..end));
        self.tells(wanted) && between.into_iter().any(|between| wanted.is_in(between))
    }

    /// Reads everything of some files that is read once, where it will be asked for; one thing of all of them before the
    /// next, so that what reads it stays at hand.
    pub fn prepare(documents: &[Box<Document>]) {
        let instructs = |document: &&Document| document.parsed.format == Format::Markdown && document.role.instructs();
        let instructing: Vec<&Document> = documents.iter().map(Box::as_ref).filter(instructs).collect();
        for document in &instructing {
            document.mentions();
        }
        let in_prose = || instructing.iter().filter(|document| !holds_steps(&document.parsed));
        for document in in_prose() {
            document.menus();
        }
        for document in in_prose() {
            document.lifts();
        }
    }

    /// Returns the paths that a part of the text names.
    pub fn mentions_in(&self, span: Span) -> impl Iterator<Item = &Mention> {
        let all = self.mentions();
        let first = all.partition_point(|mention| mention.span.start < span.start);
        all[first..]
            .iter()
            .take_while(move |mention| mention.span.end <= span.end)
    }
}

/// Everything that was read of one project.
pub struct Library {
    /// The modules, as source or as installed.
    pub modules: Vec<Module>,
    /// The agents that can be named.
    pub agents: Vec<AgentName>,
    /// The skills that can be named, with the files that declare them.
    pub skills: Vec<(String, SourceId)>,
    /// Folders that BMAD is installed in.
    pub roots: Vec<ProjectPath>,
    /// Files of the embedded core module, as paths inside it; none where the project has a core module of its own.
    pub standard: Vec<ProjectPath>,
    /// A source's number is its index.
    documents: Documents,
    pub(super) paths: QuickMap<ProjectPath, SourceId>,
    /// The names of step files that do not begin with `step`.
    other_steps: QuickSet<String>,
    /// The names of the settings, found where somebody asks for one.
    settings: OnceLock<QuickSet<String>>,
    existing: Existing,
    /// The files by their names, found where somebody asks for one.
    pub(super) called: OnceLock<QuickMap<String, Vec<SourceId>>>,
    /// The files by their folders, found where somebody asks for one.
    pub(super) kept_in: OnceLock<QuickMap<String, Vec<SourceId>>>,
    /// What is around the project; none where nobody looks there.
    pub around: Option<Around>,
}

impl fmt::Debug for Library {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Library")
            .field("documents", &self.documents.len())
            .field("modules", &self.modules)
            .finish_non_exhaustive()
    }
}

/// Takes the role of a step from files that have it from their folder or their frontmatter alone, where no workflow and
/// no skill is declared beside them or in the folder above: a tutorial has numbered pages too.
fn tell_steps(documents: &mut Documents) {
    if documents.iter().all(|document| document.role == document.alone) {
        return;
    }
    let declares = |role: Role| matches!(role, Role::WorkflowYaml | Role::WorkflowMarkdown | Role::Skill);
    let homes: QuickSet<ProjectPath> = documents
        .iter()
        .filter(|document| declares(document.role))
        .map(|document| document.source.path().folder())
        .collect();
    for document in documents.iter_mut().filter(|document| document.role != document.alone) {
        let folder = document.source.path().folder();
        if !homes.contains(&folder) && !homes.contains(&folder.folder()) {
            document.role = document.alone;
        }
    }
}

/// An agent that can be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentName {
    /// Its short name.
    pub name: String,
    /// The module it belongs to, where it is in one.
    pub module: Option<String>,
    /// The file that declares it.
    pub source: SourceId,
}

impl Library {
    /// Makes a library of documents and of an answer to what exists beside them.
    pub fn new(mut documents: Documents, roots: Vec<ProjectPath>, existing: Existing) -> Self {
        tell_steps(&mut documents);
        let paths = documents
            .iter()
            .map(|document| (document.source.path().clone(), document.source.id()))
            .collect();
        let other_steps = documents
            .iter()
            .filter(|document| document.role == Role::StepFile)
            .map(|document| document.source.path().name())
            .filter(|name| !name.starts_with("step"))
            .map(str::to_owned)
            .collect();
        let mut library = Self {
            documents,
            modules: Vec::new(),
            agents: Vec::new(),
            skills: Vec::new(),
            roots,
            standard: Vec::new(),
            paths,
            other_steps,
            settings: OnceLock::new(),
            existing,
            called: OnceLock::new(),
            kept_in: OnceLock::new(),
            around: None,
        };
        library.modules = library
            .documents()
            .filter_map(|document| read_module(&library, document))
            .collect();
        library.agents = agent_names(&library);
        library.skills = library.documents().filter_map(skill_name).collect();
        library
    }

    /// Returns the files that were read: those of a project in the order of their paths, then embedded ones.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = &Document> {
        self.documents.iter().map(Box::as_ref)
    }

    /// Returns the files before one, the nearest first, and those from it on.
    pub fn around(&self, id: SourceId) -> (impl Iterator<Item = &Document>, impl Iterator<Item = &Document>) {
        let (before, from) = self.documents.split_at(id.0 as usize);
        (before.iter().rev().map(Box::as_ref), from.iter().map(Box::as_ref))
    }

    /// Returns a document by number; numbers come from this library alone.
    pub fn document(&self, id: SourceId) -> &Document {
        &self.documents[id.0 as usize]
    }

    /// Returns the text of a document.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.document(id).source
    }

    /// Returns the text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.source(span.source).slice(span)
    }

    /// Finds a document by path.
    pub fn at(&self, path: &ProjectPath) -> Option<&Document> {
        self.paths.get(path).map(|id| self.document(*id))
    }

    /// Says whether a name without a folder may be that of a step file.
    pub(super) fn may_name_step(&self, name: &str) -> bool {
        name.starts_with("step") || self.other_steps.contains(name)
    }

    /// Says whether a file or folder exists.
    pub fn exists(&self, path: &ProjectPath) -> bool {
        path.as_str().is_empty() || self.paths.contains_key(path) || (self.existing)(path.as_str())
    }

    /// Returns the path of a file or folder that exists; what was read has it already.
    pub(super) fn kept(&self, path: &str) -> Option<ProjectPath> {
        let read = self.paths.get_key_value(path).map(|(read, _)| read.clone());
        read.or_else(|| (path.is_empty() || (self.existing)(path)).then(|| ProjectPath::keep(path)))
    }

    /// Says whether a path that a file names leads out of the project to something in the repository or the folder that
    /// the project is a part of.
    pub fn is_around(&self, file: &ProjectPath, text: &str) -> bool {
        self.around.as_ref().is_some_and(|around| around(file, text))
    }

    /// Says whether the embedded core module has an agent of this name.
    pub fn has_standard_agent(&self, name: &str) -> bool {
        self.standard_agents().any(|agent| agent == name)
    }

    /// Returns the names of the agents of the embedded core module.
    pub fn standard_agents(&self) -> impl Iterator<Item = &str> {
        let agents = self.standard.iter().filter(|path| path.folder().as_str() == "agents");
        agents.map(ProjectPath::stem)
    }

    /// Finds a module by its code, preferring one that holds `near`.
    pub fn module(&self, code: &str, near: &ProjectPath) -> Option<&Module> {
        let mut named = self.modules.iter().filter(|module| module.code == code);
        let first = named.next()?;
        if near.is_in(&first.folder) {
            return Some(first);
        }
        Some(named.find(|module| near.is_in(&module.folder)).unwrap_or(first))
    }

    /// Returns the module a file is in: the innermost one.
    pub fn module_of(&self, path: &ProjectPath) -> Option<&Module> {
        self.modules
            .iter()
            .filter(|module| path.is_in(&module.folder))
            .max_by_key(|module| module.folder.as_str().len())
    }

    /// Says whether a name is a value of the layered settings.
    pub fn is_setting(&self, name: &str) -> bool {
        self.settings.get_or_init(|| setting_names(self)).contains(name)
    }

    /// Says whether any module declares a configuration key.
    pub fn has_config_key(&self, name: &str) -> bool {
        self.modules
            .iter()
            .any(|module| module.keys.iter().any(|key| key.name == name))
    }
}

/// Reads a module; a `config.yaml` declares one only directly below an install root.
fn read_module(library: &Library, document: &Document) -> Option<Module> {
    let is_declared = || library.roots.contains(&document.source.path().folder().folder());
    if document.role == Role::ConfigYaml && !is_declared() {
        return None;
    }
    module::read(document)
}

/// Collects the names of the settings, those of the core and of the modules.
fn setting_names(library: &Library) -> QuickSet<String> {
    let settings = library.documents().filter(|document| document.role == Role::ConfigToml);
    let mut names = QuickSet::default();
    for data in settings.filter_map(|document| document.parsed.data.as_ref()) {
        let modules = data.get("modules").map(Node::pairs).unwrap_or_default();
        let tables = data
            .get("core")
            .into_iter()
            .chain(modules.iter().map(|pair| &pair.node));
        names.extend(tables.flat_map(Node::pairs).map(|pair| pair.key.clone()));
    }
    names
}

fn skill_name(document: &Document) -> Option<(String, SourceId)> {
    (document.role == Role::Skill).then(|| {
        let folder = document.source.path().folder();
        (folder.name().to_owned(), document.source.id())
    })
}
