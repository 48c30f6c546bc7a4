//! Why nobody is asked any more, where a person or another program looks for it: a file in the output folder.

use crate::cli::brief::moment;
use crate::host::{Begun, Workspace, stays_in};
use crate::machine::escape::yaml_scalar;
use crate::runner::OUTPUT;
use std::io;
use std::path::{Path, PathBuf};

fn path(root: &Path, run: &str) -> PathBuf {
    root.join(OUTPUT).join("parked").join(format!("{run}.yaml"))
}

/// Says that a run is parked; only where the project has a folder for what workflows make.
pub(super) fn note(
    host: &dyn Workspace,
    root: &Path,
    begun: &Begun,
    (until, why): (Option<i64>, &str),
    resume: &str,
) -> io::Result<()> {
    if !host.exists(&root.join(OUTPUT)) || !stays_in(root, &path(root, &begun.run), host) {
        return Ok(());
    }
    let until = match until {
        Some(until) => format!("until: {}\n", yaml_scalar(&format!("{} UTC", moment(until)))),
        None => String::new(),
    };
    let text = format!(
        "status: parked\nrun: {}\nworkflow: {}\nwhy: {}\n{until}resume: {}\n",
        yaml_scalar(&begun.run),
        yaml_scalar(&begun.workflow),
        yaml_scalar(why),
        yaml_scalar(resume),
    );
    host.write_soon(&path(root, &begun.run), text.as_bytes())
}

/// Takes the note away: the run goes on.
pub(super) fn clear(host: &dyn Workspace, root: &Path, run: &str) -> io::Result<()> {
    let path = path(root, run);
    match host.exists(&path) {
        true => host.remove(&path),
        false => Ok(()),
    }
}
