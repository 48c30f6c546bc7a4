//! The file of a journal that still grows in, its lines as they come out.

use super::blob::Blobs;
use super::ends::line;
use super::reading::follow;
use super::seal::{Hash, NONE_BEFORE, Trust, open};
use super::source::{unopened, unread};
use crate::host::{JournalError, Line};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

/// How long a reader waits before it looks for more lines.
const PAUSE: Duration = Duration::from_millis(200);
/// How much is read at once; a longer line is read at one go.
const CHUNK: u64 = 256 * 1024;

/// A journal that is read while somebody writes it.
#[derive(Debug)]
pub struct Tail {
    file: File,
    blobs: Blobs,
    /// Where the last whole line ends. What follows may be the beginning of a line, and may be cut off again.
    end: u64,
    seq: u64,
    last: Hash,
    fault: Option<JournalError>,
}

/// A line as it is written, and what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its number, from 1.
    pub seq: u64,
    /// The line as it stands in the file, without its end.
    pub written: String,
    /// The line.
    pub line: Line<'static>,
}

impl Tail {
    /// Opens a journal at its beginning.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self {
            file: File::open(path).map_err(|error| unopened(path, &error))?,
            blobs: Blobs::beside(path),
            end: 0,
            seq: 0,
            last: NONE_BEFORE,
            fault: None,
        })
    }

    /// Returns the next lines; nothing means that there are no more for now.
    pub fn more(&mut self) -> Result<Vec<Told>, JournalError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let mut bytes = self.bytes()?;
        let mut told = Vec::new();
        let mut rest = bytes.as_mut_slice();
        while let Some(length) = memchr::memchr(b'\n', rest) {
            let (one, after) = rest.split_at_mut(length + 1);
            rest = after;
            match self.read(&mut one[..length]) {
                Ok(line) => told.push(line),
                Err(why) => {
                    let fault = JournalError::Damaged {
                        line: self.seq + 1,
                        why,
                    };
                    if told.is_empty() {
                        return Err(fault);
                    }
                    // What is sound is handed over first.
                    self.fault = Some(fault);
                    break;
                }
            }
        }
        Ok(told)
    }

    /// Waits a moment, so that somebody can write more.
    pub fn pause(&self) {
        std::thread::sleep(PAUSE);
    }

    /// Reads on from the last whole line, until there is at least one more or the end.
    fn bytes(&mut self) -> Result<Vec<u8>, JournalError> {
        let failed = |error| unread(self.seq + 1, &error);
        self.file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        let mut bytes = Vec::new();
        loop {
            let read = (&mut self.file).take(CHUNK).read_to_end(&mut bytes).map_err(failed)?;
            if read == 0 || memchr::memchr(b'\n', &bytes).is_some() {
                return Ok(bytes);
            }
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<Told, String> {
        let length = bytes.len() as u64 + 1;
        let written = String::from_utf8_lossy(bytes).into_owned();
        let opened = open(bytes, Trust::Nothing)?;
        if let Some(why) = follow(self.seq + 1, &self.last, opened.seq, &opened.prev) {
            return Err(why);
        }
        let line = line(opened.body, &self.blobs)?;
        self.seq = opened.seq;
        self.last = opened.hash;
        self.end += length;
        Ok(Told {
            seq: self.seq,
            written,
            line,
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::Tail;
    use crate::host::{Durability, Journal as _, JournalError, Line, Resumed};
    use crate::os::journal::FileJournal;
    use std::fs;
    use std::io::Write as _;
    use std::path::PathBuf;

    fn resumed(at: i64) -> Line<'static> {
        Line::Resumed(Box::new(Resumed {
            at,
            pid: 1,
            ..Resumed::default()
        }))
    }

    fn journal(folder: &tempfile::TempDir, lines: i64) -> (PathBuf, FileJournal) {
        let path = folder.path().join("journal.jsonl");
        let mut journal = FileJournal::create(&path).unwrap();
        for at in 0..lines {
            journal.append(&resumed(at), Durability::Synced).unwrap();
        }
        (path, journal)
    }

    fn seqs(tail: &mut Tail) -> Vec<u64> {
        tail.more().unwrap().iter().map(|told| told.seq).collect()
    }

    #[test]
    fn lines_come_once_each_as_they_are_added() {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut journal) = journal(&folder, 2);
        let mut tail = Tail::open(&path).unwrap();
        assert_eq!(seqs(&mut tail), [1, 2]);
        assert_eq!(seqs(&mut tail), [0u64; 0]);
        journal.append(&resumed(7), Durability::Synced).unwrap();
        let told = tail.more().unwrap();
        assert_eq!((told[0].seq, &told[0].line), (3, &resumed(7)));
        let last = fs::read_to_string(&path).unwrap().lines().last().unwrap().to_owned();
        assert_eq!(told[0].written, last);
    }

    #[test]
    fn half_a_line_is_not_told_and_may_be_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let (path, journal) = journal(&folder, 1);
        drop(journal);
        let mut tail = Tail::open(&path).unwrap();
        fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"{\"line\":\"resu")
            .unwrap();
        assert_eq!(seqs(&mut tail), [1]);
        assert_eq!(seqs(&mut tail), [0u64; 0]);
        let mut journal = FileJournal::open_for_append(&path).unwrap().journal;
        journal.append(&resumed(2), Durability::Synced).unwrap();
        assert_eq!(seqs(&mut tail), [2]);
    }

    #[test]
    fn the_lines_before_a_damaged_one_are_told_first() {
        let folder = tempfile::tempdir().unwrap();
        let (path, journal) = journal(&folder, 3);
        drop(journal);
        let text = fs::read_to_string(&path).unwrap().replace("\"at\":1,", "\"at\":9,");
        fs::write(&path, text).unwrap();
        let mut tail = Tail::open(&path).unwrap();
        assert_eq!(seqs(&mut tail), [1]);
        let error = tail.more().unwrap_err();
        assert!(matches!(error, JournalError::Damaged { line: 2, .. }), "{error}");
    }
}
