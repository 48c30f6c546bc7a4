//! The name of an agent in, what is known of it on this machine out. Nothing is asked of a model, so nothing is spent.

use super::card::{ABILITIES, Can, Card, Version};
use super::ear::Whole;
use super::heard::last_words;
use super::process::{Job, Patience, passed, run};
use super::{DriverError, Options, kind, program as program_of};
use crate::host::Spec;
use crate::policy::secret::Secrets;
use std::path::Path;
use std::time::Duration;

/// How long a program may take to tell its version.
const LIMIT: Duration = Duration::from_secs(20);

/// What is known of an agent on this machine.
#[derive(Debug)]
pub struct Probe {
    /// The agent.
    pub card: &'static Card,
    /// The program that is called.
    pub program: String,
    /// Its version, or why it cannot be told.
    pub version: Result<Version, Unusable>,
    /// Whether somebody is logged in.
    pub login: Login,
}

/// Why a program cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unusable {
    /// There is none of that name.
    Missing,
    /// It may not be run.
    NotRunnable(String),
    /// It does not tell a version.
    Strange(String),
    /// It is older than what is known to work.
    Old(Version),
}

/// Whether somebody is logged in, as far as can be seen without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// A variable holds a key.
    Key(String),
    /// A file of a login is there.
    File(String),
    /// Neither was found; the agent may know another way.
    Unseen,
}

impl Probe {
    /// Returns the command that installs the program, where it is one that the agent is known by.
    pub fn install(&self) -> Option<&'static str> {
        let installs = |name: &str| self.card.install.rsplit(['/', ' ']).next() == Some(name);
        (self.program == self.card.program || installs(&self.program)).then_some(self.card.install)
    }

    /// Returns what the agent can, as far as its version is known.
    pub fn abilities(&self) -> Vec<(Can, bool)> {
        let version = self.version.as_ref().ok().copied();
        ABILITIES
            .iter()
            .map(|can| (*can, self.card.can(*can, version)))
            .collect()
    }
}

/// Looks at an agent.
///
/// # Errors
/// Answers that no agent with a program of its own has that name.
pub fn probe(name: &str, options: &Options) -> Result<Probe, DriverError> {
    let spec = Spec::parse(name);
    let found = kind(spec.name)?;
    let Some(card) = found.card else {
        let why = match found.name {
            "command" => "it runs a program of your own, of which nothing is known to look at",
            _ => "it is built in; there is no program to look at",
        };
        return Err(DriverError::argument(found.name, why));
    };
    let described = spec.table().and_then(|table| options.settings_of(&table));
    let settings = described.cloned().unwrap_or_else(|| options.settings(card.name));
    let program = program_of(name, options).or_else(|| settings.program.clone());
    let program = program.unwrap_or_else(|| card.program.to_owned());
    let mut environment = passed(&options.environment, |name| card.variables.contains(&name));
    environment.extend(settings.set.iter().cloned());
    Ok(Probe {
        card,
        version: version(&program, card, &environment, &options.folder),
        login: login(card, options, &settings.set),
        program,
    })
}

fn version(
    program: &str,
    card: &'static Card,
    environment: &[(String, String)],
    folder: &Path,
) -> Result<Version, Unusable> {
    let argv = [program.to_owned(), "--version".to_owned()];
    let job = Job {
        argv: &argv,
        root: folder,
        environment,
        token: "bmad-probe",
        input: "",
        patience: Patience {
            limit: Some(LIMIT),
            ..Patience::default()
        },
        secrets: &Secrets::common(),
    };
    let mut out = Whole::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Unusable::Strange(error.to_string()))?;
    let ended = runtime
        .block_on(run(&job, &mut out))
        .map_err(|why| match why.contains("no such file") {
            true => Unusable::Missing,
            false => Unusable::NotRunnable(why),
        })?;
    let text = String::from_utf8_lossy(&out.0);
    let told = Version::of(&text).ok_or_else(|| Unusable::Strange(last_words(&ended.err)))?;
    match Version::of(card.oldest) {
        Some(oldest) if told < oldest => Err(Unusable::Old(told)),
        Some(_) | None => Ok(told),
    }
}

fn login(card: &Card, options: &Options, set: &[(String, String)]) -> Login {
    let known = || options.environment.iter().chain(set);
    let key = |name: &&&str| known().any(|(own, value)| own == **name && !value.is_empty());
    if let Some(name) = card.keys.iter().find(key) {
        return Login::Key((*name).to_owned());
    }
    let home = known().find(|(name, _)| name == "HOME").map(|(_, home)| home.as_str());
    let file = home.and_then(|home| {
        let there = |file: &&&str| options.workspace.exists(&Path::new(home).join(**file));
        card.logins.iter().find(there)
    });
    file.map_or(Login::Unseen, |file| Login::File(format!("~/{file}")))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::{Login, Unusable, probe};
    use crate::drivers::{Options, Version};
    use crate::host::{AgentSettings, Entry, ReadError, Resolved, Workspace};
    use std::path::Path;
    use std::sync::Arc;

    /// A machine without files.
    struct Empty;

    impl Workspace for Empty {
        fn read(&self, _: &Path) -> Result<Vec<u8>, ReadError> {
            Err(ReadError::Missing)
        }
        fn exists(&self, _: &Path) -> bool {
            false
        }
        fn list(&self, _: &Path) -> Vec<Entry> {
            Vec::new()
        }
        fn resolve(&self, _: &Path) -> Option<Resolved> {
            None
        }
        fn write(&self, _: &Path, _: &[u8]) -> std::io::Result<()> {
            Ok(())
        }
        fn remove(&self, _: &Path) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn version(program: &str) -> Result<Version, Unusable> {
        let settings = AgentSettings {
            program: Some(program.to_owned()),
            ..AgentSettings::default()
        };
        let options = Options {
            agents: vec![("claude-code".to_owned(), settings)],
            environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
            ..Options::new(Arc::new(Empty), "/")
        };
        let found = probe("claude-code", &options).unwrap();
        assert_eq!(found.login, Login::Unseen);
        found.version
    }

    #[test]
    fn a_program_that_is_not_there_or_not_the_one_is_told_apart() {
        assert_eq!(version("/nowhere/claude"), Err(Unusable::Missing));
        assert!(matches!(version("/etc/passwd"), Err(Unusable::NotRunnable(_))));
        assert!(matches!(version("/bin/sh"), Err(Unusable::Strange(_))));
    }

    #[test]
    fn what_is_built_in_has_no_program() {
        let options = Options::new(Arc::new(Empty), "/");
        let told = |name: &str| probe(name, &options).unwrap_err().to_string();
        assert!(told("offline").contains("built in"));
        assert!(told("command:my").contains("a program of your own"));
        assert_eq!(
            probe("acp:/nowhere/agent -x", &options).unwrap().program,
            "/nowhere/agent"
        );
    }

    #[test]
    fn the_command_that_installs_an_agent_is_told_for_its_own_program_alone() {
        let options = Options {
            environment: vec![("PATH".to_owned(), "/nowhere".to_owned())],
            ..Options::new(Arc::new(Empty), "/")
        };
        let install = |name: &str| probe(name, &options).unwrap().install();
        assert!(install("claude-code").is_some_and(|install| install.contains("claude-code")));
        assert!(install("acp:claude-agent-acp").is_some_and(|install| install.contains("claude-agent-acp")));
        assert_eq!(install("acp:goose"), None);
    }
}
