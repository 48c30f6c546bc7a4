//! The real world behind the traits of `host`: disk, terminal, journals, changes to files.
//!
//! The only room that may call the operating system.

pub mod clock;
pub mod copy;
mod disk;
mod draft;
pub mod journal;
pub mod lock;
mod private;
mod program;
pub mod scratch;
pub mod snapshot;
pub mod store;
#[cfg(feature = "cli")]
mod terminal;
pub mod trust;
#[cfg(feature = "cli")]
mod watch;

use std::io;
use std::path::{Path, PathBuf};

pub use disk::Disk;
pub use program::{Unstartable, find_program};
#[cfg(feature = "cli")]
pub use terminal::{Aids, Chain, Complain, Lines, Person, Said, Screen, Terminal, columns, tell};
#[cfg(feature = "cli")]
pub use watch::{Watch, WatchError};

/// Makes a new folder that nobody else can read, with a name that begins so.
///
/// # Errors
/// Answers what the system says.
pub fn make_private_folder(place: &Path, name: &str) -> io::Result<PathBuf> {
    const MOST: u32 = 100;
    let mut tries = 0;
    loop {
        let path = place.join(format!("{name}-{}-{tries}", pid()));
        match private::make_new_folder(&path) {
            // One that is there may be somebody else's.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < MOST => tries += 1,
            made => return made.map(|()| path),
        }
    }
}

/// Returns the number of this process.
pub fn pid() -> u32 {
    std::process::id()
}
