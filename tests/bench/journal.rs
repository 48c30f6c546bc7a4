//! What it costs to keep a line, and to read a journal again.

use super::run::SLACK;
use bmad::host::{Begun, Durability, Journal, Line};
use bmad::machine::{Acknowledged, Effect, Envelope, Evidence, Key, Outcome, Status, Task};
use bmad::os::journal::{FileJournal, audit, read, replay};
use std::borrow::Cow;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

fn begun() -> Line<'static> {
    Line::Begun(Box::new(Begun {
        version: 1,
        run: "20260101-000000-0000".to_owned(),
        workflow: "workflow.xml".to_owned(),
        ..Begun::default()
    }))
}

fn key(n: u64) -> Key {
    Key {
        lane: "0".into(),
        digest: format!("{n:032x}").as_str().into(),
        n: 0,
    }
}

fn shown(n: u64) -> Line<'static> {
    Line::Done {
        at: 1_794_723_365_123,
        key: key(n),
        step: "1".to_owned(),
        effect: Some(Cow::Owned(Effect::Show {
            text: "a line of about two hundred bytes".to_owned(),
        })),
        outcome: Cow::Owned(Outcome::Done),
    }
}

/// A turn: a prompt of two kilobytes, and a reply of two kilobytes with text that has to be escaped.
fn turn(n: u64) -> [Line<'static>; 2] {
    let task = Task {
        workflow: "workflow.xml".to_owned(),
        step: "2".to_owned(),
        prompt: "Read the brief, then write \"what it lacks\".\n".repeat(46),
        attempt: 1,
        ..Task::default()
    };
    let envelope = Envelope {
        instructions: vec![Acknowledged {
            n: 1,
            status: Status::Done,
            why: String::new(),
            evidence: vec![Evidence::Said {
                text: "it was done".to_owned(),
            }],
        }],
        text: "It lacks a goal, a date and \"someone\" to ask.\n".repeat(42),
        ..Envelope::default()
    };
    let intent = Line::Intent {
        at: 1_794_723_365_123,
        key: key(n),
        step: "2".to_owned(),
        driver: "script".to_owned(),
        effect: Cow::Owned(Effect::Dispatch(Box::new(task))),
        snapshot: None,
    };
    let done = Line::Done {
        at: 1_794_723_365_123,
        key: key(n),
        step: "2".to_owned(),
        effect: None,
        outcome: Cow::Owned(Outcome::Replied(Box::new(envelope))),
    };
    [intent, done]
}

fn write(path: &Path, lines: impl Iterator<Item = Line<'static>>) {
    let mut journal = FileJournal::create(path).unwrap();
    journal.append(&begun(), Durability::Buffered).unwrap();
    for line in lines {
        journal.append(&line, Durability::Buffered).unwrap();
    }
    journal.flush().unwrap();
}

/// Returns the shortest of several runs: what the work costs when nobody disturbs it.
fn shortest(count: usize, mut run: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..count).map(|_| ()).map(time).min().unwrap()
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_kept_line_costs_little_more_than_its_bytes_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut raw = File::create(folder.path().join("raw")).unwrap();
    let mut journal = FileJournal::create(&folder.path().join("journal.jsonl")).unwrap();
    journal.append(&begun(), Durability::Synced).unwrap();
    let (mut bare, mut kept) = (Duration::ZERO, Duration::ZERO);
    // In turns, so that a disk that others use slows both.
    for n in 0..1000 {
        let start = Instant::now();
        raw.write_all(&[b'x'; 200]).unwrap();
        raw.sync_data().unwrap();
        bare += start.elapsed();
        let line = shown(n);
        let start = Instant::now();
        journal.append(&line, Durability::Synced).unwrap();
        kept += start.elapsed();
    }
    let ratio = kept.as_secs_f64() / bare.as_secs_f64();
    println!("journal: 1,000 synced lines {kept:.0?}, as many bare appends {bare:.0?}, ratio {ratio:.2}");
    assert!(ratio <= 1.5 * SLACK);
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_long_run_is_read_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let turns = (0..5000).flat_map(|n| turn(n).into_iter().chain([shown(n)]));
    write(&path, turns);
    let bytes = std::fs::metadata(&path).unwrap().len();
    let scan = shortest(9, || assert_eq!(std::fs::read(&path).unwrap().len() as u64, bytes));
    let resume = shortest(9, || {
        assert_eq!(replay(&path).unwrap().map(Result::unwrap).count(), 15_001);
    });
    let whole = shortest(9, || {
        assert_eq!(read(&path).unwrap().map(Result::unwrap).count(), 15_001)
    });
    println!(
        "journal: {} MB, bare read {scan:.1?}, for a resume {resume:.1?}, whole {whole:.1?}",
        bytes / 1_000_000
    );
    assert!(resume.as_secs_f64() <= 0.020 * SLACK);
}

#[test]
#[ignore = "a benchmark"]
fn bench_a_million_lines_are_read_in_little_time_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    write(&path, (0..1_000_000).map(shown));
    let bytes = std::fs::metadata(&path).unwrap().len();
    // Forgets the most that was held so far.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = resident();
    let resume = shortest(3, || {
        assert_eq!(replay(&path).unwrap().map(Result::unwrap).count(), 1_000_001);
    });
    let whole = shortest(3, || {
        assert_eq!(read(&path).unwrap().map(Result::unwrap).count(), 1_000_001);
    });
    let checked = shortest(3, || assert_eq!(audit(&path).unwrap().done, 1_000_000));
    let grown = resident().saturating_sub(before) / 1000;
    println!(
        "journal: {} MB in a million lines, for a resume {resume:.1?}, whole {whole:.1?}, checked {checked:.1?}, {grown} MB",
        bytes / 1_000_000
    );
    assert!(whole.as_secs_f64() <= 2.0 * SLACK);
    assert!(grown < 100);
}

/// Returns the most kilobytes that this process has held.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    let number = line.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    number.unwrap_or(0)
}
