//! Journals on a real disk, and on disks that fail.

mod blobs;
mod damage;
mod keeping;
mod replaying;

use super::blob::Blobs;
use super::{FileJournal, Kept, read};
use crate::builtins::Value;
use crate::host::{
    Begun, Called, CommandEnd, Durability, Hooked, Journal, JournalError, Line, Resumed, Settlement, Spent, Tokens,
};
use crate::machine::{
    Acknowledged, Answer, By, Effect, Envelope, Evidence, Failure, FailureKind, How, Key, Outcome, Status, Task, Write,
};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A folder of its own, and where a journal is to be in it.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/journal.jsonl");
    Place { _folder: folder, path }
}

fn write(path: &Path, lines: &[Line<'_>]) {
    let mut journal = FileJournal::create(path).unwrap();
    for line in lines {
        journal.append(line, Durability::Buffered).unwrap();
    }
    journal.flush().unwrap();
}

/// Reads until the end or the first error.
fn read_all(path: &Path) -> (Vec<Line<'static>>, Option<JournalError>, Option<u64>) {
    let mut reading = match read(path) {
        Ok(reading) => reading,
        Err(error) => return (Vec::new(), Some(error), None),
    };
    let mut lines = Vec::new();
    for kept in reading.by_ref() {
        match kept {
            Ok(Kept { seq, line }) => {
                lines.push(line);
                assert_eq!(seq, lines.len() as u64);
            }
            Err(error) => return (lines, Some(error), None),
        }
    }
    let torn = reading.torn();
    (lines, None, torn)
}

fn begun() -> Line<'static> {
    Line::Begun(Box::new(Begun {
        version: super::VERSION,
        run: "20261115-061605-1f45".to_owned(),
        at: 1,
        workflow: "workflow.xml".to_owned(),
        inputs: vec![("path".to_owned(), "a \"quoted\" path".to_owned())],
        ..Begun::default()
    }))
}

fn key(n: u32) -> Key {
    Key {
        lane: "0.1.2".into(),
        digest: "00112233445566778899aabbccddeeff".into(),
        n,
    }
}

fn done(n: u32, effect: Option<Effect>, outcome: Outcome) -> Line<'static> {
    Line::Done {
        at: 3,
        key: key(n),
        step: "2a".to_owned(),
        effect: effect.map(Cow::Owned),
        outcome: Cow::Owned(outcome),
    }
}

fn shown(text: &str) -> Line<'static> {
    done(0, Some(Effect::Show { text: text.to_owned() }), Outcome::Done)
}

fn contents(text: &str) -> Line<'static> {
    let path = "a.md".to_owned();
    let text = Some(text.to_owned());
    done(0, Some(Effect::Read { path }), Outcome::Contents { text, sha256: None })
}

fn intent(prompt: &str, snapshot: Option<&str>) -> Line<'static> {
    let task = Task {
        prompt: prompt.to_owned(),
        params: vec![("outcome".to_owned(), tricky())],
        ..Task::default()
    };
    Line::Intent {
        at: 2,
        key: key(7),
        step: "2a".to_owned(),
        driver: "script".to_owned(),
        effect: Cow::Owned(Effect::Dispatch(Box::new(task))),
        snapshot: snapshot.map(str::to_owned),
    }
}

/// A value that looks like parts of a line.
fn tricky() -> Value {
    let reference = Value::Map(vec![("blob".to_owned(), Value::from("a".repeat(64).as_str()))]);
    let escaped = Value::Map(vec![("~blob".to_owned(), Value::List(vec![reference.clone()]))]);
    Value::Map(vec![
        (
            "outcome".to_owned(),
            Value::Map(vec![("is".to_owned(), Value::from("done"))]),
        ),
        ("text".to_owned(), Value::from("\",\"outcome\":{\"is\":\"done\"}}\\")),
        ("effect".to_owned(), escaped),
        ("snapshot".to_owned(), reference),
    ])
}

fn replied(text: &str) -> Line<'static> {
    let envelope = Envelope {
        instructions: vec![Acknowledged {
            n: 1,
            status: Status::Done,
            why: String::new(),
            evidence: vec![Evidence::Said { text: "so".to_owned() }],
        }],
        variables: vec![("effect".to_owned(), tricky()), ("blob".to_owned(), tricky())],
        text: text.to_owned(),
        ..Envelope::default()
    };
    done(7, None, Outcome::Replied(Box::new(envelope)))
}

fn hooked() -> Hooked {
    Hooked {
        at: 4,
        key: key(7),
        step: "2".to_owned(),
        event: "before-step".to_owned(),
        command: "log.sh \"$STEP\"".to_owned(),
        place: "bmad.toml:2".to_owned(),
        id: "0123".to_owned(),
        end: CommandEnd::Exit(3),
        given: vec![("STEP".to_owned(), "2".to_owned())],
        out: "x\n".to_owned(),
        err: String::new(),
        stops: true,
    }
}

fn called() -> Called {
    Called {
        at: 5,
        key: key(7),
        step: "2".to_owned(),
        workflow: "page".to_owned(),
        driver: "claude-code".to_owned(),
        model: Some("a \"model\"".to_owned()),
        session: Some("0123".to_owned()),
        spent: Spent {
            tokens: Some(Tokens {
                input: 1,
                output: 2,
                ..Tokens::default()
            }),
            cost: Some(0.25),
        },
        took: 9,
        class: Some(FailureKind::RateLimited),
        cut: true,
        until: Some(-3),
    }
}

fn resumed() -> Resumed {
    Resumed {
        at: 4,
        pid: 12,
        agent: Some("command:\"an agent\"".to_owned()),
        yolo: true,
        fuel: Some(100),
        allowed: vec!["echo hi".to_owned()],
        root: Some("/moved".into()),
        again: vec![key(7)],
        limits: Some([("run.calls".to_owned(), "3".to_owned())].into()),
        left: vec![3, 4],
        tells: true,
    }
}

/// Every kind of line, and every kind of outcome.
fn samples() -> Vec<Line<'static>> {
    let mut lines = vec![
        begun(),
        intent("Write it.\n", None),
        replied("Done: \"all\" of it.\n"),
        done(7, None, Outcome::Replied(Box::default())),
        intent("", Some("git:0123")),
        intent("", Some("odd \"}} name")),
        Line::Hooked(Box::new(hooked())),
        Line::Resumed(Box::new(resumed())),
        Line::Called(Box::new(called())),
        Line::Settled {
            at: 5,
            key: key(7),
            choice: Settlement::Restored,
        },
        shown("hello"),
        contents("a text\nof two lines"),
    ];
    lines.extend(outcomes().into_iter().map(|outcome| done(1, None, outcome)));
    lines.push(done(6, Some(section()), Outcome::Time { at: -8 }));
    lines.push(Line::RolledBack { at: 6, to: 3 });
    lines.push(Line::Stopped {
        at: 7,
        how: "waiting".to_owned(),
        why: String::new(),
        outcome: String::new(),
        gaps: Vec::new(),
    });
    lines
}

fn outcomes() -> Vec<Outcome> {
    let word = str::to_owned;
    vec![
        Outcome::Contents {
            text: None,
            sha256: None,
        },
        Outcome::Written {
            sha256: "f".repeat(64),
            before: None,
        },
        Outcome::Answered(Answer {
            text: word("c"),
            by: By::File,
        }),
        Outcome::Listed {
            paths: vec![word("a b.md")],
        },
        Outcome::Seen { there: true },
        Outcome::Verified {
            wrong: vec![(0, word("no such file"))],
        },
        Outcome::Failed(Failure {
            kind: FailureKind::Timeout,
            message: word("it took too long"),
        }),
    ]
}

fn section() -> Effect {
    Effect::Write(Box::new(Write {
        path: "out.md".to_owned(),
        how: How::Section {
            name: "goal".to_owned(),
            previous: None,
        },
        text: "{\"a\": [1, 2]}\n\tü \u{1F600} \u{0}".to_owned(),
    }))
}

/// A journal on a disk of memory that fails when it is told to.
fn over<S: super::Sink>(sink: S) -> FileJournal<S> {
    FileJournal::over(sink, Blobs::beside(Path::new("/nowhere/journal.jsonl")))
}
