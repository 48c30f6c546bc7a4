//! Where a path that an author wrote leads: a file of the library, a place in the project.

use super::known::scope;
use super::walk::Walk;
use crate::model::{Place, Resolution, STANDARD};
use crate::source::{ProjectPath, SourceId, Span};

impl Walk<'_, '_> {
    /// Finds the file that a path leads to; a folder means the workflow declared in it.
    pub(super) fn file(&self, text: &str, span: Span) -> Option<SourceId> {
        let frame = self.frame();
        let scope = scope(self.image, frame, span.source);
        let home = self
            .image
            .library
            .source(self.image.workflows[frame.workflow].home)
            .path()
            .folder();
        let place = Place {
            file: self.image.library.source(span.source).path(),
            home: &home,
        };
        let found = |text: &str| match self.image.library.resolve(text, place, &scope) {
            Resolution::Found(path) => ["", "workflow.yaml", "workflow.md", "workflow.xml", "SKILL.md"]
                .iter()
                .filter_map(|name| path.join(name))
                .find_map(|path| self.image.library.at(&path))
                .map(|document| document.source.id()),
            Resolution::Missing(_)
            | Resolution::Dynamic
            | Resolution::Outside
            | Resolution::UnknownModule(_)
            | Resolution::Escapes => None,
        };
        found(text)
            .or_else(|| found(&self.text(text)))
            .or_else(|| self.standard(text))
    }

    /// Finds a task of the standard library that the project's own core module does not have.
    pub(super) fn standard(&self, text: &str) -> Option<SourceId> {
        let (_, inside) = text.rsplit_once("/core/")?;
        let path = ProjectPath::new(&format!("{STANDARD}/core/{inside}"))?;
        self.image.library.at(&path).map(|document| document.source.id())
    }

    /// Returns where a path leads, where that is known before the run.
    pub(super) fn resolved(&self, text: &str) -> Option<ProjectPath> {
        let frame = self.frame();
        let file = self.known().file();
        let scope = scope(self.image, frame, file);
        let home = self
            .image
            .library
            .source(self.image.workflows[frame.workflow].home)
            .path()
            .folder();
        let place = Place {
            file: self.image.library.source(file).path(),
            home: &home,
        };
        match self.image.library.resolve(text, place, &scope) {
            Resolution::Found(path) => Some(path),
            Resolution::Missing(_)
            | Resolution::Dynamic
            | Resolution::Outside
            | Resolution::UnknownModule(_)
            | Resolution::Escapes => None,
        }
    }
}
