//! The name of a rule, a tag or a built-in, or a file, in; its explanation out.

mod act;
mod file;
mod list;
mod page;
mod phrase;
mod rows;
mod target;
mod workflow;

use crate::builtins::{self, BUILTINS};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::pick::pick;
use crate::cli::session::Session;
use crate::diagnostic::nearest;
use crate::lint::{RULES, rule};
use crate::syntax::{TAGS, Tag};
use std::io::Write as _;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
`rules`, `tags` and `builtins` list what there is.

Examples:
  bmad explain dead-goto        what the rule means, with examples
  bmad explain template-output  what the tag means
  bmad explain rules            every rule in one line
  bmad explain workflow.yaml    what the engine understood of a file:
                                every lifted sentence, every condition and who decides it")]
pub(super) struct Args {
    /// A rule, a tag, a built-in or a file
    #[arg(value_name = "TOPIC|FILE")]
    pub(super) topic: String,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let text = match known(&args.topic, session) {
        Some(text) => text,
        None => of_file(&args.topic, session)?,
    };
    session.output.write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}

/// Explains a name that the engine knows.
fn known(topic: &str, session: &Session<'_>) -> Option<String> {
    match topic {
        "rules" => return Some(list::rules()),
        "tags" => return Some(list::tags()),
        "builtins" => return Some(list::builtins()),
        _ => {}
    }
    let tag = topic.trim_start_matches('<').trim_end_matches(['>', '/']);
    let found = rule(topic)
        .map(|rule| rule.page)
        .or_else(|| Tag::named(tag).map(|tag| tag.row().page))
        .or_else(|| builtins::named(topic).map(|builtin| builtin.page))?;
    Some(page::readable(found, session.look))
}

/// Explains what the engine understood of a file or folder.
fn of_file(topic: &str, session: &mut Session<'_>) -> Result<String, Failure> {
    let path = Path::new(topic);
    let full = session.folder().join(path);
    if !session.host().exists(&full) && session.host().closed(&full).is_none() {
        return Err(unknown(topic));
    }
    let picked = pick(path, session)?;
    if picked.workflows.is_empty() {
        return match picked.unread(path) {
            Some(failure) => Err(failure),
            None => Ok(file::explain(&picked)),
        };
    }
    let at = picked.workflow(path, session)?;
    Ok(workflow::explain(&picked, at))
}

fn unknown(topic: &str) -> Failure {
    let names = RULES
        .iter()
        .map(|rule| rule.code.0)
        .chain(TAGS.iter().map(|row| row.name));
    let names = names
        .chain(BUILTINS.iter().map(|builtin| builtin.name))
        .chain(["rules", "tags", "builtins"]);
    let failure = Failure::usage(format!("`{topic}` is no rule, tag, built-in or file"));
    match nearest(topic, names) {
        Some(near) => failure.with_hint(format!("did you mean `{near}`?")),
        None => failure.with_hint("`bmad explain rules`, `bmad explain tags` and `bmad explain builtins` list them"),
    }
}
