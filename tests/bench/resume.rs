//! From process start to the next effect, after a long run.

use super::run::{Run, SLACK, milliseconds, several};
use super::workflow::{Folder, of_steps};

/// Ends every workflow here: nobody answers.
const STOP: &str = "<ask response=\"name\">Who are you?</ask>";

/// Half of its effects are turns with a prompt of two kilobytes.
fn turns(count: usize) -> String {
    let prompt = "Read the brief, then say what it lacks; be brief.\n".repeat(40);
    of_steps(&format!(
        "<step n=\"1\" goal=\"Work\"><loop max=\"{count}\" index=\"i\">
      <dispatch mode=\"fresh\" access=\"read\" into=\"r\">Turn {{i}}. {prompt}</dispatch>
      <output>Turn {{i}} is done.</output>
    </loop>{STOP}</step>"
    ))
}

/// Resumes without anybody to ask: what was done is replayed, and the run stops at the question.
fn resumed(folder: &Folder) -> Run {
    folder.resume(&["--anyway"])
}

fn planned(folder: &Folder) -> Run {
    folder.resume(&["--plan"])
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_run_of_ten_thousand_effects_goes_on_at_once() {
    let folder = Folder::in_memory(&turns(5000));
    let said = "It lacks a goal, a date and \\\"someone\\\" to ask.\\n".repeat(42);
    let replies = format!("- reply:\n    text: \"{said}\"\n");
    std::fs::write(folder.path().join("replies.yaml"), replies).unwrap();
    folder.exec(&["--agent", "script:replies.yaml"]);
    let effects = folder.times().len();
    assert_eq!(effects, 10_002);
    let bytes = std::fs::metadata(folder.journal()).unwrap().len();
    assert!(bytes > 20_000_000, "{bytes}");
    let (plan, quickest, slowest) = several(11, || planned(&folder));
    let (resume, best, worst) = several(11, || resumed(&folder));
    let peak = resume.peak_kilobytes.max(worst.peak_kilobytes) as f64 / 1024.0;
    let mut begins: Vec<f64> = (0..11).map(|_| folder.next_effect().as_secs_f64() * 1000.0).collect();
    begins.sort_by(f64::total_cmp);
    println!(
        "resume: {effects} effects, {} MB: {:.0} ms ({:.0}–{:.0}) to the next effect, aim 50; {:.0} ms ({:.0}–{:.0}) to the end of the process, planned {:.0} ms ({:.0}–{:.0}); peak {peak:.0} MB, aim 40",
        bytes / 1_000_000,
        begins[5],
        begins[0],
        begins[10],
        milliseconds(resume),
        milliseconds(best),
        milliseconds(worst),
        milliseconds(plan),
        milliseconds(quickest),
        milliseconds(slowest),
    );
    assert!(begins[0] <= 50.0 * SLACK);
    assert!(peak <= 40.0 * SLACK);
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_run_of_a_million_effects_goes_on_soon() {
    let text = of_steps(&format!(
        "<step n=\"1\" goal=\"Work\"><loop max=\"1000000\" index=\"i\">
      <output>Number {{i}} is done.</output>
    </loop>{STOP}</step>"
    ));
    let folder = Folder::in_memory(&text);
    folder.exec(&["--fuel", "10000000"]);
    let effects = folder.times().len();
    assert_eq!(effects, 1_000_002);
    let (resume, best, worst) = several(3, || resumed(&folder));
    let peak = resume.peak_kilobytes as f64 / 1024.0;
    println!(
        "resume: {effects} effects: {:.1} s ({:.1}–{:.1}), aim 4; peak {peak:.0} MB, aim 200",
        milliseconds(resume) / 1000.0,
        milliseconds(best) / 1000.0,
        milliseconds(worst) / 1000.0,
    );
    assert!(milliseconds(best) <= 4000.0 * SLACK);
    assert!(peak <= 200.0 * SLACK);
}
