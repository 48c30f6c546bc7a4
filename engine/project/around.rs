//! A folder in, the folder of the project around it out: told by marks on the disk, nothing is walked.

use crate::host::{EntryKind, Workspace};
use crate::model::SETTINGS;
use crate::model::TOOL_FOLDERS;
use crate::syntax::Format;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Names that a folder BMAD is installed in goes by.
pub(super) const INSTALL_NAMES: &[&str] = &["_bmad", ".bmad", "bmad"];

/// Those of them that nobody else uses: any module in it makes it an installation.
pub(super) const SURE_NAMES: &[&str] = &["_bmad", ".bmad"];

/// The files that declare a module.
pub(super) const MODULE_FILES: &[&str] = &["module.yaml", "config.yaml"];

/// How many folders above a folder are looked at for the project it is a part of.
const LEVELS: usize = 12;

/// Returns the folder to look at where a person names none: the one around theirs that holds an installation, skills or
/// modules, else their own. Nobody looks further up than the repository they are in.
pub fn project_around(host: &dyn Workspace, folder: &Path) -> PathBuf {
    for above in folder.ancestors().take(LEVELS + 1) {
        let is_repository = is_repository(host, above);
        // In a person's own folder tools keep skills that belong to no project.
        if holds_bmad(host, above) || has_named_install(host, above) || is_repository && has_skills(host, above) {
            return above.to_path_buf();
        }
        if is_repository {
            break;
        }
    }
    folder.to_path_buf()
}

/// Returns the nearest folder above the root of a project that has settings, for someone who is in the folder `here`.
/// Nobody looks further up than the repository that the root is in, or their own folder where that is above it.
pub fn settings_around(host: &dyn Workspace, root: &Path, here: &Path) -> Option<PathBuf> {
    let above = || root.ancestors().take(LEVELS + 1);
    let own = Some(here).filter(|here| root.starts_with(here));
    let repository = above().find(|folder| is_repository(host, folder));
    let top = match (own, repository) {
        (Some(own), Some(repository)) if repository.starts_with(own) => own,
        (own, repository) => repository.or(own)?,
    };
    let mut inside = above().skip(1).take_while(|folder| folder.starts_with(top));
    inside
        .find(|folder| host.exists(&folder.join(SETTINGS)))
        .map(Path::to_path_buf)
}

/// Returns the folder that the files around a project belong to together: its repository or the folder that was given,
/// whichever is further up.
pub(super) fn whole_around<'a>(host: &dyn Workspace, root: &'a Path, given: Option<&'a Path>) -> Option<&'a Path> {
    let mut above = root.ancestors().take(LEVELS + 1);
    let repository = above.find(|folder| is_repository(host, folder));
    match (given, repository) {
        (Some(given), Some(repository)) if repository.starts_with(given) => Some(given),
        (given, repository) => repository.or(given),
    }
}

/// Returns the folder of the project that a folder is in: where BMAD is installed, or the folder itself.
pub fn root_of(host: &dyn Workspace, folder: &Path) -> PathBuf {
    if has_install(host, folder) {
        return folder.to_path_buf();
    }
    enclosing(host, folder).unwrap_or_else(|| folder.to_path_buf())
}

/// Looks above a folder for the project it is a part of.
pub(super) fn enclosing(host: &dyn Workspace, folder: &Path) -> Option<PathBuf> {
    let is_module = host.exists(&folder.join("module.yaml"));
    let holds = is_module || is_project(host, folder);
    if holds && !is_install(host, folder) {
        return None;
    }
    folder
        .ancestors()
        .skip(1)
        .filter(|above| !above.as_os_str().is_empty())
        .take(LEVELS)
        .find(|above| holds_bmad(host, above))
        .or_else(|| kept_by_tool(host, folder))
        .map(Path::to_path_buf)
}

/// Returns where a skill belongs that an agent tool keeps: in the repository around the folder of the tool, else in the
/// folder that it stands in together with others, for in a person's own folder they are of no project.
fn kept_by_tool<'a>(host: &dyn Workspace, folder: &'a Path) -> Option<&'a Path> {
    let is_skills = |above: &&Path| {
        let tool = above.parent().and_then(Path::file_name);
        above.ends_with("skills") && TOOL_FOLDERS.iter().any(|name| tool == Some(OsStr::new(name)))
    };
    let skills = folder.ancestors().skip(1).take(LEVELS).find(is_skills)?;
    let project = skills.parent().and_then(Path::parent);
    let repository = project.filter(|project| !project.as_os_str().is_empty() && is_repository(host, project));
    Some(repository.unwrap_or(skills))
}

/// Says whether a folder holds an installation, or is a package of modules.
fn holds_bmad(host: &dyn Workspace, folder: &Path) -> bool {
    has_install(host, folder) || host.exists(&folder.join("package.json")) && has_modules(host, folder)
}

/// Says whether BMAD is installed right in a folder under a name of the person's own.
fn has_named_install(host: &dyn Workspace, folder: &Path) -> bool {
    let entries = host.list(folder).into_iter();
    let mut folders = entries.filter(|entry| entry.kind == EntryKind::Folder);
    folders.any(|entry| {
        let place = folder.join(&entry.name);
        ["_config", "_cfg"].iter().any(|mark| host.exists(&place.join(mark)))
    })
}

/// Says whether an agent tool keeps skills right in a folder.
fn has_skills(host: &dyn Workspace, folder: &Path) -> bool {
    let mut tools = TOOL_FOLDERS.iter();
    tools.any(|tool| host.exists(&folder.join(tool).join("skills")))
}

/// Says whether a project begins in a folder.
pub(super) fn is_project(host: &dyn Workspace, folder: &Path) -> bool {
    has_install(host, folder) || is_repository(host, folder) || host.exists(&folder.join("package.json"))
}

/// Says whether a repository of git begins in a folder. An empty folder of that name is none, for git itself too:
/// sandboxes leave one behind. In a further work tree it is a file that says where the repository is.
pub fn is_repository(host: &dyn Workspace, folder: &Path) -> bool {
    let git = folder.join(".git");
    host.exists(&git) && (host.exists(&git.join("HEAD")) || host.read(&git).is_ok())
}

/// Says whether BMAD is installed right in a folder, under one of the usual names.
pub(super) fn has_install(host: &dyn Workspace, folder: &Path) -> bool {
    INSTALL_NAMES.iter().any(|name| is_install(host, &folder.join(name)))
}

/// Says whether BMAD is installed in a folder.
pub(super) fn is_install(host: &dyn Workspace, folder: &Path) -> bool {
    let marks = ["_config", "_cfg", "core", "bmm"];
    let may_be = |name: &OsStr| name != "src" && name != "modules";
    folder.file_name().is_some_and(may_be)
        && host.exists(folder)
        && (marks.iter().any(|name| host.exists(&folder.join(name))) || is_sure(host, folder))
}

/// Says whether a folder has a name that only installations have, and a module.
fn is_sure(host: &dyn Workspace, folder: &Path) -> bool {
    let is_named = |name: &OsStr| SURE_NAMES.iter().any(|sure| name == *sure);
    folder.file_name().is_some_and(is_named) && !modules_in(host, folder).is_empty()
}

/// Says whether a workflow is declared right in a folder: under one of the usual names, or as `workflow-of-something.md`.
pub(super) fn declares(host: &dyn Workspace, folder: &Path) -> bool {
    let names = ["workflow.yaml", "SKILL.md", "workflow.md", "workflow.xml"];
    let is_named = |name: &str| name.starts_with("workflow-") && Format::of(name).is_some();
    names.iter().any(|name| host.exists(&folder.join(name)))
        || host.list(folder).iter().any(|entry| is_named(&entry.name))
}

/// Finds the folders of modules right in a folder.
pub(super) fn modules_in(host: &dyn Workspace, folder: &Path) -> Vec<PathBuf> {
    let declares = |module: &PathBuf| MODULE_FILES.iter().any(|name| host.exists(&module.join(name)));
    let entries = host.list(folder).into_iter();
    let folders = entries.filter(|entry| entry.kind == EntryKind::Folder);
    folders.map(|entry| folder.join(entry.name)).filter(declares).collect()
}

fn has_modules(host: &dyn Workspace, folder: &Path) -> bool {
    host.list(&folder.join("src"))
        .iter()
        .any(|entry| host.exists(&folder.join("src").join(&entry.name).join("module.yaml")))
}
