//! Fifty agents at once that misbehave at random, under an engine that is killed now and then.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const WORKFLOW: &str = r#"<workflow name="Crowd">
  <step n="1" goal="Let fifty work, again and again">
    <set name="seats" glob="{project-root}/seats/*"/>
    <loop name="rounds" max="100000" index="round">
      <parallel for="seat in {seats}" max="50" into="replies">
        <dispatch mode="fresh" access="read" timeout="3">Round {round}, {seat}. Answer with text.</dispatch>
      </parallel>
    </loop>
  </step>
</workflow>
"#;

/// Does what its dice say: mostly its work, sometimes anything else.
const AGENT: &str = r#"cat > /dev/null
dice=$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')
fine() { printf '{"text": "fine"}\n'; }
case $((dice % 16)) in
  0) exit 1 ;;
  1) exit 0 ;;
  2) sleep 600 ;;
  3) trap '' TERM; while :; do sleep 1; done ;;
  4) setsid sleep 600 & fine ;;
  5) sleep 600 & fine ;;
  6) (setsid sh -c 'sleep 600 & exit' &); fine ;;
  7) head -c 300000 /dev/urandom; fine ;;
  8) head -c 300000 /dev/zero | tr '\0' e >&2; fine ;;
  9) kill -KILL $$ ;;
  10) fine; sleep 600 ;;
  *) sleep "0.$((dice % 10))"; fine ;;
esac
"#;

/// The most files that an engine has open with fifty agents: three pipes and a handle for each, and a few of its own.
const FILES: u64 = 230;

/// How many files and how much memory a process has.
#[derive(Debug, Clone, Copy)]
struct Sample {
    files: usize,
    kilobytes: u64,
}

fn sample(pid: u32) -> Option<Sample> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(Sample { files, kilobytes })
}

fn bmad(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
    command
        .args(args)
        .args(["--state-dir", folder.join("state").to_str().unwrap()])
        .current_dir(folder.join("project"))
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap())
        .env("HOME", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("project/seats")).unwrap();
    fs::create_dir_all(folder.path().join("project/_bmad")).unwrap();
    for seat in 0..50 {
        fs::write(folder.path().join(format!("project/seats/{seat:02}")), "").unwrap();
    }
    fs::write(folder.path().join("project/workflow.xml"), WORKFLOW).unwrap();
    fs::write(folder.path().join("agent.sh"), AGENT).unwrap();
    fs::write(
        folder.path().join("project/bmad.toml"),
        "[limits.run]\ncalls-per-hour = 1000000000\n",
    )
    .unwrap();
    folder
}

/// An engine that ends with the test, however that ends.
struct Engine(Child);

impl Engine {
    fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Returns the processes that work in the project.
fn left(project: &Path) -> BTreeSet<String> {
    let project = project.canonicalize().unwrap();
    let names = fs::read_dir("/proc").unwrap().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let pids = names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    let is_here = |pid: &String| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == project);
    pids.filter(is_here).collect()
}

/// Lets an engine work for a while and looks at it.
fn watch(child: &mut Child, time: Duration) -> Vec<Sample> {
    let end = Instant::now() + time;
    let mut seen = Vec::new();
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(250));
        assert!(child.try_wait().unwrap().is_none(), "the engine ended by itself");
        seen.extend(sample(child.id()));
    }
    seen
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// The most that the first and the last third of a process's life show.
fn ends(seen: &[Sample], of: impl Fn(&Sample) -> u64) -> (u64, u64) {
    let third = seen.len() / 3;
    let most = |part: &[Sample]| part.iter().map(&of).max().unwrap_or_default();
    (most(&seen[..third.max(1)]), most(&seen[seen.len() - third.max(1)..]))
}

#[test]
#[ignore = "a minute, or BMAD_SOAK_SECONDS: fifty agents at once; below a minute a life is too short to get anywhere"]
fn soak_fifty_agents_that_misbehave_leave_nothing_behind() {
    let seconds = std::env::var("BMAD_SOAK_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60);
    let folder = project();
    let place = folder.path();
    let work: PathBuf = place.join("project");
    let agent = format!("command:sh {}", place.join("agent.sh").display());
    let first = [
        "exec",
        "workflow.xml",
        "--agent",
        &agent,
        "--non-interactive",
        "--fuel",
        "1000000000",
    ];
    let mut engine = Engine::start(&mut bmad(place, &first));
    let lives = 5;
    for life in 1..=lives {
        let seen = watch(&mut engine.0, Duration::from_secs(seconds / lives));
        let (files, files_later) = ends(&seen, |sample| sample.files as u64);
        let (memory, memory_later) = ends(&seen, |sample| sample.kilobytes);
        println!("life {life}: files {files} then {files_later}, memory {memory} KB then {memory_later} KB");
        assert!(
            files.max(files_later) <= FILES,
            "files leak: {files} then {files_later}"
        );
        assert!(
            memory_later <= memory * 3 / 2 + 16 * 1024,
            "memory grows: {memory} then {memory_later} KB"
        );
        if life < lives {
            signal(&engine.0, "-KILL");
            engine.0.wait().unwrap();
            // On a very slow machine a life gets nowhere.
            engine = Engine::start(&mut bmad(place, &["resume", "--anyway", "--non-interactive"]));
        }
    }
    signal(&engine.0, "-INT");
    engine.0.wait().unwrap();
    assert_eq!(left(&work), BTreeSet::new(), "processes were left behind");
    let verified = bmad(place, &["verify"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let said = [verified.stdout, verified.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert_eq!(verified.status.code(), Some(0), "the journal does not verify: {said}");
}
