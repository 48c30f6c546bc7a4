//! An answer to a question that a run waits for, kept until the run goes on.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::machine::escape::yaml_scalar;
use std::io::Write as _;
use std::path::PathBuf;

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
    let (folder, _) = find(Some(&args.run), args.state_dir.as_deref(), session)?;
    let path = crate::cli::launch::answers_path(&folder);
    let host = session.host();
    let unread = |why: String| {
        Failure::usage(format!("run {} waits for no answer: {why}", folder.id()))
            .with_hint("`bmad runs` tells what each run waits for")
    };
    let bytes = host.read(&path).map_err(|error| unread(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(filled) = fill(&text, &args.id, &args.answer) else {
        return Err(unread(format!("no open question has the id `{}`", args.id)));
    };
    host.write(&path, filled.as_bytes())
        .map_err(|error| Failure::work(format!("`{}` cannot be written: {error}", path.display())))?;
    writeln!(
        session.output,
        "answered {}; go on with: bmad resume {}",
        args.id,
        folder.id()
    )?;
    Ok(Exit::Clean)
}

/// Puts an answer behind its id; answers nothing where the file does not have it.
fn fill(text: &str, id: &str, answer: &str) -> Option<String> {
    let heads = [format!("{id}:"), format!("\"{id}\":"), format!("'{id}':")];
    let mut found = false;
    let lines = text.lines().map(|line| {
        let head = heads.iter().find(|head| line.starts_with(head.as_str()) && !found);
        match head {
            Some(head) => {
                found = true;
                format!("{head} {}", yaml_scalar(answer))
            }
            None => line.to_owned(),
        }
    });
    let filled = lines.collect::<Vec<_>>().join("\n") + "\n";
    found.then_some(filled)
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn an_answer_stands_behind_its_id_and_nothing_else_changes() {
        let text = "# What?\n1-ab: \n# Go?\n2-cd: \n";
        assert_eq!(
            fill(text, "2-cd", "y: es").as_deref(),
            Some("# What?\n1-ab: \n# Go?\n2-cd: \"y: es\"\n")
        );
    }

    #[test]
    fn an_id_that_is_not_there_is_not_made_up() {
        assert_eq!(fill("1-ab: \n", "3-xx", "y"), None);
    }
}
