//! The JSON of a line in, what a resume needs of it out: everything but the effects and where they stood.
//!
//! A resumed run makes its effects anew and finds them by their keys, so that the prompts in a journal, which are most
//! of its bytes, are passed over.

mod short;
mod text;

use super::blob::Blobs;
use super::ends::line;
use crate::host::{Begun, Called, Hooked, Line, Resumed, Settlement};
use crate::machine::{Key, Outcome};

/// What a resume needs of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// The number of the line.
    pub seq: u64,
    /// When it was written, in milliseconds since 1970.
    pub at: i64,
    /// What it says.
    pub kind: ReplayKind,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplayKind {
    /// A run begins.
    Begun(Box<Begun>),
    /// An agent was about to be started.
    Intent {
        /// What finds it.
        key: Key,
        /// What the tree looked like before.
        snapshot: Option<String>,
    },
    /// An effect is finished.
    Done {
        /// What finds it.
        key: Key,
        /// What came of it.
        outcome: Outcome,
    },
    /// A hook ran, or was kept from it.
    Hooked(Box<Hooked>),
    /// A call of an agent ended.
    Called(Box<Called>),
    /// The run went on after it stopped.
    Resumed(Box<Resumed>),
    /// What was done about an effect whose outcome is unknown.
    Settled {
        /// What finds it.
        key: Key,
        /// What was done.
        choice: Settlement,
    },
    /// Everything after a line is void.
    RolledBack {
        /// The number of the last line that counts.
        to: u64,
    },
    /// The run stopped in order.
    Stopped {
        /// How.
        how: String,
        /// Why.
        why: String,
    },
}

/// Returns the word that says what kind of line it is: the name of the kind comes first in every line.
pub(super) fn kind(body: &[u8]) -> Option<&str> {
    let rest = body.strip_prefix(b"{\"line\":\"")?;
    let end = memchr::memchr(b'"', rest)?;
    str::from_utf8(&rest[..end]).ok()
}

/// Reads what a resume needs of a line.
pub(super) fn replayed(seq: u64, body: &mut [u8], blobs: &Blobs) -> Result<Replayed, String> {
    let (at, kind) = match short::read(body, blobs)? {
        Some(read) => read,
        None => whole(body, blobs)?,
    };
    Ok(Replayed { seq, at, kind })
}

/// Reads a line of any form: slower, since the effect is read too.
fn whole(body: &[u8], blobs: &Blobs) -> Result<(i64, ReplayKind), String> {
    Ok(match line(body, blobs)? {
        Line::Begun(begun) => (begun.at, ReplayKind::Begun(begun)),
        Line::Intent {
            at,
            key,
            snapshot,
            step: _,
            driver: _,
            effect: _,
        } => (at, ReplayKind::Intent { key, snapshot }),
        Line::Done {
            at,
            key,
            outcome,
            step: _,
            effect: _,
        } => {
            let outcome = outcome.into_owned();
            (at, ReplayKind::Done { key, outcome })
        }
        Line::Hooked(hooked) => (hooked.at, ReplayKind::Hooked(hooked)),
        Line::Called(called) => (called.at, ReplayKind::Called(called)),
        Line::Resumed(resumed) => (resumed.at, ReplayKind::Resumed(resumed)),
        Line::Settled { at, key, choice } => (at, ReplayKind::Settled { key, choice }),
        Line::RolledBack { at, to } => (at, ReplayKind::RolledBack { to }),
        Line::Stopped { at, how, why, .. } => (at, ReplayKind::Stopped { how, why }),
    })
}
