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
    assert_eq!(
        text,
        "step 1\nfailed `document` holds `..`, which may not enter a path; name the folder itself (escapes)"
    );
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

/// Runs a step that writes a file with an answer in its path, and returns how it ended.
fn write(file: &str, name: &str) -> String {
    let text = format!(
        r#"<workflow name="W"><step n="1" goal="a"><ask response="name">Name?</ask><output file="{file}">x</output></step></workflow>"#
    );
    let loaded = project([
        ("flow.xml", &text),
        (
            "_bmad/core/config.yaml",
            "output_folder: \"{project-root}/a/../docs\"\n",
        ),
        ("_bmad/_config/manifest.yaml", "x: 1\n"),
    ]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[name]));
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_value_leads_only_below_the_folder_that_the_author_names() {
    for (name, why) in [
        ("../victim.md", "holds `..`"),
        ("bob/../x", "holds `..`"),
        ("/abs.md", "is an absolute path"),
        (r"C:\x.md", "is an absolute path"),
        (r"a\..\x", "holds `..`"),
        ("a\u{7}b", "holds the control character"),
    ] {
        let text = write("{project-root}/out/{name}", name);
        assert!(
            text.starts_with(&format!("failed `name` {why}")) && text.ends_with("(escapes)"),
            "{text}"
        );
    }
    assert_eq!(write("{project-root}/out/{name}", "sub/folder/x.md"), "completed");
    let joined = write("{project-root}/out/{name}./x.md", ".");
    assert!(joined.contains("lead upwards"), "{joined}");
}

#[test]
fn what_the_configuration_says_of_a_path_is_its_authors() {
    assert_eq!(write("{output_folder}/{name}.md", "x"), "completed");
    assert!(write("{output_folder}/{name}.md", "../x").starts_with("failed `name` holds `..`"));
}

#[test]
fn nothing_is_written_into_the_installation_or_into_git() {
    for (file, why) in [
        ("{project-root}/_bmad/core/config.yaml", "is part of the installation"),
        ("_bmad/{name}", "is part of the installation"),
        ("{project-root}/.git/hooks/{name}", "belongs to git"),
        ("{project-root}/sub/.Git/config", "belongs to git"),
        ("{project-root}/.g\u{200c}it/config", "belongs to git"),
        ("{project-root}/.git::$INDEX_ALLOCATION/config", "belongs to git"),
        ("{project-root}/GIT~1/config", "belongs to git"),
    ] {
        let text = write(file, "x");
        assert!(
            text.contains(why) && text.contains("; name a path outside of `"),
            "{text}"
        );
    }
    assert_eq!(write("{project-root}/_bmad/_memory/{name}/notes.md", "x"), "completed");
    assert_eq!(write("{project-root}/_bmad-output/{name}.md", "x"), "completed");
    assert_eq!(write("{project-root}/.github/{name}.md", "x"), "completed");
}

#[test]
fn an_answer_names_no_place_outside_the_folder_of_a_document() {
    let loaded = project([
        (
            "workflow.yaml",
            "name: w\ninstalled_path: \".\"\ninstructions: \"{installed_path}/i.xml\"\ndefault_output_file: \"{project-root}/docs/{who}.md\"\n",
        ),
        (
            "i.xml",
            r#"<workflow><step n="1" goal="a"><ask response="who">Who?</ask><template-output>one</template-output></step></workflow>"#,
        ),
    ]);
    let text = trace(
        &loaded,
        "workflow.yaml",
        Options::default(),
        &mut willing(&["bob/../x"]),
    );
    assert!(text.contains("failed `who` holds `..`"), "{text}");
    assert!(!text.contains("write "), "{text}");
}

#[test]
fn a_reply_that_looks_like_a_document_leads_to_no_forbidden_place() {
    for (path, why) in [
        (".git/hooks/pre-commit", "belongs to git"),
        ("../victim.md", "holds `..`"),
    ] {
        let text = r#"<workflow name="W"><step n="1" goal="a"><dispatch mode="fresh" access="read" into="r">Name it. Answer with path and text.</dispatch><output file="{r.path}">{r.text}</output></step></workflow>"#;
        let loaded = project([("flow.xml", text)]);
        let mut others = willing(&[]);
        let text = trace(&loaded, "flow.xml", Options::default(), &mut |issued| {
            let mut outcome = others(issued);
            if let Some(Outcome::Replied(envelope)) = &mut outcome {
                envelope.fields.push(("path".to_owned(), path.into()));
            }
            outcome
        });
        assert!(text.contains(why) && !text.contains("write "), "{path}: {text}");
    }
}

#[test]
fn the_end_of_a_line_is_no_part_of_a_path() {
    let text = run(r#"<set name="x" file="{document}"/>"#, "README.md\n");
    assert_eq!(text, "step 1\nread README.md\ncompleted");
}
