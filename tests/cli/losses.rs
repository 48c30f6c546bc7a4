//! Files of a person that no snapshot holds: whatever a turn does, nobody removes them.
#![cfg(unix)]

use super::readers::REVIEW;
use super::{Ended, Run, folder_with};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// How many bytes are too many to be kept.
const LARGE: u64 = 17_000_000;

/// Returns a project whose agent runs some commands when it should only read.
fn project(commands: &str, files: &[(&str, &str)]) -> TempDir {
    let agent = format!("cat > /dev/null\n{commands}\necho '{{\"text\": \"fine\"}}'\n");
    let own = [("project/workflow.xml", REVIEW), ("agent.sh", agent.as_str())];
    folder_with(&[&own[..], files].concat())
}

fn git(place: &TempDir, words: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(place.path().join("project"));
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
    assert!(command.args(words).output().unwrap().status.success(), "{words:?}");
}

fn in_git(place: &TempDir) {
    git(place, &["init", "-q"]);
    git(place, &["add", "-A"]);
    git(place, &["commit", "-qm", "start"]);
}

fn call(place: &TempDir, words: &[&str]) -> Ended {
    let mut run = Run::default().with("PATH", "/usr/bin:/bin");
    run.environment.folder = place.path().join("project");
    run.call(words)
}

fn exec(place: &TempDir) -> Ended {
    let (state, agent) = (place.path().join("state"), place.path().join("agent.sh"));
    let agent = format!("command:sh {}", agent.display());
    let words = ["exec", "workflow.xml", "--non-interactive", "--agent", &agent];
    call(place, &[&words[..], &["--state-dir", state.to_str().unwrap()]].concat())
}

fn size(place: &TempDir, path: &str) -> Option<u64> {
    let path = place.path().join("project").join(path);
    fs::metadata(path).ok().map(|there| there.len())
}

/// Finds the command that has files back, if one is told.
fn command(errors: &str) -> Option<Vec<&str>> {
    let told = errors
        .lines()
        .find_map(|line| line.trim().strip_prefix("bmad rollback"));
    Some(["rollback"].into_iter().chain(told?.split_whitespace()).collect())
}

#[test]
fn a_large_file_that_comes_while_somebody_reads_stays_and_is_named() {
    for kept_by_git in [false, true] {
        let place = project("[ -e dump.sql ] || head -c 17000000 /dev/zero > dump.sql", &[]);
        if kept_by_git {
            in_git(&place);
        }
        let ended = exec(&place);
        assert_eq!(size(&place, "dump.sql"), Some(LARGE), "{ended:?}");
        let told = "or has in its place what nothing keeps, and is left as it is: dump.sql";
        assert!(ended.errors.contains(told), "{}", ended.errors);
        assert!(!ended.errors.contains("nothing is lost"), "{}", ended.errors);
    }
}

#[test]
fn files_that_were_ignored_stay_where_a_reader_changes_what_is_ignored() {
    let files = [
        ("project/.gitignore", ".env\ndata/\n"),
        ("project/.env", "SECRET=1\n"),
        ("project/data/app.sqlite", "rows\n"),
    ];
    let place = project("echo '*.tmp' > .gitignore", &files);
    in_git(&place);
    let ended = exec(&place);
    assert!(
        ended.errors.contains("changed  .gitignore\n  put back"),
        "{}",
        ended.errors
    );
    for (path, text) in files {
        let now = fs::read_to_string(place.path().join(path)).ok();
        assert_eq!(now.as_deref(), Some(text), "{path}: {}", ended.errors);
    }
}

#[test]
fn what_can_be_had_back_is_told_without_what_stayed_and_a_large_file_in_the_way_is_left() {
    for kept_by_git in [false, true] {
        let commands = "[ -e dump.sql ] || { head -c 17000000 /dev/zero > dump.sql; echo new > new.md; }";
        let place = project(commands, &[]);
        if kept_by_git {
            in_git(&place);
        }
        let ended = exec(&place);
        assert_eq!(size(&place, "new.md"), None, "{ended:?}");
        let words = command(&ended.errors).unwrap();
        assert_eq!(words[words.len() - 2..], ["--yes", "new.md"], "{words:?}");
        let grown = place.path().join("project/new.md");
        fs::File::create(&grown).unwrap().set_len(LARGE).unwrap();
        let taken = call(&place, &words);
        assert_eq!(taken.code, 1, "{taken:?}");
        assert!(taken.output.contains("left alone\nnot all of it was done"), "{taken:?}");
        assert_eq!(size(&place, "new.md"), Some(LARGE));
        fs::remove_file(&grown).unwrap();
        let taken = call(&place, &words);
        assert_eq!(taken.code, 0, "{taken:?}");
        assert_eq!(fs::read_to_string(Path::new(&grown)).unwrap(), "new\n");
    }
}
