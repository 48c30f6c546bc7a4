//! Lines in, a file that keeps them out; and the lines of such a file again.
//!
//! One JSON object a line, each with its number, the hash of the line before, its own hash and a sum: what was changed,
//! dropped or moved afterwards is found. A line is written once and never again touched. Only the end of a file may be
//! incomplete, since only there a machine may have been switched off while it wrote.

mod audit;
mod blob;
mod ends;
mod reading;
mod replay;
mod resumes;
mod seal;
mod source;
mod tail;
#[cfg(test)]
mod tests;

pub use audit::{Audit, audit};
pub use ends::{Ends, ends};
pub use reading::Reading;
pub use replay::{ReplayKind, Replayed};
pub use resumes::resumes;
pub use tail::{Tail, Told};

use super::private;
use crate::host::{Durability, Journal, JournalError, Line};
use crate::policy::secret::Secrets;
use blob::{Blob, Blobs};
use seal::{Hash, NONE_BEFORE, Proof, Trust};
use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the form of a journal; a reader knows it and those before.
pub const VERSION: u32 = 6;

/// How much may wait in memory for the next line that has to be on the disk.
const WAITING: usize = 1024 * 1024;

/// How much at the end of a file is written once more when a run goes on.
const DOUBTFUL: u64 = 64 * 1024;

/// Where the bytes of a journal go.
pub trait Sink: Write + Send {
    /// Waits until everything that was written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// A journal in a file.
#[derive(Debug)]
pub struct FileJournal<S: Sink = File> {
    sink: S,
    blobs: Blobs,
    /// Lines that are not yet written, and the blobs they name.
    waiting: Vec<u8>,
    kept: Vec<Blob>,
    seq: u64,
    prev: Hash,
    proof: Proof,
    /// Whether lines were written that are not yet on the disk.
    unsynced: bool,
    /// Folders in which something was made for it that is not yet on the disk.
    made_in: Vec<PathBuf>,
    /// What no line may hold.
    secrets: Arc<Secrets>,
    /// Why nothing can be written any more.
    broken: Option<String>,
}

/// A journal that goes on, and what was left out of it.
#[derive(Debug)]
pub struct Continued {
    /// The journal.
    pub journal: FileJournal,
    /// How many bytes of an incomplete last line were cut off: a line that was never reported as kept.
    pub torn: u64,
}

/// A line of a journal, with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Its number, from 1.
    pub seq: u64,
    /// The line.
    pub line: Line<'static>,
}

impl FileJournal {
    /// Makes a new journal, with its folder; one that is already there is never written over. Both are on the disk with
    /// the first line that is.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        let made_in = folders_of(path);
        let make = || {
            made_in.first().map_or(Ok(()), |folder| private::make_folder(folder))?;
            private::options().write(true).create_new(true).open(path)
        };
        let file = make().map_err(|error: io::Error| unwritten(path, &error))?;
        let mut journal = Self::over(file, Blobs::beside(path));
        journal.made_in = made_in;
        Ok(journal)
    }

    /// Opens a journal to go on where it ends; an incomplete last line is cut off. Only the end is read.
    pub fn open_for_append(path: &Path) -> Result<Continued, JournalError> {
        let mut options = OpenOptions::new();
        let mut file = match options.read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(JournalError::Missing(path.display().to_string()));
            }
            Err(error) => return Err(unwritten(path, &error)),
        };
        let found = ends::last(&mut file).map_err(|error| unwritten(path, &error))?;
        let last = found.ok_or_else(|| ends::unsound(path))?;
        rewrite(&mut file, last.end).map_err(|error| unwritten(path, &error))?;
        let mut journal = Self::over(file, Blobs::beside(path));
        journal.seq = last.seq;
        journal.prev = last.hash;
        journal.proof = last.proof;
        // Whoever made it may have been cut off before they were on the disk.
        journal.made_in = folders_of(path);
        Ok(Continued {
            journal,
            torn: last.torn,
        })
    }
}

/// Returns the folder of a journal, and the one that folder was made in.
fn folders_of(path: &Path) -> Vec<PathBuf> {
    let named = |above: &Path| match above.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => above.to_path_buf(),
    };
    path.ancestors().skip(1).take(2).map(named).collect()
}

/// Waits until what was made in a folder is on the disk; says which where it never is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", folder.display()));
    private::sync_folder(folder).map_err(named)
}

impl<S: Sink> FileJournal<S> {
    fn over(sink: S, blobs: Blobs) -> Self {
        Self {
            sink,
            blobs,
            waiting: Vec::new(),
            kept: Vec::new(),
            seq: 0,
            prev: NONE_BEFORE,
            proof: Proof::Blake3,
            unsynced: false,
            made_in: Vec::new(),
            secrets: Secrets::common(),
            broken: None,
        }
    }

    /// Says what no line may hold.
    pub fn hide(&mut self, secrets: Arc<Secrets>) {
        self.secrets = secrets;
    }

    /// Masks what a line holds. What a run is has to stay what it is: a path with a secret in it leads nowhere.
    fn mask(&mut self, start: usize, line: &Line<'_>) {
        if matches!(line, Line::Begun(_)) {
            return;
        }
        let json = str::from_utf8(&self.waiting[start..]).unwrap_or_default();
        if let Cow::Owned(masked) = self.secrets.masked_json(json) {
            self.waiting.truncate(start);
            self.waiting.extend_from_slice(masked.as_bytes());
        }
    }

    /// Returns the number of the last line that was added; zero before the first.
    pub fn last(&self) -> u64 {
        self.seq
    }

    /// Waits until every line that was added is on the disk.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        if self.waiting.is_empty() && !self.unsynced {
            return self.usable();
        }
        self.write_and(Self::sync)
    }

    /// Writes the lines that wait and does what is to be done then.
    fn write_and(&mut self, then: fn(&mut Self) -> io::Result<()>) -> Result<(), JournalError> {
        self.usable()?;
        let written = self.write_out().and_then(|()| then(self));
        // What a failed write or sync left on the disk is not known; a line after it could not be trusted.
        if let Err(error) = &written {
            self.broken = Some(error.to_string().to_lowercase());
        }
        self.waiting.clear();
        self.waiting.shrink_to(WAITING);
        self.kept.clear();
        self.usable()
    }

    fn write_out(&mut self) -> io::Result<()> {
        self.blobs.keep(&self.kept)?;
        self.unsynced = true;
        self.sink.write_all(&self.waiting)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sink.sync()?;
        // After the file: the disk has what is new in its folders by then, and they only make sure of it.
        self.made_in.drain(..).try_for_each(|folder| sync_folder(&folder))?;
        self.unsynced = false;
        Ok(())
    }

    fn usable(&self) -> Result<(), JournalError> {
        match &self.broken {
            Some(why) => Err(JournalError::Unwritten(why.clone())),
            None => Ok(()),
        }
    }
}

impl<S: Sink> Journal for FileJournal<S> {
    fn append(&mut self, line: &Line<'_>, durability: Durability) -> Result<(), JournalError> {
        self.usable()?;
        let start = self.waiting.len();
        let packed = serde_json::to_writer(&mut self.waiting, line).and_then(|()| {
            self.mask(start, line);
            blob::pack(&mut self.waiting, start, &mut self.kept)
        });
        if let Err(error) = packed {
            self.waiting.truncate(start);
            return Err(JournalError::Unwritten(error.to_string()));
        }
        self.seq += 1;
        self.prev = seal::seal(&mut self.waiting, start, self.seq, &self.prev, self.proof);
        match durability {
            Durability::Synced => self.flush(),
            Durability::Written => self.write_and(|_| Ok(())),
            Durability::Buffered if self.waiting.len() > WAITING => self.flush(),
            Durability::Buffered => Ok(()),
        }
    }

    fn settle(&mut self) -> Result<(), JournalError> {
        self.flush()
    }
}

/// Reads the lines of a journal, whole.
pub fn read(path: &Path) -> Result<Reading<Kept>, JournalError> {
    let parse: fn(u64, &mut [u8], &Blobs) -> Result<Kept, String> = |seq, body, blobs| {
        let line = ends::line(body, blobs)?;
        Ok(Kept { seq, line })
    };
    Reading::start(path, (Trust::Nothing, parse))
}

/// Reads what a resume needs of a journal: all lines, without the effects. Damage is found; proof is for `audit`.
pub fn replay(path: &Path) -> Result<Reading<Replayed>, JournalError> {
    Reading::start(path, (Trust::Sum, replay::replayed))
}

/// Cuts off what follows `end`, and writes the bytes before it once more: where a sync failed, the system may show
/// bytes that it will never write by itself. The first line that is added brings them to the disk.
fn rewrite(file: &mut File, end: u64) -> io::Result<()> {
    file.set_len(end)?;
    let start = end.saturating_sub(DOUBTFUL);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end - start).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(&bytes)
}

fn unwritten(path: &Path, error: &io::Error) -> JournalError {
    JournalError::Unwritten(format!("`{}`: {}", path.display(), error.to_string().to_lowercase()))
}
