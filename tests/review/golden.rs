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
