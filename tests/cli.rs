//! The program from outside: what it prints, where, and how it ends.

mod aftermath;
#[cfg(unix)]
mod agents;
#[cfg(unix)]
mod anew;
mod answer;
mod called;
mod commands;
#[cfg(target_os = "linux")]
mod edited;
#[cfg(unix)]
mod engaged;
mod explain;
mod fmt;
mod graph;
mod help;
mod helps;
mod hooks;
#[cfg(target_os = "linux")]
mod interrupted;
mod left_out;
#[cfg(unix)]
mod linked;
#[cfg(unix)]
mod links;
mod lint;
#[cfg(unix)]
mod locked;
mod log;
mod losses;
mod new;
mod older;
#[cfg(unix)]
mod parked;
mod place;
mod process;
mod readers;
mod readme;
mod rehearse;
mod returned;
mod rollback;
mod runs;
mod sarif;
mod schema;
mod secrets;
mod settings;
mod show;
mod starting;
mod stop_hook;
mod streams;
mod verify;
mod words;

use bmad::cli::{Environment, Streams, run};
use std::ffi::OsString;
use std::path::Path;
use tempfile::TempDir;

/// How a run ended and what it printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: u8,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// A run of the program that touches nothing of this process.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) terminal: bool,
    pub(crate) environment: Environment,
}

impl Run {
    /// Sets a variable of the run's environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        let variables = &mut self.environment.variables;
        variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Runs the program.
    pub(crate) fn call(self, args: &[&str]) -> Ended {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let args = std::iter::once(&"bmad").chain(args).map(OsString::from);
        let code = run(
            args.collect(),
            Streams {
                input: &mut std::io::empty(),
                output: &mut output,
                errors: &mut errors,
                terminal: self.terminal,
                live: false,
                width: 100,
                last: false,
                environment: self.environment,
            },
        );
        Ended {
            code,
            output: String::from_utf8(output).unwrap(),
            errors: String::from_utf8(errors).unwrap(),
        }
    }
}

/// Runs the program on no terminal.
pub(crate) fn bmad(args: &[&str]) -> Ended {
    Run::default().call(args)
}

/// Runs the program in a folder.
pub(crate) fn bmad_in(folder: &Path, args: &[&str]) -> Ended {
    let mut run = Run::default();
    run.environment.folder = folder.to_path_buf();
    run.call(args)
}

/// Makes a folder with these files in it.
pub(crate) fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}
