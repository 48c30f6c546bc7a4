//! The program: the streams of the process in, an exit code out.

use bmad::cli::{Environment, Streams, run};
use bmad::os;
use std::io::{BufWriter, IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;

/// Many small trees are made and dropped on every thread; the system's own allocator makes the threads wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The width of output that nobody reads on a terminal.
const PAPER: usize = 100;

fn main() -> ExitCode {
    let terminal = stdout().is_terminal();
    let code = run(
        arguments(),
        Streams {
            input: &mut stdin().lock(),
            output: &mut BufWriter::new(stdout().lock()),
            errors: &mut stderr().lock(),
            terminal,
            live: stderr().is_terminal(),
            width: os::columns().unwrap_or(PAPER),
            last: true,
            environment: environment(),
        },
    );
    ExitCode::from(code)
}

#[expect(clippy::disallowed_methods, reason = "the program reads its own arguments")]
fn arguments() -> Vec<std::ffi::OsString> {
    std::env::args_os().collect()
}

#[expect(clippy::disallowed_methods, reason = "the program reads its environment once")]
fn environment() -> Environment {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let all = std::env::vars_os().filter_map(text);
    let (variables, others) = all.partition(|(name, _)| Environment::VARIABLES.contains(&name.as_str()));
    Environment {
        folder: std::env::current_dir().unwrap_or_default(),
        program: std::env::current_exe().ok(),
        variables,
        others,
    }
}
