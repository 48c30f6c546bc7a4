//! Words in, what git says out.

use super::super::{SnapshotError, refused};
use crate::os::private;
use crate::os::store::RunFolder;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Settings that keep the repository's own programs and conversions out.
const SETTINGS: [&str; 8] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "core.attributesFile=/dev/null",
    "core.fsyncMethod=batch",
    "core.quotePath=false",
];

/// Variables of a git that started us, which would lead elsewhere.
const FOREIGN: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_LITERAL_PATHSPECS",
];

/// A variable that holds nothing.
const NOTHING: &str = "BMAD_NOTHING";

/// The tree without files, in the two kinds of repositories.
const EMPTY_TREES: [(&str, &str); 2] = [
    ("sha1", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    (
        "sha256",
        "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
    ),
];

/// Git in a folder, with an index.
#[derive(Debug, Clone)]
pub(super) struct Git<'a> {
    root: &'a Path,
    /// Where attributes are read from, so that there are none.
    attributes: Option<&'static str>,
    index: Option<PathBuf>,
    /// Settings that say nothing.
    emptied: Vec<String>,
}

impl<'a> Git<'a> {
    /// Returns git with the user's index, which is only read.
    pub(super) fn new(root: &'a Path) -> Self {
        Self {
            root,
            attributes: None,
            index: None,
            emptied: Vec::new(),
        }
    }

    /// Returns git for a repository with this kind of hashes.
    pub(super) fn without_attributes(&self, format: &str) -> Self {
        let tree = EMPTY_TREES.iter().find(|(name, _)| *name == format);
        Self {
            attributes: tree.map(|(_, tree)| *tree),
            ..self.clone()
        }
    }

    /// Returns git without the programs that the settings run on the contents of files.
    pub(super) fn without_filters(&self) -> Result<Self, SnapshotError> {
        let known = self.run(&["config", "-z", "--name-only", "--list"])?;
        let is_filter = |key: &String| key.starts_with("filter.");
        Ok(Self {
            emptied: split(&known).filter(is_filter).collect(),
            ..self.clone()
        })
    }

    /// Returns git without those of these programs that the repository itself sets. Those of the person stay: without
    /// them, files that are kept elsewhere would all seem to be changed.
    pub(super) fn without_own_filters(&self) -> Result<Self, SnapshotError> {
        let known = self.run(&["config", "-z", "--show-scope", "--name-only", "--list"])?;
        let mut words = split(&known);
        let mut emptied = Vec::new();
        while let (Some(scope), Some(key)) = (words.next(), words.next()) {
            if key.starts_with("filter.") && matches!(scope.as_str(), "local" | "worktree") {
                emptied.push(key);
            }
        }
        Ok(Self {
            emptied,
            ..self.clone()
        })
    }

    /// Returns git with another index.
    pub(super) fn with_index(&self, index: PathBuf) -> Self {
        Self {
            index: Some(index),
            ..self.clone()
        }
    }

    /// Returns the folder.
    pub(super) fn root(&self) -> &'a Path {
        self.root
    }

    /// Runs a command and returns what it wrote.
    pub(super) fn run(&self, words: &[&str]) -> Result<Vec<u8>, SnapshotError> {
        Ok(self.start(words, Stdio::null())?.stdout)
    }

    /// Runs a command and returns what it wrote, and what it complained about.
    pub(super) fn run_heard(&self, words: &[&str]) -> Result<(Vec<u8>, String), SnapshotError> {
        let output = self.start(words, Stdio::null())?;
        Ok((output.stdout, String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// Runs a command with paths as its input; without paths there is nothing to run.
    pub(super) fn feed(
        &self,
        words: &[&str],
        paths: impl IntoIterator<Item = impl AsRef<str>>,
        run: &RunFolder,
    ) -> Result<(), SnapshotError> {
        let mut bytes = Vec::new();
        for path in paths {
            bytes.extend_from_slice(path.as_ref().as_bytes());
            bytes.push(0);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        // A file and not a pipe: nobody has to write while somebody reads.
        let file = run.path().join("paths");
        let input = write(&file, &bytes).map_err(|error| refused(&file, &error))?;
        self.start(words, Stdio::from(input)).map(|_| ())
    }

    #[expect(clippy::disallowed_methods, reason = "this room starts processes")]
    fn start(&self, words: &[&str], input: Stdio) -> Result<Output, SnapshotError> {
        let mut command = Command::new("git");
        for name in FOREIGN {
            command.env_remove(name);
        }
        command.arg("-C").arg(self.root);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
        if let Some(index) = &self.index {
            // In an index of our own a program is one, whatever the repository makes of it.
            command.args(["-c", "core.fileMode=true"]);
            command.env("GIT_INDEX_FILE", index);
        }
        let emptied = self.emptied.iter();
        command.args(emptied.map(|key| format!("--config-env={key}={NOTHING}")));
        command.env(NOTHING, "");
        command.args(words).stdin(input);
        command.env("GIT_OPTIONAL_LOCKS", "0").env_remove("GIT_ATTR_SOURCE");
        command.envs(self.attributes.map(|tree| ("GIT_ATTR_SOURCE", tree)));
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
        command.env("LC_ALL", "C");
        let failed = |why: String| SnapshotError::Git {
            command: words.join(" "),
            why,
        };
        let output = command
            .output()
            .map_err(|error| failed(error.to_string().to_lowercase()))?;
        if output.status.success() {
            return Ok(output);
        }
        Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<File> {
    let mut file = private::options().write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    File::open(path)
}

/// Splits what git wrote at its zeros.
pub(super) fn split(said: &[u8]) -> impl Iterator<Item = String> {
    let words = said.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned())
}
