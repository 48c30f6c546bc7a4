//! What is there when a run was ended, and what is there when it was resumed.

use super::case::{Case, Ended};
use bmad::host::Line;
use bmad::machine::Key;
use bmad::os::journal;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A run that nobody disturbed.
#[derive(Debug)]
pub(crate) struct Undisturbed {
    pub(crate) code: i32,
    /// What checking its journal ends with.
    verified: i32,
    pub(crate) errors: String,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) calls: Vec<String>,
    pub(crate) done: BTreeMap<String, usize>,
    pub(crate) lines: usize,
}

/// What is known of a run that was ended.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// The whole lines of its journal.
    bytes: Vec<u8>,
    done: BTreeMap<String, usize>,
    /// Turns that were begun and not ended.
    open: usize,
    /// The turns whose end is recorded, by name.
    paid: Vec<String>,
    calls: Vec<String>,
}

/// What came of many runs.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) kills: usize,
    pub(crate) resumes: usize,
    /// Turns that were paid for twice although their end was recorded.
    pub(crate) repeated: usize,
    /// Finished effects that are not in the journal any more.
    pub(crate) lost: usize,
    /// Runs that left another project behind than an undisturbed one.
    pub(crate) differing: usize,
    /// Everything that is wrong.
    pub(crate) complaints: Vec<String>,
}

impl Undisturbed {
    /// Runs a workflow to its end.
    pub(crate) fn of(case: &Case) -> Self {
        case.reset();
        let ended = case.run(&[], &case.exec());
        assert!(matches!(ended.code, 0 | 1), "{ended:?}");
        let standing = Standing::of(case);
        assert_eq!(standing.open, 0);
        Self {
            code: ended.code,
            verified: case.run(&[], &case.verify()).code,
            errors: ended.errors,
            files: case.files(),
            calls: case.calls(),
            done: standing.done,
            lines: standing.bytes.iter().filter(|byte| **byte == b'\n').count(),
        }
    }
}

impl Standing {
    /// Looks at what a run left behind; nothing where it did not come to its first line.
    pub(crate) fn of(case: &Case) -> Self {
        let Some(path) = case.journal().filter(|path| path.exists()) else {
            return Self::default();
        };
        let mut bytes = fs::read(&path).unwrap();
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(whole);
        let lines = lines(&path);
        Self {
            done: done(&lines),
            open: open(&lines),
            paid: lines.iter().filter_map(|line| case.paid(line)).collect(),
            calls: case.calls(),
            bytes,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Tally {
    /// Looks at a run that was just ended, lets it go on to its end, and compares.
    pub(crate) fn settle(&mut self, what: &str, case: &Case, wanted: &Undisturbed) {
        let standing = Standing::of(case);
        self.settle_from(what, case, wanted, &[standing]);
    }

    /// The same for a run that was ended several times.
    pub(crate) fn settle_from(&mut self, what: &str, case: &Case, wanted: &Undisturbed, stood: &[Standing]) {
        let before = self.complaints.len();
        self.kills += stood.len();
        // The last kill may have come too late for a run that went on to its end.
        let now = Standing::of(case);
        let known: usize = now.done.values().sum();
        let ended = self.go_on(case, now.is_empty());
        // A run that has nothing left to do tells nothing of what it did.
        let is_over = known == wanted.done.values().sum::<usize>();
        if known > 0 && !is_over && !ended.errors.contains(&format!("{known} effects were done before")) {
            self.complain(
                what,
                format!(
                    "{known} of {} effects were finished: {}",
                    wanted.done.values().sum::<usize>(),
                    ended.errors
                ),
            );
        }
        if ended.code != wanted.code {
            self.complain(what, format!("ended with {}: {}", ended.code, ended.errors));
        } else {
            self.compare(what, case, wanted, stood);
        }
        if self.complaints.len() > before {
            println!("{}", self.complaints[before..].join("\n"));
        }
    }

    fn go_on(&mut self, case: &Case, is_stillborn: bool) -> Ended {
        if is_stillborn {
            // Nothing was begun: there is nothing to resume, and that is said.
            let resumed = case.run(&[], &case.resume());
            assert_eq!(resumed.code, 2, "{resumed:?}");
            assert!(resumed.errors.contains("bmad exec"), "{resumed:?}");
            return case.run(&[], &case.exec());
        }
        self.resumes += 1;
        case.run(&[], &case.resume())
    }

    fn compare(&mut self, what: &str, case: &Case, wanted: &Undisturbed, stood: &[Standing]) {
        let (files, calls) = (case.files(), case.calls());
        if files != wanted.files {
            self.differing += 1;
            self.complain(what, differences(&wanted.files, &files));
        }
        let path = case.journal().unwrap();
        let lines = lines(&path);
        let verified = case.run(&[], &case.verify());
        if verified.code != wanted.verified {
            self.complain(what, format!("not verified: {}{}", verified.output, verified.errors));
        }
        let bytes = fs::read(&path).unwrap();
        let finished = done(&lines);
        for standing in stood.iter().filter(|standing| !standing.is_empty()) {
            let lost = standing.done.keys().filter(|key| !finished.contains_key(*key)).count();
            if lost > 0 || !bytes.starts_with(&standing.bytes) {
                self.lost += lost.max(1);
                self.complain(what, format!("{lost} finished effects are lost"));
            }
            for name in &standing.paid {
                let (then, now) = (count(&standing.calls, name), count(&calls, name));
                if now > then {
                    self.repeated += now - then;
                    self.complain(what, format!("{name} was done and is paid again"));
                }
            }
        }
        let twice = finished.iter().filter(|(_, times)| **times > 1);
        let twice: Vec<&String> = twice.map(|(key, _)| key).collect();
        if !twice.is_empty() {
            self.repeated += twice.len();
            self.complain(what, format!("performed twice: {twice:?}"));
        }
        if finished.keys().ne(wanted.done.keys()) {
            self.complain(what, "other effects were performed than without a stop".to_owned());
        }
        let open: usize = stood.iter().map(|standing| standing.open).sum();
        if calls.len() > wanted.calls.len() + open {
            self.complain(
                what,
                format!("{} turns, {open} of them unknown: {calls:?}", calls.len()),
            );
        }
        let distinct = |calls: &[String]| calls.iter().cloned().collect::<BTreeSet<String>>();
        if distinct(&calls) != distinct(&wanted.calls) {
            self.complain(what, format!("other turns were taken: {calls:?}"));
        }
    }

    pub(crate) fn complain(&mut self, what: &str, why: String) {
        self.complaints.push(format!("{what}: {why}"));
    }

    /// Fails with everything that is wrong.
    pub(crate) fn assert_sound(&self) {
        assert!(
            self.complaints.is_empty(),
            "{} complaints:\n{}",
            self.complaints.len(),
            self.complaints.join("\n")
        );
        assert!(self.kills > 0, "nothing was ever ended");
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.kills += other.kills;
        self.resumes += other.resumes;
        self.repeated += other.repeated;
        self.lost += other.lost;
        self.differing += other.differing;
        self.complaints.extend(other.complaints);
    }
}

/// Reads the whole lines of a journal.
pub(crate) fn lines(path: &Path) -> Vec<Line<'static>> {
    let Ok(lines) = journal::read(path) else {
        return Vec::new();
    };
    lines.map(|kept| kept.unwrap().line).collect()
}

/// Counts how often each effect is recorded as finished; a failure is no end.
fn done(lines: &[Line<'_>]) -> BTreeMap<String, usize> {
    let mut done = BTreeMap::new();
    for line in lines {
        if let Line::Done { key, outcome, .. } = line
            && !matches!(outcome.as_ref(), bmad::machine::Outcome::Failed(_))
        {
            *done.entry(name(key)).or_insert(0) += 1;
        }
    }
    done
}

/// Counts the turns that were begun and not ended.
fn open(lines: &[Line<'_>]) -> usize {
    let mut open = BTreeSet::new();
    for line in lines {
        match line {
            Line::Intent { key, .. } => drop(open.insert(name(key))),
            Line::Done { key, .. } => drop(open.remove(&name(key))),
            Line::Begun(_)
            | Line::Hooked(_)
            | Line::Called(_)
            | Line::Resumed(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. }
            | Line::Stopped { .. } => {}
        }
    }
    open.len()
}

fn name(key: &Key) -> String {
    format!("{} {} {}", key.lane, key.digest, key.n)
}

fn count(calls: &[String], name: &str) -> usize {
    calls.iter().filter(|call| *call == name).count()
}

fn differences(wanted: &BTreeMap<String, Vec<u8>>, files: &BTreeMap<String, Vec<u8>>) -> String {
    let names: BTreeSet<&String> = wanted.keys().chain(files.keys()).collect();
    let text = |bytes: Option<&Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let changed = names.into_iter().filter(|name| wanted.get(*name) != files.get(*name));
    let told = changed.map(|name| format!("{name}: {:?}, not {:?}", text(files.get(name)), text(wanted.get(name))));
    told.collect::<Vec<_>>().join("; ")
}
