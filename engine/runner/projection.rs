//! What people and other programs see of a run: the frontmatter of its document. The journal is the truth.

use super::files;
use super::run::Crew;
use crate::machine::{Checkpoint, Failure, FailureKind, Outcome, matter};

/// Notes in the document's frontmatter which steps are done.
pub(super) fn checkpoint(checkpoint: &Checkpoint, crew: &Crew) -> Outcome {
    let Some(path) = checkpoint.document.as_deref().filter(|_| !checkpoint.done.is_empty()) else {
        return Outcome::Done;
    };
    let text = match files::text(path, crew) {
        Ok(Some(text)) => text,
        Ok(None) => return Outcome::Done,
        Err(failure) => return Outcome::Failed(failure),
    };
    let mut noted = text.clone();
    for step in &checkpoint.done {
        let stem = step.starts_with("step").then_some(step.as_str());
        match matter::complete(&noted, step, stem) {
            Ok(next) => noted = next,
            // A frontmatter that cannot be read is the author's; the run goes on and leaves it alone.
            Err(_) => return Outcome::Done,
        }
    }
    if noted == text {
        return Outcome::Done;
    }
    match crew.workspace.write_soon(&crew.root.join(path), noted.as_bytes()) {
        Ok(()) => Outcome::Done,
        Err(error) => Outcome::Failed(Failure {
            kind: FailureKind::Files,
            message: format!("`{path}`: {}", error.to_string().to_lowercase()),
        }),
    }
}
