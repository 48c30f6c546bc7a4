//! Files that a workflow calls, with everything that belongs to them, wherever they are.

use super::place::Place;

const CONFIGURED: &str = "name: sub\ndescription: d\ninstalled_path: \".\"\n\
    instructions: \"{installed_path}/instructions.xml\"\ntemplate: false\n";
const INSTRUCTIONS: &str = "<workflow><step n=\"1\" goal=\"g\"><output>in sub</output></step></workflow>";

/// Runs a file that calls another one, and returns what is shown.
fn shown(file: &str, files: &[(&str, &str)]) -> String {
    let place = Place::with(files);
    let ended = place.exec(file, "script:--ack");
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines = ended.output.lines().filter(|line| ["in sub", "after"].contains(line));
    lines.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_configured_workflow_that_is_called_is_run() {
    let calls = r#"<workflow name="W"><step n="1" goal="g"><invoke-workflow path="./sub/workflow.yaml"/><output>after</output></step></workflow>"#;
    let files = [
        ("w.xml", calls),
        ("sub/workflow.yaml", CONFIGURED),
        ("sub/instructions.xml", INSTRUCTIONS),
    ];
    assert_eq!(shown("w.xml", &files), "in sub, after");
}

#[test]
fn so_is_one_of_another_module_of_the_installation() {
    let configured = CONFIGURED.replace("\".\"", "\"{project-root}/_bmad/core/workflows/b\"");
    let caller = configured.replace("core/workflows/b", "bmm/workflows/a");
    let calls = r#"<workflow><step n="1" goal="g"><invoke-workflow path="{project-root}/_bmad/core/workflows/b/workflow.yaml"/><output>after</output></step></workflow>"#;
    let files = [
        ("_bmad/bmm/workflows/a/workflow.yaml", caller.as_str()),
        ("_bmad/bmm/workflows/a/instructions.xml", calls),
        ("_bmad/core/workflows/b/workflow.yaml", configured.as_str()),
        ("_bmad/core/workflows/b/instructions.xml", INSTRUCTIONS),
    ];
    for named in ["_bmad/bmm/workflows/a/workflow.yaml", "_bmad/bmm/workflows/a"] {
        assert_eq!(shown(named, &files), "in sub, after", "{named}");
    }
}

#[test]
fn one_without_a_step_is_a_call_that_failed() {
    let calls =
        r#"<workflow name="W"><step n="1" goal="g"><call path="./empty.xml"/><output>after</output></step></workflow>"#;
    let place = Place::with(&[("w.xml", calls), ("empty.xml", r#"<workflow name="N"></workflow>"#)]);
    let ended = place.exec("w.xml", "script:--ack");
    assert_eq!(ended.code, 3, "{ended:?}");
    let text = format!("{}{}", ended.output, ended.errors);
    assert!(text.contains("`empty.xml` has no step to begin with"), "{text}");
}

#[test]
fn agents_beside_a_workflow_are_found_whatever_it_is_called() {
    let flow = r#"<workflow name="W"><step n="1" goal="g"><dispatch agent="sceptic" mode="fresh" access="read" into="r">Doubt.</dispatch></step></workflow>"#;
    let persona = "---\nname: sceptic\ndescription: d\n---\n\nDoubt it.\n";
    let place = Place::with(&[
        ("doubt.xml", flow),
        ("agents/sceptic.md", persona),
        ("package.json", "{}"),
    ]);
    let ended = place.exec("doubt.xml", "script:--ack");
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(!ended.errors.contains("no agent is called"), "{}", ended.errors);
}

#[test]
fn a_skill_beside_the_one_that_is_run_is_called() {
    let calls = "---\nname: a\ndescription: d\n---\n\n# A\n\nWrite it.\n\nInvoke the `b` skill.\n";
    let called = "---\nname: b\ndescription: d\n---\n\n<workflow><step n=\"1\" goal=\"g\"><output>in sub</output></step></workflow>\n";
    for folder in [".claude/skills/a", "_bmad/one/a"] {
        let caller = format!("{folder}/SKILL.md");
        let files = [
            (caller.as_str(), calls),
            (".claude/skills/b/SKILL.md", called),
            ("_bmad/core/config.yaml", "user_name: Ann\n"),
        ];
        assert_eq!(shown(&caller, &files), "in sub", "{folder}");
    }
}

#[test]
fn the_built_in_agent_is_not_asked_for_what_a_text_leaves_open() {
    let flow = r#"<workflow name="W"><step n="1" goal="g"><output>{{all}}</output></step></workflow>"#;
    let place = Place::with(&[("w.xml", flow)]);
    for (agent, shown) in [("offline", "{{all}}"), ("script:--ack", "ack")] {
        let ended = place.exec("w.xml", agent);
        assert!(ended.output.lines().any(|line| line == shown), "{ended:?}");
    }
}

#[test]
fn a_failure_is_told_with_the_line_of_its_tag() {
    let jumps = "<workflow name=\"W\">\n<step n=\"1\" goal=\"g\">\n<parallel for=\"i in a, b\">\n<output>x</output>\n\
        <goto step=\"2\"/>\n</parallel>\n</step>\n<step n=\"2\" goal=\"h\"><output>y</output></step>\n</workflow>";
    let loads = "<workflow name=\"W\">\n<step n=\"1\" goal=\"g\">\n<output>x</output>\n\
        <set name=\"a\" file=\"{project-root}/../out.md\"/>\n</step>\n</workflow>";
    let place = Place::with(&[("jumps.xml", jumps), ("loads.xml", loads)]);
    for (file, at) in [("jumps.xml", "(jumps.xml:5)"), ("loads.xml", "(loads.xml:4)")] {
        let ended = place.exec(file, "script:--ack");
        assert_eq!(ended.code, 1, "{}", ended.errors);
        assert!(ended.errors.contains(at), "{}", ended.errors);
    }
}
