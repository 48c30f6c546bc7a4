//! Where projects begin: from the paths a person gives to the roots that `{project-root}` means.

use super::areas::{areas, declared_outside, keep_inside};
use super::around::{INSTALL_NAMES, MODULE_FILES, SURE_NAMES};
use super::around::{declares, enclosing, has_install, is_install, is_project, modules_in, root_of};
use super::links::{followed, is_folder};
use super::module::SKILLS;
use super::site::{Known, Site, below_root};
use super::walk::{Walked, under_one_name, walk};
use crate::host::Workspace;
use crate::model::{CORE, SETTINGS, TOOL_FOLDERS};
use crate::source::{ProjectPath, QuickSet};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Finds the projects below the given paths; what two of them name is looked at once.
pub fn sites(host: &dyn Workspace, paths: &[PathBuf]) -> Vec<Site> {
    let paths = followed(host, paths);
    let mut found: Vec<(&PathBuf, Vec<Site>)> = Vec::new();
    for path in &paths {
        let sites = match is_folder(host, path) {
            true => below(host, path),
            false => vec![around(host, path)],
        };
        if !found.iter().any(|(_, known)| has(known, path)) {
            found.retain(|(known, _)| !has(&sites, known));
            found.push((path, sites));
        }
    }
    let mut sites: Vec<Site> = Vec::new();
    for site in found.into_iter().flat_map(|(_, sites)| sites) {
        // Single files of one project are looked at together.
        let is_same = |known: &&mut Site| known.root == site.root && known.existing.is_none();
        match sites.iter_mut().find(is_same).filter(|_| site.existing.is_none()) {
            Some(known) => {
                known.only.extend(site.only);
                known.files.extend(site.files);
                known.files.sort();
                known.files.dedup();
            }
            None => sites.push(site),
        }
    }
    let places: Vec<PathBuf> = paths.iter().filter_map(|path| Some(host.resolve(path)?.path)).collect();
    for site in sites.iter_mut().filter(|site| !site.outward.is_empty()) {
        let is_looked_at = |place: &Path| places.iter().any(|looked_at| place.starts_with(looked_at));
        let target = |link: &ProjectPath| host.resolve(&site.root.join(link.as_str()));
        site.outward
            .retain(|link| target(link).is_none_or(|target| !is_looked_at(&target.path)));
    }
    sites
}

/// Says whether a file, or something below a folder, is looked at in one of some projects.
fn has(sites: &[Site], path: &Path) -> bool {
    sites.iter().any(|site| {
        let Some(path) = below_root(&site.root, path) else {
            return false;
        };
        let is_in = |file: &ProjectPath, folder: &ProjectPath| file == folder || file.is_in(folder);
        let is_asked = site.only.is_empty() || site.only.iter().any(|only| is_in(&path, only));
        is_asked && site.files.iter().any(|file| is_in(file, &path))
    })
}

/// Finds the projects in a folder; where the folder is a part of one, the project around it.
fn below(host: &dyn Workspace, folder: &Path) -> Vec<Site> {
    if let Some(root) = enclosing(host, folder) {
        let only = below_root(&root, folder).into_iter().collect();
        let mut site = one(host, root.clone(), walk(host, &root));
        site.only = only;
        site.outward
            .retain(|link| site.only.iter().all(|only| link.is_in(only)));
        return vec![site];
    }
    split(host, folder, walk(host, folder))
}

/// Returns what of a project says how anything in it is run: where BMAD is installed, and its settings. Its own
/// documents and workflows are left alone.
pub fn site_around(host: &dyn Workspace, folder: &Path) -> Site {
    let root = root_of(host, folder);
    if has_install(host, &root) {
        let walked = walk(host, &root);
        return one(host, root, walked);
    }
    Site {
        files: settings(host, &root).into_iter().collect(),
        root,
        existing: None,
        roots: Vec::new(),
        only: Vec::new(),
        around: None,
        given: None,
        links: Vec::new(),
        outward: Vec::new(),
        closed: Vec::new(),
    }
}

/// Returns the settings in a folder as a project of their own.
pub fn settings_site(host: &dyn Workspace, folder: &Path) -> Site {
    let files: Vec<ProjectPath> = settings(host, folder).into_iter().collect();
    Site {
        root: folder.to_path_buf(),
        only: files.clone(),
        files,
        existing: None,
        roots: Vec::new(),
        around: None,
        given: None,
        links: Vec::new(),
        outward: Vec::new(),
        closed: Vec::new(),
    }
}

/// Returns the file of a project's own settings, where there is one.
fn settings(host: &dyn Workspace, root: &Path) -> Option<ProjectPath> {
    ProjectPath::new(SETTINGS).filter(|path| host.exists(&root.join(path.as_str())))
}

/// Splits what was walked at the folders that projects begin in.
fn split(host: &dyn Workspace, root: &Path, walked: Walked) -> Vec<Site> {
    let starts = starts(&walked);
    let site = |start: &ProjectPath, part: Walked| Site {
        given: Some(root.to_path_buf()),
        ..one(host, root.join(start.as_str()), part)
    };
    let says_something = |site: &Site| !(site.files.is_empty() && site.outward.is_empty() && site.closed.is_empty());
    // Nearly always all of it is one project.
    if starts.iter().all(|start| start.as_str().is_empty()) {
        let whole = site(&ProjectPath::root(), walked);
        return Some(whole).filter(says_something).into_iter().collect();
    }
    let mut parts: BTreeMap<ProjectPath, Walked> = BTreeMap::new();
    let owner = |path: &ProjectPath| -> ProjectPath {
        let mut folder = path.folder();
        loop {
            if starts.contains(&folder) || folder.as_str().is_empty() {
                return folder;
            }
            folder = folder.folder();
        }
    };
    for path in walked.files {
        parts.entry(owner(&path)).or_default().files.push(path);
    }
    for path in walked.folders {
        if let Some(part) = parts.get_mut(&owner(&path)) {
            part.folders.push(path);
        }
    }
    let nested = starts.iter().filter(|start| !start.as_str().is_empty()).cloned();
    for path in walked.beyond.into_iter().chain(nested) {
        if let Some(part) = parts.get_mut(&owner(&path)) {
            part.beyond.push(path);
        }
    }
    for (link, place) in walked.links {
        let (from, to) = (owner(&link), owner(&place));
        if let Some(part) = parts.get_mut(&from).filter(|_| from == to) {
            part.links.push((link, place));
        }
    }
    for link in walked.outward {
        parts.entry(owner(&link)).or_default().outward.push(link);
    }
    for (folder, reason) in walked.closed {
        parts.entry(owner(&folder)).or_default().closed.push((folder, reason));
    }
    parts
        .into_iter()
        .map(|(start, part)| site(&start, relative(&start, part)))
        .filter(says_something)
        .collect()
}

/// Finds the folders in which projects begin.
fn starts(walked: &Walked) -> QuickSet<ProjectPath> {
    let mut starts = QuickSet::default();
    for path in &walked.files {
        if matches!(path.name(), "package.json" | ".git") {
            starts.insert(path.folder());
        }
    }
    for install in installs(walked) {
        starts.insert(install.folder());
    }
    for folder in &walked.folders {
        let held = TOOL_FOLDERS.contains(&folder.name());
        if held
            && walked
                .folders
                .binary_search_by(|known| known.as_str().cmp(&format!("{folder}/skills")))
                .is_ok()
        {
            starts.insert(folder.folder());
        }
    }
    starts
}

/// Finds the folders that BMAD is installed in: by their marks, whatever their name.
fn installs(walked: &Walked) -> Vec<ProjectPath> {
    let mut found: Vec<ProjectPath> = Vec::new();
    for folder in &walked.folders {
        match folder.name() {
            "_config" | "_cfg" => found.push(folder.folder()),
            "core" => found.extend(Some(folder.folder()).filter(|above| INSTALL_NAMES.contains(&above.name()))),
            _ => {}
        }
    }
    let modules = walked.files.iter().filter(|file| MODULE_FILES.contains(&file.name()));
    let above = modules.map(|file| file.folder().folder());
    found.extend(above.filter(|above| SURE_NAMES.contains(&above.name())));
    found.sort();
    found.dedup();
    found.retain(|path| !path.as_str().is_empty());
    found
}

fn relative(start: &ProjectPath, part: Walked) -> Walked {
    let cut = |path: &ProjectPath| -> Option<ProjectPath> {
        let rest = path.as_str().strip_prefix(start.as_str())?;
        ProjectPath::new(rest.trim_start_matches('/'))
    };
    let cut_both = |(link, place): &(ProjectPath, ProjectPath)| cut(link).zip(cut(place));
    Walked {
        files: part.files.iter().filter_map(cut).collect(),
        folders: part.folders.iter().filter_map(cut).collect(),
        beyond: part.beyond.iter().filter_map(cut).collect(),
        links: part.links.iter().filter_map(cut_both).collect(),
        outward: part.outward.iter().filter_map(cut).collect(),
        closed: part
            .closed
            .iter()
            .filter_map(|(folder, reason)| Some((cut(folder)?, reason.clone())))
            .collect(),
    }
}

fn one(host: &dyn Workspace, root: PathBuf, walked: Walked) -> Site {
    let roots = installs(&walked);
    let areas = areas(&walked, &roots);
    let listed = walked.files.iter().chain(&walked.folders).cloned().collect();
    let mut files = walked.files;
    if !areas.is_empty() {
        let declared = declared_outside(host, &root, &files, &areas);
        keep_inside(&mut files, &areas);
        files.extend(declared);
        files.sort();
    }
    let mut links = walked.links;
    under_one_name(&mut files, &mut links);
    Site {
        root,
        files,
        existing: Some(Known {
            listed,
            beyond: walked.beyond,
        }),
        roots,
        only: Vec::new(),
        around: None,
        given: None,
        links,
        outward: walked.outward,
        closed: walked.closed,
    }
}

/// Finds what one file needs around it: the folder of its workflow and the modules beside its own.
fn around(host: &dyn Workspace, file: &Path) -> Site {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    // Agents are told by the name of their folder, so the root is above it.
    let above = folder.parent().filter(|_| folder.ends_with("agents")).unwrap_or(folder);
    let root = enclosing(host, folder).unwrap_or_else(|| home(host, above));
    let home = home(host, folder);
    let mut files = own_files(host, &root, &home);
    let mut add = |from: &Path, deep: bool| files.extend(files_in(host, &root, from, deep));
    add(&home.join("agents"), false);
    let (mut cores, mut lists) = (Vec::new(), Vec::new());
    for near in modules_near(host, &root, folder) {
        add(&near, false);
        add(&near.join("agents"), false);
        cores.push(near.join(CORE));
    }
    let is_installed = |name: &&&str| is_install(host, &root.join(name));
    let installed: Vec<&str> = INSTALL_NAMES.iter().filter(is_installed).copied().collect();
    for place in installed.iter().map(|name| root.join(name)) {
        // What is written beside an installation is run with its settings.
        add(&place, false);
        add(&place.join("custom"), false);
        lists.extend(["_config", "_cfg"].map(|folder| place.join(folder).join(SKILLS)));
        for module in modules_in(host, &place) {
            add(&module, false);
            add(&module.join("agents"), false);
            cores.push(module.join(CORE));
        }
    }
    add(folder, false);
    let single = cores.iter().chain(&lists).filter(|file| host.exists(file));
    files.extend(single.filter_map(|file| below_root(&root, file)));
    files.extend(settings(host, &root));
    files.sort();
    files.dedup();
    Site {
        roots: installed.into_iter().filter_map(ProjectPath::new).collect(),
        only: below_root(&root, file).into_iter().collect(),
        root,
        files,
        existing: None,
        around: None,
        given: None,
        links: Vec::new(),
        outward: Vec::new(),
        closed: Vec::new(),
    }
}

/// Returns what is read to run a file that another one calls: the file, and the rest of the workflow it is part of.
pub(super) fn called(host: &dyn Workspace, root: &Path, path: &ProjectPath) -> Vec<ProjectPath> {
    let folder = root.join(path.folder().as_str());
    let home = home(host, &folder);
    let mut files = vec![path.clone()];
    if home.starts_with(root) && declares(host, &home) {
        files.extend(own_files(host, root, &home));
    }
    files
}

/// Returns the files of the workflow in a folder.
fn own_files(host: &dyn Workspace, root: &Path, home: &Path) -> Vec<ProjectPath> {
    let deep = home != root || declares(host, home) && !is_project(host, home);
    let mut files = files_in(host, root, home, deep);
    for entry in host.list(home) {
        if entry.kind == crate::host::EntryKind::Folder && entry.name.starts_with("steps") {
            files.extend(files_in(host, root, &home.join(&entry.name), true));
        }
    }
    files
}

/// Returns the files in a folder, or all below it.
fn files_in(host: &dyn Workspace, root: &Path, folder: &Path, deep: bool) -> Vec<ProjectPath> {
    let walked = if deep {
        walk(host, folder)
    } else {
        shallow(host, folder)
    };
    let inside = |path: &ProjectPath| below_root(root, &folder.join(path.as_str()));
    walked.files.iter().filter_map(inside).collect()
}

fn shallow(host: &dyn Workspace, folder: &Path) -> Walked {
    let mut walked = Walked::default();
    for entry in host.list(folder) {
        if entry.kind == crate::host::EntryKind::File
            && let Some(path) = ProjectPath::new(&entry.name)
        {
            walked.files.push(path);
        }
    }
    walked
}

/// Finds the folder of the workflow that a folder is part of.
fn home(host: &dyn Workspace, folder: &Path) -> PathBuf {
    folder
        .ancestors()
        .filter(|above| !above.as_os_str().is_empty())
        .take(4)
        .find(|above| declares(host, above))
        .unwrap_or(folder)
        .to_path_buf()
}

/// Finds the folders of modules: those above a folder, and those beside them.
fn modules_near(host: &dyn Workspace, root: &Path, folder: &Path) -> Vec<PathBuf> {
    let inside = folder.ancestors().take_while(|above| above.starts_with(root));
    inside.flat_map(|above| modules_in(host, above)).collect()
}
