//! Folders that git does not know.

use super::{Project, SnapshotError, SnapshotId, project, rows};
use crate::os::snapshot::Contents;
use std::fs;

fn kept(project: &Project) -> SnapshotId {
    let id = project.snapshots().take(1).unwrap();
    assert_eq!(id, SnapshotId::Kept { n: 1 });
    id
}

#[test]
fn files_that_changed_went_or_came_are_told_and_put_back() {
    super::a_file_each_way(&project());
}

#[cfg(unix)]
#[test]
fn files_folders_and_links_that_took_the_place_of_each_other_are_put_back() {
    super::shapes_that_changed(&project());
}

#[cfg(unix)]
#[test]
fn links_and_programs_are_put_back_as_such() {
    super::links_and_programs(&project());
}

#[cfg(unix)]
#[test]
fn files_are_as_open_as_they_were_and_empty_folders_stay() {
    super::how_open_files_are(&project());
}

#[test]
fn a_large_file_is_told_of_and_left() {
    super::a_large_file(&project());
}

#[test]
fn a_large_file_that_came_is_never_removed() {
    super::a_large_file_that_came(&project());
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read_are_no_hindrance() {
    super::closed_files(&project());
}

#[test]
fn the_state_folder_is_never_part_of_a_snapshot() {
    super::a_state_folder_inside(&project());
}

#[test]
fn a_path_that_leads_out_is_refused() {
    super::paths_that_lead_out(&project());
}

#[test]
fn each_snapshot_is_one_moment() {
    super::several_moments(&project());
}

#[test]
fn a_repository_that_git_does_not_look_at_is_told_of_once() {
    let project = project();
    project.write(".git", "gitdir: ../elsewhere");
    let known = std::sync::Arc::default();
    let snapshots = project.snapshots().knowing(&known);
    assert_eq!(snapshots.take(1).unwrap(), SnapshotId::Kept { n: 1 });
    snapshots.take(2).unwrap();
    let notes = known.take_notes();
    assert!(
        notes.len() == 1 && notes[0].starts_with("git does not look at this project (fatal: not a git repository"),
        "{notes:?}"
    );
}

#[test]
fn what_a_command_makes_again_is_not_looked_at() {
    let project = project();
    project.write("a.md", "one");
    let id = kept(&project);
    project.write("node_modules/b/c.js", "x");
    project.write("sub/target/d.o", "x");
    project.write(".git/config", "x");
    assert_eq!(project.differences(&id), []);
}

#[test]
fn a_file_written_twice_in_one_moment_is_seen() {
    let project = project();
    project.write("a.md", "one");
    let id = kept(&project);
    let times = fs::metadata(project.root.join("a.md")).unwrap();
    project.write("a.md", "two");
    let file = fs::File::options().write(true).open(project.root.join("a.md")).unwrap();
    file.set_modified(times.modified().unwrap()).unwrap();
    assert_eq!(project.differences(&id), rows(&[("a.md", "changed")]));
}

#[cfg(unix)]
#[test]
fn a_file_that_did_not_change_is_not_read_again() {
    use super::super::manifest::{Manifest, What};
    let project = project();
    project.write("a.md", "one");
    kept(&project);
    // As if the file had been written long before the snapshot: its times are trusted then.
    let path = project.run.kept().join("1.json");
    let mut manifest = Manifest::read(&path).unwrap();
    manifest.taken += 10_000_000_000;
    let known = What::Bytes("a hash that only the manifest knows".to_owned());
    manifest.files.get_mut("a.md").unwrap().what = known.clone();
    manifest.write(&path).unwrap();
    project.snapshots().take(2).unwrap();
    let second = Manifest::read(&project.run.kept().join("2.json")).unwrap();
    assert_eq!(second.files["a.md"].what, known);
}

#[test]
fn what_was_kept_and_changed_since_is_not_put_back() {
    let project = project();
    project.write("a.md", "one");
    let id = kept(&project);
    let hash = crate::machine::sha256(b"one");
    fs::write(project.run.kept().join(hash), "eno").unwrap();
    project.write("a.md", "two");
    let error = project.snapshots().restore(&id, &["a.md".to_owned()]).unwrap_err();
    assert!(matches!(error, SnapshotError::Refused { .. }), "{error}");
    assert_eq!(project.read("a.md"), "two");
}

#[test]
fn a_snapshot_that_was_never_taken_is_unknown() {
    let project = project();
    let id = SnapshotId::Kept { n: 9 };
    let error = project.snapshots().differences(&id).unwrap_err();
    assert_eq!(error, SnapshotError::Unknown("kept:9".to_owned()));
}

#[test]
fn bytes_are_kept_by_their_hash() {
    let project = project();
    let contents = Contents::of(&project.run);
    let hash = contents.put(b"bytes").unwrap();
    assert_eq!(contents.put(b"bytes").unwrap(), hash);
    assert_eq!(contents.get(&hash).unwrap(), b"bytes");
    assert!(contents.get("../../../etc/hostname").is_err());
}

#[test]
fn a_number_is_never_given_twice() {
    super::numbers_that_are_taken(&project());
}

#[test]
fn what_git_ignores_since_is_kept_before_files_are_put_back() {
    let project = project();
    project.write(".gitignore", ".env\n");
    project.write(".env", "KEY=1");
    let before = kept(&project);
    super::in_git::git(&project, &["init", "-q"]);
    project.write(".env", "KEY=2");
    let beside = project.snapshots().take_beside(2, &before).unwrap();
    let paths = [".env".to_owned()];
    project.snapshots().restore(&before, &paths).unwrap();
    assert_eq!(fs::read_to_string(project.root.join(".env")).unwrap(), "KEY=1");
    project.snapshots().restore(&beside, &paths).unwrap();
    assert_eq!(fs::read_to_string(project.root.join(".env")).unwrap(), "KEY=2");
}
