//! What is to be said to a process in, at once or bit by bit; its input, and when nothing more can be said, out.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc::UnboundedReceiver;

/// What comes to be said while a process runs; it is over when whoever says it is gone.
pub(super) type Words = UnboundedReceiver<Vec<u8>>;

/// How much there is room for in any pipe that nobody reads yet. Elsewhere a pipe is made in two acts, and a process that
/// starts between them would keep the end that has to be closed.
const ROOM: usize = if cfg!(target_os = "linux") { 4096 } else { 0 };

/// Returns where a process reads. What fits into any pipe is there before it starts, and nobody has to hand it over.
pub(super) fn input(text: &str, is_live: bool) -> io::Result<Stdio> {
    if is_live || text.len() > ROOM {
        return Ok(Stdio::piped());
    }
    if text.is_empty() {
        return Ok(Stdio::null());
    }
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(text.as_bytes())?;
    Ok(Stdio::from(reader))
}

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

#[cfg(test)]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the tests start a real process")]
mod tests {
    use super::{ROOM, input};
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    /// Returns what a process reads of a text, and whether it had to be handed over while it ran.
    fn heard(text: &str, is_live: bool) -> (String, bool) {
        let mut command = Command::new("cat");
        let command = command.stdin(input(text, is_live).unwrap()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let is_handed = stdin.is_some();
        if let Some(mut stdin) = stdin {
            stdin.write_all(text.as_bytes()).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), is_handed)
    }

    #[test]
    fn what_fits_into_any_pipe_is_there_before_the_process_starts() {
        for length in [1, 100, ROOM - 1, ROOM] {
            let text = "x".repeat(length);
            assert_eq!(heard(&text, false), (text, false), "{length}");
        }
    }

    #[test]
    fn what_does_not_and_what_is_not_over_is_handed_over_while_it_runs() {
        let text = "x".repeat(ROOM + 1);
        assert_eq!(heard(&text, false), (text, true));
        assert_eq!(heard("a", true), ("a".to_owned(), true));
    }

    #[test]
    fn who_is_told_nothing_finds_the_end() {
        assert_eq!(heard("", false), (String::new(), false));
    }
}
