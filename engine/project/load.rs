//! A site in, everything that was read of it out. Reads and parses in parallel.

use super::areas::is_below;
use super::around::whole_around;
use super::find;
use super::settings::settings_in;
use super::share::{groups, side_by_side};
use super::site::{Known, Site};
use super::stdlib::{Embedded, all, may_use, settings, standard};
use super::workflows::{Lower, read_workflows};
use crate::graph::{Lowered, Program, link, lower, lower_unnamed};
use crate::host::{ReadError, Workspace};
use crate::model::{Around, Document, Documents, Existing, Library, Workflow};
use crate::source::{MAX_BYTES, MAX_LINES, ProjectPath, QuickSet, Source, SourceId};
use crate::syntax::{Fault, FaultKind, Format, Parsed, parse};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A project that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The folder that `{project-root}` means.
    pub root: PathBuf,
    /// Its files.
    pub library: Library,
    /// Its workflows.
    pub workflows: Vec<Workflow>,
    /// Their graphs, linked.
    pub program: Program,
    /// What the person asked about; empty means everything.
    pub only: Vec<ProjectPath>,
    /// Files that are called and that are there, but were not read.
    pub unread: Vec<ProjectPath>,
    /// How many bytes were read.
    pub bytes: u64,
    /// The settings of a folder around this one that count here too.
    pub beyond: Option<Box<Document>>,
}

/// How many calls deep files are looked for that were not read: one more than may be made.
const DEEPEST: usize = 4;

/// Reads a project to run it: every file that is called is part of it, and so is the embedded standard library, where
/// something in it may come to be used.
pub fn load_to_run(host: &Arc<dyn Workspace>, site: Site) -> Loaded {
    let embedded = |documents: &[Box<Document>]| {
        let texts = documents.iter().map(|document| document.source.text());
        if may_use(texts) { all() } else { settings() }
    };
    called(host, site, embedded, lower)
}

/// Reads a project to run a task of the embedded standard library.
pub fn load_to_run_standard(host: &Arc<dyn Workspace>, site: Site) -> Loaded {
    called(host, site, |_| all(), lower)
}

/// Reads a project, and files that are called in it and were not read, until there are none.
fn called(
    host: &Arc<dyn Workspace>,
    mut site: Site,
    embedded: impl Fn(&[Box<Document>]) -> Vec<Embedded>,
    lower: Lower,
) -> Loaded {
    // Where a whole folder is read, a file that is not is none of the project.
    let rounds = if site.existing.is_some() { 0 } else { DEEPEST };
    for _ in 0..rounds {
        let loaded = read(host, site.clone(), &embedded, lower);
        let known = site.files.len();
        let is_there = |path: &&ProjectPath| host.exists(&site.root.join(path.as_str()));
        let called: Vec<ProjectPath> = loaded.unread.iter().filter(is_there).cloned().collect();
        site.files.extend(
            called
                .iter()
                .flat_map(|path| find::called(host.as_ref(), &site.root, path)),
        );
        site.files.sort();
        site.files.dedup();
        if site.files.len() == known {
            return loaded;
        }
    }
    read(host, site, &embedded, lower)
}

/// Reads a project, and with a single file those that it calls.
pub fn load(host: &Arc<dyn Workspace>, site: Site) -> Loaded {
    called(host, site, |_| Vec::new(), lower)
}

/// Reads a project to check it, and with a single file those that it calls: nobody draws its graphs.
pub(super) fn load_to_check(host: &Arc<dyn Workspace>, site: Site) -> Loaded {
    called(host, site, |_| Vec::new(), lower_unnamed)
}

/// Reads a project with the embedded settings, of which nothing is drawn.
pub(super) fn read_settings(host: &Arc<dyn Workspace>, site: Site) -> Loaded {
    read(host, site, |_| settings(), lower_unnamed)
}

fn read(
    host: &Arc<dyn Workspace>,
    mut site: Site,
    embedded: impl Fn(&[Box<Document>]) -> Vec<Embedded>,
    lower: Lower,
) -> Loaded {
    let known = site.existing.take();
    let wanted = wanted(&site);
    let read_one = |(id, path, how): &(SourceId, &ProjectPath, How<'_>)| match how {
        How::Read(format) => document(*id, path, *format, host.read(&site.root.join(path.as_str()))),
        How::Closed(reason) => closed(*id, path, reason),
    };
    let (mut documents, existing): (Documents, Existing) = rayon::join(
        || prepared(&wanted, read_one),
        || exists(known, Arc::clone(host), site.root.clone()),
    );
    let first = documents.len();
    let embedded: Vec<(usize, Embedded)> = embedded(&documents).into_iter().enumerate().collect();
    documents.extend(prepared(&embedded, |(at, (path, text))| {
        let format = format(path, &[]).unwrap_or(Format::Markdown);
        let id = SourceId((first + at) as u32);
        document(id, path, format, Ok(text.as_bytes().to_vec()))
    }));
    let bytes = documents
        .iter()
        .map(|document| document.source.text().len() as u64)
        .sum();
    let mut library = Library::new(documents, site.roots, existing);
    library.link(&site.links);
    library.standard = standard(&library);
    library.around = Some(exists_around(Arc::clone(host), site.root.clone(), site.given));
    let read = read_workflows(&library, lower).into_iter().map(|read| *read);
    let (workflows, lowered): (Vec<Workflow>, Vec<Lowered>) = read.unzip();
    let unread = lowered.iter().flat_map(|lowered| &lowered.unread).cloned().collect();
    let program = link(&library, &workflows, lowered);
    Loaded {
        unread,
        root: site.root,
        library,
        workflows,
        program,
        only: site.only,
        bytes,
        beyond: site.around.and_then(|folder| settings_in(host.as_ref(), &folder)),
    }
}

/// What becomes of a path.
enum How<'a> {
    /// A file is read as one of a format.
    Read(Format),
    /// A folder cannot be opened, for a reason.
    Closed(&'a str),
}

/// Returns what is read of a site, in order, and the folders in it that cannot be.
fn wanted(site: &Site) -> Vec<(SourceId, &ProjectPath, How<'_>)> {
    let files = site.files.iter();
    let files = files.filter_map(|path| Some((path, How::Read(format(path, &site.only)?))));
    let closed = site.closed.iter();
    let closed = closed.map(|(path, reason)| (path, How::Closed(reason)));
    let mut wanted: Vec<(&ProjectPath, How<'_>)> = files.chain(closed).collect();
    if !site.closed.is_empty() {
        wanted.sort_by_key(|(path, _)| *path);
    }
    let numbered = wanted.into_iter().enumerate();
    numbered
        .map(|(at, (path, how))| (SourceId(at as u32), path, how))
        .collect()
}

/// Reads files side by side, a few at a time, and prepares them.
fn prepared<T: Sync>(files: &[T], read_one: impl Fn(&T) -> Box<Document> + Sync) -> Documents {
    let groups: Vec<&[T]> = groups(files).collect();
    let read = side_by_side(&groups, |group| {
        let documents: Documents = group.iter().map(&read_one).collect();
        Document::prepare(&documents);
        documents
    });
    read.into_iter().flatten().collect()
}

/// Returns how to read a file; one that was asked for by name is read whatever it is called.
fn format(path: &ProjectPath, only: &[ProjectPath]) -> Option<Format> {
    Format::of(path.name()).or_else(|| only.contains(path).then_some(Format::Markdown))
}

/// How many folders are compared one by one with where a path leads.
const FEW: usize = 8;

/// Answers what exists: by what was found, and by the disk for what nobody looked into.
fn exists(known: Option<Known>, host: Arc<dyn Workspace>, root: PathBuf) -> Existing {
    match known {
        Some(known) => {
            let listed: QuickSet<ProjectPath> = known.listed.into_iter().collect();
            let few = (known.beyond.len() <= FEW).then(|| known.beyond.clone());
            let beyond: QuickSet<ProjectPath> = known.beyond.into_iter().collect();
            let is_beyond = move |path: &str| match &few {
                Some(folders) => folders.iter().any(|folder| folder.holds(path)),
                None => is_below(path, &beyond),
            };
            Box::new(move |path| listed.contains(path) || is_beyond(path) && may_be_inside(&*host, &root, path))
        }
        None => Box::new(move |path| {
            let path = root.join(path);
            host.exists(&path) || host.closed(&path).is_some()
        }),
    }
}

/// Answers what exists around a project, in the repository or the folder that it is a part of; asked for a path that
/// leads out of it, which is rare.
fn exists_around(host: Arc<dyn Workspace>, root: PathBuf, given: Option<PathBuf>) -> Around {
    Box::new(move |file, text| {
        let Some(whole) = whole_around(&*host, &root, given.as_deref()) else {
            return false;
        };
        let start = root.strip_prefix(whole).ok().and_then(Path::to_str);
        let file = start.and_then(|start| ProjectPath::new(start)?.join(file.as_str()));
        file.and_then(|file| file.beside(text))
            .is_some_and(|path| is_inside(&*host, whole, path.as_str()))
    })
}

/// Says whether something is there that no link leads out of the project to.
fn is_inside(host: &dyn Workspace, root: &Path, path: &str) -> bool {
    let target = host.resolve(&root.join(path));
    let real = host.resolve(root);
    target
        .zip(real)
        .is_some_and(|(target, real)| target.path.starts_with(real.path))
}

/// Says whether something is there that no link leads out of the project to, or may be: nobody knows what is in a folder
/// that cannot be opened.
fn may_be_inside(host: &dyn Workspace, root: &Path, path: &str) -> bool {
    is_inside(host, root, path) || host.closed(&root.join(path)).is_some()
}

/// Returns how many lines there are, where they are too many to be read. A text has no more line breaks than bytes, and
/// few have as many bytes.
fn too_many_lines(bytes: &[u8]) -> Option<usize> {
    if bytes.len() < MAX_LINES {
        return None;
    }
    let lines = memchr::memchr_iter(b'\n', bytes).count() + 1;
    (lines > MAX_LINES).then_some(lines)
}

/// Reads one file; what cannot be read becomes a document with a fault in it.
fn document(id: SourceId, path: &ProjectPath, format: Format, bytes: Result<Vec<u8>, ReadError>) -> Box<Document> {
    let (text, fault) = match bytes {
        Ok(bytes) => match too_many_lines(&bytes) {
            Some(lines) => {
                let detail = format!("{lines} lines; the most that are read are {MAX_LINES}");
                (String::new(), Some((FaultKind::FileTooLarge, detail)))
            }
            None => decode(bytes),
        },
        Err(ReadError::TooLarge { size }) => {
            let detail = format!("{size} bytes; the largest that is read is {MAX_BYTES}");
            (String::new(), Some((FaultKind::FileTooLarge, detail)))
        }
        Err(error) => (String::new(), Some((FaultKind::Unreadable, error.to_string()))),
    };
    let source = Source::new(id, path.clone(), text);
    let parsed = parse(&source, format);
    faulty(source, parsed, fault)
}

/// Makes a document of a folder that cannot be opened.
fn closed(id: SourceId, path: &ProjectPath, reason: &str) -> Box<Document> {
    let source = Source::new(id, path.clone(), String::new());
    let parsed = parse(&source, Format::Markdown);
    faulty(source, parsed, Some((FaultKind::ClosedFolder, reason.to_owned())))
}

/// Makes a document; what kept it from being read is its only fault.
fn faulty(source: Source, mut parsed: Parsed, fault: Option<(FaultKind, String)>) -> Box<Document> {
    if let Some((kind, detail)) = fault {
        let end = source.text().len();
        parsed.faults = vec![Fault {
            kind,
            span: source.span(end, end),
            detail,
            related: None,
        }];
    }
    Box::new(Document::new(source, parsed))
}

/// Reads bytes as UTF-8; what follows the first wrong byte is dropped.
fn decode(bytes: Vec<u8>) -> (String, Option<(FaultKind, String)>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let is_cut = error.utf8_error().error_len().is_none();
            let mut bytes = error.into_bytes();
            let wrong = bytes.get(good).copied().unwrap_or(0);
            let detail = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
                "it begins like UTF-16".to_owned()
            } else if is_cut {
                "it ends in the middle of a character".to_owned()
            } else {
                format!("byte 0x{wrong:02x} at offset {good}")
            };
            bytes.truncate(good);
            let text = String::from_utf8(bytes).unwrap_or_default();
            (text, Some((FaultKind::NotUtf8, detail)))
        }
    }
}
