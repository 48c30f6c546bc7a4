//! Work trees of real repositories.
#![expect(clippy::disallowed_methods, reason = "the tests run git")]

use super::super::git::{borrow, changes_since, differences, may_be_inside};
use super::{Project, SnapshotId, Snapshots, project, rows};
use crate::os::store::{RunFolder, Store};
use std::fs;
use std::process::Command;

pub(super) fn git(project: &Project, words: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(&project.root)
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(["-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null"])
        .args(words)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(super) fn repository() -> Project {
    let project = project();
    git(&project, &["init", "-q"]);
    project
}

/// A repository with a commit, something staged, something changed and something new.
fn busy() -> Project {
    let project = repository();
    project.write("a.md", "one");
    project.write("b.md", "two");
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    project.write("b.md", "staged");
    git(&project, &["add", "b.md"]);
    project.write("b.md", "changed after it was staged");
    project.write("c.md", "new");
    project
}

pub(super) fn tree(id: &SnapshotId) -> String {
    match id {
        SnapshotId::Git { tree, .. } => tree.clone(),
        SnapshotId::Kept { .. } => panic!("not in git"),
    }
}

#[test]
fn files_that_changed_went_or_came_are_told_and_put_back() {
    super::a_file_each_way(&repository());
}

#[cfg(unix)]
#[test]
fn files_folders_and_links_that_took_the_place_of_each_other_are_put_back() {
    super::shapes_that_changed(&repository());
}

#[cfg(unix)]
#[test]
fn links_and_programs_are_put_back_as_such() {
    super::links_and_programs(&repository());
}

#[cfg(unix)]
#[test]
fn files_are_as_open_as_they_were_and_empty_folders_stay() {
    super::how_open_files_are(&repository());
}

#[test]
fn a_large_file_is_told_of_and_left() {
    super::a_large_file(&repository());
}

#[test]
fn a_large_file_that_came_is_never_removed() {
    super::a_large_file_that_came(&repository());
}

#[test]
fn the_state_folder_is_never_part_of_a_snapshot() {
    super::a_state_folder_inside(&repository());
}

#[test]
fn a_path_that_leads_out_is_refused() {
    super::paths_that_lead_out(&repository());
}

#[test]
fn each_snapshot_is_one_moment() {
    super::several_moments(&repository());
}

#[test]
fn the_index_the_head_and_the_branches_of_the_user_are_not_touched() {
    let project = busy();
    let index = || fs::read(project.root.join(".git/index")).unwrap();
    let status = || {
        git(
            &project,
            &["--no-optional-locks", "status", "--porcelain=v2", "--branch"],
        )
    };
    let branches = || git(&project, &["for-each-ref", "refs/heads", "refs/tags", "refs/stash"]);
    let before = (
        index(),
        status(),
        branches(),
        fs::read(project.root.join(".git/HEAD")).unwrap(),
    );
    let id = project.snapshots().take(1).unwrap();
    project.write("a.md", "written by an agent");
    project.write("d.md", "written by an agent");
    assert_eq!(project.restore_all(&id), []);
    let after = (
        index(),
        status(),
        branches(),
        fs::read(project.root.join(".git/HEAD")).unwrap(),
    );
    assert!(before == after);
    assert_eq!(project.read("b.md"), "changed after it was staged");
}

#[test]
fn a_snapshot_holds_what_is_in_the_folder_and_not_what_is_staged() {
    let project = busy();
    let id = project.snapshots().take(1).unwrap();
    let listed = git(&project, &["ls-tree", "-r", "--name-only", &tree(&id)]);
    assert_eq!(listed, "a.md\nb.md\nc.md");
    let shown = git(&project, &["show", &format!("{}:b.md", tree(&id))]);
    assert_eq!(shown, "changed after it was staged");
}

#[test]
fn ignored_files_are_not_looked_at_unless_they_are_tracked() {
    let project = repository();
    project.write(".gitignore", "*.log\nbuild/\n");
    project.write("tracked.log", "one");
    project.write("other.log", "one");
    git(&project, &["add", "-f", ".gitignore", "tracked.log"]);
    let id = project.snapshots().take(1).unwrap();
    project.write("tracked.log", "two");
    project.write("other.log", "two");
    project.write("build/out", "two");
    assert_eq!(project.differences(&id), rows(&[("tracked.log", "changed")]));
}

#[test]
fn bytes_come_back_as_they_were_whatever_the_repository_makes_of_line_ends() {
    let project = repository();
    git(&project, &["config", "core.autocrlf", "true"]);
    project.write(".gitattributes", "* text=auto eol=crlf\n*.bin filter=upper\n");
    git(&project, &["config", "filter.upper.clean", "tr a-z A-Z"]);
    let texts = [
        ("unix.md", "a\nb\n"),
        ("dos.md", "a\r\nb\r\n"),
        ("mixed.md", "a\r\nb\n"),
        ("f.bin", "abc"),
    ];
    for (path, text) in texts {
        project.write(path, text);
    }
    let id = project.snapshots().take(1).unwrap();
    for (path, _) in texts {
        project.write(path, "gone");
    }
    assert_eq!(project.restore_all(&id), []);
    for (path, text) in texts {
        assert_eq!(project.read(path), text, "{path}");
    }
}

#[test]
fn attributes_that_a_repository_keeps_for_itself_run_nothing() {
    let project = busy();
    git(&project, &["config", "filter.a=b.clean", "touch ran; cat"]);
    git(&project, &["config", "filter.a=b.smudge", "touch ran; cat"]);
    git(&project, &["config", "filter.a=b.required", "true"]);
    project.write(".git/info/attributes", "* filter=a=b\n");
    project.write("new.md", "one");
    let id = project.snapshots().take(1).unwrap();
    project.write("new.md", "two");
    assert_eq!(project.differences(&id), rows(&[("new.md", "changed")]));
    assert_eq!(project.restore_all(&id), []);
    assert_eq!(project.read("new.md"), "one");
    assert!(!project.root.join("ran").exists());
}

#[test]
fn programs_of_the_repository_are_not_run() {
    let project = busy();
    let hooks = project.root.join("hooks");
    for name in ["post-index-change", "reference-transaction", "post-checkout"] {
        project.write(&format!("hooks/{name}"), "#!/bin/sh\ntouch ran\n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(hooks.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    git(&project, &["config", "core.hooksPath", hooks.to_str().unwrap()]);
    git(&project, &["config", "core.fsmonitor", "touch ran; false"]);
    let id = project.snapshots().take(1).unwrap();
    project.write("a.md", "x");
    project.restore_all(&id);
    project.write(".gitattributes", "*.md filter=own\n");
    git(&project, &["config", "filter.own.clean", "touch ran; cat"]);
    git(&project, &["config", "filter.own.required", "true"]);
    project.write("a.md", "quite new\n");
    let changes = changes_since(&project.root, "HEAD").unwrap();
    let told = differences(&project.root, &changes, &["a.md".to_owned()]).unwrap();
    assert!(told.contains("+quite new"), "{told}");
    assert!(!project.root.join("ran").exists());
}

#[test]
fn a_tree_is_kept_by_a_reference_until_the_run_is_removed() {
    let project = busy();
    let id = project.snapshots().take(4).unwrap();
    let reference = format!("refs/bmad/{}/4", project.run.id());
    assert_eq!(git(&project, &["rev-parse", &reference]), tree(&id));
    git(&project, &["gc", "-q", "--prune=now"]);
    project.write("c.md", "later");
    assert_eq!(project.restore_all(&id), []);
    project.store.remove(&project.run).unwrap();
    assert_eq!(git(&project, &["for-each-ref", "refs/bmad"]), "");
    assert!(!project.run.path().exists());
}

#[test]
fn a_repository_in_the_repository_is_left_alone() {
    let project = busy();
    project.write("inner/x.md", "x");
    git(&project, &["init", "-q", "inner"]);
    let id = project.snapshots().take(1).unwrap();
    project.write("inner/x.md", "y");
    project.write("a.md", "y");
    assert_eq!(project.differences(&id), rows(&[("a.md", "changed")]));
}

#[test]
fn a_project_below_the_top_of_the_work_tree_is_taken_alone() {
    let top = busy();
    top.write("sub/x.md", "x");
    let root = top.root.join("sub");
    let store = Store::open(&top.root.with_file_name("other"), &root).unwrap();
    let run = store.new_run(0).unwrap();
    let snapshots = Snapshots::of(&root, &run);
    let id = snapshots.take(1).unwrap();
    assert!(matches!(id, SnapshotId::Git { .. }));
    top.write("a.md", "not in the project");
    top.write("sub/x.md", "y");
    let found = snapshots.differences(&id).unwrap();
    assert_eq!(
        found.iter().map(|found| found.path.as_str()).collect::<Vec<_>>(),
        ["x.md"]
    );
    snapshots.restore(&id, &["x.md".to_owned()]).unwrap();
    assert_eq!(top.read("sub/x.md"), "x");
    assert_eq!(top.read("a.md"), "not in the project");
}

#[test]
fn a_folder_that_the_repository_ignores_is_kept_with_the_run() {
    let top = busy();
    top.write(".gitignore", "out/\n");
    top.write("out/x.md", "x");
    let root = top.root.join("out");
    let store = Store::open(&top.root.with_file_name("other"), &root).unwrap();
    let run = store.new_run(0).unwrap();
    let id = Snapshots::of(&root, &run).take(1).unwrap();
    assert_eq!(id, SnapshotId::Kept { n: 1 });
}

#[test]
fn a_repository_with_longer_hashes_works_too() {
    let project = project();
    git(&project, &["init", "-q", "--object-format=sha256"]);
    super::a_file_each_way(&project);
}

#[test]
fn a_second_run_starts_with_what_the_first_knew() {
    let project = busy();
    let first = project.snapshots().take(1).unwrap();
    let run = project.store.new_run(60_000).unwrap();
    assert!(borrow(&run) && !borrow(&run), "once");
    let known = |run: &RunFolder| {
        let time = fs::metadata(run.index()).unwrap().modified().unwrap();
        (fs::read(run.index()).unwrap(), time)
    };
    assert!(known(&run) == known(&project.run));
    let second = Snapshots::of(&project.root, &run).take(1).unwrap();
    assert_eq!(tree(&first), tree(&second));
}

#[test]
fn what_another_run_knew_and_the_repository_lost_is_read_again() {
    let project = busy();
    let first = project.snapshots().take(1).unwrap();
    project.snapshots().forget().unwrap();
    git(&project, &["gc", "-q", "--prune=now"]);
    let run = project.store.new_run(60_000).unwrap();
    let second = Snapshots::of(&project.root, &run).take(1).unwrap();
    assert_eq!(tree(&first), tree(&second));
    assert_eq!(git(&project, &["show", &format!("{}:c.md", tree(&second))]), "new");
}

#[test]
fn locks_of_a_git_that_was_killed_are_no_hindrance() {
    let project = busy();
    fs::write(project.run.path().join("index.lock"), "").unwrap();
    let folder = project.root.join(".git/refs/bmad").join(project.run.id());
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("1.lock"), "").unwrap();
    let id = project.snapshots().take(1).unwrap();
    project.write("a.md", "x");
    git(&project, &["gc", "-q", "--prune=now"]);
    assert_eq!(project.restore_all(&id), []);
}

#[test]
fn names_with_spaces_quotes_and_other_letters_are_taken_as_they_are() {
    let project = repository();
    let names = ["a b.md", "\"q\".md", "ü/ß.md", ":(top)x.md", "*.md", "-n"];
    for name in names {
        project.write(name, "one");
    }
    let id = project.snapshots().take(1).unwrap();
    for name in names {
        project.write(name, "two");
    }
    assert_eq!(project.differences(&id).len(), names.len());
    assert_eq!(project.restore_all(&id), []);
    assert!(names.iter().all(|name| project.read(name) == "one"));
}

#[test]
fn a_number_is_never_given_twice() {
    super::numbers_that_are_taken(&repository());
}

#[test]
fn only_what_may_be_a_repository_is_asked_about() {
    assert!(may_be_inside(&repository().root));
    let bare = project();
    assert!(!may_be_inside(&bare.root));
    fs::create_dir_all(bare.root.join(".git")).unwrap();
    assert!(!may_be_inside(&bare.root), "an empty folder of that name is none");
    fs::remove_dir(bare.root.join(".git")).unwrap();
    bare.write(".git", "gitdir: ../elsewhere");
    assert!(may_be_inside(&bare.root), "a work tree of its own has a file");
}

#[test]
fn a_repository_that_stands_elsewhere_is_told_of() {
    let project = repository();
    project.write("a.md", "one");
    let first = project.snapshots().take(1).unwrap();
    assert_eq!(project.snapshots().moved(&first), None);
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    let commit = git(&project, &["rev-parse", "--short=12", "HEAD"]);
    let main = format!("branch `main` at {commit}");
    let moved = project.snapshots().moved(&first);
    assert_eq!(moved, Some((String::new(), main.clone())));
    let second = project.snapshots().take(2).unwrap();
    git(&project, &["checkout", "-q", "-b", "other"]);
    let other = main.replace("main", "other");
    assert_eq!(project.snapshots().moved(&second), Some((main.clone(), other)));
    git(&project, &["checkout", "-q", "--detach"]);
    assert_eq!(project.snapshots().moved(&second), Some((main, commit)));
}
