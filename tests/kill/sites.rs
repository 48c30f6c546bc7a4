//! The system calls of a run, and how it is ended or disturbed at one of them.

use super::case::{Case, Ended};
use std::fs;
use std::path::Path;

/// The calls that change what is on the disk.
pub(crate) const CALLS: [&str; 4] = ["write", "fdatasync", "fsync", "rename"];

/// A system call of the engine: the `nth` of its kind.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) call: &'static str,
    pub(crate) nth: usize,
    /// The line of the trace.
    pub(crate) line: String,
}

/// Lists what a command line calls, in order. Only the engine's own calls count, not those of agents.
pub(crate) fn sites(case: &Case, words: &[String], calls: &[&'static str]) -> Vec<Site> {
    let trace = case.state().with_file_name("trace");
    let file = trace.display().to_string();
    let traced = format!("trace={}", calls.join(","));
    case.run(&["strace", "-qq", "-y", "-s", "0", "-o", &file, "-e", &traced], words);
    let text = fs::read_to_string(&trace).unwrap();
    let mut counts = vec![0; calls.len()];
    let mut sites = Vec::new();
    for line in text.lines() {
        let name = line.split('(').next().unwrap_or_default();
        if let Some(at) = calls.iter().position(|call| *call == name) {
            counts[at] += 1;
            sites.push(Site {
                call: calls[at],
                nth: counts[at],
                line: line.to_owned(),
            });
        }
    }
    sites
}

impl Site {
    /// Runs a command line and lets this call fail; answers also the call that really did, if any: how often the engine
    /// looks at other processes differs from run to run, and with it the number of a call.
    pub(crate) fn fail(&self, case: &Case, words: &[String], error: &str) -> (Ended, Option<Site>) {
        let trace = case.state().with_file_name("trace");
        let mut command = inject(self.call, self.nth, &format!("error={error}"));
        command.extend(["-y", "-s", "0", "-o", &trace.display().to_string()].map(str::to_owned));
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let ended = case.run(&command, words);
        let text = fs::read_to_string(&trace).unwrap();
        let failed = text.lines().find(|line| line.ends_with("(INJECTED)"));
        let failed = failed.map(|line| Site {
            line: line.to_owned(),
            ..self.clone()
        });
        (ended, failed)
    }

    /// Returns the place in few words.
    pub(crate) fn name(&self) -> String {
        let path = self.line.split(['"', '<', '>']).find(|part| part.contains('/'));
        let file = path.and_then(|path| path.rsplit('/').next()).unwrap_or("a stream");
        format!("{} {} of {file}", self.call, self.nth)
    }

    /// Says whether the call is about a file below a folder.
    pub(crate) fn is_below(&self, folder: &Path) -> bool {
        self.line.contains(&format!("{}/", folder.display()))
    }
}

/// Returns the words that run a command and do something to it at the `nth` call of a kind.
pub(crate) fn inject(call: &str, nth: usize, what: &str) -> Vec<String> {
    let inject = format!("inject={call}:{what}:when={nth}");
    let traced = format!("trace={call}");
    ["strace", "-qq", "-o", "/dev/null", "-e", &traced, "-e", &inject]
        .map(str::to_owned)
        .into()
}

/// Returns the words that do the same, counting only calls on one file.
pub(crate) fn inject_on(path: &Path, call: &str, nth: usize, what: &str) -> Vec<String> {
    let mut words = inject(call, nth, what);
    words.extend(["-P".to_owned(), path.display().to_string()]);
    words
}

/// Returns words as `Case::run` takes them.
pub(crate) fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
