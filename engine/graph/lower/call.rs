//! Calls to nodes: other workflows, tasks and skills, and the next step file, which is no call.

use super::{Called, Led, Lowering};
use crate::graph::caption::short;
use crate::graph::node::{Edge, NodeKind};
use crate::graph::target::Want;
use crate::graph::wire::{Ends, one};
use crate::model::{Invoke, Invoked, Origin, Place, Resolution, Scope, TOOL_FOLDERS};
use crate::source::{ProjectPath, SourceId, Span};
use crate::syntax::Format;

impl Lowering<'_> {
    pub(super) fn follow(&mut self, target: &str, span: Span, ends: Ends, leaves: bool) -> Ends {
        let Some(file) = self.followed(target, span) else {
            return self.call(target, span, ends);
        };
        if self.is_own_step(file) {
            for (node, _) in &ends {
                self.wire.jump(*node, Want::File(file), Edge::Next, span);
            }
            return if leaves { Ends::new() } else { ends };
        }
        let own = self.workflow.files.contains(&file);
        if own && (file == self.workflow.home || self.workflow.has_steps_in(file)) {
            return ends;
        }
        self.called.push(Called {
            file,
            span,
            tagged: false,
        });
        self.call(target, span, ends)
    }

    fn followed(&mut self, target: &str, span: Span) -> Option<SourceId> {
        // What a text names was mostly looked up when the workflow was read.
        if let Some(file) = self.workflow.lead(self.library, target, span) {
            return Some(file);
        }
        if let Some(led) = self.led.get(&span).filter(|led| &*led.target == target) {
            self.unread.extend(led.unread.clone());
            return led.found;
        }
        let found = self.file(target, span);
        found.or_else(|| self.workflow.named_file(self.library, target))
    }

    fn is_own_step(&self, file: SourceId) -> bool {
        let mut steps = self.workflow.steps.iter();
        self.workflow.files.contains(&file)
            && !self.library.document(file).is_worker()
            && steps.any(|step| step.origin == Origin::File && step.span.source == file)
    }

    /// Says whether what is followed is a step of the workflow, which does not come back.
    pub(super) fn follows_own(&mut self, target: &str, span: Span) -> bool {
        if let Some(file) = self.workflow.lead(self.library, target, span) {
            return self.is_own_step(file);
        }
        let unread = self.unread.len();
        let found = self.followed(target, span);
        // Nothing is followed yet; mostly it is soon.
        let noted = self.unread.drain(unread..).next();
        self.led.entry(span).or_insert_with(|| Led {
            target: Box::from(target),
            found,
            unread: noted,
        });
        found.is_some_and(|file| self.is_own_step(file))
    }

    pub(super) fn skill(&mut self, name: &str, span: Span, ends: Ends) -> Ends {
        let found = self.library.skills.iter().find(|(skill, _)| skill == name);
        match found {
            Some((_, file)) => self.called.push(Called {
                file: *file,
                span,
                tagged: false,
            }),
            None => self.unread.extend(self.unread_skill(name)),
        }
        self.call(name, span, ends)
    }

    /// Finds the file of a skill that is there and was not read: beside this workflow, or where agent tools keep skills.
    fn unread_skill(&self, name: &str) -> Option<ProjectPath> {
        let file = format!("{name}/SKILL.md");
        let beside = self.home.folder().join(&file);
        let kept = TOOL_FOLDERS
            .iter()
            .filter_map(|tool| ProjectPath::new(&format!("{tool}/skills/{file}")));
        beside.into_iter().chain(kept).find(|path| self.library.exists(path))
    }

    fn call(&mut self, target: &str, span: Span, ends: Ends) -> Ends {
        let ends = ends
            .into_iter()
            .map(|(from, edge)| (from, if edge == Edge::Next { Edge::Call } else { edge }))
            .collect();
        let node = self.wire.add(NodeKind::Call, span, || short(target), ends);
        one(node, Edge::Return)
    }

    pub(super) fn invoke(&mut self, invoke: &Invoke, span: Span, ends: Ends) -> Ends {
        match invoke.what {
            Invoked::File => {
                if let Some(file) = self.file(&invoke.target.text, invoke.target.span) {
                    self.called.push(Called {
                        file,
                        span,
                        tagged: true,
                    });
                }
                self.call(&invoke.target.text, span, ends)
            }
            Invoked::Skill => self.skill(&invoke.target.text, span, ends),
            Invoked::Protocol | Invoked::Builtin | Invoked::Prose => self.call(&invoke.target.text, span, ends),
        }
    }

    /// Finds the file that a path leads to; a folder means the workflow declared in it. One that is there and was not read
    /// is noted.
    fn file(&mut self, text: &str, span: Span) -> Option<SourceId> {
        let scope = Scope::new(self.library, Some(self.workflow), span.source);
        let place = Place {
            file: self.library.source(span.source).path(),
            home: &self.home,
        };
        let Resolution::Found(path) = self.library.resolve(text, place, &scope) else {
            return None;
        };
        let declared = || {
            ["workflow.yaml", "workflow.md", "workflow.xml", "SKILL.md"]
                .iter()
                .filter_map(|name| path.join(name))
                .find_map(|path| self.library.at(&path))
        };
        let document = self.library.at(&path).or_else(declared);
        let file = document.map(|document| document.source.id());
        if file.is_none() && Format::of(path.name()).is_some() {
            self.unread.push(path);
        }
        file
    }
}
