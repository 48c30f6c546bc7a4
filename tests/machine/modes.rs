//! The mode of a run, and names of workflows that are called like it.

use super::{project, trace, willing};
use bmad::builtins::Value;
use bmad::machine::{Effect, Issued, Options};

#[test]
fn a_name_called_mode_is_the_workflows_own() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><output>It is {{mode}}.</output>
        <action>Set chosen = {{mode}}</action><action>Look for {{mode}}.</action>
        <check if="the sky is blue"><action>Go out.</action></check>
        <check if="it rains"><action>Stay in.</action></check></step></workflow>"#;
    for yolo in [false, true] {
        let options = Options {
            yolo,
            fills: false,
            ..Options::default()
        };
        let mut told = Vec::new();
        let mut rest = willing(&[]);
        let text = trace(
            &project([("flow.xml", flow)]),
            "flow.xml",
            options,
            &mut |issued: &Issued| {
                if let Effect::Dispatch(task) | Effect::Judge(task) = &issued.effect {
                    told.extend(task.variables.iter().map(|(name, _)| name.clone()));
                }
                rest(issued)
            },
        );
        assert!(text.contains("show It is {{mode}}."), "{text}");
        assert!(!text.contains("normal") && !text.contains("yolo"), "{text}");
        assert!(!told.contains(&"mode".to_owned()), "{told:?}");
    }
}

#[test]
fn whoever_judges_in_a_run_of_before_is_told_its_mode_as_before() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Set alpha = 1</action><action>Set zeta = 2</action>
        <check if="it rains"><action>Stay in.</action></check><check if="it snows"><action>Ski.</action></check></step></workflow>"#;
    let options = Options {
        whole: false,
        ..Options::default()
    };
    let mut told = Vec::new();
    let mut rest = willing(&[]);
    trace(
        &project([("flow.xml", flow)]),
        "flow.xml",
        options,
        &mut |issued: &Issued| {
            if let Effect::Judge(task) = &issued.effect {
                told.extend(task.variables.iter().map(|(name, value)| format!("{name}={value}")));
            }
            rest(issued)
        },
    );
    assert_eq!(told.join(" "), "alpha=1 mode=normal zeta=2");
}

#[test]
fn an_input_called_mode_is_what_it_was_given() {
    let task = r#"<task id="t" name="T"><inputs><input name="mode" default="slow"/></inputs><flow><step n="1" title="a"><output>{mode}</output></step></flow></task>"#;
    let caller = r#"<workflow name="W"><step n="1" goal="a"><call path="./t.xml"/><call path="./t.xml"><param name="mode" value="fast"/></call></step></workflow>"#;
    let loaded = project([("t.xml", task), ("flow.xml", caller)]);
    let called = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    assert_eq!(called, "step 1\nstep 1\nshow slow\nstep 1\nshow fast\ncompleted");
    let given = Options {
        inputs: vec![("mode".to_owned(), Value::from("deep"))],
        ..Options::default()
    };
    let alone = trace(&loaded, "t.xml", given, &mut willing(&[]));
    assert_eq!(alone, "step 1\nshow deep\ncompleted");
}

#[test]
fn the_checkpoint_handler_stops_asking_for_the_rest_of_a_document_and_leaves_the_name_alone() {
    let loaded = project([
        (
            "workflow.yaml",
            "name: note\ninstructions: \"{installed_path}/i.xml\"\ntemplate: \"{installed_path}/t.md\"\ndefault_output_file: \"{project-root}/note.md\"\n",
        ),
        ("t.md", "{{one}}\n\n{{two}}\n"),
        (
            "i.xml",
            r#"<workflow><step n="1" goal="a"><action>Set mode = batch</action>
            <template-output>one</template-output><template-output>two</template-output>
            <output>In {mode}.</output></step><step n="2" goal="b" optional="true"><output>More.</output></step></workflow>"#,
        ),
    ]);
    let text = trace(&loaded, "workflow.yaml", Options::default(), &mut willing(&["y"]));
    let asked = text.lines().filter(|line| line.starts_with("ask ")).count();
    assert_eq!(asked, 1, "{text}");
    assert!(
        text.contains("show In batch.\n") && text.contains("show More.\n"),
        "{text}"
    );
}
