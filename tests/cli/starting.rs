//! How a run is started: which folder it works on, what it is given, and what is refused before anything runs.

use super::{Ended, Run, folder_with};
use std::path::Path;
use tempfile::TempDir;

const COUNT: &str = r#"<workflow name="Count">
  <inputs>
    <input name="document" kind="file" required="true" desc="the file to count"/>
  </inputs>
  <step n="1" goal="Count">
    <halt reason="there is no file {document}" if="file {document} does not exist"/>
    <output template="./line.md"/>
    <output file="{project-root}/counted.md">Counted {document}.</output>
  </step>
</workflow>
"#;

/// Runs the program in a folder, keeps its runs elsewhere, and asks nobody.
fn exec(folder: &Path, state: &TempDir, args: &[&str]) -> Ended {
    let mut run = Run::default();
    run.environment.folder = folder.to_path_buf();
    let state = state.path().to_str().unwrap();
    run.call(&[args, &["--non-interactive", "--state-dir", state]].concat())
}

fn state() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn counting() -> TempDir {
    folder_with(&[
        ("count/workflow.xml", COUNT),
        ("count/line.md", "{{ document }} it is\n"),
    ])
}

#[test]
fn a_workflow_that_is_kept_elsewhere_works_on_the_folder_of_the_person() {
    let elsewhere = counting();
    let here = folder_with(&[("notes.md", "# Notes\n")]);
    let workflow = elsewhere.path().join("count/workflow.xml");
    let state = state();
    let args = ["exec", workflow.to_str().unwrap(), "--input", "document=notes.md"];
    let ended = exec(here.path(), &state, &args);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "notes.md it is\n"),
        "{}",
        ended.errors
    );
    assert!(here.path().join("counted.md").exists());
    assert!(!elsewhere.path().join("count/counted.md").exists());
    let again = exec(here.path(), &state, &["resume"]);
    assert_eq!((again.code, again.errors.as_str()), (0, "completed: 1 step\n"));
}

#[test]
fn a_file_is_seen_from_the_folder_of_the_person_whatever_the_project_is() {
    let here = folder_with(&[
        ("_bmad/core/config.yaml", "user_name: Ada\n"),
        ("flows/count/workflow.xml", COUNT),
        ("flows/count/line.md", "{{ document }} it is\n"),
        ("docs/notes.md", "# Notes\n"),
    ]);
    for (folder, given) in [
        ("docs", "notes.md"),
        ("docs", "./notes.md"),
        ("flows", "../docs/notes.md"),
    ] {
        let input = format!("document={given}");
        let workflow = here.path().join("flows/count/workflow.xml");
        let args = ["exec", workflow.to_str().unwrap(), "--input", &input];
        let ended = exec(&here.path().join(folder), &state(), &args);
        assert_eq!(
            (ended.code, ended.output.as_str()),
            (0, "docs/notes.md it is\n"),
            "{}",
            ended.errors
        );
    }
}

#[test]
fn a_file_outside_is_refused_with_the_command_that_works() {
    let elsewhere = counting();
    let there = folder_with(&[("my notes.md", "# Notes\n")]);
    let file = there.path().join("my notes.md");
    let input = format!("document={}", file.display());
    let ended = exec(
        elsewhere.path(),
        &state(),
        &["exec", "count/workflow.xml", "--input", &input],
    );
    assert_eq!(ended.code, 2);
    let (from, to) = (elsewhere.path().display(), there.path().display());
    assert_eq!(
        ended.errors,
        format!(
            "error: `{to}/my notes.md` lies outside of `{from}`, the folder this run works on\n  hint: run it where the file is: cd {to} && bmad exec {from}/count/workflow.xml --input document='my notes.md'\n"
        )
    );
}

#[test]
fn an_input_that_is_misspelt_or_missing_is_told() {
    let here = counting();
    let told = |args: &[&str]| exec(here.path(), &state(), &[&["exec", "count/workflow.xml"], args].concat()).errors;
    assert_eq!(
        told(&["--input", "documnet=a.md"]),
        "error: `count/workflow.xml` has no input `documnet`\n  hint: did you mean `--input document=VALUE`?\n"
    );
    assert_eq!(
        told(&[]),
        "error: `document` of `count/workflow.xml` needs a value: the file to count\n  hint: add `--input document=FILE`\n"
    );
}

#[test]
fn an_agent_that_does_not_exist_begins_no_run() {
    let here = counting();
    let state = state();
    let args = [
        "exec",
        "count/workflow.xml",
        "--input",
        "document=a.md",
        "--agent",
        "offlin",
    ];
    let ended = exec(here.path(), &state, &args);
    assert_eq!(ended.code, 2);
    assert!(ended.errors.contains("did you mean `offline`?"), "{}", ended.errors);
    assert_eq!(std::fs::read_dir(state.path()).unwrap().count(), 0);
}

#[test]
fn faults_of_the_dialect_are_shown_and_the_workflow_runs() {
    let text = r#"<workflow name="W"><step n="1" goal="a"><output>Hello.</output><dispatch agent="nobody" access="read">Look.</dispatch></step></workflow>"#;
    let here = folder_with(&[("w/workflow.xml", text)]);
    let ended = exec(here.path(), &state(), &["exec", "w/workflow.xml"]);
    assert_eq!((ended.code, ended.output.as_str()), (0, "Hello.\n"));
    assert!(
        ended
            .errors
            .starts_with("w/workflow.xml:1:81: no agent is called `nobody`\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn an_answer_that_nothing_asks_for_is_listed() {
    let text = r#"<workflow name="W"><step n="1" goal="a"><ask response="name">Who?</ask></step></workflow>"#;
    let here = folder_with(&[("w/workflow.xml", text), ("a.yaml", "name: Ada\nnmae: Ada\n")]);
    let ended = exec(
        here.path(),
        &state(),
        &["exec", "w/workflow.xml", "--answers", "a.yaml"],
    );
    assert_eq!(ended.code, 0);
    assert!(
        ended
            .errors
            .contains("a.yaml:2: nothing was asked that is called `nmae`\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_run_that_a_limit_stopped_goes_on_with_more() {
    let text = r#"<workflow name="W"><step n="1" goal="a"><loop name="l" max="40"><output>x</output></loop></step></workflow>"#;
    let here = folder_with(&[("w/workflow.xml", text)]);
    let state = state();
    let ended = exec(here.path(), &state, &["exec", "w/workflow.xml", "--fuel", "50"]);
    assert_eq!(ended.code, 5);
    assert!(
        ended.errors.contains("ran 50 nodes without coming to an end"),
        "{}",
        ended.errors
    );
    assert_eq!(exec(here.path(), &state, &["resume", "--fuel", "1000"]).code, 0);
}

#[test]
fn a_folder_means_the_workflow_in_it() {
    let here = counting();
    let ended = exec(
        here.path(),
        &state(),
        &["exec", "count", "--input", "document=count/line.md"],
    );
    assert_eq!((ended.code, ended.output.as_str()), (0, "count/line.md it is\n"));
    assert!(!ended.errors.contains("note:"), "{}", ended.errors);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_project_is_neither_read_nor_written_through() {
    let outside = folder_with(&[("secret.md", "a secret\n")]);
    let write = r#"<workflow name="W"><step n="1" goal="a"><output file="{project-root}/way/new.md">text</output></step></workflow>"#;
    let read = r#"<workflow name="R"><step n="1" goal="a"><set name="text" file="{project-root}/way/secret.md"/><output>{text}</output></step></workflow>"#;
    let project = folder_with(&[("write/workflow.xml", write), ("read/workflow.xml", read)]);
    std::os::unix::fs::symlink(outside.path(), project.path().join("way")).unwrap();
    let state = state();
    for file in ["write/workflow.xml", "read/workflow.xml"] {
        let ended = exec(project.path(), &state, &["exec", file]);
        assert_eq!(ended.code, 1, "{file}: {ended:?}");
        assert!(ended.errors.contains("leads out of the project"), "{}", ended.errors);
        assert!(!ended.output.contains("a secret"), "{}", ended.output);
    }
    assert!(!outside.path().join("new.md").exists());
}

#[cfg(unix)]
#[test]
fn a_link_into_what_belongs_to_git_or_to_the_installation_is_not_written_through() {
    for (link, file, why) in [
        (".git", "way/config", "belongs to git"),
        (".git/hooks", "way/pre-commit", "belongs to git"),
        ("_bmad", "way/core/tasks/x.xml", "is part of the installation"),
        (".bmad/core", "way/x.md", "is part of the installation"),
    ] {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><output file="{{project-root}}/{file}">text</output></step></workflow>"#
        );
        let root = if link.starts_with(".bmad") { ".bmad" } else { "_bmad" };
        let project = folder_with(&[
            ("workflow.xml", &flow),
            (".git/config", ""),
            (".git/hooks/keep", ""),
            (&format!("{root}/core/config.yaml"), "user_name: Ada\n"),
        ]);
        std::os::unix::fs::symlink(link, project.path().join("way")).unwrap();
        let ended = exec(project.path(), &state(), &["exec", "workflow.xml"]);
        assert_eq!(ended.code, 1, "{file}: {ended:?}");
        assert!(ended.errors.contains(why), "{}", ended.errors);
        assert_ne!(
            std::fs::read_to_string(project.path().join(file)).unwrap_or_default(),
            "text\n"
        );
    }
}

#[test]
fn the_settings_of_a_project_count_wherever_in_it_the_workflow_is() {
    let here = folder_with(&[
        ("bmad.toml", "[[hooks.on-end]]\ncommand = \"touch ran\"\n"),
        ("_bmad/core/config.yaml", "user_name: Ada\n"),
        (
            "_bmad/core/workflows/tea/workflow.xml",
            "<workflow name=\"Tea\"><step n=\"1\" goal=\"Boil\"><output>Hot.</output></step></workflow>\n",
        ),
    ]);
    let ended = exec(
        here.path(),
        &state(),
        &["exec", "_bmad/core/workflows/tea/workflow.xml"],
    );
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(
        ended
            .errors
            .contains("hook on-end `touch ran` → not run: nobody trusted it; `bmad trust bmad.toml --state-dir "),
        "{}",
        ended.errors
    );
}

#[test]
fn an_installation_that_sets_what_there_is_not_starts_nothing() {
    let wrong = "review_loop:\n  limits:\n    max_review_roundz: 2\n    max_review_rounds: many\n";
    let project = folder_with(&[
        ("plan.md", "# Plan\n\nsee [x](gone.md)\n"),
        ("_bmad/core/config.yaml", wrong),
    ]);
    let state = tempfile::tempdir().unwrap();
    let mut run = Run::default();
    run.environment.folder = project.path().to_path_buf();
    let ended = run.call(&["review", "plan.md", "--state-dir", state.path().to_str().unwrap()]);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    error: _bmad/core/config.yaml:3:5: there is no setting `max_review_roundz` in `review_loop.limits`, so that the entry changes nothing
           _bmad/core/config.yaml:4:24: `review_loop.limits.max_review_rounds` cannot be set to this, so that the entry changes nothing
      hint: did you mean `max_review_rounds`?
      hint: write a whole number that is not negative
      hint: nothing was started, so that nobody works in another way than you meant
    ");
    assert!(!project.path().join("_bmad-output").exists());
}

#[test]
fn a_workflow_beside_an_installation_has_its_settings() {
    let says = r#"<workflow name="Say"><step n="1" goal="Say"><output>{user_name}, {output_folder}</output></step></workflow>"#;
    let config = "user_name: Ada\noutput_folder: \"{project-root}/docs/out\"\n";
    let project = folder_with(&[
        ("_bmad/core/config.yaml", config),
        ("say.xml", says),
        ("flows/say/workflow.xml", says),
    ]);
    for file in ["say.xml", "flows/say/workflow.xml"] {
        let ended = exec(project.path(), &state(), &["exec", file]);
        assert_eq!(ended.output, "Ada, ./docs/out\n", "{file}: {}", ended.errors);
    }
}

#[test]
fn whatever_a_workflow_calls_is_found_whatever_it_is_called() {
    let task = |says: &str| {
        format!(
            "<task name=\"Hi\"><flow><step n=\"1\" title=\"Hi\">{says}<return value=\"hello\"/></step></flow></task>\n"
        )
    };
    let greet = "<workflow name=\"Greet\"><step n=\"1\" goal=\"Call\"><call path=\"./tasks/hi.xml\" into=\"r\"/>\
        <output>{r}</output></step></workflow>\n";
    let calls = "<call path=\"{project-root}/deeper/still/last.xml\" into=\"x\"/>";
    let here = folder_with(&[
        ("greet.xml", greet),
        ("tasks/hi.xml", &task(calls)),
        ("deeper/still/last.xml", &task("<output>deep down</output>")),
    ]);
    let ended = exec(here.path(), &state(), &["exec", "greet.xml", "--agent", "offline"]);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "deep down\nhello\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_protocol_of_the_core_is_known_whichever_way_a_workflow_is_named() {
    let here = folder_with(&[
        ("_bmad/core/config.yaml", "user_name: Ada\n"),
        (
            "_bmad/core/tasks/workflow.xml",
            "<task name=\"Run\"><flow><step n=\"1\"><action>Run it.</action></step></flow><protocols>
             <protocol name=\"weigh\"><output>10 g</output><run command=\"touch ran\"/></protocol></protocols></task>",
        ),
        ("_bmad/kitchen/config.yaml", "user_name: Ada\n"),
        (
            "_bmad/kitchen/workflows/bake/workflow.xml",
            "<workflow name=\"Bake\"><step n=\"1\" goal=\"Bake\"><invoke-protocol name=\"weigh\"/></step></workflow>",
        ),
    ]);
    for path in [
        "_bmad/kitchen/workflows/bake/workflow.xml",
        "_bmad/kitchen/workflows/bake",
    ] {
        let mut run = Run::default();
        run.environment.folder = here.path().to_path_buf();
        let linted = run.call(&["lint", path, "--format", "json"]);
        assert!(!linted.output.contains("unknown-protocol"), "{path}: {}", linted.output);
        let ended = exec(here.path(), &state(), &["exec", path]);
        assert_eq!((ended.code, ended.output.as_str()), (0, "10 g\n"), "{path}: {ended:?}");
        let note = "note: the command `touch ran` will not run, nobody trusted it";
        assert!(ended.errors.contains(note), "{path}: {}", ended.errors);
    }
}

#[test]
fn an_answers_file_that_cannot_be_read_leaves_no_run_behind() {
    let says = r#"<workflow name="Say"><step n="1" goal="Say"><output>Hello.</output></step></workflow>"#;
    let project = folder_with(&[("say.xml", says), ("bad.yaml", "kind: [a\n")]);
    let state = state();
    for answers in ["gone.yaml", "bad.yaml"] {
        let ended = exec(project.path(), &state, &["exec", "say.xml", "--answers", answers]);
        assert_eq!(
            (ended.code, ended.output.as_str()),
            (2, ""),
            "{answers}: {}",
            ended.errors
        );
    }
    assert_eq!(std::fs::read_dir(state.path()).unwrap().count(), 0);
}

#[test]
fn a_plan_tells_what_decides_a_step_with_that_step() {
    let says = r#"<workflow name="Say">
  <inputs><input name="loud" default="no"/></inputs>
  <step n="1" goal="Shout" if="{loud} == 'yes'" optional="true"><output>Hello!</output></step>
  <step n="2" goal="Say" if="{loud} == 'no'"><output>Hello.</output></step>
</workflow>
"#;
    let project = folder_with(&[("say.xml", says)]);
    let planned = super::bmad_in(project.path(), &["plan", "say.xml"]);
    insta::assert_snapshot!(planned.output, @r"
    Say (say.xml)
      input loud = no
    step 1  Shout
      asks: Step 1 is optional. Do it?  (say.xml:3)
      if {loud} == 'yes': the engine decides  (say.xml:3)
    step 2  Say
      if {loud} == 'no': the engine decides  (say.xml:4)
    2 steps, 0 turns written down, 1 question
    ");
}
