//! Commands of the configuration, and those that nobody has any business to run.

use super::{TELL, Workshop};

#[test]
fn the_checks_of_the_configuration_are_trusted_in_the_file_they_are_written_in() {
    let loop_ = "<parallel for=\"check in {review_loop.checks}\" into=\"all\"><run command=\"{check}\"/></parallel><output>{all.0.how}, {all.1.how}</output>";
    let settings = "[review_loop]\nchecks = [\n  \"echo one\",\n  \"exit 4\",\n]\n";
    let shop = Workshop::with(loop_, &[("bmad.toml", settings)]);
    let listed = shop.call(&["trust", "bmad.toml", "--list"]);
    insta::assert_snapshot!(listed.output, @r"
    bmad.toml:3  run (of workflow.xml, not trusted)
        echo one
    bmad.toml:4  run (of workflow.xml, not trusted)
        exit 4
    ");
    assert!(
        shop.exec(&[])
            .output
            .contains("`bmad trust bmad.toml` shows and trusts it")
    );
    shop.trust("bmad.toml");
    let ended = shop.exec(&[]);
    assert_eq!(ended.output, "exit code 0, exit code 4\n", "{}", ended.errors);
    // A command that is new is not trusted with the others.
    shop.write("bmad.toml", &settings.replace("exit 4", "exit 5"));
    let ended = shop.exec(&[]);
    assert!(ended.output.starts_with("exit code 0, not run: "), "{}", ended.output);
}

#[test]
fn the_checks_of_an_installation_count_and_are_trusted_there() {
    let flow = "<workflow name=\"Build\"><step n=\"1\" goal=\"Check\"><loop name=\"checks\" for=\"check in {review_loop.checks}\" max=\"9\"><run command=\"{check}\" into=\"it\"/><output>{it.how}</output></loop></step></workflow>\n";
    let shop = Workshop::with(
        "<output>nothing</output>",
        &[
            ("_bmad/core/workflows/build/workflow.xml", flow),
            (
                "_bmad/core/config.yaml",
                "automation:\n  review_loop:\n    checks:\n      - exit 7\n",
            ),
        ],
    );
    let exec = || shop.call(&["exec", "_bmad/core/workflows/build/workflow.xml", "--non-interactive"]);
    let refused = exec();
    assert!(
        refused
            .output
            .contains("`bmad trust _bmad/core/config.yaml` shows and trusts it"),
        "{refused:?}"
    );
    shop.trust("_bmad/core/config.yaml");
    assert_eq!(exec().output, "exit code 7\n");
    // What the settings of the project say wins, wherever the workflow is.
    shop.write("bmad.toml", "[review_loop]\nchecks = [\"exit 8\"]\n");
    assert!(
        exec().errors.contains("`bmad trust bmad.toml --state-dir STATE`"),
        "{}",
        exec().errors
    );
    shop.trust("bmad.toml");
    assert_eq!(exec().output, "exit code 8\n");
}

#[test]
fn an_agent_that_names_a_command_has_it_neither_run_nor_trusted() {
    let agent = "reply='{\"instructions\":[{\"n\":1,\"status\":\"done\",\"evidence\":[{\"kind\":\"said\",\"text\":\"did\"}]}],\"variables\":{\"check\":\"touch owned\"}}'\ncat >/dev/null\nprintf '%s\\n' '```json' \"$reply\" '```'\n";
    let body = format!(
        "<loop name=\"checks\" for=\"check in {{review_loop.checks}}\" max=\"9\"><action>Look around and say what you see.</action><run command=\"{{check}}\" into=\"it\"/>{TELL}</loop>"
    );
    let settings = "[review_loop]\nchecks = [\"echo fine\"]\n";
    let shop = Workshop::with(&body, &[("bmad.toml", settings), ("agent.sh", agent)]);
    shop.trust("bmad.toml");
    let ended = shop.exec(&["--agent", "command:sh agent.sh", "--allow", "touch owned"]);
    assert!(!shop.path("owned").exists());
    insta::assert_snapshot!(ended.output, @r"{check} | false |  | not run: `{check}` was given its value while the run went on, and only what the configuration says is run |");
    assert!(
        ended.errors.contains("gap: Build step 1: the command `{check}`"),
        "{}",
        ended.errors
    );
    // Without such an agent it runs.
    let ended = shop.exec(&["--agent", "script:--ack"]);
    assert!(ended.output.contains("| exit code 0 | fine"), "{ended:?}");
}

#[test]
fn a_workflow_whose_command_is_somebody_elses_is_not_started() {
    let shop = Workshop::new("<ask response=\"said\">What?</ask><run command=\"{said}\"/>");
    let ended = shop.exec(&[]);
    assert_eq!(ended.code, 2);
    insta::assert_snapshot!(ended.errors, @r"
    workflow.xml:3:47: `{said}` is an answer, and nothing of that kind is ever run as a command
    error: `workflow.xml` has errors in the engine's own tags and was not started
      hint: `bmad lint workflow.xml` shows them with their lines
    ");
}

#[test]
fn the_checks_of_a_project_count_for_a_workflow_in_a_folder_of_it() {
    let flow = "<workflow name=\"Deep\"><step n=\"1\" goal=\"Check\"><loop name=\"checks\" for=\"check in {review_loop.checks}\" max=\"9\"><run command=\"{check}\" into=\"it\"/><output>{it.how} {review_loop.enabled}</output></loop></step></workflow>\n";
    let settings = "[review_loop]\nenabled = true\nchecks = [\"exit 7\"]\n";
    let shop = Workshop::with(
        "<output>-</output>",
        &[("flows/workflow.xml", flow), ("bmad.toml", settings)],
    );
    let run = || shop.call(&["exec", "flows", "--non-interactive"]);
    let refused = run();
    let told = "not run: nobody trusted it; `bmad trust bmad.toml` shows and trusts it true\n";
    assert_eq!(refused.output, told, "{}", refused.errors);
    shop.trust("bmad.toml");
    let ran = run();
    assert_eq!(ran.output, "exit code 7 true\n", "{}", ran.errors);
}
