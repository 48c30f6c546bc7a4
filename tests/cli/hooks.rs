//! Hooks in a real run: what is trusted, what runs, what stops, and what a resume does about it.

mod agents;
mod changed;
mod questions;

use super::{Ended, Run, folder_with};
use std::path::Path;
use tempfile::TempDir;

/// Two steps, the first of which writes a file.
const FLOW: &str = r#"<workflow name="Tea">
  <step n="1" goal="Boil"><output file="{project-root}/tea.md">Hot.</output></step>
  <step n="2" goal="Pour"><output>Poured.</output></step>
</workflow>
"#;

/// A project with hooks, and a place for its runs.
struct Kitchen {
    folder: TempDir,
    state: TempDir,
}

impl Kitchen {
    fn new(hooks: &str) -> Self {
        Self {
            folder: folder_with(&[("workflow.xml", FLOW), ("bmad.toml", hooks)]),
            state: tempfile::tempdir().unwrap(),
        }
    }

    fn call(&self, args: &[&str]) -> Ended {
        let mut run = Run::default().with("PATH", "/usr/bin:/bin");
        run.environment.folder = self.folder.path().to_path_buf();
        let state = self.state.path().to_str().unwrap();
        run.call(&[args, &["--state-dir", state]].concat())
    }

    fn trust(&self) {
        let ended = self.call(&["trust", "bmad.toml", "--yes"]);
        assert_eq!(ended.code, 0, "{}", ended.errors);
    }

    fn exec(&self) -> Ended {
        self.call(&["exec", "workflow.xml", "--non-interactive", "--clock", "1794723365000"])
    }

    fn resume(&self) -> Ended {
        self.call(&["resume", "--non-interactive", "--clock", "1794723365000"])
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.folder.path().join(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(path)).unwrap_or_default()
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        Path::new(self.folder.path()).join(path)
    }
}

/// Writes one line for each hook.
fn logging(events: &[&str]) -> String {
    let each = events.iter().map(|event| {
        format!("[[hooks.{event}]]\ncommand = '''echo \"{event} $WORKFLOW/$STEP $TOOL_NAME $TOOL_ARGS $EXIT_CODE\" | tr -s ' ' | sed 's/ $//' >> log'''\n")
    });
    each.collect()
}

#[test]
fn every_moment_of_a_run_has_its_hooks() {
    let kitchen = Kitchen::new(&logging(&[
        "before-step",
        "after-step",
        "Stop",
        "PreToolUse",
        "PostToolUse",
        "on-end",
    ]));
    kitchen.trust();
    let ended = kitchen.exec();
    assert_eq!(ended.code, 0, "{}", ended.errors);
    insta::assert_snapshot!(kitchen.read("log"), @r#"
    before-step Tea/1
    PreToolUse Tea/1 Write tea.md
    PostToolUse Tea/1 Write tea.md 0
    after-step Tea/1 0
    Stop Tea/1 0
    before-step Tea/2
    after-step Tea/2 0
    Stop Tea/2 0
    on-end Tea/ completed 0
    "#);
    // What was done is replayed, and its hooks are not run again.
    let before = kitchen.read("log");
    assert_eq!(kitchen.resume().code, 0);
    assert_eq!(kitchen.read("log"), before);
    assert_eq!(kitchen.call(&["verify"]).code, 0);
}

#[test]
fn what_nobody_trusted_is_refused_by_name_once_and_the_run_goes_on() {
    let kitchen = Kitchen::new("[[hooks.before-step]]\ncommand = \"touch ran\"\n");
    let ended = kitchen.exec();
    assert!(!kitchen.path("ran").exists());
    let state = kitchen.state.path().to_str().unwrap();
    insta::assert_snapshot!(ended.errors.replace(state, "STATE"), @r#"
      hook before-step `touch ran` → not run: nobody trusted it; `bmad trust bmad.toml --state-dir STATE` shows and trusts it
    Tea · step 1: Boil
      wrote tea.md
    Tea · step 2: Pour
    completed: 2 steps
    "#);
    assert_eq!(ended.code, 0);
}

#[test]
fn a_critical_hook_that_nobody_trusted_stops_the_run_until_somebody_does() {
    let kitchen = Kitchen::new("[[hooks.before-step]]\ncommand = \"touch ran\"\ncritical = true\n");
    assert_eq!(kitchen.exec().code, 1);
    assert!(!kitchen.path("tea.md").exists());
    kitchen.trust();
    assert_eq!(kitchen.resume().code, 0);
    assert!(kitchen.path("ran").exists() && kitchen.path("tea.md").exists());
}

#[test]
fn trust_ends_where_a_hook_or_a_file_that_it_names_changes() {
    let kitchen = Kitchen::new("[[hooks.on-end]]\ncommand = \"sh ./end.sh\"\n");
    kitchen.write("end.sh", "echo first >> log\n");
    kitchen.trust();
    kitchen.exec();
    kitchen.write("end.sh", "echo second >> log\n");
    let ended = kitchen.exec();
    assert_eq!(kitchen.read("log"), "first\n");
    assert!(ended.errors.contains("nobody trusted it"), "{}", ended.errors);
    kitchen.write("end.sh", "echo first >> log\n");
    kitchen.exec();
    assert_eq!(kitchen.read("log"), "first\nfirst\n");
    kitchen.call(&["trust", "bmad.toml", "--forget"]);
    kitchen.exec();
    assert_eq!(kitchen.read("log"), "first\nfirst\n");
}

#[test]
fn trusting_shows_what_would_run_and_asks() {
    let kitchen = Kitchen::new(
        "[[hooks.Stop]]\ncommand = '''\necho \"\u{1b}[2K\"\nrm -rf build\n'''\nonce = true\ntimeout = 2.5\n",
    );
    let ended = kitchen.call(&["trust", "bmad.toml"]);
    insta::assert_snapshot!(ended.output.replace("] \n", "]\n"), @r#"
    bmad.toml:2  Stop (once, 2.5 s, not trusted)
        echo "�[2K"
        rm -rf build
    May these commands run in runs of this project? [y/N]
    not trusted; they do not run
    "#);
    assert_eq!(ended.code, 1);
    let again = kitchen.call(&["trust", "bmad.toml", "--list"]);
    assert!(again.output.contains("not trusted"));
    kitchen.trust();
    let again = kitchen.call(&["trust", "bmad.toml"]);
    assert_eq!(
        (again.code, again.output.lines().last()),
        (0, Some("all of them are trusted"))
    );
}

#[test]
fn a_file_without_hooks_has_nothing_to_trust() {
    let kitchen = Kitchen::new("[[hooks.Stop]]\ncommand = \"true\"\n");
    let ended = kitchen.call(&["trust", "workflow.xml"]);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "`workflow.xml` names nothing that somebody has to trust\n")
    );
}

#[test]
fn the_hooks_of_a_step_file_are_trusted_with_its_workflow_and_run_in_its_step() {
    let folder = folder_with(&[
        (
            "flow/workflow.md",
            "---\nname: brew\ndescription: Brew\n---\n# Brew\n\nLoad and follow `./steps/step-01-boil.md`.\n",
        ),
        (
            "flow/steps/step-01-boil.md",
            "---\nname: boil\ndescription: Boil\nnextStepFile: './step-02-pour.md'\nhooks:\n  before-step:\n    - command: echo \"$STEP\" >> log\n---\n# Step 1: Boil\n\nBoil.\n\nLoad and follow {nextStepFile}.\n",
        ),
        (
            "flow/steps/step-02-pour.md",
            "---\nname: pour\ndescription: Pour\n---\n# Step 2: Pour\n\nPour.\n",
        ),
    ]);
    let kitchen = Kitchen {
        folder,
        state: tempfile::tempdir().unwrap(),
    };
    let trusted = kitchen.call(&["trust", "flow/workflow.md", "--yes"]);
    assert!(
        trusted.output.contains("flow/steps/step-01-boil.md:7  before-step"),
        "{}",
        trusted.output
    );
    let ended = kitchen.call(&[
        "exec",
        "flow/workflow.md",
        "--non-interactive",
        "--agent",
        "script:--ack",
    ]);
    assert_eq!(
        (ended.code, kitchen.read("log").as_str()),
        (0, "1\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_failing_hook_is_told_and_the_others_run() {
    let hooks = "[[hooks.before-step]]\ncommand = \"echo oh >&2; exit 3\"\n[[hooks.before-step]]\ncommand = \"echo two >> log\"\n";
    let kitchen = Kitchen::new(hooks);
    kitchen.trust();
    let ended = kitchen.exec();
    assert_eq!((ended.code, kitchen.read("log").as_str()), (0, "two\ntwo\n"));
    assert!(
        ended
            .errors
            .contains("  hook before-step `echo oh >&2; exit 3` → exit code 3: oh\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_critical_hook_before_a_write_keeps_it_from_happening_and_runs_again() {
    let kitchen = Kitchen::new("[[hooks.PreToolUse]]\ncommand = \"test -e allowed\"\ncritical = true\n");
    kitchen.trust();
    let ended = kitchen.exec();
    assert_eq!(ended.code, 1);
    assert!(!kitchen.path("tea.md").exists());
    insta::assert_snapshot!(ended.errors.lines().take(4).collect::<Vec<_>>().join("\n"), @r#"
    Tea · step 1: Boil
      hook PreToolUse `test -e allowed` → exit code 1, which stops the run
    failed: the critical hook `test -e allowed` (PreToolUse) failed: exit code 1 (bmad.toml:2)
      in: step 1
    "#);
    assert_eq!(kitchen.call(&["verify"]).code, 0);
    kitchen.write("allowed", "");
    assert_eq!(kitchen.resume().code, 0);
    assert!(kitchen.path("tea.md").exists());
}

#[test]
fn a_critical_hook_after_a_write_runs_again_and_the_write_does_not() {
    let hooks = "[[hooks.PostToolUse]]\ncommand = '''echo \"$TOOL_ARGS\" >> log; test -e allowed'''\ncritical = true\n";
    let kitchen = Kitchen::new(hooks);
    kitchen.trust();
    assert_eq!(kitchen.exec().code, 1);
    assert_eq!(kitchen.resume().code, 1);
    kitchen.write("allowed", "");
    let ended = kitchen.resume();
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "Poured.\n"),
        "{}",
        ended.errors
    );
    assert_eq!(kitchen.read("log"), "tea.md\ntea.md\ntea.md\n");
    assert_eq!(kitchen.read("tea.md"), "Hot.\n");
    assert_eq!(kitchen.call(&["verify"]).code, 0);
}

#[test]
fn a_critical_hook_at_the_end_runs_again() {
    let hooks = "[[hooks.after-step]]\ncommand = '''echo \"$STEP\" >> log'''\n[[hooks.on-end]]\ncommand = '''echo end >> log; test -e allowed'''\ncritical = true\n";
    let kitchen = Kitchen::new(hooks);
    kitchen.trust();
    assert_eq!(kitchen.exec().code, 1);
    assert_eq!(kitchen.call(&["verify"]).code, 0);
    kitchen.write("allowed", "");
    assert_eq!(kitchen.resume().code, 0);
    assert_eq!(kitchen.resume().code, 0);
    assert_eq!(kitchen.read("log"), "1\n2\nend\nend\n");
}

#[test]
fn a_person_may_go_on_without_a_critical_hook() {
    let kitchen = Kitchen::new("[[hooks.before-step]]\ncommand = \"exit 1\"\ncritical = true\n");
    kitchen.trust();
    kitchen.write("answers.yaml", "hook: [s, s]\n");
    let ended = kitchen.call(&["exec", "workflow.xml", "--non-interactive", "--answers", "answers.yaml"]);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "Poured.\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn once_is_once_also_where_a_run_is_resumed() {
    let hooks = "[[hooks.before-step]]\ncommand = \"echo once >> log\"\nonce = true\n[[hooks.PreToolUse]]\ncommand = \"test -e allowed\"\ncritical = true\n";
    let kitchen = Kitchen::new(hooks);
    kitchen.trust();
    assert_eq!(kitchen.exec().code, 1);
    kitchen.write("allowed", "");
    assert_eq!(kitchen.resume().code, 0);
    assert_eq!(kitchen.read("log"), "once\n");
}

#[test]
fn the_settings_are_checked_before_a_run_starts() {
    let kitchen = Kitchen::new("[[hooks.Stop]]\ncomand = \"true\"\n");
    let ended = kitchen.exec();
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r#"
    error: bmad.toml:2: a hook has no `comand`
      hint: did you mean `command`?
    "#);
}

#[test]
fn log_and_show_tell_of_hooks() {
    let kitchen = Kitchen::new("[[hooks.on-end]]\ncommand = \"echo over\"\n");
    kitchen.trust();
    kitchen.exec();
    let log = kitchen.call(&["log"]).output;
    assert!(
        log.contains("hook        on-end `echo over` → exit code 0: over\n"),
        "{log}"
    );
    let show = kitchen.call(&["show"]).output;
    assert!(show.contains("hook on-end `echo over` → exit code 0: over\n"), "{show}");
}

#[test]
fn it_is_said_once_that_an_agent_runs_no_hooks_inside_its_turns() {
    let flow = "<workflow name=\"Tea\"><step n=\"1\" goal=\"Boil\"><action>Boil.</action></step><step n=\"2\" goal=\"Pour\"><action>Pour.</action></step></workflow>";
    let hooks = "[[hooks.PreToolUse]]\ncommand = \"true\"\n";
    let folder = folder_with(&[("workflow.xml", flow), ("bmad.toml", hooks)]);
    let kitchen = Kitchen {
        folder,
        state: tempfile::tempdir().unwrap(),
    };
    kitchen.trust();
    let ended = kitchen.call(&["exec", "workflow.xml", "--non-interactive", "--agent", "script:--ack"]);
    assert_eq!(
        ended.errors.matches("runs no hooks inside its turns").count(),
        1,
        "{}",
        ended.errors
    );
}

#[test]
fn a_step_that_has_no_room_for_more_output_says_so_once() {
    let hook = "[[hooks.before-step]]\ncommand = '''head -c 65536 /dev/zero | tr '\\0' x'''\n";
    let kitchen = Kitchen::new(&hook.repeat(6));
    kitchen.trust();
    let ended = kitchen.exec();
    let told = "note: Hook output budget exhausted (256KB); some output discarded\n";
    assert_eq!(
        (ended.code, ended.errors.matches(told).count()),
        (0, 2),
        "{}",
        ended.errors
    );
    assert_eq!(kitchen.call(&["verify"]).code, 0);
}
