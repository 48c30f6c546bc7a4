//! A terminal in, keys out, text on its screen; what was set is always set back.

use super::Stream;
use super::decode::{Decoder, Key};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Makes the terminal say where pasted text begins and ends.
const PASTES_ON: &str = "\x1b[?2004h";
const PASTES_OFF: &str = "\x1b[?2004l";
/// The size of a terminal that does not tell.
const UNKNOWN: (usize, usize) = (80, 24);

/// A terminal: where keys come from, and where text goes to.
pub(super) struct Tty {
    input: File,
    /// Not the standard stream of the library: the program holds its lock as long as it runs.
    output: File,
    mode: Mutex<Option<mode::Mode>>,
    keys: Mutex<Keys>,
    turn: Mutex<()>,
}

/// Keys that were pressed and not yet used: a person may type ahead.
#[derive(Default)]
struct Keys {
    decoder: Decoder,
    ready: VecDeque<Key>,
}

/// What waiting for a key came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Got {
    Key(Key),
    /// A moment passed.
    Nothing,
    /// There will be no more keys.
    End,
}

impl Tty {
    /// Opens the terminal of the process.
    pub(super) fn open(stream: Stream) -> Option<Tty> {
        let (input, output) = mode::standard(stream)?;
        Some(Tty::over(input, output))
    }

    pub(super) fn over(input: File, output: File) -> Tty {
        Tty {
            input,
            output,
            mode: Mutex::default(),
            keys: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// Waits until no other question is on the screen.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        lock(&self.turn)
    }

    /// Takes every key as it is pressed, until the guard is dropped.
    pub(super) fn raw(&self) -> io::Result<Raw<'_>> {
        let mut mode = lock(&self.mode);
        if mode.is_none() {
            *mode = Some(mode::raw(&self.input)?);
        }
        drop(mode);
        let raw = Raw(self);
        self.write(PASTES_ON)?;
        Ok(raw)
    }

    /// Sets back what `raw` set; does nothing where nothing is set.
    pub(super) fn restore(&self) {
        let Some(before) = lock(&self.mode).take() else {
            return;
        };
        // A terminal that is gone needs nothing set back.
        match (self.write(PASTES_OFF), mode::restore(&self.input, &before)) {
            (Ok(()) | Err(_), Ok(()) | Err(_)) => {}
        }
    }

    /// Waits a moment for a key.
    pub(super) fn key(&self) -> io::Result<Got> {
        let mut keys = lock(&self.keys);
        if let Some(key) = keys.ready.pop_front() {
            return Ok(Got::Key(key));
        }
        let mut bytes = [0; 1024];
        let count = mode::read(&self.input, &mut bytes)?;
        let Some(count) = count else {
            return Ok(Got::End);
        };
        let pressed = if count == 0 {
            keys.decoder.settle().into_iter().collect()
        } else {
            keys.decoder.feed(&bytes[..count])
        };
        keys.ready.extend(pressed);
        Ok(keys.ready.pop_front().map_or(Got::Nothing, Got::Key))
    }

    /// Puts back keys that nobody used.
    pub(super) fn unread(&self, key: Key) {
        lock(&self.keys).ready.push_front(key);
    }

    pub(super) fn write(&self, text: &str) -> io::Result<()> {
        let mut output = &self.output;
        output.write_all(text.as_bytes())?;
        output.flush()
    }

    /// Returns columns and rows.
    pub(super) fn size(&self) -> (usize, usize) {
        mode::size(&self.output)
            .filter(|(columns, rows)| *columns > 0 && *rows > 0)
            .unwrap_or(UNKNOWN)
    }
}

/// Keeps the terminal raw; sets it back when dropped, also when something panics.
pub(super) struct Raw<'a>(&'a Tty);

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        self.0.restore();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
mod mode {
    use super::super::Stream;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr};
    use std::fs::File;
    use std::io::{self, ErrorKind, IsTerminal, Read};
    use std::os::fd::AsFd;
    use std::time::Duration;

    /// How long a read waits for a key.
    const MOMENT: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 100_000_000,
    };

    /// What the terminal was set to.
    pub(super) type Mode = Termios;

    pub(super) fn standard(stream: Stream) -> Option<(File, File)> {
        let input = std::io::stdin();
        let input = input.is_terminal().then(|| input.as_fd().try_clone_to_owned().ok())??;
        let output = File::from(match stream {
            Stream::Output => std::io::stdout().as_fd().try_clone_to_owned().ok()?,
            Stream::Errors => std::io::stderr().as_fd().try_clone_to_owned().ok()?,
        });
        output.is_terminal().then_some((input.into(), output))
    }

    pub(super) fn raw(input: &File) -> io::Result<Mode> {
        let before = tcgetattr(input)?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(input, OptionalActions::Now, &raw)?;
        Ok(before)
    }

    pub(super) fn restore(input: &File, before: &Mode) -> io::Result<()> {
        Ok(tcsetattr(input, OptionalActions::Now, before)?)
    }

    /// Reads what was typed: no bytes after a moment, nothing at all where the terminal is gone.
    pub(super) fn read(mut input: &File, bytes: &mut [u8]) -> io::Result<Option<usize>> {
        // The wait is not left to the terminal: whoever sets it back meanwhile would make a read wait for a whole line.
        match poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&MOMENT)) {
            Ok(0) | Err(Errno::INTR) => return Ok(Some(0)),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        match input.read(bytes) {
            // A terminal that hung up reads as empty without waiting, but no longer tells its mode.
            Ok(0) if tcgetattr(input).is_err() => Ok(None),
            Ok(count) => Ok(Some(count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(Some(0)),
            // Another program that shares the terminal may have made it so that reads do not wait.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(20));
                Ok(Some(0))
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn size(output: &File) -> Option<(usize, usize)> {
        let size = tcgetwinsize(output).ok()?;
        Some((usize::from(size.ws_col), usize::from(size.ws_row)))
    }
}

/// Elsewhere questions are asked line by line.
#[cfg(not(unix))]
mod mode {
    use super::super::Stream;
    use std::fs::File;
    use std::io;

    pub(super) type Mode = ();

    pub(super) fn standard(_stream: Stream) -> Option<(File, File)> {
        None
    }

    pub(super) fn raw(_input: &File) -> io::Result<Mode> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn restore(_input: &File, _before: &Mode) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn read(_input: &File, _bytes: &mut [u8]) -> io::Result<Option<usize>> {
        Ok(None)
    }

    pub(super) fn size(_output: &File) -> Option<(usize, usize)> {
        None
    }
}
