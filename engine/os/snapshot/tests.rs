//! Snapshots of real folders, with the real git and without it.
#![expect(clippy::disallowed_methods, reason = "the tests set up real files and repositories")]

mod in_git;
mod modes;
mod not_looked_at;
mod outside_git;

use super::{Change, Difference, Restored, SnapshotError, SnapshotId, Snapshots};
use crate::os::store::{RunFolder, Store};
use std::fs;
use std::path::{Path, PathBuf};

/// A project, and a run of it that lies elsewhere.
struct Project {
    _folder: tempfile::TempDir,
    root: PathBuf,
    store: Store,
    run: RunFolder,
}

fn project() -> Project {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    fs::create_dir_all(&root).unwrap();
    let store = Store::open(&folder.path().join("state"), &root).unwrap();
    let run = store.new_run(0).unwrap();
    Project {
        _folder: folder,
        root,
        store,
        run,
    }
}

impl Project {
    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
    }

    fn snapshots(&self) -> Snapshots<'_> {
        Snapshots::of(&self.root, &self.run)
    }

    fn differences(&self, id: &SnapshotId) -> Vec<(String, &'static str)> {
        let found = self.snapshots().differences(id).unwrap();
        let row = |Difference { path, change }: Difference| (path, change.name());
        found.into_iter().map(row).collect()
    }

    /// Puts back everything that is different, and returns what is still different.
    fn restore_all(&self, id: &SnapshotId) -> Vec<(String, &'static str)> {
        let only: Vec<String> = self.differences(id).into_iter().map(|(path, _)| path).collect();
        self.snapshots().restore(id, &only).unwrap();
        self.differences(id)
    }
}

fn rows(expected: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    expected
        .iter()
        .map(|(path, change)| ((*path).to_owned(), *change))
        .collect()
}

/// What both kinds of snapshots have in common.
fn a_file_each_way(project: &Project) {
    for (path, text) in [
        ("a.md", "one"),
        ("b/c.md", "two"),
        ("d/e/f.md", "three"),
        ("same.md", "s"),
    ] {
        project.write(path, text);
    }
    let id = project.snapshots().take(1).unwrap();
    assert_eq!(project.differences(&id), []);
    project.write("a.md", "One");
    project.remove("b/c.md");
    project.write("new/g.md", "four");
    let expected = [("a.md", "changed"), ("b/c.md", "removed"), ("new/g.md", "added")];
    assert_eq!(project.differences(&id), rows(&expected));
    let only = ["a.md", "new/g.md"].map(str::to_owned);
    let restored = project.snapshots().restore(&id, &only).unwrap();
    assert_eq!(restored.back.len(), 2);
    assert_eq!(project.read("a.md"), "one");
    assert!(!project.root.join("new").exists(), "the folder was empty without it");
    assert_eq!(project.differences(&id), rows(&[("b/c.md", "removed")]));
    assert_eq!(project.restore_all(&id), []);
    assert_eq!(project.read("b/c.md"), "two");
}

/// A process that goes on with a run takes no number that the one before it took.
fn numbers_that_are_taken(project: &Project) {
    project.write("a.md", "one");
    assert_eq!(project.snapshots().next(), 1);
    let first = project.snapshots().take(project.snapshots().next()).unwrap();
    project.write("a.md", "two");
    let second = project.snapshots().take(project.snapshots().next()).unwrap();
    assert_ne!(first, second);
    assert_eq!(project.differences(&first), rows(&[("a.md", "changed")]));
}

/// A file where a folder was, a folder where a file was, a link where a folder was.
fn shapes_that_changed(project: &Project) {
    let outside = project.root.with_file_name("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("x.md"), "not ours").unwrap();
    for path in ["file", "folder/x.md", "linked/x.md"] {
        project.write(path, path);
    }
    let id = project.snapshots().take(1).unwrap();
    project.remove("file");
    project.write("file/inside.md", "new");
    fs::remove_dir_all(project.root.join("folder")).unwrap();
    project.write("folder", "now a file");
    fs::remove_dir_all(project.root.join("linked")).unwrap();
    std::os::unix::fs::symlink(&outside, project.root.join("linked")).unwrap();
    let expected = [
        ("file", "removed"),
        ("file/inside.md", "added"),
        ("folder", "added"),
        ("folder/x.md", "removed"),
        ("linked", "added"),
        ("linked/x.md", "removed"),
    ];
    assert_eq!(project.differences(&id), rows(&expected));
    let through = project.snapshots().restore(&id, &["linked/x.md".to_owned()]);
    assert_eq!(through, Err(SnapshotError::Escapes("linked/x.md".to_owned())));
    assert_eq!(project.restore_all(&id), []);
    for path in ["file", "folder/x.md", "linked/x.md"] {
        assert_eq!(project.read(path), path);
    }
    assert_eq!(fs::read_to_string(outside.join("x.md")).unwrap(), "not ours");
}

/// Links stay links, and what may be run may be run.
fn links_and_programs(project: &Project) {
    use std::os::unix::fs::PermissionsExt;
    project.write("run.sh", "#!/bin/sh\n");
    let program = project.root.join("run.sh");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("run.sh", project.root.join("link")).unwrap();
    let id = project.snapshots().take(1).unwrap();
    project.remove("link");
    std::os::unix::fs::symlink("elsewhere", project.root.join("link")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(
        project.differences(&id),
        rows(&[("link", "changed"), ("run.sh", "changed")])
    );
    assert_eq!(project.restore_all(&id), []);
    assert_eq!(fs::read_link(project.root.join("link")).unwrap(), Path::new("run.sh"));
    assert_eq!(fs::metadata(&program).unwrap().permissions().mode() & 0o111, 0o111);
}

/// What only its owner may read stays so, what may be run stays so, and a folder that was empty stays.
#[cfg(unix)]
fn how_open_files_are(project: &Project) {
    use std::os::unix::fs::PermissionsExt;
    let modes = [
        ("key.pem", 0o600),
        ("run.sh", 0o755),
        ("own.sh", 0o700),
        ("both.md", 0o664),
        ("a.md", 0o644),
        ("b.md", 0o644),
    ];
    for (path, mode) in modes {
        project.write(path, path);
        fs::set_permissions(project.root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::create_dir_all(project.root.join("empty/deep")).unwrap();
    // The clock of a run counts milliseconds.
    let made = fs::metadata(project.root.join("empty/deep")).unwrap().created();
    while made
        .as_ref()
        .is_ok_and(|made| made.elapsed().unwrap_or_default().as_millis() < 2)
    {
        std::thread::yield_now();
    }
    let id = project.snapshots().take(1).unwrap();
    for (path, _) in modes {
        project.remove(path);
    }
    project.write("empty/deep/new/x.md", "x");
    assert_eq!(project.restore_all(&id), []);
    for (path, mode) in modes {
        assert_eq!(project.read(path), path);
        let now = fs::metadata(project.root.join(path)).unwrap().permissions().mode();
        assert_eq!(now & 0o777, mode, "{path}");
    }
    assert!(!project.root.join("empty/deep/new").exists());
    assert!(project.root.join("empty/deep").exists() || made.is_err());
}

/// A file over the limit is told of when it changes, and left alone.
fn a_large_file(project: &Project) {
    let path = project.root.join("large.bin");
    fs::File::create(&path).unwrap().set_len(17 * 1024 * 1024).unwrap();
    project.write("small.md", "s");
    let id = project.snapshots().take(1).unwrap();
    assert_eq!(project.differences(&id), []);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(18 * 1024 * 1024)
        .unwrap();
    assert_eq!(project.differences(&id), rows(&[("large.bin", "changed")]));
    let restored = project.snapshots().restore(&id, &["large.bin".to_owned()]).unwrap();
    let left = vec!["large.bin".to_owned()];
    assert_eq!(restored, Restored { back: vec![], left });
    assert_eq!(fs::metadata(&path).unwrap().len(), 18 * 1024 * 1024);
}

/// A file over the limit that came, grew or took the place of another is in no snapshot: it is never removed or written
/// over.
fn a_large_file_that_came(project: &Project) {
    let large = |path: &str| {
        let path = project.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = fs::File::create(path).unwrap();
        file.set_len(17 * 1024 * 1024).unwrap();
    };
    for path in ["grown.bin", "folder", "place/a.md", "small.md"] {
        project.write(path, path);
    }
    let id = project.snapshots().take(1).unwrap();
    fs::remove_dir_all(project.root.join("place")).unwrap();
    project.remove("folder");
    for path in ["grown.bin", "folder/in.bin", "place", "new.bin"] {
        large(path);
    }
    project.write("folder/small.md", "new");
    project.write("small.md", "changed");
    let differing: Vec<String> = project.differences(&id).into_iter().map(|(path, _)| path).collect();
    project.snapshots().take(2).unwrap();
    let restored = project.snapshots().restore(&id, &differing).unwrap();
    let left = ["folder", "folder/in.bin", "grown.bin", "new.bin", "place", "place/a.md"];
    assert_eq!(restored.left, left);
    assert_eq!(restored.back, ["folder/small.md", "small.md"]);
    for path in ["grown.bin", "folder/in.bin", "place", "new.bin"] {
        assert_eq!(fs::metadata(project.root.join(path)).unwrap().len(), 17 * 1024 * 1024);
    }
    assert_eq!(project.read("small.md"), "small.md");
}

/// What may not be read is listed, left as it is, and no hindrance.
#[cfg(unix)]
fn closed_files(project: &Project) {
    use std::os::unix::fs::PermissionsExt;
    let set =
        |path: &str, mode| fs::set_permissions(project.root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    for path in ["a.md", "closed.md", "closed/b.md", "later/c.md"] {
        project.write(path, path);
    }
    set("closed.md", 0o000);
    set("closed", 0o000);
    if fs::read(project.root.join("closed.md")).is_ok() {
        // Nothing is closed to whoever runs the tests.
        set("closed", 0o755);
        return;
    }
    let known = std::sync::Arc::default();
    let snapshots = project.snapshots().knowing(&known);
    let id = snapshots.take(1).unwrap();
    let notes = known.take_notes();
    assert!(
        notes.len() == 1 && notes[0].starts_with("`closed`, `closed.md` may"),
        "{notes:?}"
    );
    snapshots.take(2).unwrap();
    assert!(known.take_notes().is_empty(), "once");
    assert_eq!(project.differences(&id), []);
    project.write("a.md", "changed");
    set("later", 0o000);
    assert_eq!(project.restore_all(&id), []);
    set("later", 0o755);
    set("closed", 0o755);
    assert_eq!(project.differences(&id), [], "what was closed did not come");
    assert_eq!(project.read("closed/b.md"), "closed/b.md");
}

/// A state folder in the project is no part of it.
fn a_state_folder_inside(project: &Project) {
    let store = Store::open(&project.root.join("state"), &project.root).unwrap();
    let run = store.new_run(0).unwrap();
    project.write("a.md", "one");
    let snapshots = Snapshots::of(&project.root, &run);
    let id = snapshots.take(1).unwrap();
    fs::write(run.journal(), "a line").unwrap();
    project.write("a.md", "One");
    let found = snapshots.differences(&id).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].change, Change::Changed);
    let journal = run.journal();
    let inside = journal
        .strip_prefix(&project.root)
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        snapshots.restore(&id, std::slice::from_ref(&inside)),
        Err(SnapshotError::Escapes(inside))
    );
}

/// Paths that lead out of the folder change nothing.
fn paths_that_lead_out(project: &Project) {
    project.write("a.md", "one");
    let id = project.snapshots().take(1).unwrap();
    fs::write(project.root.with_file_name("b.md"), "not ours").unwrap();
    for path in ["../b.md", "/etc/hostname", "", ".git/config", "a/../../b.md"] {
        let error = project.snapshots().restore(&id, &[path.to_owned()]).unwrap_err();
        assert_eq!(error, SnapshotError::Escapes(path.to_owned()));
    }
    assert!(project.root.with_file_name("b.md").exists());
}

/// Each snapshot is one moment, whatever the snapshots after it saw.
fn several_moments(project: &Project) {
    let mut ids = Vec::new();
    for n in 0..4 {
        project.write("a.md", &format!("text {n}"));
        project.write(&format!("{n}.md"), "n");
        ids.push(project.snapshots().take(n).unwrap());
    }
    for (n, id) in ids.iter().enumerate().rev() {
        assert_eq!(project.restore_all(id), []);
        assert_eq!(project.read("a.md"), format!("text {n}"));
        assert_eq!(project.root.join("3.md").exists(), n == 3);
    }
}

#[test]
fn an_id_reads_as_it_is_written() {
    let git = SnapshotId::Git {
        n: 3,
        tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904".to_owned(),
    };
    for id in [git, SnapshotId::Kept { n: 12 }] {
        assert_eq!(id.to_string().parse(), Ok(id));
    }
    for text in [
        "",
        "git:1",
        "git:1:--force",
        "git:x:ab",
        "git:1:",
        "kept:",
        "kept:1:2",
        "other:1",
    ] {
        assert_eq!(text.parse::<SnapshotId>(), Err(SnapshotError::Unknown(text.to_owned())));
    }
}
