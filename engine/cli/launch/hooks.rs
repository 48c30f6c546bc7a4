//! The hooks of a project in, those that a run may run out: what nobody trusted is refused later, by name.

use super::Project;
use crate::cli::brief::{typed, with_state};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers::Shell;
use crate::os::store::Store;
use crate::os::trust::Trust;
use crate::project::{ProjectHook, hook_seal, hooks, wrong_hooks};
use crate::runner::{Hooks, IsTrusted, RunHook};
use std::path::Path;
use std::sync::Arc;

/// Reads the hooks of a project, each with whether it is trusted.
pub(in crate::cli) fn found(project: &Project, store: &Store, session: &Session<'_>) -> Vec<RunHook> {
    let all = hooks(&project.loaded, &project.root, &*session.host());
    if all.is_empty() {
        return Vec::new();
    }
    let trusted = Trust::of(store).seals();
    let each = all.into_iter().map(|own| RunHook {
        is_trusted: trusted.contains(&own.seal),
        own,
    });
    each.collect()
}

/// Returns the command by which a person trusts what stands in a file.
pub(super) fn trust(file: &str, state: Option<&Path>) -> String {
    with_state(format!("bmad trust {}", typed(file)), state)
}

/// Puts together what runs around the effects of a run.
pub(super) fn around(project: &Project, store: &Store, state: Option<&Path>, session: &Session<'_>) -> Hooks {
    let state = state.map(Path::to_path_buf);
    let all: Arc<[RunHook]> = found(project, store, session).into();
    Hooks {
        is_trusted: Some(still(&all, project, store, session)),
        trust: Some(Arc::new(move |file| trust(file, state.as_deref()))),
        all,
        commands: Some(Arc::new(Shell::new(&session.inherited(|_| false), &session.secrets))),
    }
}

/// Looks at a hook when it is about to run: a script that it starts may have changed since the run began.
fn still(all: &[RunHook], project: &Project, store: &Store, session: &Session<'_>) -> IsTrusted {
    let all: Vec<ProjectHook> = all.iter().map(|hook| hook.own.clone()).collect();
    let (root, trust, host) = (project.root.clone(), Trust::of(store), session.host());
    Arc::new(move |own| trust.seals().contains(&hook_seal(own, &all, &root, &*host)))
}

/// Refuses settings that name a hook which could never run: somebody relies on it.
pub(in crate::cli) fn check(project: &Project) -> Result<(), Failure> {
    let wrong = wrong_hooks(&project.loaded);
    match wrong.first() {
        Some(first) => {
            Err(Failure::usage(format!("{}: {}", first.place, first.wrong.message)).with_hint(first.wrong.help.clone()))
        }
        None => Ok(()),
    }
}
