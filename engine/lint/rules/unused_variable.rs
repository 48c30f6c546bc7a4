//! Keys that define a variable nobody uses.

use super::empty_workflow::misspelt_instructions;
use crate::diagnostic::{Code, Severity, is_misspelt};
use crate::lint::word::{Sought, Words};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::model::{DefinedBy, Definition, Role, Workflow};
use crate::source::{QuickMap, QuickSet, SourceId};
use crate::syntax::{Hole, HoleKind, WordList};
use std::cell::{Cell, LazyCell, RefCell};
use std::rc::Rc;

pub(super) const RULE: Rule = Rule {
    code: Code("unused-variable"),
    severity: Severity::Info,
    summary: "a key defines a variable that nothing uses",
    page: include_str!("../../../spec/rules/unused-variable.md"),
    check: Check::File(check),
};

/// Keys with a meaning of their own.
static MEANING: WordList = WordList::new(&[
    "name",
    "description",
    "author",
    "version",
    "instructions",
    "template",
    "validation",
    "checklist",
    "installed_path",
    "config_source",
    "date",
    "standalone",
    "web_bundle",
    "default_output_file",
    "required_tools",
    "tags",
    "execution_hints",
    "input_file_patterns",
    "variables",
    "recommended_inputs",
    "required_inputs",
    "optional_inputs",
    "autonomous",
    "title",
    "main_config",
    "model",
    "tools",
    "allowed-tools",
    "argument-hint",
    "metadata",
    "license",
    "nextStep",
    "web_bundle_files",
    "hooks",
    "user-invocable",
    "disable-model-invocation",
    "stepsCompleted",
    "inputDocuments",
    "workflowType",
    "lastStep",
    "status",
    "created",
    "updated",
    "type",
    "context",
]);

/// How many keys that nothing uses are compared with the names that the file uses.
const MOST_COMPARED: usize = 16;

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let by = match unit.document.role {
        Role::WorkflowYaml => DefinedBy::Key,
        Role::StepFile | Role::WorkflowMarkdown => DefinedBy::Frontmatter,
        Role::TaskXml
        | Role::Skill
        | Role::Instructions
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Template
        | Role::Other => return,
    };
    let Some(workflow) = unit.facts.workflow else {
        return;
    };
    let here = unit.document.source.id();
    let is_own = |definition: &&Definition| definition.by == by && definition.span.source == here;
    // A workflow whose key for the instructions is misspelt has that finding.
    let data = unit.document.parsed.data.as_ref().filter(|_| by == DefinedBy::Key);
    let of_steps = LazyCell::new(|| misspelt_instructions(data?).map(|pair| pair.key_span));
    let mut used: Option<Used<'_>> = None;
    let unkeyed = LazyCell::new(|| unkeyed(unit));
    let mut compared = 0;
    for definition in workflow.definitions.iter().filter(is_own) {
        if MEANING.has_as_written(&definition.name)
            || used.get_or_insert_with(|| Used::of(unit, workflow)).has(definition)
            || is_followed(unit, definition)
            || of_steps.is_some_and(|key| key == definition.span)
        {
            continue;
        }
        let is_compared = by == DefinedBy::Frontmatter && compared < MOST_COMPARED;
        compared += usize::from(is_compared);
        match is_compared.then(|| meant(&definition.name, &unkeyed)).flatten() {
            Some(meant) => misspelt(definition, meant, findings),
            None => {
                let found = findings.add(definition.span, format!("nothing uses `{}`", definition.name));
                found.help =
                    Some("remove the key, or use it as a variable in braces where its value is meant".to_owned());
            }
        }
    }
}

/// Finds the name among those that have no key of which a key that nothing uses is most likely a misspelling.
fn meant<'a>(key: &str, unkeyed: &[&'a str]) -> Option<&'a str> {
    nearest(key, unkeyed.iter().copied()).filter(|meant| is_misspelt(key, meant))
}

/// Collects the names that the file uses without a key for them: another step file may define them, with another value.
fn unkeyed<'a>(unit: &FileUnit<'a>) -> Vec<&'a str> {
    let matter = unit.document.parsed.frontmatter.as_ref();
    let data = matter.and_then(|matter| matter.data.as_ref());
    let pairs = data.map_or(&[][..], |data| data.pairs());
    let mut seen: QuickSet<&str> = pairs.iter().map(|pair| pair.key.as_str()).collect();
    let holes = unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single);
    holes.map(|hole| hole.name).filter(|name| seen.insert(name)).collect()
}

fn misspelt(definition: &Definition, meant: &str, findings: &mut Findings) {
    let Definition { name, span, .. } = definition;
    let message = format!("nothing uses `{name}`, and no key of this file is called `{meant}`, which it uses");
    let found = findings.add_as(Severity::Warning, *span, message);
    found.help = Some(format!("did you mean `{meant}`?"));
}

/// Says whether the key is what leads on: a step file whose text names no next one goes where its `next…` key says.
fn is_followed(unit: &FileUnit<'_>, definition: &Definition) -> bool {
    if !definition.name.starts_with("next") {
        return false;
    }
    let target = definition
        .value
        .as_deref()
        .and_then(|value| value.rsplit('/').next())
        .unwrap_or_default();
    let text = unit.document.source.text().as_bytes();
    // One place more is enough to know.
    memchr::memmem::find_iter(text, target.as_bytes()).take(2).count() == 1
}

/// How many places in braces are gone through for each name, and not put in order.
const FEW: usize = 32;

/// How many names are looked for one by one in whole texts.
const FEW_NAMES: usize = 64;

/// What a file and the others of its workflow use.
struct Used<'a> {
    unit: &'a FileUnit<'a>,
    workflow: &'a Workflow,
    /// The places in braces in the file, in the order of their names where they are many.
    holes: Vec<&'a Hole<'a>>,
    /// How many names were looked for in whole texts.
    sought: Cell<usize>,
    /// The words of the texts, where many were.
    words: RefCell<QuickMap<SourceId, Rc<Words<'a>>>>,
}

impl<'a> Used<'a> {
    fn of(unit: &'a FileUnit<'a>, workflow: &'a Workflow) -> Self {
        let mut holes: Vec<&Hole<'_>> = Vec::new();
        if unit.facts.holes.len() > FEW {
            holes.extend(&unit.facts.holes);
            holes.sort_by_key(|hole| hole.name);
        }
        Self {
            unit,
            workflow,
            holes,
            sought: Cell::new(0),
            words: RefCell::default(),
        }
    }

    /// Says whether any file of the workflow names the variable outside its own definition.
    ///
    /// A key of a step file is looked for in that file, and the first of its name in those that have none; one without a
    /// value is declared for the steps after it too.
    fn has(&self, definition: &Definition) -> bool {
        // Most are used in braces in the file that defines them, and those places are known.
        if self.has_in_braces(definition) {
            return true;
        }
        let sought = LazyCell::new(|| Sought::new(&definition.name));
        let own = self.unit.document.source.id();
        self.sought.set(self.sought.get() + 1);
        let names = |file: SourceId| {
            let is_use = |at: usize| file != own || at as u32 != definition.span.start;
            if self.sought.get() > FEW_NAMES {
                let words = self.words_of(file);
                if let Some(mut places) = words.places_of(&definition.name) {
                    return places.any(is_use);
                }
            }
            sought
                .places_in(self.unit.subject.library.source(file).text())
                .any(is_use)
        };
        let files = self.unit.workflows().flat_map(|workflow| &workflow.files);
        let mut others = files.filter(|file| **file != own);
        names(own)
            || match self.reach(definition) {
                Reach::Own => false,
                Reach::All => others.any(|file| names(*file)),
                Reach::Without(known) => others.any(|file| !known.contains(file) && names(*file)),
            }
    }

    fn words_of(&self, file: SourceId) -> Rc<Words<'a>> {
        let library = self.unit.subject.library;
        let mut all = self.words.borrow_mut();
        let read = || Rc::new(Words::of(library.source(file).text()));
        Rc::clone(all.entry(file).or_insert_with(read))
    }

    fn has_in_braces(&self, definition: &Definition) -> bool {
        let name = definition.name.as_str();
        let is_use = |hole: &Hole<'_>| hole.name == name && !hole.span.contains(definition.span);
        if self.holes.is_empty() {
            return self.unit.facts.holes.iter().any(is_use);
        }
        let first = self.holes.partition_point(|hole| hole.name < name);
        let mut named = self.holes[first..].iter().take_while(|hole| hole.name == name);
        named.any(|hole| is_use(hole))
    }

    /// Returns in which other files of the workflow a definition holds: that of a step does where it is the first of its
    /// name, and the other file has none.
    fn reach(&self, definition: &Definition) -> Reach {
        let declared = definition.value.as_deref().is_none_or(|value| value.trim().is_empty());
        let by_step = definition.by == DefinedBy::Frontmatter && self.unit.document.role == Role::StepFile;
        if !by_step || declared {
            return Reach::All;
        }
        let definitions = self.workflow.definitions.iter();
        let same = definitions.filter(|other| other.name == definition.name);
        let first = same.clone().find(|other| other.value.is_some());
        let is_first = first.is_some_and(|first| first.span == definition.span);
        match is_first && self.workflow.is_shared(definition) {
            true => Reach::Without(same.map(|other| other.span.source).collect()),
            false => Reach::Own,
        }
    }
}

/// In which other files a definition holds.
enum Reach {
    /// In none.
    Own,
    /// In all of them.
    All,
    /// In all but these.
    Without(QuickSet<SourceId>),
}
