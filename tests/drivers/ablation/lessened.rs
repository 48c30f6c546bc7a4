//! The tree in, a program out in which every guard can be switched off by its number.

use super::guards::{GUARDS, Guard};
use super::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the program is built from.
const PARTS: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    "engine",
    "stdlib",
    "spec",
    "workflows",
    "tests/main.rs",
];
/// The variable that names the guard that is off.
const OFF: &str = "BMAD_ABLATE";
/// The switch, for the copy alone.
const SWITCH: &str = r#"
/// Says whether a guard is switched off.
pub(crate) fn ablated(guard: usize) -> bool {
    static OFF: std::sync::LazyLock<Option<usize>> =
        std::sync::LazyLock::new(|| std::env::var("BMAD_ABLATE").ok()?.parse().ok());
    *OFF == Some(guard)
}
"#;
/// How long a driver may take for all scenarios: a guard whose absence makes it hang costs half a minute for each.
const LONGEST: Duration = Duration::from_secs(45 * 60);

/// The program with switches.
pub(super) struct Lessened {
    program: PathBuf,
    folder: PathBuf,
}

impl Lessened {
    /// Copies the tree below a folder, puts the switches in, and builds it.
    pub(super) fn build(folder: &Path) -> Self {
        let tree = folder.join("tree");
        for part in PARTS {
            copy(&root().join(part), &tree.join(part));
        }
        for (file, text) in switched() {
            write(&tree.join(file), text.as_bytes());
        }
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let target = folder.join("target");
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--bin", "bmad"])
            .env("CARGO_TARGET_DIR", &target)
            // Floods are read in a moment then, and nothing depends on how fast a machine is.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .current_dir(&tree)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&built.stderr);
        assert!(
            built.status.success(),
            "the copy in {} does not build: {told}",
            tree.display()
        );
        Self {
            program: target.join("debug/bmad"),
            folder: folder.to_owned(),
        }
    }

    /// Returns the scenarios of an agent that fail with one guard off, or with none.
    pub(super) fn failures(&self, agent: &str, off: Option<usize>) -> Vec<String> {
        let name = off.map_or("whole".to_owned(), |guard| guard.to_string());
        let out = self.folder.join(format!("{name}.json"));
        let mut command = Command::new(&self.program);
        command
            .args(["drivers", "certify", agent, "--format", "json"])
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap())
            .env("HOME", &self.folder)
            .stdout(fs::File::create(&out).unwrap())
            .stderr(Stdio::null());
        if let Some(guard) = off {
            command.env(OFF, guard.to_string());
        }
        let mut child = command.spawn().unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > LONGEST {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("guard {name}: the lab did not come to its end");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        let told: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
        let scenarios = told["scenarios"].as_array().unwrap().iter();
        let left_out = scenarios.clone().filter(|it| it["result"] == "left out").count();
        assert_eq!(left_out, 0, "{agent} has no words for some");
        let failed = scenarios.filter(|it| it["result"] == "FAILED");
        failed.map(|it| it["scenario"].as_str().unwrap().to_owned()).collect()
    }
}

/// Returns every file that holds a guard, with its switches.
fn switched() -> BTreeMap<&'static str, String> {
    let mut files: BTreeMap<&'static str, String> = BTreeMap::new();
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    files.insert("engine/lib.rs", read("engine/lib.rs") + SWITCH);
    let mut places: BTreeMap<(&str, &str), Vec<(usize, &Guard)>> = BTreeMap::new();
    for (number, guard) in GUARDS.iter().enumerate() {
        places
            .entry((guard.file, guard.place))
            .or_default()
            .push((number, guard));
    }
    for ((file, _), guards) in places {
        let (before, with, after) = guards[0].1.parts();
        let mut switch = with.to_owned();
        for (number, guard) in guards.iter().rev() {
            switch = format!(
                "if crate::ablated({number}) {{ {} }} else {{ {switch} }}",
                guard.without
            );
        }
        let text = files.entry(file).or_insert_with(|| read(file));
        assert_eq!(text.matches(&guards[0].1.code()).count(), 1, "{}", guards[0].1.name);
        *text = text.replacen(&guards[0].1.code(), &format!("{before}{{ {switch} }}{after}"), 1);
    }
    files
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        return write(to, &fs::read(from).unwrap());
    }
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Writes a file unless it is there already as it should be, so that nothing is built twice.
fn write(path: &Path, bytes: &[u8]) {
    if fs::read(path).is_ok_and(|now| now == bytes) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
