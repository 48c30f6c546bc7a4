//! Units in, findings out. A rule is a file in `rules/`, a page in `spec/rules/` and a line in `rules.rs`.

mod acts;
mod allow;
mod asked;
mod facts;
mod filling;
mod rule;
mod rules;
mod sentence;
mod tables;
mod word;

pub use crate::diagnostic::nearest;
pub use acts::Acts;
use allow::Permits;
pub use facts::{FileFacts, Reference, ReferenceKind};
pub use rule::{Check, FileUnit, Findings, ProjectUnit, Rule, Settings, WorkflowUnit};
pub use rules::RULES;
pub use tables::{AGENTS_THERE_ARE, WrongSetting, review_block, wrong_review, wrong_settings};
pub(crate) use word::places_of;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::graph::Program;
use crate::model::{Document, Library, Workflow};
use std::cmp::Ordering;

/// Everything about one project that rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The files.
    pub library: &'a Library,
    /// The workflows.
    pub workflows: &'a [Workflow],
    /// Their graphs, linked.
    pub program: &'a Program,
    /// What to report and how loud.
    pub settings: &'a Settings,
}

/// Finds a rule by name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.0 == name)
}

impl<'a> Subject<'a> {
    /// Runs the rules that look at one file, each of them on all of these files.
    pub fn lint_files(&self, documents: &[&'a Document]) -> Vec<Diagnostic> {
        let gather = |document: &&'a Document| (*document, FileFacts::gather(*self, document));
        let files: Vec<(&Document, FileFacts<'_>)> = documents.iter().map(gather).collect();
        let subject = *self;
        let of_files = RULES.iter().filter_map(|rule| match rule.check {
            Check::File(check) => Some((*rule, check)),
            Check::Workflow(_) | Check::Project(_) => None,
        });
        let found = self.run(of_files, |check, findings| {
            for (document, facts) in &files {
                let unit = FileUnit {
                    subject,
                    document,
                    facts,
                };
                check(&unit, findings);
            }
        });
        // Whoever asks about some files only does not look at the others.
        let is_one = |finding: &Diagnostic| documents.iter().any(|file| file.source.id() == finding.span.source);
        debug_assert!(found.iter().all(is_one));
        found
    }

    /// Runs the rules that look at one workflow.
    pub fn lint_workflow(&self, at: usize) -> Vec<Diagnostic> {
        let workflow = &self.workflows[at];
        let unit = WorkflowUnit {
            subject: *self,
            workflow,
            acts: &Acts::gather(workflow),
            graph: &self.program.graphs[at],
            position: at,
        };
        let of_workflows = RULES.iter().filter_map(|rule| match rule.check {
            Check::Workflow(check) => Some((*rule, check)),
            Check::File(_) | Check::Project(_) => None,
        });
        let found = self.run(of_workflows, |check, findings| check(&unit, findings));
        // Whoever asks about some files only does not look at the workflows of others.
        let is_own = |finding: &Diagnostic| unit.workflow.files.contains(&finding.span.source);
        debug_assert!(found.iter().all(is_own));
        found
    }

    /// Runs the rules that look at the whole project.
    pub fn lint_project(&self) -> Vec<Diagnostic> {
        let unit = ProjectUnit { subject: *self };
        let of_projects = RULES.iter().filter_map(|rule| match rule.check {
            Check::Project(check) => Some((*rule, check)),
            Check::File(_) | Check::Workflow(_) => None,
        });
        self.run(of_projects, |check, findings| check(&unit, findings))
    }

    fn run<C>(
        &self,
        rules: impl Iterator<Item = (&'static Rule, C)>,
        apply: impl Fn(C, &mut Findings),
    ) -> Vec<Diagnostic> {
        let mut findings = Findings::default();
        for (rule, check) in rules {
            let Some(severity) = self.settings.level(rule) else {
                continue;
            };
            findings.turn_to(rule, severity, self.settings);
            apply(check, &mut findings);
        }
        let mut found = findings.take();
        // Those of one file stand together then, and whoever puts all of them in order has less to do.
        found.sort_by(in_order);
        let mut permits = Permits::of(self.library);
        found.retain(|diagnostic| !permits.allow(diagnostic));
        found
    }
}

/// Puts findings in the order they are read in, and drops repeats.
pub fn sort(findings: &mut Vec<Diagnostic>) {
    // They are large, and few stand in order already: their places are put in order, and each is moved once.
    let mut places: Vec<usize> = (0..findings.len()).collect();
    places.sort_by(|one, other| in_order(&findings[*one], &findings[*other]));
    let mut left: Vec<Option<Diagnostic>> = findings.drain(..).map(Some).collect();
    findings.extend(places.into_iter().filter_map(|place| left[place].take()));
    findings.dedup_by(|a, b| a.code == b.code && a.span == b.span && a.message == b.message);
}

fn in_order(one: &Diagnostic, other: &Diagnostic) -> Ordering {
    key(one).cmp(&key(other))
}

fn key(diagnostic: &Diagnostic) -> (crate::source::Span, Code, Severity, &str) {
    (
        diagnostic.span,
        diagnostic.code,
        diagnostic.severity,
        &diagnostic.message,
    )
}
