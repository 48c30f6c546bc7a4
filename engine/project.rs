//! Where a project begins, what it holds, and its findings: paths in, loaded and checked projects out.

mod agents;
mod areas;
mod around;
mod check;
mod commands;
mod config;
mod engaged;
mod find;
mod glob;
mod hooks;
mod links;
mod load;
mod mistakes;
mod module;
mod programs;
mod repair;
mod settings;
mod share;
mod site;
mod stdlib;
mod walk;
mod workflows;

pub use agents::{Mistake, NamedAgent, Staffed, staff};
pub use around::{is_repository, project_around, root_of, settings_around};
pub use check::{Checked, Next, check, check_all};
pub use commands::{ProjectCommand, command_seal, commands};
pub use config::{config, configs, core_config};
pub use engaged::{Engaged, engaged};
pub use find::{settings_site, site_around, sites};
pub use glob::fits_path;
#[cfg(feature = "run")]
pub(crate) use glob::matches;
pub use hooks::{HookScope, ProjectHook, WrongEntry, hook_seal, hooks, wrong_hooks};
pub use load::{Loaded, load, load_to_run, load_to_run_standard};
pub use mistakes::wrong_configuration;
pub use repair::{Applied, Repaired, repaired};
pub use settings::{settings, settings_in};
pub use share::{Shared, side_by_side, work_here, work_here_first};
pub use site::{Known, Site};
pub use stdlib::{STDLIB, StdlibFile};
pub use walk::files;
