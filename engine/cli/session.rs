//! The world a run of the program sees: three streams, a folder, a few variables.

use crate::cli::failure::Failure;
use crate::cli::outlet::{Form, Outlet};
use crate::cli::report::Look;
use crate::host::Workspace;
use crate::os::Disk;
use crate::policy::secret::Secrets;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What the program is given.
pub struct Streams<'a> {
    /// What a person or a pipe feeds it.
    pub input: &'a mut dyn Read,
    /// Where results go.
    pub output: &'a mut dyn Write,
    /// Where complaints about the run itself go.
    pub errors: &'a mut dyn Write,
    /// Whether `output` is a terminal.
    pub terminal: bool,
    /// Whether `errors` is a terminal, whose last line can be drawn again.
    pub live: bool,
    /// How many columns `output` has.
    pub width: usize,
    /// Whether the process ends after this run, which gives all memory back at once.
    pub last: bool,
    /// What else the program may know.
    pub environment: Environment,
}

/// The part of the environment that the program reads.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The folder it was started in.
    pub folder: PathBuf,
    /// Where the program itself is, as far as the system knows.
    pub program: Option<PathBuf>,
    /// The variables of `Environment::VARIABLES` that are set.
    pub variables: BTreeMap<String, String>,
    /// All others: the program reads none of them, and hands an agent those that it asks for by name.
    pub others: BTreeMap<String, String>,
}

impl Environment {
    /// The names of all variables the program reads.
    pub const VARIABLES: &'static [&'static str] = &[
        "BMAD_RUN_TOKEN",
        "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
        "CLAUDE_PROJECT_DIR",
        "CLICOLOR_FORCE",
        "EDITOR",
        "HOME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "NO_COLOR",
        "PATH",
        "TEMP",
        "TERM",
        "TMP",
        "TMPDIR",
        "VISUAL",
        "WT_SESSION",
        "XDG_STATE_HOME",
    ];

    /// Returns the value of a variable that is set to something.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    fn speaks_utf8(&self) -> bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| self.variable(name))
            .unwrap_or("")
            .to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || self.variable("WT_SESSION").is_some()
    }
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What a command works with.
pub(super) struct Session<'a> {
    /// What a person or a pipe feeds the program.
    pub(super) input: &'a mut dyn Read,
    /// Where results go.
    pub(super) output: Outlet<'a>,
    /// Where complaints about the run itself go.
    pub(super) errors: Outlet<'a>,
    /// How output is drawn.
    pub(super) look: Look,
    /// Whether the last line of `errors` can be drawn again.
    pub(super) live: bool,
    /// Whether the process ends after this run.
    pub(super) last: bool,
    /// What is never written or printed.
    pub(super) secrets: Arc<Secrets>,
    environment: Environment,
}

impl<'a> Session<'a> {
    pub(super) fn new(args: &[OsString], streams: Streams<'a>) -> Self {
        let color = match color_choice(args) {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => automatic_color(&streams),
        };
        let secrets = streams.environment.others.iter();
        let secrets = Secrets::new(secrets.map(|(name, value)| (name.as_str(), value.as_str())));
        Self {
            look: Look {
                color,
                unicode: streams.terminal && streams.environment.speaks_utf8(),
                wrap: streams.terminal,
                width: streams.width,
            },
            live: streams.live && streams.environment.variable("TERM") != Some("dumb"),
            last: streams.last,
            input: streams.input,
            output: Outlet::new(streams.output, Arc::clone(&secrets))
                .coloured(color)
                .formed(form(args)),
            errors: Outlet::beside(streams.errors, Arc::clone(&secrets)).coloured(color),
            secrets,
            environment: streams.environment,
        }
    }

    /// Returns the folder the program was started in.
    pub(super) fn folder(&self) -> &Path {
        &self.environment.folder
    }

    /// Returns where the program itself is.
    pub(super) fn program(&self) -> Option<&Path> {
        self.environment.program.as_deref()
    }

    /// Returns the value of a variable of `Environment::VARIABLES` that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.environment.variable(name)
    }

    /// Returns the folder that the state of runs is kept in, outside of any project.
    pub(super) fn state_folder(&self) -> Result<PathBuf, Failure> {
        let given = self.environment.variable("XDG_STATE_HOME").map(PathBuf::from);
        let home = || {
            self.environment
                .variable("HOME")
                .map(|home| Path::new(home).join(".local/state"))
        };
        let base = given.filter(|path| path.is_absolute()).or_else(home);
        base.map(|base| base.join("bmad")).ok_or_else(|| {
            Failure::usage("there is no folder to keep runs in: neither XDG_STATE_HOME nor HOME is set")
                .with_hint("`--state-dir DIR` names one")
        })
    }

    /// Returns the folder for what may go at any time.
    pub(super) fn scratch_folder(&self) -> PathBuf {
        let named = ["TMPDIR", "TEMP", "TMP"]
            .iter()
            .filter_map(|name| self.environment.variable(name).map(PathBuf::from));
        named
            .into_iter()
            .find(|path| path.is_absolute())
            .unwrap_or_else(|| PathBuf::from("/tmp"))
    }

    /// Returns what agents' processes may get of the environment: a few names, and those that are asked for.
    pub(super) fn inherited(&self, asked: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let common = |name: &str| matches!(name, "HOME" | "LANG" | "PATH" | "TERM" | "TMPDIR");
        let own = self.environment.variables.iter();
        own.chain(&self.environment.others)
            .filter(|(name, value)| !value.is_empty() && (common(name) || asked(name)))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Returns where programs are looked for.
    pub(super) fn search_path(&self) -> Option<&str> {
        self.environment.variable("PATH")
    }

    /// Returns the command of the person's editor.
    pub(super) fn editor(&self) -> Option<String> {
        let named = ["VISUAL", "EDITOR"]
            .iter()
            .find_map(|name| self.environment.variable(name));
        named.map(str::to_owned)
    }

    /// Returns the files of this machine.
    pub(super) fn host(&self) -> Arc<dyn Workspace> {
        Arc::new(Disk)
    }

    /// Returns the given paths as seen from the current folder; complains of one that is not there.
    pub(super) fn paths(&self, given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        given
            .iter()
            .map(|path| {
                let full = tidy(&self.folder().join(path));
                if let Some(reason) = self.host().closed(&full) {
                    return Err(
                        Failure::work(format!("`{}` cannot be looked at: {reason}", path.display())).with_hint(
                            "look at its permissions, at those of the folders above it, and at who owns them",
                        ),
                    );
                }
                if self.host().resolve(&full).is_some() {
                    return Ok(full);
                }
                if self.host().exists(&full) {
                    let message = format!("`{}` is no file and no folder, but a pipe or a device", path.display());
                    return Err(Failure::usage(message).with_hint("write what it gives to a file, and name that"));
                }
                Err(Failure::usage(format!("`{}` is not there", path.display()))
                    .with_hint("give a file or a folder that exists"))
            })
            .collect()
    }
}

/// Takes `.` and `..` out of a path, without following links.
pub(super) fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidied.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => tidied.push(part),
        }
    }
    tidied
}

fn automatic_color(streams: &Streams<'_>) -> bool {
    let environment = &streams.environment;
    if environment.variable("NO_COLOR").is_some() {
        return false;
    }
    let forced = environment.variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    forced || (streams.terminal && environment.variable("TERM") != Some("dumb"))
}

/// Finds the form that results are printed in before the arguments are parsed.
fn form(args: &[OsString]) -> Form {
    let named = |name: &str| match name {
        "json" | "sarif" => Some(Form::Json),
        "html" | "svg" => Some(Form::Page),
        _ => None,
    };
    let mut words = args.iter().map_while(|arg| arg.to_str().filter(|text| *text != "--"));
    let mut before = "";
    let found = words.find_map(|word| {
        let form = match std::mem::replace(&mut before, word) {
            "--format" => Some(word),
            _ if word == "--json" => Some("json"),
            _ => word.strip_prefix("--format="),
        };
        form.and_then(named)
    });
    found.unwrap_or(Form::Text)
}

/// Finds `--color` before the arguments are parsed: help and usage errors are coloured too.
fn color_choice(args: &[OsString]) -> Color {
    let mut args = args.iter().map(OsString::as_os_str);
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--") => break,
            Some("--color") => args.next().and_then(OsStr::to_str),
            Some(text) => text.strip_prefix("--color="),
            None => None,
        };
        match value {
            Some("always") => return Color::Always,
            Some("never") => return Color::Never,
            Some(_) | None => {}
        }
    }
    Color::Auto
}
