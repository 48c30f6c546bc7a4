//! The real world behind the traits of `host`: disk, terminal, journals, changes to files.
//!
//! The only room that may call the operating system.

#[cfg(feature = "cli")]
mod apart;
pub mod before;
pub mod clock;
pub mod copy;
mod disk;
mod draft;
mod ending;
mod hangup;
mod held;
#[cfg(feature = "cli")]
mod input;
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

#[cfg(feature = "cli")]
pub use apart::Apart;
pub use disk::Disk;
pub use ending::ending;
pub use hangup::ignores_hangup;
pub use held::{HeldError, HeldFile};
#[cfg(feature = "cli")]
pub use input::{Bounds, input};
pub use program::{Unstartable, find_program};
#[cfg(feature = "cli")]
pub use terminal::{Aids, Chain, Complain, Lines, Person, Said, Screen, Stream, Terminal, columns, tell};
#[cfg(feature = "cli")]
pub use watch::{Watch, WatchError};

/// Removes a folder that holds nothing; one that does is left alone.
pub fn remove_empty(folder: &std::path::Path) {
    // Whatever keeps it from being removed is a reason to keep it.
    std::fs::remove_dir(folder).ok();
}

/// Returns the number of this process.
pub fn pid() -> u32 {
    std::process::id()
}
