//! The lock of a run: the system's own, held for the life of the process.

use super::{Holder, LockError};
#[cfg(feature = "run")]
use crate::drivers::is_over;
use crate::os::private;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How often a lock is tried for while others only look whether it is held.
const TRIES: usize = 1000;

/// After how many tries there is a pause before the next: who looks may have been put aside in the middle of it.
const QUICK_TRIES: usize = 100;

/// The pause.
const PAUSE: Duration = Duration::from_millis(1);

/// How long the lock of a process that is over is waited for: it may take a moment to end, and what it was just starting
/// has a copy of it until it is another program.
const LINGERING: Duration = Duration::from_secs(5);

/// A run that nobody else works on. Ends when it is dropped, and with the process.
#[derive(Debug)]
pub struct RunLock {
    /// Children do not inherit it: an agent that outlives the engine holds nothing.
    file: File,
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Closing alone is not enough: a child that is just being started has a copy for a moment. Where letting go
        // fails, closing is what is left.
        if self.file.unlock().is_err() {}
    }
}

impl RunLock {
    /// Takes the lock whose file is `path` for this process; `now` is told to those who come too late.
    #[expect(clippy::disallowed_methods, reason = "how long it takes is no part of a run")]
    pub fn take(path: &Path, now: i64) -> Result<Self, LockError> {
        let mut options = private::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let until = Instant::now() + LINGERING;
        let mut tries = 0;
        while tries < TRIES {
            match file.try_lock() {
                Ok(()) => {
                    sign(&mut file, now)?;
                    return Ok(Self { file });
                }
                Err(TryLockError::Error(error)) => return Err(LockError::Refused(error)),
                Err(TryLockError::WouldBlock) => {}
            }
            // Whoever only looks shares the lock for a moment; whoever holds it does not share.
            if is_held(&file)? {
                let holder = signed(&mut file);
                let lingers = holder.as_ref().is_some_and(|holder| is_over(holder.pid));
                if !lingers || Instant::now() > until {
                    return Err(LockError::Held(holder));
                }
                std::thread::sleep(PAUSE);
                continue;
            }
            match tries < QUICK_TRIES {
                true => std::thread::yield_now(),
                false => std::thread::sleep(PAUSE),
            }
            tries += 1;
        }
        Err(LockError::Held(signed(&mut file)))
    }

    /// Says who holds the lock now; nobody where there is no such file. `Some(None)` is somebody without a name yet.
    pub fn holder(path: &Path) -> io::Result<Option<Option<Holder>>> {
        let mut file = match OpenOptions::new().read(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(is_held(&file)?.then(|| signed(&mut file)))
    }
}

fn is_held(file: &File) -> io::Result<bool> {
    match file.try_lock_shared() {
        Ok(()) => file.unlock().map(|()| false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Says whether a process is over; without those who run there is nobody to tell.
#[cfg(not(feature = "run"))]
fn is_over(_pid: u32) -> bool {
    false
}

/// Writes who holds it. Not synced: the name of a holder is of no use after the machine was off.
fn sign(file: &mut File, now: i64) -> io::Result<()> {
    let holder = Holder {
        holder: "bmad".to_owned(),
        pid: std::process::id(),
        since: now,
        n: 0,
    };
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(serde_json::to_string(&holder)?.as_bytes())
}

fn signed(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
