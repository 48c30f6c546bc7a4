//! Where a project begins, what it holds, and its findings: paths in, loaded and checked projects out.

mod check;
mod find;
mod load;
mod settings;
mod stdlib;
mod walk;

pub use check::{Checked, check, check_all};
pub use find::{Site, sites};
pub use load::{Loaded, load};
pub use settings::{SettingsError, settings};
pub use stdlib::{STDLIB, StdlibFile};
