//! Pieces of a text in, the same text without its secrets out, whichever way it was cut.

use super::key;
use super::run::measure_rest;
use super::shape::{Edge, Open, Verdict};
use super::{SHAPES, Secrets};
use std::ops::Range;
use std::sync::Arc;

/// How much of what was given out is remembered: what stands before a secret.
const CONTEXT: usize = 8;

/// Takes a text piece by piece. What may be the beginning of a secret is held back, at most a few kilobytes of it.
#[derive(Debug)]
pub struct Masker {
    secrets: Arc<Secrets>,
    /// The last bytes that were given out, then those that were not.
    bytes: Vec<u8>,
    /// How many were given out.
    done: usize,
    /// What goes on in the next piece.
    inside: Option<Open>,
}

impl Masker {
    /// Starts a text.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self {
            secrets,
            bytes: Vec::new(),
            done: 0,
            inside: None,
        }
    }

    /// Takes a piece, and gives what can be given.
    pub fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        self.bytes.extend_from_slice(piece);
        self.advance(false, |_, _| {})
    }

    /// Gives the rest: no more comes of this text.
    pub fn finish(&mut self) -> Vec<u8> {
        self.advance(true, |_, _| {})
    }

    /// Returns where the secrets of a whole text are, and what each of them is.
    pub(super) fn places(mut self, text: &str) -> Vec<(Range<usize>, String)> {
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        self.bytes.extend_from_slice(text.as_bytes());
        self.advance(true, |range, name| match (name, places.last_mut()) {
            (Some(name), _) => places.push((range, name.to_owned())),
            (None, Some((open, _))) => open.end = range.end,
            (None, None) => {}
        });
        places
    }

    /// Returns how many bytes are held back.
    pub fn held(&self) -> usize {
        self.bytes.len() - self.done
    }

    /// Goes as far as can be decided, and tells of each secret where it is and what; without a name the last one goes on.
    fn advance(&mut self, last: bool, mut tell: impl FnMut(Range<usize>, Option<&str>)) -> Vec<u8> {
        let mut given = Vec::with_capacity(self.bytes.len() - self.done);
        let mut at = self.done;
        loop {
            if let Some(open) = self.inside {
                let rest = &self.bytes[self.done..];
                let (length, goes_on) = follow(rest, open, last);
                tell(self.done..self.done + length, None);
                self.done += length;
                at = self.done;
                if goes_on {
                    break;
                }
                self.inside = None;
            }
            // What begins before it and is not all there may hold it: a name that ends like another one begins.
            let held = if last {
                0
            } else {
                self.secrets.held(&self.bytes[self.done..])
            };
            let decided = self.bytes.len() - held;
            let found = self.secrets.find_from(&self.bytes, at);
            let Some(start) = found.filter(|start| *start <= decided) else {
                self.give(decided, &mut given);
                break;
            };
            match self.judge(start, last) {
                Found::Nothing => at = start + 1,
                Found::More => {
                    self.give(start, &mut given);
                    break;
                }
                Found::Secret {
                    name,
                    skip,
                    length,
                    open,
                } => {
                    given.extend_from_slice(&self.bytes[self.done..start + skip]);
                    given.extend_from_slice(format!("[masked: {name}]").as_bytes());
                    tell(start + skip..start + skip + length, Some(&name));
                    self.done = start + skip + length;
                    at = self.done;
                    self.inside = open;
                }
            }
        }
        if last {
            self.inside = None;
        }
        let forgotten = self.done.saturating_sub(CONTEXT);
        self.bytes.drain(..forgotten);
        self.done -= forgotten;
        given
    }

    fn give(&mut self, until: usize, given: &mut Vec<u8>) {
        if until > self.done {
            given.extend_from_slice(&self.bytes[self.done..until]);
            self.done = until;
        }
    }

    /// Judges a place by every shape and every value; the longest counts.
    fn judge(&self, start: usize, last: bool) -> Found {
        let text = &self.bytes[start..];
        let (before, mut best) = (&self.bytes[..start], Found::Nothing);
        let mut undecided = !last && self.secrets.patterns().any(|each| is_beginning(text, each));
        let mut consider = |name: &str, verdict: Verdict| match verdict {
            Verdict::Nothing => {}
            Verdict::More => undecided = true,
            Verdict::Secret { skip, length, open } => {
                if best.end() < skip + length {
                    let name = name.to_owned();
                    best = Found::Secret {
                        name,
                        skip,
                        length,
                        open,
                    };
                }
            }
        };
        for shape in SHAPES {
            if text.starts_with(shape.start.as_bytes()) && fits_edge(before, shape.edge) {
                consider(shape.name, shape.judge(text, last));
            }
        }
        if text.starts_with(key::BEGIN) {
            consider("private key", key::judge(text, last));
        }
        for (name, form) in &self.secrets.values {
            if text.starts_with(form) {
                let (skip, length, open) = (0, form.len(), None);
                consider(name, Verdict::Secret { skip, length, open });
            }
        }
        if undecided { Found::More } else { best }
    }
}

/// What was found at a place.
enum Found {
    Nothing,
    More,
    Secret {
        name: String,
        skip: usize,
        length: usize,
        open: Option<Open>,
    },
}

impl Found {
    fn end(&self) -> usize {
        match self {
            Found::Nothing | Found::More => 0,
            Found::Secret { skip, length, .. } => skip + length,
        }
    }
}

/// Says whether a text is the beginning of a pattern and not all of it.
pub(super) fn is_beginning(text: &[u8], pattern: &[u8]) -> bool {
    text.len() < pattern.len() && pattern.starts_with(text)
}

fn follow(rest: &[u8], open: Open, last: bool) -> (usize, bool) {
    match open {
        Open::Block => key::rest(rest, last),
        Open::Token(body) => {
            let measured = measure_rest(rest, body, last);
            (measured.length, measured.open)
        }
    }
}

fn fits_edge(before: &[u8], edge: Edge) -> bool {
    match edge {
        Edge::Any => true,
        Edge::Digit => before.last().is_some_and(u8::is_ascii_digit),
        Edge::Word => ends_word(before),
    }
}

/// Says whether no word goes on: an escape of JSON, of an address or of a terminal ends a word too.
fn ends_word(before: &[u8]) -> bool {
    match before {
        [] => true,
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [rest @ .., b'm'] => {
            let codes = rest
                .iter()
                .rev()
                .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
                .count();
            rest[..rest.len() - codes].ends_with(b"[")
        }
        [.., last] => !(last.is_ascii_alphanumeric() || *last == b'_'),
    }
}
