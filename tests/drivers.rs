//! Every driver, through the door that the program uses, on a real disk and with real processes.

mod ablation;
mod acp;
#[cfg(unix)]
mod agents;
mod cassette;
mod certify;
mod chaos;
mod command;
mod conformance;
mod engaged;
mod offline;
mod rounds;
mod script;
mod soak;
mod transcripts;
mod trust;

use bmad::drivers::{Options, named};
use bmad::host::{Reply, Turn};
use bmad::machine::{Failure, Order, Task};
use bmad::os::Disk;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A project on the disk.
struct Yard {
    folder: tempfile::TempDir,
}

impl Yard {
    fn new(files: &[(&str, &str)]) -> Self {
        let yard = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (path, text) in files {
            let place = yard.root().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
        }
        yard
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    fn options(&self) -> Options {
        let path = std::env::var("PATH").unwrap();
        Options {
            environment: vec![("PATH".to_owned(), path), ("SECRET".to_owned(), "not yours".to_owned())],
            ..Options::new(Arc::new(Disk), self.root())
        }
    }

    fn turn(&self, task: Task) -> Turn {
        turn(task, self.root().to_path_buf())
    }

    /// Lets a driver take a turn.
    fn take(&self, spec: &str, task: Task) -> Result<Reply, Failure> {
        self.take_with(spec, &self.options(), task)
    }

    fn take_with(&self, spec: &str, options: &Options, task: Task) -> Result<Reply, Failure> {
        let driver = named(spec, options).unwrap();
        wait(driver.perform(Arc::new(self.turn(task)))).result
    }
}

fn turn(task: Task, root: PathBuf) -> Turn {
    Turn {
        prompt: format!("The prompt of step {}.\n", task.step),
        digest: bmad::machine::sha256(format!("{task:?}").as_bytes()),
        n: 0,
        token: format!("token-{}", std::process::id()),
        task,
        root,
        ..Turn::default()
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(future)
}

/// A turn with instructions, numbered.
fn task(instructions: &[&str]) -> Task {
    let orders = (1..).zip(instructions).map(|(n, text)| Order {
        n,
        text: (*text).to_owned(),
        ..Order::default()
    });
    Task {
        workflow: "test".to_owned(),
        step: "1".to_owned(),
        instructions: orders.collect(),
        attempt: 1,
        ..Task::default()
    }
}

fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

#[test]
fn an_unknown_agent_is_refused_with_the_nearest_name() {
    let yard = Yard::new(&[]);
    let refusal = |spec: &str| named(spec, &yard.options()).err().unwrap().to_string();
    insta::assert_snapshot!(refusal("offlin"), @"no agent is named `offlin`; did you mean `offline`?");
    insta::assert_snapshot!(refusal("claude:x"), @"no agent is named `claude`; did you mean `claude-code`?");
}

#[test]
fn an_agent_with_a_wrong_argument_says_what_it_needs() {
    let yard = Yard::new(&[]);
    let specs = [
        "offline:x",
        "manual:x",
        "script",
        "script:gone.yaml",
        "script:--akc",
        "cassette",
        "cassette:gone.jsonl",
        "record:tape.jsonl",
        "record:tape.jsonl:offlin",
        "chaos:many",
        "command",
        "command:sh -c 'x",
    ];
    let refusals: Vec<String> = specs
        .iter()
        .map(|spec| named(spec, &yard.options()).err().unwrap().to_string())
        .collect();
    insta::assert_snapshot!(refusals.join("\n"), @r"
    the agent `offline` cannot be used so: it takes nothing after its name
    the agent `manual` cannot be used so: it takes nothing after its name
    the agent `script` cannot be used so: it needs a file of replies, or --ack
    `gone.yaml` cannot be used: no such file
    the agent `script` cannot be used so: `--akc` is unknown; use --ack or --judge=true
    the agent `cassette` cannot be used so: it needs a file, as in `cassette:run.jsonl`
    `gone.jsonl` cannot be used: no such file or directory (os error 2)
    the agent `record` cannot be used so: it needs a file and an agent, as in `record:run.jsonl:command:my-agent`
    no agent is named `offlin`; did you mean `offline`?
    the agent `chaos` cannot be used so: it needs a number, as in `chaos:7`
    the agent `command` cannot be used so: it needs a program, as in `command:my-agent --flag`
    the agent `command` cannot be used so: a quote is not closed
    ");
}
