//! Any agent that speaks the Agent Client Protocol: a program, one conversation with it a turn.

mod account;
mod error;
mod permit;
mod setting;
mod steps;
mod usage;
mod wire;

use super::card::{Can, Card};
use super::ear::{Lines, Next};
use super::process::{Job, Patience, converse, passed};
use super::{DriverError, Options, argument, failed};
use crate::host::{AgentSettings, Call, Clock, Driver, Turn, Wait};
use crate::machine::{Access, FailureKind};
use crate::policy::secret::Secrets;
use account::Ledger;
use permit::Permit;
use std::path::Path;
use std::sync::Arc;
use steps::Steps;
use tokio::sync::mpsc;

pub(super) const CARD: Card = Card {
    name: "acp",
    title: "the agent",
    program: "",
    oldest: "1.0.0",
    tried: Some("1.0.0"),
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    variables: &[],
    keys: &[],
    logins: &[],
    can: &[
        (Can::Sessions, "1.0.0"),
        (Can::Live, "1.0.0"),
        (Can::Allowlist, "1.0.0"),
        (Can::ReadOnly, "1.0.0"),
        (Can::Usage, "1.0.0"),
        (Can::Cost, "1.0.0"),
    ],
};

/// The most seconds after the farewell: some stay for ever.
const LINGER: u32 = 2;

/// Variables of the person's environment that agents of a name need to log in and to be found.
const NEEDED: &[(&str, &[&str])] = &[
    ("claude-agent-acp", &["ANTHROPIC_", "CLAUDE_CODE_", "CLAUDE_CONFIG_DIR"]),
    ("codex-acp", &["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"]),
    ("gemini", &["GEMINI_", "GOOGLE_"]),
    ("opencode", &["OPENCODE_", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"]),
    ("copilot", &["COPILOT_", "GH_TOKEN", "GITHUB_TOKEN"]),
];

/// An agent that speaks the protocol.
pub(super) struct Acp {
    name: String,
    argv: Vec<String>,
    settings: AgentSettings,
    environment: Vec<(String, String)>,
    clock: Option<Arc<dyn Clock>>,
    secrets: Arc<Secrets>,
}

impl Acp {
    /// Makes the driver from a command line, or from the name of an agent whose settings say how it is called.
    pub(super) fn driver(line: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let wrong = |why: &str| DriverError::argument(CARD.name, why);
        let words = argument::words(line).ok_or_else(|| wrong("a quote is not closed"))?;
        let is_set = |name: &str| options.agents.iter().any(|(own, _)| own == name);
        let (settings, mut argv) = match words.as_slice() {
            [name] if is_set(name) => {
                let settings = options.settings(name);
                let program = settings.program.clone().unwrap_or_else(|| name.clone());
                (settings, vec![program])
            }
            [] => {
                let settings = options.settings(CARD.name);
                let program = settings.program.clone();
                (settings, program.into_iter().collect())
            }
            _ => (options.settings(CARD.name), words.clone()),
        };
        let Some(program) = argv.first().filter(|program| !program.is_empty()).cloned() else {
            return Err(wrong(
                "it needs a program, as in `acp:claude-agent-acp` or `acp:gemini --acp`",
            ));
        };
        argv.extend(settings.arguments.iter().cloned());
        let base = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
        let needed = NEEDED.iter().find(|(name, _)| *name == base).map_or(&[][..], |it| it.1);
        let wanted = |name: &str| {
            needed
                .iter()
                .any(|need| *need == name || (need.ends_with('_') && name.starts_with(*need)))
                || settings.pass.iter().any(|it| it == name)
        };
        let mut environment = passed(&options.environment, wanted);
        environment.extend(settings.set.iter().cloned());
        Ok(Box::new(Self {
            name: format!("{}:{}", CARD.name, words.first().map_or(&*base, String::as_str)),
            argv,
            settings,
            environment,
            clock: options.clock.clone(),
            secrets: Arc::clone(&options.secrets),
        }))
    }

    async fn call(&self, turn: &Turn) -> Call {
        let ledger = Ledger::new(Permit {
            is_reading: turn.task.access == Access::Read || turn.task.only_judges(),
            settings: &self.settings,
            root: &turn.root,
        });
        let job = Job {
            argv: &self.argv,
            root: &turn.root,
            environment: &self.environment,
            token: &turn.token,
            input: "",
            patience: Patience::of(turn, &self.settings, LINGER),
            secrets: &self.secrets,
        };
        let (words, said) = mpsc::unbounded_channel();
        let (near, far) = wire::wire();
        let (inlet, pump) = far.split(words);
        // What takes the lines goes with the process, so that whoever waits for an answer hears of its end.
        let process = async move {
            let mut ear = Lines::new(|line: &[u8]| {
                inlet(line);
                Next::More
            });
            converse(&job, said, &mut ear).await
        };
        let talk = near.hold(&ledger, async |line| {
            let steps = Steps {
                turn,
                model: self.settings.model(turn.task.model.as_deref()),
                ledger: &ledger,
                line,
            };
            steps.take().await;
        });
        let (ended, (), ()) = tokio::join!(process, pump, talk);
        let account = ledger.into_account();
        let who = match account.agent.as_str() {
            "" => CARD.title,
            name => name,
        };
        match ended {
            Ok(ended) => {
                let now = self.clock.as_ref().map_or(0, |clock| clock.now());
                account.heard.call(who, &ended, turn.session.counted, now)
            }
            Err(why) => Err(failed(FailureKind::Crashed, self.unstarted(&why))).into(),
        }
    }

    fn unstarted(&self, why: &str) -> String {
        let program = &self.argv[0];
        format!("`{program}` could not be started: {why}; install it, or write its path after `acp:`")
    }
}

impl Driver for Acp {
    fn name(&self) -> &str {
        &self.name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(async move { self.call(&turn).await })
    }
}
