//! A machine and a project in, what is missing for a run out.

use crate::cli::Exit;
use crate::cli::drivers::unusable;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, agents_at};
use crate::cli::session::Session;
use crate::drivers::{DRIVERS, Login, probe};
use crate::os::find_program;
use crate::os::snapshot::refusal;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing is spent and nothing is started but programs that tell their version. An agent that
`bmad.toml` names has to be usable; of the others it is only said what is there.

Exit code 0: a run can begin. 1: something is missing.")]
pub(super) struct Args {
    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

/// How a thing stands.
enum Mark {
    Fine,
    Note,
    Wrong,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let root = crate::project::root_of(&*session.host(), session.folder());
    let kept = args.state_dir.as_deref();
    let mut wrong = 0;
    let mut tell = |session: &mut Session<'_>, mark: Mark, words: String| {
        let name = match mark {
            Mark::Fine => "ok  ",
            Mark::Note => "note",
            Mark::Wrong => {
                wrong += 1;
                "FAIL"
            }
        };
        writeln!(session.output, "{name}  {words}")
    };
    tell(session, Mark::Fine, format!("project  {}", root.display()))?;
    match state(kept, &root, session) {
        Ok(place) => tell(session, Mark::Fine, format!("runs are kept in {place}"))?,
        Err(why) => tell(session, Mark::Wrong, why)?,
    }
    match find_program("git", session.search_path(), &root) {
        Ok(_) => match refusal(&root) {
            Some(why) => tell(session, Mark::Note, why)?,
            None => tell(session, Mark::Fine, "git is here".to_owned())?,
        },
        Err(_) => tell(
            session,
            Mark::Note,
            "git is not here; trees are noted before a turn without it, which takes longer".to_owned(),
        )?,
    }
    for (mark, words) in agents(kept, &root, session) {
        tell(session, mark, words)?;
    }
    Ok(match wrong {
        0 => Exit::Clean,
        _ => Exit::Findings,
    })
}

/// Says where runs are kept, or why they cannot be.
fn state(kept: Option<&Path>, root: &Path, session: &Session<'_>) -> Result<String, String> {
    let folder = match kept {
        Some(named) => session.folder().join(named),
        None => session.state_folder().map_err(|error| error.to_string())?,
    };
    launch::open_store(kept, root, session).map_err(|error| error.to_string())?;
    let trial = folder.join(".trial");
    let host = session.host();
    let place = folder.display();
    host.write(&trial, b"").map_err(|error| {
        format!("`{place}` cannot be written ({error}); `--state-dir DIR` or XDG_STATE_HOME names another folder")
    })?;
    host.remove(&trial)
        .map_err(|error| format!("`{place}` keeps what is removed: {error}"))?;
    Ok(place.to_string())
}

/// Looks at every agent with a program of its own, and at what the project sets about agents.
fn agents(kept: Option<&Path>, root: &Path, session: &Session<'_>) -> Vec<(Mark, String)> {
    let options = match agents_at(root, kept, session) {
        Ok(options) => options,
        Err(failure) => return vec![(Mark::Wrong, format!("bmad.toml: {}", failure.to_string().trim_end()))],
    };
    let mut told = vec![(Mark::Fine, "bmad.toml says nothing that cannot be done".to_owned())];
    if let Err(failure) = launch::check_default(root, kept, session) {
        told.push((Mark::Wrong, failure.to_string().trim_end().to_owned()));
    }
    for card in DRIVERS
        .iter()
        .filter_map(|kind| kind.card)
        .filter(|card| !card.program.is_empty())
    {
        let is_named = options.agents.iter().any(|(name, _)| name == card.name);
        let Ok(found) = probe(card.name, &options) else {
            continue;
        };
        let words = match (&found.version, &found.login) {
            (Ok(version), Login::Unseen) => {
                format!("{} {version}; no login can be seen from here", card.name)
            }
            (Ok(version), Login::Key(name)) => format!("{} {version}, key in {name}", card.name),
            (Ok(version), Login::File(file)) => format!("{} {version}, login in {file}", card.name),
            (Err(why), _) => format!("{}: {}", card.name, unusable(&found, why)),
        };
        let mark = match (&found.version, is_named) {
            (Ok(_), _) => Mark::Fine,
            (Err(_), true) => Mark::Wrong,
            (Err(_), false) => Mark::Note,
        };
        told.push((mark, words));
    }
    told
}
