//! What is to be said to a process in, at once or bit by bit; its input, and when nothing more can be said, out.

use std::borrow::Cow;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc::UnboundedReceiver;

/// What comes to be said while a process runs; it is over when whoever says it is gone.
pub(super) type Words = UnboundedReceiver<Vec<u8>>;

/// Speaks to a process.
pub(super) struct Mouth<'a> {
    stdin: Option<ChildStdin>,
    begun: Cow<'a, [u8]>,
    /// How much of what is begun was taken.
    taken: usize,
    words: Option<Words>,
}

/// What was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Some of it, or all that there was from the beginning.
    Some,
    /// All, and nobody is left to say more.
    Farewell,
}

impl<'a> Mouth<'a> {
    pub(super) fn new(stdin: Option<ChildStdin>, first: &'a [u8], words: Option<Words>) -> Self {
        Self {
            stdin,
            begun: Cow::Borrowed(first),
            taken: 0,
            words,
        }
    }

    /// Says what is next, or waits for it; whoever drops this half-way loses nothing.
    pub(super) async fn say(&mut self) -> Said {
        if let Some(stdin) = self.stdin.as_mut().filter(|_| self.taken < self.begun.len()) {
            // A process that reads nothing, or not all, is free to: what it answers is what counts.
            let count = stdin.write(&self.begun[self.taken..]).await.unwrap_or(0);
            self.taken += count;
            if count == 0 || (self.taken == self.begun.len() && self.words.is_none()) {
                self.stdin = None;
            }
            return Said::Some;
        }
        let Some(words) = &mut self.words else {
            return std::future::pending().await;
        };
        match words.recv().await {
            Some(next) => {
                self.begun = Cow::Owned(next);
                self.taken = 0;
                Said::Some
            }
            None => {
                self.stdin = None;
                self.words = None;
                Said::Farewell
            }
        }
    }
}
