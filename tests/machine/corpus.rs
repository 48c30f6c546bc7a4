//! Real packages: every workflow, task and skill, with an agent that acknowledges everything, and with chaos.

use crate::memory::Memory;
use crate::packages;
use bmad::drivers;
use bmad::host::{Driver, Durability, Human, Journal, Line, Wait, Workspace};
use bmad::machine::{Answer, By, End, Image, Machine, Options, Outcome, Question, Tally, sha256};
use bmad::os::Disk;
use bmad::os::clock::FixedClock;
use bmad::os::journal::{FileJournal, ReplayKind, audit, replay};
use bmad::policy::Policy;
use bmad::project::{Loaded, config, load_to_run, sites};
use bmad::runner::{Crew, History, Past, Place, Stopped};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

fn packages_to_run() -> Option<Vec<(String, Loaded)>> {
    let folder = packages::fetched()?;
    let host: Arc<dyn Workspace> = Arc::new(Disk);
    let load = |name: &str| {
        let root = folder.join(name).join("package");
        let src = root.join("src");
        let start = if src.is_dir() { src } else { root };
        let site = sites(&*host, &[start]).remove(0);
        (name.to_owned(), load_to_run(&host, site))
    };
    Some(["bmad-method-6.0.4", "bmad-method-6.12.0"].map(load).into())
}

/// Takes the first way on, and answers nothing else.
pub(super) struct Onward;

impl Human for Onward {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        let policy = Policy {
            first: true,
            ..Policy::default()
        };
        let answer = policy.decide(&question).map(|text| Answer { text, by: By::Policy });
        Box::pin(std::future::ready(answer))
    }
}

/// Answers anything that fits, the same for the same seed.
struct Anyhow(u64);

impl Human for Anyhow {
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        let hash = sha256(format!("{} {} {}", self.0, question.id, question.text).as_bytes());
        let number = u64::from_str_radix(&hash[..12], 16).unwrap() as usize;
        let text = match (&question.confirm, question.choices.len()) {
            (Some(exact), _) => exact.clone(),
            (None, 0) => ["yes", "7", "", "a/b.md", "Ünïcode {{x}} `$(x)`"][number % 5].to_owned(),
            (None, count) => question.choices[number % count].key.clone(),
        };
        Box::pin(std::future::ready(Some(Answer {
            text,
            by: By::Rehearsal,
        })))
    }
}

pub(crate) fn crew(agent: &str, human: Arc<dyn Human>) -> Crew {
    let workspace: Arc<dyn Workspace> = Arc::new(Memory::new(Vec::<(String, Vec<u8>)>::new()));
    let options = drivers::Options::new(Arc::clone(&workspace), "/project");
    let driver: Arc<dyn Driver> = Arc::from(drivers::named(agent, &options).unwrap());
    Crew {
        driver,
        ledger: Arc::default(),
        human,
        workspace,
        secrets: bmad::policy::secret::Secrets::common(),
        clock: Arc::new(FixedClock::new(1_794_723_365_000, 0)),
        prompt: Arc::new(|_| Ok(String::new())),
        keep: Arc::new(|_, bytes| Ok(bytes.map(<[u8]>::to_vec))),
        snapshot: Arc::new(|| Ok(None)),
        left_behind: Arc::new(|_| Ok(Vec::new())),
        elsewhere: Arc::new(|_| false),
        others: Arc::new(|_| Vec::new()),
        since: Arc::new(|_, _| false),
        moved: Arc::new(|_| None),
        put_back: Arc::new(|_, _| Ok(bmad::runner::Back::default())),
        survivors: None,
        outlives_terminal: false,
        hooks: bmad::runner::Hooks::default(),
        commands: None,
        unfinished: None,
        beat: std::time::Duration::from_secs(60),
        run: "last".to_owned(),
        root: "/project".into(),
        home: "/project".into(),
        installations: Vec::new(),
        token: "test".to_owned(),
    }
}

fn machine<'p>(image: &'p Image<'p>, loaded: &Loaded, at: usize) -> Machine<'p> {
    let options = Options {
        config: config(loaded, at),
        ..Options::default()
    };
    Machine::new(image, at, options)
}

/// A folder for journals: in memory where that is possible, because thousands of them are synced line by line.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// A run with a real journal, and what came of replaying it.
pub(crate) struct Journaled<'p> {
    pub(crate) stopped: Stopped,
    pub(crate) first: Machine<'p>,
    pub(crate) again: Machine<'p>,
    pub(crate) effects: u64,
    pub(crate) reused: u64,
    /// Whether the last thing in a lane is a failure.
    failed: bool,
}

/// Runs a machine with a real journal, audits the journal, and replays it on a second machine.
pub(crate) fn journaled<'p>(make: &dyn Fn() -> Machine<'p>, crew: &Crew, path: &Path) -> Journaled<'p> {
    let mut journal = FileJournal::create(path).unwrap();
    journal
        .append(&Line::Begun(Box::default()), Durability::Buffered)
        .unwrap();
    let mut first = make();
    let mut effects = 0_u64;
    let stopped = bmad::runner::run(&mut first, &mut journal, &mut History::default(), crew, &mut |event| {
        effects += u64::from(matches!(event, bmad::runner::Event::Recorded(..)));
        assert!(effects < 100_000, "it does not end");
    });
    journal.settle().unwrap();
    let stopped = stopped.unwrap();
    audit(path).unwrap();
    let lines = replay(path).unwrap().filter_map(|line| {
        let line = line.unwrap();
        let at = line.at;
        match line.kind {
            ReplayKind::Intent { key, snapshot, .. } => Some(Ok(Past::Begun {
                at,
                key,
                before: snapshot,
                place: Place::of(line.seq),
            })),
            ReplayKind::Done { key, outcome, .. } => Some(Ok(Past::Done {
                at,
                key,
                outcome,
                place: Place::of(line.seq),
            })),
            _ => None,
        }
    });
    let past: Vec<Result<Past, bmad::host::JournalError>> = lines.collect();
    let mut last: BTreeMap<String, bool> = BTreeMap::new();
    for it in past.iter().flatten() {
        if let Past::Done { key, outcome, .. } = it {
            last.insert(key.lane.to_string(), matches!(outcome, Outcome::Failed(_)));
        }
    }
    let mut history = History::new(Box::new(past.into_iter()));
    let mut again = make();
    bmad::runner::replay(&mut again, &mut history).unwrap();
    Journaled {
        stopped,
        first,
        again,
        effects,
        reused: history.reuse().reused,
        failed: last.values().any(|failed| *failed),
    }
}

/// Runs a workflow with a real journal, audits it, and replays it: the same effects must come out.
fn run<'p>(image: &'p Image<'p>, loaded: &Loaded, at: usize, crew: &Crew, path: &Path) -> (Stopped, Tally) {
    let ran = journaled(&|| machine(image, loaded, at), crew, path);
    // A failure that nothing came after is no result: it is tried again.
    if !ran.failed {
        assert_eq!(ran.first.end(), ran.again.end());
        assert_eq!(ran.reused, ran.effects);
    }
    (ran.stopped, ran.first.tally().clone())
}

fn told(stopped: &Stopped) -> (String, String) {
    match stopped {
        Stopped::Ended(end) => {
            let End {
                kind, reason, place, ..
            } = &**end;
            (kind.name().to_owned(), format!("{reason} {place}").trim().to_owned())
        }
        Stopped::Waiting(open) => {
            let first = open.first().unwrap();
            ("waiting".to_owned(), format!("{} {}", first.id, first.place))
        }
        Stopped::Parked { why, .. } => ("parked".to_owned(), why.clone()),
        Stopped::Interrupted => ("interrupted".to_owned(), String::new()),
    }
}

/// Compares with the committed table; `BMAD_BLESS=1` writes it.
fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machine").join(name);
    if std::env::var_os("BMAD_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "{name} is not what it was; BMAD_BLESS=1 writes it anew"
    );
}

#[test]
fn every_workflow_comes_to_a_defined_end() {
    let Some(packages) = packages_to_run() else { return };
    let mut table = String::from("# package, workflow: how a run with `script:--ack` ends, and the steps it reached\n");
    let folder = scratch();
    for (name, loaded) in &packages {
        let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
        for at in 0..loaded.workflows.len() {
            let home = loaded.library.source(loaded.workflows[at].home).path().as_str();
            let path = folder.path().join(format!("{name}-{at}.jsonl"));
            let (stopped, tally) = run(&image, loaded, at, &crew("script:--ack", Arc::new(Onward)), &path);
            let (kind, why) = told(&stopped);
            assert!(
                matches!(kind.as_str(), "completed" | "halted" | "waiting" | "limit"),
                "{home}: {kind} {why}"
            );
            let reached: Vec<&str> = tally.reached.iter().map(|(_, label)| label.as_str()).collect();
            writeln!(table, "{name} {home}: {kind} {why} [{}]", reached.join(" ")).unwrap();
        }
    }
    compare("ends.txt", &table);
}

fn chaos(seeds: u64) -> Option<String> {
    let packages = packages_to_run()?;
    let mut table =
        format!("# workflow: ends over {seeds} seeds of chaos; limits and failures with their most frequent reason\n");
    let folder = scratch();
    for (name, loaded) in &packages {
        let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
        for at in 0..loaded.workflows.len() {
            let home = loaded.library.source(loaded.workflows[at].home).path().as_str();
            let mut ends: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
            for seed in 0..seeds {
                let path = folder.path().join("journal.jsonl");
                let crew = crew(&format!("chaos:{seed}"), Arc::new(Anyhow(seed)));
                let (stopped, _) = run(&image, loaded, at, &crew, &path);
                let (kind, why) = told(&stopped);
                assert_ne!(kind, "waiting", "{home} with seed {seed}: {why}");
                *ends.entry(kind).or_default().entry(why).or_default() += 1;
                std::fs::remove_file(&path).unwrap();
            }
            let ends: Vec<String> = ends.iter().map(|(kind, reasons)| counted(kind, reasons)).collect();
            writeln!(table, "{name} {home}: {}", ends.join(", ")).unwrap();
        }
    }
    Some(table)
}

/// Tells how often runs ended in a way; of limits and failures also why most of them did.
fn counted(kind: &str, reasons: &BTreeMap<String, u64>) -> String {
    let count: u64 = reasons.values().sum();
    let most = reasons.iter().max_by_key(|(_, count)| **count);
    match most.filter(|_| matches!(kind, "limit" | "failed")) {
        Some((why, _)) => format!("{kind} {count} ({why})"),
        None => format!("{kind} {count}"),
    }
}

#[test]
fn whatever_is_answered_every_workflow_ends_and_its_journal_holds() {
    chaos(5);
}

#[test]
#[ignore = "a hundred seeds for every workflow take long"]
fn a_hundred_seeds_of_chaos() {
    if let Some(table) = chaos(100) {
        compare("chaos.txt", &table);
    }
}
