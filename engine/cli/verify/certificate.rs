//! A certificate of a review in, whether it is to be believed out. Nothing but the document and the files it names is
//! needed: no run, and no engine that made it.

use crate::builtins::{Facts, check_certificate};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::{ReadError, Workspace};
use crate::machine::sha256;
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What marks a document as a certificate.
const MARK: &str = "\"kind\": \"bmad-review-certificate\"";

/// A certificate that a run wrote, and why it is not to be believed, where it is not.
#[derive(Debug)]
pub(super) struct Certified {
    pub(super) path: String,
    /// How it says the review ended.
    pub(super) says: Result<String, String>,
    /// The SHA-256 that the run left it with.
    sha256: String,
}

impl Certified {
    /// Looks at a file that a run wrote; nothing where it is no certificate.
    pub(super) fn look(path: &str, text: &str, sha256: &str) -> Option<Self> {
        text.contains(MARK).then(|| Self {
            path: path.to_owned(),
            says: says(text),
            sha256: sha256.to_owned(),
        })
    }

    /// Looks at what stands in its place now: what the run wrote proves nothing about a file that was changed since.
    pub(super) fn on_disk(mut self, root: &Path, host: &dyn Workspace) -> Self {
        match host.read(&root.join(&self.path)) {
            Err(ReadError::Missing) => self.says = Err("it is gone".to_owned()),
            Err(error) => self.says = Err(format!("it cannot be read: {error}")),
            Ok(bytes) if sha256(&bytes) == self.sha256 => {}
            Ok(bytes) => {
                let why = match says(&String::from_utf8_lossy(&bytes)) {
                    Ok(outcome) => format!("it is not the one that this run wrote, and says {outcome}"),
                    Err(why) => format!("it was changed since: {why}"),
                };
                self.says = Err(why);
            }
        }
        self
    }
}

/// Returns how a certificate says that the review ended, or why it is not to be believed.
fn says(text: &str) -> Result<String, String> {
    match check_certificate(text) {
        Ok(facts) => Ok(facts.outcome.name().to_owned()),
        Err(why) => Err(why.to_string()),
    }
}

/// Checks a certificate by itself, and the files it is about against the hashes in it.
pub(super) fn check(path: &Path, json: bool, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let shown = path.display().to_string();
    let full = session.folder().join(path);
    let bytes = session
        .host()
        .read(&full)
        .map_err(|error| Failure::usage(format!("`{shown}` cannot be read: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    let facts = match check_certificate(&text) {
        Ok(facts) => facts,
        Err(why) if json => {
            writeln!(
                session.output,
                "{}",
                json!({"certificate": shown, "holds": false, "why": why.to_string()})
            )?;
            return Ok(Exit::Findings);
        }
        Err(why) => {
            writeln!(session.output, "{shown} does not hold: {why}")?;
            return Ok(Exit::Findings);
        }
    };
    let changed = changed(&facts, &full, session);
    if json {
        let value = json!({
            "certificate": shown, "holds": changed.is_empty(), "outcome": facts.outcome.name(),
            "reason": facts.reason, "decided_by": facts.decided_by, "findings": facts.findings.len(), "changed": changed,
        });
        writeln!(session.output, "{value}")?;
    } else {
        writeln!(
            session.output,
            "{shown} is whole: {}, {}",
            facts.outcome.name(),
            facts.reason
        )?;
        for path in &changed {
            writeln!(session.output, "  {path} is not what was reviewed")?;
        }
    }
    Ok(if changed.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// Lists the reviewed files that hold something else now. They are looked for from the folders above the certificate.
fn changed(facts: &Facts, certificate: &Path, session: &Session<'_>) -> Vec<String> {
    let host = session.host();
    let places: Vec<PathBuf> = certificate.ancestors().skip(1).map(Path::to_path_buf).collect();
    let is_changed = |path: &str, after: &str| {
        let mut found = places.iter().filter_map(|place| host.read(&place.join(path)).ok());
        let hash = found.next().map(|bytes| format!("sha256:{}", sha256(&bytes)));
        hash.as_deref() != Some(after)
    };
    let differing = facts.texts.iter().filter(|text| is_changed(&text.path, &text.after));
    differing.map(|text| text.path.clone()).collect()
}
