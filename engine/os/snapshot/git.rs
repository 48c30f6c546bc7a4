//! Snapshots in a git work tree: trees of the repository, made through an index of the run's own.
//!
//! Files go in as they are, byte for byte: attributes, filters and line endings of the repository do not apply, so that
//! what comes out is what was there.

mod command;
mod head;

use super::manifest::{Entry, LARGEST, Manifest, Stat, What};
use super::restore::{self, Place};
use super::walk::own;
use super::{Change, Difference, Restored, SnapshotError, kept, refused};
use crate::os::store::RunFolder;
use command::{Git, split};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What changed since a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The files, as seen from the folder, new ones included; those that are gone are left out.
    pub files: Vec<String>,
    /// The files of the repository that changed outside of the folder, as seen from its top.
    pub elsewhere: Vec<String>,
    /// The commit.
    base: String,
}

/// How differences are looked for: by the files alone, whatever the repository says about showing them.
const COMPARE: [&str; 6] = [
    "--literal-pathspecs",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--diff-filter=d",
];

/// Says what changed in the folder since a commit.
pub(super) fn changes_since(root: &Path, since: &str) -> Result<Changes, SnapshotError> {
    let git = Git::new(root).without_own_filters()?;
    let prefix = git.run(&["rev-parse", "--show-prefix"])?;
    let commit = format!("{since}^{{commit}}");
    let found = git.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    let base = found.map_err(|_| SnapshotError::NoCommit(since.to_owned()))?;
    let base = String::from_utf8_lossy(&base).trim().to_owned();
    let prefix = String::from_utf8_lossy(&prefix).trim().to_owned();
    // Paths are told from the top of the repository, wherever the folder is.
    let top = match prefix.matches('/').count() {
        0 => ".".to_owned(),
        depth => "../".repeat(depth),
    };
    let known = git.run(&[&COMPARE[..], &["--name-only", "-z", &base, "--", &top]].concat())?;
    let untracked = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--"];
    let new = git.run(&[&untracked[..], &[&top]].concat())?;
    let all: BTreeSet<String> = split(&known).chain(split(&new)).collect();
    let (mut files, mut elsewhere) = (Vec::new(), Vec::new());
    for path in all {
        match path.strip_prefix(&prefix) {
            Some(inside) => files.push(inside.to_owned()),
            None => elsewhere.push(path),
        }
    }
    Ok(Changes { files, elsewhere, base })
}

/// Returns the differences of some files as text; git has none for files it does not know.
pub(super) fn differences(root: &Path, changes: &Changes, files: &[String]) -> Result<String, SnapshotError> {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let asked = [
        &COMPARE[..],
        &["--relative", "--unified=3", &changes.base, "--"],
        &files,
    ]
    .concat();
    let said = Git::new(root).without_own_filters()?.run(&asked)?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

/// A folder whose files git keeps.
#[derive(Debug)]
pub(super) struct WorkTree<'a> {
    git: Git<'a>,
    run: &'a RunFolder,
}

impl<'a> WorkTree<'a> {
    /// Looks whether git keeps the files of a folder: it lies in a work tree and is not ignored there.
    pub(super) fn find(root: &'a Path, run: &'a RunFolder) -> Option<Self> {
        let git = Git::new(root);
        let kind = kind(&git)?;
        let git = git.without_attributes(&kind.format);
        let git = match kind.has_attributes {
            true => git.without_filters().ok()?,
            false => git,
        };
        Some(Self { git, run })
    }

    /// Makes a tree of the files, and a reference that keeps it from being collected.
    pub(super) fn take(&self, n: u32) -> Result<String, SnapshotError> {
        let borrowed = borrow(self.run);
        let (tree, mut large) = match self.write_tree() {
            // What another run knew may be gone from the repository; then everything is read.
            Err(_) if borrowed => {
                remove(&self.run.index())?;
                self.write_tree()?
            }
            taken => taken?,
        };
        large.head = Some(self.head());
        large.write(&kept::manifest_path(self.run, n))?;
        let reference = format!("refs/bmad/{}/{n}", self.run.id());
        if self.git.run(&["update-ref", &reference, &tree]).is_err() {
            // A process that was killed here may have left the reference locked for good.
            let other = format!("{reference}-{}", &tree[..tree.len().min(12)]);
            self.git.run(&["update-ref", &other, &tree])?;
        }
        Ok(tree)
    }

    pub(super) fn differences(&self, n: u32, tree: &str) -> Result<Vec<Difference>, SnapshotError> {
        let large = self.refresh()?;
        let compare = [
            "diff-index",
            "--cached",
            "-z",
            "--name-status",
            "--no-renames",
            "--relative",
            tree,
        ];
        let said = self.git.with_index(self.run.index()).run(&compare)?;
        let mut words = split(&said);
        let mut found = BTreeMap::new();
        while let (Some(letter), Some(path)) = (words.next(), words.next()) {
            let change = match letter.as_str() {
                "A" => Change::Added,
                "D" => Change::Removed,
                _ => Change::Changed,
            };
            found.insert(path, change);
        }
        for difference in self.large(n).differences(&large) {
            // Grown or shrunk over the limit: it left the tree or came into it, and is on the other list too.
            let both = found.contains_key(&difference.path);
            let change = if both { Change::Changed } else { difference.change };
            found.insert(difference.path, change);
        }
        let difference = |(path, change)| Difference { path, change };
        Ok(found.into_iter().map(difference).collect())
    }

    pub(super) fn restore(&self, n: u32, tree: &str, only: &[String]) -> Result<Restored, SnapshotError> {
        let root = self.git.root();
        let places = restore::places(root, own(root, self.run.projects()).as_deref(), only)?;
        let index = self.run.path().join("restore-index");
        remove(&locked(&index))?;
        let git = self.git.with_index(index);
        git.run(&["read-tree", tree])?;
        let said = git.run(&["ls-files", "-z", "--cached"])?;
        let known: BTreeSet<String> = split(&said).collect();
        let large = self.large(n);
        let (rest, left) = restore::part(&places, |place| large.files.contains_key(&place.path));
        let back = Vec::new();
        let mut restored = Restored { back, left };
        let (there, added): (Vec<&Place>, Vec<&Place>) =
            rest.into_iter().partition(|place| known.contains(&place.path));
        // What was not there goes first: a folder of it may stand where a file was.
        for place in added {
            restore::remove(root, place)?;
            restored.back.push(place.path.clone());
        }
        for place in &there {
            restore::make_room(root, place)?;
        }
        let wanted: Vec<&str> = there.iter().map(|place| place.path.as_str()).collect();
        git.feed(&["checkout-index", "-f", "-z", "--stdin"], &wanted, self.run)?;
        restored.back.extend(wanted.into_iter().map(str::to_owned));
        Ok(restored)
    }

    /// Removes the references of the run.
    pub(super) fn forget(&self) -> Result<(), SnapshotError> {
        let pattern = format!("refs/bmad/{}/", self.run.id());
        let said = self.git.run(&["for-each-ref", "--format=%(refname)", &pattern])?;
        for reference in String::from_utf8_lossy(&said).lines() {
            self.git.run(&["update-ref", "-d", reference])?;
        }
        Ok(())
    }

    fn write_tree(&self) -> Result<(String, Manifest), SnapshotError> {
        let large = self.refresh()?;
        let said = self.git.with_index(self.run.index()).run(&["write-tree"])?;
        Ok((String::from_utf8_lossy(&said).trim().to_owned(), large))
    }

    /// Returns the files that were too large for a snapshot.
    fn large(&self, n: u32) -> Manifest {
        Manifest::read(&kept::manifest_path(self.run, n)).unwrap_or_default()
    }

    /// Brings the index of the run up to the files, and returns those that are too large for it.
    fn refresh(&self) -> Result<Manifest, SnapshotError> {
        // Whoever holds the run is the only one here: a lock is of a process that was killed.
        remove(&locked(&self.run.index()))?;
        let git = self.git.with_index(self.run.index());
        let listing = git.run(&["ls-files", "-t", "-z", "--cached", "--others", "--exclude-standard"])?;
        // What the user tracks counts also where it is ignored.
        let tracked = self.git.run(&["ls-files", "-z", "--cached"])?;
        let root = self.git.root();
        let own = own(root, self.run.projects());
        let mut files = Files::default();
        let known = split(&listing).filter_map(|row| Some((row.starts_with("H "), row.get(2..)?.to_owned())));
        for (in_index, path) in known.chain(split(&tracked).map(|path| (false, path))) {
            let real = root.join(&path);
            if !own.as_ref().is_some_and(|own| real.starts_with(own)) {
                files.sort(path, &real, in_index);
            }
        }
        files.drop_below_links();
        let update = ["update-index", "-z"];
        let gone = [&update[..], &["--force-remove", "--stdin"]].concat();
        git.feed(&gone, &files.gone, self.run)?;
        let there = [&update[..], &["--add", "--remove", "--replace", "--stdin"]].concat();
        git.feed(&there, &files.there, self.run)?;
        Ok(files.large)
    }
}

/// Lists the files that git keeps, or would keep if it was asked to; none where it keeps none of a folder.
pub(super) fn listed(root: &Path) -> Option<Vec<String>> {
    let git = Git::new(root);
    kind(&git)?;
    let said = git.run(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let paths: BTreeSet<String> = split(&said.ok()?).collect();
    Some(paths.into_iter().collect())
}

/// What is known of a repository.
struct Kind {
    /// The kind of its hashes.
    format: String,
    /// Whether it has attributes of its own, beside those in its files.
    has_attributes: bool,
}

/// Looks at the repository around a folder, if the folder lies in its work tree and is not ignored.
fn kind(git: &Git<'_>) -> Option<Kind> {
    if !may_be_inside(git.root()) {
        return None;
    }
    let asked = [
        "rev-parse",
        "--is-inside-work-tree",
        "--show-object-format",
        "--git-path",
        "info/attributes",
        "--show-prefix",
    ];
    let said = String::from_utf8(git.run(&asked).ok()?).ok()?;
    let mut lines = said.lines();
    let (inside, format) = (lines.next()? == "true", lines.next()?.to_owned());
    let has_attributes = git.root().join(lines.next()?).symlink_metadata().is_ok();
    let below = lines.next().is_some_and(|prefix| !prefix.is_empty());
    let ignored = below && git.run(&["check-ignore", "-q", "."]).is_ok();
    (inside && !ignored).then_some(Kind { format, has_attributes })
}

/// Says whether there may be a repository around a folder; asking git itself takes a process each time.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn may_be_inside(root: &Path) -> bool {
    let is_there = |path: PathBuf| path.symlink_metadata().is_ok();
    // Sandboxes leave an empty folder of that name behind, which is none.
    let is_one = |folder: &Path| {
        let git = folder.join(".git");
        is_there(git.join("HEAD")) || (is_there(git.clone()) && !git.is_dir())
    };
    fs::canonicalize(root).is_ok_and(|real| real.ancestors().any(is_one))
}

/// The files of a work tree, by what the index has to do about them.
#[derive(Debug, Default)]
struct Files {
    there: BTreeSet<String>,
    gone: BTreeSet<String>,
    links: BTreeSet<String>,
    large: Manifest,
}

impl Files {
    fn sort(&mut self, path: String, real: &Path, in_index: bool) {
        let metadata = fs::symlink_metadata(real).ok();
        match metadata.filter(|metadata| metadata.is_file() || metadata.is_symlink()) {
            Some(metadata) if metadata.len() > LARGEST => {
                let stat = Stat::of(&metadata);
                let what = What::Large;
                if in_index {
                    self.gone.insert(path.clone());
                }
                self.large.files.insert(path, Entry { stat, what });
            }
            Some(metadata) => {
                if metadata.is_symlink() {
                    self.links.insert(path.clone());
                }
                self.there.insert(path);
            }
            // A folder in the place of a file, or a repository of its own.
            None if in_index => drop(self.gone.insert(path)),
            None => {}
        }
    }

    /// What the index knows below a folder that is now a link is not there: git refuses to look.
    fn drop_below_links(&mut self) {
        let below = |path: &String| {
            let mut folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
            folders.any(|folder| self.links.contains(folder))
        };
        let lost: Vec<String> = self.there.iter().filter(|path| below(path)).cloned().collect();
        for path in lost {
            self.there.remove(&path);
            self.gone.insert(path);
        }
    }
}

/// Starts the index of a run with a copy of the one that the newest other run has, so that only files that changed
/// since are read. Answers whether there was one.
pub(super) fn borrow(run: &RunFolder) -> bool {
    let mine = run.index();
    if mine.exists() {
        return false;
    }
    newest_index(run).is_some_and(|theirs| copy(&theirs, &mine).is_ok())
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn newest_index(run: &RunFolder) -> Option<PathBuf> {
    let others = fs::read_dir(run.path().parent()?).ok()?.flatten();
    let mut indexes: Vec<_> = others.map(|other| other.path().join("index")).collect();
    indexes.retain(|index| index.is_file());
    indexes.sort();
    indexes.pop()
}

/// Copies an index with its time: git compares it with the times of the files.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let modified = File::open(from)?.metadata()?.modified()?;
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(modified)
}

/// Returns where git keeps the lock of an index.
fn locked(index: &Path) -> PathBuf {
    index.with_extension("lock")
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn remove(path: &Path) -> Result<(), SnapshotError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(refused(path, &error)),
    }
}
