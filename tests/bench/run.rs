//! One run of a program: how long it took and how much memory it held.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How far from its aim a number may be before it fails: machines are shared, and differ twofold between runs.
pub(super) const SLACK: f64 = 2.5;

/// What a run took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) time: Duration,
    pub(super) peak_kilobytes: u64,
}

/// Runs the program to its end, output thrown away, and watches its memory.
pub(super) fn bmad(arguments: &[&str], folder: &Path) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
    watch(command.args(arguments).current_dir(folder))
}

/// Runs a command to its end, and looks at nothing meanwhile: whoever watches a short run makes it longer.
pub(super) fn clock(command: &mut Command) -> Duration {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Cargo names folders of libraries for its tests, in which every program would search.
    let command = command.env_remove("LD_LIBRARY_PATH");
    let start = Instant::now();
    command.status().unwrap();
    start.elapsed()
}

/// Runs a command to its end, and watches its memory.
pub(super) fn watch(command: &mut Command) -> Run {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let over = AtomicBool::new(false);
    // Whoever watches takes time from what is watched: seldom, and not where the end is waited for.
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !over.load(Ordering::Relaxed) {
                peak = peak.max(high_water(&status));
                std::thread::sleep(Duration::from_millis(2));
            }
            peak
        });
        child.wait().unwrap();
        let time = start.elapsed();
        over.store(true, Ordering::Relaxed);
        Run {
            time,
            peak_kilobytes: watcher.join().unwrap(),
        }
    })
}

/// Runs a command and answers how long it takes until it prints a line that holds a text.
pub(super) fn until(text: &str, command: &mut Command) -> Duration {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines.map(Result::unwrap).find(|line| line.contains(text));
    let time = start.elapsed();
    assert!(found.is_some(), "`{text}` was never printed");
    child.wait().unwrap();
    time
}

fn high_water(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// Returns the middle of several runs, with the shortest and the longest.
pub(super) fn several(count: usize, mut run: impl FnMut() -> Run) -> (Run, Run, Run) {
    let mut runs: Vec<Run> = (0..count).map(|_| run()).collect();
    runs.sort_by_key(|run| run.time);
    (runs[count / 2], runs[0], runs[count - 1])
}

pub(super) fn milliseconds(run: Run) -> f64 {
    run.time.as_secs_f64() * 1000.0
}
