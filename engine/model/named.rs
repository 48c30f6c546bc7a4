//! A name without a folder in, the file of a workflow that is called so out.

use super::library::Library;
use super::workflow::{Origin, Workflow};
use crate::source::{QuickMap, SourceId};

impl Workflow {
    /// Finds its step file of that name, or else the file below its folder, where a text gives no folder and only one is
    /// called so.
    pub fn named_file(&self, library: &Library, name: &str) -> Option<SourceId> {
        let name = name.strip_prefix("./").unwrap_or(name);
        if name.contains(['/', '{']) {
            return None;
        }
        let is_called = |file: &SourceId| library.source(*file).path().name() == name;
        let steps = self.steps.iter().filter(|step| step.origin == Origin::File);
        let steps: Vec<SourceId> = steps.map(|step| step.span.source).filter(is_called).collect();
        if !steps.is_empty() {
            return only(steps.into_iter());
        }
        let home = library.source(self.home).path().folder();
        let all = called(library).get(name).into_iter().flatten().copied();
        only(all.filter(|file| library.source(*file).path().is_in(&home)))
    }
}

/// Returns the files by their names; found out once.
fn called(library: &Library) -> &QuickMap<String, Vec<SourceId>> {
    library.called.get_or_init(|| {
        let mut called: QuickMap<String, Vec<SourceId>> = QuickMap::default();
        for source in library.documents().map(|document| &document.source) {
            called
                .entry(source.path().name().to_owned())
                .or_default()
                .push(source.id());
        }
        called
    })
}

/// Returns a file where nothing else is among some.
fn only(mut files: impl Iterator<Item = SourceId>) -> Option<SourceId> {
    let first = files.next()?;
    files.all(|other| other == first).then_some(first)
}
