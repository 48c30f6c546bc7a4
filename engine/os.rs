//! The real world behind the traits of `host`: disk, terminal, changes to files.
//!
//! The only room that may call the operating system.

mod disk;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod watch;

pub use disk::Disk;
#[cfg(feature = "cli")]
pub use terminal::{Aids, Chain, Complain, Lines, Person, Said, Screen, Terminal, columns};
#[cfg(feature = "cli")]
pub use watch::{Watch, WatchError};
