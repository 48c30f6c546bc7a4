//! Loaded projects in, findings out; files and workflows in parallel, and projects too.

use super::load::{Loaded, load_to_check};
use super::settings::settings;
use super::share::{groups, largest_first};
use super::site::Site;
use crate::diagnostic::Diagnostic;
use crate::host::Workspace;
use crate::lint::{Settings, Subject, sort};
use crate::model::{Document, SETTINGS, Workflow};
use crate::source::{ProjectPath, Source, SourceId};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A project and its findings.
#[derive(Debug)]
pub struct Checked {
    /// The project.
    pub loaded: Loaded,
    /// Its findings, in the order they are read in.
    pub findings: Vec<Diagnostic>,
}

impl Checked {
    /// Returns how many files the findings are of: those that were asked about, and others in which something was found.
    pub fn asked(&self) -> usize {
        let found: BTreeSet<SourceId> = self.findings.iter().map(|finding| finding.span.source).collect();
        let is_of = |source: &Source| is_named(&self.loaded, source.path()) || found.contains(&source.id());
        let documents = self.loaded.library.documents();
        documents.filter(|document| is_of(&document.source)).count()
    }
}

/// Finds what is wrong in a loaded project.
pub fn check(loaded: &Loaded, settings: &Settings) -> Vec<Diagnostic> {
    let subject = Subject {
        library: &loaded.library,
        workflows: &loaded.workflows,
        program: &loaded.program,
        settings,
    };
    let (parts, of_project) = rayon::join(|| parts(loaded, &subject), || subject.lint_project());
    let count = parts.iter().map(Vec::len).sum::<usize>() + of_project.len();
    let mut findings: Vec<Diagnostic> = Vec::with_capacity(count);
    findings.extend(parts.into_iter().flatten().chain(of_project));
    findings.retain(|finding| is_asked(loaded, loaded.library.document(finding.span.source)));
    sort(&mut findings);
    findings
}

/// One thing that is checked by itself.
enum Part<'a> {
    Files(&'a [&'a Document]),
    Workflow(usize),
}

/// Says whether the person asked about a file, or relies on it for one they asked about: on the project's settings.
fn is_asked(loaded: &Loaded, document: &Document) -> bool {
    let path = document.source.path();
    is_named(loaded, path) || path.as_str() == SETTINGS
}

/// Says whether the person asked about a path.
pub(super) fn is_named(loaded: &Loaded, path: &ProjectPath) -> bool {
    loaded.only.is_empty() || loaded.only.iter().any(|asked| path.is_in(asked))
}

/// Checks the files that were asked for, about which nothing but themselves says anything, and the workflows that such a
/// file is part of.
fn parts(loaded: &Loaded, subject: &Subject<'_>) -> Vec<Vec<Diagnostic>> {
    let asked = |document: &&Document| is_asked(loaded, document);
    let files: Vec<&Document> = loaded.library.documents().filter(asked).collect();
    let is_wanted = |workflow: &Workflow| {
        let mut files = workflow.files.iter();
        files.any(|file| is_asked(loaded, loaded.library.document(*file)))
    };
    let flows = loaded.workflows.iter().enumerate();
    let flows = flows.filter(|(_, workflow)| is_wanted(workflow));
    let flows = flows.map(|(at, _)| Part::Workflow(at));
    let parts: Vec<Part<'_>> = groups(&files).map(Part::Files).chain(flows).collect();
    let size = |document: &Document| document.source.text().len();
    let of_part = |part: &Part<'_>| match part {
        Part::Files(files) => files.iter().copied().map(size).sum(),
        Part::Workflow(at) => {
            let files = loaded.workflows[*at].files.iter();
            files.map(|file| size(loaded.library.document(*file))).sum()
        }
    };
    largest_first(&parts, of_part, |part| match part {
        Part::Files(files) => subject.lint_files(files),
        Part::Workflow(at) => subject.lint_workflow(*at),
    })
}

/// What comes after a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// More work: the memory is given back.
    Work,
    /// The end of the process, which gives it back at once.
    Exit,
}

/// Loads and checks projects a few at a time, and hands each to `see` in order; nothing is kept.
///
/// # Errors
/// Answers the first error of `see`.
pub fn check_all<E>(
    host: &Arc<dyn Workspace>,
    sites: Vec<Site>,
    given: &Settings,
    next: Next,
    mut see: impl FnMut(&Checked) -> Result<(), E>,
) -> Result<(), E> {
    let width = rayon::current_num_threads().max(1);
    let mut sites = sites.into_iter().peekable();
    while sites.peek().is_some() {
        let few: Vec<Site> = sites.by_ref().take(width).collect();
        // Inside the pool its threads hand work to each other; from outside each part would wake one and wait for it.
        let done: Vec<Checked> = rayon::scope(|_| few.into_par_iter().map(|site| checked(host, site, given)).collect());
        for checked in done {
            see(&checked)?;
            if next == Next::Exit && sites.peek().is_none() {
                std::mem::forget(checked);
            } else if width > 1 {
                // Giving everything back takes a while, and nobody waits for it; a thread that is alone does it here.
                rayon::spawn(move || drop(checked));
            }
        }
    }
    Ok(())
}

fn checked(host: &Arc<dyn Workspace>, site: Site, given: &Settings) -> Checked {
    let loaded = load_to_check(host, site);
    let merged = settings(&loaded, given);
    let findings = check(&loaded, &merged);
    Checked { loaded, findings }
}

#[cfg(test)]
mod tests {
    use super::{check, is_asked};
    use crate::graph::{link, lower};
    use crate::lint::Settings;
    use crate::project::Loaded;
    use crate::project::workflows::read_workflows;
    use crate::project::workflows::tests::library;
    use crate::source::ProjectPath;

    const FILES: &[(&str, &str)] = &[
        (
            "a/workflow.xml",
            "<workflow><step n=\"1\"><goto step=\"7\"/><action>Read {nothing}/x.md</step></workflow>\n",
        ),
        (
            "b/SKILL.md",
            "---\nname: b\nx: [\n---\nRead `./missing.md` and `../a/none.md`.\n",
        ),
        ("b/deep/step-01-go.md", "# Go\n\nRead `./step-02-on.md`.\n"),
    ];

    fn loaded(only: &[&str]) -> Loaded {
        let library = library(FILES);
        let read = read_workflows(&library, lower).into_iter().map(|read| *read);
        let (workflows, lowered): (Vec<_>, Vec<_>) = read.unzip();
        let program = link(&library, &workflows, lowered);
        Loaded {
            unread: Vec::new(),
            root: "/project".into(),
            library,
            workflows,
            program,
            only: only.iter().filter_map(|path| ProjectPath::new(path)).collect(),
            bytes: 0,
            beyond: None,
        }
    }

    #[test]
    fn what_is_found_of_a_part_is_what_is_found_there_of_the_whole() {
        let settings = Settings::default();
        let whole = check(&loaded(&[]), &settings);
        for only in [&["a"][..], &["b"], &["b/deep"], &["a", "b/SKILL.md"], &["c"]] {
            let part = loaded(only);
            let mut there = whole.clone();
            there.retain(|finding| is_asked(&part, part.library.document(finding.span.source)));
            assert_eq!(check(&part, &settings), there, "{only:?}");
        }
        assert!(whole.len() > 2, "{whole:?}");
    }
}
