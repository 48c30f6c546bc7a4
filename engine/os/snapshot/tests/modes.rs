//! How open files are in repositories: what git does not look at, and what it may not read.
#![cfg(unix)]

use super::in_git::{git, repository};

#[test]
fn files_that_may_not_be_read_are_no_hindrance() {
    super::closed_files(&repository());
}

#[test]
fn programs_are_put_back_as_such_where_the_repository_does_not_look_at_them() {
    let project = repository();
    git(&project, &["config", "core.fileMode", "false"]);
    super::how_open_files_are(&project);
    let other = repository();
    git(&other, &["config", "core.fileMode", "false"]);
    super::links_and_programs(&other);
}
