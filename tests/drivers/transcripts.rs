//! Recorded runs of real agents, each through the ears of its own driver: how it ended, and that nothing fools it.

mod counting;
mod limits;
mod mutations;

use bmad::drivers::{Options, Recorded, Told, hear};
use bmad::host::{Spent, Turn};
use bmad::machine::Failure;
use bmad::os::Disk;
use bmad::os::clock::FixedClock;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// 2026-11-15 12:00:00 UTC.
const NOW: i64 = 1_794_744_000_000;

/// Runs that are no fixtures, and why.
const EXCLUDED: &[(&str, &str)] = &[
    ("claude-code/03-text-plain", PLAIN),
    ("claude-code/44c-401-text", PLAIN),
    ("claude-code/58-500-text", PLAIN),
    ("claude-code/99-streamjson-interrupt", TALK),
    ("claude-code/99-streamjson-multi", TALK),
    ("claude-code/99-streamjson-perm", TALK),
    ("codex/17-nojson", PLAIN),
    ("copilot/05-plain", PLAIN),
    ("copilot/06-silent", PLAIN),
    ("gemini/05-text-plain", PLAIN),
    ("gemini/07-text-json", WHOLE),
    ("gemini/11-shell-yolo-json", WHOLE),
    ("gemini/22-resume-latest", WHOLE),
    ("opencode/07-plain", PLAIN),
];
const PLAIN: &str = "plain text: a form of output that the driver never asks for";
const WHOLE: &str = "one object over many lines: a form of output that the driver never asks for";
const TALK: &str = "both sides of a talk by control messages, which the driver does not hold; its lines are shortened";

/// Runs that ended with exit code 0 and were not done, read by a person.
const NOT_DONE: &[&str] = &[
    "claude-code/05-write-default",
    "claude-code/07-shell-default",
    "claude-code/08-shell-allowed",
    "claude-code/13-mode-dontAsk",
    "claude-code/13-mode-manual",
    "claude-code/13-mode-plan",
    "claude-code/71-hang-sigint",
    "claude-code/73-bash-SIGINT",
    "claude-code/81-stophook-infinite",
    "claude-code/87-continue-false",
    "claude-code/88-pretool-deny",
    "claude-code/97-mcp-denied",
    "claude-code/9h-permreq",
    "codex/05-write-readonly",
    "copilot/02-write-default",
    "copilot/03-write-allow",
    "copilot/42-native-hang-SIGINT",
    "copilot/42-native-hang-SIGTERM",
    "copilot/43-native-shell-SIGTERM",
    "gemini/08-write-default",
    "gemini/40-hang-SIGINT",
    "gemini/40-hang-SIGTERM",
    "gemini/41-shell-SIGTERM",
    "opencode/08-perm-deny",
    "opencode/09-perm-ask",
];

/// One recorded run.
#[derive(Clone)]
struct Case {
    /// The agent and the file.
    name: String,
    agent: String,
    /// The exit code as it was recorded; below 0 it is a signal.
    exit: i32,
    recorded: Recorded,
}

impl Case {
    fn read(agent: &str, stem: &str) -> Case {
        let path = folder().join(agent).join(format!("{stem}.txt"));
        let text = fs::read_to_string(path).unwrap();
        let (head, rest) = text.split_once("# ---- stdout\n").unwrap_or((&text, ""));
        let (out, err) = rest.split_once("# ---- stderr\n").unwrap_or((rest, ""));
        let exit = exit(head);
        // 124 is what the clock says that ended a run which took too long.
        let code = Some(exit).filter(|exit| *exit >= 0 && *exit != 124);
        Case {
            name: format!("{agent}/{stem}"),
            agent: agent.to_owned(),
            exit,
            recorded: Recorded {
                out: out.trim_end().as_bytes().to_vec(),
                err: err.as_bytes().to_vec(),
                code,
                is_late: exit == 124,
                turn: Turn::default(),
            },
        }
    }

    fn named(name: &str) -> Case {
        let (agent, stem) = name.split_once('/').unwrap();
        Case::read(agent, stem)
    }

    /// Returns the run with something else on its standard output.
    fn with_out(&self, out: impl Into<Vec<u8>>) -> Case {
        let mut case = self.clone();
        case.recorded.out = out.into();
        case
    }

    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.recorded.out.clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn told(&self) -> Told {
        hear(&self.agent, &self.recorded, &options()).unwrap()
    }

    fn class(&self) -> &'static str {
        class(&self.told().ended)
    }
}

fn class(ended: &Result<(), Failure>) -> &'static str {
    ended.as_ref().err().map_or("done", |failure| failure.kind.name())
}

fn exit(head: &str) -> i32 {
    let marks = ["# exit code: ", "# rc="];
    let found = head
        .lines()
        .find_map(|line| marks.iter().find_map(|mark| line.strip_prefix(mark)));
    let word = found.and_then(|rest| rest.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or(i32::MIN)
}

fn options() -> Options {
    Options {
        clock: Some(Arc::new(FixedClock::new(NOW, 0))),
        scratch: PathBuf::from("nowhere/at/all"),
        ..Options::new(Arc::new(Disk), ".")
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/transcripts")
}

/// Returns the names of all recorded runs, sorted.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for agent in ["claude-code", "codex", "copilot", "gemini", "opencode"] {
        for entry in fs::read_dir(folder().join(agent)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            names.push(format!("{agent}/{}", file.strip_suffix(".txt").unwrap()));
        }
    }
    names.sort();
    names
}

/// Returns all runs that are fixtures.
fn cases() -> Vec<Case> {
    let is_excluded = |name: &str| EXCLUDED.iter().any(|(excluded, _)| *excluded == name);
    let names = names();
    names
        .iter()
        .filter(|name| !is_excluded(name))
        .map(|name| Case::named(name))
        .collect()
}

fn used(spent: Spent) -> String {
    let tokens = spent.tokens.map_or("-".to_owned(), |tokens| {
        format!("{}+{}+{}/{}", tokens.input, tokens.cached, tokens.stored, tokens.output)
    });
    let cost = spent.cost.map_or("-".to_owned(), |cost| format!("${cost:.6}"));
    format!("{tokens:<20} {cost:<10}")
}

fn table() -> String {
    let mut table = String::from(
        "# run, class, conversation known?, tokens input+cached+stored/output, dollars, end of a limit stated?, message\n",
    );
    for case in cases() {
        let told = case.told();
        let session = if told.call.session.is_some() { "session" } else { "-" };
        let until = if told.call.until.is_some() { "until" } else { "-" };
        let message = told.ended.as_ref().err().map_or("", |failure| failure.message.as_str());
        let message: String = message.chars().take(110).collect();
        let row = format!(
            "{:<44} {:<12} {session:<7} {} {until:<5} {}",
            case.name,
            class(&told.ended),
            used(told.call.spent),
            message.replace('\n', " "),
        );
        writeln!(table, "{}", row.trim_end()).unwrap();
    }
    for (name, why) in EXCLUDED {
        writeln!(table, "{name:<44} excluded: {why}").unwrap();
    }
    table
}

#[test]
fn every_recorded_run_has_its_class() {
    let path = folder().join("classes.txt");
    let table = table();
    if std::env::var_os("BMAD_BLESS").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let wrong: Vec<&str> = table
        .lines()
        .filter(|line| !written.lines().any(|it| it == *line))
        .collect();
    assert!(
        table == written,
        "{wrong:#?}\nthese are not what they were; BMAD_BLESS=1 writes the table anew, then read the difference"
    );
}

#[test]
fn nothing_is_done_that_was_not() {
    for case in cases() {
        let is_done = case.class() == "done";
        let can_be = case.exit == 0 && !NOT_DONE.contains(&case.name.as_str());
        assert_eq!(is_done, can_be, "{}: {:?}", case.name, case.told().ended);
    }
}

#[test]
fn what_is_excluded_is_there_and_what_was_not_done_is_a_fixture() {
    let names = names();
    for (name, _) in EXCLUDED {
        assert!(names.contains(&(*name).to_owned()), "{name}");
    }
    let cases = cases();
    for name in NOT_DONE {
        assert!(cases.iter().any(|case| case.name == *name && case.exit == 0), "{name}");
    }
}

#[test]
fn what_was_not_allowed_is_named_with_what_it_was_used_on() {
    for (name, what) in [
        (
            "claude-code/07-shell-default",
            "Bash `echo shell-ran > SHELL.txt; cat SHELL.txt`",
        ),
        (
            "codex/05-write-readonly",
            "patch rejected: writing is blocked by read-only sandbox",
        ),
        (
            "copilot/02-write-default",
            "bash `printf '%s' \"hello from fake\\n\" > OUT.txt`",
        ),
        ("gemini/08-write-default", "Bash `printf"),
        ("opencode/09-perm-ask", "write `OUT.txt`"),
    ] {
        let told = Case::named(name).told();
        let failure = told.ended.unwrap_err();
        assert_eq!(failure.kind.name(), "denied", "{name}");
        assert!(failure.message.contains(what), "{name}: {}", failure.message);
        assert!(
            told.call.notes.iter().any(|note| note.contains(what)),
            "{name}: {:?}",
            told.call.notes
        );
    }
}
