//! `bmad review` from outside: what is reviewed, what is told, and where.

use crate::workflows::stage::Stage;

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
        assert!(!ended.output.contains("What shall happen to it?"), "{format}");
        assert!(ended.errors.contains("What shall happen to it?"), "{format}");
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
    let json: serde_json::Value = serde_json::from_str(&stage.run(&["verify", "--json"], "").output).unwrap();
    assert_eq!(json["certificates"][0]["holds"], false);
    std::fs::remove_file(stage.path(path)).unwrap();
    assert_eq!(verified(), (1, "does not hold: it is gone".to_owned()));
    std::fs::write(stage.path(path), whole).unwrap();
    assert_eq!(verified().0, 0);
}
