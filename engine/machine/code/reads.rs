//! A name in, whether a workflow may read a value of that name out. Where nobody can tell, it may.

use super::{Image, Op};
use crate::model::{Document, Invoked, REQUEST, Role};
use crate::syntax::says;

impl Image<'_> {
    /// Says whether the words that a person begins a run with reach anybody: whoever works on prose is told them, also where
    /// it is called, and a workflow in the engine's own tags has an input for them.
    pub fn takes_words(&self, at: usize) -> bool {
        let mut inputs = self.workflows[at].inputs.iter();
        inputs.any(|input| input.name == REQUEST) || self.calls_prose(at)
    }

    /// Says whether a value that a run is given may reach anybody: whoever works on prose is told it, and what a workflow in
    /// the engine's own tags sees speaks of it by name. A called workflow sees nothing but what it is handed, and the words
    /// of the person where it is prose.
    pub fn reads(&self, at: usize, name: &str) -> bool {
        let is_own = |document: &Document| {
            let workflow = &self.workflows[at];
            workflow.files.contains(&document.source.id()) || workflow.template == Some(document.source.id())
        };
        let says_it = |document: &Document| says(document.source.text(), name);
        !self.code(at).strict
            || self
                .library
                .documents()
                .any(|document| (is_own(document) || is_configuration(document.role)) && says_it(document))
            || self.code(at).ops.iter().any(|op| self.is_read_by(op, name))
            || name == REQUEST && self.calls_prose(at)
    }

    /// Says whether what an operation brings into the workflow may speak of a name: a template, or a part of the task
    /// that runs workflows.
    fn is_read_by(&self, op: &Op<'_>, name: &str) -> bool {
        match op {
            Op::Show {
                template: Some(template),
                ..
            } => {
                let file = template.text.rsplit(['/', '\\']).next().unwrap_or_default();
                let called_so = |document: &&Document| document.source.path().name() == file;
                let mut found = self.library.documents().filter(called_so).peekable();
                found.peek().is_none() || found.any(|document| says(document.source.text(), name))
            }
            Op::Invoke(invoke, _) if invoke.what == Invoked::Protocol => self.is_read_by_core(name),
            Op::Produce(..) => self.is_read_by_core(name),
            _ => false,
        }
    }

    /// Says whether a task that runs workflows speaks of a name.
    fn is_read_by_core(&self, name: &str) -> bool {
        let mut files = self.cores().flat_map(|at| &self.workflows[at].files);
        files.any(|file| says(self.library.source(*file).text(), name))
    }

    /// Says whether a workflow, or one that is called from there on, is prose.
    fn calls_prose(&self, at: usize) -> bool {
        let mut reached = self.program.reached(at).into_iter();
        reached.any(|at| !self.code(at).strict)
    }
}

/// Says whether a file sets values that workflows see, and that may mention names themselves.
fn is_configuration(role: Role) -> bool {
    match role {
        Role::ModuleYaml | Role::ConfigYaml | Role::ConfigToml | Role::CustomizeToml => true,
        Role::WorkflowYaml
        | Role::TaskXml
        | Role::WorkflowMarkdown
        | Role::StepFile
        | Role::Skill
        | Role::Instructions
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::Manifest
        | Role::Template
        | Role::Other => false,
    }
}
