//! An answer to a question that a run waits for, kept until the run goes on.

use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::launch::is_held;
use crate::cli::resume::find_ends;
use crate::cli::session::Session;
use crate::host::Workspace;
use crate::machine::{EndKind, Question};
use crate::os::HeldFile;
use crate::os::store::RunFolder;
use crate::policy::{Unfilled, fill, is_open};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// The most bytes of a file with answers, and how long others who write into it are waited for.
const MOST: u64 = 64 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad answer last 2-1f3a9c20 c            choose c
  bmad answer last 1-77ab01ff 'Our shop'   answer in words
  bmad resume                              go on")]
pub(super) struct Args {
    /// The run, by its id or the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(super) run: String,

    /// The question, by its id
    #[arg(value_name = "ID")]
    pub(super) id: String,

    /// The answer
    #[arg(value_name = "ANSWER")]
    pub(super) answer: String,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let (folder, ends) = find_ends(Some(&args.run), args.state_dir.as_deref(), session)?;
    let path = crate::cli::launch::answers_path(&folder);
    let host = session.host();
    let runs = with_state("bmad runs", args.state_dir.as_deref());
    let unread = |why: String| {
        Failure::usage(format!("run {} waits for no answer: {why}", folder.id()))
            .with_hint(format!("`{runs}` tells what each run waits for"))
    };
    let resume = with_state(format!("bmad resume {}", folder.id()), args.state_dir.as_deref());
    if is_held(&folder) {
        let held = Failure::work(format!(
            "run {} is at work: no answer is taken before it stops",
            folder.id()
        ));
        return Err(held.with_hint(format!("`{runs}` tells what it waits for then")));
    }
    if let Some((how, _)) = ends.stopped.as_ref().filter(|(how, _)| is_over(how)) {
        return Err(unread(format!("it has {how}")));
    }
    let held = HeldFile::take(&path, MOST, PATIENCE).map_err(|error| match ends.waits() {
        true => Failure::work(format!(
            "the file for the answers of run {} cannot be read: {error}",
            folder.id()
        ))
        .with_hint(format!("`{resume}` asks again, and writes it")),
        false => unread(error.to_string()),
    })?;
    let text = String::from_utf8_lossy(held.bytes()).into_owned();
    let shown = path.display().to_string();
    let asked = asked(&folder, &*host);
    let full = |id: &str| {
        Failure::usage(format!("each time that `{id}` is asked has its answer"))
            .with_hint(format!("to change one, edit `{shown}`"))
    };
    let id = &meant(&asked, &text, &args.id).ok_or_else(|| full(&args.id))?;
    if let Err(why) = fits(&asked, id, &args.answer) {
        return Err(Failure::usage(format!(
            "question `{id}` does not take this answer: {why}"
        )));
    }
    let filled = fill(&text, &shown, id, &args.answer).map_err(|why| match why {
        Unfilled::Unknown => unread(format!("no open question has the id `{id}`")),
        Unfilled::Full => full(id),
        Unfilled::Strange => Failure::usage(format!("`{shown}` is written in a way that no answer can be put into"))
            .with_hint(format!("write the answer to `{id}` into it")),
        Unfilled::Broken(error) => Failure::usage(error.to_string()),
    })?;
    held.replace(filled.as_bytes())
        .map_err(|error| Failure::work(format!("`{}` cannot be written: {error}", path.display())))?;
    writeln!(session.output, "answered {id}; go on with: {resume}")?;
    Ok(Exit::Clean)
}

/// Says whether a run that stopped so asks nothing any more.
fn is_over(how: &str) -> bool {
    [EndKind::Completed, EndKind::Halted]
        .iter()
        .any(|kind| kind.name() == how)
}

/// Returns what the run asked when it stopped, as far as that is known.
fn asked(folder: &RunFolder, host: &dyn Workspace) -> Vec<Question> {
    let bytes = host
        .read(&crate::cli::launch::questions_path(folder))
        .unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Returns the id of the question that a person means. Without its lane it is the first of several lanes that has no answer
/// yet; nothing means that each has one.
fn meant(asked: &[Question], text: &str, id: &str) -> Option<String> {
    let is_in_lane = |question: &&Question| question.id.split_once('@').is_some_and(|(own, _)| own == id);
    let lanes: Vec<&str> = asked.iter().filter(is_in_lane).map(|it| it.id.as_str()).collect();
    match lanes.as_slice() {
        [] => Some(id.to_owned()),
        _ if asked.iter().any(|question| question.id == id) => Some(id.to_owned()),
        [only] => Some((*only).to_owned()),
        several => {
            let open = several.iter().find(|key| is_open(text, key));
            open.map(|found| (*found).to_owned())
        }
    }
}

/// Says why the question with an id would not take an answer. Where it is not known what was asked, the run will tell.
fn fits(asked: &[Question], id: &str, answer: &str) -> Result<(), String> {
    match asked.iter().find(|question| question.id == id) {
        Some(question) => question.settle(answer).map(drop),
        None => Ok(()),
    }
}
