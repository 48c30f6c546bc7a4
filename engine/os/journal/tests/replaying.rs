//! A resume sees what a whole reading sees, without the effects.

use super::super::blob::Blobs;
use super::super::replay::{ReplayKind, Replayed, kind, replayed};
use super::super::{read, replay, resumes};
use super::{contents, done, intent, key, place, replied, resumed, samples, write};
use crate::host::{Line, Resumed};
use crate::machine::{Effect, Outcome};

/// Returns what a resume should see of a line.
fn expected(seq: u64, line: Line<'static>) -> Replayed {
    let (at, kind) = match line {
        Line::Begun(begun) => (begun.at, ReplayKind::Begun(begun)),
        Line::Intent { at, key, snapshot, .. } => (at, ReplayKind::Intent { key, snapshot }),
        Line::Done { at, key, outcome, .. } => {
            let outcome = outcome.into_owned();
            (at, ReplayKind::Done { key, outcome })
        }
        Line::Hooked(hooked) => (hooked.at, ReplayKind::Hooked(hooked)),
        Line::Resumed(resumed) => (resumed.at, ReplayKind::Resumed(resumed)),
        Line::Called(called) => (called.at, ReplayKind::Called(called)),
        Line::Settled { at, key, choice } => (at, ReplayKind::Settled { key, choice }),
        Line::RolledBack { at, to } => (at, ReplayKind::RolledBack { to }),
        Line::Stopped { at, how, why, .. } => (at, ReplayKind::Stopped { how, why }),
    };
    Replayed { seq, at, kind }
}

#[test]
fn what_was_said_at_every_resume_is_found_among_other_lines() {
    let place = place();
    let earlier = Resumed {
        at: 3,
        ..Resumed::default()
    };
    let mut lines = samples();
    lines.insert(1, Line::Resumed(Box::new(earlier.clone())));
    write(&place.path, &lines);
    assert_eq!(resumes(&place.path).unwrap(), [earlier, resumed()]);
}

#[test]
fn a_resume_sees_what_a_whole_reading_sees() {
    let place = place();
    let mut lines = samples();
    let long = "a \\ \"long\" text ".repeat(2000);
    lines.extend([intent(&long, Some("kept:1")), replied(&long), contents(&long)]);
    lines.push(done(9, Some(Effect::Show { text: long }), Outcome::Done));
    write(&place.path, &lines);
    let whole = read(&place.path).unwrap().map(Result::unwrap);
    let whole: Vec<Replayed> = whole.map(|kept| expected(kept.seq, kept.line)).collect();
    let short: Vec<Replayed> = replay(&place.path).unwrap().map(Result::unwrap).collect();
    assert_eq!(short.len(), lines.len());
    assert_eq!(short, whole);
}

#[test]
fn a_line_that_is_written_in_another_way_is_read_as_well() {
    let blobs = Blobs::beside(std::path::Path::new("/nowhere/journal.jsonl"));
    let mut body = br#"{"line": "done", "step": "\u0032a", "outcome": {"there": true, "is": "seen"}, "at": 3,
        "key": {"n": 4, "digest": "00112233445566778899aabbccddeeff", "lane": "0.1.2"}}"#
        .to_vec();
    let line = done(4, None, Outcome::Seen { there: true });
    assert_eq!(replayed(8, &mut body, &blobs), Ok(expected(8, line)));
    let mut intent = br#"{"line":"intent","at":1,"key":{"lane":"0.1.2","digest":"00112233445566778899aabbccddeeff","n":4},"step":"1","driver":"a","effect":{"do":"now"},"snapshot":null}"#.to_vec();
    let ReplayKind::Intent {
        key: found, snapshot, ..
    } = replayed(1, &mut intent, &blobs).unwrap().kind
    else {
        panic!("an intent");
    };
    assert_eq!((found, snapshot), (key(4), None));
}

#[test]
fn a_kind_of_line_that_nobody_knows_is_said() {
    let blobs = Blobs::beside(std::path::Path::new("/nowhere/journal.jsonl"));
    let why = replayed(1, &mut br#"{"line":"dreamt","at":1}"#.to_vec(), &blobs).unwrap_err();
    assert!(why.contains("dreamt"), "{why}");
    assert_eq!(kind(b"{\"at\":1}"), None);
}

#[test]
fn what_is_cut_short_is_never_a_panic() {
    let blobs = Blobs::beside(std::path::Path::new("/nowhere/journal.jsonl"));
    for line in samples() {
        let body = serde_json::to_vec(&line).unwrap();
        for cut in 0..body.len() {
            let read = replayed(1, &mut body[..cut].to_vec(), &blobs);
            // The effect of an intent is not looked at: only the hash tells that it is not whole.
            assert!(read.is_err() || matches!(line, Line::Intent { .. }), "cut at {cut}");
        }
    }
}
