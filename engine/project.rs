//! Where a project begins, what it holds, and its findings: paths in, loaded and checked projects out.

mod check;
mod find;
mod glob;
mod load;
mod repair;
mod settings;
mod stdlib;
mod walk;

pub use check::{Checked, check, check_all};
pub use find::{Site, sites};
#[cfg(feature = "run")]
pub(crate) use glob::matches;
pub use load::{Loaded, load};
pub use repair::repaired;
pub use settings::settings;
pub use stdlib::{STDLIB, StdlibFile};
pub use walk::files;
