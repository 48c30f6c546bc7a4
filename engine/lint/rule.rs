//! What a rule is and what it sees.

use super::Subject;
use super::acts::Acts;
use super::facts::FileFacts;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::graph::Graph;
use crate::model::{Document, Workflow};
use crate::source::{ProjectPath, Span};
use std::collections::HashMap;

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub code: Code,
    /// How much its findings matter unless the project says otherwise.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Its page of the spec.
    pub page: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// One file at a time.
    File(fn(&FileUnit<'_>, &mut Findings)),
    /// One workflow at a time.
    Workflow(fn(&WorkflowUnit<'_>, &mut Findings)),
    /// The whole project at once.
    Project(fn(&ProjectUnit<'_>, &mut Findings)),
}

/// One file, and everything around it.
#[derive(Debug, Clone, Copy)]
pub struct FileUnit<'a> {
    /// The project.
    pub subject: Subject<'a>,
    /// The file.
    pub document: &'a Document,
    /// What was gathered from it.
    pub facts: &'a FileFacts<'a>,
}

impl<'a> FileUnit<'a> {
    /// Returns the workflow that the file is part of, and the one that its folder declares besides: names of both hold.
    pub fn workflows(&self) -> impl Iterator<Item = &'a Workflow> + use<'a> {
        let subject = self.subject;
        let own = subject.program.owner(self.document.source.id());
        let beside = own.and_then(|own| subject.program.beside(own));
        [own, beside]
            .into_iter()
            .flatten()
            .map(move |at| &subject.workflows[at])
    }

    /// Returns the folder of the skill that the file lies in, however deep.
    pub fn skill(&self) -> Option<ProjectPath> {
        let mut folder = self.document.source.path().folder();
        loop {
            let skill = folder.join("SKILL.md");
            if skill.is_some_and(|skill| self.subject.library.at(&skill).is_some()) {
                return Some(folder);
            }
            if folder.as_str().is_empty() {
                return None;
            }
            folder = folder.folder();
        }
    }
}

/// One workflow, and everything around it.
#[derive(Debug, Clone, Copy)]
pub struct WorkflowUnit<'a> {
    /// The project.
    pub subject: Subject<'a>,
    /// The workflow.
    pub workflow: &'a Workflow,
    /// What several rules look at in its instructions.
    pub acts: &'a Acts<'a>,
    /// Its graph.
    pub graph: &'a Graph,
    /// Its position among the project's workflows.
    pub position: usize,
}

/// A whole project.
#[derive(Debug, Clone, Copy)]
pub struct ProjectUnit<'a> {
    /// The project.
    pub subject: Subject<'a>,
}

/// The findings of one rule after the other.
#[derive(Debug)]
pub struct Findings {
    code: Code,
    severity: Severity,
    set: bool,
    /// Whether somebody reads more of the findings than how many they are.
    read: bool,
    found: Vec<Diagnostic>,
}

impl Default for Findings {
    fn default() -> Self {
        Self {
            code: Code(""),
            severity: Severity::Hint,
            set: false,
            read: true,
            found: Vec::new(),
        }
    }
}

impl Findings {
    /// Lets a rule speak: what is added from now on is its own.
    pub(super) fn turn_to(&mut self, rule: &Rule, severity: Severity, settings: &Settings) {
        self.code = rule.code;
        self.severity = severity;
        self.set = settings.names(rule);
        self.read = severity >= settings.least;
    }

    /// Adds a finding; the caller may go on to describe it.
    #[inline]
    pub fn add(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(span, message.into())
    }

    /// Adds a finding. Most of what is looked at has none, so that code which leads here stands aside.
    #[cold]
    #[inline(never)]
    fn push(&mut self, span: Span, message: String) -> &mut Diagnostic {
        self.found
            .push_mut(Diagnostic::new(self.code, self.severity, span, message))
    }

    /// Adds a finding that matters less or more than the rule's others; a level set by the project still wins.
    pub fn add_as(&mut self, severity: Severity, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let level = if self.set { self.severity } else { severity };
        let diagnostic = self.add(span, message);
        diagnostic.severity = level;
        diagnostic
    }

    /// Says whether somebody reads what findings of the rule's own severity say beyond their message: that takes a while.
    pub fn are_read(&self) -> bool {
        self.read
    }

    pub(super) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.found)
    }
}

/// What to report and how loud.
#[derive(Debug, Clone)]
pub struct Settings {
    levels: HashMap<String, Option<Severity>>,
    /// Findings that matter less are only counted.
    least: Severity,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            levels: HashMap::new(),
            least: Severity::Hint,
        }
    }
}

impl Settings {
    /// Sets the level of a rule; none switches it off.
    pub fn set(&mut self, rule: &str, level: Option<Severity>) {
        self.levels.insert(rule.to_owned(), level);
    }

    /// Lets findings that matter less than `least` be counted, and no more: they say no help, and no fix.
    #[must_use]
    pub fn counting_below(mut self, least: Severity) -> Self {
        self.least = least;
        self
    }

    /// Lets other settings win over these.
    pub fn extend(&mut self, other: &Settings) {
        self.least = other.least;
        self.levels
            .extend(other.levels.iter().map(|(rule, level)| (rule.clone(), *level)));
    }

    /// Says whether the level of a rule was set, and is not its own.
    pub fn names(&self, rule: &Rule) -> bool {
        self.levels.contains_key(rule.code.0) || self.levels.contains_key("all")
    }

    /// Returns the level of a rule; none where it is switched off.
    pub fn level(&self, rule: &Rule) -> Option<Severity> {
        self.levels
            .get(rule.code.0)
            .or_else(|| self.levels.get("all"))
            .copied()
            .unwrap_or(Some(rule.severity))
    }
}
