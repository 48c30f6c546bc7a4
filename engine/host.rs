//! What the engine asks of the world: traits, and the plain values they answer with.
//!
//! Nothing here touches anything; the `os` and `drivers` rooms do, and a test may.

mod agent;
mod command;
mod hook;
mod journal;
mod raised;
mod settings;
mod spec;
mod staff;

pub use agent::{Call, Driver, Human, NOBODY, Reply, Session, Spent, Tokens, Turn};
pub use command::{CommandEnd, CommandLine, Commands, Ran};
pub use hook::{Hooked, InsideHook};
pub use journal::{Begun, Called, Durability, Journal, JournalError, Line, READING, Resumed, Settlement, Since};
pub use raised::{Noted, Raised};
pub use settings::{AgentSettings, Described, Permission};
pub use spec::{Spec, command_words};
pub use staff::{Ceiling, Chosen, Limits, Price, Staff, TaskSettings};

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;

/// Something that is waited for.
pub type Wait<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The time.
pub trait Clock: Send + Sync {
    /// Returns milliseconds since 1970, UTC.
    fn now(&self) -> i64;
}

/// The files of a person's machine, as far as the engine may see them.
pub trait Workspace: Send + Sync {
    /// Returns the bytes of a file; a file over the cap is refused before it is read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError>;

    /// Says whether a file or folder is there, through links.
    fn exists(&self, path: &Path) -> bool;

    /// Says whether a file may be started as a program.
    fn is_executable(&self, _path: &Path) -> bool {
        false
    }

    /// Returns what a folder holds, sorted by name; a folder that cannot be read holds nothing.
    fn list(&self, path: &Path) -> Vec<Entry>;

    /// Says why what is at a path cannot be looked at, though something may be there.
    fn closed(&self, _path: &Path) -> Option<String> {
        None
    }

    /// Follows every link in `path`; answers nothing where a link dangles or leads in a circle.
    fn resolve(&self, path: &Path) -> Option<Resolved>;

    /// Replaces a file, or makes it with the folders above it: afterwards it holds the old bytes or all the new ones.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Removes a file; one that is not there is as good as removed.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The same as `write` for a file that can be made again: it may be the old one after the machine itself went down.
    fn write_soon(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(path, bytes)
    }
}

/// Says whether what is written to a path stays in a folder: no link on the way leads out of it.
pub fn stays_in(folder: &Path, path: &Path, files: &dyn Workspace) -> bool {
    let known = path.ancestors().find_map(|part| files.resolve(part));
    match (files.resolve(folder), known) {
        (Some(folder), Some(known)) => known.path.starts_with(folder.path),
        (None, _) | (_, None) => path.starts_with(folder),
    }
}

/// One thing in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What a thing in a folder is. Pipes, sockets and devices are never listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; whether it is followed is the walker's choice.
    Link,
}

/// Where a path leads once every link in it is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The real path: two paths that lead to the same place resolve to the same one.
    pub path: PathBuf,
    /// What is there: a file or a folder, never a link.
    pub kind: EntryKind,
}

/// Why a file was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// Nothing is there, or a link on the way dangles.
    Missing,
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It holds more bytes than the cap.
    TooLarge {
        /// How many it holds, as far as is known.
        size: u64,
    },
    /// The system refused; the reason is in its words.
    Refused(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Missing => formatter.write_str("no such file"),
            ReadError::NotAFile => formatter.write_str("not a file"),
            ReadError::TooLarge { size } => write!(
                formatter,
                "the file holds {size} bytes, the largest that is read is {}",
                crate::source::MAX_BYTES
            ),
            ReadError::Refused(reason) => formatter.write_str(reason),
        }
    }
}

impl std::error::Error for ReadError {}
