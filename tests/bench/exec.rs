//! What it costs to run a workflow: a durable step, a short run, many agents at once, a long history.

use super::run::{SLACK, clock, milliseconds, several};
use super::workflow::{Folder, linear, of_steps};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How many steps.
const STEPS: usize = 1000;

/// A first step that ends the run. Nobody knows before that it does, so that the steps behind it can be reached.
const HALT: &str =
    "<step n=\"0\" goal=\"Stop\"><set name=\"stop\" value=\"yes\"/><halt reason=\"here\" if=\"{stop} == yes\"/></step>";

/// Appends as many short lines as there are steps, each on the disk before the next.
fn bare_appends(folder: &Path) -> Duration {
    let mut file = File::create(folder.join("bare")).unwrap();
    let start = Instant::now();
    for _ in 0..STEPS {
        file.write_all(&[b'x'; 200]).unwrap();
        file.sync_data().unwrap();
    }
    start.elapsed()
}

/// Returns the middle of several numbers.
fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Runs a workflow to its end, and the same file with a first step that ends it: what is left are the steps.
fn steps_alone(whole: &Folder, halted: &Folder) -> Duration {
    let start = halted.exec(&[]).time;
    whole.exec(&[]).time.saturating_sub(start)
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_durable_step_costs_little_more_than_an_append() {
    let whole = Folder::new(&linear(STEPS, ""));
    let halted = Folder::new(&linear(STEPS, HALT));
    let document = Folder::new(&linear(
        STEPS,
        "<step n=\"0\" goal=\"Name it\"><set name=\"default_output_file\" value=\"document.md\"/></step>",
    ));
    let (mut ratios, mut noted) = (Vec::new(), Vec::new());
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    // In turns, so that a disk that others use slows all of them.
    for _ in 0..5 {
        let appends = bare_appends(whole.path()).as_secs_f64();
        let steps = steps_alone(&whole, &halted).as_secs_f64();
        std::fs::write(document.path().join("document.md"), "---\ntitle: A\n---\n# A\n").unwrap();
        noted.push(steps_alone(&document, &halted).as_secs_f64() / appends);
        ratios.push(steps / appends);
        ours.push(steps * 1e6 / STEPS as f64);
        bare.push(appends * 1e6 / STEPS as f64);
    }
    let text = std::fs::read_to_string(document.path().join("document.md")).unwrap();
    assert!(text.contains(", 998, 999]"), "{text}");
    let ratio = middle(ratios);
    println!(
        "exec: a durable step {:.0} µs, a bare append {:.0} µs, ratio {ratio:.2} (aim 1.5); with a document {:.2}",
        middle(ours),
        middle(bare),
        middle(noted)
    );
    assert!(ratio <= 1.5 * SLACK);
}

/// Puts LangGraph beside the program; says so and gives up where there is no network.
fn langgraph() -> Option<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../langgraph");
    let python = folder.join("bin/python");
    let has_it = |python: &Path| {
        let mut command = Command::new(python);
        let command = command.args(["-c", "import langgraph.checkpoint.sqlite, langgraph.graph"]);
        command.output().is_ok_and(|output| output.status.success())
    };
    if has_it(&python) {
        return Some(python);
    }
    let made = |program: &Path, arguments: &[&str]| {
        let status = Command::new(program).args(arguments).current_dir("/").output();
        status.is_ok_and(|output| output.status.success())
    };
    let place = folder.to_str().unwrap();
    let packages = ["-m", "pip", "install", "-q", "langgraph", "langgraph-checkpoint-sqlite"];
    let done = made(Path::new("python3"), &["-m", "venv", place]) && made(&python, &packages) && has_it(&python);
    if !done {
        println!("skipped: LangGraph could not be fetched");
        assert!(
            std::env::var_os("BMAD_REQUIRE_NETWORK").is_none(),
            "BMAD_REQUIRE_NETWORK is set"
        );
    }
    done.then_some(python)
}

/// A chain of steps that do nothing, each kept before the next; prints the microseconds of one.
const LANGGRAPH: &str = r#"
import sqlite3, sys, time
from typing import TypedDict
from langgraph.graph import StateGraph, START, END
from langgraph.checkpoint.sqlite import SqliteSaver

class State(TypedDict):
    x: int

count = int(sys.argv[2])
graph = StateGraph(State)
for n in range(count):
    graph.add_node(str(n), lambda state, n=n: {"x": n})
graph.add_edge(START, "0")
for n in range(count - 1):
    graph.add_edge(str(n), str(n + 1))
graph.add_edge(str(count - 1), END)
saver = SqliteSaver(sqlite3.connect(sys.argv[1], check_same_thread=False))
saver.setup()
app = graph.compile(checkpointer=saver)
config = {"configurable": {"thread_id": "1"}, "recursion_limit": count + 10}
start = time.perf_counter()
app.invoke({"x": 0}, config, durability="sync")
print((time.perf_counter() - start) / count * 1e6)
"#;

/// Returns the microseconds of one step of LangGraph: of a short chain, since it takes longer the longer the chain is.
fn langgraph_step(python: &Path, folder: &Path, count: usize) -> f64 {
    let database = folder.join("langgraph.db");
    for end in ["", "-wal", "-shm"] {
        let file = folder.join(format!("langgraph.db{end}"));
        assert!(!file.exists() || std::fs::remove_file(file).is_ok());
    }
    let output = Command::new(python)
        .args(["-c", LANGGRAPH])
        .arg(&database)
        .arg(count.to_string())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    printed
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_durable_step_costs_a_fraction_of_one_of_langgraph() {
    let Some(python) = langgraph() else { return };
    let whole = Folder::new(&linear(STEPS, ""));
    let halted = Folder::new(&linear(STEPS, HALT));
    // On a disk, and in memory: there a sync costs nothing and what is left is the engine's own.
    let memory = Path::new("/dev/shm")
        .is_dir()
        .then(|| tempfile::tempdir_in("/dev/shm").unwrap());
    let mut places = vec![("a file on the disk", whole.path().to_path_buf())];
    places.extend(memory.iter().map(|memory| ("memory", memory.path().to_path_buf())));
    for (name, place) in places {
        let state = place.join("state");
        let keep = ["--state-dir", state.to_str().unwrap()];
        let (mut starts, mut runs, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..5 {
            starts.push(halted.exec(&keep).time.as_secs_f64());
            runs.push(whole.exec(&keep).time.as_secs_f64());
            theirs.push(langgraph_step(&python, &place, 200));
        }
        // The shortest of each: what the work costs when nobody disturbs it.
        let shortest = |times: Vec<f64>| times.into_iter().fold(f64::INFINITY, f64::min);
        let steps = (shortest(runs) - shortest(starts)).max(1e-6);
        let (ours, theirs) = (steps * 1e6 / STEPS as f64, shortest(theirs));
        println!(
            "exec: one durable step in {name} {ours:.0} µs, of LangGraph {theirs:.0} µs: {:.1} times (aim 10)",
            theirs / ours
        );
        assert!(theirs / ours >= if name == "memory" { 10.0 / SLACK } else { 1.0 });
    }
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_short_run_is_over_at_once() {
    let hello = concat!(env!("CARGO_MANIFEST_DIR"), "/workflows/hello/workflow.xml");
    let folder = Folder::new(&std::fs::read_to_string(hello).unwrap());
    std::fs::write(folder.path().join("answers.yaml"), "visitor: Ada\nmood: g\n").unwrap();
    let (run, best, worst) = several(15, || folder.exec(&["--answers", "answers.yaml"]));
    assert!(folder.path().join("hello.md").is_file());
    println!(
        "exec: workflows/hello {:.1} ms ({:.1}–{:.1}), aim 40",
        milliseconds(run),
        milliseconds(best),
        milliseconds(worst)
    );
    assert!(milliseconds(run) <= 40.0 * SLACK);
}

/// A hundred turns side by side, at most so many at a time.
fn fan_out(at_once: usize) -> String {
    let items: Vec<String> = (1..=100).map(|n| n.to_string()).collect();
    of_steps(&format!(
        "<step n=\"1\" goal=\"Send\">
    <set name=\"items\" value=\"{}\"/>
    <parallel for=\"item in {{items}}\" max=\"{at_once}\" into=\"all\">
      <dispatch mode=\"fresh\" access=\"read\">Do number {{item}}.</dispatch>
    </parallel>
  </step>",
        items.join(",")
    ))
}

#[test]
#[ignore = "a benchmark"]
fn bench_agents_at_once_are_as_fast_as_bare_processes() {
    // An agent that says nothing is asked again only after a while, so one that says the least is measured.
    let program = "/bin/echo {}";
    let agent = format!("command:{program}");
    // More of its processes at once do not make xargs faster.
    let shell = format!("seq 100 | xargs -P 8 -I @ {program}");
    let folders = [100, 8].map(|at_once| (at_once, Folder::new(&fan_out(at_once))));
    let (mut ours, mut ratios) = ([vec![], vec![]], [vec![], vec![]]);
    let mut bare = Vec::new();
    for _ in 0..15 {
        let xargs = clock(Command::new("sh").args(["-c", &shell])).as_secs_f64();
        bare.push(xargs * 1e3);
        for (at, (_, folder)) in folders.iter().enumerate() {
            let run = folder.clock_exec(&["--agent", &agent]).as_secs_f64();
            ours[at].push(run * 1e3);
            ratios[at].push(run / xargs);
        }
    }
    let bare = middle(bare);
    for (((at_once, _), ours), ratios) in folders.iter().zip(ours).zip(ratios) {
        let ratio = middle(ratios);
        println!(
            "exec: 100 turns of `{program}`, {at_once} at once, {:.0} ms, by xargs -P 8 {bare:.0} ms, ratio {ratio:.2} (aim 1)",
            middle(ours)
        );
        assert!(ratio <= SLACK);
    }
}

/// Returns how long it took to do the first and the last thousand of the effects of a run, by its own records.
fn ends_of_history(folder: &Folder) -> (i64, i64) {
    let times: Vec<i64> = folder.times();
    let last = times.len() - 1;
    (times[1000] - times[0], times[last] - times[last - 1000])
}

#[test]
#[ignore = "a benchmark"]
fn bench_an_effect_costs_the_same_after_a_long_history() {
    let turns = of_steps(
        "<step n=\"1\" goal=\"Work\"><loop max=\"10000\" index=\"i\">
      <dispatch mode=\"fresh\" access=\"read\" into=\"r\">Do number {i}.</dispatch>
      <output>Number {i} is done.</output>
    </loop></step>",
    );
    for (name, text) in [("turns", turns), ("steps", linear(20_000, ""))] {
        let mut ratios = Vec::new();
        let mut ends = (0, 0);
        for _ in 0..3 {
            let folder = Folder::in_memory(&text);
            folder.exec(&["--agent", "script:--ack", "--fuel", "1000000"]);
            ends = ends_of_history(&folder);
            ratios.push(ends.1 as f64 / ends.0.max(1) as f64);
        }
        let ratio = middle(ratios);
        println!(
            "exec: of 20,000 effects ({name}) the first 1,000 took {} ms, the last {} ms, ratio {ratio:.2} (aim about 1)",
            ends.0, ends.1
        );
        assert!(ratio <= 1.2 * SLACK);
    }
}
