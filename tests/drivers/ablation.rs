//! What every guard of the drivers is there for: which scenarios of the lab fail without it.
//!
//! The table `ablation.txt` is made by the ignored test. It copies the tree below `target/`, puts a switch around every
//! guard of `guards.rs`, builds that once, and certifies a driver once for each guard with the guard switched off. The
//! tests that always run see to it that no guard is lost from the source and no scenario from the table.
//!
//! `BMAD_BLESS=1` writes the table anew.
#![cfg(target_os = "linux")]

mod guards;
mod lessened;

use bmad::drivers::lab::scenarios;
use guards::{GUARDS, PLAIN};
use lessened::Lessened;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The agent whose driver is looked at: it has words for every scenario.
const AGENT: &str = "claude-code";
/// The scenario that a guard against something special has nothing to do with.
const GOOD: &str = "a good turn";
/// How many guards are looked at at a time: most of it is waiting.
const AT_ONCE: usize = 6;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file() -> PathBuf {
    root().join("tests/drivers/ablation.txt")
}

/// One row: what fails without a guard.
struct Row {
    guard: String,
    fails: Vec<String>,
}

impl Row {
    fn is_special(&self) -> bool {
        !self.fails.iter().any(|scenario| scenario == GOOD)
    }
}

/// Reads the table that is kept.
fn rows(text: &str) -> Vec<Row> {
    let (table, _) = text.split_once("\n## ").unwrap_or((text, ""));
    let mut rows: Vec<Row> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match (line.strip_prefix("    "), rows.last_mut()) {
            (Some(scenario), Some(row)) => row.fails.push(scenario.to_owned()),
            (Some(_), None) => panic!("`{line}` belongs to no guard"),
            (None, _) => rows.push(Row {
                guard: line.split(" | ").next().unwrap_or_default().to_owned(),
                fails: Vec::new(),
            }),
        }
    }
    rows
}

fn written(rows: &[Row]) -> String {
    let mut text = format!(
        "# Each guard of the drivers, and the scenarios of `bmad drivers certify {AGENT}` that fail without it.\n\
         # Made by the test `the_table_of_guards`; see ablation.rs.\n"
    );
    for (row, guard) in rows.iter().zip(GUARDS) {
        text.push_str(&format!("\n{} | {}\n", row.guard, guard.file));
        for scenario in &row.fails {
            text.push_str(&format!("    {scenario}\n"));
        }
    }
    text.push_str("\n## Scenarios without a guard of their own: they fail only where every turn does\n");
    for (scenario, shows) in PLAIN {
        text.push_str(&format!("\n{scenario}\n    {shows}\n"));
    }
    text
}

#[test]
fn every_guard_stands_in_its_file_exactly_once() {
    let lost: Vec<String> = GUARDS
        .iter()
        .filter_map(|guard| {
            let source = fs::read_to_string(root().join(guard.file)).unwrap();
            let count = source.matches(&guard.code()).count();
            (count != 1).then(|| format!("{} is in {} {count} times", guard.name, guard.file))
        })
        .collect();
    assert_eq!(
        lost, [""; 0],
        "write it in tests/drivers/ablation/guards.rs as it is now, and make the table anew"
    );
}

#[test]
fn every_scenario_fails_without_some_guard() {
    let rows = rows(&fs::read_to_string(file()).unwrap());
    let listed: Vec<&str> = rows.iter().map(|row| row.guard.as_str()).collect();
    let guards: Vec<&str> = GUARDS.iter().map(|guard| guard.name).collect();
    assert_eq!(listed, guards, "the table is not that of the guards; make it anew");
    let idle: Vec<&str> = rows
        .iter()
        .filter(|row| row.fails.is_empty())
        .map(|row| &*row.guard)
        .collect();
    assert_eq!(idle, [""; 0], "no scenario needs these");
    let all: BTreeSet<&str> = scenarios().collect();
    let named = |special: bool| -> BTreeSet<&str> {
        let rows = rows.iter().filter(|row| !special || row.is_special());
        rows.flat_map(|row| row.fails.iter().map(String::as_str)).collect()
    };
    assert_eq!(
        named(false),
        all,
        "the table is not that of the scenarios; make it anew"
    );
    let plain: BTreeSet<&str> = PLAIN.iter().map(|(scenario, _)| *scenario).collect();
    let without: BTreeSet<&str> = all.difference(&named(true)).copied().collect();
    assert_eq!(plain, without, "say in guards.rs what they show, or find their guard");
}

#[test]
#[ignore = "half an hour: one build, and every scenario once for each guard"]
fn the_table_of_guards_says_what_fails_without_them() {
    let lessened = Lessened::build(&root().join("target/ablation"));
    let whole = lessened.failures(AGENT, None);
    assert_eq!(whole, [""; 0], "with every guard in its place");
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<Vec<String>>>> = Mutex::new(vec![None; GUARDS.len()]);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(guard) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < GUARDS.len()) {
                    let fails = lessened.failures(AGENT, Some(guard));
                    println!("{}: {fails:?}", GUARDS[guard].name);
                    found.lock().unwrap()[guard] = Some(fails);
                }
            });
        }
    });
    let found = found.into_inner().unwrap().into_iter();
    let rows: Vec<Row> = found
        .zip(GUARDS)
        .map(|(fails, guard)| Row {
            guard: guard.name.to_owned(),
            fails: fails.unwrap(),
        })
        .collect();
    let table = written(&rows);
    if std::env::var("BMAD_BLESS").is_ok() {
        fs::write(file(), &table).unwrap();
    }
    assert_eq!(fs::read_to_string(file()).unwrap(), table);
}
