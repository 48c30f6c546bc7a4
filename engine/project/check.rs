//! Loaded projects in, findings out; files and workflows in parallel, and projects too.

use super::find::Site;
use super::load::{FEW, Loaded, load_to_check};
use super::settings::settings;
use crate::diagnostic::Diagnostic;
use crate::host::Workspace;
use crate::lint::{Settings, Subject, sort};
use crate::source::ProjectPath;
use rayon::prelude::*;
use std::sync::Arc;

/// A project and its findings.
#[derive(Debug)]
pub struct Checked {
    /// The project.
    pub loaded: Loaded,
    /// Its findings, in the order they are read in.
    pub findings: Vec<Diagnostic>,
}

/// Finds what is wrong in a loaded project.
pub fn check(loaded: &Loaded, settings: &Settings) -> Vec<Diagnostic> {
    let subject = Subject {
        library: &loaded.library,
        workflows: &loaded.workflows,
        program: &loaded.program,
        settings,
    };
    let files = loaded
        .library
        .documents
        .par_iter()
        .with_max_len(FEW)
        .flat_map_iter(|document| subject.lint_file(document));
    let flows = (0..loaded.workflows.len())
        .into_par_iter()
        .with_max_len(FEW)
        .flat_map_iter(|at| subject.lint_workflow(at));
    let (mut findings, of_project): (Vec<Diagnostic>, _) =
        rayon::join(|| files.chain(flows).collect(), || subject.lint_project());
    findings.extend(of_project);
    if !loaded.only.is_empty() {
        findings.retain(|finding| {
            let path = loaded.library.source(finding.span.source).path();
            loaded.only.iter().any(|asked: &ProjectPath| path.is_in(asked))
        });
    }
    sort(&mut findings);
    findings
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
            } else {
                // Giving everything back takes a while, and nobody waits for it.
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
