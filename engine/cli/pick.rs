//! A path in, the project around it and the workflows it means out.

use crate::cli::failure::Failure;
use crate::cli::session::{Session, tidy};
use crate::host::Workspace;
use crate::model::STANDARD;
use crate::project::{
    Loaded, STDLIB, Site, load, load_to_run, load_to_run_standard, site_around, sites, work_here_first,
};
use crate::source::ProjectPath;
use crate::syntax::FaultKind;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to do about a file with nothing in it.
const NEW: &str = "write a workflow in it; `bmad new NAME` makes one to start from";

/// A project, and what of it a path means.
#[derive(Debug)]
pub(super) struct Picked {
    /// The project.
    pub(super) loaded: Loaded,
    /// What was asked about: a file or a folder.
    pub(super) asked: ProjectPath,
    /// The workflows that the path means, by position: declared in it, or made of it.
    pub(super) workflows: Vec<usize>,
}

/// Reads what is around a path and finds the workflows it means; the first project of a folder that has some wins.
pub(super) fn pick(path: &Path, session: &Session<'_>) -> Result<Picked, Failure> {
    read(path, session, load)
}

/// The same for a path whose workflow is run: the standard library is part of the project.
pub(super) fn pick_to_run(path: &Path, session: &Session<'_>) -> Result<Picked, Failure> {
    // The others are gone when agents work: the end of each would wake one that has nothing to do.
    let _shared = session.last.then(work_here_first);
    match standard(path, session) {
        Some(picked) => Ok(picked),
        None => read(path, session, load_to_run),
    }
}

/// Finds a task of the standard library by the path it would have in a project that does not have it.
fn standard(path: &Path, session: &Session<'_>) -> Option<Picked> {
    let host = session.host();
    let full = tidy(&session.folder().join(path));
    let written = full.to_str()?.replace('\\', "/");
    let (_, inside) = written.rsplit_once("/core/")?;
    let asked = ProjectPath::new(&format!("{STANDARD}/core/{inside}"))?;
    let known = STDLIB.iter().any(|file| file.path == inside);
    if !known || host.exists(&full) {
        return None;
    }
    let above = full.ancestors().skip(1).find(|folder| host.exists(folder))?;
    let loaded = load_to_run_standard(&host, site_around(&*host, above));
    let workflows = meant(&loaded, &asked);
    Some(Picked {
        loaded,
        asked,
        workflows,
    })
}

type Load = fn(&Arc<dyn Workspace>, Site) -> Loaded;

fn read(path: &Path, session: &Session<'_>, load: Load) -> Result<Picked, Failure> {
    let paths = session.paths(&[path.to_path_buf()])?;
    let host = session.host();
    let mut first = None;
    for site in sites(&*host, &paths) {
        let asked = asked(&site.only, &site.root, &paths);
        let loaded = load(&host, site);
        let workflows = meant(&loaded, &asked);
        let picked = Picked {
            loaded,
            asked,
            workflows,
        };
        if !picked.workflows.is_empty() {
            return Ok(picked);
        }
        first = first.or(Some(picked));
    }
    first.ok_or_else(|| Failure::usage(format!("`{}` holds nothing that can be read", path.display())))
}

impl Picked {
    /// Returns the position of the one workflow to show; says which where the path means several.
    pub(super) fn workflow(&self, path: &Path, session: &mut Session<'_>) -> Result<usize, Failure> {
        let [first, others @ ..] = self.workflows.as_slice() else {
            return Err(self.nothing(path));
        };
        if !others.is_empty() {
            let home = self
                .loaded
                .workflows
                .get(*first)
                .map(|workflow| self.loaded.library.source(workflow.home).path());
            let home = home.map_or("", ProjectPath::as_str);
            let count = self.workflows.len();
            writeln!(
                session.errors,
                "note: `{}` means {count} workflows; this is `{home}`",
                path.display()
            )?;
        }
        Ok(*first)
    }

    /// Says why there is nothing in what was asked about: it cannot be read, or it is empty.
    pub(super) fn unread(&self, path: &Path) -> Option<Failure> {
        let shown = path.display();
        let document = self.loaded.library.at(&self.asked)?;
        let unread = |kind| {
            matches!(
                kind,
                FaultKind::NotUtf8
                    | FaultKind::NulByte
                    | FaultKind::FileTooLarge
                    | FaultKind::Unreadable
                    | FaultKind::ClosedFolder
            )
        };
        if document.parsed.faults.iter().any(|fault| unread(fault.kind)) {
            let failure = Failure::work(format!("`{shown}` cannot be read as text"));
            return Some(failure.with_hint(format!("`bmad lint {shown}` says why")));
        }
        let empty = || Failure::usage(format!("`{shown}` is empty")).with_hint(NEW);
        document.source.text().trim().is_empty().then(empty)
    }

    /// Says why a path means no workflow.
    fn nothing(&self, path: &Path) -> Failure {
        if let Some(failure) = self.unread(path) {
            return failure;
        }
        let shown = path.display();
        Failure::usage(format!("`{shown}` is part of no workflow"))
            .with_hint("give a workflow.yaml, a workflow.md, a SKILL.md, an XML file with `<workflow>` or `<task>`, or a folder with one")
            .with_hint(format!("`bmad explain {shown}` says what the engine makes of it"))
    }
}

/// Returns what was asked about as a path of the project.
fn asked(only: &[ProjectPath], root: &Path, paths: &[PathBuf]) -> ProjectPath {
    let inside = || {
        let rest = paths.first()?.strip_prefix(root).ok()?;
        ProjectPath::new(&rest.to_string_lossy())
    };
    only.first().cloned().or_else(inside).unwrap_or_else(ProjectPath::root)
}

/// Finds the workflows that a path means: the one a file declares, those it is part of, or those declared in a folder.
fn meant(loaded: &Loaded, asked: &ProjectPath) -> Vec<usize> {
    let every = || loaded.workflows.iter().enumerate();
    let home = |at: usize| {
        loaded
            .workflows
            .get(at)
            .map(|workflow| loaded.library.source(workflow.home).path())
    };
    let Some(file) = loaded.library.at(asked).map(|document| document.source.id()) else {
        let mut found: Vec<usize> = every()
            .map(|(at, _)| at)
            .filter(|at| home(*at).is_some_and(|home| home.is_in(asked) && !home.as_str().starts_with(STANDARD)))
            .collect();
        found.sort_by_key(|at| home(*at).map(|home| (home.parts().count(), home.clone())));
        return found;
    };
    match every().find(|(_, workflow)| workflow.home == file) {
        Some((at, _)) => vec![at],
        None => every()
            .filter(|(_, workflow)| workflow.files.contains(&file))
            .map(|(at, _)| at)
            .collect(),
    }
}
