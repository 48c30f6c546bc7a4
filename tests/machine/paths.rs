//! Where paths lead: those that authors write, and those that come with a value.

use super::{project, trace, willing};
use bmad::machine::{Effect, Options, Outcome};

/// Runs a workflow that has a README of its own beside it, in a project that has one too.
fn run(body: &str, document: &str) -> String {
    let text = format!(r#"<workflow name="W"><step n="1" goal="a">{body}</step></workflow>"#);
    let loaded = project([
        ("flows/one/workflow.xml", &text),
        ("flows/one/README.md", "# One\n"),
        ("README.md", "# Mine\n"),
    ]);
    let options = Options {
        inputs: vec![("document".to_owned(), document.into())],
        ..Options::default()
    };
    trace(&loaded, "flows/one/workflow.xml", options, &mut willing(&[]))
}

#[test]
fn a_path_that_comes_with_a_value_is_seen_from_the_project() {
    for document in ["README.md", "./README.md"] {
        let text = run(
            r#"<set name="x" file="{document}"/><output if="{document} exists">there</output>"#,
            document,
        );
        assert_eq!(text, "step 1\nread README.md\nlook README.md\nshow there\ncompleted");
    }
}

#[test]
fn a_path_that_an_author_writes_is_seen_from_the_file() {
    let text = run(r#"<set name="x" file="./README.md"/>"#, "");
    assert_eq!(text, "step 1\nread flows/one/README.md\ncompleted");
}

#[test]
fn a_path_below_the_project_root_is_never_one_beside_the_workflow() {
    let text = run(r#"<set name="x" file="{project-root}/README.md"/>"#, "");
    assert_eq!(text, "step 1\nread README.md\ncompleted");
}

#[test]
fn what_is_written_goes_below_the_project_whatever_stands_beside_the_workflow() {
    let text = run(r#"<output file="README.md">Hello.</output>"#, "");
    assert_eq!(text, "step 1\nwrite README.md \"Hello.\\n\"\ncompleted");
}

#[test]
fn a_template_of_the_standard_library_needs_no_file() {
    let text = run(
        r#"<output file="x.md" template="{project-root}/_bmad/core/agents/issue-fixer.md"/>"#,
        "",
    );
    assert!(text.starts_with("step 1\nwrite x.md "), "{text}");
}

#[test]
fn a_value_that_leads_out_of_the_project_is_refused() {
    let text = run(r#"<set name="x" file="{document}"/>"#, "../secret.md");
    assert_eq!(text, "step 1\nfailed `../secret.md` leads out of the project (escapes)");
}

#[test]
fn a_template_knows_the_date_and_what_the_run_knows() {
    let text = r#"<workflow name="W"><step n="1" goal="a"><output template="{project-root}/t.md"/></step></workflow>"#;
    let loaded = project([("flow.xml", text)]);
    let options = Options {
        inputs: vec![("document".to_owned(), "a.md".into())],
        ..Options::default()
    };
    let mut others = willing(&[]);
    let text = trace(&loaded, "flow.xml", options, &mut |issued| match &issued.effect {
        Effect::Read { .. } => Some(Outcome::Contents {
            sha256: None,
            text: Some("{% if document %}{{ document }} {{ date }} {{ workflow_name }}{% endif %}\n".to_owned()),
        }),
        _ => others(issued),
    });
    assert_eq!(text, "step 1\nread t.md\nshow a.md 2026-11-15 W\ncompleted");
}
