//! From process start to the end, for the smallest jobs.

use super::run::{SLACK, bmad, milliseconds, several, watch};
use std::process::Command;

#[test]
#[ignore = "a benchmark"]
fn bench_the_smallest_jobs_start_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<workflow>\n  <step n=\"1\" goal=\"greet\">\n    <output>hello</output>\n  </step>\n</workflow>\n";
    std::fs::write(folder.path().join("workflow.xml"), text).unwrap();
    let (floor, ..) = several(21, || watch(&mut Command::new("/bin/true")));
    let (version, ..) = several(21, || bmad(&["--version"], folder.path()));
    let (file, ..) = several(21, || bmad(&["lint", "workflow.xml"], folder.path()));
    println!(
        "start: /bin/true {:.1} ms, --version {:.1} ms, one small file {:.1} ms",
        milliseconds(floor),
        milliseconds(version),
        milliseconds(file)
    );
    assert!(milliseconds(version) <= 5.0 * SLACK);
    assert!(milliseconds(file) <= 10.0 * SLACK);
}
