//! What a person names in, the files to review out.

use super::Args;
use super::place::{LeftOut, Own, is_document, is_made, unfit, unfit_name};
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Project};
use crate::cli::session::{Session, tidy};
use crate::host::{EntryKind, Workspace};
use crate::machine::sha256;
use crate::os::snapshot::{Changes, SnapshotError, changes_since, differences};
use std::path::{Component, Path, PathBuf};

/// The most files of one review.
const MOST: usize = 200;
/// The longest difference that reviewers are handed; what is longer they read in the files.
const LONGEST: usize = 100_000;
/// How deep folders are looked into.
const DEEPEST: usize = 12;

/// What is to be reviewed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The files, as seen from the folder the person is in.
    pub(super) files: Vec<String>,
    /// What a person calls them.
    pub(super) name: String,
    /// What the files of the review are called, where that name would not tell it from other reviews.
    pub(super) stem: String,
    /// What changed in them, where only that is asked for.
    pub(super) changes: String,
    /// What the person should know: lines about what is not looked at.
    pub(super) notes: Vec<String>,
    /// Why there is nothing to review, where no file is left.
    pub(super) nothing: String,
}

impl Asked {
    /// Finds out what a command line means.
    pub(super) fn find(args: &Args, project: &Project, session: &Session<'_>) -> Result<Self, Failure> {
        if args.diff.is_none() && args.files.is_empty() {
            return Err(Failure::usage("there is nothing to review")
                .with_hint("name files, such as `bmad review docs/prd.md`")
                .with_hint("`--diff` reviews what changed since the last commit"));
        }
        if !args.files.is_empty() {
            session.paths(&args.files)?;
        }
        for path in &args.files {
            launch::check_inside(project, &path.display().to_string(), "bmad review ", session)?;
        }
        let own = Own::of(project);
        match &args.diff {
            Some(since) => changed(since, &args.files, (project, &own), session),
            None => named(&args.files, (project, &own), session),
        }
    }
}

fn named(given: &[PathBuf], (project, own): (&Project, &Own), session: &Session<'_>) -> Result<Asked, Failure> {
    let host = session.host();
    let mut files: Vec<String> = Vec::new();
    let mut left_out = LeftOut::default();
    for path in given {
        let full = tidy(&session.folder().join(path));
        let kind = host.resolve(&full).map(|found| found.kind);
        let mut found = match kind {
            Some(EntryKind::Folder) => {
                let mut walk = Walk {
                    host: &*host,
                    own,
                    named: &full,
                    found: Vec::new(),
                    left_out: &mut left_out,
                };
                walk.folder(&full, &bare(path), DEEPEST);
                walk.found
            }
            Some(_) | None => match unfit_name(&path.display().to_string())
                .map(str::to_owned)
                .or_else(|| unfit(&*host, &full))
            {
                Some(why) => return Err(unreviewable(path, &why)),
                None => vec![path.display().to_string()],
            },
        };
        if found.is_empty() {
            let failure = Failure::usage(format!("no Markdown document to review is in `{}`", path.display()));
            return Err(failure.with_hint(left_out.line().unwrap_or_else(|| "name the files to review".to_owned())));
        }
        found.retain(|file| !files.contains(file));
        files.extend(found);
    }
    check_count(files.len())?;
    let below = |file: &String| {
        let full = tidy(&session.folder().join(file));
        let seen = full.strip_prefix(&project.root).unwrap_or(&full);
        seen.display().to_string().replace('\\', "/")
    };
    let seen: Vec<String> = files.iter().map(below).collect();
    Ok(Asked {
        name: title(&files),
        stem: stem(&title(&seen), seen),
        files,
        changes: String::new(),
        notes: left_out.line().into_iter().collect(),
        nothing: String::new(),
    })
}

/// Returns a path without the dots that mean the folder it is in.
fn bare(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

fn unreviewable(path: &Path, why: &str) -> Failure {
    let failure = Failure::usage(format!("`{}` cannot be reviewed: {why}", path.display()));
    match why {
        "empty" => failure.with_hint("there is nothing in it yet"),
        why if why.ends_with("its name") => failure.with_hint("rename the file"),
        _ => failure.with_hint("save it as UTF-8 text"),
    }
}

/// A folder that is looked through for documents.
struct Walk<'a> {
    host: &'a dyn Workspace,
    own: &'a Own,
    /// The folder that the person named.
    named: &'a Path,
    found: Vec<String>,
    left_out: &'a mut LeftOut,
}

impl Walk<'_> {
    /// Looks for Markdown documents in the order of their names; what begins with a dot is left alone.
    fn folder(&mut self, full: &Path, shown: &Path, depth: usize) {
        let mut entries = self.host.list(full);
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let (full, shown) = (full.join(&entry.name), shown.join(&entry.name));
            match entry.kind {
                EntryKind::Folder if depth > 0 && entry.name != "node_modules" && entry.name != "target" => {
                    self.folder(&full, &shown, depth - 1);
                }
                EntryKind::File if is_document(&full) => self.document(&full, &shown),
                EntryKind::Folder | EntryKind::File | EntryKind::Link => {}
            }
        }
    }

    fn document(&mut self, full: &Path, shown: &Path) {
        let shown = shown.display().to_string();
        if self.own.holds(full, self.named) {
            return self.left_out.made(full, self.own);
        }
        match unfit_name(&shown).map(str::to_owned).or_else(|| unfit(self.host, full)) {
            Some(why) => self.left_out.unfit(shown, why),
            None => self.found.push(shown),
        }
    }
}

fn changed(
    since: &str,
    only: &[PathBuf],
    (project, own): (&Project, &Own),
    session: &Session<'_>,
) -> Result<Asked, Failure> {
    let (host, root) = (session.host(), project.root.as_path());
    let changes = changes_since(root, since).map_err(|error| untold(since, &error))?;
    let real = |path: &Path| {
        host.resolve(path)
            .map_or_else(|| path.to_path_buf(), |found| found.path)
    };
    let wanted: Vec<PathBuf> = match only {
        [] => vec![real(root)],
        only => only.iter().map(|path| real(&session.folder().join(path))).collect(),
    };
    let mut left_out = LeftOut::default();
    let mut files = Vec::new();
    for file in &changes.files {
        let full = real(&root.join(file));
        let Some(named) = wanted.iter().find(|path| full.starts_with(path)) else {
            continue;
        };
        // Folders of the project are compared as the project names them.
        let (full, named) = (root.join(file), seen(named, &real(root), root));
        match unfit_name(file).map(str::to_owned).or_else(|| unfit(&*host, &full)) {
            _ if own.holds(&full, &named) => left_out.made(&full, own),
            Some(why) => left_out.unfit(file.clone(), why),
            None => files.push(file.clone()),
        }
    }
    check_count(files.len())?;
    let text = match files.is_empty() {
        true => String::new(),
        false => differences(root, &changes, &files).map_err(|error| untold(since, &error))?,
    };
    let here = match only {
        [] if changes.elsewhere.is_empty() => String::new(),
        [] => " in this folder".to_owned(),
        only => {
            let paths: Vec<String> = only.iter().map(|path| path.display().to_string()).collect();
            format!(" in {}", paths.join(", "))
        }
    };
    let nothing = match left_out.line() {
        Some(_) => format!("nothing that can be reviewed changed since {since}{here}"),
        None => format!("nothing changed since {since}{here}"),
    };
    let name = format!("changes since {since}");
    Ok(Asked {
        stem: stem(&name, files.clone()),
        files: files.iter().map(|file| root.join(file).display().to_string()).collect(),
        name,
        changes: shortened(text),
        notes: left_out.line().into_iter().chain(elsewhere(&changes, root)).collect(),
        nothing,
    })
}

/// Returns a path below the real place of the project as the project names it.
fn seen(path: &Path, real: &Path, root: &Path) -> PathBuf {
    path.strip_prefix(real)
        .map_or_else(|_| path.to_path_buf(), |below| root.join(below))
}

fn untold(since: &str, error: &SnapshotError) -> Failure {
    Failure::usage(format!("what changed since `{since}` cannot be told: {error}"))
        .with_hint("`--diff` needs a git repository around this folder and a commit, branch or tag of it")
}

/// Says that more changed than is looked at.
fn elsewhere(changes: &Changes, root: &Path) -> Option<String> {
    let root = root.display();
    let others = changes.elsewhere.iter().filter(|path| !is_made(Path::new(path)));
    match others.count() {
        0 => None,
        1 => Some(format!("not looked at: 1 file that changed outside of `{root}`")),
        many => Some(format!("not looked at: {many} files that changed outside of `{root}`")),
    }
}

fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push_str("\n(the rest is left out; read the files)\n");
    }
    text
}

fn check_count(files: usize) -> Result<(), Failure> {
    match files {
        0..=MOST => Ok(()),
        many => Err(
            Failure::usage(format!("{many} files are too many for one review; the most are {MOST}"))
                .with_hint("name the files or a folder that matter"),
        ),
    }
}

/// Returns what a person calls these files.
fn title(files: &[String]) -> String {
    match files {
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
        [] => String::new(),
    }
}

/// How many digits of a hash tell reviews apart whose names are written alike.
const DIGITS: usize = 8;

/// Returns what the files of a review are called. One plain file gives its own name, from which nobody else's is made;
/// all others are told apart by a hash of what they are about.
fn stem(name: &str, mut files: Vec<String>) -> String {
    if let [file] = files.as_slice()
        && file == name
        && is_plain(file)
    {
        return name.to_owned();
    }
    files.sort();
    let hash = sha256(format!("{name}\n{}", files.join("\n")).as_bytes());
    format!("{name} {}", &hash[..DIGITS])
}

/// Says whether a path is made of letters and digits, with an ending: other marks would all become the same one. A name in
/// capitals such as `README` is plain too.
fn is_plain(path: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let (folder, name) = path
        .rsplit_once('/')
        .map_or(("", path), |(folder, name)| (folder, name));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "md"));
    let is_title = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_uppercase());
    (folder.is_empty() || folder.split('/').all(is_word)) && (is_word(stem) || is_title) && is_word(ending)
}

#[cfg(test)]
mod tests {
    use super::stem;

    fn of(files: &[&str]) -> String {
        let name = match files {
            [one] => (*one).to_owned(),
            [first, others @ ..] => format!("{first} and {} more", others.len()),
            [] => String::new(),
        };
        stem(&name, files.iter().map(|file| (*file).to_owned()).collect())
    }

    #[test]
    fn reviews_of_other_files_have_other_names_and_a_plain_file_has_its_own() {
        for plain in ["plan.md", "docs/prd.md", "README.md", "docs/v2/a.txt"] {
            assert_eq!(of(&[plain]), plain);
        }
        let others = [
            "docs-a.md",
            "docs_a.md",
            "docs.a.md",
            "Docs/a.md",
            "docs/a b.md",
            "docs/",
        ];
        let mut all: Vec<String> = others.iter().map(|file| of(&[file])).collect();
        all.extend([
            of(&["docs/a.md"]),
            of(&["docs/a.md", "docs/b.md"]),
            of(&["docs/a.md", "docs/c.md"]),
        ]);
        let digits = |name: &String| name.rsplit(' ').next().unwrap().to_owned();
        let mut told: Vec<String> = all.iter().map(digits).collect();
        told.sort();
        told.dedup();
        assert_eq!(told.len(), all.len(), "{all:?}");
    }

    #[test]
    fn changes_in_other_files_have_other_names() {
        let of = |files: &[&str]| {
            stem(
                "changes since HEAD",
                files.iter().map(|file| (*file).to_owned()).collect(),
            )
        };
        assert_ne!(of(&["a.md"]), of(&["b.md"]));
        assert_eq!(of(&["a.md", "b.md"]), of(&["b.md", "a.md"]));
    }
}
