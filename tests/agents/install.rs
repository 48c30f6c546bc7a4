//! The name of an agent in, the program of that agent out: pinned, fetched once, kept under `target/agents`.
//!
//! Only the package with the native program is fetched, where there is one: no scripts of a package are run.

use crate::packages::{self, Package};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// An agent that tests drive.
struct Agent {
    name: &'static str,
    package: Package,
    /// Where its program is in the folder of the package.
    program: &'static str,
    kind: Kind,
}

/// What has to be done for a package to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A program for this machine.
    Native,
    /// A script for node that needs nothing else.
    Bundle,
    /// A script for node that needs other packages.
    Tree,
}

const AGENTS: &[Agent] = &[
    Agent {
        name: "claude-code",
        package: Package::new(
            "@anthropic-ai/claude-code-linux-x64",
            "2.1.326",
            "113a6b58f9ee5a94b8bb841252070f60ff5f295b3d28c7f40b480a5b54f5579b",
        ),
        program: "package/claude",
        kind: Kind::Native,
    },
    Agent {
        name: "codex",
        package: Package::new(
            "@openai/codex",
            "0.169.0-linux-x64",
            "89801b4b97faba562eb80fe0a833159ac79399be674022f4b1a0ccab1d153faa",
        ),
        program: "package/vendor/x86_64-unknown-linux-musl/bin/codex",
        kind: Kind::Native,
    },
    Agent {
        name: "gemini-cli",
        package: Package::new(
            "@google/gemini-cli",
            "0.61.0",
            "bc4efa5c925c4430105b552820ed3164bbeffa9dc227990fc922f954733bcd7d",
        ),
        program: "package/bundle/gemini.js",
        kind: Kind::Bundle,
    },
    Agent {
        name: "copilot",
        package: Package::new(
            "@github/copilot-linux-x64",
            "1.0.102",
            "450d256c69526c1c30286d21df0f6e1a05412beb37fe4a5b5054905f5f8fbd3d",
        ),
        program: "package/copilot",
        kind: Kind::Native,
    },
    Agent {
        name: "opencode",
        package: Package::new(
            "opencode-linux-x64",
            "1.18.34",
            "b83e8ac66d752d05ead4b6a439d3a2cfa32bcd9817c708825a389b5d5cba4f19",
        ),
        program: "package/bin/opencode",
        kind: Kind::Native,
    },
    Agent {
        name: "claude-agent-acp",
        package: Package::new(
            "@agentclientprotocol/claude-agent-acp",
            "0.99.1",
            "18629662c6940585ee2344329a7f46faf9ab1419de998a6a4f94c5224ae65f5c",
        ),
        program: "node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js",
        kind: Kind::Tree,
    },
    Agent {
        name: "codex-acp",
        package: Package::new(
            "@zed-industries/codex-acp-linux-x64",
            "0.16.0",
            "9acfd7576986dc571a35479cbbf72790df40c90b9b89b436bc82500372918ee8",
        ),
        program: "package/bin/codex-acp",
        kind: Kind::Native,
    },
];

/// How an agent is started.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The program and, for a script, node before it.
    pub(crate) words: Vec<PathBuf>,
}

impl Program {
    /// Returns the last word: the native program or the script.
    pub(crate) fn path(&self) -> &Path {
        &self.words[self.words.len() - 1]
    }
}

/// Returns the program of an agent; none when it cannot be had here, which is said.
pub(crate) fn install(name: &str) -> Option<Program> {
    let known = AGENTS.iter().find(|agent| agent.name == name);
    let agent = known.unwrap_or_else(|| panic!("no agent is named {name}"));
    match installed(agent) {
        Ok(program) => Some(program),
        Err(reason) => {
            packages::skip(&agent.package, &reason);
            None
        }
    }
}

fn installed(agent: &Agent) -> Result<Program, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("the pinned programs are for Linux on x86-64".to_owned());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("target/agents")
        .join(agent.name);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    // Tests of one run, and runs beside each other, want the same program: the first fetches it.
    let lock = File::create(folder.join(".lock")).map_err(|error| error.to_string())?;
    lock.lock().map_err(|error| error.to_string())?;
    let home = folder.join(agent.package.name());
    if !home.is_dir() {
        fetch(agent, &folder)?;
    }
    let program = home.join(agent.program);
    let words = match agent.kind {
        Kind::Native => vec![program],
        Kind::Bundle | Kind::Tree => vec![node()?, program],
    };
    Ok(Program { words })
}

/// Fetches an agent: its folder is there whole or not at all.
fn fetch(agent: &Agent, folder: &Path) -> Result<(), String> {
    match agent.kind {
        Kind::Native | Kind::Bundle => packages::unpack(&agent.package, folder)?,
        Kind::Tree => grow(&agent.package, folder)?,
    }
    let archive = folder.join(format!("{}.tgz", agent.package.name()));
    fs::remove_file(archive).map_err(|error| error.to_string())?;
    if agent.kind == Kind::Native {
        // Not every package marks its program as one.
        let program = folder.join(agent.package.name()).join(agent.program);
        packages::run(Command::new("chmod").arg("755").arg(program))?;
    }
    Ok(())
}

/// Fetches a package with the packages it needs, and without the programs that are optional.
fn grow(package: &Package, folder: &Path) -> Result<(), String> {
    let archive = packages::archive(package, folder)?;
    let fresh = folder.join(format!("{}.part", package.name()));
    fs::create_dir_all(&fresh).map_err(|error| error.to_string())?;
    packages::run(
        Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .args(["--omit=optional", "--ignore-scripts", "--prefix"])
            .arg(&fresh)
            .arg(archive),
    )?;
    fs::rename(&fresh, folder.join(package.name())).map_err(|error| error.to_string())
}

/// Returns the node on the path.
fn node() -> Result<PathBuf, String> {
    let version = packages::run(Command::new("node").arg("--version"))?;
    let major = version.trim_start_matches('v').split('.').next().unwrap_or_default();
    if major.parse::<u32>().is_ok_and(|major| major >= 20) {
        let path = packages::run(Command::new("node").args(["-p", "process.execPath"]))?;
        return Ok(PathBuf::from(path.trim()));
    }
    Err(format!("node is {}, and 20 or later is needed", version.trim()))
}

#[test]
fn every_agent_is_named_once() {
    let mut names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), AGENTS.len());
}

#[test]
#[should_panic(expected = "no agent is named hal")]
fn an_agent_that_is_not_known_is_no_reason_to_skip() {
    install("hal");
}
