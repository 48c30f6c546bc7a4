//! The file of a journal in, chunks of whole lines out, and in the end what is left of a torn one.

use crate::host::JournalError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How much is read at once: large enough to hide the cost of the call, small enough to stay in a cache.
const CHUNK: usize = 256 * 1024;

/// What is still to be read of a file.
#[derive(Debug)]
pub(super) struct Source {
    file: File,
    /// The beginning of the line that the next chunk starts with.
    rest: Vec<u8>,
    ended: bool,
}

impl Source {
    /// Opens a journal.
    pub(super) fn open(path: &Path) -> Result<Self, JournalError> {
        let file = File::open(path).map_err(|error| unopened(path, &error))?;
        Ok(Self {
            file,
            rest: Vec::new(),
            ended: false,
        })
    }

    /// Puts the next whole lines into `chunk`, at least one; answers false when there are no more.
    pub(super) fn fill(&mut self, chunk: &mut Vec<u8>) -> io::Result<bool> {
        chunk.clear();
        if self.ended {
            return Ok(false);
        }
        chunk.append(&mut self.rest);
        loop {
            let before = chunk.len();
            chunk.reserve(CHUNK);
            let read = (&mut self.file).take(CHUNK as u64).read_to_end(chunk)?;
            self.ended = read < CHUNK;
            if let Some(end) = memchr::memrchr(b'\n', &chunk[before..]) {
                let end = before + end + 1;
                self.rest.extend_from_slice(&chunk[end..]);
                chunk.truncate(end);
                return Ok(true);
            }
            if self.ended {
                self.rest.append(chunk);
                return Ok(false);
            }
        }
    }

    /// Returns how many bytes follow the last whole line, once everything is read.
    pub(super) fn torn(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Says whether everything is read.
    pub(super) fn is_over(&self) -> bool {
        self.ended
    }
}

/// Returns what is told about a journal that cannot be opened.
pub(super) fn unopened(path: &Path, error: &io::Error) -> JournalError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => JournalError::Missing(path.display().to_string()),
        _ => unread(1, error),
    }
}

/// Returns what is told about a line that the system does not give out.
pub(super) fn unread(line: u64, error: &io::Error) -> JournalError {
    JournalError::Damaged {
        line,
        why: format!("it cannot be read: {}", error.to_string().to_lowercase()),
    }
}
