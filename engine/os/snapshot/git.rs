//! Snapshots in a git work tree: trees of the repository, made through an index of the run's own.
//!
//! Files go in as they are, byte for byte: attributes, filters and line endings of the repository do not apply, so that
//! what comes out is what was there.

mod command;
mod files;
mod head;
mod since;

use super::manifest::{Manifest, Modes, lies_in};
use super::restore::{self, Place};
use super::walk::own;
use super::{Change, Difference, Restored, SnapshotError, kept, refused};
use crate::host::Clock as _;
use crate::os::clock::SystemClock;
use crate::os::store::RunFolder;
use command::{Git, split};
use files::Files;
pub use since::Changes;
pub(super) use since::{changes_since, differences};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

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

    /// Makes a tree of the files, and a reference that keeps it from being collected. What nobody looked at in the
    /// snapshot `beside` stays out of this one too. Answers also what may not be read.
    pub(super) fn take(&self, n: u32, beside: Option<u32>) -> Result<(String, BTreeSet<String>), SnapshotError> {
        let without = beside.map(|n| self.manifest(n).unseen).unwrap_or_default();
        let borrowed = borrow(self.run);
        let (tree, mut manifest) = match self.write_tree(&without) {
            // What another run knew may be gone from the repository; then everything is read.
            Err(_) if borrowed => {
                remove(&self.run.index())?;
                self.write_tree(&without)?
            }
            taken => taken?,
        };
        manifest.unseen.extend(without);
        manifest.unseen.extend(self.ignored()?);
        manifest.head = Some(self.head());
        manifest.write(&kept::manifest_path(self.run, n))?;
        let reference = format!("refs/bmad/{}/{n}", self.run.id());
        if self.git.run(&["update-ref", &reference, &tree]).is_err() {
            // A process that was killed here may have left the reference locked for good.
            let other = format!("{reference}-{}", &tree[..tree.len().min(12)]);
            self.git.run(&["update-ref", &other, &tree])?;
        }
        Ok((tree, manifest.closed))
    }

    pub(super) fn differences(&self, n: u32, tree: &str) -> Result<Vec<Difference>, SnapshotError> {
        let before = self.manifest(n);
        let now = self.refresh(&before.unseen)?;
        let compare = [
            "diff-index",
            "--cached",
            "-z",
            "--raw",
            "--no-renames",
            "--relative",
            tree,
        ];
        let said = self.git.with_index(self.run.index()).run(&compare)?;
        let mut found = BTreeMap::new();
        let (mut came, mut went) = (Vec::new(), BTreeSet::new());
        for row in Row::all(&said) {
            let change = match row.letter.as_str() {
                "A" => Change::Added,
                "D" => Change::Removed,
                _ => Change::Changed,
            };
            match change {
                Change::Added => came.push((row.path.clone(), row.now)),
                Change::Removed => drop(went.insert(row.was)),
                Change::Changed => {}
            }
            found.insert(row.path, change);
        }
        let root = self.git.root();
        for (path, bytes) in came {
            // A folder that was moved has old files too; what they held was taken from elsewhere in the tree.
            let was_there = !went.contains(&bytes) && before.is_older(&root.join(&path));
            if was_there || before.overlooked(&path) {
                found.remove(&path);
            }
        }
        for difference in before.differences(&now) {
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
        let before = self.manifest(n);
        let (rest, left) = restore::part(&places, |place| {
            let is_large = before.files.contains_key(&place.path);
            is_large || (!known.contains(&place.path) && before.overlooked(&place.path))
        });
        let back = Vec::new();
        let mut restored = Restored { back, left };
        let (there, added): (Vec<&Place>, Vec<&Place>) =
            rest.into_iter().partition(|place| known.contains(&place.path));
        // What was not there goes first: a folder of it may stand where a file was.
        for place in added {
            restore::remove(root, place, before.taken)?;
            restored.back.push(place.path.clone());
        }
        let there = restore::with_room(root, there, &mut restored.left);
        let modes = before.modes.unwrap_or_default();
        self.make_again(&git, &there, &modes)?;
        restored.back.extend(there.into_iter().map(|place| place.path.clone()));
        Ok(restored)
    }

    /// Makes files again that are in an index, as open as they were.
    fn make_again(&self, git: &Git<'_>, places: &[&Place], modes: &Modes) -> Result<(), SnapshotError> {
        let root = git.root();
        let mut wanted = Vec::new();
        for place in places {
            match modes.others.get(&place.path) {
                // Nobody else may read it, not even for a moment.
                Some(mode) if mode & 0o077 == 0 => {
                    let bytes = git.run(&["cat-file", "blob", &format!(":./{}", place.path)])?;
                    restore::put_bytes(root, place, &bytes, *mode)?;
                }
                Some(_) | None => {
                    restore::make_room(root, place)?;
                    wanted.push(*place);
                }
            }
        }
        let paths = wanted.iter().map(|place| place.path.as_str());
        git.feed(&["checkout-index", "-f", "-z", "--stdin"], paths, self.run)?;
        for place in wanted {
            restore::open_as(place, |made| modes.was(&place.path, made))?;
        }
        Ok(())
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

    fn write_tree(&self, without: &BTreeSet<String>) -> Result<(String, Manifest), SnapshotError> {
        let beside = self.refresh(without)?;
        let said = self.git.with_index(self.run.index()).run(&["write-tree"])?;
        Ok((String::from_utf8_lossy(&said).trim().to_owned(), beside))
    }

    /// Returns what is noted beside a tree.
    fn manifest(&self, n: u32) -> Manifest {
        Manifest::read(&kept::manifest_path(self.run, n)).unwrap_or_default()
    }

    /// Lists what git ignores here: files, and folders where a rule names the folder itself.
    fn ignored(&self) -> Result<Vec<String>, SnapshotError> {
        let asked = [
            "ls-files",
            "-z",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--directory",
        ];
        let said = self.git.with_index(self.run.index()).run(&asked)?;
        let mut found: Vec<String> = Vec::new();
        for path in split(&said).collect::<BTreeSet<_>>() {
            // A folder of nothing but ignored files is listed before them, and is not ignored itself.
            while found
                .last()
                .is_some_and(|folder| folder.ends_with('/') && path.starts_with(folder.as_str()))
            {
                found.pop();
            }
            found.push(path);
        }
        Ok(found.iter().map(|path| path.trim_end_matches('/').to_owned()).collect())
    }

    fn update(&self, git: &Git<'_>, files: &Files) -> Result<(), SnapshotError> {
        let update = ["update-index", "-z"];
        let gone = [&update[..], &["--force-remove", "--stdin"]].concat();
        git.feed(&gone, &files.gone, self.run)?;
        let there = [&update[..], &["--add", "--remove", "--replace", "--stdin"]].concat();
        git.feed(&there, &files.there, self.run)
    }

    /// Brings the index of the run up to the files, and returns what is noted beside it. What git does not know yet and
    /// lies in `without` is left out.
    fn refresh(&self, without: &BTreeSet<String>) -> Result<Manifest, SnapshotError> {
        // Read before the files are: what is made from now on was not there.
        let taken = SystemClock.now().saturating_mul(1_000_000);
        // Whoever holds the run is the only one here: a lock is of a process that was killed.
        remove(&locked(&self.run.index()))?;
        let git = self.git.with_index(self.run.index());
        let list = ["ls-files", "-t", "-z", "--cached", "--others", "--exclude-standard"];
        let (listing, complaints) = git.run_heard(&list)?;
        // What the user tracks counts also where it is ignored.
        let tracked = self.git.run(&["ls-files", "-z", "--cached"])?;
        let root = self.git.root();
        let own = own(root, self.run.projects());
        let mut files = Files::default();
        let known = split(&listing).filter_map(|row| Some((row.starts_with("H "), row.get(2..)?.to_owned())));
        let known = known.filter(|(in_index, path)| *in_index || !lies_in(path, without));
        for (in_index, path) in known.chain(split(&tracked).map(|path| (false, path))) {
            let real = root.join(&path);
            if !own.as_ref().is_some_and(|own| real.starts_with(own)) {
                files.sort(path, &real, in_index);
            }
        }
        files.drop_below_links();
        files.close_folders(&complaints, root);
        if let Err(error) = self.update(&git, &files) {
            match files.close(root) {
                true => self.update(&git, &files)?,
                false => return Err(error),
            }
        }
        let modes = Some(Modes::of(files.modes));
        Ok(Manifest {
            taken,
            modes,
            ..files.beside
        })
    }
}

/// A file that is not the same in a tree and in an index.
struct Row {
    letter: String,
    /// What it held in the tree and what it holds in the index, by its hash.
    was: String,
    now: String,
    path: String,
}

impl Row {
    /// Reads what git says: modes, hashes and a letter, and then the path.
    fn all(said: &[u8]) -> Vec<Self> {
        let mut words = split(said);
        let mut found = Vec::new();
        while let (Some(about), Some(path)) = (words.next(), words.next()) {
            if let [_, _, was, now, letter] = about.split(' ').collect::<Vec<_>>()[..] {
                let [letter, was, now] = [letter, was, now].map(str::to_owned);
                found.push(Self { letter, was, now, path });
            }
        }
        found
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

/// Says why git does not look at a folder that may be in a repository: it may belong to somebody else, or be broken.
pub(super) fn refusal(root: &Path) -> Option<String> {
    if !may_be_inside(root) {
        return None;
    }
    match Git::new(root).run(&["rev-parse", "--is-inside-work-tree"]) {
        Err(SnapshotError::Git { why, .. }) => Some(why),
        Ok(_) | Err(_) => None,
    }
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
