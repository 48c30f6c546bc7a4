//! The journal of a run in, what a fresh machine makes of it out.

use super::past::history;
use super::project::Project;
use crate::host::{Begun, JournalError};
use crate::machine::{Digests, End, Issued, Key, Machine, Options, Tally};
use crate::os::store::RunFolder;
use crate::project::{config, configs};
use crate::runner::{History, Replay, Reuse, replay};

/// Where a fresh machine comes to with what a run did.
#[derive(Debug)]
pub(in crate::cli) struct Again {
    /// How the run ends, if what was done brings it to its end.
    pub(in crate::cli) end: Option<End>,
    /// What was counted on the way.
    pub(in crate::cli) tally: Tally,
    /// What would be performed next.
    pub(in crate::cli) next: Vec<Issued>,
    /// What of the journal was used.
    pub(in crate::cli) reuse: Reuse,
    /// What of the journal nobody asked for.
    pub(in crate::cli) unused: Vec<Key>,
    /// What it fails for, where that may go well when it is asked for anew.
    pub(in crate::cli) refused: Vec<Key>,
    /// The commands that were kept from running, each with the text of it.
    pub(in crate::cli) unrun: Vec<(Key, String)>,
    /// The turns and calls that a person let pass, with the answers that said so.
    pub(in crate::cli) passed: Vec<Key>,
}

/// Replays what a run did; nothing is performed.
pub(in crate::cli) fn again(project: &Project, begun: &Begun, folder: &RunFolder) -> Result<Again, JournalError> {
    replayed(project, options(project, begun), history(folder)?.as_it_was())
}

/// How many nodes are run to learn what lanes a run has that came to no end.
const GLANCE: u64 = 5_000_000;

/// The same for a run that may have been stopped while it only counted: it is not counted to its end.
pub(in crate::cli) fn glance(project: &Project, begun: &Begun, folder: &RunFolder) -> Result<Again, JournalError> {
    let options = Options {
        fuel: begun.fuel.min(GLANCE),
        ..options(project, begun)
    };
    replayed(project, options, history(folder)?.as_it_was())
}

/// The same where some of it is asked for anew.
pub(in crate::cli) fn anew(
    project: &Project,
    begun: &Begun,
    folder: &RunFolder,
    keys: &[Key],
) -> Result<Again, JournalError> {
    replayed(project, options(project, begun), history(folder)?.asking_anew(keys))
}

fn replayed(project: &Project, options: Options, mut history: History) -> Result<Again, JournalError> {
    let image = project.image();
    let options = Options {
        notes_lanes: true,
        ..options
    };
    let mut machine = Machine::new(&image, project.at, options);
    let Replay {
        next,
        refused,
        unrun,
        passed,
    } = replay(&mut machine, &mut history)?;
    let unused = history.unused()?;
    Ok(Again {
        end: machine.end().cloned(),
        tally: machine.tally().clone(),
        next,
        reuse: history.reuse().clone(),
        unused,
        refused,
        unrun,
        passed,
    })
}

/// Returns how the machine of a run is set up.
pub(in crate::cli) fn options(project: &Project, begun: &Begun) -> Options {
    let inputs = begun.inputs.iter();
    Options {
        inputs: inputs
            .map(|(name, value)| (name.clone(), value.as_str().into()))
            .collect(),
        config: config(&project.loaded, project.at),
        configs: configs(&project.loaded),
        yolo: begun.yolo,
        fills: begun.fills,
        by_item: begun.by_item,
        whole: begun.reading > 0,
        fuel: begun.fuel,
        digests: Digests::of(begun.version),
        ..Options::default()
    }
}

/// Lists the files of a workflow that are not what they were when the run began: changed, new, or gone.
pub(in crate::cli) fn changed(project: &Project, begun: &Begun) -> Vec<String> {
    let now = project.sources();
    let differs = |(path, hash): &&(String, String)| !begun.sources.iter().any(|(old, was)| old == path && was == hash);
    let gone = |(path, _): &&(String, String)| now.iter().all(|(other, _)| other != path);
    let differing = now.iter().filter(differs);
    let all = differing.chain(begun.sources.iter().filter(gone));
    all.map(|(path, _)| path.clone()).collect()
}
