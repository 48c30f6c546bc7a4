//! A workflow in, what may happen in it out: it runs many times on a copy, with random replies and answers.

mod report;
mod seen;
mod stage;

use crate::cli::Exit;
use crate::cli::exec::pair;
use crate::cli::failure::Failure;
use crate::cli::launch;
use crate::cli::session::Session;
use crate::host::Begun;
use crate::os::copy::FolderCopy;
use seen::Seen;
use stage::Stage;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The files of the project are copied to a folder that goes afterwards: in a git work tree
those that git keeps or would keep. There the workflow runs once for every seed. An agent
replies at random, good and bad; questions are answered at random, and no command is run:
its end is made up, too. The same seed always gives the same rehearsal.

A step that is never reached may need luck: more seeds tell. What a real agent would do is
not told.

Exit code 1: the engine itself failed.

Examples:
  bmad rehearse workflow.xml                what may happen, over 20 rehearsals
  bmad rehearse workflow.xml --seeds 200    the same over 200
  bmad rehearse workflow.xml --seed 7       the one rehearsal of seed 7")]
pub(super) struct Args {
    /// The workflow, task or skill to try
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// What you want of it, in your own words
    #[arg(value_name = "WORDS")]
    pub(super) words: Option<String>,

    /// How many rehearsals there are
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) seeds: u64,

    /// Do only the rehearsal of this seed
    #[arg(long, value_name = "SEED", conflicts_with = "seeds")]
    pub(super) seed: Option<u64>,

    /// Give an input of the workflow a value
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = pair)]
    pub(super) input: Vec<(String, String)>,

    /// Stop each rehearsal after this many nodes
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    pub(super) fuel: u64,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let project = launch::open(&args.file, session)?;
    launch::refuse(&project, session)?;
    let given = launch::with_words(&project, &args.input, args.words.as_deref())?;
    let inputs = launch::inputs(&project, &given, session)?;
    let copy = FolderCopy::make(&project.root, &session.scratch_folder())
        .map_err(|error| Failure::work(format!("the project cannot be copied: {error}")))?;
    let begun = Begun {
        inputs,
        fuel: args.fuel,
        ..Begun::default()
    };
    let stage = Stage::new(&project, &begun, &copy);
    let seeds = match args.seed {
        Some(seed) => seed..=seed,
        None => 0..=args.seeds.saturating_sub(1),
    };
    let mut seen = Seen::default();
    for seed in seeds.filter(|_| args.seeds > 0) {
        let played = stage.play(seed)?;
        if played.is_interrupted() {
            writeln!(session.errors, "stopped after {} rehearsals", seen.rehearsals)?;
            return Ok(Exit::Interrupted);
        }
        seen.add(seed, played);
    }
    let unreached = seen.unreached(&project);
    match args.json {
        true => writeln!(session.output, "{}", report::json(&seen, &unreached, &project.home()))?,
        false => report::print(&seen, &unreached, &project.home(), copy.files(), &mut session.output)?,
    }
    Ok(match seen.faults.is_empty() {
        true => Exit::Clean,
        false => Exit::Findings,
    })
}
