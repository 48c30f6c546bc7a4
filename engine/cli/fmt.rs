//! Files in the engine's own tags in, the same files in one layout out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::{ReadError, Workspace};
use crate::project::files;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Child, Format, Tag, is_well_formed, parse, tidy};
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Well-formed XML files with `<workflow>`, `<task>` or `<tool>` at their root are formatted; others
are left as they are. A file that is named and cannot be formatted fails.

Examples:
  bmad fmt stdlib               format a folder
  bmad fmt stdlib --check       change nothing, exit 1 where something would change")]
pub(super) struct Args {
    /// Files and folders to format
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,

    /// Change nothing and say what would change
    #[arg(long)]
    pub(super) check: bool,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let host = session.host();
    let named = session.paths(&args.paths)?;
    let mut found: Vec<PathBuf> = named.iter().flat_map(|path| files(&*host, path)).collect();
    found.sort();
    found.dedup();
    let act = if args.check { "would change" } else { "formatted" };
    let (mut changed, mut fine, mut others) = (0, 0, 0);
    let mut has_failed = false;
    for path in found {
        let shown = path.strip_prefix(session.folder()).unwrap_or(&path).display();
        let text = match ours(&*host, &path) {
            Ok(text) => text,
            Err(why) => {
                others += 1;
                let is_named = named.contains(&path);
                if is_named || why.is_told() {
                    writeln!(session.output, "left alone {shown}: {why}")?;
                }
                has_failed |= is_named;
                continue;
            }
        };
        let tidied = tidy(&text);
        if tidied == text {
            fine += 1;
            continue;
        }
        changed += 1;
        if !args.check {
            host.write(&path, tidied.as_bytes())
                .map_err(|error| Failure::work(format!("`{shown}` could not be written: {error}")))?;
        }
        writeln!(session.output, "{act} {shown}")?;
    }
    writeln!(
        session.output,
        "{changed} {act}, {fine} as they should be, {others} left alone"
    )?;
    Ok(match has_failed || args.check && changed > 0 {
        true => Exit::Findings,
        false => Exit::Clean,
    })
}

/// Why a file is left alone.
#[derive(Debug)]
enum Why {
    /// Its name is not that of an XML file.
    Name,
    /// It cannot be read.
    Unread(ReadError),
    /// Its bytes are no text.
    NoText,
    /// It is no well-formed XML.
    Broken,
    /// It is not the engine's.
    Root,
}

impl Why {
    /// Says whether it is told of a file that nobody named: something is wrong with the file.
    fn is_told(&self) -> bool {
        match self {
            Why::Unread(_) | Why::NoText | Why::Broken => true,
            Why::Name | Why::Root => false,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Name => formatter.write_str("only files whose name ends in `.xml` are formatted"),
            Why::Unread(error) => write!(formatter, "it cannot be read: {error}"),
            Why::NoText => formatter.write_str("it is not UTF-8; save it as UTF-8 first"),
            Why::Broken => formatter.write_str("it is not well-formed XML; `bmad lint` says what it finds in it"),
            Why::Root => formatter.write_str("its root is not one `<workflow>`, `<task>` or `<tool>`"),
        }
    }
}

/// Reads a file that is formatted.
fn ours(host: &dyn Workspace, path: &Path) -> Result<String, Why> {
    if !is_xml(path) {
        return Err(Why::Name);
    }
    let bytes = host.read(path).map_err(Why::Unread)?;
    let text = String::from_utf8(bytes).map_err(|_| Why::NoText)?;
    let source = Source::new(SourceId(0), ProjectPath::root(), text.as_str());
    if !is_well_formed(&source) {
        return Err(Why::Broken);
    }
    match is_ours(&source) {
        true => Ok(text),
        false => Err(Why::Root),
    }
}

fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xml")
}

/// Says whether well-formed text is one workflow, task or tool.
fn is_ours(source: &Source) -> bool {
    let parsed = parse(source, Format::Xml);
    let mut roots = parsed.tree.iter().filter_map(|child| match child {
        Child::Element(element) => Some(element.tag),
        Child::Text(_) => None,
    });
    let root = roots
        .next()
        .is_some_and(|tag| matches!(tag, Tag::Workflow | Tag::Task | Tag::Tool));
    root && roots.next().is_none() && parsed.faults.is_empty()
}
