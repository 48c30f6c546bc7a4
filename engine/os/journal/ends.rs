//! The file of a journal in, its first and its last whole line out, whatever is between them.

use super::VERSION;
use super::audit::audit;
use super::blob::{Blobs, has_name};
use super::seal::{Hash, Proof, Trust, open};
use super::source::{unopened, unread};
use crate::host::{Begun, JournalError, Line};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// How much is read at once.
const BLOCK: u64 = 16 * 1024;

/// The beginning and the end of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// The first line.
    pub begun: Box<Begun>,
    /// How many lines there are.
    pub lines: u64,
    /// When the last was written, in milliseconds since 1970.
    pub at: i64,
    /// How and why the run stopped, if that is what the last line says.
    pub stopped: Option<(String, String)>,
    /// How the review ended that the run was, where that is known.
    pub outcome: String,
    /// Whether the last line says that the run was rolled back.
    pub rolled_back: bool,
}

impl Ends {
    /// Says whether the run stopped to wait for a person: nobody else was at work then.
    pub fn waits(&self) -> bool {
        self.stopped.as_ref().is_some_and(|(how, _)| how == "waiting")
    }
}

/// The last whole line of a file.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) seq: u64,
    pub(super) hash: Hash,
    pub(super) proof: Proof,
    /// Where it ends.
    pub(super) end: u64,
    /// How many bytes follow it.
    pub(super) torn: u64,
    body: Vec<u8>,
}

/// What the end of a run is told by; what else a line says is not looked at, nor are its blobs.
#[derive(Deserialize)]
struct End {
    line: String,
    at: i64,
    #[serde(default)]
    how: String,
    #[serde(default)]
    why: String,
    /// What is called `outcome` in other lines is no text.
    #[serde(default, rename = "review")]
    outcome: String,
}

/// Reads the first and the last whole line of a journal, whatever is between them.
pub fn ends(path: &Path) -> Result<Ends, JournalError> {
    let Line::Begun(begun) = first(path)? else {
        let why = "a journal starts with the line `begun`".to_owned();
        return Err(JournalError::Damaged { line: 1, why });
    };
    if begun.version > VERSION {
        return Err(JournalError::Newer(begun.version));
    }
    let mut file = File::open(path).map_err(|error| unopened(path, &error))?;
    let Some(last) = last(&mut file).map_err(|error| unread(1, &error))? else {
        return Err(unsound(path));
    };
    let end: End = serde_json::from_slice(&last.body).map_err(|error| JournalError::Damaged {
        line: last.seq,
        why: error.to_string(),
    })?;
    Ok(Ends {
        begun,
        lines: last.seq,
        at: end.at,
        outcome: end.outcome,
        rolled_back: end.line == "rolled-back",
        stopped: (end.line == "stopped").then_some((end.how, end.why)),
    })
}

/// Finds out which line of a journal without a sound end it is, and what is wrong with it.
pub(super) fn unsound(path: &Path) -> JournalError {
    match audit(path) {
        Err(error) => error,
        Ok(audit) => JournalError::Damaged {
            line: audit.lines,
            why: "it changed while it was read".to_owned(),
        },
    }
}

/// Parses the JSON of a line.
pub(super) fn line(body: &[u8], blobs: &Blobs) -> Result<Line<'static>, String> {
    let parsed = if has_name(body) {
        serde_json::from_slice(&blobs.unpack(body)?)
    } else {
        serde_json::from_slice(body)
    };
    parsed.map_err(|error| error.to_string())
}

/// Reads the first line.
fn first(path: &Path) -> Result<Line<'static>, JournalError> {
    let mut file = File::open(path).map_err(|error| lost(path).unwrap_or_else(|| unopened(path, &error)))?;
    let damaged = |why| JournalError::Damaged { line: 1, why };
    let mut bytes = Vec::new();
    let end = loop {
        let before = bytes.len();
        let read = (&mut file).take(BLOCK).read_to_end(&mut bytes);
        let read = read.map_err(|error| unread(1, &error))?;
        if let Some(end) = memchr::memchr(b'\n', &bytes[before..]) {
            break before + end;
        }
        if read == 0 {
            // Its first line was never promised to anybody: the run ended before it began, and nothing is damaged.
            return Err(lost(path).unwrap_or_else(|| JournalError::Missing(path.display().to_string())));
        }
    };
    // A later form may end its lines in a way that nobody knows yet.
    let version = serde_json::from_slice(&bytes[..end]).map(|Version { version }| version);
    match open(&mut bytes[..end], Trust::Nothing) {
        Ok(opened) => line(opened.body, &Blobs::beside(path)).map_err(damaged),
        Err(why) => Err(match version {
            Ok(version) if version > VERSION => JournalError::Newer(version),
            Ok(_) | Err(_) => damaged(why),
        }),
    }
}

/// What is beside a journal only once its first line is on the disk.
const LATER: [&str; 3] = ["kept", "index", "questions.json"];

/// Says that a journal without lines had some, where what came after them is there.
fn lost(path: &Path) -> Option<JournalError> {
    let is_there = |name: &&str| path.with_file_name(name).exists();
    let beside = LATER.iter().find(|name| is_there(name))?;
    let why = format!("it is gone, and the run did something: its `{beside}` is there");
    Some(JournalError::Damaged { line: 1, why })
}

/// The form of a journal, in its first line.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// Reads the last whole line; none where there is not one, or where it is not sound.
pub(super) fn last(file: &mut File) -> io::Result<Option<Last>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut bytes: Vec<u8> = Vec::new();
    let mut start = length;
    loop {
        let ends: Vec<usize> = memchr::memrchr_iter(b'\n', &bytes).take(2).collect();
        let begin = match ends[..] {
            [_, before] => before + 1,
            [_] if start == 0 => 0,
            [] | [_] if start > 0 => {
                // Doubling keeps a long line from being copied once for every block.
                let step = BLOCK.max(bytes.len() as u64).min(start);
                start -= step;
                bytes = prepend(file, start, step, &bytes)?;
                continue;
            }
            [] | [_] | [_, _, ..] => return Ok(None),
        };
        let end = ends[0];
        let end_of_line = start + end as u64 + 1;
        let torn = length - end_of_line;
        return Ok(open(&mut bytes[begin..end], Trust::Nothing).ok().map(|opened| Last {
            seq: opened.seq,
            hash: opened.hash,
            proof: opened.proof,
            end: end_of_line,
            torn,
            body: opened.body.to_vec(),
        }));
    }
}

fn prepend(file: &mut File, start: u64, count: u64, bytes: &[u8]) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut longer = Vec::with_capacity(count as usize + bytes.len());
    file.take(count).read_to_end(&mut longer)?;
    longer.extend_from_slice(bytes);
    Ok(longer)
}
