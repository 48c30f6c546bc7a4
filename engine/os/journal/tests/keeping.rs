//! What is added is there, and what could not be added is told.

use super::super::{FileJournal, Sink};
use super::{begun, over, place, read_all, samples, shown, write};
use crate::host::{Durability, Journal, JournalError};
use std::fs::{self, OpenOptions};
use std::io;

/// A disk that counts, takes few bytes at a time, and fails where it is told to.
#[derive(Debug, Default)]
struct Disk {
    bytes: Vec<u8>,
    writes: usize,
    syncs: usize,
    /// How many bytes one call takes; zero is all.
    bite: usize,
    /// How many bytes there is room for.
    room: Option<usize>,
    unsyncable: bool,
}

impl io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes += 1;
        let room = self.room.map_or(usize::MAX, |room| room - self.bytes.len());
        if room == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "No space left"));
        }
        let bite = if self.bite == 0 { usize::MAX } else { self.bite };
        let taken = bytes.len().min(bite).min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Disk {
    fn sync(&mut self) -> io::Result<()> {
        if self.unsyncable {
            return Err(io::Error::other("Input/output error"));
        }
        self.syncs += 1;
        Ok(())
    }
}

#[test]
fn every_line_is_read_as_it_was_added() {
    let place = place();
    write(&place.path, &samples());
    assert_eq!(read_all(&place.path), (samples(), None, Some(0)));
}

#[test]
fn a_written_line_is_there_to_be_read_and_on_the_disk_with_the_next_synced_one() {
    let mut journal = over(Disk::default());
    journal.append(&begun(), Durability::Written).unwrap();
    assert_eq!((journal.sink.writes, journal.sink.syncs), (1, 0));
    journal.append(&shown("a"), Durability::Synced).unwrap();
    assert_eq!((journal.sink.writes, journal.sink.syncs), (2, 1));
    journal.flush().unwrap();
    assert_eq!((journal.sink.writes, journal.sink.syncs), (2, 1));
}

#[test]
fn a_written_line_is_on_the_disk_when_all_lines_have_to_be() {
    let mut journal = over(Disk::default());
    journal.append(&begun(), Durability::Written).unwrap();
    journal.settle().unwrap();
    assert_eq!(journal.sink.syncs, 1);
    journal.settle().unwrap();
    assert_eq!(journal.sink.syncs, 1);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_put_on_the_disk_leaves_nothing_reported_as_kept() {
    let place = place();
    let mut journal = FileJournal::create(&place.path).unwrap();
    journal.append(&begun(), Durability::Written).unwrap();
    journal.made_in.push(place.path.join("nowhere"));
    let failed = journal.append(&shown("a"), Durability::Synced).unwrap_err();
    assert!(failed.to_string().contains("nowhere"), "{failed}");
    assert!(journal.append(&shown("b"), Durability::Written).is_err());
}

#[test]
fn a_buffered_line_is_written_with_the_next_synced_one_in_one_call() {
    let mut journal = over(Disk::default());
    journal.append(&begun(), Durability::Buffered).unwrap();
    journal.append(&shown("a"), Durability::Buffered).unwrap();
    assert_eq!((journal.sink.writes, journal.sink.syncs), (0, 0));
    journal.append(&shown("b"), Durability::Synced).unwrap();
    assert_eq!((journal.sink.writes, journal.sink.syncs), (1, 1));
    assert_eq!(journal.sink.bytes.iter().filter(|byte| **byte == b'\n').count(), 3);
    assert_eq!(journal.last(), 3);
}

#[test]
fn lines_that_wait_too_long_are_written_anyway() {
    let mut journal = over(Disk::default());
    for _ in 0..200 {
        journal.append(&shown(&"x".repeat(8000)), Durability::Buffered).unwrap();
    }
    assert_eq!(journal.sink.syncs, 1);
}

#[test]
fn a_disk_that_takes_a_few_bytes_at_a_time_gets_them_all() {
    let (mut slow, mut fast) = (
        over(Disk {
            bite: 7,
            ..Disk::default()
        }),
        over(Disk::default()),
    );
    for line in samples() {
        slow.append(&line, Durability::Synced).unwrap();
        fast.append(&line, Durability::Synced).unwrap();
    }
    assert_eq!(slow.sink.bytes, fast.sink.bytes);
}

#[test]
fn after_a_failed_sync_nothing_is_reported_as_kept() {
    let mut journal = over(Disk::default());
    journal.append(&begun(), Durability::Synced).unwrap();
    journal.sink.unsyncable = true;
    let error = journal.append(&shown("a"), Durability::Synced).unwrap_err();
    assert_eq!(error, JournalError::Unwritten("input/output error".to_owned()));
    journal.sink.unsyncable = false;
    let length = journal.sink.bytes.len();
    assert_eq!(journal.append(&shown("b"), Durability::Synced), Err(error.clone()));
    assert_eq!(journal.append(&shown("c"), Durability::Buffered), Err(error.clone()));
    assert_eq!(journal.flush(), Err(error));
    assert_eq!(journal.sink.bytes.len(), length);
}

#[test]
fn after_a_write_that_did_not_fit_nothing_is_reported_as_kept() {
    let mut journal = over(Disk {
        room: Some(100),
        ..Disk::default()
    });
    let error = journal.append(&begun(), Durability::Synced).unwrap_err();
    assert_eq!(error, JournalError::Unwritten("no space left".to_owned()));
    journal.sink.room = None;
    assert_eq!(journal.append(&shown("b"), Durability::Synced), Err(error));
    assert_eq!(journal.sink.syncs, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = over(full).append(&begun(), Durability::Synced).unwrap_err();
    assert!(
        matches!(&error, JournalError::Unwritten(why) if why.contains("no space left")),
        "{error}"
    );
}

#[test]
fn a_journal_goes_on_where_it_ended() {
    let place = place();
    let samples = samples();
    let (before, after) = samples.split_at(4);
    write(&place.path, before);
    let mut continued = FileJournal::open_for_append(&place.path).unwrap();
    assert_eq!((continued.torn, continued.journal.last()), (0, 4));
    for line in after {
        continued.journal.append(line, Durability::Synced).unwrap();
    }
    assert_eq!(read_all(&place.path), (samples, None, Some(0)));
}

#[test]
fn a_journal_that_is_there_is_not_written_over() {
    let place = place();
    write(&place.path, &[begun()]);
    assert!(matches!(
        FileJournal::create(&place.path),
        Err(JournalError::Unwritten(_))
    ));
    assert_eq!(read_all(&place.path).0, [begun()]);
}

#[test]
fn a_journal_that_is_not_there_is_missing() {
    let place = place();
    let missing = JournalError::Missing(place.path.display().to_string());
    assert_eq!(read_all(&place.path).1, Some(missing.clone()));
    assert_eq!(FileJournal::open_for_append(&place.path).unwrap_err(), missing);
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "the test looks at real files")]
fn nobody_else_can_read_a_journal() {
    use std::os::unix::fs::PermissionsExt;
    let place = place();
    write(&place.path, &[shown(&"x".repeat(20_000))]);
    let folder = place.path.parent().unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let blob = fs::read_dir(folder.join("blobs")).unwrap().next().unwrap().unwrap();
    assert_eq!(mode(place.path.clone()), 0o600);
    assert_eq!(mode(folder.to_path_buf()), 0o700);
    assert_eq!(mode(folder.join("blobs")), 0o700);
    assert_eq!(mode(blob.path()), 0o600);
}
