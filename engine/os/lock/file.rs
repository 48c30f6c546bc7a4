//! The lock of a file that other programs write too: a file next to it, for as long as one write takes.

use super::{Holder, LockError};
use crate::host::Clock;
use crate::os::draft::is_at;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, UNIX_EPOCH};

/// How long a lock counts, in milliseconds: no write takes this long, so its holder is gone.
const STALE: i64 = 30_000;

/// How long is waited before each further try, in milliseconds.
const PAUSES: [u64; 4] = [100, 200, 400, 800];

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A file that nobody else writes who asks first. Ends when it is dropped.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    signature: String,
}

impl FileLock {
    /// Takes the lock of `file`, which need not be there yet; waits with `sleep` while somebody else has it.
    pub fn take(file: &Path, holder: &str, clock: &dyn Clock, sleep: &dyn Fn(Duration)) -> Result<Self, LockError> {
        let path = beside(file, ".lock");
        let mut pauses = PAUSES.iter();
        loop {
            if let Some(lock) = Self::make(&path, holder, clock.now())? {
                return Ok(lock);
            }
            let Some(found) = look(&path)? else {
                // Let go a moment ago.
                continue;
            };
            let stale = clock.now().saturating_sub(found.since) >= STALE;
            if stale && clear(&path, &found)? {
                continue;
            }
            match pauses.next() {
                Some(pause) => sleep(Duration::from_millis(*pause)),
                None => return Err(LockError::Held(found.holder)),
            }
        }
    }

    /// Lets go. What is no longer ours, since it took too long, is left alone.
    pub fn release(self) -> io::Result<()> {
        self.remove()
    }

    /// Makes the file of the lock; answers nothing where there is one already.
    fn make(path: &Path, holder: &str, now: i64) -> Result<Option<Self>, LockError> {
        let signature = serde_json::to_string(&Holder {
            holder: holder.to_owned(),
            pid: std::process::id(),
            since: now,
            n: NEXT.fetch_add(1, Ordering::Relaxed),
        });
        let signature = signature.map_err(io::Error::from)?;
        let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(LockError::Refused(error)),
        };
        let path = path.to_path_buf();
        let lock = Self { path, signature };
        file.write_all(lock.signature.as_bytes())?;
        Ok(Some(lock))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn remove(&self) -> io::Result<()> {
        match fs::read_to_string(&self.path) {
            Ok(text) if text == self.signature => fs::remove_file(&self.path),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Nobody is left to tell; what stays behind is stale soon.
        if self.remove().is_err() {}
    }
}

/// A lock that somebody has.
#[derive(Debug)]
pub(super) struct Found {
    text: String,
    since: i64,
    holder: Option<Holder>,
}

/// Looks at a lock; a lock that does not say since when counts from when its file was written.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn look(path: &Path) -> io::Result<Option<Found>> {
    let read = || -> io::Result<Found> {
        let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        let holder: Option<Holder> = serde_json::from_str(&text).ok();
        let since = match &holder {
            Some(holder) => holder.since,
            None => written(
                fs::metadata(path)?
                    .modified()?
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default(),
            ),
        };
        Ok(Found { text, since, holder })
    };
    match read() {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn written(after: Duration) -> i64 {
    i64::try_from(after.as_millis()).unwrap_or(i64::MAX)
}

/// Sees to it that a stale lock is gone; answers false while somebody else of this engine is at it.
fn clear(path: &Path, stale: &Found) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) if is_at(&file, path) => set_aside(path, stale).map(|()| true),
        // Cleared between opening it and getting here.
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes a stale lock in two steps: it is moved aside first and looked at again, since between looking and moving
/// another program may have cleared it and taken a new one, which is put back.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn set_aside(path: &Path, stale: &Found) -> io::Result<()> {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = beside(path, &format!(".{}-{number}.stale", std::process::id()));
    match fs::rename(path, &aside) {
        Ok(()) => {}
        // Somebody else cleared it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    if fs::read(&aside).is_ok_and(|text| String::from_utf8_lossy(&text) == stale.text) {
        return fs::remove_file(&aside);
    }
    // A link is never put over a lock that was taken in between; a rename would be.
    match fs::hard_link(&aside, path) {
        Ok(()) => fs::remove_file(&aside),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::remove_file(&aside),
        Err(_) => fs::rename(&aside, path),
    }
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_os_string();
    name.push(ending);
    PathBuf::from(name)
}
