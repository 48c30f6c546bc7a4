//! The file of a journal in, what was said each time the run was resumed out. The lines between them are passed over.

use super::blob::Blobs;
use super::ends::line;
use super::seal::{Trust, open};
use super::source::{Source, unread};
use crate::host::{JournalError, Line, Resumed};
use std::path::Path;

/// How such a line begins.
const RESUMED: &[u8] = b"{\"line\":\"resumed\",";

/// Reads what was said each time a run was resumed. A damaged line says nothing: whoever reads all lines is told.
pub fn resumes(path: &Path) -> Result<Vec<Resumed>, JournalError> {
    let mut source = Source::open(path)?;
    let blobs = Blobs::beside(path);
    let finder = memchr::memmem::Finder::new(RESUMED);
    let mut chunk = Vec::new();
    let mut found = Vec::new();
    while source.fill(&mut chunk).map_err(|error| unread(1, &error))? {
        let mut at = 0;
        while let Some(start) = finder.find(&chunk[at..]).map(|start| at + start) {
            let end = memchr::memchr(b'\n', &chunk[start..]).map_or(chunk.len(), |end| start + end);
            let begins = start == 0 || chunk[start - 1] == b'\n';
            found.extend(begins.then(|| resumed(&mut chunk[start..end], &blobs)).flatten());
            at = end;
        }
    }
    Ok(found)
}

fn resumed(bytes: &mut [u8], blobs: &Blobs) -> Option<Resumed> {
    let opened = open(bytes, Trust::Nothing).ok()?;
    match line(opened.body, blobs) {
        Ok(Line::Resumed(resumed)) => Some(*resumed),
        Ok(_) | Err(_) => None,
    }
}
