//! Long texts live in files of their own, and nobody can tell.
#![expect(clippy::disallowed_methods, reason = "the tests look at real files")]

use super::super::blob::{Blobs, LIMIT, pack};
use super::super::{FileJournal, audit, replay};
use super::{begun, contents, intent, place, read_all, replied, shown, tricky, write};
use crate::builtins::Value;
use crate::host::{Durability, Journal, JournalError, Line};
use crate::machine::{Envelope, Outcome};
use std::fs;
use std::path::{Path, PathBuf};

fn blobs(path: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(path.with_file_name("blobs"));
    folder.map_or_else(
        |_| Vec::new(),
        |found| found.map(|entry| entry.unwrap().path()).collect(),
    )
}

fn long() -> String {
    "A \"long\" text\twith ü.\n".repeat(2000)
}

#[test]
fn a_long_text_is_kept_in_a_file_and_read_back() {
    let place = place();
    let lines = vec![begun(), intent(&long(), None), replied(&long()), contents(&long())];
    write(&place.path, &lines);
    assert!(fs::metadata(&place.path).unwrap().len() < 8000);
    // The same text is kept once.
    let kept = blobs(&place.path);
    assert_eq!(kept.len(), 1);
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), long());
    assert_eq!(read_all(&place.path), (lines, None, Some(0)));
    assert_eq!(audit(&place.path).unwrap().blobs, 3);
}

#[test]
fn a_text_at_the_limit_stays_in_its_line() {
    let place = place();
    write(&place.path, &[shown(&"x".repeat(LIMIT))]);
    assert!(blobs(&place.path).is_empty());
    let place = super::place();
    write(&place.path, &[shown(&"x".repeat(LIMIT + 1))]);
    assert_eq!(blobs(&place.path).len(), 1);
}

#[test]
fn a_value_that_looks_like_a_reference_stays_what_it_is() {
    let place = place();
    let mut lines = vec![begun()];
    let mut value = tricky();
    for _ in 0..3 {
        let envelope = Envelope {
            fields: vec![("blob".to_owned(), value.clone())],
            findings: vec![value.clone(), Value::from(long().as_str())],
            ..Envelope::default()
        };
        lines.push(super::done(0, None, Outcome::Replied(Box::new(envelope))));
        value = Value::Map(vec![("blob".to_owned(), value)]);
    }
    write(&place.path, &lines);
    assert_eq!(read_all(&place.path), (lines, None, Some(0)));
}

#[test]
fn a_long_name_stays_in_its_line() {
    let place = place();
    let fields = vec![(long(), Value::from(1.0)), ("blob".to_owned(), Value::from(2.0))];
    let envelope = Envelope {
        fields,
        ..Envelope::default()
    };
    let lines = vec![super::done(0, None, Outcome::Replied(Box::new(envelope)))];
    write(&place.path, &lines);
    assert_eq!(read_all(&place.path), (lines, None, Some(0)));
}

#[test]
fn a_line_without_long_texts_is_not_changed() {
    let line = serde_json::to_vec(&shown("blob")).unwrap();
    let mut buffer = line.clone();
    pack(&mut buffer, 0, &mut Vec::new()).unwrap();
    assert_eq!(buffer, line);
}

/// Damages the one blob of a journal, and returns what the reader says.
fn damaged(damage: impl Fn(&Path)) -> JournalError {
    let place = place();
    write(&place.path, &[begun(), contents(&long())]);
    damage(&blobs(&place.path)[0]);
    assert!(audit(&place.path).is_err());
    let replayed = replay(&place.path).unwrap().last().unwrap();
    let error = read_all(&place.path).1.unwrap();
    assert_eq!(replayed.unwrap_err(), error);
    error
}

#[test]
fn a_blob_that_is_gone_or_changed_damages_its_line() {
    let says = |error: JournalError, end: &str| {
        let JournalError::Damaged { line: 2, why } = &error else {
            panic!("{error}");
        };
        assert!(why.starts_with("the blob `") && why.ends_with(end), "{why}");
    };
    says(damaged(|path| fs::remove_file(path).unwrap()), "is missing");
    says(damaged(|path| fs::write(path, "other").unwrap()), "was changed");
}

#[test]
fn a_reference_that_cannot_be_is_found() {
    let blobs = Blobs::beside(Path::new("/nowhere/journal.jsonl"));
    for line in ["{\"blob\":\"../../etc/passwd\"}", "{\"blob\":7}", "{\"blob\":"] {
        let why = blobs.unpack(line.as_bytes()).unwrap_err();
        assert_eq!(why, "it names a blob that cannot be", "{line}");
    }
}

#[test]
fn a_resume_does_not_read_the_blobs_of_effects() {
    let place = place();
    write(&place.path, &[begun(), intent(&long(), None)]);
    fs::remove_file(&blobs(&place.path)[0]).unwrap();
    assert!(replay(&place.path).unwrap().all(|line| line.is_ok()));
}

#[test]
fn a_blob_is_there_before_the_line_that_names_it() {
    let place = place();
    let mut journal = FileJournal::create(&place.path).unwrap();
    journal.append(&begun(), Durability::Synced).unwrap();
    let before = fs::read(&place.path).unwrap();
    // A file where the folder should be: the blob cannot be kept.
    fs::write(place.path.with_file_name("blobs"), "").unwrap();
    assert!(matches!(
        journal.append(&contents(&long()), Durability::Synced),
        Err(JournalError::Unwritten(_))
    ));
    assert_eq!(fs::read(&place.path).unwrap(), before);
    let line: Line<'_> = shown("after");
    assert!(journal.append(&line, Durability::Synced).is_err());
}
