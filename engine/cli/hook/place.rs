//! Where a project begins and where the state of its review is.

use crate::builtins::Value;
use crate::cli::launch::Project;
use crate::cli::session::{Session, tidy};
use crate::host::Workspace;
use crate::machine::render;
use crate::project::{config, core_config, is_repository, root_of};
use crate::runner::OUTPUT;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How often a value is filled that is made of other values.
const DEPTH: usize = 4;

/// The configuration of a project.
pub(in crate::cli) struct Settings {
    /// The folder of the project.
    pub(super) root: PathBuf,
    config: BTreeMap<String, Value>,
}

impl Settings {
    /// Returns a path as it is seen from the project.
    pub(super) fn seen(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Reads the configuration of the project at `root`.
    pub(super) fn at(root: &Path, session: &Session<'_>) -> Self {
        Self {
            root: tidy(root),
            config: core_config(&session.host(), root),
        }
    }

    /// Returns the configuration that the workflow of a project sees.
    pub(in crate::cli) fn of(project: &Project) -> Self {
        Self {
            root: tidy(&project.root),
            config: config(&project.loaded, project.at),
        }
    }

    /// Returns where workflows put what they make.
    pub(in crate::cli) fn output(&self) -> PathBuf {
        self.path("{output_folder}")
    }

    /// Returns where reviews put what they make.
    pub(in crate::cli) fn reviews(&self) -> PathBuf {
        self.path("{review_loop.issue_tracker.output_dir}")
    }

    /// Returns the folders that this program and its workflows write to.
    pub(in crate::cli) fn written(&self) -> [PathBuf; 3] {
        [self.root.join(OUTPUT), self.output(), self.reviews()]
    }

    /// Returns what is set about the review loop.
    pub(super) fn review_loop(&self) -> Value {
        self.config.get("review_loop").cloned().unwrap_or_default()
    }

    /// Returns the state file of the review; none where the one that is set is not a YAML file inside the project.
    ///
    /// A state file that is damaged is removed, so it must not be just any file.
    pub(super) fn state_file(&self) -> Option<PathBuf> {
        let path = self.path("{review_loop.state_file}");
        let is_yaml = path
            .extension()
            .is_some_and(|ending| ending == "yaml" || ending == "yml");
        (is_yaml && path.starts_with(&self.root)).then_some(path)
    }

    /// Returns the tracker of a review that names none.
    pub(super) fn tracker(&self) -> PathBuf {
        self.path("{review_loop.issue_tracker.output_dir}/issues.md")
    }

    fn path(&self, written: &str) -> PathBuf {
        let root = self.root.display().to_string();
        let names = |name: &str| match name {
            "project-root" => Some(Value::Text(root.clone())),
            _ => {
                let mut parts = name.split('.');
                let first = self.config.get(parts.next()?)?;
                parts.try_fold(first, |value, part| value.get(part)).cloned()
            }
        };
        let mut text = written.to_owned();
        for _ in 0..DEPTH {
            text = render::text(&text, &names);
        }
        tidy(&self.root.join(text))
    }
}

/// Returns the project that a person works in.
pub(super) fn here(session: &Session<'_>) -> Settings {
    let root = root_of(&*session.host(), session.folder());
    Settings::at(&root, session)
}

/// Returns the project whose agent asks, and its state file, where a review is on.
///
/// It is the folder that the agent's program names, or the one the agent works in, or one above it up to where the
/// project ends.
pub(super) fn of_review(folder: Option<&Path>, session: &Session<'_>) -> Option<(PathBuf, PathBuf)> {
    let host = session.host();
    let named = session.variable("CLAUDE_PROJECT_DIR").map(Path::new);
    let named = named.filter(|path| path.is_absolute() && host.exists(path));
    let folders = match named {
        Some(root) => vec![root.to_path_buf()],
        None => {
            let folder = folder.filter(|path| host.exists(path)).unwrap_or(session.folder());
            up_to_the_top(&*host, folder)
        }
    };
    folders.into_iter().find_map(|root| {
        let state = Settings::at(&root, session).state_file()?;
        host.exists(&state).then_some((root, state))
    })
}

/// Returns a folder and those above it, up to where a repository or an installation begins; itself where none does.
fn up_to_the_top(host: &dyn Workspace, folder: &Path) -> Vec<PathBuf> {
    let above: Vec<&Path> = folder.ancestors().take(12).collect();
    let install = root_of(host, folder);
    let is_top = |path: &&Path| **path == install && install != folder || is_repository(host, path);
    let top = above.iter().position(is_top).unwrap_or(0);
    above[..=top].iter().map(|path| path.to_path_buf()).collect()
}
