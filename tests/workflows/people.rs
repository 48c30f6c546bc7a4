//! Whoever answers, the run is the same; what waits is answered later; what is left open is filled.

use super::stage::Stage;

/// Runs a workflow with the agent of its script.
fn run(stage: &Stage, file: &str, args: &[&str], typed: &str) -> i32 {
    let folder = file.rsplit_once('/').unwrap().0;
    let agent = format!("script:{folder}/script.yaml");
    stage
        .run_at(&[&["exec", file, "--agent", &agent], args].concat(), typed)
        .code
}

/// Forgets who answered.
fn without_names(trace: &str) -> String {
    let mut trace = trace.to_owned();
    for who in [" (file)", " (policy)", " (person)"] {
        trace = trace.replace(who, "");
    }
    trace
}

#[test]
fn a_file_and_a_pipe_give_the_same_run_but_for_who_answered() {
    for (name, file) in [
        ("hello", "workflows/hello/workflow.xml"),
        ("brief", "workflows/brief/workflow.yaml"),
        ("decision-record", "workflows/decision-record/workflow.md"),
    ] {
        let by_file = Stage::with(name);
        let answers = format!("workflows/{name}/answers.yaml");
        assert_eq!(
            run(&by_file, file, &["--answers", &answers, "--non-interactive"], ""),
            0
        );
        let typed: String = by_file.answers().iter().map(|answer| format!("{answer}\n")).collect();
        let by_pipe = Stage::with(name);
        assert_eq!(run(&by_pipe, file, &[], &typed), 0, "{typed}");
        assert!(by_pipe.trace().contains(" (person)\n"));
        assert!(!by_pipe.trace().contains(" (file)\n"));
        assert_eq!(without_names(&by_pipe.trace()), without_names(&by_file.trace()));
        assert_eq!(by_pipe.made(), by_file.made());
    }
}

#[test]
fn a_policy_gives_the_same_run_but_for_who_answered() {
    for (name, file, menu, policy) in [
        ("hello", "workflows/hello/workflow.xml", "mood:", "--defaults"),
        ("hello", "workflows/hello/workflow.xml", "mood:", "--yolo"),
        (
            "brief",
            "workflows/brief/workflow.yaml",
            "section-checkpoint:",
            "--defaults",
        ),
    ] {
        let by_file = Stage::with(name);
        let answers = format!("workflows/{name}/answers.yaml");
        assert_eq!(
            run(&by_file, file, &["--answers", &answers, "--non-interactive"], ""),
            0
        );
        let by_policy = Stage::with(name);
        let all = by_policy.read(&answers);
        let words: Vec<&str> = all.lines().filter(|line| !line.starts_with(menu)).collect();
        std::fs::write(by_policy.path("words.yaml"), words.join("\n")).unwrap();
        let args = ["--answers", "words.yaml", "--non-interactive", policy];
        assert_eq!(run(&by_policy, file, &args, ""), 0);
        assert!(by_policy.trace().contains(" (policy)\n"), "{}", by_policy.trace());
        assert_eq!(without_names(&by_policy.trace()), without_names(&by_file.trace()));
    }
}

#[test]
fn a_run_that_waits_is_answered_and_goes_on() {
    let stage = Stage::with("hello");
    let file = "workflows/hello/workflow.xml";
    assert_eq!(run(&stage, file, &["--non-interactive"], ""), 3);
    for answer in ["Ada", "g"] {
        let trace = stage.trace();
        let open = trace.lines().last().unwrap().strip_prefix("waiting ").unwrap();
        assert_eq!(stage.run(&["answer", "last", open, answer], "").code, 0);
        stage.run_at(&["resume", "--non-interactive"], "");
    }
    let watched = Stage::with("hello");
    run(
        &watched,
        file,
        &["--answers", "workflows/hello/answers.yaml", "--non-interactive"],
        "",
    );
    assert_eq!(stage.trace(), watched.trace());
    assert_eq!(stage.made(), watched.made());
}

#[test]
fn another_agent_fills_only_the_gaps() {
    let stage = Stage::with("brief");
    let answers = ["--answers", "workflows/brief/answers.yaml", "--non-interactive"];
    let ended = stage.run_at(&[&["exec", "workflows/brief/workflow.yaml"], &answers[..]].concat(), "");
    assert_eq!(ended.code, 0);
    assert!(ended.errors.contains("completed with gaps"), "{}", ended.errors);
    assert!(stage.read("brief.md").contains("<!-- bmad: gap risks -->"));
    let script = "script:workflows/brief/script.yaml";
    let ended = stage.run_at(&["resume", "--agent", script, "--non-interactive"], "");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(
        !ended.errors.contains(" = "),
        "something was asked again: {}",
        ended.errors
    );
    let written = Stage::with("brief");
    run(&written, "workflows/brief/workflow.yaml", &answers, "");
    assert_eq!(stage.made(), written.made());
}

#[test]
fn a_document_that_is_not_there_stops_the_review_with_a_reason() {
    let stage = Stage::with("review-document");
    let file = "workflows/review-document/workflow.xml";
    let ended = stage.run_at(&["exec", file, "--input", "document=gone.md"], "");
    assert_eq!(ended.code, 1);
    assert!(
        ended.errors.contains("halted: there is no file gone.md"),
        "{}",
        ended.errors
    );
    assert_eq!(ended.output, "");
}

#[test]
fn a_review_that_finds_nothing_says_so() {
    let stage = Stage::with("review-document");
    std::fs::write(stage.path("README.md"), "# Mine\n\nAll is well.\n").unwrap();
    let file = "workflows/review-document/workflow.xml";
    let ended = stage.run_at(&["exec", file, "--input", "document=README.md"], "");
    assert_eq!(ended.code, 0);
    let last = ended.output.lines().last();
    assert_eq!(
        last,
        Some("Nothing found in README.md. The report is reviews/readme-md-review.md.")
    );
}

#[test]
fn elicitation_and_party_mode_say_so_where_nobody_can_do_them() {
    let stage = Stage::with("brief");
    let typed = "Nightjar\nBirds\na\nc\nt\np\nc\ny\n";
    let ended = stage.run_at(&["exec", "workflows/brief/workflow.yaml"], typed);
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert!(
        ended
            .output
            .contains("No method can be offered: this prompt needs a model\n")
    );
    assert!(
        ended
            .output
            .contains("Nobody could be invited: this prompt needs a model\n")
    );
    assert!(!ended.output.contains("{offer"), "{}", ended.output);
}
