//! One scenario in, one finding out: the stand-in is put on the disk, the real driver calls it, what is left is looked at.

use super::scenario::{Expected, Given, Scenario};
use super::scenarios::SECRET;
use super::script::{BEFORE, script};
use super::voice::Voice;
use crate::drivers::pids::{adopted, carriers, end_adopted, end_survivors, memory};
use crate::drivers::{Options, named};
use crate::host::{AgentSettings, Call, Session, Turn};
use crate::machine::{Order, Task};
use crate::policy::secret::Secrets;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A driver that takes longer for a turn of the lab does not come back at all.
const LONGEST: Duration = Duration::from_secs(60);
/// The most kilobytes that a driver may need for a turn of the lab.
const MEMORY: u64 = 56 * 1024;
/// How often it is looked whether somebody is left, and how long it takes.
const LOOKS: usize = 100;
const GLANCE: Duration = Duration::from_millis(20);
/// The most seconds without a sign of life, as usual.
const SILENCE: u32 = 5;
/// The same, where it is no matter.
const PATIENT: u32 = 600;

/// How the driver of an agent did.
#[derive(Debug)]
pub struct Report {
    /// The agent.
    pub agent: String,
    /// What was found, in the order of the scenarios.
    pub findings: Vec<Finding>,
}

/// How one scenario went.
#[derive(Debug)]
pub struct Finding {
    /// The scenario.
    pub scenario: &'static str,
    /// What is wrong; none where all is as it should be.
    pub wrong: Option<String>,
    /// Whether it was left out because the agent has no words for it.
    pub left_out: bool,
    /// What came of the call, in a word.
    pub class: String,
}

/// Where a stand-in is put.
pub(super) struct Stage<'a> {
    agent: &'a str,
    voice: &'static dyn Voice,
    options: &'a Options,
    folder: &'a Path,
}

impl<'a> Stage<'a> {
    pub(super) fn new(agent: &'a str, voice: &'static dyn Voice, options: &'a Options, folder: &'a Path) -> Self {
        Self {
            agent,
            voice,
            options,
            folder,
        }
    }

    pub(super) fn play(&self, scenario: &Scenario) -> Result<Finding, String> {
        let finding = |class: &str, wrong| Finding {
            scenario: scenario.name,
            wrong,
            left_out: false,
            class: class.to_owned(),
        };
        let plays = self.voice.plays(scenario.name);
        let Some(script) = plays.then(|| script(scenario, self.voice)).flatten() else {
            return Ok(Finding {
                left_out: true,
                ..finding("-", None)
            });
        };
        let program = self.put(scenario, &script)?;
        let token = format!("bmad-lab-{}-{}", std::process::id(), slug(scenario.name));
        let before = memory();
        let call = self.call(scenario, &program, &token)?;
        let needed = memory().saturating_sub(before);
        let left = clear(&token);
        let Some(call) = call else {
            let wrong = format!("the driver did not come back within {} s", LONGEST.as_secs());
            return Ok(finding("lost", Some(wrong)));
        };
        let expected = self.voice.expects(scenario.name).unwrap_or(scenario.expected);
        let wrong = wrong(&call, expected)
            .or_else(|| (left > 0).then(|| format!("{left} processes were left")))
            .or_else(|| (needed > MEMORY).then(|| format!("the driver needed {} MB for it", needed / 1024)));
        Ok(match &call.result {
            Ok(_) => finding("done", wrong),
            Err(failure) => finding(failure.kind.name(), wrong),
        })
    }

    fn put(&self, scenario: &Scenario, script: &str) -> Result<PathBuf, String> {
        let program = self.folder.join(format!("{}.sh", slug(scenario.name)));
        if scenario.given == Given::NoProgram {
            return Ok(program);
        }
        let told = |error: std::io::Error| format!("`{}` could not be written: {error}", program.display());
        self.options
            .workspace
            .write(&program, script.as_bytes())
            .map_err(told)?;
        if scenario.given != Given::NotRunnable {
            allow(&program).map_err(told)?;
        }
        Ok(program)
    }

    /// Lets the driver take the turn; answers nothing where it does not come back.
    fn call(&self, scenario: &Scenario, program: &Path, token: &str) -> Result<Option<Call>, String> {
        // Who never says that it is done is only ever ended because it is silent.
        let is_patient = match scenario.given {
            Given::Limit => true,
            Given::Patient | Given::LongPrompt => self.voice.has_end(),
            Given::Usual | Given::Resuming | Given::NoProgram | Given::NotRunnable => false,
        };
        let settings = AgentSettings {
            program: Some(program.display().to_string()),
            silence: Some(if is_patient { PATIENT } else { SILENCE }),
            linger: Some(1),
            ..AgentSettings::default()
        };
        let options = Options {
            agents: vec![(self.agent.to_owned(), settings)],
            scratch: self.folder.join("scratch"),
            secrets: Secrets::new([SECRET]),
            ..self.options.clone()
        };
        let spec = match self.agent {
            "command" => format!("command:{}", program.display()),
            agent => agent.to_owned(),
        };
        let driver = named(&spec, &options).map_err(|error| error.to_string())?;
        let turn = Arc::new(turn(scenario, self.folder, token));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        Ok(runtime.block_on(async { timeout(LONGEST, driver.perform(turn)).await.ok() }))
    }
}

/// Ends whoever the driver left behind, so that the next scenario begins with nobody; returns how many there were.
///
/// One that the driver ended takes a moment to go.
fn clear(token: &str) -> usize {
    let count = || carriers(token).len() + adopted();
    let mut left = count();
    for _ in 0..LOOKS {
        if left == 0 {
            break;
        }
        std::thread::sleep(GLANCE);
        left = count();
    }
    if left > 0 {
        end_survivors(token, &|| false);
        end_adopted();
    }
    left
}

fn turn(scenario: &Scenario, folder: &Path, token: &str) -> Turn {
    let mut turn = Turn {
        task: Task {
            workflow: "lab".to_owned(),
            step: "1".to_owned(),
            instructions: vec![Order {
                n: 1,
                text: "Say that all is fine.".to_owned(),
                ..Order::default()
            }],
            attempt: 1,
            ..Task::default()
        },
        prompt: "Say that all is fine.".to_owned(),
        root: folder.to_path_buf(),
        digest: slug(scenario.name),
        token: token.to_owned(),
        ..Turn::default()
    };
    match scenario.given {
        Given::Usual | Given::Patient | Given::NoProgram | Given::NotRunnable => {}
        Given::Limit => turn.task.timeout = Some(2),
        Given::Resuming => {
            turn.session = Session {
                resume: Some(BEFORE.to_owned()),
                ..Session::default()
            };
        }
        Given::LongPrompt => turn.prompt = "x".repeat(1 << 20),
    }
    turn
}

/// Says what is wrong with a call.
fn wrong(call: &Call, expected: Expected) -> Option<String> {
    let got = match &call.result {
        Ok(_) => "it was taken for done".to_owned(),
        Err(failure) => format!("{}: {}", failure.kind.name(), failure.message),
    };
    let as_expected = match (expected, &call.result) {
        (Expected::Done, result) => result.is_ok(),
        (Expected::Noted(words), result) => result.is_ok() && call.notes.iter().any(|note| note.contains(words)),
        (Expected::Fails(kind), Err(failure)) => failure.kind == kind,
        (Expected::Says(kind, words), Err(failure)) => failure.kind == kind && failure.message.contains(words),
        (Expected::Resets(stated), Err(_)) => call.until.is_some() == stated,
        (Expected::Fails(_) | Expected::Says(..) | Expected::Resets(_), Ok(_)) => false,
    };
    (!as_expected).then_some(got)
}

fn slug(name: &str) -> String {
    let plain = |each: char| if each.is_ascii_alphanumeric() { each } else { '-' };
    name.chars().map(plain).collect()
}

#[cfg(unix)]
fn allow(program: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn allow(_program: &Path) -> std::io::Result<()> {
    Ok(())
}
