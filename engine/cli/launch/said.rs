//! What a person types when a run is resumed in, the line that keeps it out.

use super::{RunArgs, commands, staff};
use crate::cli::session::Session;
use crate::host::Resumed;

/// Returns what is said now; it counts until something else is said. Secrets are not written down.
pub(in crate::cli) fn said(args: &RunArgs, session: &Session<'_>) -> Resumed {
    Resumed {
        agent: args.agent().map(|agent| staff::kept(agent, session)),
        yolo: args.yolo,
        allowed: commands::kept(&args.allow, session),
        pid: crate::os::pid(),
        tells: true,
        ..Resumed::default()
    }
}
