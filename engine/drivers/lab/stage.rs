//! One scenario in, one finding out: the stand-in is written as a script, the real driver calls it, what is left is looked at.

use super::scenario::{Act, Expected, Given, Scenario};
use super::voice::{Fault, Good, Notice, Voice};
use crate::drivers::pids::{adopted, carriers};
use crate::drivers::{Options, named};
use crate::host::{AgentSettings, Call, Session, Turn};
use crate::machine::escape::shell;
use crate::machine::{Order, Task};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The conversation that a turn goes on with.
const BEFORE: &str = "11111111-1111-4111-8111-111111111111";
/// Another one.
const OTHER: &str = "22222222-2222-4222-8222-222222222222";
/// A reply as it should be.
const REPLY: &str = "Here it is.\n\n```json\n{\"instructions\": [{\"n\": 1, \"status\": \"done\", \"evidence\": []}], \"text\": \"fine\"}\n```\n";

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

/// What the acts of a scenario have in common.
struct Scene<'a> {
    session: &'a str,
    denied: Option<&'a str>,
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
        let finding = |class: String, wrong| Finding {
            scenario: scenario.name,
            wrong,
            left_out: false,
            class,
        };
        let Some(script) = self.script(scenario) else {
            return Ok(Finding {
                left_out: true,
                ..finding("-".to_owned(), None)
            });
        };
        let program = self.put(scenario, &script)?;
        let token = format!("bmad-lab-{}-{}", std::process::id(), slug(scenario.name));
        let call = self.call(scenario, &program, &token)?;
        let left = carriers(&token).len() + adopted();
        let expected = self.voice.expects(scenario.name).unwrap_or(scenario.expected);
        let wrong = wrong(&call, expected).or_else(|| (left > 0).then(|| format!("{left} processes were left")));
        let class = match &call.result {
            Ok(_) => "done".to_owned(),
            Err(failure) => failure.kind.name().to_owned(),
        };
        Ok(finding(class, wrong))
    }

    /// Writes the stand-in as a script; none where the agent has no words for what it should do.
    fn script(&self, scenario: &Scenario) -> Option<String> {
        let mut script = String::from("#!/bin/sh\n");
        let strays = scenario.acts.iter().any(|act| matches!(act, Act::BeginOther));
        let session = match scenario.given {
            Given::Resuming if !strays => BEFORE,
            Given::Resuming
            | Given::Usual
            | Given::Limit
            | Given::LongPrompt
            | Given::NoProgram
            | Given::NotRunnable => OTHER,
        };
        let denied = scenario.acts.iter().find_map(|act| match act {
            Act::Notice(Notice::Denied(command)) => Some(*command),
            _ => None,
        });
        let scene = Scene { session, denied };
        for act in scenario.acts {
            self.act(*act, &scene, &mut script)?;
        }
        Some(script)
    }

    fn act(&self, act: Act, scene: &Scene<'_>, script: &mut String) -> Option<()> {
        let session = scene.session;
        match act {
            Act::Begin => say(script, &self.voice.begin(session)),
            Act::BeginOther => {
                let lines = self.voice.begin(OTHER);
                (!lines.is_empty()).then_some(())?;
                say(script, &lines)
            }
            Act::Done => say(script, &self.done(REPLY, scene)),
            Act::Reply(words) => say(script, &self.done(words, scene)),
            Act::Fail(fault) => self.fail(fault, session, script),
            Act::FailOnce(fault) => {
                script.push_str("if [ ! -e \"$0.once\" ]; then\n: > \"$0.once\"\n");
                self.fail(fault, session, script)?;
                script.push_str("fi\n");
                Some(())
            }
            Act::Notice(notice) => say(script, &self.voice.notice(notice)?),
            Act::Shell(line) => {
                script.push_str(line);
                script.push('\n');
                Some(())
            }
            Act::Cut => {
                let lines = self.done(REPLY, scene);
                let last = lines.last().filter(|_| self.voice.has_end())?;
                let half: String = last.chars().take(last.chars().count() / 2).collect();
                script.push_str(&format!("printf %s {}\n", shell(&half).ok()?));
                Some(())
            }
            Act::Shuffled => {
                let lines = self.done(REPLY, scene);
                let shuffled: Option<Vec<String>> = lines.iter().map(|line| shuffled(line)).collect();
                say(script, &shuffled?)
            }
            Act::Unknown => match self.voice.has_end() {
                true => say(script, &["{\"type\":\"novelty\",\"data\":{\"a\":[1,null]}}".to_owned()]),
                false => Some(()),
            },
        }
    }

    fn done(&self, reply: &str, scene: &Scene<'_>) -> Vec<String> {
        self.voice.done(&Good {
            reply,
            session: scene.session,
            denied: scene.denied,
        })
    }

    fn fail(&self, fault: Fault, session: &str, script: &mut String) -> Option<()> {
        let failed = self.voice.failed(fault, session)?;
        say(script, &failed.out)?;
        if !failed.err.is_empty() {
            script.push_str(&format!("echo {} >&2\n", shell(&failed.err).ok()?));
        }
        script.push_str(&format!("exit {}\n", failed.code));
        Some(())
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

    fn call(&self, scenario: &Scenario, program: &Path, token: &str) -> Result<Call, String> {
        let settings = AgentSettings {
            program: Some(program.display().to_string()),
            silence: Some(if scenario.given == Given::Limit { 600 } else { 2 }),
            linger: Some(1),
            ..AgentSettings::default()
        };
        let options = Options {
            agents: vec![(self.agent.to_owned(), settings)],
            scratch: self.folder.join("scratch"),
            ..self.options.clone()
        };
        let spec = match self.agent {
            "command" => format!("command:{}", program.display()),
            agent => agent.to_owned(),
        };
        let driver = named(&spec, &options).map_err(|error| error.to_string())?;
        let turn = turn(scenario, self.folder, token);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        Ok(runtime.block_on(driver.perform(Arc::new(turn))))
    }
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
        Given::Usual | Given::NoProgram | Given::NotRunnable => {}
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

fn say(script: &mut String, lines: &[String]) -> Option<()> {
    for line in lines {
        script.push_str(&format!("printf '%s\\n' {}\n", shell(line).ok()?));
    }
    Some(())
}

/// Turns the keys of an object around and puts one more into it.
fn shuffled(line: &str) -> Option<String> {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(line) else {
        return None;
    };
    let pairs: Vec<String> = object
        .iter()
        .rev()
        .map(|(key, value)| format!("{}: {value}", serde_json::Value::String(key.clone())))
        .collect();
    Some(format!("{{\"novelty\": {{\"deep\": [1, 2]}}, {}}}", pairs.join(", ")))
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
