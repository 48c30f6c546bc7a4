//! `bmad review` from outside: what is reviewed, what is told, and where.

use crate::workflows::stage::{Ended, Stage};
use serde_json::Value;

/// A document with a link that leads nowhere: the built-in agent finds it, and cannot repair it.
const DEAD: &str = "# Plan\n\nSee [the list](nosuch.md).\n";

/// Returns the id of the one question that a run waits with.
fn question(stage: &Stage) -> String {
    let waiting = stage.path("_bmad-output/awaiting-human");
    let file = std::fs::read_dir(waiting).unwrap().next().unwrap().unwrap();
    let text = std::fs::read_to_string(file.path()).unwrap();
    let id = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("- id: "))
        .unwrap();
    id.trim_matches('"').to_owned()
}

#[test]
fn a_review_that_is_resumed_is_told_and_ends_like_one_that_was_not() {
    let stage = Stage::holding(&[("plan.md", DEAD)]);
    let began = stage.run_at(&["review", "plan.md", "--fix", "--non-interactive"], "");
    assert_eq!((began.code, began.output.as_str()), (3, ""), "{}", began.errors);
    stage.run(&["answer", "last", &question(&stage), "S"], "");
    let resumed = stage.run_at(&["resume"], "");
    let told = stage.run(&["review", "--report", "last"], "");
    assert_eq!((resumed.code, resumed.output), (1, told.output));
    assert_eq!(told.code, 1);
    let for_programs = stage.run_at(&["resume", "--json"], "");
    assert_eq!(for_programs.code, 1);
    let events = for_programs.output.lines();
    assert!(events.into_iter().all(|line| line.starts_with("{\"event\":")));
}

#[test]
fn the_loop_that_a_workflow_called_is_resumed_like_any_other_run() {
    let stage = Stage::holding(&[("plan.md", DEAD)]);
    let loop_of = [
        "exec",
        "_bmad/core/tasks/review-loop.xml",
        "--input=content_path=plan.md",
    ];
    let inputs = [
        "--input=section_name=Plan",
        "--input=workflow_name=ferry",
        "--input=requested=yes",
    ];
    let began = stage.run_at(&[&loop_of[..], &inputs, &["--non-interactive"]].concat(), "");
    assert_eq!(began.code, 3, "{}", began.errors);
    stage.run(&["answer", "last", &question(&stage), "S"], "");
    let resumed = stage.run_at(&["resume"], "");
    assert_eq!((resumed.code, resumed.output.as_str()), (0, ""), "{}", resumed.errors);
}

#[test]
fn questions_do_not_get_into_a_result_that_a_program_reads() {
    let formats = [("json", "{\n"), ("sarif", "{"), ("html", "<!"), ("text", "plan.md:3: ")];
    for (format, begins) in formats {
        let stage = Stage::holding(&[("plan.md", DEAD)]);
        let asked = ["review", "plan.md", "--fix", "--format", format];
        let ended = stage.run_at(&asked, "D\nlater\n");
        assert_eq!(ended.code, 0, "{}", ended.errors);
        assert!(ended.output.starts_with(begins), "{format}: {}", ended.output);
        assert!(!ended.output.contains("What shall happen to F-1?"), "{format}");
        assert!(ended.errors.contains("What shall happen to F-1?"), "{format}");
    }
}

#[test]
fn a_certificate_that_was_destroyed_is_not_called_whole() {
    let stage = Stage::holding(&[("plan.md", "# Plan\n\nNothing is wrong here.\n")]);
    assert_eq!(stage.run_at(&["review", "plan.md"], "").code, 0);
    let path = "_bmad-output/reviews/plan-md-certificate.md";
    let (whole, line) = (stage.read(path), format!("  certificate   {path}  "));
    let verified = || {
        let ended = stage.run(&["verify"], "");
        let told = ended.output.lines().find_map(|found| found.strip_prefix(&line));
        (ended.code, told.unwrap().to_owned())
    };
    assert_eq!(verified(), (0, "whole, says complete".to_owned()));
    std::fs::write(stage.path(path), "").unwrap();
    let (code, told) = verified();
    assert_eq!(code, 1);
    assert!(told.starts_with("does not hold: it was changed since: "), "{told}");
    let json: Value = serde_json::from_str(&stage.run(&["verify", "--json"], "").output).unwrap();
    assert_eq!(json["certificates"][0]["holds"], false);
    std::fs::remove_file(stage.path(path)).unwrap();
    assert_eq!(verified(), (1, "does not hold: it is gone".to_owned()));
    std::fs::write(stage.path(path), whole).unwrap();
    assert_eq!(verified().0, 0);
}

const FINE: &str = "# Plan\n\nNothing is wrong here.\n";

/// Returns what a review looked at, as the project names it.
fn reviewed(ended: &Ended) -> Vec<String> {
    let told: Value = serde_json::from_str(&ended.output).unwrap_or_else(|_| panic!("{}", ended.errors));
    let documents = told["documents"].as_array().unwrap();
    documents
        .iter()
        .map(|document| document["path"].as_str().unwrap().to_owned())
        .collect()
}

fn git(stage: &Stage, words: &[&str]) {
    let mut command = std::process::Command::new("git");
    command
        .arg("-C")
        .arg(stage.path(""))
        .args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    let output = command.args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a repository with a few documents, all of them committed.
fn repository() -> Stage {
    let stage = Stage::holding(&[("a.md", FINE), ("docs/b.md", FINE), ("other/c.md", FINE)]);
    git(&stage, &["init", "-q"]);
    git(&stage, &["add", "-A"]);
    git(&stage, &["commit", "-qm", "all"]);
    stage
}

#[test]
fn a_review_does_not_review_what_reviews_wrote() {
    let stage = repository();
    std::fs::write(
        stage.path("bmad.toml"),
        "[review_loop.issue_tracker]\noutput_dir = \"{project-root}/found\"\n",
    )
    .unwrap();
    git(&stage, &["add", "-A"]);
    git(&stage, &["commit", "-qm", "settings"]);
    std::fs::write(stage.path("docs/b.md"), FINE.repeat(2)).unwrap();
    for _ in 0..2 {
        let all = stage.run(&["review", ".", "--format=json"], "");
        assert_eq!(reviewed(&all), ["a.md", "docs/b.md", "other/c.md"]);
        let changed = stage.run(&["review", "--diff", "--format=json"], "");
        assert_eq!(reviewed(&changed), ["docs/b.md"]);
    }
    let made = std::fs::read_dir(stage.path("found")).unwrap().flatten();
    let mut made = made.map(|file| file.file_name().into_string().unwrap());
    let is_tracker = |name: &String| name.starts_with("changes-since-head-") && name.ends_with("-issues.md");
    let made = format!("found/{}", made.find(is_tracker).unwrap());
    let named = stage.run(&["review", &made, "--format=json"], "");
    assert_eq!(reviewed(&named), [made.as_str()]);
}

#[test]
fn what_a_workflow_wrote_is_reviewed_where_it_is_named() {
    let stage = Stage::holding(&[("a.md", FINE), ("_bmad-output/plans/prd.md", FINE)]);
    let all = stage.run(&["review", ".", "--format=json"], "");
    assert_eq!(reviewed(&all), ["a.md"]);
    let note = "left out: 1 document in the output folder (name it to review it)\n";
    assert!(all.errors.starts_with(note), "{}", all.errors);
    for named in ["_bmad-output", "_bmad-output/plans", "_bmad-output/plans/prd.md"] {
        let ended = stage.run(&["review", named, "--format=json"], "");
        assert_eq!(reviewed(&ended), ["_bmad-output/plans/prd.md"], "{named}");
    }
}

#[test]
fn changes_are_found_however_their_file_is_named() {
    let stage = repository();
    std::fs::write(stage.path("a.md"), FINE.repeat(2)).unwrap();
    std::fs::write(stage.path("docs/b.md"), FINE.repeat(2)).unwrap();
    let full = stage.path("a.md").display().to_string();
    for named in ["a.md", "./a.md", "docs/../a.md", &full] {
        let ended = stage.run(&["review", "--diff", named, "--format=json"], "");
        assert_eq!(reviewed(&ended), ["a.md"], "{named}");
    }
}

#[test]
fn a_part_of_a_repository_says_that_more_changed_elsewhere() {
    let stage = repository();
    std::fs::write(stage.path("a.md"), FINE.repeat(2)).unwrap();
    let none = stage.run_in("docs", &["review", "--diff"], "");
    assert_eq!(
        (none.code, none.output.as_str()),
        (0, "nothing changed since HEAD in this folder: nothing to review\n")
    );
    assert!(
        none.errors
            .starts_with("not looked at: 1 file that changed outside of "),
        "{}",
        none.errors
    );
    std::fs::write(stage.path("docs/b.md"), FINE.repeat(2)).unwrap();
    let one = stage.run_in("docs", &["review", "--diff", "--format=json"], "");
    assert_eq!(reviewed(&one), ["b.md"]);
    assert!(
        one.errors.starts_with("not looked at: 1 file that changed outside of "),
        "{}",
        one.errors
    );
}

#[test]
fn nothing_changed_is_a_result_and_no_error() {
    let stage = repository();
    let text = stage.run(&["review", "--diff"], "");
    assert_eq!(
        (text.code, text.output.as_str()),
        (0, "nothing changed since HEAD: nothing to review\n")
    );
    let json = stage.run(&["review", "--diff", "a.md", "--format=json"], "");
    let told: Value = serde_json::from_str(&json.output).unwrap();
    assert_eq!(
        (json.code, told["reason"].as_str()),
        (0, Some("nothing changed since HEAD in a.md: nothing to review"))
    );
    let sarif = stage.run(&["review", "--diff", "--format=sarif"], "");
    let told: Value = serde_json::from_str(&sarif.output).unwrap();
    assert_eq!(
        (sarif.code, &told["runs"][0]["results"]),
        (0, &Value::Array(Vec::new()))
    );
    let unknown = stage.run(&["review", "--diff=nosuch"], "");
    assert_eq!(unknown.code, 2);
    let why = "what changed since `nosuch` cannot be told: no commit, branch or tag is called `nosuch`\n";
    assert!(unknown.errors.contains(why), "{}", unknown.errors);
}

#[test]
fn one_file_that_cannot_be_reviewed_does_not_stop_a_folder() {
    let stage = Stage::holding(&[("f/a.md", FINE), ("f/b.md", ""), ("f/c.md", "")]);
    std::fs::write(stage.path("f/c.md"), b"\xff\xfe#\0").unwrap();
    let folder = stage.run(&["review", "f", "--format=json"], "");
    assert_eq!(reviewed(&folder), ["f/a.md"]);
    let note = "left out: f/b.md (empty), f/c.md (not UTF-8 text)\n";
    assert!(folder.errors.starts_with(note), "{}", folder.errors);
    for (named, why) in [("f/b.md", "empty"), ("f/c.md", "not UTF-8 text")] {
        let ended = stage.run(&["review", "f/a.md", named], "");
        assert_eq!(ended.code, 2);
        let told = format!("error: `{named}` cannot be reviewed: {why}\n");
        assert!(ended.errors.starts_with(&told), "{}", ended.errors);
    }
}

#[test]
fn a_file_outside_says_where_it_can_be_reviewed() {
    let stage = Stage::holding(&[("a.md", FINE), ("docs/b.md", FINE)]);
    let ended = stage.run_in("docs", &["review", "../a.md"], "");
    let hint = ended.errors.lines().find_map(|line| line.split("cd ").nth(1)).unwrap();
    assert_eq!(ended.code, 2);
    assert!(hint.ends_with(" && bmad review a.md"), "{hint}");
}

#[test]
fn a_review_that_nobody_made_does_not_say_that_nothing_was_found() {
    let stage = Stage::holding(&[("plan.md", FINE)]);
    let failing = [
        "review",
        "plan.md",
        "--agent",
        "command:/bin/false",
        "--non-interactive",
    ];
    let text = stage.run(&failing, "");
    assert_eq!(text.code, 1, "{}", text.errors);
    let said = "nothing was reviewed: no reviewer looked at plan.md\n";
    assert!(
        text.output.contains(said) && !text.output.contains("no findings"),
        "{}",
        text.output
    );
    let told = |format: &str| stage.run(&["review", "--report=last", format], "").output;
    let json: Value = serde_json::from_str(&told("--format=json")).unwrap();
    assert_eq!(json["reviewed"], false);
    let sarif: Value = serde_json::from_str(&told("--format=sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], false);
    assert!(told("--format=html").contains("Nothing was reviewed"));
    std::fs::write(
        stage.path("bmad.toml"),
        "[review_loop.limits]\nmax_runtime_seconds = 0\n",
    )
    .unwrap();
    let limited = stage.run(&["review", "plan.md"], "");
    assert_eq!(limited.code, 5, "{}", limited.errors);
    assert!(limited.output.contains(said), "{}", limited.output);
}

#[test]
fn reviews_within_one_second_keep_the_metrics_of_each() {
    let stage = Stage::holding(&[
        ("plan.md", "# Plan\n\nAll is well.\n"),
        ("list.md", "# List\n\nIt is short.\n"),
    ]);
    for document in ["plan.md", "list.md"] {
        assert_eq!(stage.run_at(&["review", document], "").code, 0);
    }
    let written = std::fs::read_dir(stage.path("_bmad-output/reviews")).unwrap();
    let names = written.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut metrics: Vec<String> = names.filter(|name| name.starts_with("review-metrics-")).collect();
    metrics.sort();
    assert_eq!(metrics.len(), 2, "{metrics:?}");
    assert!(metrics[0].ends_with("-list-md.json"), "{metrics:?}");
}

#[cfg(unix)]
#[test]
fn a_file_of_any_name_is_reviewed_and_fixed_and_one_that_cannot_be_spoils_no_other() {
    let names = ["\"Draft\".md", "'q'.md", "`x`.md", "a:b.md", "x: y.md", "a#b.md"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "# Plan\n\nThe the end.")).collect();
    let stage = Stage::holding(&files);
    std::fs::write(stage.path("back\\slash.md"), DEAD).unwrap();
    let ended = stage.run_at(&["review", ".", "--fix", "--non-interactive"], "");
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    assert!(
        ended
            .errors
            .contains("left out: back\\slash.md (a backslash is in its name)"),
        "{}",
        ended.errors
    );
    for name in names {
        assert_eq!(stage.read(name), "# Plan\n\nThe end.", "{name}");
    }
    let named = stage.run_at(&["review", "back\\slash.md"], "");
    assert_eq!(named.code, 2, "{}", named.errors);
}

#[test]
fn a_quote_at_one_end_belongs_to_the_name() {
    for name in ["notes'", "'notes", "'notes'"] {
        let stage = Stage::holding(&[("notes", "# Plan\n\nThe the end."), (name, "# Plan\n\nThe the end.")]);
        let ended = stage.run_at(&["review", name, "--fix", "--non-interactive"], "");
        assert_eq!(stage.read(name), "# Plan\n\nThe end.", "{name}: {}", ended.errors);
        assert_eq!(stage.read("notes"), "# Plan\n\nThe the end.", "{name}");
    }
}

#[test]
fn the_last_review_is_told_whatever_was_run_since() {
    let stage = Stage::holding(&[
        ("plan.md", DEAD),
        (
            "tea.xml",
            "<workflow name=\"Tea\"><step n=\"1\" goal=\"Pour\"><output>Pouring.</output></step></workflow>",
        ),
    ]);
    let made = stage.run(&["review", "plan.md", "--format=json"], "");
    assert_eq!(stage.run(&["exec", "tea.xml"], "").code, 0);
    let told = stage.run(&["review", "--report", "last", "--format=json"], "");
    assert_eq!((told.code, told.output), (1, made.output), "{}", told.errors);
}

#[test]
fn plans_are_told_for_programs_too() {
    let tea =
        "<workflow name=\"Tea\"><step n=\"1\" goal=\"Pour\"><ask response=\"cup\">Which cup?</ask></step></workflow>";
    let stage = Stage::holding(&[("tea.xml", tea)]);
    let dry = stage.run(&["exec", "tea.xml", "--dry-run", "--json", "-i", "cup=a"], "");
    let plan: Value = serde_json::from_str(&dry.output).unwrap();
    assert_eq!(
        (&plan["workflow"], &plan["inputs"]["cup"]),
        (&Value::from("tea.xml"), &Value::from("a"))
    );
    assert_eq!(stage.run(&["exec", "tea.xml", "--non-interactive"], "").code, 3);
    let again = stage.run(&["resume", "--plan", "--json"], "");
    let plan: Value = serde_json::from_str(&again.output).unwrap();
    assert_eq!(plan["next"][0]["do"], "ask", "{}", again.output);
    assert_eq!(plan["next"][0]["paid"], false);
}

#[test]
fn a_setting_that_sets_nothing_is_an_error() {
    let rows = [
        ("material_severities = []", "material_severities"),
        ("check_timeout = 0", "check_timeout"),
        (
            "[review_loop.limits]\nmax_concurrent_fixers = 0",
            "limits.max_concurrent_fixers",
        ),
        (
            "[review_loop.subagents.fixer]\nmax_issues_per_agent = 0",
            "subagents.fixer.max_issues_per_agent",
        ),
        ("[review_loop.subagents.party]\ntimeout = 0", "subagents.party.timeout"),
    ];
    for (entry, key) in rows {
        let settings = format!("[review_loop]\n{entry}\n");
        let stage = Stage::holding(&[("plan.md", DEAD), ("bmad.toml", &settings)]);
        let ended = stage.run(&["review", "plan.md"], "");
        let told = format!("`review_loop.{key}` cannot be set to this");
        assert_eq!(
            (ended.code, ended.errors.contains(&told)),
            (2, true),
            "{entry}: {}",
            ended.errors
        );
    }
}
