//! What was changed, dropped or cut off is found, and where.
#![expect(clippy::disallowed_methods, reason = "the tests damage real files")]

use super::super::{FileJournal, Reading, VERSION, audit, ends, replay};
use super::{begun, place, read_all, replied, samples, shown, write};
use crate::host::{Durability, Journal, JournalError, Line};
use std::fs;
use std::path::Path;

fn small() -> Vec<Line<'static>> {
    vec![begun(), shown("one"), replied("two"), shown("three")]
}

/// Returns the numbers of the lines that a byte belongs to, from 1.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64 + 1
}

fn damage(error: Option<JournalError>) -> Option<(u64, String)> {
    match error? {
        JournalError::Damaged { line, why } => Some((line, why)),
        JournalError::Unwritten(_) | JournalError::Missing(_) | JournalError::Newer(_) => None,
    }
}

#[cfg(unix)]
#[test]
fn a_flipped_byte_is_found_in_its_line_wherever_it_is() {
    use std::os::unix::fs::FileExt;
    let place = place();
    let lines = small();
    write(&place.path, &lines);
    let sound = fs::read(&place.path).unwrap();
    let file = fs::OpenOptions::new().write(true).open(&place.path).unwrap();
    for at in 0..sound.len() {
        for other in [sound[at] ^ 0x01, !sound[at], 0, b'\n'] {
            if other == sound[at] {
                continue;
            }
            file.write_all_at(&[other], at as u64).unwrap();
            let line = line_of(&sound, at);
            let (read, error, torn) = read_all(&place.path);
            if at == sound.len() - 1 {
                assert!(error.is_none() && torn > Some(0), "the last line lost its end");
                assert_eq!(read, lines[..3]);
                continue;
            }
            assert_eq!(damage(error).map(|(line, _)| line), Some(line), "byte {at} as {other}");
            assert_eq!(read, lines[..line as usize - 1]);
        }
        file.write_all_at(&sound[at..=at], at as u64).unwrap();
    }
}

#[test]
fn a_resume_finds_a_flipped_byte_in_what_it_passes_over() {
    let place = place();
    write(&place.path, &small());
    let mut bytes = fs::read(&place.path).unwrap();
    let at = memchr::memmem::find(&bytes, b"three").unwrap();
    bytes[at] = b'T';
    fs::write(&place.path, &bytes).unwrap();
    let last = replay(&place.path).unwrap().last().unwrap();
    assert_eq!(damage(last.err()).unwrap().0, 4);
}

#[test]
fn a_journal_cut_anywhere_holds_the_lines_that_are_whole_and_goes_on() {
    let place = place();
    let lines = small();
    write(&place.path, &lines);
    let sound = fs::read(&place.path).unwrap();
    for cut in 0..sound.len() {
        fs::write(&place.path, &sound[..cut]).unwrap();
        let whole = line_of(&sound, cut) as usize - 1;
        let rest = cut
            - sound[..cut]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
        let (read, error, torn) = read_all(&place.path);
        assert_eq!(read, lines[..whole]);
        if whole == 0 {
            let (line, why) = damage(error).unwrap();
            assert!(line == 1 && why.ends_with("the run ended before it began"), "{why}");
            assert_eq!(damage(FileJournal::open_for_append(&place.path).err()).unwrap().0, 1);
            continue;
        }
        assert_eq!((error, torn), (None, Some(rest as u64)));
        let mut continued = FileJournal::open_for_append(&place.path).unwrap();
        assert_eq!(continued.torn, rest as u64);
        continued.journal.append(&shown("after"), Durability::Synced).unwrap();
        let (read, error, torn) = read_all(&place.path);
        assert_eq!((read.len(), error, torn), (whole + 1, None, Some(0)), "cut at {cut}");
    }
}

#[test]
fn zero_bytes_at_the_end_are_an_incomplete_line() {
    let place = place();
    write(&place.path, &small());
    let mut bytes = fs::read(&place.path).unwrap();
    bytes.extend_from_slice(&[0; 100]);
    fs::write(&place.path, &bytes).unwrap();
    assert_eq!(read_all(&place.path), (small(), None, Some(100)));
    assert_eq!(FileJournal::open_for_append(&place.path).unwrap().torn, 100);
}

/// Rewrites the lines of a journal and returns what the reader says.
fn edited(path: &Path, edit: impl Fn(&mut Vec<String>)) -> (u64, String) {
    write(path, &small());
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    edit(&mut lines);
    fs::write(path, lines.concat()).unwrap();
    damage(read_all(path).1).unwrap()
}

#[test]
fn a_line_that_is_gone_is_missed_where_the_next_one_stands() {
    let missing = (
        3,
        "it says that it is line 4: lines are missing, or in another order".to_owned(),
    );
    assert_eq!(edited(&place().path, |lines| drop(lines.remove(2))), missing);
}

#[test]
fn lines_in_another_order_are_found() {
    assert_eq!(edited(&place().path, |lines| lines.swap(1, 2)).0, 2);
}

#[test]
fn a_line_of_another_journal_is_found_by_the_line_before_it() {
    let other = place();
    write(&other.path, &[shown("other"), shown("one"), shown("more")]);
    let text = fs::read_to_string(&other.path).unwrap();
    let stranger = text.split_inclusive('\n').nth(1).unwrap().to_owned();
    let (line, why) = edited(&place().path, |lines| lines[1] = stranger.clone());
    assert_eq!(line, 2);
    assert_eq!(why, "the line before it is another one than when it was written");
}

#[test]
fn an_empty_line_and_zeros_in_the_middle_are_found() {
    let empty = edited(&place().path, |lines| lines.insert(1, "\n".to_owned()));
    assert_eq!(empty, (2, "it is empty".to_owned()));
    let zeros = edited(&place().path, |lines| lines[2] = "\0".repeat(40) + "\n");
    assert_eq!(zeros, (3, "it holds zero bytes".to_owned()));
}

#[test]
fn an_incomplete_line_with_others_after_it_is_found() {
    let (line, _) = edited(&place().path, |lines| lines[1].truncate(30));
    assert_eq!(line, 2);
}

#[test]
fn a_damaged_last_line_keeps_a_journal_from_going_on() {
    let place = place();
    write(&place.path, &small());
    let text = fs::read_to_string(&place.path).unwrap();
    fs::write(&place.path, text.replace("three", "Three")).unwrap();
    let error = FileJournal::open_for_append(&place.path).err();
    assert_eq!(
        damage(error).unwrap(),
        (4, "its sum is not the sum of its bytes".to_owned())
    );
    assert_eq!(fs::read_to_string(&place.path).unwrap(), text.replace("three", "Three"));
}

#[test]
fn after_an_error_there_are_no_more_lines() {
    let place = place();
    edited(&place.path, |lines| lines.swap(1, 2));
    let mut reading = super::read(&place.path).unwrap();
    assert!(reading.next().unwrap().is_ok());
    assert!(reading.next().unwrap().is_err());
    assert!(reading.next().is_none() && reading.next().is_none());
}

/// Writes a journal of many chunks; returns its path and how many lines it has.
fn long(path: &Path) -> u64 {
    let lines: Vec<Line<'_>> = (0..4000).map(|n| shown(&"word ".repeat(20 + n % 90))).collect();
    write(path, &lines);
    lines.len() as u64
}

#[test]
fn a_long_journal_is_read_in_order() {
    let place = place();
    let count = long(&place.path);
    let seqs: Vec<u64> = replay(&place.path).unwrap().map(|line| line.unwrap().seq).collect();
    assert_eq!(seqs, (1..=count).collect::<Vec<u64>>());
    let lengths = |line: &Line<'_>| serde_json::to_string(line).unwrap().len();
    let (lines, error, torn) = read_all(&place.path);
    assert_eq!((error, torn), (None, Some(0)));
    assert_eq!(lengths(&lines[3999]), lengths(&shown(&"word ".repeat(20 + 3999 % 90))));
}

#[test]
fn damage_in_a_long_journal_is_found_in_its_line() {
    let place = place();
    let count = long(&place.path);
    let sound = fs::read_to_string(&place.path).unwrap();
    let lines: Vec<&str> = sound.split_inclusive('\n').collect();
    for gone in (0..lines.len() - 1).step_by(397) {
        let text: String = lines[..gone].concat() + &lines[gone + 1..].concat();
        fs::write(&place.path, text).unwrap();
        let mut reading: Reading<_> = replay(&place.path).unwrap();
        let good = reading.by_ref().take_while(Result::is_ok).count();
        assert_eq!(good, gone);
        let error = audit(&place.path).err();
        assert_eq!(damage(error).unwrap().0, gone as u64 + 1);
    }
    fs::write(&place.path, &sound[..sound.len() - 9]).unwrap();
    let audit = audit(&place.path).unwrap();
    assert_eq!((audit.lines, audit.done), (count - 1, count - 1));
    assert!(audit.torn > 0);
}

#[test]
fn a_reader_may_leave_a_long_journal_early() {
    let place = place();
    long(&place.path);
    let mut reading = replay(&place.path).unwrap();
    assert_eq!(reading.nth(2500).unwrap().unwrap().seq, 2501);
}

#[test]
fn one_very_long_line_is_read() {
    let place = place();
    let paths: Vec<String> = (0..60_000).map(|n| format!("folder/file-{n}.md")).collect();
    let listed = super::done(0, None, crate::machine::Outcome::Listed { paths });
    let lines = vec![begun(), listed.clone(), shown("a"), listed];
    write(&place.path, &lines);
    assert!(read_all(&place.path) == (lines.clone(), None, Some(0)));
    assert_eq!(FileJournal::open_for_append(&place.path).unwrap().journal.last(), 4);
    assert_eq!(ends(&place.path).unwrap().lines, 4);
}

#[test]
fn the_first_and_the_last_line_are_read_without_those_between() {
    let place = place();
    write(&place.path, &samples());
    let mut bytes = fs::read(&place.path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes.extend_from_slice(b"{\"line\":");
    fs::write(&place.path, &bytes).unwrap();
    let ends = ends(&place.path).unwrap();
    assert_eq!(Line::Begun(ends.begun), begun());
    assert_eq!((ends.lines, ends.at), (22, 7));
    assert_eq!(ends.stopped, Some(("waiting".to_owned(), String::new())));
}

#[test]
fn only_a_run_whose_last_line_says_that_it_waits_has_nobody_at_work() {
    let stopped = |how: &str| Line::Stopped {
        at: 7,
        how: how.to_owned(),
        why: String::new(),
        outcome: String::new(),
        gaps: Vec::new(),
    };
    let waits = |lines: &[Line<'_>]| {
        let place = place();
        write(&place.path, lines);
        ends(&place.path).unwrap().waits()
    };
    assert!(waits(&[begun(), stopped("waiting")]));
    assert!(!waits(&[begun(), stopped("waiting"), super::intent("a", None)]));
    assert!(!waits(&[begun(), stopped("interrupted")]));
    assert!(!waits(&[begun(), super::intent("a", None)]));
}

#[test]
fn a_journal_of_the_first_form_is_read_and_goes_on_and_one_of_a_later_form_is_refused() {
    let place = place();
    write(&place.path, &small());
    let text = fs::read_to_string(&place.path).unwrap();
    let unsummed = |line: &str| format!("{}}}\n", line.split_once(",\"sum\"").unwrap().0);
    fs::write(&place.path, text.lines().map(unsummed).collect::<String>()).unwrap();
    let mut journal = FileJournal::open_for_append(&place.path).unwrap().journal;
    journal.append(&shown("four"), Durability::Synced).unwrap();
    assert_eq!(read_all(&place.path).0.len(), 5);
    assert_eq!(replay(&place.path).unwrap().filter(Result::is_ok).count(), 5);

    let later = super::place();
    let Line::Begun(mut begun) = begun() else {
        panic!("it begins")
    };
    begun.version = VERSION + 1;
    write(&later.path, &[Line::Begun(begun)]);
    assert_eq!(ends(&later.path), Err(JournalError::Newer(VERSION + 1)));
    let unknown = fs::read_to_string(&later.path)
        .unwrap()
        .replace("\"blake3\"", "\"proof\"");
    fs::write(&later.path, unknown).unwrap();
    assert_eq!(ends(&later.path), Err(JournalError::Newer(VERSION + 1)));
}

#[test]
fn a_journal_that_starts_in_another_way_is_damaged() {
    let place = place();
    write(&place.path, &[shown("a"), begun()]);
    assert_eq!(damage(ends(&place.path).err()).unwrap().0, 1);
}

#[test]
fn an_audit_counts_every_kind() {
    let place = place();
    write(&place.path, &samples());
    let audit = audit(&place.path).unwrap();
    let kinds = [audit.begun, audit.intents, audit.done, audit.hooked, audit.resumed];
    assert_eq!(kinds, [1, 3, 12, 1, 1]);
    assert_eq!(audit.lines, 22);
    assert_eq!(
        [audit.called, audit.settled, audit.rolled_back, audit.stopped],
        [1, 1, 1, 1]
    );
}

#[test]
fn a_journal_that_is_gone_beside_what_the_run_kept_is_damaged() {
    let place = place();
    write(&place.path, &small());
    for gone in ["emptied", "removed"] {
        match gone {
            "emptied" => fs::write(&place.path, "").unwrap(),
            _ => fs::remove_file(&place.path).unwrap(),
        }
        assert!(matches!(ends(&place.path), Err(JournalError::Missing(_))), "{gone}");
        let kept = place.path.with_file_name("kept");
        fs::create_dir(&kept).unwrap();
        let (line, why) = damage(ends(&place.path).err()).unwrap();
        assert_eq!(
            (line, why.as_str()),
            (1, "it is gone, and the run did something: its `kept` is there")
        );
        fs::remove_dir(&kept).unwrap();
    }
}
