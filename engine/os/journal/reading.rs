//! The file of a journal in, its lines one by one out: checked, parsed, in order, with little memory.
//!
//! Chunks of lines are checked and parsed on several threads. Inside a chunk every line is compared with the line
//! before it; where chunks meet the reader compares, so a chunk needs to know nothing of the others.

use super::blob::Blobs;
use super::seal::{Hash, NONE_BEFORE, Trust, open};
use super::source::{Source, unread};
use crate::host::JournalError;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SendError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::vec;

/// How many threads check and parse; more would wait for the one reader of the lines.
const THREADS: usize = 2;

/// How many bytes most lines have at least.
const SHORT_LINE: usize = 1024;

/// How many chunks each of them may be ahead: enough to be read while a project is loaded, and little memory.
const AHEAD: usize = 8;

/// What of a line is compared with its bytes, and what turns its number and its JSON into what is wanted of it.
type Parse<T> = (Trust, fn(u64, &mut [u8], &Blobs) -> Result<T, String>);

/// The lines of a journal, in order. After an error there are no more.
#[derive(Debug)]
pub struct Reading<T> {
    lines: vec::IntoIter<T>,
    fault: Option<JournalError>,
    feed: Feed<T>,
    /// How many lines were read, and the hash of the last.
    count: u64,
    last: Hash,
    torn: Option<u64>,
    parse: Parse<T>,
    blobs: Blobs,
}

/// Where the next chunk comes from.
#[derive(Debug)]
enum Feed<T> {
    /// This thread: a short journal is read before a thread would have started.
    Here(Box<Source>),
    /// The threads, in turn.
    Threads(Vec<Receiver<Batch<T>>>, usize),
    /// Nowhere.
    Over,
}

/// A chunk, checked and parsed.
#[derive(Debug)]
enum Batch<T> {
    Lines(Lines<T>),
    /// No more lines; so many bytes are left over.
    End(u64),
    Unread(io::Error),
}

#[derive(Debug)]
struct Lines<T> {
    parsed: Vec<T>,
    /// The number of the first line and the hash of the line before it.
    first: Option<(u64, Hash)>,
    /// The hash of the last line that is sound.
    last: Hash,
    /// What is wrong with the line after the last one that is sound.
    fault: Option<String>,
}

impl<T: Send + 'static> Reading<T> {
    /// Starts to read.
    pub(super) fn start(path: &Path, parse: Parse<T>) -> Result<Self, JournalError> {
        let mut reading = Self {
            lines: Vec::new().into_iter(),
            fault: None,
            feed: Feed::Here(Box::new(Source::open(path)?)),
            count: 0,
            last: NONE_BEFORE,
            torn: None,
            parse,
            blobs: Blobs::beside(path),
        };
        reading.advance();
        match reading.torn {
            Some(0) if reading.count == 0 => Err(never_began("the file is empty")),
            Some(_) if reading.count == 0 => Err(never_began("its only line is incomplete")),
            Some(_) | None => Ok(reading),
        }
    }

    /// Returns how many bytes of an incomplete last line were left out, once all lines were read; zero if it is whole.
    pub fn torn(&self) -> Option<u64> {
        self.torn
    }

    /// Takes the next chunk, until there is a line, an error or the end.
    fn advance(&mut self) {
        while self.lines.len() == 0 && self.fault.is_none() && !matches!(self.feed, Feed::Over) {
            match self.next_batch() {
                Batch::Lines(lines) => self.link(lines),
                Batch::End(torn) => {
                    self.feed = Feed::Over;
                    self.torn = Some(torn);
                }
                Batch::Unread(error) => {
                    self.feed = Feed::Over;
                    self.fault = Some(unread(self.count + 1, &error));
                }
            }
        }
    }

    fn next_batch(&mut self) -> Batch<T> {
        match std::mem::replace(&mut self.feed, Feed::Over) {
            Feed::Here(mut source) => {
                let mut chunk = Vec::new();
                let batch = match source.fill(&mut chunk) {
                    Ok(true) => Batch::Lines(check(&mut chunk, self.parse, &self.blobs)),
                    Ok(false) => Batch::End(source.torn()),
                    Err(error) => Batch::Unread(error),
                };
                self.feed = if source.is_over() {
                    Feed::Here(source)
                } else {
                    spawn(source, self.parse, &self.blobs)
                };
                batch
            }
            Feed::Threads(receivers, turn) => {
                let batch = receivers.get(turn).and_then(|receiver| receiver.recv().ok());
                let turn = (turn + 1) % THREADS;
                self.feed = Feed::Threads(receivers, turn);
                batch.unwrap_or_else(|| Batch::Unread(io::Error::other("a reader ended early")))
            }
            Feed::Over => Batch::End(0),
        }
    }

    /// Compares the first line of a chunk with the last of the chunk before.
    fn link(&mut self, lines: Lines<T>) {
        let line = self.count + 1;
        let broken = lines.first.and_then(|(seq, prev)| follow(line, &self.last, seq, &prev));
        if let Some(why) = broken {
            self.stop(line, why);
            return;
        }
        self.count += lines.parsed.len() as u64;
        self.last = lines.last;
        self.lines = lines.parsed.into_iter();
        if let Some(why) = lines.fault {
            self.stop(self.count + 1, why);
        }
    }

    fn stop(&mut self, line: u64, why: String) {
        self.feed = Feed::Over;
        self.fault = Some(JournalError::Damaged { line, why });
    }
}

impl<T: Send + 'static> Iterator for Reading<T> {
    type Item = Result<T, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance();
        match self.lines.next() {
            Some(line) => Some(Ok(line)),
            None => self.fault.take().map(Err),
        }
    }
}

fn never_began(why: &str) -> JournalError {
    JournalError::Damaged {
        line: 1,
        why: format!("{why}: the run ended before it began"),
    }
}

/// Says why a line does not follow the one before.
pub(super) fn follow(line: u64, last: &Hash, seq: u64, prev: &Hash) -> Option<String> {
    if seq != line {
        Some(format!(
            "it says that it is line {seq}: lines are missing, or in another order"
        ))
    } else if prev != last {
        Some("the line before it is another one than when it was written".to_owned())
    } else {
        None
    }
}

/// Checks and parses a chunk of lines, up to the first that is not sound.
fn check<T>(chunk: &mut [u8], parse: Parse<T>, blobs: &Blobs) -> Lines<T> {
    let mut lines = Lines {
        parsed: Vec::with_capacity(chunk.len() / SHORT_LINE),
        first: None,
        last: NONE_BEFORE,
        fault: None,
    };
    let mut rest = chunk;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at_mut(end + 1);
        rest = after;
        match check_line(&mut line[..end], &mut lines, parse, blobs) {
            Ok(parsed) => lines.parsed.push(parsed),
            Err(why) => {
                lines.fault = Some(why);
                break;
            }
        }
    }
    lines
}

fn check_line<T>(line: &mut [u8], lines: &mut Lines<T>, (trust, parse): Parse<T>, blobs: &Blobs) -> Result<T, String> {
    let opened = open(line, trust)?;
    let (first, _) = *lines.first.get_or_insert((opened.seq, opened.prev));
    let expected = first.saturating_add(lines.parsed.len() as u64);
    if let Some(why) = follow(expected, &lines.last, opened.seq, &opened.prev).filter(|_| !lines.parsed.is_empty()) {
        return Err(why);
    }
    let parsed = parse(opened.seq, opened.body, blobs)?;
    lines.last = opened.hash;
    Ok(parsed)
}

/// Starts the threads. The source goes around among them: who has it reads a chunk, hands it on, and then works.
/// Where the system has no threads left, everything is read here.
fn spawn<T: Send + 'static>(source: Box<Source>, parse: Parse<T>, blobs: &Blobs) -> Feed<T> {
    let (batons, turns): (Vec<_>, Vec<_>) = (0..THREADS).map(|_| channel()).unzip();
    let mut receivers = Vec::with_capacity(THREADS);
    for (at, turns) in turns.into_iter().enumerate() {
        let (outlet, receiver) = sync_channel(AHEAD);
        let worker = Worker {
            turns,
            next: batons[(at + 1) % THREADS].clone(),
            outlet,
            parse,
            blobs: blobs.clone(),
        };
        if thread::Builder::new().spawn(move || worker.work()).is_err() {
            return Feed::Here(source);
        }
        receivers.push(receiver);
    }
    match batons[0].send(source) {
        Ok(()) => Feed::Threads(receivers, 0),
        Err(SendError(source)) => Feed::Here(source),
    }
}

/// One of the threads.
struct Worker<T> {
    turns: Receiver<Box<Source>>,
    next: Sender<Box<Source>>,
    outlet: SyncSender<Batch<T>>,
    parse: Parse<T>,
    blobs: Blobs,
}

impl<T> Worker<T> {
    /// Works until there is nothing left to read or nobody left to read for.
    fn work(self) {
        let mut chunk = Vec::new();
        while let Ok(mut source) = self.turns.recv() {
            let batch = match source.fill(&mut chunk) {
                Ok(true) => {
                    // The others are gone only when the reader is.
                    if self.next.send(source).is_err() {
                        return;
                    }
                    Batch::Lines(check(&mut chunk, self.parse, &self.blobs))
                }
                Ok(false) => Batch::End(source.torn()),
                Err(error) => Batch::Unread(error),
            };
            let over = !matches!(batch, Batch::Lines(_));
            if self.outlet.send(batch).is_err() || over {
                return;
            }
        }
    }
}
