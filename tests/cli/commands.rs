//! Commands of a project in real runs: what is trusted, what runs, what is told, and what a resume does about it.

mod configured;
mod cut_off;

use super::{Ended, Run, folder_with};
use std::path::PathBuf;
use tempfile::TempDir;

/// A project with commands, and a place for its runs.
pub(super) struct Workshop {
    folder: TempDir,
    state: TempDir,
}

impl Workshop {
    /// Makes one whose workflow holds these instructions.
    fn new(instructions: &str) -> Self {
        Self::with(instructions, &[])
    }

    fn with(instructions: &str, others: &[(&str, &str)]) -> Self {
        let flow =
            format!("<workflow name=\"Build\">\n<step n=\"1\" goal=\"Check\">\n{instructions}\n</step>\n</workflow>\n");
        let files: Vec<(&str, &str)> = [("workflow.xml", flow.as_str())]
            .into_iter()
            .chain(others.iter().copied())
            .collect();
        Self {
            folder: folder_with(&files),
            state: tempfile::tempdir().unwrap(),
        }
    }

    fn call(&self, args: &[&str]) -> Ended {
        let mut run = Run::default().with("PATH", "/usr/bin:/bin").with("HOME", "/nowhere");
        run.environment.folder = self.folder.path().to_path_buf();
        let others = &mut run.environment.others;
        others.insert("CARGO_HOME".to_owned(), "/cargo".to_owned());
        others.insert("DEPLOY_TOKEN".to_owned(), "hush-hush-hush".to_owned());
        let state = self.state.path().to_str().unwrap();
        let mut ended = run.call(&[args, &["--state-dir", state]].concat());
        ended.errors = ended.errors.replace(state, "STATE");
        ended
    }

    fn trust(&self, file: &str) {
        let ended = self.call(&["trust", file, "--yes"]);
        assert_eq!(
            (ended.code, ended.output.lines().last()),
            (0, Some("trusted")),
            "{ended:?}"
        );
    }

    fn exec(&self, more: &[&str]) -> Ended {
        let args = ["exec", "workflow.xml", "--non-interactive", "--clock", "1794723365000"];
        self.call(&[&args, more].concat())
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.path(path), text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }
}

/// Shows every field of a result.
const TELL: &str = "<output>{it.command} | {it.ok} | {it.code} | {it.how} | {it.output}</output>";

#[test]
fn what_nobody_trusted_is_told_before_and_does_not_run() {
    let shop = Workshop::new(&format!("<run command=\"touch ran\" into=\"it\"/>{TELL}"));
    let ended = shop.exec(&[]);
    assert!(!shop.path("ran").exists());
    insta::assert_snapshot!(ended.errors, @r"
    note: the command `touch ran` will not run, nobody trusted it; `bmad trust workflow.xml --state-dir STATE` shows and trusts it
    Build · step 1: Check
      `touch ran` → not run: nobody trusted it; `bmad trust workflow.xml` shows and trusts it
    completed: 1 step
    ");
    insta::assert_snapshot!(ended.output, @r"touch ran | false |  | not run: nobody trusted it; `bmad trust workflow.xml` shows and trusts it |");
    assert_eq!(ended.code, 0);
    assert_eq!(shop.call(&["verify"]).code, 0);
}

#[test]
fn trusting_shows_the_command_and_asks_and_then_it_runs() {
    let shop = Workshop::new(&format!(
        "<run command=\"pwd -P | xargs basename; echo oh >&amp;2; exit 3\" timeout=\"20\" into=\"it\"/>{TELL}"
    ));
    let asked = shop.call(&["trust", "workflow.xml"]);
    insta::assert_snapshot!(asked.output.replace("] \n", "]\n"), @r"
    workflow.xml:3  run (not trusted)
        pwd -P | xargs basename; echo oh >&2; exit 3
    May these commands run in runs of this project? [y/N]
    not trusted; they do not run
    ");
    assert_eq!(asked.code, 1);
    shop.trust("workflow.xml");
    let ended = shop.exec(&[]);
    let folder = shop.folder.path().file_name().unwrap().to_str().unwrap();
    insta::assert_snapshot!(ended.errors, @r"
    Build · step 1: Check
      runs `pwd -P | xargs basename; echo oh >&2; exit 3`
      `pwd -P | xargs basename; echo oh >&2; exit 3` → exit code 3: oh
    completed: 1 step
    ");
    insta::assert_snapshot!(ended.output.replace(folder, "FOLDER"), @r"
    pwd -P | xargs basename; echo oh >&2; exit 3 | false | 3 | exit code 3 | FOLDER
    oh
    ");
    let listed = shop.call(&["trust", "workflow.xml"]);
    assert_eq!(
        (listed.code, listed.output.lines().last()),
        (0, Some("all of them are trusted"))
    );
    shop.call(&["trust", "workflow.xml", "--forget"]);
    assert!(shop.exec(&[]).output.contains("not run: nobody trusted it"));
}

#[test]
fn a_command_is_allowed_for_one_run_and_only_exactly_that_one() {
    let shop = Workshop::new(&format!("<run command=\"echo one\" into=\"it\"/>{TELL}"));
    for allowed in ["echo *", "echo", "echo one; echo two"] {
        let ended = shop.exec(&["--allow", allowed]);
        assert!(ended.output.contains("not run"), "{allowed}: {}", ended.output);
    }
    let ended = shop.exec(&["--allow", "echo one"]);
    assert_eq!(
        ended.output, "echo one | true | 0 | exit code 0 | one\n",
        "{}",
        ended.errors
    );
    assert!(!ended.errors.contains("note:"), "{}", ended.errors);
    assert!(shop.exec(&[]).output.contains("not run"));
}

#[test]
fn trust_ends_where_the_script_changes_that_is_run_also_while_the_run_goes_on() {
    let shop = Workshop::with(
        &format!(
            "<run command=\"sh ./check.sh\" into=\"it\"/>{TELL}<output file=\"{{project-root}}/check.sh\">echo mine</output><run command=\"sh ./check.sh\" into=\"it\"/>{TELL}"
        ),
        &[("check.sh", "echo theirs\n")],
    );
    shop.trust("workflow.xml");
    let ended = shop.exec(&[]);
    insta::assert_snapshot!(ended.output, @r"
    sh ./check.sh | true | 0 | exit code 0 | theirs
    sh ./check.sh | false |  | not run: nobody trusted it; `bmad trust workflow.xml` shows and trusts it |
    ");
}

#[test]
fn what_takes_too_long_is_ended_with_all_that_it_started() {
    let shop = Workshop::new(&format!(
        "<run command=\"echo begun; sleep 300 &amp; sleep 300\" timeout=\"1\" into=\"it\"/>{TELL}"
    ));
    shop.trust("workflow.xml");
    let ended = shop.exec(&[]);
    assert_eq!(
        ended.output, "echo begun; sleep 300 & sleep 300 | false |  | took too long and was ended | begun\n",
        "{}",
        ended.errors
    );
}

#[test]
fn a_command_gets_the_environment_but_for_what_is_secret() {
    let shop = Workshop::new(&format!(
        "<run command=\"echo $CARGO_HOME $HOME; echo [$DEPLOY_TOKEN]; echo token ghp_{} hush-hush-hush; cat\" into=\"it\"/>{TELL}",
        "A1B2C3D4E5".repeat(4)
    ));
    shop.trust("workflow.xml");
    let ended = shop.exec(&[]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let (_, output) = ended.output.rsplit_once("exit code 0 | ").unwrap();
    insta::assert_snapshot!(output, @r"
    /cargo /nowhere
    []
    token [masked: GitHub token] [masked: DEPLOY_TOKEN]
    ");
}

#[test]
fn of_much_output_the_beginning_and_the_end_are_kept() {
    let shop = Workshop::new("<run command=\"seq 1 200000\" into=\"it\"/><output>{it.output}</output>");
    shop.trust("workflow.xml");
    let ended = shop.exec(&[]);
    let lines: Vec<&str> = ended.output.trim_end().lines().collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("1", "200000"), "{}", ended.errors);
    assert!(ended.output.contains("bytes are left out") && ended.output.len() < 40_000);
    assert_eq!(shop.call(&["verify"]).code, 0);
}

#[test]
fn a_run_that_is_resumed_does_not_run_it_again_and_what_it_wrote_is_told() {
    let shop = Workshop::new(
        "<run command=\"echo ran >> log; echo fine; exit 2\" into=\"it\"/><ask response=\"x\">Go on?</ask><output>{it.how} {x}</output>",
    );
    shop.trust("workflow.xml");
    assert_eq!(shop.exec(&[]).code, 3);
    shop.write("answers.yaml", "x: yes\n");
    let resumed = shop.call(&[
        "resume",
        "--non-interactive",
        "--clock",
        "1794723365000",
        "--answers",
        "answers.yaml",
    ]);
    assert_eq!(
        (resumed.code, resumed.output.as_str()),
        (0, "exit code 2 yes\n"),
        "{}",
        resumed.errors
    );
    assert_eq!(std::fs::read_to_string(shop.path("log")).unwrap(), "ran\n");
    assert_eq!(shop.call(&["verify"]).code, 0);
    let log = shop.call(&["log"]).output;
    let log: Vec<&str> = log.lines().filter(|line| !line.contains("by process")).collect();
    insta::assert_snapshot!(log.join("\n"), @r"
    2026-11-15 06:16:05        begun       workflow.xml with offline
    2026-11-15 06:16:05        now         2026-11-15 06:16:05 UTC
    2026-11-15 06:16:05   1    checkpoint  Build, step 1: Check
    2026-11-15 06:16:05   1    run         sh begins: echo ran >> log; echo fine; exit 2
    2026-11-15 06:16:05 ! 1    run         exit code 2: fine
    2026-11-15 06:16:05        stopped     waiting: 1-cb5ae32c
    2026-11-15 06:16:05   1    ask         Go on? → yes (by the answers file)
    2026-11-15 06:16:05   1    show        exit code 2 yes
    2026-11-15 06:16:05        stopped     completed
    ");
}

#[test]
fn what_a_command_did_is_told_in_full_and_before_going_back() {
    let shop = Workshop::new("<run command=\"echo ran >> log; echo fine; exit 2\"/><output>Done.</output>");
    shop.trust("workflow.xml");
    assert_eq!(shop.exec(&[]).code, 0);
    let shown = shop.call(&["show"]).output;
    let step: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("step"))
        .take(3)
        .collect();
    insta::assert_snapshot!(step.join("\n"), @r"
    step 1  Check  (1 command)
      command 1: `echo ran >> log; echo fine; exit 2` → exit code 2: fine
    ");
    insta::assert_snapshot!(shop.call(&["show", "--turn", "1"]).output, @r"
    command 1 in step 1

    echo ran >> log; echo fine; exit 2

    exit code 2
    fine
    ");
    insta::assert_snapshot!(shop.call(&["rollback", "last", "--to", "1"]).output, @r"
    run 20261115-061605-0000 back to the beginning of step 1
      5 of 7 lines void: those after line 2
      not undone: command 1 in step 1 ran `echo ran >> log; echo fine; exit 2`
      differs from the snapshot before it; --snapshot puts it back:
        log  added
    nothing was changed; --yes does it
    ");
}

#[test]
fn a_command_is_planned_explained_and_drawn() {
    let shop = Workshop::new("<run command=\"make all\" timeout=\"60\" into=\"it\"/><output>{it.how}</output>");
    let plan = shop.call_plain(&["plan", "workflow.xml"]);
    assert!(plan.output.contains("\n  runs make all\n"), "{}", plan.output);
    let told = shop.call_plain(&["explain", "workflow.xml"]).output;
    assert!(
        told.contains("run `make all` once it is trusted, 60 s at most into {it}"),
        "{told}"
    );
    let drawn = shop.call_plain(&["graph", "workflow.xml"]).output;
    assert!(drawn.contains("[/\"run: make all\"/]"), "{drawn}");
}

#[test]
fn a_rehearsal_runs_no_command_and_comes_to_both_ends() {
    let shop = Workshop::new("");
    let ran = shop.path("ran").display().to_string();
    let flow = format!(
        "<workflow name=\"Build\"><step n=\"1\" goal=\"Check\"><run command=\"touch {ran}\" into=\"it\"/><halt reason=\"bad\" if=\"{{it.ok}} != true\"/></step></workflow>"
    );
    shop.write("workflow.xml", &flow);
    shop.trust("workflow.xml");
    let ended = shop.call_plain(&["rehearse", "workflow.xml"]);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(!shop.path("ran").exists());
    assert!(
        ended.output.contains("completed") && ended.output.contains("halted"),
        "{}",
        ended.output
    );
    // In earnest it is.
    shop.exec(&[]);
    assert!(shop.path("ran").exists());
}

#[test]
fn hooks_see_a_command_as_a_tool() {
    let hooks = "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\ncommand = 'echo \"before $TOOL_ARGS\" >> log'\n[[hooks.PostToolUse]]\nmatcher = \"Bash\"\ncommand = 'echo \"after $TOOL_ARGS $EXIT_CODE\" >> log'\n";
    let shop = Workshop::with(
        "<run command=\"exit 3\"/><run command=\"exit 4\"/>",
        &[("bmad.toml", hooks)],
    );
    shop.trust("bmad.toml");
    shop.exec(&["--allow", "exit 3"]);
    // What does not run has no hooks.
    assert_eq!(
        std::fs::read_to_string(shop.path("log")).unwrap(),
        "before exit 3\nafter exit 3 3\n"
    );
}

impl Workshop {
    /// Calls a command that keeps no runs.
    fn call_plain(&self, args: &[&str]) -> Ended {
        let mut run = Run::default().with("PATH", "/usr/bin:/bin");
        run.environment.folder = self.folder.path().to_path_buf();
        run.call(args)
    }
}
