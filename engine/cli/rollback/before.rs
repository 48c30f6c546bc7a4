//! What a file held before the run wrote over it in, the file as it was then out. It takes nothing out of the run.

use super::Args;
use crate::cli::Exit;
use crate::cli::brief::{BEFORE, with_state};
use crate::cli::failure::Failure;
use crate::cli::record::{Writes, Written};
use crate::cli::session::Session;
use crate::host::{Begun, JournalError};
use crate::machine::escape::shell_word;
use crate::machine::sha256;
use crate::os::snapshot::{Contents, Undo};
use crate::os::store::RunFolder;
use serde_json::json;
use std::io::Write as _;
use std::path::Path;

/// The fewest digits of a hash that name what was kept.
const FEWEST: usize = 12;

/// Makes a file what it was before a write, or says what would become of it.
pub(super) fn run(
    hash: &str,
    args: &Args,
    folder: &RunFolder,
    begun: &Begun,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let [typed] = &*args.paths else {
        return Err(Failure::usage(
            "what was kept before a write is of one file: name one path",
        ));
    };
    let path = typed.trim_start_matches("./");
    let root = Path::new(&begun.root);
    let undo = Undo::of(root, folder);
    let bytes = kept(hash, path, (&undo, folder)).map_err(|error| Failure::journal(&error))?;
    let Some(bytes) = bytes else {
        let log = with_state(format!("bmad log {}", begun.run), args.state_dir.as_deref());
        return Err(
            Failure::usage(format!("nothing of `{path}` was kept under `{BEFORE}{hash}`")).with_hint(format!(
                "`{log}` tells what the run wrote; paths are seen from the project"
            )),
        );
    };
    let now = session.host().read(&root.join(path)).ok();
    let becomes = match &now {
        Some(now) if *now == bytes => None,
        Some(_) => Some("restored"),
        None => Some("made again"),
    };
    let mut before = None;
    if args.yes && becomes.is_some() {
        let refused = |why: String| Failure::work(format!("`{path}` could not be put back: {why}"));
        let put = |bytes: &Vec<u8>| Contents::of(folder).put(bytes);
        let hash = now.as_ref().map(put).transpose();
        before = hash.map_err(|error| refused(error.to_string()))?;
        undo.put_back(path, Some(&bytes))
            .map_err(|error| refused(error.to_string()))?;
    }
    if args.json {
        let files: Vec<_> = becomes.iter().map(|it| json!({"path": path, "becomes": it})).collect();
        let before = before.map(|hash| format!("{BEFORE}{hash}"));
        let value = json!({"run": begun.run, "take": args.take, "done": args.yes, "files": files,
            "too_large": [], "before": before});
        writeln!(session.output, "{value}")?;
        return Ok(Exit::Clean);
    }
    print((path, becomes), before.as_deref(), args, begun, session)
}

/// Says what becomes of the file, and how to have back what it held.
fn print(
    (path, becomes): (&str, Option<&str>),
    before: Option<&str>,
    args: &Args,
    begun: &Begun,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    match becomes {
        None => writeln!(session.output, "{path}  is what it was then")?,
        Some(becomes) => writeln!(
            session.output,
            "{path}  {becomes}, as it was before the run wrote over it"
        )?,
    }
    if becomes.is_some() && !args.yes {
        writeln!(session.output, "nothing was changed; --yes does it")?;
    }
    if let Some(hash) = before {
        // What is kept here is found by the whole of its hash.
        let word = shell_word(path).unwrap_or_default();
        let back = format!("bmad rollback {} --take {BEFORE}{hash} --yes {word}", begun.run);
        let back = with_state(back, args.state_dir.as_deref());
        writeln!(session.output, "done; as it was before: {back}")?;
    }
    Ok(Exit::Clean)
}

/// Finds the bytes: what a write found there, one that was rolled back included, or what was there when others were had
/// back.
fn kept(hash: &str, path: &str, (undo, folder): (&Undo<'_>, &RunFolder)) -> Result<Option<Vec<u8>>, JournalError> {
    let is_hash = hash.len() >= FEWEST && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return Ok(None);
    }
    let (counts, void) = Writes::of(folder)?;
    let mut of_it: Vec<&Written> = counts.changes.iter().chain(&void.changes).collect();
    of_it.retain(|written| written.path == path);
    of_it.sort_by_key(|written| std::cmp::Reverse(written.seq));
    let mut found = of_it.into_iter().filter_map(|written| {
        let before = written.before.as_deref().filter(|before| before.starts_with(hash))?;
        undo.kept(&written.key, before)
    });
    let found = found.next();
    Ok(found.or_else(|| {
        Contents::of(folder)
            .get(hash)
            .ok()
            .filter(|bytes| sha256(bytes) == hash)
    }))
}
