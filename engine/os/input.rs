//! The standard input of the process in, what comes through it within a time and a size out.
//!
//! A program that starts this one may forget to close its end of the pipe: nobody waits for it for ever.

use std::fs::File;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How much is read at once.
const CHUNK: usize = 64 * 1024;
/// After this silence it is looked whether what came is all of it.
const SILENCE: Duration = Duration::from_millis(200);

/// What may come in.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The most bytes.
    pub most: usize,
    /// How long is waited in all.
    pub patience: Duration,
    /// Says whether some bytes are all that is to come, though nobody closed the pipe.
    pub is_whole: fn(&[u8]) -> bool,
}

/// Reads the standard input of the process, past the lock that the program holds on it.
///
/// # Errors
/// Answers what the system says, and where more came than may.
pub fn input(bounds: &Bounds) -> io::Result<Vec<u8>> {
    let file = standard()?;
    let (sender, receiver) = sync_channel(1);
    // A thread of its own: a read from a pipe cannot be called off, and must not keep the program from ending.
    let reading = move || {
        let mut file = file;
        loop {
            let mut chunk = vec![0; CHUNK];
            let read = file.read(&mut chunk);
            chunk.truncate(*read.as_ref().unwrap_or(&0));
            let is_last = !matches!(read, Ok(1..));
            if sender.send(read.map(|_| chunk)).is_err() || is_last {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(reading)?;
    gather(&receiver, bounds)
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the clock")]
fn gather(chunks: &Receiver<io::Result<Vec<u8>>>, bounds: &Bounds) -> io::Result<Vec<u8>> {
    let until = Instant::now() + bounds.patience;
    let mut bytes = Vec::new();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match chunks.recv_timeout(left.min(SILENCE)) {
            Ok(chunk) => match chunk? {
                end if end.is_empty() => return Ok(bytes),
                more => bytes.extend_from_slice(&more),
            },
            Err(RecvTimeoutError::Timeout) if left.is_zero() || (bounds.is_whole)(&bytes) => return Ok(bytes),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        }
        if bytes.len() > bounds.most {
            return Err(io::Error::other(format!("more than {} bytes came in", bounds.most)));
        }
    }
}

/// Opens the standard input of the process a second time.
#[cfg(unix)]
pub(super) fn standard() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(std::io::stdin().as_fd().try_clone_to_owned()?))
}

/// Opens the standard input of the process a second time.
#[cfg(windows)]
pub(super) fn standard() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(std::io::stdin().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::{Bounds, gather};
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    const BOUNDS: Bounds = Bounds {
        most: 10,
        patience: Duration::from_secs(60),
        is_whole: |bytes| bytes.ends_with(b"}"),
    };

    #[test]
    fn everything_is_read_until_the_end() {
        let (sender, receiver) = sync_channel(9);
        for part in ["{", "}", ""] {
            sender.send(Ok(part.into())).unwrap();
        }
        assert_eq!(gather(&receiver, &BOUNDS).unwrap(), b"{}");
    }

    #[test]
    fn a_pipe_that_nobody_closes_is_not_waited_for() {
        let (sender, receiver) = sync_channel(9);
        sender.send(Ok("{}".into())).unwrap();
        assert_eq!(gather(&receiver, &BOUNDS).unwrap(), b"{}");
        sender.send(Ok("{".into())).unwrap();
        let short = Bounds {
            patience: Duration::from_millis(20),
            ..BOUNDS
        };
        assert_eq!(gather(&receiver, &short).unwrap(), b"{");
    }

    #[test]
    fn more_than_may_come_is_an_error() {
        let (sender, receiver) = sync_channel(9);
        sender.send(Ok(vec![b'x'; 11])).unwrap();
        assert!(gather(&receiver, &BOUNDS).unwrap_err().to_string().contains("10 bytes"));
    }
}
