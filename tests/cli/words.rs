//! The words that a run is begun with.

use super::{Ended, Run, folder_with};
use std::path::Path;

const SKILL: &str = "---\nname: spec\ndescription: d\n---\n# Spec\n\nWrite down what the invocation asks for.\n";
const EXACT: &str =
    r#"<workflow name="Exact"><step n="1" goal="a"><set name="x" value="1"/><output>{x}</output></step></workflow>"#;
const ASKS: &str = r#"<workflow name="Asks"><inputs><input name="request" required="true"/></inputs><step n="1" goal="a"><output>You want {request}.</output></step></workflow>"#;

fn exec(folder: &Path, args: &[&str]) -> Ended {
    let mut run = Run::default();
    run.environment.folder = folder.to_path_buf();
    run.call(&[args, &["--non-interactive", "--state-dir", "state"]].concat())
}

#[test]
fn an_agent_reads_what_the_person_asks_for() {
    let folder = folder_with(&[("spec/SKILL.md", SKILL)]);
    let agent = "command:sh -c 'cat > prompt.txt; echo {\\\"instructions\\\":[{\\\"n\\\":1,\\\"status\\\":\\\"done\\\",\\\"evidence\\\":[{\\\"kind\\\":\\\"said\\\",\\\"text\\\":\\\"ok\\\"}]}]}'";
    let ended = exec(
        folder.path(),
        &["exec", "spec", "A sundial\nfor the yard", "--agent", agent],
    );
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    let prompt = std::fs::read_to_string(folder.path().join("prompt.txt")).unwrap();
    let asked = "# What the person asks for\n\nThe person began this run with these words. Where a text speaks of the invocation, of its prompt or arguments, or of what the person wants, it means them.\n\n- The person said:\n\n```text\nA sundial\nfor the yard\n```\n";
    assert!(prompt.contains(asked), "{prompt}");
    assert_eq!(prompt.matches("A sundial").count(), 1, "{prompt}");
}

#[test]
fn words_that_nobody_would_read_are_refused() {
    let folder = folder_with(&[("exact.xml", EXACT)]);
    let ended = exec(folder.path(), &["exec", "exact.xml", "A sundial"]);
    insta::assert_snapshot!(format!("{}\n{}", ended.code, ended.errors), @r#"
    2
    error: `exact.xml` has no place for words: it has no input `request`
      hint: give its inputs by name, `--input NAME=VALUE`; or declare `<input name="request"/>` in it
    "#);
    let both = exec(folder.path(), &["exec", "exact.xml", "A", "--input", "request=B"]);
    insta::assert_snapshot!(format!("{}\n{}", both.code, both.errors), @r"
    2
    error: the words behind the file are the input `request`, and that is given, too
      hint: give one of the two
    ");
}

#[test]
fn a_workflow_in_tags_of_the_engine_has_an_input_for_them() {
    let folder = folder_with(&[("asks.xml", ASKS)]);
    let without = exec(folder.path(), &["exec", "asks.xml"]);
    insta::assert_snapshot!(format!("{}\n{}", without.code, without.errors), @r"
    2
    error: `request` of `asks.xml` needs a value
      hint: say what you want behind the file: `bmad exec FILE 'WORDS'`
    ");
    let ended = exec(folder.path(), &["exec", "asks.xml", "a sundial"]);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "You want a sundial.\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_plan_shows_them() {
    let folder = folder_with(&[("spec/SKILL.md", SKILL)]);
    let ended = exec(folder.path(), &["exec", "spec", "A sundial", "--dry-run"]);
    assert!(
        ended.output.contains("\n  given request = A sundial\n"),
        "{}{}",
        ended.output,
        ended.errors
    );
}

#[test]
fn an_input_that_nothing_reads_is_refused() {
    let publish = r#"<workflow name="P"><inputs><input name="dry_run" default="false"/></inputs><step n="1" goal="a"><set name="x" value="{level}"/><output>{dry_run} {x}</output></step></workflow>"#;
    let folder = folder_with(&[("publish.xml", publish), ("exact.xml", EXACT)]);
    let ended = exec(folder.path(), &["exec", "publish.xml", "--input", "simulate=true"]);
    insta::assert_snapshot!(format!("{}\n{}", ended.code, ended.errors), @r"
    2
    error: nothing in `publish.xml` reads an input `simulate`
      hint: its inputs are `dry_run`
    ");
    let none = exec(folder.path(), &["exec", "exact.xml", "--input", "simulate=true"]);
    assert_eq!(none.code, 2, "{}", none.errors);
    let read = exec(folder.path(), &["exec", "publish.xml", "--input", "level=3"]);
    assert_eq!((read.code, read.output.as_str()), (0, "false 3\n"), "{}", read.errors);
}

#[test]
fn a_plan_looks_into_what_is_called() {
    let outer = r#"<workflow name="Outer"><step n="1" goal="a"><call path="./tasks/inner.xml"/></step></workflow>"#;
    let inner = r#"<task name="Inner"><flow><step n="1" goal="b"><ask response="x">Really?</ask><dispatch>Do {x}.</dispatch><run command="make clean"/></step></flow></task>"#;
    let folder = folder_with(&[("outer.xml", outer), ("tasks/inner.xml", inner)]);
    let plan = |args: &[&str]| {
        let mut run = Run::default();
        run.environment.folder = folder.path().to_path_buf();
        run.call(args).output
    };
    insta::assert_snapshot!(plan(&["plan", "outer.xml"]), @r"
    Outer (outer.xml)
    step 1  a
      calls ./tasks/inner.xml
    called: Inner (tasks/inner.xml)
    step 1  b
      sends the performing agent
      asks: Really?  (tasks/inner.xml:1)
      runs make clean
    2 steps, 1 turn written down, 1 question
    ");
    let told: serde_json::Value = serde_json::from_str(&plan(&["plan", "outer.xml", "--json"])).unwrap();
    assert_eq!(told["called"][0]["workflow"], "tasks/inner.xml", "{told}");
}

#[test]
fn an_input_that_the_configuration_reads_is_taken() {
    let flow = r#"<workflow name="P"><step n="1" goal="a"><set name="x" value="1"/><output>{planning}.md</output></step></workflow>"#;
    let folder = folder_with(&[
        ("_bmad/core/config.yaml", "output_folder: out\n"),
        ("_bmad/m/config.yaml", "planning: \"{output_folder}/plan/{{epic}}\"\n"),
        ("_bmad/m/workflows/w/workflow.xml", flow),
    ]);
    let file = "_bmad/m/workflows/w/workflow.xml";
    let given = ["exec", file, "--input", "epic=3", "--input", "output_folder=other"];
    let ended = exec(folder.path(), &given);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "other/plan/3.md\n"),
        "{}",
        ended.errors
    );
    assert_eq!(exec(folder.path(), &["exec", file, "--input", "simulate=3"]).code, 2);
}

#[test]
fn an_input_that_a_template_reads_is_taken() {
    let flow = r#"<workflow name="P"><step n="1" goal="a"><set name="x" value="1"/><output template="{project-root}/page.md"/></step></workflow>"#;
    let folder = folder_with(&[("w.xml", flow), ("page.md", "Level {{level}}\n")]);
    let ended = exec(folder.path(), &["exec", "w.xml", "--input", "level=3"]);
    assert_eq!(
        (ended.code, ended.output.as_str()),
        (0, "Level 3\n"),
        "{}",
        ended.errors
    );
}

#[test]
fn the_words_of_the_person_reach_prose_that_is_called() {
    let flow = r#"<workflow name="P"><step n="1" goal="a"><set name="x" value="1"/><call path="./spec/SKILL.md"/></step></workflow>"#;
    let folder = folder_with(&[("w.xml", flow), ("spec/SKILL.md", SKILL)]);
    let agent = "command:sh -c 'cat > prompt.txt; false'";
    exec(
        folder.path(),
        &["exec", "w.xml", "--input", "request=A sundial", "--agent", agent],
    );
    let prompt = std::fs::read_to_string(folder.path().join("prompt.txt")).unwrap_or_default();
    assert!(prompt.contains("A sundial"), "{prompt}");
}
