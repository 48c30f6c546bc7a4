//! The real program, ended without a word at every point where it matters, and resumed: nothing is paid twice, nothing
//! is lost, and in the end the project is what it would have been.
//!
//! The points are exact: `strace` ends the process when it enters a system call, counted, so no test depends on time.

mod after;
mod calls;
mod case;
mod damage;
mod faults;
mod holders;
mod moments;
mod records;
mod sites;

use std::process::Command;

/// Says whether the tools these tests need are there; where they have to be, their absence is a failure.
pub(crate) fn has_tools(tools: &[&str]) -> bool {
    let missing: Vec<&&str> = tools.iter().filter(|tool| !runs(tool)).collect();
    if missing.is_empty() {
        return true;
    }
    println!("skipped: {missing:?} cannot be run here");
    assert!(
        std::env::var_os("BMAD_REQUIRE_NETWORK").is_none(),
        "BMAD_REQUIRE_NETWORK is set and {missing:?} cannot be run"
    );
    false
}

/// A tracer may be there and still not be allowed to trace: it is asked to.
fn runs(tool: &str) -> bool {
    let arguments: &[&str] = match tool {
        "strace" => &["-o", "/dev/null", "true"],
        "tmux" => &["-V"],
        _ => &["--version"],
    };
    let output = Command::new(tool).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Returns what to say of a row of the table.
pub(crate) fn row(what: &str, tally: &after::Tally) -> String {
    format!(
        "{what:<40} {:>6} {:>8} {:>9} {:>5} {:>10}",
        tally.kills, tally.resumes, tally.repeated, tally.lost, tally.differing
    )
}
