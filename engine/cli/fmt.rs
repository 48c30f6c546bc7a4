//! Files in the engine's own tags in, the same files in one layout out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::project::files;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Child, Format, Tag, is_well_formed, parse, tidy};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Well-formed XML files with `<workflow>`, `<task>` or `<tool>` at their root are formatted; others
are left as they are.

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
    let mut found: Vec<PathBuf> = session
        .paths(&args.paths)?
        .iter()
        .flat_map(|path| files(&*host, path))
        .collect();
    found.sort();
    found.dedup();
    let (mut changed, mut fine, mut others) = (0, 0, 0);
    for path in found {
        let text = host
            .read(&path)
            .ok()
            .filter(|_| is_xml(&path))
            .and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(text) = text.filter(|text| is_ours(text)) else {
            others += 1;
            continue;
        };
        let tidied = tidy(&text);
        if tidied == text {
            fine += 1;
            continue;
        }
        changed += 1;
        let shown = path
            .strip_prefix(session.folder())
            .unwrap_or(&path)
            .display()
            .to_string();
        if !args.check {
            host.write(&path, tidied.as_bytes())
                .map_err(|error| Failure::work(format!("`{shown}` could not be written: {error}")))?;
        }
        let act = if args.check { "would change" } else { "formatted" };
        writeln!(session.output, "{act} {shown}")?;
    }
    let act = if args.check { "would change" } else { "formatted" };
    writeln!(
        session.output,
        "{changed} {act}, {fine} as they should be, {others} left alone"
    )?;
    Ok(if args.check && changed > 0 {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xml")
}

/// Says whether a text is one well-formed workflow, task or tool.
fn is_ours(text: &str) -> bool {
    let source = Source::new(SourceId(0), ProjectPath::root(), text);
    if !is_well_formed(&source) {
        return false;
    }
    let parsed = parse(&source, Format::Xml);
    let mut roots = parsed.tree.iter().filter_map(|child| match child {
        Child::Element(element) => Some(element.tag),
        Child::Text(_) => None,
    });
    let root = roots
        .next()
        .is_some_and(|tag| matches!(tag, Tag::Workflow | Tag::Task | Tag::Tool));
    root && roots.next().is_none() && parsed.faults.is_empty()
}
