//! What people and other programs see of a run: the frontmatter of its document. The journal is the truth.

use super::files;
use super::run::Crew;
use crate::machine::{Checkpoint, Failure, FailureKind, Key, Outcome, matter, sha256};

/// Notes in the document's frontmatter which steps are done; a document that changes is kept before, like any other file.
pub(super) fn checkpoint(checkpoint: &Checkpoint, key: &Key, crew: &Crew) -> Outcome {
    let Some(path) = checkpoint.document.as_deref().filter(|_| !checkpoint.done.is_empty()) else {
        return Outcome::Done;
    };
    let text = match files::text(path, crew) {
        Ok(Some(text)) => text,
        Ok(None) => return Outcome::Done,
        Err(failure) => return Outcome::Failed(failure),
    };
    let Some(noted) = noted(&text, &checkpoint.done) else {
        return Outcome::Done;
    };
    match write(path, &text, &noted, key, crew) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::Failed(Failure {
            kind: FailureKind::Files,
            message: format!("`{path}`: {error}"),
        }),
    }
}

/// Returns a document with these steps noted; none where its frontmatter cannot be read: it is the author's, and the
/// run goes on and leaves it alone.
fn noted(text: &str, done: &[String]) -> Option<String> {
    let mut noted = text.to_owned();
    for step in done {
        let stem = step.starts_with("step").then_some(step.as_str());
        noted = matter::complete(&noted, step, stem).ok()?;
    }
    Some(noted)
}

fn write(path: &str, text: &str, noted: &str, key: &Key, crew: &Crew) -> std::io::Result<Outcome> {
    // A note that was made and not recorded is found here: what was kept is older than what is there.
    let before = (crew.keep)(&key.file_name(), Some(text.as_bytes()))?;
    if noted != text {
        crew.workspace.write_soon(&crew.root.join(path), noted.as_bytes())?;
    }
    let before = before.as_deref().map(sha256);
    let after = sha256(noted.as_bytes());
    if before.as_ref() == Some(&after) {
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Written { sha256: after, before })
}
