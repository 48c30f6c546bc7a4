//! A name in, a folder with a workflow that checks clean out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::project::STDLIB;
use std::io::{self, Write as _};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A folder that exists is left alone.

Examples:
  bmad new release-notes                make the folder release-notes here
  bmad new release-notes --style skill  make it a skill
  bmad lint release-notes               check it")]
pub(super) struct Args {
    /// The name of the workflow and of its folder: small letters, digits and hyphens, 64 at most
    #[arg(value_name = "NAME")]
    pub(super) name: String,

    /// Choose what it is written in
    #[arg(long, value_name = "STYLE", default_value = "xml")]
    pub(super) style: Style,
}

/// What a new workflow is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Style {
    /// One file in the engine's own tags
    Xml,
    /// A workflow.md with a file for each step
    Steps,
    /// A SKILL.md
    Skill,
}

impl Style {
    /// Returns the folder of the standard library that holds the files of the style.
    fn folder(self) -> &'static str {
        match self {
            Style::Xml => "templates/new/xml/",
            Style::Steps => "templates/new/steps/",
            Style::Skill => "templates/new/skill/",
        }
    }
}

/// How long a name may be: no skill may have a longer one.
const LONGEST: usize = 64;

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let name = args.name.as_str();
    if name.len() > LONGEST {
        return Err(Failure::usage(format!(
            "the name has {} characters, and {LONGEST} are the most",
            name.chars().count()
        ))
        .with_hint("choose a shorter one, such as `release-notes`"));
    }
    if !is_name(name) {
        return Err(Failure::usage(format!("`{name}` cannot be the name of a workflow"))
            .with_hint("use small letters, digits and hyphens, such as `release-notes`"));
    }
    let host = session.host();
    if host.list(session.folder()).iter().any(|entry| entry.name == name) {
        return Err(Failure::usage(format!("`{name}` is already there"))
            .with_hint("choose another name, or make the workflow in another folder"));
    }
    let files = STDLIB
        .iter()
        .filter_map(|file| Some((file.path.strip_prefix(args.style.folder())?, file.text)));
    let mut made = Vec::new();
    for (path, text) in files {
        let path = format!("{name}/{path}");
        let text = text.replace("{{name}}", name);
        host.write(&session.folder().join(&path), text.as_bytes())
            .map_err(|error| unmade(&path, &error))?;
        made.push(path);
    }
    writeln!(session.output, "made {name}")?;
    for path in made {
        writeln!(session.output, "  {path}")?;
    }
    writeln!(session.output, "next: bmad lint {name}")?;
    Ok(Exit::Clean)
}

/// Says that a file could not be made.
fn unmade(path: &str, error: &io::Error) -> Failure {
    Failure::work(format!("`{path}` could not be written: {error}"))
        .with_hint("look at the permissions of this folder and at how much room is left, or make it in another folder")
}

/// Says whether a name can be that of a folder everywhere: `[a-z0-9-]+`, and no hyphen at its ends.
fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.bytes().all(allowed) && !name.starts_with('-') && !name.ends_with('-')
}
