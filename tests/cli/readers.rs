//! Turns that may only read: an agent that writes nonetheless is caught, and its files are put back.
#![cfg(unix)]

use super::{Ended, Run, folder_with};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A workflow with one turn that may only read.
pub(super) const REVIEW: &str = r#"<workflow name="Review">
  <step n="1" goal="Review">
    <dispatch mode="fresh" access="read" into="reply">Read it. Answer with text.</dispatch>
    <output>{reply.text}</output>
  </step>
</workflow>
"#;
const JUDGE: &str = r#"<workflow name="Judge">
  <step n="1" goal="Judge">
    <check if="the notes are any good"><output>good</output></check>
  </step>
</workflow>
"#;
const TWO: &str = r#"<workflow name="Two">
  <step n="1" goal="Review">
    <parallel into="both">
      <dispatch agent="lawyer" mode="fresh" access="read">Read it. Answer with text.</dispatch>
      <dispatch agent="customer" mode="fresh" access="read">Read it. Answer with text.</dispatch>
    </parallel>
    <output file="{project-root}/_bmad-output/after.md">after</output>
  </step>
</workflow>
"#;
const WRITES: &str = r#"cat > /dev/null
echo new > new.md; echo worse > notes.md; rm old.md
echo '{"text": "fine", "judgements": [{"n": 1, "holds": true}]}'
"#;
const READS: &str = r#"cat > /dev/null
cat notes.md > /dev/null
echo '{"text": "fine", "judgements": [{"n": 1, "holds": true}]}'
"#;

fn project(workflow: &str, agent: &str) -> TempDir {
    folder_with(&[
        ("project/workflow.xml", workflow),
        ("project/notes.md", "good\n"),
        ("project/old.md", "old\n"),
        ("project/_bmad-output/x.md", "x\n"),
        ("agent.sh", agent),
    ])
}

/// Starts a run that goes on beside others.
fn start(place: &TempDir, file: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_bmad"))
        .args(["exec", file, "--non-interactive", "--agent"])
        .arg(format!("command:sh {}", place.path().join("agent.sh").display()))
        .arg("--state-dir")
        .arg(place.path().join("state"))
        .current_dir(place.path().join("project"))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap()
}

fn exec(place: &TempDir) -> Ended {
    exec_of(place, "workflow.xml")
}

fn exec_of(place: &TempDir, workflow: &str) -> Ended {
    let mut run = Run::default().with("PATH", "/usr/bin:/bin");
    run.environment.folder = place.path().join("project");
    let (state, agent) = (place.path().join("state"), place.path().join("agent.sh"));
    let agent = format!("command:sh {}", agent.display());
    let words = ["exec", workflow, "--non-interactive", "--agent", &agent];
    run.call(&[&words[..], &["--state-dir", state.to_str().unwrap()]].concat())
}

fn in_git(place: &TempDir) {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(place.path().join("project")).args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
        ]);
        assert!(command.args(words).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "start"]);
}

/// Says whether the files are what they were before the turn.
fn is_as_before(place: &TempDir) -> bool {
    let read = |path: &str| fs::read_to_string(place.path().join("project").join(path)).ok();
    let now = [read("notes.md"), read("old.md"), read("new.md")];
    now == [Some("good\n".to_owned()), Some("old\n".to_owned()), None]
}

#[test]
fn a_reviewer_that_writes_is_caught_and_its_files_are_put_back() {
    for kept_by_git in [false, true] {
        let place = project(REVIEW, WRITES);
        if kept_by_git {
            in_git(&place);
        }
        let ended = exec(&place);
        assert!(is_as_before(&place), "{ended:?}");
        for told in [
            "failed (denied): the turn of the agent in step 1 may only read",
            "added    new.md",
            "changed  notes.md",
            "removed  old.md",
        ] {
            assert!(ended.errors.contains(told), "{told}: {}", ended.errors);
        }
        assert!(!ended.output.contains("fine"), "{}", ended.output);
    }
}

#[test]
fn a_repository_that_a_reader_leaves_elsewhere_is_told_of() {
    let agent = "cat > /dev/null\ngit checkout -q -b other\necho worse > notes.md\necho '{\"text\": \"fine\"}'\n";
    let place = project(REVIEW, agent);
    in_git(&place);
    let errors = exec(&place).errors;
    assert!(is_as_before(&place), "{errors}");
    let told = errors.lines().find(|line| line.contains("git stood at")).unwrap();
    let (was, is) = told.split_once(" and stands at ").unwrap();
    assert!(was.starts_with("  git stood at branch `ma"), "{told}");
    assert!(
        is.starts_with("branch `other` at ") && is.ends_with(": that is left to you"),
        "{told}"
    );
}

#[test]
fn what_a_person_changed_during_a_turn_that_reads_can_be_had_back_with_the_command_that_is_told() {
    for kept_by_git in [false, true] {
        let place = project(REVIEW, WRITES);
        if kept_by_git {
            in_git(&place);
        }
        let ended = exec(&place);
        assert!(is_as_before(&place), "{ended:?}");
        let told = ended.errors.lines().find_map(|line| line.trim().strip_prefix("bmad "));
        let words: Vec<&str> = told.unwrap().split(' ').collect();
        assert_eq!(
            words[words.len() - 4..],
            ["--yes", "new.md", "notes.md", "old.md"],
            "{told:?}"
        );
        let call = |words: &[&str]| {
            let mut run = Run::default().with("PATH", "/usr/bin:/bin");
            run.environment.folder = place.path().join("project");
            run.call(words)
        };
        let unsure: Vec<&str> = words.iter().copied().filter(|word| *word != "--yes").collect();
        let shown = call(&unsure);
        assert_eq!(shown.code, 0, "{shown:?}");
        for told in [
            "new.md  made again",
            "notes.md  restored",
            "old.md  removed",
            "--yes does it",
        ] {
            assert!(shown.output.contains(told), "{told}: {}", shown.output);
        }
        assert!(is_as_before(&place), "{shown:?}");
        let taken = call(&words);
        assert_eq!(taken.code, 0);
        let read = |path: &str| fs::read_to_string(place.path().join("project").join(path)).ok();
        let now = [read("notes.md"), read("old.md"), read("new.md")];
        assert_eq!(now, [Some("worse\n".to_owned()), None, Some("new\n".to_owned())]);
        let again = call(&words);
        assert!(
            again.output.contains("all of them are what they were then"),
            "{again:?}"
        );
        // What was there before is kept in its turn.
        let told = taken.output.trim_end().rsplit_once("before: bmad ").unwrap().1;
        assert_eq!(call(&told.split(' ').collect::<Vec<_>>()).code, 0, "{told}");
        assert!(is_as_before(&place), "{told}");
    }
}

#[test]
fn what_was_never_kept_takes_nothing_away() {
    for kept_by_git in [false, true] {
        let place = project(REVIEW, WRITES);
        if kept_by_git {
            in_git(&place);
        }
        let told = exec(&place).errors;
        let words: Vec<&str> = told
            .lines()
            .find_map(|line| line.trim().strip_prefix("bmad "))
            .unwrap()
            .split(' ')
            .collect();
        let name = words.iter().position(|word| *word == "--take").unwrap() + 1;
        let call = |name_of: &str, path: &str| {
            let mut run = Run::default().with("PATH", "/usr/bin:/bin");
            run.environment.folder = place.path().join("project");
            let mut words = words[..words.len() - 3].to_vec();
            words[name] = name_of;
            words.push(path);
            run.call(&words)
        };
        let other = if kept_by_git { "kept:1" } else { "kept:99" };
        let ended = call(other, ".");
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(
            ended.errors.contains(&format!("no snapshot `{other}`")),
            "{}",
            ended.errors
        );
        let ended = call(words[name], "notes.mdd");
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(
            ended.errors.contains("`notes.mdd` is not in the project"),
            "{}",
            ended.errors
        );
        assert!(is_as_before(&place));
    }
}

#[test]
fn a_judge_that_writes_is_caught() {
    let place = project(JUDGE, WRITES);
    let ended = exec(&place);
    assert!(is_as_before(&place), "{ended:?}");
    assert!(
        ended
            .errors
            .contains("the judgement of the agent in step 1 may only read"),
        "{}",
        ended.errors
    );
    assert!(!ended.output.contains("good"), "{}", ended.output);
}

#[test]
fn of_several_readers_all_are_named() {
    let place = project(TWO, WRITES);
    let ended = exec(&place);
    assert!(is_as_before(&place), "{ended:?}");
    let told =
        "which of them wrote is not known, so all fail: the turn of customer in step 1, the turn of lawyer in step 1";
    assert!(ended.errors.contains(told), "{}", ended.errors);
}

#[test]
fn readers_that_only_read_and_what_the_engine_writes_are_no_matter() {
    for workflow in [REVIEW, JUDGE, TWO] {
        let place = project(workflow, READS);
        let ended = exec(&place);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(!ended.errors.contains("denied"), "{}", ended.errors);
    }
}

/// What another program writes at the same time: `tee` with the output of the run, a run of its own, a log.
#[cfg(target_os = "linux")]
#[test]
fn what_others_write_meanwhile_is_neither_blamed_on_a_reader_nor_put_back() {
    let place = project(REVIEW, READS);
    let folder = place.path().join("project");
    let line = format!(
        "'{}' exec workflow.xml --non-interactive --agent 'command:sh {}/agent.sh' --state-dir '{}/state' 2>&1 | tee run.log",
        env!("CARGO_BIN_EXE_bmad"),
        place.path().display(),
        place.path().display()
    );
    let ended = Command::new("bash")
        .args(["-o", "pipefail", "-c", &line])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(!said.contains("may only read"), "{said}");
    assert_eq!(fs::read_to_string(folder.join("run.log")).unwrap(), said);
}

#[cfg(target_os = "linux")]
#[test]
fn two_runs_at_once_leave_each_others_results_alone() {
    let place = project(TWO, &READS.replace("cat notes.md", "sleep 0.4; cat notes.md"));
    let folder = place.path().join("project");
    for name in ["one", "other"] {
        let workflow = TWO.replace("after.md", &format!("{name}.md"));
        fs::write(folder.join(name).with_extension("xml"), workflow).unwrap();
    }
    let one = start(&place, "one.xml");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let other = start(&place, "other.xml");
    for run in [one, other] {
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(!said.contains("may only read"), "{said}");
        assert!(!said.contains("did not stop in order"), "{said}");
    }
    for name in ["one.md", "other.md"] {
        let made = folder.join("_bmad-output").join(name);
        assert_eq!(fs::read_to_string(made).unwrap(), "after\n");
    }
}

/// What another run writes while this one reads is neither taken away nor blamed on the reader.
#[cfg(target_os = "linux")]
#[test]
fn the_work_of_another_run_is_left_alone_and_named() {
    let waits =
        "cat > /dev/null\ntouch ../began\nwhile [ ! -e ../go ]; do sleep 0.1; done\necho '{\"text\": \"fine\"}'\n";
    let place = project(REVIEW, waits);
    let folder = place.path().join("project");
    let other = r#"<workflow name="Other">
  <step n="1" goal="Write"><output file="{project-root}/src/feature.md">done</output></step>
</workflow>
"#;
    fs::write(folder.join("other.xml"), other).unwrap();
    let one = start(&place, "workflow.xml");
    while !place.path().join("began").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let said = |run: std::process::Child| {
        let ended = run.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        let all = [ended.stdout, ended.stderr].concat();
        String::from_utf8_lossy(&all).into_owned()
    };
    let other = said(start(&place, "other.xml"));
    assert!(other.contains("is at work in this project too"), "{other}");
    fs::write(place.path().join("go"), "").unwrap();
    let one = said(one);
    assert!(one.contains("fine"), "{one}");
    assert!(
        one.contains("another run of the project was at work") && one.contains("added    src/feature.md"),
        "{one}"
    );
    assert_eq!(fs::read_to_string(folder.join("src/feature.md")).unwrap(), "done\n");
}

#[test]
fn a_file_of_a_workflow_that_is_kept_elsewhere_shows_that_it_was_read() {
    let flow = r#"<workflow name="Check">
  <step n="1" goal="Check"><action>Read the checklist `./data/checklist.md` and follow it.</action></step>
</workflow>
"#;
    for (path, is_taken) in [
        ("flows/data/checklist.md", true),
        ("agent.sh", false),
        ("flows/data/no.md", false),
    ] {
        let place = project(REVIEW, "");
        let path = place.path().join(path);
        let agent = format!(
            "cat > /dev/null\necho '{{\"instructions\": [{{\"n\": 1, \"status\": \"done\", \"evidence\": [{{\"kind\": \"file\", \"path\": \"{}\"}}]}}]}}'\n",
            path.display()
        );
        fs::create_dir_all(place.path().join("flows/data")).unwrap();
        fs::write(place.path().join("flows/workflow.xml"), flow).unwrap();
        fs::write(place.path().join("flows/data/checklist.md"), "- all of it\n").unwrap();
        fs::write(place.path().join("agent.sh"), agent).unwrap();
        fs::write(place.path().join("project/bmad.toml"), "").unwrap();
        let ended = exec_of(&place, "../flows/workflow.xml");
        assert_eq!(ended.code == 0, is_taken, "{}: {}", path.display(), ended.errors);
    }
}
