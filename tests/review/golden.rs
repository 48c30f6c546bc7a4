//! Every scene does what its trace says.

use crate::workflows::stage::Stage;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review");
    let mut scenes: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("command").exists())
        .collect();
    scenes.sort();
    scenes
}

#[test]
fn every_scene_of_the_review_loop_does_what_its_trace_says() {
    let mut wrong = String::new();
    for scene in scenes() {
        let stage = Stage::copy_of(&scene, &["command", "trace.txt"]);
        let command = std::fs::read_to_string(scene.join("command")).unwrap();
        let args: Vec<&str> = command.split_whitespace().collect();
        let ended = stage.run_at(&args, "");
        let mut trace = stage.trace();
        if trace.is_empty() {
            trace = ended.errors;
        }
        writeln!(trace, "exit code {}", ended.code).unwrap();
        writeln!(trace, "\n--- printed\n{}", ended.output.trim_end()).unwrap();
        trace.push_str(&stage.made());
        let path = scene.join("trace.txt");
        if std::env::var_os("BMAD_BLESS").is_some() {
            std::fs::write(&path, &trace).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != trace {
            writeln!(wrong, "{}: the run was\n{trace}", path.display()).unwrap();
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}set BMAD_BLESS=1 to write the traces anew, then read the difference"
    );
}

#[test]
fn a_reviewer_that_failed_is_not_asked_again_once_the_loop_went_on() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/one-reviewer-crashes");
    let stage = Stage::copy_of(&scene, &["command", "trace.txt"]);
    let command = std::fs::read_to_string(scene.join("command")).unwrap();
    let args: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(stage.run_at(&args, "").code, 0);
    let again = stage.run_at(&["resume"], "");
    assert!(!again.errors.contains(" works"), "{}", again.errors);
    let verified = stage.run(&["verify"], "");
    assert!(verified.output.contains("everything holds"), "{}", verified.output);
}

#[test]
fn a_certificate_is_checked_with_its_run_and_alone() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/two-rounds");
    let stage = Stage::copy_of(&scene, &["command", "trace.txt"]);
    let command = std::fs::read_to_string(scene.join("command")).unwrap();
    let args: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(stage.run_at(&args, "").code, 0);
    let path = "_bmad-output/reviews/plan-md-certificate.md";
    let verified = stage.run(&["verify"], "");
    assert!(verified.output.contains("whole, says complete"), "{}", verified.output);
    let alone = stage.run(&["verify", path], "");
    assert_eq!(alone.code, 0, "{}", alone.output);
    assert!(alone.output.contains("is whole: complete"), "{}", alone.output);
    let text = stage.read(path);
    std::fs::write(stage.path(path), text.replace("· medium ·", "· low ·")).unwrap();
    let forged = stage.run(&["verify", path], "");
    assert_eq!(forged.code, 1);
    assert!(forged.output.contains("does not hold: line"), "{}", forged.output);
    std::fs::write(
        stage.path(path),
        text.replace("\"severity\": \"medium\"", "\"severity\": \"low\""),
    )
    .unwrap();
    let forged = stage.run(&["verify", path], "");
    assert!(
        forged.output.contains("changed after it was written"),
        "{}",
        forged.output
    );
    std::fs::write(stage.path(path), text).unwrap();
    std::fs::write(stage.path("plan.md"), "# Another plan\n").unwrap();
    let other = stage.run(&["verify", path], "");
    assert_eq!(
        (other.code, other.output.contains("plan.md is not what was reviewed")),
        (1, true),
        "{}",
        other.output
    );
}
