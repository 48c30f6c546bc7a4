//! The questions that a run waits with, where a person or another program looks for them: a file in the output folder.

use crate::cli::review::reviewed;
use crate::host::{Begun, Workspace, stays_in};
use crate::machine::Question;
use crate::machine::escape::yaml_scalar;
use crate::runner::OUTPUT;
use std::io;
use std::path::{Path, PathBuf};

fn path(root: &Path, run: &str) -> PathBuf {
    root.join(OUTPUT).join("awaiting-human").join(format!("{run}.yaml"))
}

/// Says whether a file of the project is such a list.
pub(super) fn is_own(path: &str) -> bool {
    Path::new(path).parent() == self::path(Path::new(""), "").parent()
}

/// Lists what a run asks; only where the project has a folder for what workflows make.
pub(super) fn note(
    host: &dyn Workspace,
    root: &Path,
    begun: &Begun,
    open: &[Question],
    [answer, resume]: [&str; 2],
) -> io::Result<()> {
    if !host.exists(&root.join(OUTPUT)) || !stays_in(root, &path(root, &begun.run), host) {
        return Ok(());
    }
    let mut text = format!(
        "status: awaiting_human_decision\nrun: {}\nworkflow: {}\n",
        yaml_scalar(&begun.run),
        yaml_scalar(&begun.workflow),
    );
    if let Some(section) = reviewed(&begun.workflow, &begun.inputs) {
        text.push_str(&format!("review_of: {}\n", yaml_scalar(section)));
    }
    text.push_str("questions:\n");
    for question in open {
        text.push_str(&format!("  - id: {}\n", yaml_scalar(&question.key())));
        text.push_str(&format!("    text: {}\n", yaml_scalar(&question.text)));
        if !question.choices.is_empty() {
            text.push_str("    choices:\n");
        }
        for choice in &question.choices {
            let (key, label) = (yaml_scalar(&choice.key), yaml_scalar(&choice.label));
            text.push_str(&format!("      {key}: {label}\n"));
        }
    }
    text.push_str(&format!("answer: {}\n", yaml_scalar(answer)));
    text.push_str(&format!("resume: {}\n", yaml_scalar(resume)));
    host.write_soon(&path(root, &begun.run), text.as_bytes())
}

/// Takes the list away: the run waits for nobody any more.
pub(super) fn clear(host: &dyn Workspace, root: &Path, run: &str) -> io::Result<()> {
    let path = path(root, run);
    match host.exists(&path) {
        true => host.remove(&path),
        false => Ok(()),
    }
}
