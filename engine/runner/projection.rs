//! What people and other programs see of a run: frontmatter and state files. The journal is the truth.

use super::crew::Crew;
use super::files;
use crate::machine::escape::yaml_scalar;
use crate::machine::matter::{self, Change};
use crate::machine::{Checkpoint, Failure, FailureKind, Key, Outcome, sha256};
use std::io;

/// The folder that workflows put what they make in, and that projections go to where it is there.
pub const OUTPUT: &str = "_bmad-output";

/// Notes in the document's frontmatter which steps are done, and in a state file how far a called workflow is.
pub(super) fn checkpoint(checkpoint: &Checkpoint, key: &Key, crew: &Crew) -> Outcome {
    let noted = document(checkpoint, key, crew).and_then(|outcome| {
        mark(checkpoint, crew)?;
        state(checkpoint, crew)?;
        Ok(outcome)
    });
    match noted {
        Ok(outcome) => outcome,
        Err(failure) => Outcome::Failed(failure),
    }
}

fn document(checkpoint: &Checkpoint, key: &Key, crew: &Crew) -> Result<Outcome, Failure> {
    let Some(path) = checkpoint.document.as_deref() else {
        return Ok(Outcome::Done);
    };
    if checkpoint.done.is_empty() && checkpoint.unvalidated.is_empty() {
        return Ok(Outcome::Done);
    }
    let Some(text) = files::text(path, crew)? else {
        return Ok(Outcome::Done);
    };
    // A frontmatter that cannot be read is the author's; the run goes on and leaves it alone.
    let Ok(noted) = with_steps(&text, checkpoint) else {
        return Ok(Outcome::Done);
    };
    // A note that was made and not recorded is found here: what was kept is older than what is there.
    let before = (crew.keep)(&key.file_name(), Some(text.as_bytes())).map_err(|error| refused(path, &error))?;
    if noted != text {
        put(path, &noted, crew)?;
    }
    let (before, after) = (before.as_deref().map(sha256), sha256(noted.as_bytes()));
    if before.as_ref() == Some(&after) {
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Written { sha256: after, before })
}

fn with_steps(text: &str, checkpoint: &Checkpoint) -> Result<String, matter::MatterError> {
    let steps = checkpoint.done.names().iter().map(|step| {
        let stem = step.starts_with("step").then_some(step.as_str());
        (step.as_str(), stem)
    });
    let mut noted = matter::complete_all(text, steps)?;
    if !checkpoint.unvalidated.is_empty() {
        noted = with_skipped(&noted, &checkpoint.unvalidated.join(", "))?;
    }
    Ok(noted)
}

fn with_skipped(text: &str, skipped: &str) -> Result<String, matter::MatterError> {
    let changes = [
        ("validation_status", Change::Text("SKIPPED".to_owned())),
        ("skipped_validation", Change::Text(skipped.to_owned())),
        ("validation_skipped", Change::Number("true".to_owned())),
    ];
    matter::set(text, &changes)
}

/// Says in every file that was written beside the document that nobody checked it, where such a file can say it.
fn mark(checkpoint: &Checkpoint, crew: &Crew) -> Result<(), Failure> {
    for path in &checkpoint.artefacts {
        let Some(text) = files::text(path, crew)? else {
            continue;
        };
        let marked = marked(path, &text, &checkpoint.unvalidated.join(", "));
        if let Some(marked) = marked.filter(|marked| *marked != text) {
            put(path, &marked, crew)?;
        }
    }
    Ok(())
}

/// Returns how a comment in a file of this kind begins and ends; none where such a file has no comments.
pub(super) fn comment(path: &str) -> Option<(&'static str, &'static str)> {
    match path.rsplit_once('.')?.1 {
        "md" | "markdown" | "html" => Some(("<!--", " -->")),
        "yaml" | "yml" | "toml" | "sh" | "py" | "txt" => Some(("#", "")),
        _ => None,
    }
}

/// Returns a file with the mark: in its frontmatter, or as a comment of its kind in its first line.
fn marked(path: &str, text: &str, skipped: &str) -> Option<String> {
    if text.starts_with("---\n") {
        return with_skipped(text, skipped).ok();
    }
    let (open, close) = comment(path)?;
    let comment = format!("{open} UNVALIDATED - {skipped} skipped{close}\n");
    let (head, rest) = text.split_at(head(text));
    match rest.starts_with(&comment) {
        true => Some(text.to_owned()),
        false => Some(format!("{head}{comment}{rest}")),
    }
}

/// Returns a file of the project without such marks.
pub fn unmarked(path: &str, text: &str) -> Option<String> {
    if text.starts_with("---\n") {
        let gone = ["validation_status", "skipped_validation", "validation_skipped"];
        return matter::set(text, &gone.map(|name| (name, Change::Remove))).ok();
    }
    let (open, close) = comment(path)?;
    let (head, mut rest) = text.split_at(head(text));
    let (before, after) = (format!("{open} UNVALIDATED - "), format!(" skipped{close}"));
    while let Some((first, below)) = rest.split_once('\n')
        && first.starts_with(&before)
        && first.ends_with(&after)
    {
        rest = below;
    }
    Some(format!("{head}{rest}"))
}

/// Returns how long the first line is, where it says which program reads the file.
fn head(text: &str) -> usize {
    match text.starts_with("#!") {
        true => text.find('\n').map_or(text.len(), |at| at + 1),
        false => 0,
    }
}

/// A called workflow has a state file of its own; its caller's is never touched.
fn state(checkpoint: &Checkpoint, crew: &Crew) -> Result<(), Failure> {
    if checkpoint.depth == 0 || !crew.workspace.exists(&crew.root.join(OUTPUT)) {
        return Ok(());
    }
    let mut text = format!(
        "workflow: {}\nstep: {}\nnesting_depth: {}\ncall_stack:\n",
        yaml_scalar(&checkpoint.workflow),
        yaml_scalar(checkpoint.step.as_deref().unwrap_or_default()),
        checkpoint.depth,
    );
    for caller in &checkpoint.callers {
        text.push_str(&format!("  - {}\n", yaml_scalar(caller)));
    }
    text.push_str("stepsCompleted:\n");
    for step in checkpoint.done.names() {
        text.push_str(&format!("  - {}\n", yaml_scalar(step)));
    }
    let folder: String = checkpoint
        .workflow
        .chars()
        .map(|at| {
            if at.is_alphanumeric() {
                at.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    put(&format!("{OUTPUT}/{folder}/state.yaml"), &text, crew)
}

fn put(path: &str, text: &str, crew: &Crew) -> Result<(), Failure> {
    let full = files::writable(path, crew)?;
    let written = crew.workspace.write_soon(&full, text.as_bytes());
    written.map_err(|error| refused(path, &error))
}

fn refused(path: &str, error: &io::Error) -> Failure {
    Failure {
        kind: FailureKind::Files,
        message: format!("`{path}`: {}", error.to_string().to_lowercase()),
    }
}
