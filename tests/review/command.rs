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
