//! What a snapshot did not look at is not taken for what was not there.
#![expect(clippy::disallowed_methods, reason = "the tests change real files")]

use super::super::manifest::Manifest;
use super::in_git::{git, repository, tree};
use super::{Project, SnapshotId, rows};
use std::fs;

/// A repository with files that nobody commits.
fn ignoring() -> Project {
    let project = repository();
    project.write(".gitignore", ".env\ndata/\n*.log\n");
    project.write("a.md", "one");
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    for path in [".env", "data/app.sqlite", "logs/deep/a.log", "src/x.log"] {
        project.write(path, path);
    }
    project
}

/// Makes a snapshot one of an earlier version that was taken later: it does not say what it left out.
fn as_before(project: &Project) {
    let path = project.run.kept().join("1.json");
    let mut manifest = Manifest::read(&path).unwrap();
    manifest.unseen.clear();
    manifest.taken += 100_000_000_000;
    manifest.write(&path).unwrap();
}

/// Makes everything that is different what it was, as a run does it.
fn put_back(project: &Project, id: &SnapshotId) -> SnapshotId {
    let only: Vec<String> = project.differences(id).into_iter().map(|(path, _)| path).collect();
    let snapshots = project.snapshots();
    let kept = snapshots.take_beside(snapshots.next(), id).unwrap();
    snapshots.restore(id, &only).unwrap();
    kept
}

#[test]
fn files_that_were_ignored_stay_where_the_rules_change() {
    let project = ignoring();
    let id = project.snapshots().take(1).unwrap();
    project.write(".gitignore", "*.tmp\n");
    project.write("logs/deep/new.md", "new");
    let expected = [(".gitignore", "changed"), ("logs/deep/new.md", "added")];
    assert_eq!(project.differences(&id), rows(&expected));
    let kept = put_back(&project, &id);
    for path in [".env", "data/app.sqlite", "logs/deep/a.log", "src/x.log"] {
        assert_eq!(project.read(path), path);
    }
    assert_eq!(project.differences(&id), []);
    let listed = git(&project, &["ls-tree", "-r", "--name-only", &tree(&kept)]);
    assert_eq!(listed, ".gitignore\na.md\nlogs/deep/new.md", "no secret is kept");
    let blob = git(&project, &["hash-object", ".env"]);
    let objects = git(&project, &["cat-file", "--batch-check", "--batch-all-objects"]);
    assert!(!objects.contains(&blob), "no secret is written into the repository");
}

#[test]
fn files_that_were_ignored_stay_where_another_branch_ignores_nothing() {
    let project = ignoring();
    git(&project, &["checkout", "-q", "-b", "bare"]);
    git(&project, &["rm", "-q", ".gitignore"]);
    git(&project, &["commit", "-q", "-m", "second"]);
    git(&project, &["checkout", "-q", "-"]);
    let id = project.snapshots().take(1).unwrap();
    git(&project, &["checkout", "-q", "bare"]);
    assert_eq!(project.differences(&id), rows(&[(".gitignore", "removed")]));
    put_back(&project, &id);
    assert_eq!(project.read(".env"), ".env");
}

#[test]
fn a_file_that_was_ignored_is_not_removed_by_its_name() {
    let project = ignoring();
    let id = project.snapshots().take(1).unwrap();
    project.write(".gitignore", "");
    let restored = project.snapshots().restore(&id, &["data/app.sqlite".to_owned()]);
    assert_eq!(restored.unwrap().left, ["data/app.sqlite"]);
    assert_eq!(project.read("data/app.sqlite"), "data/app.sqlite");
}

#[test]
fn files_that_are_older_than_a_snapshot_did_not_come_after_it() {
    let project = ignoring();
    let id = project.snapshots().take(1).unwrap();
    as_before(&project);
    project.write(".gitignore", "*.tmp\n");
    assert_eq!(project.differences(&id), rows(&[(".gitignore", "changed")]));
}

#[test]
fn files_of_a_folder_that_was_moved_are_old_and_came_nonetheless() {
    let project = ignoring();
    project.write("docs/b.md", "two");
    let id = project.snapshots().take(1).unwrap();
    as_before(&project);
    fs::rename(project.root.join("docs"), project.root.join("moved")).unwrap();
    let expected = [("docs/b.md", "removed"), ("moved/b.md", "added")];
    assert_eq!(project.differences(&id), rows(&expected));
}

#[test]
fn files_of_a_repository_in_the_repository_stay_where_it_is_none_any_more() {
    let project = ignoring();
    project.write("inner/x.md", "x");
    git(&project, &["init", "-q", "inner"]);
    let id = project.snapshots().take(1).unwrap();
    fs::remove_dir_all(project.root.join("inner/.git")).unwrap();
    assert_eq!(project.differences(&id), []);
}

#[test]
fn what_is_ignored_in_the_place_of_a_file_stays_and_the_rest_is_put_back() {
    let project = ignoring();
    for path in ["b.md", "docs/c.md", "z.md"] {
        project.write(path, path);
    }
    let id = project.snapshots().take(1).unwrap();
    project.write("a.md", "other");
    project.remove("b.md");
    project.write("b.md/deep/x.log", "ignored");
    project.write("b.md/new.md", "new");
    fs::remove_dir_all(project.root.join("docs")).unwrap();
    project.write("z.md", "other");
    let only = ["a.md", "b.md", "b.md/new.md", "docs/c.md", "z.md"].map(str::to_owned);
    let restored = project.snapshots().restore(&id, &only).unwrap();
    assert_eq!(restored.left, ["b.md"]);
    assert_eq!(project.read("b.md/deep/x.log"), "ignored");
    for (path, text) in [("a.md", "one"), ("docs/c.md", "docs/c.md"), ("z.md", "z.md")] {
        assert_eq!(project.read(path), text);
    }
    assert!(!project.root.join("b.md/new.md").exists());
}
